"""Writes certificates of bounds."""
