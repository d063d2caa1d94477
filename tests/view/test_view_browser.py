"""The page of nlview in a real browser."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from nlrouter.files.text import MAX_BYTES

if TYPE_CHECKING:
    from playwright import sync_api
    from playwright.sync_api import Browser, Page, expect
else:
    sync_api = pytest.importorskip("playwright.sync_api")
    Browser, Page, expect = sync_api.Browser, sync_api.Page, sync_api.expect

expect.set_options(timeout=30_000)  # On a busy machine a page can be slow.

BOARDS = Path(__file__).resolve().parents[2] / "problems"
CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")

PROBLEM = """\
SIZE 4X3X2
LINE_NUM 2

LINE#1 (0,0,1) (3,0,2)
LINE#2 (0,2,1) (3,2,1)

VIA#a (2,0,1) (2,0,2)
"""
ANSWER = """\
SIZE 4X3X2
LAYER 1
01,01,01,00
00,00,00,00
02,02,02,02
LAYER 2
00,00,01,01
00,00,00,00
00,00,00,00
"""
DETOUR = ANSWER.replace("00,00,00,00\n02,02,02,02\nLAYER 2", "02,02,02,00\n02,00,02,02\nLAYER 2")
"""With a LINE#2 of 6 cells and 3 bends by the row above; straight it has 4 cells."""

