"""What tests of nlview's page share: a browser, and a folder with a board."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.view.page_hand import PROBLEM, Opener

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = shutil.which("chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for a file: its loop is in the way of tests that run one of their own."""
    sync_api = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("there is no chromium")
    sync_api.expect.set_options(timeout=30_000)  # On a busy machine a page can be slow.
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
def show(folder: Path, browser: Browser) -> Iterator[Opener]:
    """Opens files of the folder in a page; tests at the end that no script has failed."""
    opener = Opener(folder, browser)
    yield opener
    for context in opener.contexts:
        context.close()
    while opener.processes:
        opener.end_server()
    assert opener.errors == []
