"""Summaries as notes in the vault: taken from it, and written back."""
