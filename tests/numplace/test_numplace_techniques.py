"""Tests of single techniques: small states in which exactly their step is found."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from numplace.cell import Cell, parse_cell
from numplace.check.notes import Notes
from numplace.check.steps import Claim, fault
from numplace.constraints import (
    Cage,
    Different,
    HiddenThermometers,
    Joint,
    Less,
    Parity,
    Thermometer,
)
from numplace.files.lines81 import grid_lines, parse_line
from numplace.logic.ladder import BY_NAME, LADDER, select
from numplace.logic.solver import explain
from numplace.logic.state import State
from numplace.logic.step import Step
from numplace.plain import latin_square, plain_puzzle
from numplace.solve.count import count_answers
from tests.numplace.states import empty, leave, mark, strikes


def found(technique: str, state: State) -> list[Step]:
    """Return the steps of a technique, each of which must pass the checker of steps."""
    steps = list(BY_NAME[technique].find(state))
    notes = Notes(state.topology.puzzle)
    for cell, number in state.answer().items():
        notes.place(cell, number)
    for cell, digits in state.marks().items():
        notes.left[cell] = set(digits)
    for step in steps:
        claim = Claim(
            1,
            step.technique,
            step.houses + step.clues,
            step.cells,
            step.digits,
            step.places,
            step.strikes,
            step.unique,
        )
        assert fault(notes, claim) is None
    return steps


def the_strikes(technique: str, state: State) -> str:
    """Return what the only step of a technique strikes."""
    (step,) = found(technique, state)
    assert step.technique == technique
    return strikes(step)


def two(digit: int, first: str, last: str) -> State:
    """Return a state with two rows, each ``row: columns``, as the places of a number."""
    state = empty()
    for text in (first, last):
        row, _, columns = text.partition(":")
        leave(state, digit, f"row {row}", *(f"r{row}c{column}" for column in columns))
    return state


def test_full_house() -> None:
    """Tests that the last cell of a house is filled, also where only that house shows it."""
    state = empty()
    for column in range(1, 9):
        state.place(state.topology.index[parse_cell(f"r1c{column}")], column)
    (step,) = found("full house", state)
    assert (step.houses, step.places) == (("row 1",), ((Cell(8, 0), 9),))


def test_naked_single() -> None:
    """Tests that the only candidate of a cell is placed."""
    (step,) = found("naked single", mark(empty(), r4c7="3"))
    assert step.places == ((Cell(6, 3), 3),)


@pytest.mark.parametrize("house", ["row 4", "column 7", "block 6"])
def test_hidden_single(house: str) -> None:
    """Tests that a number with one place in a house is placed, and the house is named."""
    (step,) = found("hidden single", leave(empty(), 3, house, "r4c7"))
    assert (step.houses, step.places) == ((house,), ((Cell(6, 3), 3),))


STRIKING: dict[str, tuple[Callable[[], State], str]] = {
    "pointing": (
        lambda: leave(empty(), 5, "block 1", "r1c1", "r1c2"),
        "r1c4-5 r1c5-5 r1c6-5 r1c7-5 r1c8-5 r1c9-5",
    ),
    "claiming": (
        lambda: leave(empty(), 5, "row 1", "r1c1", "r1c2"),
        "r2c1-5 r2c2-5 r2c3-5 r3c1-5 r3c2-5 r3c3-5",
    ),
    "common peers": (
        lambda: leave(
            empty(
                plain_puzzle().with_constraints(
                    Different(parse_cell("r2c5"), parse_cell(cell)) for cell in ("r1c3", "r1c7")
                )
            ),
            5,
            "row 1",
            "r1c3",
            "r1c7",
        ),
        "r2c5-5",
    ),
    "naked pair": (
        lambda: mark(empty(), r1c1="12", r1c7="12", r1c9="29", r1c5="345"),
        "r1c2-1 r1c2-2 r1c3-1 r1c3-2 r1c4-1 r1c4-2 r1c6-1 r1c6-2 r1c8-1 r1c8-2 r1c9-2",
    ),
    "naked triple": (
        lambda: leave(
            leave(mark(empty(), r1c1="12", r1c5="23", r1c9="13"), 1, "row 1", "r1c1", "r1c9"),
            2,
            "row 1",
            "r1c1",
            "r1c5",
        ),
        "r1c2-3 r1c3-3 r1c4-3 r1c6-3 r1c7-3 r1c8-3",
    ),
    "naked quad": (
        lambda: leave(
            leave(
                leave(
                    mark(empty(), r1c1="12", r1c4="23", r1c7="34", r1c8="14"),
                    1,
                    "row 1",
                    "r1c1",
                    "r1c8",
                ),
                2,
                "row 1",
                "r1c1",
                "r1c4",
            ),
            3,
            "row 1",
            "r1c4",
            "r1c7",
        ),
        "r1c2-4 r1c3-4 r1c5-4 r1c6-4 r1c9-4",
    ),
    "hidden pair": (
        lambda: mark(
            leave(leave(empty(), 1, "row 1", "r1c1", "r1c9"), 2, "row 1", "r1c1", "r1c9"),
            r1c1="123",
            r1c9="124",
        ),
        "r1c1-3 r1c9-4",
    ),
    "hidden triple": (
        lambda: mark(
            leave(
                leave(leave(empty(), 1, "row 1", "r1c1", "r1c5"), 2, "row 1", "r1c5", "r1c9"),
                3,
                "row 1",
                "r1c1",
                "r1c9",
            ),
            r1c1="134",
            r1c5="12",
            r1c9="235",
        ),
        "r1c1-4 r1c9-5",
    ),
    "hidden quad": (
        lambda: mark(
            leave(
                leave(
                    leave(leave(empty(), 1, "row 1", "r1c1", "r1c4"), 2, "row 1", "r1c4", "r1c7"),
                    3,
                    "row 1",
                    "r1c7",
                    "r1c9",
                ),
                4,
                "row 1",
                "r1c1",
                "r1c9",
            ),
            r1c1="145",
            r1c4="126",
            r1c7="23",
            r1c9="34",
        ),
        "r1c1-5 r1c4-6",
    ),
    "x-wing": (
        lambda: two(5, "2:14", "8:14"),
        "r1c1-5 r1c4-5 r3c1-5 r3c4-5 r4c1-5 r4c4-5 r5c1-5 r5c4-5 r6c1-5 r6c4-5 "
        "r7c1-5 r7c4-5 r9c1-5 r9c4-5",
    ),
    "swordfish": (
        lambda: leave(two(5, "2:14", "5:49"), 5, "row 8", "r8c1", "r8c9"),
        " ".join(f"r{r}c{c}-5" for r in (1, 3, 4, 6, 7, 9) for c in (1, 4, 9)),
    ),
    "jellyfish": (
        lambda: leave(
            leave(two(5, "2:14", "5:47"), 5, "row 8", "r8c7", "r8c9"), 5, "row 9", "r9c1", "r9c9"
        ),
        " ".join(f"r{r}c{c}-5" for r in (1, 3, 4, 6, 7) for c in (1, 4, 7, 9)),
    ),
    "finned x-wing": (lambda: two(5, "2:14", "5:145"), "r4c4-5 r6c4-5"),
    "finned swordfish": (
        lambda: leave(two(5, "2:14", "5:49"), 5, "row 8", "r8c1", "r8c8", "r8c9"),
        "r7c9-5 r9c9-5",
    ),
    "als-xy-wing": (lambda: mark(empty(), r1c1="12", r1c9="13", r5c1="23"), "r5c9-3"),
    "skyscraper": (lambda: two(5, "2:15", "7:16"), "r1c6-5 r3c6-5 r8c5-5 r9c5-5"),
    "2-string kite": (
        lambda: leave(leave(empty(), 5, "row 5", "r5c2", "r5c8"), 5, "column 3", "r4c3", "r8c3"),
        "r8c8-5",
    ),
    "turbot fish": (
        lambda: leave(leave(empty(), 5, "row 2", "r2c1", "r2c5"), 5, "block 4", "r4c1", "r6c3"),
        "r6c5-5",
    ),
    "empty rectangle": (
        lambda: leave(
            leave(empty(), 5, "block 1", "r1c3", "r3c1", "r3c2"), 5, "column 7", "r3c7", "r6c7"
        ),
        "r6c3-5",
    ),
    "w-wing": (
        lambda: leave(mark(empty(), r1c1="12", r7c9="12"), 1, "column 5", "r1c5", "r7c5"),
        "r1c9-2 r7c1-2",
    ),
    "xy-wing": (lambda: mark(empty(), r1c1="12", r1c9="13", r5c1="23"), "r5c9-3"),
    "xyz-wing": (lambda: mark(empty(), r1c1="123", r1c9="13", r2c2="23"), "r1c2-3 r1c3-3"),
    "remote pair": (
        lambda: mark(empty(), r1c1="12", r1c9="12", r5c9="12", r5c4="12"),
        "r1c4-1 r1c4-2 r5c1-1 r5c1-2",
    ),
    "simple colouring": (
        lambda: leave(two(5, "2:15", "7:16"), 5, "column 1", "r2c1", "r7c1"),
        "r1c6-5 r3c6-5 r8c5-5 r9c5-5",
    ),
    "multi-colouring": (lambda: two(5, "2:15", "7:16"), "r1c6-5 r3c6-5 r8c5-5 r9c5-5"),
    "unique rectangle 1": (
        lambda: mark(empty(), r1c1="12", r1c4="12", r2c1="12", r2c4="123"),
        "r2c4-1 r2c4-2",
    ),
    "unique rectangle 2": (
        lambda: mark(empty(), r1c1="12", r1c4="12", r2c1="123", r2c4="123"),
        "r2c2-3 r2c3-3 r2c5-3 r2c6-3 r2c7-3 r2c8-3 r2c9-3",
    ),
    "unique rectangle 3": (
        lambda: mark(empty(), r1c1="12", r1c4="12", r2c1="123", r2c4="124", r2c9="34", r2c8="567"),
        "r2c2-3 r2c2-4 r2c3-3 r2c3-4 r2c5-3 r2c5-4 r2c6-3 r2c6-4 r2c7-3 r2c7-4",
    ),
    "unique rectangle 4": (
        lambda: leave(
            mark(empty(), r1c1="12", r1c4="12", r2c1="123", r2c4="124"), 1, "row 2", "r2c1", "r2c4"
        ),
        "r2c1-2 r2c4-2",
    ),
    "xy-chain": (
        lambda: mark(empty(), r1c1="12", r1c9="23", r5c9="34", r5c5="14"),
        "r1c5-1 r5c1-1",
    ),
    "als-xz": (
        lambda: mark(empty(), r1c1="12", r1c5="23", r5c1="14", r5c8="34"),
        "r1c8-3 r5c5-3",
    ),
    "parity": (
        lambda: empty(latin_square(4).with_constraints([Parity(Cell(0, 0), odd=True)])),
        "r1c1-2 r1c1-4",
    ),
    "order": (
        lambda: empty(latin_square(4).with_constraints([Less(Cell(0, 0), Cell(1, 0))])),
        "r1c1-4 r1c2-1",
    ),
    "thermometer": (
        lambda: empty(
            latin_square(4).with_constraints([Thermometer((Cell(0, 0), Cell(1, 1), Cell(2, 2)))])
        ),
        "r1c1-3 r1c1-4 r2c2-1 r2c2-4 r3c3-1 r3c3-2",
    ),
    "joint": (
        lambda: mark(
            empty(latin_square(4).with_constraints([Joint(Cell(0, 0), Cell(1, 0))])), r1c1="14"
        ),
        "r1c2-1 r1c2-4",
    ),
    "combinations": (
        lambda: empty(plain_puzzle().with_constraints([Cage((Cell(0, 0), Cell(4, 4)), 4)])),
        " ".join(f"{cell}-{digit}" for cell in ("r1c1", "r5c5") for digit in (2, *range(4, 10))),
    ),
    "45 rule": (
        lambda: empty(
            plain_puzzle().with_constraints([Cage(tuple(Cell(x, 0) for x in range(8)), 42)])
        ),
        " ".join(f"r1c9-{digit}" for digit in (1, 2, 4, 5, 6, 7, 8, 9)),
    ),
    "line combinations": (
        lambda: empty(
            latin_square(4).with_constraints(
                [Less(Cell(0, 0), Cell(1, 0)), Less(Cell(0, 0), Cell(2, 0))]
            )
        ),
        "r1c1-3 r1c1-4 r1c2-1 r1c3-1",
    ),
}
"""States, and what the only step of the technique strikes there."""


@pytest.mark.parametrize("technique", STRIKING)
def test_only_step(technique: str) -> None:
    """Tests that a technique finds its step, and no other, in a state made for it."""
    make, expected = STRIKING[technique]
    assert the_strikes(technique, make()) == expected


def test_x_chain() -> None:
    """Tests a chain of three links, each of which ends where it sees the next."""
    state = leave(empty(), 5, "block 1", "r2c1", "r3c3")
    leave(state, 5, "column 5", "r2c5", "r7c5")
    leave(state, 5, "block 9", "r7c9", "r8c7")
    last = found("x-chain", state)[-1]
    assert strikes(last) == "r3c7-5 r8c3-5"
    assert [str(cells[0]) for cells, _ in last.path] == [
        "r3c3", "r2c1", "r2c5", "r7c5", "r7c9", "r8c7"
    ]  # fmt: skip


def test_nice_loop() -> None:
    """Tests a chain through two houses and a cell with two candidates, back to its cell."""
    state = mark(empty(), r5c5="12")
    leave(state, 1, "row 1", "r1c1", "r1c5")
    leave(state, 2, "column 1", "r1c1", "r5c1")
    expected = " ".join(f"r1c1-{digit}" for digit in range(3, 10))
    steps = [strikes(step) for step in found("nice loop", state)]
    # It closes, so that 1 goes from the rest of column 5, and 2 from that of row 5.
    assert any(step.startswith(f"{expected} r2c5-1 r3c5-1 r4c5-1 r5c2-2") for step in steps)


def test_nice_loop_through_signs() -> None:
    """Tests that candidates which a sign keeps apart are linked, and the sign is named."""
    puzzle = latin_square(4).with_constraints([Less(Cell(0, 0), Cell(1, 1))])
    state = leave(mark(empty(puzzle), r1c1="23", r4c4="23"), 3, "row 2", "r2c2", "r2c4")
    steps = [step for step in found("nice loop", state) if step.clues]
    assert [(strikes(step), step.clues) for step in steps]


def test_grouped_nice_loop() -> None:
    """Tests a chain through two cells of a block that share a row."""
    state = leave(empty(), 5, "block 1", "r1c3", "r3c1", "r3c2")
    leave(state, 5, "column 7", "r3c7", "r6c7")
    assert "r6c3-5" in [strikes(step) for step in found("grouped nice loop", state)]


def test_als_chain() -> None:
    """Tests a chain that passes through two cells with three candidates together."""
    state = mark(empty(), r1c1="123", r1c2="123", r5c3="12")
    leave(state, 1, "column 9", "r1c9", "r5c9")
    assert "r1c3-2 r2c3-2 r3c3-2" in [strikes(step) for step in found("als chain", state)]


def test_two_line_combinations() -> None:
    """Tests signs of two rows that only together leave a number no place."""
    houses = plain_puzzle({}, 2, 2)
    signs = [
        Less(Cell(0, 0), Cell(1, 0)),
        Less(Cell(0, 0), Cell(0, 1)),
        Less(Cell(1, 0), Cell(3, 0)),
    ]
    state = empty(houses.with_constraints(signs))
    assert "r1c1-4" in " ".join(strikes(each) for each in found("two-line combinations", state))


def test_hidden_thermometer() -> None:
    """Tests that a thermometer with one place left raises its bulb's and end's numbers."""
    column = ((0, 0), (0, 1), (0, 2), (0, 3))
    puzzle = latin_square(4)
    hidden = HiddenThermometers(puzzle.cells, (column,))
    state = mark(empty(puzzle.with_constraints([hidden])), r1c2="34", r1c3="34", r1c4="234")
    (step,) = found("hidden thermometer", state)
    assert strikes(step).startswith("r1c1-2 r1c1-3 r1c1-4 r2c1-1")


def test_finned_jellyfish() -> None:
    """Tests four rows, one of which has a place too many in the block of a corner."""
    state = leave(two(5, "2:14", "5:47"), 5, "row 8", "r8c7", "r8c9")
    leave(state, 5, "row 9", "r9c1", "r9c8", "r9c9")
    assert "r7c7-5 r7c9-5" in [strikes(step) for step in found("finned jellyfish", state)]


def test_bug_plus_one() -> None:
    """Tests that the one cell with three candidates in a grid of pairs is filled."""
    grid = ".27...6....8.15..9..4.2....6.32.........86..7......2.4...1...9...1.6..3......85.."
    puzzle = parse_line(grid, "grid", 1)
    explanation = explain(puzzle, select("strong", ["assumption"]))
    names = [step.technique for step in explanation.steps]
    before = explain(puzzle, select("strong"), most=names.index("bug+1"))
    (step,) = found("bug+1", before.state)
    assert (step.places, step.unique) == (((Cell(1, 7), 4),), True)


def test_assumption() -> None:
    """Tests that a candidate goes that leads singles to a contradiction."""
    state = mark(empty(), r1c1="12", r1c9="13", r5c1="23")
    assert "r5c9-3" in [strikes(step) for step in found("assumption", state)]


def test_forcing_net() -> None:
    """Tests that what goes with either candidate of a cell goes."""
    state = mark(empty(), r1c1="12", r1c9="13", r5c1="23")
    step = next(BY_NAME["forcing net"].find(state))
    assert "r5c9-3" in strikes(step)


def test_search_keeps_the_answer() -> None:
    """Tests that a candidate goes which only assumptions within assumptions refute."""
    grid = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    answer = "812753649943682175675491283154237896369845721287169534521974368438526917796318452"
    state = State.of(parse_line(grid, "grid", 1))
    assert not list(islice(BY_NAME["assumption"].find(state), 1))
    step = next(BY_NAME["search"].find(state))
    ((cell, digit),) = step.strikes
    assert int(answer[9 * cell.y + cell.x]) != digit


def test_all_techniques_have_a_state() -> None:
    """Tests that no technique is without a test of its own in this file."""
    tested = Path(__file__).read_text()
    for each in LADDER:
        assert f'"{each.name}"' in tested, each.name


def test_sue_de_coq() -> None:
    """Tests cells where row 1 and block 1 cross, with a pair of the row and one of the block."""
    state = mark(empty(), r1c1="1234", r1c2="1234", r1c5="12", r2c1="34")
    expected = [f"r1c{column}-{digit}" for column in (3, 4, 6, 7, 8, 9) for digit in (1, 2)]
    rest = [f"r{r}c{c}-{digit}" for r in (2, 3) for c in (1, 2, 3) for digit in (3, 4)]
    expected += [f"r1c3-{digit}" for digit in (3, 4)] + [
        each for each in rest if "r2c1" not in each
    ]
    assert sorted(the_strikes("sue de coq", state).split()) == sorted(expected)


def test_hidden_rectangle() -> None:
    """Tests that the corner whose row and column hold 1 in the rectangle alone loses the other."""
    state = mark(empty(), r1c1="12", r1c2="123", r4c1="124", r4c2="125")
    leave(state, 1, "row 4", "r4c1", "r4c2")
    leave(state, 1, "column 2", "r1c2", "r4c2")
    assert the_strikes("hidden rectangle", state) == "r4c2-2"
    (step,) = found("hidden rectangle", state)
    assert step.unique and step.houses[:2] == ("row 4", "column 2")


def test_death_blossom() -> None:
    """Tests a cell whose each number would lock a set of its own, all of which then hold 9."""
    state = mark(empty(), r5c5="123", r5c1="19", r2c5="29", r5c3="38", r1c3="89")
    (step,) = (s for s in found("death blossom", state) if "r2c1" in strikes(s))
    assert strikes(step) == "r2c1-9"


def test_loops_of_groups() -> None:
    """Tests that a grouped chain that closes strikes beside each of its weak links."""
    state = empty()
    leave(state, 7, "block 1", "r1c1", "r1c2", "r3c3")
    leave(state, 7, "row 3", "r3c3", "r3c8")
    leave(state, 7, "column 8", "r3c8", "r1c8")
    struck = {each for step in found("grouped nice loop", state) for each in strikes(step).split()}
    assert {"r1c4-7", "r1c5-7", "r1c6-7", "r1c7-7", "r1c9-7"} <= struck


def test_new_steps_are_sound(data: Path) -> None:
    """Tests on minimal grids that no step of the chains, sets and patterns strikes the answer."""
    names = ("sue de coq", "hidden rectangle", "grouped nice loop", "als chain", "death blossom")
    count = 0
    for _, word in islice(grid_lines((data / "minimal.txt").read_text()), 12):
        puzzle = parse_line(word, "x", 1)
        (answer,) = count_answers(puzzle).answers
        state = explain(puzzle, select("singles,locked candidates,subsets,fish")).state
        for step in (step for name in names for step in islice(found(name, state), 20)):
            count += 1
            assert all(answer[cell] != digit for cell, digit in step.strikes)
    assert count > 100
