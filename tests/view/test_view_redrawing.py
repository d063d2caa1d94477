"""Lines drawn again, erased and drawn by the router in the page of nlview."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.view.page_hand import (
    ANSWER,
    DETOUR,
    Opener,
    drag,
    fingers,
    number_at,
    point,
    until,
    verdict,
)

expect = pytest.importorskip("playwright.sync_api").expect


def test_new_way_replaces_the_old_one(folder: Path, show: Opener) -> None:
    """Tests that a joined line that is drawn again stays joined, in one step to undo."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    drag(page, (0, 2, 0), (0, 1, 0), (0, 1, 3), (0, 2, 3))
    expect(page.locator("#cost")).to_have_text("cost 13 = 11 cells + 2 bends")
    drag(page, (0, 1, 2), (0, 2, 2), (0, 2, 3))
    expect(page.locator("#cost")).to_have_text("cost 14 = 11 cells + 3 bends")
    page.click("#undo")
    page.click("#undo")
    expect(page.locator("#cost")).to_have_text("cost 9 = 9 cells + 0 bends")


def test_no_spike_beside_a_finished_line(folder: Path, show: Opener) -> None:
    """Tests that a click or a drag beside a joined line draws nothing, and a drag moves."""
    (folder / "answer.txt").write_text(ANSWER.replace("02,02,02,02", "02,00,00,02"))
    page = show("problem.txt", "answer.txt")
    verdict(page, "1 of 2 joined")
    drag(page, (0, 2, 0), (0, 2, 3))
    verdict(page, "✓ correct")
    page.mouse.click(*point(page, (0, 1, 1)))
    assert number_at(page, (0, 1, 1)) == 0
    x, y = point(page, (0, 1, 1))
    drag(page, (0, 1, 1), (0, 1, 2))
    assert point(page, (0, 1, 1)) != pytest.approx((x, y))
    verdict(page, "✓ correct")


def test_line_under_the_mouse(folder: Path, show: Opener) -> None:
    """Tests that Delete erases the line under the mouse, and that the right button has a menu."""
    (folder / "answer.txt").write_text(DETOUR)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    page.mouse.move(*point(page, (0, 1, 1)))
    page.keyboard.press("Delete")
    verdict(page, "1 of 2 joined")
    page.click("#undo")
    page.mouse.click(*point(page, (0, 1, 1)), button="right")
    page.click('#line-menu [data-command="draw-line"]')
    expect(page.locator("#cost")).to_have_text("cost 9 = 9 cells + 0 bends")
    page.mouse.click(*point(page, (0, 0, 1)), button="right")
    page.click('#line-menu [data-command="lock"]')
    assert page.evaluate("[...nlview.store.locked]") == [1]
    page.mouse.click(*point(page, (0, 0, 1)), button="right")
    page.keyboard.press("Escape")
    expect(page.locator("#line-menu")).to_be_hidden()
    drag(page, (0, 2, 1), (0, 2, 2), button="right")
    assert [number_at(page, (0, 2, x)) for x in range(4)] == [2, 0, 0, 2]


def test_double_click_draws_a_line(show: Opener) -> None:
    """Tests that the router draws the line whose number is double-clicked, past all others."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    page.mouse.dblclick(*point(page, (0, 0, 0)))
    verdict(page, "1 of 2 joined")
    assert number_at(page, (1, 0, 2)) == 1
    assert page.evaluate("[...nlview.store.routed].filter(Boolean).length") == 5  # Not by hand.
    page.click("#undo")
    drag(page, (0, 2, 0), (0, 1, 0), (0, 1, 1), (0, 0, 1))
    page.mouse.dblclick(*point(page, (0, 0, 0)))
    expect(page.locator("#message")).to_contain_text("there is no way for LINE#1")


def test_escape_ends_a_stroke(show: Opener) -> None:
    """Tests that Esc takes back a stroke that is under way, and closes the menu."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    page.mouse.move(*point(page, (0, 2, 0)))
    page.mouse.down()
    page.mouse.move(*point(page, (0, 2, 2)), steps=3)
    assert number_at(page, (0, 2, 1)) == 2
    page.keyboard.press("Escape")
    assert number_at(page, (0, 2, 1)) == 0
    page.mouse.up()
    page.click("#menu")
    page.keyboard.press("Escape")
    expect(page.locator("#menu-list")).to_be_hidden()


def test_long_touch(folder: Path, show: Opener) -> None:
    """Tests that a finger that rests on a line opens its menu, and leaves the line as it is."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt", touch=True)
    verdict(page, "✓ correct")
    x, y = point(page, (0, 2, 1))
    touch = fingers(page)
    touch("touchStart", (x, y))
    page.evaluate(
        """([x, y]) => document.getElementById("stage").dispatchEvent(new PointerEvent(
            "contextmenu", { clientX: x, clientY: y, pointerType: "touch", cancelable: true }))""",
        [x, y],
    )
    touch("touchEnd")
    expect(page.locator("#line-menu")).to_be_visible()
    until(page, "nlview.store.verdict.correct")
