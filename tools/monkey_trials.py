"""What the monkey tries on purpose: scribbles that the router is to finish, and crashes.

Each trial returns a sentence for everything that is not as it has to be.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page
from playwright.sync_api import Error as BrowserError

from nlrouter.answer import Answer
from nlrouter.checker.rules import violations
from nlrouter.files.problem_file import read_problem
from nlrouter.problem import Problem

MOST_CELLS = 1500
"""Of boards to finish, so that a run takes seconds."""

SETTLED = 1000
"""Milliseconds after which what is drawn has to outlive everything."""


class Server:
    """A server of nlview on a copy of a board, which can be killed and started anew."""

    def __init__(self, folder: str, board: Path) -> None:
        shutil.copy(board, folder)
        options = ("--no-browser", "--workers", "1", "--time-limit", "5")
        files = (board.name, f"answer_{board.name}")
        self._command = [sys.executable, "-m", "nlrouter.commands.nlview", *files, *options]
        self._folder = folder
        self.complaints = ""
        self.start()

    def start(self) -> None:
        """Start it; its address changes."""
        self._process = subprocess.Popen(
            self._command,
            cwd=self._folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip()

    def stop(self, *, kill: bool = False) -> None:
        """Stop or kill it."""
        (self._process.kill if kill else self._process.terminate)()
        self.complaints += self._process.communicate()[1]


def scribble(problem: Problem, chance: random.Random) -> Answer:
    """Draw lines from their ends and elsewhere, over each other, into corners and too far."""
    drawn = np.zeros(problem.shape, np.int32)
    for line in problem.lines:
        drawn[tuple(np.transpose(line.ends))] = line.number
    for _ in range(chance.randrange(1, 12)):
        line = chance.choice(problem.lines)
        cell = chance.choice(line.ends)
        z, y, x = cell if chance.random() < 0.9 else (chance.randrange(n) for n in problem.shape)
        for _ in range(chance.randrange(1, 14)):
            if not (0 <= y < problem.height and 0 <= x < problem.width):
                break
            drawn[z, y, x] = line.number
            if chance.random() < 0.5:
                y += chance.choice((-1, 1))
            else:
                x += chance.choice((-1, 1))
    return drawn


def finish(page: Page, problem: Problem, chance: random.Random) -> list[str]:
    """Draw at random, have it finished, perhaps twice, and judge what the page says of that."""
    drawn = scribble(problem, chance)
    page.evaluate(
        "cells => nlview.store.commit(nlview.store.grid, Int32Array.from(cells))",
        drawn.ravel().tolist(),
    )
    for _ in range(chance.choice((1, 1, 2))):
        page.fill("#seconds", "1")
        page.locator("#stage").focus()
        page.keyboard.press("f")
        if not wait(page, "!nlview.store.routing && nlview.store.isJudged"):
            return ["the router did not end"]
    faults = [judged(page, problem)]
    state = page.locator("#progress-state").inner_text()
    if "no answer" in state and state.startswith("there is") and not state.partition(":")[2]:
        faults.append(f"no reason: {state}")
    message = page.evaluate("nlview.store.message?.isError && nlview.store.message.key")
    return [fault for fault in (*faults, message and f"message {message}") if fault]


def judged(page: Page, problem: Problem) -> str:
    """Compare the page's verdict with the checker's; return what differs."""
    cells, correct = page.evaluate("[[...nlview.store.answer], nlview.store.verdict.correct]")
    answer = np.array(cells, np.int32).reshape(problem.shape)
    return "" if correct == (not violations(problem, answer)) else "the verdict is untrue"


def crash(browser: Browser, server: Server, chance: random.Random) -> list[str]:
    """Draw, have something break, and see that all is offered again that was drawn before."""
    context = browser.new_context(viewport={"width": 1000, "height": 700})
    page = open_tab(context, server)
    before = open_tab(context, server) if chance.random() < 0.3 else None
    if chance.random() < 0.4:
        page.keyboard.press("e")
        wait(page, "nlview.store.draft?.error === ''")
        page.fill("#edit-width", str(chance.randrange(2, 40)))
        page.keyboard.press("Tab")
    else:
        rows = chance.randrange(1, 5)
        page.evaluate(
            """(rows) => {
                const { store } = nlview;
                const empty = (n, i) => !n && Math.random() < rows / 5;
                const answer = store.answer.map((n, i) => (empty(n, i) ? 1 : n));
                store.commit(store.grid, answer);
                if (rows > 1) store.mark(0);
                if (rows > 2) store.set({ locked: new Set([1]) });
            }""",
            rows,
        )
    page.wait_for_timeout(SETTLED)
    drawn = state_of(page)
    disaster = chance.choice(("reload", "crash", "kill", "kill and crash", "twice"))
    if disaster.startswith("kill"):
        server.stop(kill=True)
        server.start()
    if "crash" in disaster:
        context.close()
        context = browser.new_context(viewport={"width": 1000, "height": 700})
    else:
        page.close(run_before_unload=False)
    if disaster == "twice":  # The question is left open once.
        open_tab(context, server).close(run_before_unload=False)
    page = open_tab(context, server)
    found = None
    if wait(page, "document.getElementById('ask-dialog').open", 10):
        page.click('#ask-dialog [value="restore"]')
        wait(page, "nlview.store.isDirty || Boolean(nlview.store.draft)")
        wait(page, f"JSON.stringify({STATE}) === {drawn!r}", 5)
        found = state_of(page)
    # What has been taken back is the page's own again: it goes with its entry.
    page.evaluate(
        """() => {
            const { store } = nlview;
            store.set({ draft: null, locked: new Set() });
            store.commit(store.grid, store.saved.answer, store.names, new Set());
            store.set({ saved: { ...store.saved, problem: store.grid.text } });
        }"""
    )
    page.wait_for_timeout(SETTLED)
    context.close()
    del before
    return [] if found == drawn else [f"after {disaster}: {str(found)[:200]} for {drawn[:200]}"]


STATE = (
    "[[...nlview.store.answer], nlview.store.draft?.grid.text ?? null, [...nlview.store.locked],"
    "[...nlview.store.marks]]"
)


def state_of(page: Page) -> str:
    """Return what is drawn, edited, locked and crossed out."""
    return str(page.evaluate(f"JSON.stringify({STATE})"))


def open_tab(context: Any, server: Server) -> Page:
    """Open the page and wait until it has judged."""
    page: Page = context.new_page()
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(server.address)
    wait(page, "window.nlview?.store.isJudged")
    page.wait_for_timeout(700)  # In which it looks for what was kept.
    return page


def wait(page: Page, condition: str, seconds: float = 60) -> bool:
    """Wait until a condition holds; return whether it does."""
    for _ in range(int(20 * seconds)):
        try:
            if page.evaluate(condition):
                return True
        except BrowserError:
            pass  # The page is on its way.
        page.wait_for_timeout(50)
    return False


def boards_to_finish(folder: Path) -> list[Path]:
    """Return the boards that are small enough to be finished in a moment."""
    paths = sorted(folder.glob("*.txt"))
    return [path for path in paths if np.prod(read_problem(str(path)).shape) <= MOST_CELLS]