Cell = tuple[int, int, int]
"""Layer, row and column, from 0."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests."""
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that holds problem.txt alone."""
    (tmp_path / "problem.txt").write_text(PROBLEM)
    return tmp_path


@pytest.fixture
def show(folder: Path, browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens files of the folder in a page; tests at the end that no script has failed."""
    processes: list[subprocess.Popen[str]] = []
    contexts = []
    errors: list[str] = []

    def show(*files: str, touch: bool = False) -> Page:
        command = [sys.executable, "-m", "nlrouter.commands.nlview", *files, "--no-browser"]
        process = subprocess.Popen(
            [*command, "--workers", "1"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        contexts.append(browser.new_context(has_touch=touch))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        assert process.stdout is not None
        page.goto(process.stdout.readline().strip())
        return page

    yield show
    for context in contexts:
        context.close()
    for process in processes:
        process.terminate()
        _, complaints = process.communicate()
        assert (process.returncode, complaints) == (0, "")
    assert errors == []


def point(page: Page, cell: Cell) -> tuple[float, float]:
    """Where a cell's centre is on the page."""
    x, y = page.evaluate("cell => nlview.stage.view.centre(cell)", cell)
    box = page.locator("#stage").bounding_box()
    assert box is not None
    return box["x"] + x, box["y"] + y


def drag(page: Page, *cells: Cell, button: Literal["left", "right"] = "left") -> None:
    """Draw through cells with the mouse, straight between them."""
    page.mouse.move(*point(page, cells[0]))
    page.mouse.down(button=button)
    for cell in cells[1:]:
        page.mouse.move(*point(page, cell), steps=3)
    page.mouse.up(button=button)


def number_at(page: Page, cell: Cell) -> int:
    """The number that is drawn in a cell."""
    script = "cell => nlview.store.answer[nlview.store.grid.index(cell)]"
    return int(page.evaluate(script, cell))


def verdict(page: Page, text: str) -> None:
    """Wait until the verdict on what is drawn is a text."""
    expect(page.locator("#verdict:not(.stale)")).to_have_text(text)


def test_draw_undo_save_reload(folder: Path, show: Callable[..., Page]) -> None:
    """Tests a whole answer by mouse: via and verdict follow, undo and redo, save and reload."""
    page = show("problem.txt", "answer.txt")
    verdict(page, "✗ 2 violations")
    drag(page, (0, 0, 0), (0, 0, 2))
    assert number_at(page, (1, 0, 2)) == 1
    drag(page, (1, 0, 2), (1, 0, 3))
    verdict(page, "✗ 1 violation")
    expect(page.locator("#violations")).to_contain_text("LINE#2 is cut")
    drag(page, (0, 2, 0), (0, 2, 3))
    verdict(page, "✓ correct")
    expect(page.locator("#cost")).to_have_text("cost 9 = 9 cells + 0 bends")
    page.click("#undo")
    verdict(page, "✗ 1 violation")
    page.keyboard.press("Control+y")
    verdict(page, "✓ correct")
    assert not (folder / "answer.txt").exists()
    page.keyboard.press("Control+s")
    expect(page.locator("#message")).to_have_text("Saved answer.txt.")
    assert (folder / "answer.txt").read_text() == ANSWER
    page.reload()
    verdict(page, "✓ correct")


def test_erase_frees_the_via(folder: Path, show: Callable[..., Page]) -> None:
    """Tests that erasing a via's cell frees it on all layers, and that ends stay."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    drag(page, (1, 0, 2), (1, 0, 3), button="right")
    verdict(page, "✗ 1 violation")
    assert [number_at(page, cell) for cell in [(0, 0, 2), (1, 0, 2), (1, 0, 3)]] == [0, 0, 1]
    expect(page.locator("#violations")).to_contain_text("takes no via (VIA#a unused)")


def test_drag_back(show: Callable[..., Page]) -> None:
    """Tests that a drag that goes back takes back, and gives another line its cells back."""
    page = show("problem.txt")
    verdict(page, "✗ 2 violations")
    drag(page, (0, 2, 0), (0, 2, 3))
    drag(page, (0, 0, 0), (0, 0, 1), (0, 2, 1), (0, 0, 1))
    assert [number_at(page, (0, y, 1)) for y in range(3)] == [1, 0, 2]
    drag(page, (0, 0, 1), (0, 2, 1))
    assert [number_at(page, (0, y, 1)) for y in range(3)] == [1, 1, 1]


def test_hover(folder: Path, show: Callable[..., Page]) -> None:
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


def test_keyboard(show: Callable[..., Page]) -> None:
    """Tests a whole answer by keyboard: pen by Space through a via, by Shift, and Delete."""
    page = show("problem.txt")
    verdict(page, "✗ 2 violations")

    def press(*keys: str) -> None:
        for key in keys:
            page.keyboard.press(key)

    press("ArrowRight", "Space", "ArrowRight", "ArrowRight", "PageUp", "ArrowRight", "Space")
    verdict(page, "✗ 1 violation")
    press("PageDown", "ArrowDown", "ArrowDown")
    press("Shift+ArrowLeft", "Shift+ArrowLeft", "Shift+ArrowLeft")
    verdict(page, "✓ correct")
    expect(page.locator("#cursor-text")).to_have_text("(0,2) layer 1 · LINE#2")
    expect(page.locator("#line-text")).to_have_text("LINE#2 on layer 1, length 4, 0 bends")
    press("ArrowUp", "ArrowUp")
    expect(page.locator("#line-text")).to_contain_text("LINE#1 on layers 1 and 2")
    press("ArrowDown", "ArrowDown")
    press("ArrowRight", "Delete")
    verdict(page, "✗ 1 violation")
    press("Control+z", "ArrowRight", "Shift+Delete")
    verdict(page, "✗ 1 violation")
    assert [number_at(page, (0, 2, x)) for x in range(4)] == [2, 0, 0, 2]


def test_touch(show: Callable[..., Page]) -> None:
    """Tests that one finger draws, and that two zoom and leave the drawing alone."""
    page = show("problem.txt", touch=True)
    verdict(page, "✗ 2 violations")
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        fingers = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    touch("touchStart", point(page, (0, 2, 0)))
    touch("touchMove", point(page, (0, 2, 1)))
    touch("touchMove", point(page, (0, 2, 3)))
    touch("touchEnd")
    verdict(page, "✗ 1 violation")
    scale = page.evaluate("nlview.stage.view.scale")
    x, y = point(page, (0, 0, 0))
    touch("touchStart", (x, y))
    touch("touchStart", (x, y), (x + 50, y))
    touch("touchMove", (x, y), (x + 75, y))
    touch("touchEnd")
    assert page.evaluate("nlview.stage.view.scale") == pytest.approx(1.5 * scale)
    assert page.evaluate("nlview.store.history.states.length") == 2


def test_zoom_stays_at_the_pointer(show: Callable[..., Page]) -> None:
    """Tests that the wheel zooms around the cell under the pointer."""
    page = show("problem.txt")
    verdict(page, "✗ 2 violations")
    before = point(page, (1, 1, 2))
    scale = page.evaluate("nlview.stage.view.scale")
    page.mouse.move(*before)
    page.mouse.wheel(0, -200)
    expect(page.locator("#stage")).to_be_visible()
    page.wait_for_timeout(50)
    assert page.evaluate("nlview.stage.view.scale") > scale
    assert point(page, (1, 1, 2)) == pytest.approx(before, abs=1)


def test_files_with_errors(folder: Path, show: Callable[..., Page]) -> None:
    """Tests that a bad file shows the sentence of the command line and changes nothing."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    for button, text, sentence in [
        ("#open-answer", ANSWER.replace("02", "x", 1), "found 'x', expected a number from 0"),
        ("#open-answer", "SIZE 1X1X1\nLAYER 1\n0\n", "found SIZE 1X1X1, expected the problem's"),
        ("#open-problem", PROBLEM.replace("(3,2", "(9,2"), "expected a cell of the board"),
        ("#open-problem", "", "found no SIZE line"),
        ("#open-problem", "x" * (MAX_BYTES + 1), "found a larger file, expected at most"),
    ]:
        (folder / "bad.txt").write_text(text)
        with page.expect_file_chooser() as chooser:
            page.click(button)
        chooser.value.set_files(folder / "bad.txt")
        expect(page.locator("#message.error")).to_contain_text(sentence)
        assert page.locator("#message").inner_text().startswith("bad.txt")
        verdict(page, "✓ correct")
        expect(page.locator("#undo")).to_be_disabled()


def test_opened_problem_is_not_saved_over_the_first(
    folder: Path, show: Callable[..., Page]
) -> None:
    """Tests that after another problem is opened, saving is a download, until it is undone."""
    (folder / "answer.txt").write_text(ANSWER)
    (folder / "other.txt").write_text("SIZE 2X1X1\nLINE_NUM 1\nLINE#1 (0,0,1) (1,0,1)\n")
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    with page.expect_file_chooser() as chooser:
        page.click("#open-problem")
    chooser.value.set_files(folder / "other.txt")
    expect(page.locator("#cost")).to_have_text("cost 2 = 2 cells + 0 bends")
    with page.expect_download() as download:
        page.click("#save-answer")
    assert Path(download.value.path()).read_text() == "SIZE 2X1X1\nLAYER 1\n01,01\n"
    page.click("#undo")
    verdict(page, "✓ correct")
    assert (folder / "answer.txt").read_text() == ANSWER
    drag(page, (0, 2, 2), (0, 2, 2), button="right")
    page.click("#save-answer")
    expect(page.locator("#message")).to_have_text("Saved answer.txt.")
    assert (folder / "answer.txt").read_text() == ANSWER.replace("02,02,02,02", "02,02,00,02")


def test_finish_then_improve(folder: Path, show: Callable[..., Page]) -> None:
    """Tests that finishing keeps what is drawn, even a detour, and that improving need not."""
    (folder / "answer.txt").write_text(DETOUR.replace("00,00,01,01", "00,00,00,00"))
    page = show("problem.txt", "answer.txt")
    verdict(page, "✗ 2 violations")
    page.click("#finish")
    verdict(page, "✓ correct")
    expect(page.locator("#progress-text")).to_contain_text("optimal")
    expect(page.locator("#cost")).to_have_text("cost 14 = 11 cells + 3 bends")
    expect(page.locator("#told")).to_contain_text("line 1 dropped")
    page.click("#improve")
    expect(page.locator("#cost")).to_have_text("cost 9 = 9 cells + 0 bends")
    expect(page.locator("#stop")).to_be_hidden()
    page.click("#undo")
    expect(page.locator("#cost")).to_have_text("cost 14 = 11 cells + 3 bends")


def test_finish_that_fails(folder: Path, show: Callable[..., Page]) -> None:
    """Tests that the lines that go together are shown, and what is in the way of the others."""
    (folder / "cross.txt").write_text(
        "SIZE 3X4X1\nLINE_NUM 3\nLINE#1 (0,1,1) (2,1,1)\nLINE#2 (1,0,1) (1,2,1)\n"
        "LINE#3 (0,3,1) (2,3,1)\n"
    )
    page = show("cross.txt")
    verdict(page, "✗ 3 violations")
    drag(page, (0, 3, 0), (0, 3, 2))
    page.click("#finish")
    expect(page.locator("#progress-text")).to_contain_text(
        "there is no answer, with 1 line kept as drawn"
    )
    expect(page.locator("#told")).to_contain_text("2 of 3 lines could be routed")
    expect(page.locator("#told")).to_contain_text("stands in its way")
    verdict(page, "✗ 1 violation")
    page.click("#undo")
    verdict(page, "✗ 2 violations")
    assert number_at(page, (0, 3, 1)) == 3


def test_problem_saved_with_another_size(folder: Path, show: Callable[..., Page]) -> None:
    """Tests that a board saved without its answer can be opened again, and says so."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    page.click("#edit")
    page.fill("#edit-height", "4")
    page.keyboard.press("Tab")
    page.click("#edit-done")
    verdict(page, "✓ correct")
    page.keyboard.press("Control+Shift+s")
    expect(page.locator("#message")).to_have_text("Saved problem.txt.")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(page.locator("#message.error")).to_contain_text("answer.txt: found SIZE 4X3X2")
    verdict(page, "✗ 2 violations")


def test_stop(folder: Path, show: Callable[..., Page]) -> None:
    """Tests that the router can be stopped, that drawing waits for it, and what it has stays."""
    shutil.copy(BOARDS / "random_24x24x3.txt", folder)
    page = show("random_24x24x3.txt")
    page.click("#finish")
    expect(page.locator("#progress-text")).to_contain_text(re.compile("cost [0-9]"))
    expect(page.locator("#undo")).to_be_disabled()
    page.keyboard.press("Escape")
    expect(page.locator("#message")).to_have_text("Stopped.")
    verdict(page, "✓ correct")
    page.click("#undo")
    expect(page.locator("#verdict")).to_contain_text("violations")


def test_edit_board(folder: Path, show: Callable[..., Page]) -> None:
    """Tests that edit mode shows the reader's errors, and keeps the drawing where it can."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    page.click("#edit")
    drag(page, (0, 1, 0))
    error = page.locator("#edit-error")
    expect(error).to_have_text(re.compile(r"problem\.txt:6: found .* expected exactly two ends"))
    expect(page.locator("#edit-done")).to_be_disabled()
    drag(page, (1, 1, 0))
    expect(error).to_contain_text("1 VIA for 2 LINE with ends on different layers")
    page.click("text=Via")
    drag(page, (0, 1, 1))
    expect(error).to_have_text("")
    drag(page, (0, 1, 1), (0, 1, 2))
    expect(page.locator("#edit-text")).to_have_value(re.compile(r"VIA#b \(2,1,1\) \(2,1,2\)"))
    page.fill("#edit-height", "4")
    page.keyboard.press("Enter")
    expect(page.locator("#edit-text")).to_have_value(re.compile("SIZE 4X4X2"))
    page.click("#edit-done")
    verdict(page, "✗ 1 violation")
    expect(page.locator("#violations")).to_contain_text("LINE#3 joins layers 1 and 2")
    page.click("#save-problem")
    expect(page.locator("#message")).to_have_text("Saved problem.txt.")
    assert "SIZE 4X4X2\nLINE_NUM 3\n" in (folder / "problem.txt").read_text()
    page.click("#undo")
    verdict(page, "✓ correct")


def test_edit_by_keyboard(folder: Path, show: Callable[..., Page]) -> None:
    """Tests that the cursor starts on the board even where the first end lies outside of it."""
    (folder / "problem.txt").write_text(PROBLEM.replace("(0,0,1) (3,0,2)", "(3,0,2) (0,0,1)"))
    page = show("problem.txt")
    verdict(page, "✗ 2 violations")
    page.keyboard.press("e")
    page.fill("#edit-width", "2")
    page.keyboard.press("Tab")
    expect(page.locator("#edit-error")).to_contain_text("expected a cell of the board")
    page.locator("#stage").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#cursor-text")).to_have_text("(1,0) layer 1")


def test_edit_text(show: Callable[..., Page]) -> None:
    """Tests that the board follows the text where it is right, and stays where it is not."""
    page = show("problem.txt")
    verdict(page, "✗ 2 violations")
    page.click("#edit")
    page.fill("#edit-text", PROBLEM.replace("4X3X2", "0X3X2"))
    expect(page.locator("#edit-error")).to_contain_text("problem.txt:1: found 'SIZE 0X3X2'")
    assert page.evaluate("nlview.stage.view.grid.width") == 4
    page.fill("#edit-text", PROBLEM.replace("4X3X2", "5X3X2"))
    expect(page.locator("#edit-error")).to_have_text("")
    assert page.evaluate("nlview.stage.view.grid.width") == 5
    page.click("#edit-cancel")
    verdict(page, "✗ 2 violations")
    assert page.evaluate("nlview.stage.view.grid.width") == 4


def test_address_without_token(show: Callable[..., Page]) -> None:
    """Tests that the page says so where its address lacks the token."""
    page = show("problem.txt")
    page.goto(page.url.split("?")[0])
    expect(page.locator("#message.error")).to_contain_text("lacks its token")
