"""Files opened and saved in the page of nlview."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from nlrouter.files.text import MAX_BYTES
from tests.view.page_hand import (
    ANSWER,
    PROBLEM,
    Opener,
    command,
    rub,
    verdict,
)

expect = pytest.importorskip("playwright.sync_api").expect

BOARDS = Path(__file__).resolve().parents[2] / "problems"


def test_files_with_errors(folder: Path, show: Opener) -> None:
    """Tests that a bad file shows the sentence of the command line and changes nothing."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    for button, text, sentence in [
        ("open-answer", ANSWER.replace("02", "x", 1), "found 'x', expected a number from 0"),
        ("open-answer", "SIZE 1X1X1\nLAYER 1\n0\n", "found SIZE 1X1X1, expected the problem's"),
        ("open-problem", PROBLEM.replace("(3,2", "(9,2"), "expected a cell of the board"),
        ("open-problem", "", "found no SIZE line"),
        ("open-problem", "x" * (MAX_BYTES + 1), "found a larger file, expected at most"),
    ]:
        (folder / "bad.txt").write_text(text)
        with page.expect_file_chooser() as chooser:
            command(page, button)
        chooser.value.set_files(folder / "bad.txt")
        expect(page.locator("#message.error")).to_contain_text(sentence)
        assert page.locator("#message").inner_text().startswith("bad.txt")
        verdict(page, "✓ correct")
        expect(page.locator("#undo")).to_be_disabled()


def test_opened_problem_is_not_saved_over_the_first(folder: Path, show: Opener) -> None:
    """Tests that after another problem is opened, saving is a download, until it is undone."""
    (folder / "answer.txt").write_text(ANSWER)
    (folder / "other.txt").write_text("SIZE 2X1X1\nLINE_NUM 1\nLINE#1 (0,0,1) (1,0,1)\n")
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    with page.expect_file_chooser() as chooser:
        command(page, "open-problem")
    chooser.value.set_files(folder / "other.txt")
    expect(page.locator("#cost")).to_have_text("cost 2 = 2 cells + 0 bends")
    with page.expect_download() as download:
        page.click("#save-answer")
    assert Path(download.value.path()).read_text() == "SIZE 2X1X1\nLAYER 1\n01,01\n"
    page.click("#undo")
    verdict(page, "✓ correct")
    assert (folder / "answer.txt").read_text() == ANSWER
    rub(page, (0, 2, 2))
    page.click("#save-answer")
    page.click('[value="replace"]')
    expect(page.locator("#message")).to_contain_text("Saved answer.txt.")
    assert (folder / "answer.txt").read_text() == ANSWER.replace("02,02,02,02", "02,02,00,02")


def test_problem_that_is_gone(folder: Path, show: Opener) -> None:
    """Tests that a page without a board says why, and lets one be opened."""
    address = show.serve("problem.txt")
    (folder / "problem.txt").rename(folder / "other.txt")
    show.contexts.append(show.browser.new_context(viewport={"width": 1400, "height": 900}))
    page = show.tab(address)
    expect(page.locator("#message.error")).to_contain_text("problem.txt: found no readable file")
    expect(page.locator("#no-board")).to_contain_text("No board is open")
    with page.expect_file_chooser() as chooser:
        page.click('#no-board [data-command="open-problem"]')
    chooser.value.set_files(folder / "other.txt")
    verdict(page, "0 of 2 joined")
    expect(page.locator("h1")).to_have_text("other.txt")
    expect(page.locator("#board-size")).to_have_text("4×3×2 · 2 lines")


def test_browser_is_started_with_a_ticket(
    folder: Path, show: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that what a browser is started with opens the page once, and holds no token."""
    (folder / "browser").write_text('#!/bin/sh\necho "$1" > opened.new; mv opened.new opened\n')
    (folder / "browser").chmod(0o755)
    monkeypatch.setenv("BROWSER", f"{folder}/browser %s")
    printed = show.serve("problem.txt", browser=True)
    end = time.monotonic() + 30
    while not (folder / "opened").exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    address = (folder / "opened").read_text().strip()
    assert printed.partition("token=")[2] not in address
    show.contexts.append(show.browser.new_context())
    page = show.tab(address)
    verdict(page, "0 of 2 joined")
    page.reload()
    verdict(page, "0 of 2 joined")
    second = show.tab(address)
    expect(second.locator("#message.error")).to_contain_text("lacks its token")


def test_address_without_token(show: Opener) -> None:
    """Tests that a page says so where its address lacks the token, which no address bar shows.

    It need not ask the server for that, whose refusal would be an error in the console.
    """
    opened = show("problem.txt")
    verdict(opened, "0 of 2 joined")
    assert "token" not in opened.url
    opened.reload()
    verdict(opened, "0 of 2 joined")
    page = show.tab(opened.url)
    expect(page.locator("#message.error")).to_contain_text("lacks its token")
    expect(page.locator("#no-board")).to_contain_text("No board is open")
    page.on("console", lambda message: show.errors.append(message.text))
    page.click("#dismiss")
    page.click('#no-board [data-command="welcome"]')
    expect(page.locator("#message.error")).to_contain_text("lacks its token")
    expect(page.locator("#welcome-dialog")).to_be_hidden()  # It would have no samples to show.
