"""A hand on the page of nlview, for its tests, and the board that they begin with."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

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

Cell = tuple[float, float, float]
"""Layer, row and column, from 0; halves lie between cells."""


class Opener:
    """Opens files of a folder in pages, each by a server of its own."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        self.folder = folder
        self.browser = browser
        self.errors: list[str] = []
        self.processes: list[subprocess.Popen[str]] = []
        self.contexts: list[Any] = []
        self.address = ""  # Of the last server, with its token.

    def __call__(self, *files: str, touch: bool = False, **context: Any) -> Page:
        """Open files in a page, in a context with further options of playwright's."""
        context.setdefault("viewport", {"width": 1400, "height": 900})
        self.contexts.append(self.browser.new_context(has_touch=touch, **context))
        return self.tab(self.serve(*files))

    def serve(self, *files: str, browser: bool = False) -> str:
        """Start a server, and a browser if wanted, and return its address."""
        command = [sys.executable, "-m", "nlrouter.commands.nlview", *files]
        if not browser:
            command.append("--no-browser")
        process = subprocess.Popen(
            [*command, "--workers", "1"],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.processes.append(process)
        assert process.stdout is not None
        self.address = process.stdout.readline().strip()
        return self.address

    def tab(self, address: str) -> Page:
        """Open an address in a further tab of the last page's browser."""
        page: Page = self.contexts[-1].new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(address)
        return page

    def end_server(self) -> None:
        """End the last server."""
        process = self.processes.pop()
        process.terminate()
        _, complaints = process.communicate()
        assert not complaints, complaints
        assert process.returncode == 0


def point(page: Page, cell: Cell) -> tuple[float, float]:
    """Where a cell's centre is on the page."""
    x, y = page.evaluate("cell => nlview.stage.view.centre(cell)", cell)
    box = page.locator("#stage").bounding_box()
    assert box is not None
    return box["x"] + x, box["y"] + y


def drag(page: Page, *cells: Cell, button: Any = "left") -> None:
    """Draw through cells with the mouse, straight between them."""
    page.mouse.move(*point(page, cells[0]))
    page.mouse.down(button=button)
    for cell in cells[1:]:
        page.mouse.move(*point(page, cell), steps=3)
    page.mouse.up(button=button)


def rub(page: Page, cell: Cell) -> None:
    """Take a drawn cell away, with a click."""
    page.mouse.click(*point(page, cell))


def number_at(page: Page, cell: Cell) -> int:
    """The number that is drawn in a cell."""
    script = "cell => nlview.store.answer[nlview.store.grid.index(cell)]"
    return int(page.evaluate(script, cell))


def pixel(page: Page, cell: Cell) -> str:
    """The colour in the middle of a cell."""
    script = """(cell) => new Promise((resolve) => requestAnimationFrame(() => {
        const [x, y] = nlview.stage.view.centre(cell).map((at) => at * devicePixelRatio);
        const context = nlview.stage.base.getContext("2d");
        const parts = [...context.getImageData(x + 1, y + 1, 1, 1).data].slice(0, 3);
        resolve("#" + parts.map((part) => part.toString(16).padStart(2, "0")).join(""));
    }))"""
    return str(page.evaluate(script, list(cell)))


def is_marked(page: Page, cell: Cell) -> bool:
    """Whether the red frame of a mistake is around a cell, over all lines that cross it."""
    script = """(cell) => [[0, 0.5], [0.5, 0], [0, -0.5], [-0.5, 0]].every(([dy, dx]) => {
        const [x, y] = nlview.stage.view.centre([cell[0], cell[1] + dy, cell[2] + dx]);
        const context = nlview.stage.overlay.getContext("2d");
        const data = context.getImageData(Math.round(x) - 2, Math.round(y) - 2, 5, 5).data;
        return [...data.keys()].some((i) => !(i % 4) && data[i] === 0xb3 && data[i + 1] === 0x26);
    })"""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return bool(page.evaluate(script, list(cell)))


def verdict(page: Page, text: str) -> None:
    """Wait until the verdict on what is drawn is a text."""
    from playwright.sync_api import expect

    expect(page.locator("#verdict:not(.stale)")).to_have_text(text)


def until(page: Page, condition: str) -> None:
    """Wait until a condition holds; the page's policy forbids playwright's own way to do so."""
    end = time.monotonic() + 30
    while not page.evaluate(condition):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(50)


def command(page: Page, name: str) -> None:
    """Choose a command of the menu."""
    page.click("#menu")
    page.click(f'#menu-list [data-command="{name}"]')


Touch = Callable[..., None]


def fingers(page: Page) -> Touch:
    """Return what sends touches: a kind of event, and where the fingers are."""
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        places = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    return touch
