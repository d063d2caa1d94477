"""Clauses as a DIMACS CNF file."""

from __future__ import annotations

from numplace.sat.cnf import Cnf


def format_dimacs(cnf: Cnf) -> str:
    """Return the text of a file, which tells each part's share and each cell's variables."""
    lines = [f"c {line}" for line in describe_shares(cnf)]
    cells = sorted({cell for cell, _ in cnf.holds}, key=lambda cell: (cell.y, cell.x))
    for cell in cells:
        pairs = [f"{v}:{cnf.holds[cell, v]}" for v in cnf.domains[cell]]
        lines.append(f"c {cell} {' '.join(pairs)}")
    lines.append(f"p cnf {cnf.variables} {len(cnf.clauses)}")
    lines += [" ".join(map(str, [*clause, 0])) for clause in cnf.clauses]
    return "\n".join(lines) + "\n"


def describe_shares(cnf: Cnf) -> list[str]:
    """Return a line for each part and one for all: variables and clauses."""
    lines = [
        f"{part}: {cnf.variables_of[part]} variables, {cnf.clauses_of[part]} clauses"
        for part in cnf.clauses_of
    ]
    return [*lines, f"all: {cnf.variables} variables, {len(cnf.clauses)} clauses"]
