"""Tests of the pictures of puzzles of all kinds."""

from __future__ import annotations

import pytest

from numplace.cell import Cell
from numplace.constraints import (
    Cage,
    Constraint,
    Different,
    HiddenThermometers,
    House,
    Joint,
    Less,
    LessEqual,
    NotJoint,
    Parity,
    Sandwich,
    Thermometer,
)
from numplace.draw.terminal import draw_puzzle
from numplace.draw.walls import ASCII, HEAVY, Border
from numplace.plain import latin_square, plain_puzzle
from numplace.puzzle import Puzzle, make_puzzle
from numplace.shapes import frame

A, B, C, D = Cell(0, 0), Cell(1, 0), Cell(0, 1), Cell(1, 1)


def draw(puzzle: Puzzle, **options: object) -> list[str]:
    """Return the lines of a picture in ASCII."""
    return draw_puzzle(puzzle, ascii=True, **options).splitlines()  # type: ignore[arg-type]


def test_blocks() -> None:
    """Tests that walls part blocks, and givens and answer stand in their cells."""
    puzzle = plain_puzzle({A: 1}, 2, 2)
    assert draw(puzzle, answer={A: 1, D: 4}) == [
        "+=======+=======+",
        "| 1 :   |   :   |",
        "|... ...|... ...|",
        "|   : 4 |   :   |",
        "+=======+=======+",
        "|   :   |   :   |",
        "|... ...|... ...|",
        "|   :   |   :   |",
        "+=======+=======+",
    ]


def test_signs() -> None:
    """Tests that signs point to the smaller number, whichever way they were given."""
    pairs: list[Constraint] = [
        Less(B, A),
        Less(A, C),
        Joint(B, D),
        NotJoint(D, C),
        LessEqual(Cell(2, 0), B),
    ]
    lines = draw_puzzle(latin_square(3).with_constraints(pairs)).splitlines()
    assert lines[1:4] == ["┃   >   ≥   ┃", "┃┈∧┈ ┈●┈ ┈┈┈┃", "┃   ×   ┊   ┃"]
    assert draw(latin_square(3).with_constraints(pairs))[1:4] == [
        "|   >   }   |",
        "|.^. .*. ...|",
        "|   x   :   |",
    ]


def test_outside_cells() -> None:
    """Tests that nothing is drawn where no cell is."""
    two = make_puzzle([*frame(2, 2), *frame(2, 2, Cell(2, 2))])
    lines = draw(two)
    assert lines[0] == "+=======+=======+"
    assert lines[4] == "+=======+=======+=======+"
    assert lines[-1] == "        +=======+=======+"


def test_groups() -> None:
    """Tests that groups are walled without blocks, and thinly parted beside them."""
    group = House((A, B, C, D), "group", 1)
    square = latin_square(4).with_constraints([group])
    assert draw(square)[4] == "+=======+... ...|"
    framed = plain_puzzle(None, 2, 2).with_constraints(
        [House((D, Cell(2, 1), Cell(1, 2), Cell(2, 2)), "group", 1)]
    )
    assert draw_puzzle(framed).splitlines()[2] == "┃┈┈┈┌───╂───┐┈┈┈┃"


def test_clues_in_cells() -> None:
    """Tests that sums, odd and even, and steps of thermometers are shown."""
    puzzle = plain_puzzle({A: 1}, 2, 2).with_constraints(
        [Cage((A, B), 3), Parity(A, True), Parity(C, False), Thermometer((C, D))]
    )
    lines = draw(puzzle)
    assert lines[1:4] == ["|3    :     |     :     |", "| (1) :     |     :     |",
                          "|     :     |     :     |"]  # fmt: skip
    assert lines[4] == "+-----------+..... .....|"
    assert lines[6:8] == ["| [ ] :     |     :     |", "|a0   :a1   |     :     |"]


def test_beside_and_below() -> None:
    """Tests that sums stand beside their lines, and words tell what no picture shows."""
    row, column = ([Cell(i, 1) for i in range(4)], [Cell(1, i) for i in range(4)])
    puzzle = plain_puzzle(None, 2, 2).with_constraints(
        [
            Sandwich(tuple(row), 5, "row", 2, 1, 4),
            Sandwich(tuple(column), 0, "column", 2, 1, 4),
            Different(A, Cell(1, 2), "knight's move"),
            Less(A, Cell(3, 3)),
            HiddenThermometers((A, B), (((0, 0), (1, 0)),)),
            Thermometer((A, B), frozen=True),
        ]
    )
    lines = draw(puzzle)
    assert lines[6] == "|     :     |     :     |  5"
    assert lines[17:] == [
        "         0",
        "",
        "r1c1 < r4c4",
        "hidden thermometer: bulb, right",
        "does not shrink: r1c1, r1c2",
        "1 pair of cells differ: knight's move",
    ]


def test_marks_and_colour() -> None:
    """Tests that marks keep their places, and colours tell givens from answers."""
    puzzle = plain_puzzle({A: 1}, 2, 2)
    lines = draw(puzzle, marks={B: (2, 4), C: (3,)})
    assert lines[1:4] == ["|     :  2  |     :     |", "|  1  :4    |     :     |",
                          "|     :     |     :     |"]  # fmt: skip
    assert lines[5] == "|    3:     |     :     |"
    coloured = draw(puzzle, answer={B: 2}, colour=True)[1]
    assert coloured.startswith("| \033[1m1\033[0m : \033[32m2\033[0m |")


@pytest.mark.parametrize("style", [ASCII, HEAVY])
def test_every_junction(style: object) -> None:
    """Tests that there is a character for every way that walls can meet."""
    for up in Border:
        for right in Border:
            for down in Border:
                for left in Border:
                    assert len(style.junction(up, right, down, left)) == 1  # type: ignore[attr-defined]
