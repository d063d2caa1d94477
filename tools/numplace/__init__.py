"""numplace: number place puzzles solved, counted, checked, explained and made."""
