"""Tests of the subset examples of the text document, as states of one house."""

from __future__ import annotations

from numplace.cell import Cell, parse_cell
from numplace.logic.ladder import select
from numplace.logic.solver import all_steps
from numplace.logic.state import State
from numplace.logic.words_en import ENGLISH
from numplace.plain import plain_puzzle
from tests.numplace.states import empty, leave, mark


def filled(**numbers: int) -> State:
    """Return the state of a grid with these givens."""
    return empty(plain_puzzle({parse_cell(name): number for name, number in numbers.items()}))


def told(state: State) -> list[str]:
    """Return the steps of the document's set that there are, in words."""
    return [ENGLISH.tell(step) for step in all_steps(state, select("document"))]


def test_triple_in_a_row() -> None:
    """Tests cells 19, 179, 179 beside 47 and one with 1 and 7 among others."""
    state = filled(r6c2=2, r6c5=3, r6c8=5, r6c9=6)
    mark(state, r6c1="19", r6c3="47", r6c4="179", r6c6="179", r6c7="1478")
    assert (
        "naked triple 1,7,9 in row 6 (r6c1, r6c4, r6c6): r6c3 loses 7; r6c7 loses 1, 7"
    ) in told(state)


def test_quad_in_a_row() -> None:
    """Tests four cells with two candidates each, no two the same."""
    state = filled(r2c1=1, r2c2=4, r2c3=5)
    mark(state, r2c4="2368", r2c5="29", r2c6="36", r2c7="27", r2c8="37", r2c9="26")
    assert (
        "naked quad 2,3,6,7 in row 2 (r2c6, r2c7, r2c8, r2c9): r2c4 loses 2, 3, 6; r2c5 loses 2"
    ) in told(state)


def test_quad_in_a_block_leaves_a_hidden_single() -> None:
    """Tests that the quad strikes the one other 2 of row 1, so that a place is left for it."""
    state = leave(empty(), 2, "row 1", "r1c4", "r1c5")
    mark(state, r1c4="234567", r1c5="12", r2c4="89", r2c6="189", r3c5="28")
    (step,) = [
        step
        for step in all_steps(state, select("naked quad"))
        if step.houses == ("block 2",) and step.digits == (1, 2, 8, 9)
    ]
    assert (parse_cell("r1c4"), 2) in step.strikes
    state.apply(step)
    assert "hidden single 2 in row 1: r1c5 = 2" in told(state)


def test_pair_in_a_row_leaves_a_hidden_single() -> None:
    """Tests that the pair 5,6 strikes a 5, so that column and block have one place for it."""
    state = leave(leave(empty(), 5, "column 5", "r4c5", "r6c5"), 5, "block 5", "r4c5", "r6c5")
    mark(state, r4c1="56", r4c9="56")
    (step,) = all_steps(state, select("naked pair"))
    assert (Cell(4, 3), 5) in step.strikes
    state.apply(step)
    assert [text for text in told(state) if text.endswith("r6c5 = 5")] == [
        "hidden single 5 in column 5: r6c5 = 5",
        "hidden single 5 in block 5: r6c5 = 5",
    ]


def test_pair_with_nothing_to_strike() -> None:
    """Tests that a pair is no step where all other cells of its column are filled."""
    numbers = {f"r{row}c4": number for row, number in enumerate((1, 2, 5, 6, 7, 8, 9), start=1)}
    state = filled(**numbers)
    mark(state, r8c4="34", r9c4="34")
    assert not [text for text in told(state) if "column 4" in text]


def test_pair_of_a_row_and_a_block() -> None:
    """Tests that a pair within one block strikes from its row and from its block."""
    state = mark(empty(), r7c1="35", r7c2="35")
    row, block = told(state)
    assert row.startswith("naked pair 3,5 in row 7 (r7c1, r7c2): r7c3 loses 3, 5; r7c4 loses 3, 5")
    assert block.startswith("naked pair 3,5 in block 7 (r7c1, r7c2): r7c3 loses 3, 5; r8c1 loses")
