"""Questions about a board that need the engine but are no search: explain, difficulty, unique.

Knows nothing of commands, files or pages.
"""
