"""Which machine this is, which one writes, and the files by which they agree."""
