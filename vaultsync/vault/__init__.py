"""The only room that touches note files; every write into the vault goes through `files`."""
