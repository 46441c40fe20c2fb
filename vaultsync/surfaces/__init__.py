"""Translate between people or programs and the use cases; decide nothing."""
