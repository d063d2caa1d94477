"""Puzzles as clauses: the sdq encodings, DIMACS, proofs."""
