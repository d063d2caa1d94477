"""What is not saved in the page of nlview is kept until it is saved or discarded."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.view.page_hand import ANSWER, Opener, command, drag, number_at, until, verdict

if TYPE_CHECKING:
    from playwright.sync_api import Page

expect = pytest.importorskip("playwright.sync_api").expect


def draw_and_wait(page: Page, folder: Path) -> None:
    """Draw a line of the board, and wait until it is kept on both sides."""
    verdict(page, "0 of 2 joined")
    drag(page, (0, 2, 0), (0, 2, 3))
    wait_for_drafts(folder)
    until(page, "localStorage.length > 0")


def wait_for_drafts(folder: Path, count: int = 1) -> None:
    """Wait until the server keeps some texts."""
    end = time.monotonic() + 30
    while "".join(path.read_text() for path in folder.glob(".*.drafts")).count("nlview:") != count:
        assert time.monotonic() < end
        time.sleep(0.05)


def again(page: Page) -> None:
    """Reload a page, whatever it says about that."""
    page.on("dialog", accept)
    page.reload()
    page.remove_listener("dialog", accept)


def accept(dialog: Any) -> None:
    """Leave the page."""
    dialog.accept()


def test_question_that_is_left_open(folder: Path, show: Opener) -> None:
    """Tests that a drawing is offered again and again until it is taken back or discarded."""
    page = show("problem.txt", "answer.txt")
    draw_and_wait(page, folder)
    for _ in range(2):  # Left open first, then closed, which discards nothing.
        again(page)
        expect(page.locator("#ask-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    until(page, "nlview.store.isJudged")
    again(page)
    page.click('[value="restore"]')
    verdict(page, "1 of 2 joined")
    again(page)
    page.click('[value="discard"]')
    wait_for_drafts(folder, 0)
    again(page)
    verdict(page, "0 of 2 joined")
    expect(page.locator("#ask-dialog")).to_be_hidden()


def test_drawing_of_a_living_tab(folder: Path, show: Opener) -> None:
    """Tests that a second tab is not offered what a first one draws, and keeps its own beside."""
    first = show("problem.txt", "answer.txt")
    draw_and_wait(first, folder)
    second = show.tab(show.address)
    verdict(second, "0 of 2 joined")
    expect(second.locator("#ask-dialog")).to_be_hidden()
    drag(second, (0, 0, 0), (0, 0, 2))
    wait_for_drafts(folder, 2)
    first.close(run_before_unload=False)
    again(second)
    for _ in range(2):
        expect(second.locator("#ask-dialog")).to_be_visible()
        second.click('[value="discard"]')
        again(second)
    verdict(second, "0 of 2 joined")
    wait_for_drafts(folder, 0)


def test_server_away_while_it_is_taken_back(folder: Path, show: Opener) -> None:
    """Tests that a board that cannot be taken back now can be later."""
    page = show("problem.txt", "answer.txt")
    verdict(page, "0 of 2 joined")
    page.click("#edit")
    page.fill("#edit-height", "4")
    page.keyboard.press("Tab")
    page.click("#edit-done")
    wait_for_drafts(folder)
    page.route("**/api/problem?*", lambda route: route.abort())
    again(page)
    page.click('[value="restore"]')
    expect(page.locator("#message.error")).to_contain_text("does not answer")
    page.unroute("**/api/problem?*")
    again(page)
    page.click('[value="restore"]')
    until(page, "nlview.store.grid.height === 4")


def test_entry_that_cannot_be_read(folder: Path, show: Opener) -> None:
    """Tests that what is no entry is told and passed over, in the browser and beside the file."""
    page = show("problem.txt", "answer.txt")
    draw_and_wait(page, folder)
    home = page.evaluate("nlview.store.home")
    nameless = {"time": 9e15, "home": home, "names": {}, "board": {"text": "x", "answer": []}}
    for text in ("{", json.dumps(nameless)):
        page.evaluate("text => localStorage.setItem('nlview:drawing:x', text)", text)
        again(page)
        expect(page.locator("#message.error")).to_contain_text("another version of nlview")
        expect(page.locator("#ask-dialog")).to_be_visible()
    (folder / ".answer.txt.drafts").write_text("[]")
    page.evaluate("localStorage.removeItem('nlview:drawing:x')")
    again(page)
    expect(page.locator("#message.error")).to_contain_text(".answer.txt.drafts: found no drafts")
    page.click('[value="restore"]')
    verdict(page, "1 of 2 joined")


def test_browser_that_keeps_nothing(folder: Path, show: Opener) -> None:
    """Tests that a drawing comes back from beside the file, with its locks and what is on trial."""
    page = show("problem.txt", "answer.txt")
    verdict(page, "0 of 2 joined")
    drag(page, (0, 2, 0), (0, 2, 3))
    page.keyboard.press("l")
    page.keyboard.press("t")
    drag(page, (0, 0, 0), (0, 0, 2))
    page.wait_for_timeout(1000)  # "Everything drawn more than a second ago".
    page.close(run_before_unload=False)
    show.end_server()
    show.contexts.append(show.browser.new_context())
    page = show.tab(show.serve("problem.txt", "answer.txt"))
    page.click('[value="restore"]')
    verdict(page, "✓ correct")
    assert page.evaluate("[...nlview.store.locked]") == [2]
    page.click("[data-command=discard-trial]")
    assert (number_at(page, (0, 0, 1)), number_at(page, (0, 2, 1))) == (0, 2)
    page.keyboard.press("Control+s")
    expect(page.locator("#message")).to_contain_text("Saved answer.txt.")
    again(page)
    until(page, "nlview.store.locked.has(2)")  # They come back unasked: nothing else is new.
    expect(page.locator("#ask-dialog")).to_be_hidden()


@pytest.mark.parametrize("files", [(), ("problem.txt",)])
def test_board_that_is_being_edited(folder: Path, show: Opener, files: tuple[str, ...]) -> None:
    """Tests that a board that is not even complete comes back, with or without a file."""
    page = show(*files)
    if files:
        verdict(page, "0 of 2 joined")
        command(page, "welcome")
    page.click('[value="new"]')
    until(page, "Boolean(nlview.store.draft)")
    for cell in ((0, 0, 0), (0, 0, 4), (0, 3, 3)):
        drag(page, cell)
    expect(page.locator("#edit-error")).to_have_text("LINE#2: now click its other end.")
    page.keyboard.press("Control+s")
    expect(page.locator("#message")).to_contain_text("press Done to save it")
    page.wait_for_timeout(1000)
    again(page)
    page.click('[value="restore"]')
    expect(page.locator("#edit-error")).to_have_text("LINE#2: now click its other end.")
    drag(page, (0, 3, 5))
    page.click("#edit-done")
    until(page, "nlview.store.names.problem?.name === 'board.txt' && nlview.store.isJudged")
    page.wait_for_timeout(1000)
    again(page)
    page.click('[value="restore"]')
    until(page, "nlview.store.names.problem?.name === 'board.txt' && nlview.store.isJudged")


def test_save_while_the_router_runs(show: Opener) -> None:
    """Tests that the page says why it does not save."""
    page = show("problem.txt", "answer.txt")
    verdict(page, "0 of 2 joined")
    page.route("**/api/route", lambda route: None)
    page.keyboard.press("f")
    page.keyboard.press("Control+s")
    expect(page.locator("#message")).to_contain_text("The router is at work: stop it first")
    page.keyboard.press("Escape")


def test_page_of_an_earlier_server(folder: Path, show: Opener) -> None:
    """Tests that a page whose nlview has been started anew says so, and hands its drawing over.

    It asks the new one once, which the browser's console tells as an error.
    """
    (folder / "answer.txt").write_text(ANSWER.replace("02,02,02,02", "02,00,00,02"))
    old = show("problem.txt", "answer.txt")
    verdict(old, "1 of 2 joined")
    show.end_server()
    address = show.serve("problem.txt", "answer.txt")
    complaints: list[str] = []
    old.on("console", lambda message: complaints.append(message.text))
    drag(old, (0, 2, 0), (0, 2, 1))
    expect(old.locator("#contest")).to_contain_text("nlview was started anew")
    until(old, "localStorage.length > 0")
    drag(old, (0, 2, 3), (0, 2, 2))
    old.wait_for_timeout(1000)  # In which it would ask again.
    assert len(complaints) == 1 and "403" in complaints[0]
    page = show.tab(address)
    page.click('[value="restore"]')
    until(page, "nlview.store.answer[nlview.store.grid.index([0, 2, 1])] === 2")


def test_drawing_of_another_browser(folder: Path, show: Opener) -> None:
    """Tests that what another browser keeps is offered as what may still be open there."""
    page = show("problem.txt", "answer.txt")
    draw_and_wait(page, folder)
    other = show.browser.new_context().new_page()
    other.goto(show.address)
    expect(other.locator("#ask-text")).to_contain_text("Another browser may still have it open")
    other.context.close()
    again(page)
    expect(page.locator("#ask-text")).to_contain_text("Take it back?")
    expect(page.locator("#ask-text")).not_to_contain_text("Another browser")


def test_colours_of_a_board_made_here(show: Opener) -> None:
    """Tests that lines have their colours as soon as they are there, and keep them."""
    page = show()
    page.click('[value="new"]')
    until(page, "Boolean(nlview.store.draft)")
    for cell in ((0, 0, 0), (0, 0, 4), (0, 3, 3), (0, 3, 5)):
        drag(page, cell)
    expect(page.locator("#edit-done")).to_be_enabled()
    colours: Any = page.evaluate("nlview.store.draft.grid.colours.map(({ light }) => light)")
    assert len(set(colours)) == 2
    page.click('#edit-tools [data-value="remove"]')
    drag(page, (0, 0, 0))
    left = page.evaluate("nlview.store.draft.grid.colours.map(({ light }) => light)")
    assert left[1] == colours[1]
    page.click("#undo")
    page.click("#edit-done")
    verdict(page, "0 of 2 joined")
    assert page.evaluate("nlview.store.grid.colours.length") == 2


def test_nothing_can_be_kept(show: Opener) -> None:
    """Tests that the page says so where neither the browser nor the server keeps a drawing."""
    page = show("problem.txt", "answer.txt")
    verdict(page, "0 of 2 joined")
    page.route("**/api/draft?*", lambda route: route.abort())
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }")
    drag(page, (0, 2, 0), (0, 2, 3))
    expect(page.locator("#message.error")).to_contain_text("save it soon")
