"""How boards come into the page of nlview without files, and leave it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.view.page_hand import ANSWER, Opener, command, drag, number_at, verdict

expect = pytest.importorskip("playwright.sync_api").expect


def test_begin_with_a_sample(show: Opener) -> None:
    """Tests that nlview without a file offers samples, and that the first one can be drawn."""
    page = show()
    page.click("#samples button >> nth=0")
    verdict(page, "0 of 3 joined")
    drag(page, (0, 4, 0), (0, 4, 4), (0, 2, 4))
    verdict(page, "1 of 3 joined")


def test_new_board(show: Opener) -> None:
    """Tests that an empty board can be made, edited and drawn on, and saved as a download."""
    page = show()
    page.fill("#new-name", "three")
    page.fill("#new-width", "3")
    page.fill("#new-height", "1")
    page.fill("#new-layers", "1")
    page.click('[value="new"]')
    expect(page.locator("#edit-error")).to_have_text("Click two cells to make the first line.")
    drag(page, (0, 0, 0))
    expect(page.locator("#edit-error")).to_have_text("LINE#1: now click its other end.")
    drag(page, (0, 0, 2))
    expect(page.locator("#edit-error")).to_have_text("")
    page.click("#edit-done")
    verdict(page, "0 of 1 joined")
    drag(page, (0, 0, 0), (0, 0, 2))
    verdict(page, "✓ correct")
    with page.expect_download() as download:
        page.keyboard.press("Control+Shift+s")
    assert "SIZE 3X1X1\nLINE_NUM 1" in Path(download.value.path()).read_text()
    assert download.value.suggested_filename == "three.txt"
    with page.expect_download() as download:
        page.keyboard.press("Control+s")
    assert download.value.suggested_filename == "three_answer.txt"
    page.keyboard.press("?")
    expect(page.locator("#help-dialog")).to_be_visible()
    text = page.locator("body").inner_text().lower()  # Of layers there is but one.
    assert not any(word in text for word in ("via", "layers", "stack", "page up"))


def test_pasted_answer(show: Opener) -> None:
    """Tests that a text from the clipboard that is an answer is drawn on the board on show."""
    page = show("problem.txt", permissions=["clipboard-read", "clipboard-write"])
    verdict(page, "0 of 2 joined")
    page.evaluate("text => navigator.clipboard.writeText(text)", ANSWER)
    page.keyboard.press("Control+v")
    verdict(page, "✓ correct")
    assert number_at(page, (0, 2, 1)) == 2


@pytest.mark.parametrize(("form", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_picture(folder: Path, show: Opener, form: str, start: bytes) -> None:
    """Tests that the page hands out pictures."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    with page.expect_download() as download:
        command(page, f"picture-{form}")
    assert download.value.suggested_filename == f"problem.{form}"
    assert Path(download.value.path()).read_bytes().startswith(start)
