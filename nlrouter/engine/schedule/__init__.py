"""Shares of time among works; knows nothing of boards."""
