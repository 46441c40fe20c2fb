"""Use cases, a verb each: they read the vault, ask the domain to decide, and write the store."""
