"""The page of nlview says nothing that is not true."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.view.page_hand import ANSWER, PROBLEM, Opener, command, drag, rub, verdict

expect = pytest.importorskip("playwright.sync_api").expect


def test_nothing_is_judged_without_the_server(folder: Path, show: Opener) -> None:
    """Tests that no verdict stands while the server is gone, and that it comes back by itself."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    page.route("**/api/judge", lambda route: route.abort())
    rub(page, (0, 2, 1))
    verdict(page, "not judged")
    expect(page.locator("#contest")).to_contain_text("does not answer")
    expect(page.locator("#cost")).to_have_text("")
    rub(page, (0, 2, 2))
    verdict(page, "not judged")
    page.unroute("**/api/judge")
    verdict(page, "1 of 2 joined")


def test_slow_verdict_is_not_the_last_one(folder: Path, show: Opener) -> None:
    """Tests that "correct" goes at once when the drawing changes, before the server has spoken."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    held: list[Any] = []
    is_holding = True
    page.route(
        "**/api/judge", lambda route: held.append(route) if is_holding else route.continue_()
    )
    rub(page, (0, 2, 1))
    expect(page.locator("#verdict")).to_have_text("judging…")
    while not held:  # It is judged when the hand has rested for a moment.
        page.wait_for_timeout(10)
    is_holding = False
    held[0].continue_()
    verdict(page, "1 of 2 joined")


def test_old_message_goes_when_the_router_starts(folder: Path, show: Opener) -> None:
    """Tests that no message of an earlier run stands over a new one, which has a clock."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    held: list[Any] = []
    page.route("**/api/route", lambda route: held.append(route))
    page.keyboard.press("f")
    expect(page.locator("#progress-figures")).to_contain_text(
        re.compile(r"time[1-9][0-9]*\.[0-9] s")
    )
    page.keyboard.press("Escape")
    expect(page.locator("#message")).to_have_text("Stopped.")
    page.keyboard.press("f")
    expect(page.locator("#progress-state")).to_have_text("searching…")
    expect(page.locator("#message")).to_have_text("")
    page.keyboard.press("Escape")


def test_nothing_begins_while_a_file_is_read(folder: Path, show: Opener) -> None:
    """Tests that neither router nor editor can start on a board that is about to be replaced."""
    (folder / "other.txt").write_text(PROBLEM.replace("4X3X2", "5X3X2"))
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    held: list[Any] = []
    page.route("**/api/problem?*", lambda route: held.append(route))
    with page.expect_file_chooser() as chooser:
        command(page, "open-problem")
    chooser.value.set_files(folder / "other.txt")
    expect(page.locator("#message")).to_have_text("Reading other.txt…")
    for key in ("i", "e", "f"):
        page.keyboard.press(key)
    assert page.evaluate("[nlview.store.routing, nlview.store.draft]") == [None, None]
    held[0].continue_()
    expect(page.locator("#board-name")).to_have_text("other.txt")
    assert page.evaluate("nlview.store.grid.width") == 5


def test_untouched_board_has_no_mistakes(show: Opener) -> None:
    """Tests that a board not yet begun is no failure, and that a real mistake is one."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    expect(page.locator("#how")).to_contain_text("Join the two ends")
    expect(page.locator("#mistakes-section")).to_be_hidden()
    expect(page.locator("#cost")).to_have_text("so far 4 cells and 0 bends")
    drag(page, (0, 2, 0), (0, 1, 0), (0, 1, 1), (0, 2, 1), (0, 2, 2))
    verdict(page, "0 of 2 joined, 2 mistakes")
    expect(page.locator("#mistakes")).to_contain_text("touches itself")
