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
        for (const mode of ["all", "one"]) {
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
        return ["all", "one"].map((mode) => {
            view.mode = mode;
            view.fit();
            const before = view.centre([0, 1, 2]);
            view.zoom(1.4, ...before);
            const after = view.centre([0, 1, 2]);
            return Math.hypot(after[0] - before[0], after[1] - before[1]);
        });"""
    assert run(show, "View from board/view.js", script) == pytest.approx([0, 0], abs=1e-6)


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


def test_flaws_of_a_draft(show: Opener) -> None:
    """Tests that all that is wrong with a board being edited is told with its cells, or a hint."""
    script = """
        const tell = (draft) => flaws(draft).map(({ key, cells }) => [key, cells.map(String)]);
        let draft = emptyBoard(3, 3, 2);
        const found = [tell(draft)];
        for (const cell of [[0, 0, 0], [1, 2, 2]]) {
            draft = addEnd(draft, cell);
            found.push(tell(draft));
        }
        draft = addVia(addVia(draft, [0, 1, 1], "a", 0, 1), [0, 2, 2], "a", 0, 1);
        found.push(tell(draft));
        draft = change(draft, { width: 2 });
        found.push(tell(draft), tell(crop(draft)));
        return found;"""
    modules = "addEnd, addVia, change, crop, emptyBoard, flaws from model/draft.js"
    assert run(show, modules, script) == [
        [["needsLine", []]],
        [["needsEnd", ["0,0,0"]]],
        [["needsVias", []]],
        [["sameCell", ["1,2,2"]], ["badName", ["0,2,2", "1,2,2"]]],
        [["isOutside", []]] * 3 + [["sameCell", ["1,2,2"]], ["badName", ["0,2,2", "1,2,2"]]],
        [["needsEnd", ["0,0,0"]]],
    ]


def test_patterns_of_one_colour(show: Opener) -> None:
    """Tests that of lines of one colour side by side each has another pattern, others none."""
    script = """
        const colours = ["red", "red", "blue", "red"].map((light) => ({ light, dark: light }));
        const lines = [1, 2, 3, 4].map((number) => ({ number, ends: [] }));
        const size = { width: 2, height: 4, layers: 1 };
        const board = new Grid({ ...size, vias: [], lines, colours, text: "" });
        const patterns = (rows) => [...patternsOf(board, Int32Array.from(rows, Number))].map(
            ([number, dashes]) => [number, String(dashes)]);
        return ["11223344", "11003304", "12420000"].map(patterns);"""
    modules = "Grid from model/grid.js; patternsOf from board/colours.js"
    side, apart, three = run(show, modules, script)
    assert [number for number, _ in side] == [2] and apart == []
    assert [number for number, _ in three] == [2, 4] and three[0][1] != three[1][1]


@pytest.mark.parametrize("scale", [0.05, 1, 180])
def test_ends_at_any_scale(show: Opener, scale: float) -> None:
    """Tests that ends can be painted however small they are."""
    script = f"""
        const context = document.createElement("canvas").getContext("2d");
        const view = {{ scale: {scale} }};
        const board = {{ view, grid, joined: new Set(), theme: nlview.stage.theme }};
        paintEnd(context, board, [0, 0, 0], 1);
        return true;"""
    assert run(show, "paintEnd from board/paint.js", script)


def test_board_stays_in_sight(show: Opener) -> None:
    """Tests that a board cannot be moved or zoomed out of the screen."""
    script = """
        const view = new View();
        view.grid = grid;
        view.screen = { width: 700, height: 500 };
        return ["all", "one"].flatMap((mode) => {
            view.mode = mode;
            return [[5000, 0], [-5000, 5000], [0, -5000]].map(([dx, dy]) => {
                view.fit();
                view.zoom(3);
                view.move(dx, dy);
                const inside = ([x, y]) => x > 0 && x < 700 && y > 0 && y < 500;
                const points = view.layers.flatMap((z) => [...Array(grid.size)].map((_, i) => {
                    const [, y, x] = grid.cell(i);
                    return view.position([z, y + (dy < 0 ? 1 : 0), x + (dx < 0 ? 1 : 0)]);
                }));
                return points.some(inside);
            });
        });"""
    assert all(run(show, "View from board/view.js", script))


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
