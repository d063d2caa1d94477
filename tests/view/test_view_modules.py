"""The modules behind the page of nlview that need no page, run in Chromium."""

from __future__ import annotations

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


def test_stroke_leaves_locked_lines(show: Opener) -> None:
    """Tests that a stroke stops before a locked line, and runs over another."""
    script = """
        const answer = put(grid, blank(grid), grid.index([0, 1, 1]), 1);
        const draw = (locked) => {
            const stroke = new Stroke(grid, answer, grid.index([0, 2, 0]), 2, new Set(locked));
            stroke.moveTo(grid.index([0, 1, 0]));
            stroke.moveTo(grid.index([0, 1, 2]));
            return [...stroke.answer.slice(4, 8)];
        };
        return [draw([]), draw([1])];"""
    modules = "blank, put from model/drawing.js; Stroke from model/stroke.js"
    assert run(show, modules, script) == [[2, 2, 2, 0], [2, 1, 0, 0]]


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
