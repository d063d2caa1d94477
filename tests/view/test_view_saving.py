"""Work is not lost in the page of nlview: not on disk, and not in a crash."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.view.page_hand import (
    ANSWER,
    DETOUR,
    PROBLEM,
    Opener,
    command,
    drag,
    number_at,
    rub,
    until,
    verdict,
)

expect = pytest.importorskip("playwright.sync_api").expect


def test_file_changed_by_another_tab(folder: Path, show: Opener) -> None:
    """Tests that an older drawing in a second tab does not replace a newer one unasked."""
    (folder / "answer.txt").write_text(DETOUR)
    first = show("problem.txt", "answer.txt")
    second = show.tab(show.address)
    for page in (first, second):
        verdict(page, "✓ correct")
    rub(first, (0, 1, 0))
    first.keyboard.press("Control+s")
    first.click('[value="replace"]')
    expect(first.locator("#message")).to_contain_text("Saved answer.txt.")
    saved = (folder / "answer.txt").read_text()
    assert saved == DETOUR.replace("02,02,02,00", "00,02,02,00")
    second.keyboard.press("Control+s")
    expect(second.locator("#ask-text")).to_contain_text("answer.txt has changed since")
    second.click('[value="cancel"]')
    assert (folder / "answer.txt").read_text() == saved
    second.keyboard.press("Control+s")
    second.click('[value="replace"]')
    expect(second.locator("#message")).to_contain_text("kept as answer.txt.bak")
    assert (folder / "answer.txt").read_text() == DETOUR
    assert (folder / "answer.txt.bak").read_text() == saved
    assert len(list(folder.glob("*.bak*"))) == 1


def test_correct_answer_is_not_made_worse(folder: Path, show: Opener) -> None:
    """Tests that a correct answer gives way to a wrong or dearer one only after a question."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    rub(page, (0, 2, 1))
    page.keyboard.press("Control+s")
    expect(page.locator("#ask-text")).to_contain_text("a correct answer at cost 9")
    assert complaints == []  # A question is no error.
    expect(page.locator("#ask-text")).to_contain_text("not correct")
    page.keyboard.press("Escape")
    assert (folder / "answer.txt").read_text() == ANSWER
    drag(page, (0, 2, 0), (0, 1, 0), (0, 1, 2), (0, 2, 2))
    verdict(page, "✓ correct")
    page.keyboard.press("Control+s")
    expect(page.locator("#ask-text")).to_contain_text("what is drawn costs 14")
    page.click('[value="cancel"]')
    assert (folder / "answer.txt").read_text() == ANSWER
    with page.expect_download() as download:
        page.keyboard.press("Control+s")
        page.click('[value="download"]')
    assert Path(download.value.path()).read_text() == DETOUR


def test_better_answer_needs_no_question(folder: Path, show: Opener) -> None:
    """Tests that a cheaper answer takes the place of a dearer one at once, without a backup."""
    (folder / "answer.txt").write_text(DETOUR)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    for x in range(3):
        rub(page, (0, 1, x))
    drag(page, (0, 2, 0), (0, 2, 3))
    verdict(page, "✓ correct")
    page.keyboard.press("Control+s")
    expect(page.locator("#message")).to_have_text("Saved answer.txt.")
    assert (folder / "answer.txt").read_text() == ANSWER
    assert not (folder / "answer.txt.bak").exists()


def test_other_board_on_disk(folder: Path, show: Opener) -> None:
    """Tests that an answer is not put beside a board that it does not belong to."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    other = PROBLEM.replace("(3,2,1)", "(2,2,1)")
    (folder / "problem.txt").write_text(other)
    page.keyboard.press("Control+s")
    expect(page.locator("#ask-text")).to_contain_text("problem.txt has changed")
    expect(page.locator("#ask-text")).to_contain_text("holds another board")
    page.click('[value="cancel"]')
    assert (folder / "problem.txt").read_text() == other
    page.keyboard.press("Control+s")
    page.click('[value="replace"]')
    expect(page.locator("#message")).to_contain_text("Saved problem.txt and answer.txt.")
    assert (folder / "problem.txt").read_text() == PROBLEM
    assert (folder / "problem.txt.bak").read_text() == other


@pytest.mark.parametrize("kind", ["answer", "problem"])
def test_edited_board_is_saved_as_a_pair(folder: Path, show: Opener, kind: str) -> None:
    """Tests that board and answer fit each other on disk after an edited board was saved."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    page.click("#edit")
    page.fill("#edit-height", "4")
    page.keyboard.press("Tab")
    page.click("#edit-done")
    verdict(page, "✓ correct")
    command(page, f"save-{kind}")
    expect(page.locator("#ask-text")).to_contain_text("Board and answer go together")
    page.click('[value="cancel"]')
    assert (folder / "problem.txt").read_text() == PROBLEM
    command(page, f"save-{kind}")
    page.click('[value="replace"]')
    expect(page.locator("#message")).to_contain_text("kept as problem.txt.bak and answer.txt.bak")
    assert (folder / "answer.txt.bak").read_text() == ANSWER
    show.end_server()
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")


def test_unwritable_answer_leaves_the_pair(folder: Path, show: Opener) -> None:
    """Tests that where only one file of a pair can be written, neither is changed."""
    (folder / "gone").mkdir()
    page = show("problem.txt", "gone/answer.txt")
    verdict(page, "0 of 2 joined")
    (folder / "gone").rmdir()
    page.click("#edit")
    page.fill("#edit-height", "4")
    page.keyboard.press("Tab")
    page.click("#edit-done")
    verdict(page, "0 of 2 joined")
    page.keyboard.press("Control+s")
    page.click('[value="replace"]')
    expect(page.locator("#message.error")).to_contain_text("no way to write it")
    assert (folder / "problem.txt").read_text() == PROBLEM


def test_drawing_comes_back_after_a_crash(folder: Path, show: Opener) -> None:
    """Tests that what was not saved is offered again, even by a server started anew."""
    page = show("problem.txt", "answer.txt")
    verdict(page, "0 of 2 joined")
    drag(page, (0, 2, 0), (0, 2, 3))
    until(page, "localStorage.length > 0")
    show.end_server()
    page.close(run_before_unload=False)
    page = show.tab(show.serve("problem.txt", "answer.txt"))
    expect(page.locator("#ask-dialog")).to_contain_text("problem.txt, drawn or edited until")
    page.click('[value="restore"]')
    verdict(page, "1 of 2 joined")
    assert number_at(page, (0, 2, 1)) == 2
    page.keyboard.press("Control+s")
    expect(page.locator("#message")).to_have_text("Saved answer.txt.")
    page.reload()
    verdict(page, "1 of 2 joined")
    expect(page.locator("#ask-dialog")).to_be_hidden()
    assert os.listdir(folder).count("answer.txt") == 1


def test_opening_asks_before_leaving(folder: Path, show: Opener) -> None:
    """Tests that another file takes the place of an unsaved drawing only after a question."""
    (folder / "other.txt").write_text(PROBLEM.replace("4X3X2", "5X3X2"))
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    drag(page, (0, 2, 0), (0, 2, 3))
    for choice, width in (("cancel", 4), ("leave", 5)):
        with page.expect_file_chooser() as chooser:
            command(page, "open-problem")
        chooser.value.set_files(folder / "other.txt")
        page.click(f'[value="{choice}"]')
        until(page, f"nlview.store.grid.width === {width} && !nlview.store.loading")
