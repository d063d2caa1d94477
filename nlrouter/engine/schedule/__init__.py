"""Shares of time among works, and what they cost; knows nothing of boards."""
