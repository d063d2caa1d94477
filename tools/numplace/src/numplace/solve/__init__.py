"""Exact search: one answer, a count, all answers."""
