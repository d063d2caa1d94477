"""The modules behind the page of nlview that need no page, run in Chromium."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.view.page_hand import Opener, verdict

pytest.importorskip("playwright.sync_api")


def run(show: Opener, imports: str, body: str) -> Any:
    """Return what a script gives that imports modules of the page."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    names = "".join(
        f"const {{ {name} }} = await import('/{path}');"
        for name, path in (each.split(" from ") for each in imports.split("; "))
    )
    return page.evaluate(
        f"""async () => {{
            {names}
            const grid = nlview.store.grid;
            {body}
        }}"""
    )


def test_view_finds_the_cell_it_shows(show: Opener) -> None:
    """Tests that in each mode the point of a cell leads back to it, wherever one has zoomed to."""
    script = """
        const view = new View();
        const lost = [];
        view.grid = grid;
        view.screen = { width: 700, height: 500 };
        for (const mode of ["all", "one", "stack"]) {
            view.mode = mode;
            view.fit();
            for (const factor of [1, 1.7, 0.3]) {
                view.zoom(factor, 123, 234);
                view.move(17, -40);
                for (let index = 0; index < grid.size; index++) {
                    const cell = grid.cell(index);
                    if (!view.layers.includes(cell[0])) continue;
                    const found = view.cellAt(...view.centre(cell));
                    if (String(found) !== String(cell)) lost.push([mode, factor, cell, found]);
                }
            }
        }
        return lost;"""
    assert run(show, "View from board/view.js", script) == []


def test_zoom_keeps_the_point(show: Opener) -> None:
    """Tests that what is at a point stays there in each mode."""
    script = """
        const view = new View();
        view.grid = grid;
        view.screen = { width: 700, height: 500 };
        return ["all", "one", "stack"].map((mode) => {
            view.mode = mode;
            view.fit();
            const before = view.centre([0, 1, 2]);
            view.zoom(1.4, ...before);
            const after = view.centre([0, 1, 2]);
            return Math.hypot(after[0] - before[0], after[1] - before[1]);
        });"""
    assert run(show, "View from board/view.js", script) == pytest.approx([0, 0, 0], abs=1e-6)


def test_stroke_leaves_other_lines(show: Opener) -> None:
    """Tests that a stroke stops before another line unless it cuts, and before a locked one."""
    script = """
        const answer = put(grid, blank(grid), grid.index([0, 1, 1]), 1);
        const draw = (locked, cuts) => {
            const options = { locked: new Set(locked), cuts };
            const stroke = new Stroke(grid, answer, grid.index([0, 2, 0]), 2, options);
            stroke.moveTo(grid.index([0, 1, 0]));
            stroke.moveTo(grid.index([0, 1, 2]));
            return [...stroke.answer.slice(4, 8)];
        };
        return [draw([], true), draw([], false), draw([1], true)];"""
    modules = "blank, put from model/drawing.js; Stroke from model/stroke.js"
    assert run(show, modules, script) == [[2, 2, 2, 0], [2, 1, 0, 0], [2, 1, 0, 0]]


WAYS = [
    # What is drawn of LINE#1, whose ends are the corners above; a stroke; and what is left then.
    ("11111 00000 00000", "00 10 11 12 13 14 04", "10001 11111 00000"),  # Another way round.
    ("11111 00000 00000", "00 10 11", "10001 11000 00000"),  # Half of one replaces it as well.
    ("11111 00000 00000", "01 11 12 13 03", "11011 01110 00000"),  # A bulge in its middle.
    ("11111 00000 00000", "02 12 22", "11101 00100 00100"),  # From the middle: away from one end,
    ("11111 00000 00000", "02 12 11", "10111 01100 00000"),  # or from the other.
    ("11111 00000 00000", "00 01 02", "11111 00000 00000"),  # Along what is there.
    ("11111 00000 00000", "00 01 02 12", "11101 00100 00000"),  # And then off.
    ("11101 00100 00000", "12 22 21", "11101 00100 01100"),  # On from where it stops.
    ("11001 00001 00000", "01 02 12 13 14", "11101 00111 00000"),  # To its other half.
    ("11101 00100 00100", "22 21 20 10 00", "10001 10000 11100"),  # Into itself: the loop goes.
    ("10001 00000 00000", "00 10 20 21 11 10 11", "10001 11000 00000"),  # Around in one stroke.
]


def test_line_is_drawn_again(show: Opener) -> None:
    """Tests that a new way replaces the old one, and that going back to its start changes none."""
    script = """
        const board = new Grid({ width: 5, height: 3, layers: 1, vias: [], colours: [], text: "",
            lines: [{ number: 1, ends: [[0, 0, 0], [0, 0, 4]] }] });
        const row = (answer, at) => answer.slice(at, at + 5).join("");
        const rows = (answer) => [0, 5, 10].map((at) => row(answer, at)).join(" ");
        return ways.map(([before, way]) => {
            const drawn = Int32Array.from(before.replaceAll(" ", ""), Number);
            const [start, ...cells] = way.split(" ").map(([y, x]) => board.index([0, +y, +x]));
            const stroke = new Stroke(board, drawn, start, 1);
            for (const cell of cells) stroke.moveTo(cell);
            const after = rows(stroke.answer);
            for (const cell of [start, ...cells].reverse()) stroke.moveTo(cell);
            return [after, rows(stroke.answer)];
        });"""
    found = run(
        show,
        "Grid from model/grid.js; Stroke from model/stroke.js",
        f"const ways = {json.dumps([way[:2] for way in WAYS])};" + script,
    )
    assert [after for after, _ in found] == [left for *_, left in WAYS]
    assert all(back == before for (_, back), (before, *_) in zip(found, WAYS, strict=True))


def test_what_a_draft_lacks(show: Opener) -> None:
    """Tests that a board being edited tells which end or via is still missing."""
    script = """
        let draft = emptyBoard(3, 3, 2);
        const found = [lacks(draft)];
        for (const cell of [[0, 0, 0], [1, 2, 2]]) {
            draft = addEnd(draft, cell);
            found.push(lacks(draft));
        }
        return found;"""
    assert run(show, "addEnd, emptyBoard, lacks from model/draft.js", script) == [
        {"open": 0, "crossing": 0, "vias": 0},
        {"open": 1, "crossing": 0, "vias": 0},
        {"open": 0, "crossing": 1, "vias": 0},
    ]


def test_verdict_sorts_what_is_wrong(show: Opener) -> None:
    """Tests that what is only missing is no mistake, one entry a line, at the end of its piece."""
    script = """
        const answer = put(grid, blank(grid), grid.index([0, 2, 1]), 2);
        const violation = (rule, line, cell) => ({ rule, line, cell, text: "" });
        const verdict = sortVerdict({ joined: [], violations: [
            violation("via-none", 1, [0, 0, 0]), violation("cut", 2, [0, 2, 0]),
            violation("cut", 2, [0, 2, 0]), violation("loose", 2, [0, 1, 0])] }, grid, answer);
        return [verdict.open.map(({ line, cell, isBegun }) => [line, cell, isBegun]),
                verdict.mistakes.map(({ rule }) => rule)];"""
    modules = "blank, put from model/drawing.js; sortVerdict from model/verdict.js"
    todo, mistakes = run(show, modules, script)
    assert todo == [[1, [0, 0, 0], False], [2, [0, 2, 1], True]]
    assert mistakes == ["loose"]
