"""The board edited in the page of nlview."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.view.page_hand import (
    ANSWER,
    PROBLEM,
    Opener,
    command,
    drag,
    is_marked,
    pixel,
    point,
    until,
    verdict,
)

expect = pytest.importorskip("playwright.sync_api").expect

BOARDS = Path(__file__).resolve().parents[2] / "problems"


def test_edit_board(folder: Path, show: Opener) -> None:
    """Tests that edit mode shows the reader's errors, and keeps the drawing where it can."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    page.click("#edit")
    drag(page, (0, 1, 0))
    error = page.locator("#edit-error")
    expect(error).to_have_text("LINE#3: now click its other end.")
    expect(page.locator("#edit-done")).to_be_disabled()
    drag(page, (1, 1, 0))
    expect(error).to_contain_text("2 lines change layers, and there is 1 via")
    page.click("#edit-tools >> text=Via")
    drag(page, (0, 1, 1))
    expect(error).to_have_text("")
    drag(page, (0, 1, 1), (0, 1, 2))
    expect(page.locator("#edit-text")).to_have_value(re.compile(r"VIA#b \(2,1,1\) \(2,1,2\)"))
    page.fill("#edit-height", "4")
    page.keyboard.press("Enter")
    expect(page.locator("#edit-text")).to_have_value(re.compile("SIZE 4X4X2"))
    page.click("#edit-done")
    verdict(page, "2 of 3 joined")
    expect(page.locator("#open")).to_have_text("LINE#3 from (0,1) layer 1 to (0,1) layer 2")
    command(page, "save-problem")
    page.click('[value="replace"]')
    expect(page.locator("#message")).to_contain_text("Saved problem.txt and answer.txt.")
    assert "SIZE 4X4X2\nLINE_NUM 3\n" in (folder / "problem.txt").read_text()
    page.click("#undo")
    verdict(page, "✓ correct")


def test_edit_by_keyboard(folder: Path, show: Opener) -> None:
    """Tests that the cursor starts on the board even where the first end lies outside of it."""
    (folder / "problem.txt").write_text(PROBLEM.replace("(0,0,1) (3,0,2)", "(3,0,2) (0,0,1)"))
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    page.keyboard.press("e")
    page.fill("#edit-width", "2")
    page.keyboard.press("Tab")
    expect(page.locator("#edit-error")).to_contain_text("LINE#1 at (3,0) layer 2 is outside")
    page.locator("#stage").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#cursor-text")).to_have_text("(1,0) layer 1")


def test_edit_text(show: Opener) -> None:
    """Tests that the board follows the text where it is right, and stays where it is not.

    A text that is wrong meanwhile is no error for the browser's console.
    """
    page = show("problem.txt")
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(f"{message.type} {message.text}"))
    verdict(page, "0 of 2 joined")
    page.click("#edit")
    page.fill("#edit-text", PROBLEM.replace("4X3X2", "0X3X2"))
    expect(page.locator("#edit-error")).to_contain_text("problem.txt:1: found 'SIZE 0X3X2'")
    assert page.evaluate("nlview.stage.view.grid.width") == 4
    page.fill("#edit-text", PROBLEM.replace("4X3X2", "5X3X2"))
    expect(page.locator("#edit-error")).to_have_text("")
    assert page.evaluate("nlview.stage.view.grid.width") == 5
    page.click("#edit-cancel")
    verdict(page, "0 of 2 joined")
    assert page.evaluate("nlview.stage.view.grid.width") == 4
    assert complaints == []


def test_edited_size(folder: Path, show: Opener) -> None:
    """Tests that eight layers are the most, that undo waits for a change, and that lines stay."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    page.click("#edit")
    expect(page.locator("#edit-done")).to_be_enabled()
    expect(page.locator("#undo")).to_be_disabled()
    assert pixel(page, (0, 2, 1)) != pixel(page, (0, 1, 1))
    for layers, kept in (("1000", 2), ("8", 8)):
        page.fill("#edit-layers", layers)
        page.keyboard.press("Tab")
        until(page, f"nlview.store.draft.grid.layers === {kept}")
        expect(page.locator("#edit-layers")).to_have_value(str(kept))
    page.click("#undo")
    until(page, "nlview.store.draft.grid.layers === 2")
    expect(page.locator("#undo")).to_be_disabled()


def test_errors_at_their_cells(show: Opener) -> None:
    """Tests that nothing is dropped on another thing, and that all is told that lies outside."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    page.click("#edit")
    drag(page, (0, 0, 0), (0, 2, 0))
    expect(page.locator("#message")).to_contain_text("Something is there already")
    expect(page.locator("#edit-error")).to_have_text("")
    page.fill("#edit-width", "3")
    page.keyboard.press("Tab")
    told = page.locator("#edit-error")
    expect(told).to_have_text(re.compile("LINE#1 at .*outside.*\n.*LINE#2 at .*outside"))
    page.click("#edit-crop")
    expect(told).to_have_text("LINE#1: now click its other end.")
    assert page.evaluate("nlview.store.draft.flaws[0].cells") == [[0, 0, 0]]
    assert is_marked(page, (0, 0, 0)) and not is_marked(page, (0, 1, 1))
    page.click("#undo")
    page.click("#undo")
    expect(told).to_have_text("")


@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
def test_telephone_while_editing(show: Opener, locale: str) -> None:
    """Tests that the whole board stays in sight beside the fields on a telephone."""
    viewport = {"width": 390, "height": 844}
    page = show("problem.txt", touch=True, viewport=viewport, locale=locale)
    until(page, "nlview.store.isJudged")
    page.keyboard.press("e")
    for field in ("#edit-width", "#edit-done"):
        expect(page.locator(field)).to_be_in_viewport()
    for cell in ((0, 0, 0), (0, 2, 3)):
        script = """([x, y]) => document.elementFromPoint(x, y).closest("#stage") !== null"""
        assert page.evaluate(script, point(page, cell))
