"""The formats, in and out."""
