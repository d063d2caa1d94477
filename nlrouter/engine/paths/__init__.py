"""Cheapest paths with bends, compiled."""
