"""Puzzles on one layer: whatever answers there are, by any rule set, and whether there is one only.

What an answer costs is of no interest here. Knows neither the engine nor the checker.
"""
