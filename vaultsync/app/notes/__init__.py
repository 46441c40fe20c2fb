"""What the vault says goes into the index: read, compared, known again by whatever name, and told to others."""
