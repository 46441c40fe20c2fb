"""vaultsync gives an Obsidian vault a memory: parsed, searchable, summarised, and never harmed."""
