"""Problem and answer files: text in, data out, and back."""
