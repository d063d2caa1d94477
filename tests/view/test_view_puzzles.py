"""Boards of one layer in the page of nlview as puzzle players know them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.view.page_hand import Opener, command, drag, pixel, point, until, verdict

if TYPE_CHECKING:
    from playwright.sync_api import Page

expect = pytest.importorskip("playwright.sync_api").expect

ADDRESS = "https://puzz.link/p?numlin/3/2/1g12g2"
CLIPBOARD: Any = {"permissions": ["clipboard-read", "clipboard-write"]}


def paste(page: Page, text: str) -> None:
    """Paste a text into the page."""
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+v")


def test_address_from_page_to_page(show: Opener) -> None:
    """Tests that an address is opened, solved and handed on, and that layers have none."""
    page = show("problem.txt", **CLIPBOARD)
    verdict(page, "0 of 2 joined")
    assert page.locator("#menu-list [data-command=share]").is_disabled()
    paste(page, ADDRESS + "gg")
    expect(page.locator("#message.error")).to_contain_text("found more than 6 cells")
    paste(page, f" {ADDRESS}\n")
    until(page, "nlview.store.grid.width === 3")
    drag(page, (0, 0, 0), (0, 0, 2))
    drag(page, (0, 1, 0), (0, 1, 2))
    verdict(page, "✓ correct")
    page.evaluate("navigator.clipboard.writeText('')")
    command(page, "share")
    expect(page.locator("#message")).to_contain_text(ADDRESS)
    second = show.tab(show.address)
    verdict(second, "0 of 2 joined")
    second.keyboard.press("Control+v")
    until(second, "nlview.store.grid.width === 3")
    text = "nlview.store.grid.text"
    assert second.evaluate(text) == page.evaluate(text)


def test_only_one_answer(folder: Path, show: Opener) -> None:
    """Tests that it is told by each rule set whether there is another answer, and where."""
    (folder / "one.txt").write_text(ADDRESS)
    page = show("one.txt", **CLIPBOARD)
    verdict(page, "0 of 2 joined")
    drag(page, (0, 0, 0), (0, 0, 1))
    page.keyboard.press("u")
    told = page.locator("#told li")
    expect(told).to_have_text([f"{rules}: only one answer" for rules in ("adc", "nikoli", "flow")])
    expect(page.locator("#stop")).to_be_hidden()
    verdict(page, "1 of 2 joined")
    paste(page, "numlin/3/3/1g1i2g2")
    page.click('#ask-dialog [value="leave"]')
    until(page, "nlview.store.grid.height === 3")
    command(page, "count")
    several = ["adc: several answers", "nikoli: several answers", "flow: no answer"]
    expect(told).to_have_text(several)
    until(page, "nlview.store.stuck.cells.length >= 5")


def test_sides_crossed_out(folder: Path, show: Opener) -> None:
    """Tests that sides are crossed out by mouse and key, undone, kept, and go with the rest."""
    page = show("problem.txt", "answer.txt")
    verdict(page, "0 of 2 joined")
    page.keyboard.press("m")
    page.mouse.click(*point(page, (0, 0, 0.4)))
    page.mouse.click(*point(page, (0, 0.6, 1)))
    marks = "[...nlview.store.marks].sort((a, b) => a - b)"
    assert page.evaluate(marks) == [0, 3]  # Right of (0,0), and below (1,0).
    assert pixel(page, (0, 0, 0.5)) == "#b3261e"
    page.mouse.click(*point(page, (0, 0, -0.45)))  # No side between cells.
    page.mouse.click(*point(page, (0, 0.4, 1)))
    assert page.evaluate(marks) == [0]
    page.keyboard.press("Control+z")
    assert page.evaluate(marks) == [0, 3]
    for key in ("ArrowRight", "ArrowDown", "Shift+ArrowUp", "Shift+ArrowRight"):
        page.keyboard.press(key)
    assert page.evaluate(marks) == [0, 1, 3, 8]
    page.wait_for_timeout(1000)
    page.reload()
    until(page, "window.nlview?.store.marks.size === 4")  # Nothing else is new: it asks nothing.
    page.keyboard.press("d")
    drag(page, (0, 0, 0), (0, 0, 2))  # A note is in nobody's way.
    assert page.evaluate("nlview.store.answer[1]") == 1
    command(page, "clear-all")
    assert page.evaluate(marks) == []


def test_timer(show: Opener) -> None:
    """Tests that the time on a board is told until it is solved, and comes back with a drawing."""
    page = show("problem.txt", "answer.txt")
    verdict(page, "0 of 2 joined")
    until(page, "nlview.store.elapsed > 0")
    page.evaluate("nlview.store.elapsed = 3725")
    expect(page.locator("#timer")).to_have_text("1:02:06")
    drag(page, (0, 2, 0), (0, 2, 3))
    page.wait_for_timeout(1000)
    page.close(run_before_unload=False)
    page = show.tab(show.address)
    page.click('[value="restore"]')
    expect(page.locator("#timer")).to_contain_text("1:02:")
    drag(page, (0, 0, 0), (0, 0, 2))
    drag(page, (1, 0, 2), (1, 0, 3))
    verdict(page, "✓ correct")
    elapsed = page.evaluate("nlview.store.elapsed")
    page.wait_for_timeout(2500)
    assert page.evaluate("nlview.store.elapsed") <= elapsed + 1
