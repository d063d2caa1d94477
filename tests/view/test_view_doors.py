"""How boards come into the page of nlview without files, and leave it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.view.page_hand import ANSWER, PROBLEM, Opener, command, drag, number_at, verdict

expect = pytest.importorskip("playwright.sync_api").expect

SHARING: dict[str, Any] = {"permissions": ["clipboard-read", "clipboard-write"]}


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


def test_address_that_holds_a_board(folder: Path, show: Opener) -> None:
    """Tests that a copied address brings board and drawing to another nlview, without the token."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt", **SHARING)
    verdict(page, "✓ correct")
    command(page, "copy-address")
    expect(page.locator("#message")).to_have_text("Copied.")
    address = page.evaluate("navigator.clipboard.readText()")
    assert "token" not in address
    show.end_server()
    page = show(**SHARING)
    page.click("#welcome-dialog >> text=Close")
    command(page, "open-text")
    page.fill("#text-field", address)
    page.click('#text-dialog [value="open"]')
    verdict(page, "✓ correct")
    assert page.evaluate("nlview.store.grid.text") == PROBLEM
    page.goto(f"{page.url}#board={address.partition('#board=')[2]}")
    page.reload()
    verdict(page, "✓ correct")
    command(page, "open-text")
    page.fill("#text-field", address[:-30])
    page.click('#text-dialog [value="open"]')
    expect(page.locator("#message.error")).to_contain_text("no board that can be read")


def test_pasted_answer(show: Opener) -> None:
    """Tests that a text that is an answer is drawn on the board on show."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    command(page, "open-text")
    page.fill("#text-field", ANSWER)
    page.click('#text-dialog [value="open"]')
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


def test_result_as_text(folder: Path, show: Opener) -> None:
    """Tests that the result can be copied, with what is proven and no more."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt", **SHARING)
    verdict(page, "✓ correct")
    command(page, "copy-result")
    expect(page.locator("#message")).to_have_text("Copied.")
    told = "problem (4×3×2, 2 lines): ✓ correct, cost 9 = 9 cells + 0 bends – nlview"
    assert page.evaluate("navigator.clipboard.readText()") == told
    page.click("#improve")
    verdict(page, "★ correct and optimal")
    expect(page.locator("#stop")).to_be_hidden()
    command(page, "copy-result")
    expect(page.locator("#message")).to_have_text("Copied.")
    assert "★ correct and optimal" in page.evaluate("navigator.clipboard.readText()")
