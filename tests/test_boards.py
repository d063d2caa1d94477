"""Tests that the project's own boards can be read and use every rule between them."""

import runpy
from collections import Counter
from pathlib import Path

import pytest

from nlrouter.files.problem_file import read_problem
from nlrouter.grid import FREE, occupants
from nlrouter.problem import Cell, Line, Problem, Via

ROOT = Path(__file__).parent.parent
TOOL = runpy.run_path(str(ROOT / "tools" / "make_boards.py"))
PATHS = {path.stem: path for path in sorted((ROOT / "problems").glob("*.txt"))}
INFEASIBLE = {name for name in PATHS if name.startswith("infeasible_")}


@pytest.fixture(scope="module")
def boards() -> dict[str, Problem]:
    """Return all boards by name."""
    return {name: read_problem(str(path)) for name, path in PATHS.items()}


@pytest.fixture(scope="module")
def raw() -> dict[str, bytes]:
    """Return all files as they are."""
    return {name: path.read_bytes() for name, path in PATHS.items()}


def spans(items: tuple[Line, ...] | tuple[Via, ...]) -> Counter[tuple[int, int]]:
    """Count the items of each span over two layers or more."""
    return Counter(item.span for item in items if item.span[0] != item.span[1])


def is_walled_in(problem: Problem, end: Cell) -> bool:
    """Whether no cell beside an end is free, its line's, or of a via that its line may take."""
    board = occupants(problem)
    number = board[end]
    z, y, x = end
    near = [(z, y, x - 1), (z, y - 1, x), (z, y, x + 1), (z, y + 1, x)]
    inside = [c for c in near if 0 <= c[1] < problem.height and 0 <= c[2] < problem.width]

    def is_open(occupant: int) -> bool:
        if occupant < FREE:
            return problem.vias[-1 - occupant].span == problem.lines[number - 1].span
        return occupant in (FREE, number)

    return not any(is_open(board[cell]) for cell in inside)


def test_names(boards: dict[str, Problem]) -> None:
    """Tests that there are boards enough and that their names end with their size."""
    assert len(boards) >= 18
    for name, board in boards.items():
        size = f"{board.width}x{board.height}"
        assert name.endswith((f"_{size}x{board.layers}", f"_{size}"))


def test_generated_boards() -> None:
    """Tests that the generated boards are what the tool makes."""
    assert TOOL["main"](["--check"]) == 0


def test_check_sees_a_change(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that --check tells of a missing and of a changed board, and that writing mends it."""
    there = ["--directory", str(tmp_path)]
    assert TOOL["main"](there) == 0
    assert TOOL["main"]([*there, "--check"]) == 0
    (tmp_path / "full_7x7x1.txt").unlink()
    (tmp_path / "random_10x10x2.txt").write_text("SIZE 1X1\n")
    assert TOOL["main"]([*there, "--check"]) == 1
    told = capsys.readouterr().err.splitlines()
    assert [line.split(" ")[0] for line in told] == [
        str(tmp_path / "random_10x10x2.txt"),
        str(tmp_path / "full_7x7x1.txt"),
    ]
    assert TOOL["main"](there) == 0
    assert TOOL["main"]([*there, "--check"]) == 0


def test_sizes(boards: dict[str, Problem]) -> None:
    """Tests that sizes go from 2X2X2 to 36X36X8, square and not, with one layer and more."""
    shapes = {board.shape for board in boards.values()}
    assert {(2, 2, 2), (8, 36, 36)} <= shapes
    assert any(height != width for _, height, width in shapes)
    assert any(height == 1 for _, height, _ in shapes)
    assert {layers for layers, _, _ in shapes} >= {1, 2, 3, 8}


def test_vias(boards: dict[str, Problem]) -> None:
    """Tests that vias over 2 to 8 layers, several of a span and two in a column occur."""
    everything = boards.values()
    assert {len(via.cells) for board in everything for via in board.vias} == set(range(2, 9))
    assert any(set(spans(board.vias).values()) == {4} for board in everything)
    assert any(len(spans(board.vias)) > 1 for board in everything)
    assert any(
        len({(via.y, via.x) for via in board.vias}) < len(board.vias) for board in everything
    )
    assert any(board.layers > 1 and not board.vias for board in everything)
    assert any(len(board.vias) == len(board.lines) for board in everything)
    assert any(len(board.vias) > 26 for board in everything)


def test_ends(boards: dict[str, Problem]) -> None:
    """Tests that lines are told from the lower layer up and from the upper layer down."""
    ways = {
        line.ends[0].z < line.ends[1].z
        for board in boards.values()
        for line in board.lines
        if line.crosses_layers
    }
    assert ways == {False, True}


def test_infeasible_boards(boards: dict[str, Problem]) -> None:
    """Tests that by spans and by walled-in ends those boards alone are infeasible that say so."""
    by_spans = {name for name, b in boards.items() if spans(b.lines) != spans(b.vias)}
    walled = {
        name
        for name, board in boards.items()
        if any(is_walled_in(board, end) for line in board.lines for end in line.ends)
    }
    assert by_spans == {"infeasible_spans_4x4x3"}
    assert walled == {"infeasible_walled_5x5x2"}
    assert by_spans | walled < INFEASIBLE


def test_forms(raw: dict[str, bytes]) -> None:
    """Tests that the forms in which a file may be written occur."""
    texts = raw.values()
    sizes = [text.removeprefix(b"\xef\xbb\xbf").split()[1].upper() for text in texts]
    assert {size.count(b"X") for size in sizes} == {1, 2}
    assert any(b"\r\n" in text for text in texts)
    assert any(text.startswith(b"\xef\xbb\xbf") for text in texts)
    assert any(b")-(" in text for text in texts)
    assert any(text.startswith(b"size ") for text in texts)
    assert any(b"via#B (" in text for text in texts)
    assert any(b"(2,2,3) (2,2,1) (2,2,2)" in text for text in texts)  # A via out of order.
