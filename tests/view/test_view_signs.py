"""What the page of nlview paints and tells where many lines share little room."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.view.page_hand import ANSWER, Opener, drag, is_marked, point, until, verdict

expect = pytest.importorskip("playwright.sync_api").expect

BOARDS = Path(__file__).resolve().parents[2] / "problems"

PIXEL = """([canvas, [x, y]]) => new Promise((resolve) => requestAnimationFrame(() => {
    const context = nlview.stage[canvas].getContext("2d");
    resolve([...context.getImageData(Math.round(x), Math.round(y), 1, 1).data]);
}))"""
TEXTS = """() => new Promise((resolve) => {
    const context = nlview.stage.base.getContext("2d");
    const write = context.fillText;
    const found = [];
    context.fillText = (text) => found.push(text);
    nlview.stage.look(() => null);
    requestAnimationFrame(() => requestAnimationFrame(() => {
        context.fillText = write;
        resolve(found);
    }));
})"""


def place(page: Any, cell: tuple[float, float, float]) -> Any:
    """Where the middle of a cell, whose row and column may be fractions, is on the stage."""
    return page.evaluate("cell => nlview.stage.view.centre(cell)", list(cell))


def test_mark_lies_over_the_light(show: Opener) -> None:
    """Tests that the mark of a mistake is seen while its line is pointed at."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    drag(page, (0, 2, 0), (0, 1, 0), (0, 1, 1), (0, 2, 1), (0, 2, 2))
    verdict(page, "0 of 2 joined, 2 mistakes")
    assert page.evaluate("nlview.store.hover") == 2
    cell = page.evaluate("nlview.store.verdict.mistakes[0].cell")
    assert is_marked(page, cell)


def test_bars_beside_the_board(show: Opener) -> None:
    """Tests that neither the bar of a trial nor a message covers the board or moves it."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    before = page.locator("#stage").bounding_box()
    page.keyboard.press("t")
    drag(page, (0, 2, 0), (0, 2, 3))
    drag(page, (0, 0, 0), (0, 0, 1), (0, 2, 1))
    expect(page.locator("#message")).to_contain_text("LINE#2 is in the way")
    assert before and before == page.locator("#stage").bounding_box()
    for bar in ("#trial", "#toast"):
        box = page.locator(bar).bounding_box()
        assert box is not None
        right, bottom = before["x"] + before["width"], before["y"] + before["height"]
        assert box["x"] >= right or box["y"] + box["height"] <= before["y"] or box["y"] >= bottom


def test_ends_tell_where_their_line_goes_on(folder: Path, show: Opener) -> None:
    """Tests that ends whose partner is on another layer say so, however small they are."""
    shutil.copy(BOARDS / "random_12x12x3.txt", folder)
    page = show("random_12x12x3.txt")
    until(page, "nlview.store.isJudged")
    page.keyboard.press("1")
    rises = [
        rise
        for line in page.evaluate("nlview.store.grid.lines")
        for (z, *_), (other, *_) in (line["ends"], line["ends"][::-1])
        if z == 0 and (rise := other - z)
    ]
    assert len(rises) > 2
    texts = page.evaluate(TEXTS)
    assert sorted(text for text in texts if text[0] == "▲") == sorted(f"▲{1 + n}" for n in rises)
    page.evaluate("nlview.stage.look((view) => view.zoom(0.2))")
    assert page.evaluate(TEXTS).count("▲") == len(rises)


def test_rulers_stand_on_strips(folder: Path, show: Opener) -> None:
    """Tests that where coordinates are written over a board nothing of it shows beneath."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    page.evaluate("nlview.stage.look((view) => { view.zoom(4); view.lookAt([0, 2, 2]); })")
    page.evaluate("nlview.stage.look((view) => view.move(-view.position([0, 0, 0.6])[0], 0))")
    _, y = place(page, (0, 2, 0))
    assert page.evaluate(PIXEL, ["base", [4, y]]) == [255, 255, 255, 255]
    assert page.evaluate(PIXEL, ["base", [40, y]]) != [255, 255, 255, 255]
    page.mouse.move(*point(page, (0, 2, 2)))
    expect(page.locator("#line-text")).to_contain_text("LINE#2")
    assert page.evaluate(PIXEL, ["overlay", [4, y]]) == [255, 255, 255, 255]


def test_all_but_the_line_pointed_at_pales(folder: Path, show: Opener) -> None:
    """Tests that on small cells the other lines pale, and that an end tells nothing untrue."""
    shutil.copy(BOARDS / "random_36x36x8.txt", folder)
    page = show("random_36x36x8.txt")
    verdict(page, "0 of 400 joined")
    assert page.evaluate(PIXEL, ["overlay", [3, 3]])[3] == 0
    end = tuple(page.evaluate("nlview.store.grid.lines[6].ends[0]"))
    page.mouse.move(*point(page, end))
    expect(page.locator("#line-text")).to_have_text("LINE#7 on layer 5")
    assert page.evaluate(PIXEL, ["overlay", [3, 3]])[3] == 153
    x, y = place(page, end)
    assert page.evaluate(PIXEL, ["overlay", [x + 8, y]])[3] == 255  # A ring around it.


def test_jump_shows_both_ends(folder: Path, show: Opener) -> None:
    """Tests that the jump to a line has its other end in sight where that goes in."""
    shutil.copy(BOARDS / "random_36x36x8.txt", folder)
    page = show("random_36x36x8.txt")
    until(page, "nlview.store.isJudged")
    page.keyboard.press("1")
    far = page.evaluate("""() => {
        const { store, stage } = nlview;
        const { width, height } = stage.view.screen;
        const onOne = store.grid.lines.filter(({ ends: [[z], [w]] }) => z === w);
        return onOne.map(({ ends: [one, other] }) => {
            stage.lookAt(one);
            const [x, y] = stage.view.centre(other);
            return [Math.abs(one[1] - other[1]), x > 0 && y > 0 && x < width && y < height];
        });
    }""")
    assert max(rows for rows, _ in far) > 20
    assert all(is_seen for rows, is_seen in far if rows < 25)


def test_passed_via_is_hollow(folder: Path, show: Opener) -> None:
    """Tests that a via is paper on a layer that its line only passes, as in pictures."""
    (folder / "through.txt").write_text(
        "SIZE 3X1X3\nLINE_NUM 1\nLINE#1 (0,0,1) (2,0,3)\nVIA#a (1,0,1) (1,0,2) (1,0,3)\n"
    )
    page = show("through.txt")
    verdict(page, "0 of 1 joined")
    drag(page, (0, 0, 0), (0, 0, 1))
    drag(page, (2, 0, 1), (2, 0, 2))
    verdict(page, "✓ correct")
    page.mouse.move(5, 890)
    paper = [255, 255, 255, 255]
    shown = [page.evaluate(PIXEL, ["base", place(page, (z, 0.3, 0.7))]) for z in range(3)]
    assert [pixel == paper for pixel in shown] == [False, True, False]
