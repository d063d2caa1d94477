"""Routes boards and drawings: the search, with the checker at its door."""
