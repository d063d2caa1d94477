"""What hands can do in the page of nlview besides drawing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.view.page_hand import (
    ANSWER,
    Opener,
    command,
    drag,
    fingers,
    number_at,
    point,
    rub,
    until,
    verdict,
)

expect = pytest.importorskip("playwright.sync_api").expect


def test_click_takes_a_cell_away(folder: Path, show: Opener) -> None:
    """Tests that a click on a drawn cell erases it, that on an end nothing, as does a drag."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    page.mouse.click(*point(page, (0, 2, 0)))
    assert number_at(page, (0, 2, 0)) == 2
    drag(page, (0, 2, 1), (0, 2, 2), (0, 2, 1))
    assert number_at(page, (0, 2, 1)) == 2
    page.mouse.click(*point(page, (0, 2, 1)))
    assert number_at(page, (0, 2, 1)) == 0
    page.mouse.click(*point(page, (0, 0, 2)))
    assert (number_at(page, (0, 0, 2)), number_at(page, (1, 0, 2))) == (0, 0)


def test_locked_line_stays(folder: Path, show: Opener) -> None:
    """Tests that no pen, eraser or router changes a locked line, until it is unlocked."""
    (folder / "answer.txt").write_text(ANSWER.replace("02,02,02,02", "02,00,00,02"))
    page = show("problem.txt", "answer.txt")
    verdict(page, "1 of 2 joined")
    page.mouse.move(*point(page, (0, 0, 1)))
    page.keyboard.press("l")
    expect(page.locator("#line-text")).to_contain_text("locked")
    rub(page, (0, 0, 1))
    expect(page.locator("#message")).to_have_text("LINE#1 is locked.")
    drag(page, (0, 2, 0), (0, 0, 0), (0, 0, 2))
    assert [number_at(page, (0, 0, x)) for x in range(4)] == [1, 1, 1, 0]
    command(page, "clear-all")
    verdict(page, "1 of 2 joined")
    page.click("#improve")
    verdict(page, "★ correct and optimal")  # As the bound of the board itself shows.
    expect(page.locator("#stop")).to_be_hidden()
    assert [number_at(page, (0, 0, x)) for x in range(4)] == [1, 1, 1, 0]
    page.mouse.move(*point(page, (0, 0, 1)))
    page.keyboard.press("l")
    rub(page, (0, 0, 1))
    assert number_at(page, (0, 0, 1)) == 0


def test_try_out(show: Opener) -> None:
    """Tests that what is drawn on trial is kept or discarded, and discarding can be undone."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    page.click("#try-out")
    drag(page, (0, 2, 0), (0, 2, 1))
    drag(page, (0, 2, 1), (0, 2, 3))
    page.click("#trial [data-command=discard-trial]")
    assert [number_at(page, (0, 2, x)) for x in range(4)] == [2, 0, 0, 2]
    expect(page.locator("#trial")).to_be_hidden()
    page.click("#undo")
    verdict(page, "1 of 2 joined")
    page.keyboard.press("t")
    drag(page, (0, 0, 0), (0, 0, 2))
    page.keyboard.press("t")
    assert number_at(page, (0, 0, 1)) == 1


def test_lines_light_up_by_finger_and_key(folder: Path, show: Opener) -> None:
    """Tests that a line is told of, and lit, under a finger and under the keyboard's cursor."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt", touch=True)
    verdict(page, "✓ correct")
    touch = fingers(page)
    touch("touchStart", point(page, (0, 2, 0)))
    touch("touchEnd")
    until(page, "nlview.store.hover === 2")
    expect(page.locator("#line-text")).to_contain_text("LINE#2")
    pixels = (
        "nlview.stage.overlay.getContext('2d').getImageData(0, 0, 1400, 800).data.some(Boolean)"
    )
    until(page, pixels)
    touch("touchStart", (600, 150))
    touch("touchEnd")
    until(page, f"!nlview.store.hover && !{pixels}")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#line-text")).to_contain_text("LINE#1")
    until(page, pixels)


def test_arrow_keys_choose_a_tool(show: Opener) -> None:
    """Tests that a group of tools is one stop for Tab, with arrow keys in between."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    page.click("#menu")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.command") == "open-problem"
    page.keyboard.press("Escape")
    page.locator('#tools [data-value="draw"]').focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("nlview.store.tool") == "erase"
    assert page.evaluate("document.activeElement.dataset.value") == "erase"
    assert page.evaluate(
        "[...document.querySelectorAll('#tools button')].map(b => b.tabIndex)"
    ) == [-1, 0, -1]


def test_sideways_wheel_moves(show: Opener) -> None:
    """Tests that a trackpad can move the board."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    x, y = point(page, (0, 0, 0))
    scale = page.evaluate("nlview.stage.view.scale")
    page.mouse.move(x, y)
    page.mouse.wheel(40, 0)
    until(page, f"nlview.stage.view.scale === {scale} && !nlview.stage.view.isFitted")
    assert point(page, (0, 0, 0)) == pytest.approx((x - 40, y))


def test_drawing_while_the_router_runs(show: Opener) -> None:
    """Tests that the page says why it does not draw."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    page.route("**/api/route", lambda route: None)
    page.keyboard.press("f")
    drag(page, (0, 2, 0), (0, 2, 1))
    expect(page.locator("#message")).to_contain_text("The router is at work")
    page.keyboard.press("Escape")


def test_hidden_text_is_not_edited(show: Opener) -> None:
    """Tests that the browser's own undo in the editor's text does no harm once it is closed."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    page.click("#edit")
    page.locator("#edit-text").press("End")
    page.keyboard.type("x")
    page.click("#edit-cancel")
    page.evaluate("document.getElementById('edit-text').dispatchEvent(new Event('input'))")
    assert page.evaluate("nlview.store.draft") is None
