"""Drawing in the page of nlview, by mouse, touch and keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.view.page_hand import (
    ANSWER,
    DETOUR,
    Opener,
    command,
    drag,
    fingers,
    number_at,
    point,
    verdict,
)

expect = pytest.importorskip("playwright.sync_api").expect

BOARDS = Path(__file__).resolve().parents[2] / "problems"


def test_draw_undo_save_reload(folder: Path, show: Opener) -> None:
    """Tests a whole answer by mouse: via and verdict follow, undo and redo, save and reload."""
    page = show("problem.txt", "answer.txt")
    verdict(page, "0 of 2 joined")
    drag(page, (0, 0, 0), (0, 0, 2))
    assert number_at(page, (1, 0, 2)) == 1
    drag(page, (1, 0, 2), (1, 0, 3))
    verdict(page, "1 of 2 joined")
    expect(page.locator("#open")).to_have_text("LINE#2 from (0,2) layer 1 to (3,2) layer 1")
    drag(page, (0, 2, 0), (0, 2, 3))
    verdict(page, "✓ correct")
    expect(page.locator("#cost")).to_have_text("cost 9 = 9 cells + 0 bends")
    page.click("#undo")
    verdict(page, "1 of 2 joined")
    page.keyboard.press("Control+y")
    verdict(page, "✓ correct")
    assert not (folder / "answer.txt").exists()
    page.keyboard.press("Control+s")
    expect(page.locator("#message")).to_have_text("Saved answer.txt.")
    assert (folder / "answer.txt").read_text() == ANSWER
    page.reload()
    verdict(page, "✓ correct")


def test_erase_frees_the_via(folder: Path, show: Opener) -> None:
    """Tests that erasing a via's cell frees it on all layers, and that ends stay."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    drag(page, (1, 0, 2), (1, 0, 3), button="right")
    verdict(page, "1 of 2 joined")
    assert [number_at(page, cell) for cell in [(0, 0, 2), (1, 0, 2), (1, 0, 3)]] == [0, 0, 1]
    expect(page.locator("#open")).to_contain_text("takes no via (VIA#a unused)")


def test_drag_back(show: Opener) -> None:
    """Tests that a drag that goes back takes back, and gives a line that it cut its cells back."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    drag(page, (0, 2, 0), (0, 2, 3))
    drag(page, (0, 0, 0), (0, 0, 1), (0, 2, 1))
    assert [number_at(page, (0, y, 1)) for y in range(3)] == [1, 1, 2]
    expect(page.locator("#message")).to_contain_text("LINE#2 is in the way")
    page.click("#undo")
    command(page, "cuts")
    drag(page, (0, 0, 0), (0, 0, 1), (0, 2, 1), (0, 0, 1))
    assert [number_at(page, (0, y, 1)) for y in range(3)] == [1, 0, 2]
    drag(page, (0, 0, 1), (0, 2, 1))
    assert [number_at(page, (0, y, 1)) for y in range(3)] == [1, 1, 1]


def test_hover(folder: Path, show: Opener) -> None:
    """Tests that a line under the pointer shows its length and bends."""
    (folder / "answer.txt").write_text(DETOUR)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    page.mouse.move(*point(page, (0, 1, 1)))
    expect(page.locator("#line-text")).to_have_text("LINE#2 on layer 1, length 6, 3 bends")
    page.mouse.move(*point(page, (1, 0, 3)))
    expect(page.locator("#line-text")).to_have_text(
        "LINE#1 on layers 1 and 2, length 5, 0 bends, VIA#a"
    )


def test_keyboard(show: Opener) -> None:
    """Tests a whole answer by keyboard: pen by Space through a via, by Shift, and Delete."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")

    def press(*keys: str) -> None:
        for key in keys:
            page.keyboard.press(key)

    press("ArrowRight", "Space", "ArrowRight", "ArrowRight", "PageUp", "ArrowRight", "Space")
    verdict(page, "1 of 2 joined")
    press("PageDown", "ArrowDown", "ArrowDown")
    press("Shift+ArrowLeft", "Shift+ArrowLeft", "Shift+ArrowLeft")
    verdict(page, "✓ correct")
    expect(page.locator("#cursor-text")).to_have_text("(0,2) layer 1 · LINE#2")
    expect(page.locator("#line-text")).to_have_text("LINE#2 on layer 1, length 4, 0 bends")
    press("ArrowUp", "ArrowUp")
    expect(page.locator("#line-text")).to_contain_text("LINE#1 on layers 1 and 2")
    press("ArrowDown", "ArrowDown")
    press("ArrowRight", "Delete")
    verdict(page, "1 of 2 joined")
    press("Control+z", "ArrowRight", "Shift+Delete")
    verdict(page, "1 of 2 joined")
    assert [number_at(page, (0, 2, x)) for x in range(4)] == [2, 0, 0, 2]


def test_touch(show: Opener) -> None:
    """Tests that one finger draws, and that two zoom and leave the drawing alone."""
    page = show("problem.txt", touch=True)
    verdict(page, "0 of 2 joined")
    touch = fingers(page)
    touch("touchStart", point(page, (0, 2, 0)))
    touch("touchMove", point(page, (0, 2, 1)))
    touch("touchMove", point(page, (0, 2, 3)))
    touch("touchEnd")
    verdict(page, "1 of 2 joined")
    scale = page.evaluate("nlview.stage.view.scale")
    x, y = point(page, (0, 0, 0))
    touch("touchStart", (x, y))
    touch("touchStart", (x, y), (x + 50, y))
    touch("touchMove", (x, y), (x + 75, y))
    touch("touchEnd")
    assert page.evaluate("nlview.stage.view.scale") == pytest.approx(1.5 * scale)
    assert page.evaluate("nlview.store.history.states.length") == 2


def test_zoom_stays_at_the_pointer(show: Opener) -> None:
    """Tests that the wheel zooms around the cell under the pointer."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    before = point(page, (1, 1, 2))
    scale = page.evaluate("nlview.stage.view.scale")
    page.mouse.move(*before)
    page.mouse.wheel(0, -200)
    expect(page.locator("#stage")).to_be_visible()
    page.wait_for_timeout(50)
    assert page.evaluate("nlview.stage.view.scale") > scale
    assert point(page, (1, 1, 2)) == pytest.approx(before, abs=1)
