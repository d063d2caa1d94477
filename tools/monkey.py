"""Plays on the page of nlview at random, and tells of every error that a script does not catch.

``python tools/monkey.py --seed 1 --seconds 300`` starts nlview on a copy of a board, opens the page
in Chromium and clicks, drags, types, zooms, uploads and resizes until the time is over. The exit
code is 1 if an error was not caught, the server complained, or the page was left. The same seed
does the same things, as far as the browser's timing lets it.

``--finish 1000`` has the router finish scribbles on all small boards and compares each verdict with
the checker's; ``--crashes 100`` reloads, kills browsers and servers, and looks for what was drawn.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from arguments import checked, positive, require_file
from interrupt import interruptible
from monkey_trials import Server, boards_to_finish, crash, finish, wait
from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as BrowserError

from nlrouter.files.problem_file import read_problem

PROBLEMS = Path(__file__).resolve().parents[1] / "problems"
SIZES = ((1400, 900), (800, 600), (390, 844), (320, 480))
KEYS = (
    *"dxmfielastn0123456789+-? ",
    *("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Tab", "Enter"),
    *("Escape", "Delete", "Backspace", "Shift+ArrowRight", "Shift+ArrowDown", "Shift+Delete"),
    *("Control+z", "Control+y", "Control+s", "Control+Shift+s"),
)
UPLOADS = (b"", b"\xff\xfe", b"SIZE 3X3X1\nLINE_NUM 1\nLINE#1 (0,0,1) (2,2,1)\n", b"x" * 5000)


class Monkey:
    """One page, and what can be done to it.

    Parameters
    ----------
    page
        The page.
    chance
        Where all choices come from.
    """

    def __init__(self, page: Page, chance: random.Random) -> None:
        self.page = page
        self.chance = chance
        self.steps: Counter[str] = Counter()
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(f"{error}\n{error.stack}"))
        page.on("dialog", lambda dialog: dialog.accept())
        page.on("filechooser", self._upload)

    def step(self) -> None:
        """Do one thing."""
        deeds = (self._drag, self._click, self._key, self._wheel, self._type, self._resize)
        deed = self.chance.choices(deeds, (8, 5, 8, 3, 1, 0.3))[0]
        self.steps[deed.__name__] += 1
        try:
            deed()
        except BrowserError as error:  # A button that has gone meanwhile is no mistake.
            if "closed" in str(error):
                raise

    def _point(self) -> tuple[float, float]:
        size = self.page.viewport_size or {"width": 800, "height": 600}
        return self.chance.uniform(0, size["width"]), self.chance.uniform(0, size["height"])

    def _drag(self) -> None:
        self.page.mouse.move(*self._point())
        self.page.mouse.down(button=self.chance.choice(("left", "left", "left", "right", "middle")))
        for _ in range(self.chance.randrange(4)):
            self.page.mouse.move(*self._point(), steps=3)
        for button in ("left", "right", "middle"):
            self.page.mouse.up(button=button)

    def _click(self) -> None:
        buttons = self.page.locator("button:visible:enabled")
        count = buttons.count()
        if count:
            buttons.nth(self.chance.randrange(count)).click(timeout=300)

    def _key(self) -> None:
        self.page.keyboard.press(self.chance.choice(KEYS))

    def _wheel(self) -> None:
        self.page.mouse.wheel(self.chance.choice((0, 0, 40)), self.chance.uniform(-300, 300))

    def _type(self) -> None:
        fields = self.page.locator("input:visible, textarea:visible")
        count = fields.count()
        if count:
            text = self.chance.choice(("3", "0", "-1", "1000", "ab", "", "SIZE 2X2X1\n"))
            fields.nth(self.chance.randrange(count)).fill(text, timeout=300)

    def _resize(self) -> None:
        width, height = self.chance.choice(SIZES)
        self.page.set_viewport_size({"width": width, "height": height})

    def _upload(self, chooser: Any) -> None:
        content = self.chance.choice((*UPLOADS, (PROBLEMS / "crlf_5x5x2.txt").read_bytes()))
        chooser.set_files({"name": "some.txt", "mimeType": "text/plain", "buffer": content})


def play(browser: Browser, address: str, seed: int, seconds: float) -> Monkey:
    """Let a monkey play for some time and return it."""
    context = browser.new_context(viewport={"width": 1400, "height": 900}, accept_downloads=True)
    monkey = Monkey(context.new_page(), random.Random(seed))
    monkey.page.goto(address)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        monkey.step()
    if not monkey.page.url.startswith(address.partition("?")[0]):
        monkey.errors.append(f"the page was left for {monkey.page.url}")
    context.close()
    return monkey


def try_finishing(browser: Browser, folder: str, count: int, chance: random.Random) -> list[str]:
    """Have scribbles on all small boards finished, so many in all; return what went wrong."""
    faults: list[str] = []

    def note(error: BrowserError) -> None:
        faults.append(f"{error}\n{error.stack}")

    paths = boards_to_finish(PROBLEMS)
    for i, path in enumerate(paths):
        problem, server = read_problem(str(path)), Server(folder, path)
        page = browser.new_context(viewport={"width": 1000, "height": 700}).new_page()
        page.on("pageerror", note)
        page.goto(server.address)
        wait(page, "window.nlview?.store.isJudged")
        for _ in range(len(range(i, count, len(paths)))):
            faults += [f"{path.name}: {fault}" for fault in finish(page, problem, chance)]
        page.context.close()
        server.stop()
        faults += [server.complaints] * bool(server.complaints)
        print(f"{path.name}: {len(faults)} faults so far", flush=True)
    return faults


def try_crashing(browser: Browser, folder: str, count: int, chance: random.Random) -> list[str]:
    """Let something break again and again; return what was lost."""
    server = Server(folder, PROBLEMS / "random_12x12x3.txt")
    faults = [fault for _ in range(count) for fault in crash(browser, server, chance)]
    server.stop()
    return faults + [server.complaints] * bool(server.complaints)


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=positive, default=300.0)
    parser.add_argument(
        "--board", type=checked(require_file), default=PROBLEMS / "random_12x12x3.txt"
    )
    parser.add_argument("--finish", type=int, metavar="N", help="finish N scribbles instead")
    parser.add_argument("--crashes", type=int, metavar="N", help="let N things break instead")
    args = parser.parse_args()
    chance = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        if args.finish or args.crashes:
            attempt = try_finishing if args.finish else try_crashing
            faults = attempt(browser, folder, args.finish or args.crashes, chance)
        else:
            server = Server(folder, args.board)
            monkey = play(browser, server.address, args.seed, args.seconds)
            server.stop()
            done = ", ".join(f"{count} {name[1:]}" for name, count in monkey.steps.most_common())
            print(f"seed {args.seed}: {monkey.steps.total()} steps ({done})")
            faults = monkey.errors + [server.complaints] * bool(server.complaints)
        browser.close()
    print(f"{len(faults)} faults")
    for fault, count in Counter(faults).items():
        print(f"{count} x {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(interruptible(main))
