"""The checker: judges answers, puzzles, steps and proofs; shares no code with any solver."""
