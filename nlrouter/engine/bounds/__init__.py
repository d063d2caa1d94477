"""Lagrangian prices, and what follows from them: fixing, sides, cuts, conflicts."""
