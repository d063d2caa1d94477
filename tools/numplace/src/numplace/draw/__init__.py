"""Pictures of puzzles in text."""
