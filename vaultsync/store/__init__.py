"""The only room that touches SQLite; it persists and decides nothing."""
