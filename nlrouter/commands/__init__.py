"""The commands: options in, exit code out. What they do lies on the other shelves."""
