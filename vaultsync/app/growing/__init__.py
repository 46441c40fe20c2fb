"""The memory tree: its leaves, where they belong, and summaries that stay true."""
