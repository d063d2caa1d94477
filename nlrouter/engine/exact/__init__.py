"""Solvers that take a part or a layer whole: CP-SAT, SAT, frontier search."""
