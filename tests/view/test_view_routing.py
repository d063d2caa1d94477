"""The router at work for the page of nlview."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.view.page_hand import (
    DETOUR,
    Opener,
    drag,
    number_at,
    pixel,
    until,
    verdict,
)

expect = pytest.importorskip("playwright.sync_api").expect

BOARDS = Path(__file__).resolve().parents[2] / "problems"


def test_finish_then_improve(folder: Path, show: Opener) -> None:
    """Tests that finishing keeps what is drawn, even a detour, and that improving need not."""
    (folder / "answer.txt").write_text(DETOUR.replace("00,00,01,01", "00,00,00,00"))
    page = show("problem.txt", "answer.txt")
    verdict(page, "1 of 2 joined, 2 mistakes")
    page.click("#finish")
    verdict(page, "✓ correct")
    expect(page.locator("#progress-state")).to_have_text("with lines 1, 2 as drawn: optimal, 14")
    expect(page.locator("#told")).to_contain_text("the board itself: at least 9")
    expect(page.locator("#cost")).to_have_text("cost 14 = 11 cells + 3 bends")
    expect(page.locator("#told")).to_contain_text("1 line kept as drawn")
    expect(page.locator("#told")).to_contain_text("went on from there: line 1")
    figures = page.locator("#progress-figures")
    expect(figures.locator("dt")).to_have_text(["time", "cost", "at least", "gap"])
    expect(figures.locator("dd")).to_have_text([re.compile(" s$"), "14", "14", "0.0 %"])
    page.click("#improve")
    expect(page.locator("#progress-state")).to_have_text("optimal")
    expect(page.locator("#cost")).to_have_text("cost 9 = 9 cells + 0 bends")
    expect(page.locator("#stop")).to_be_hidden()
    page.click("#undo")
    expect(page.locator("#cost")).to_have_text("cost 14 = 11 cells + 3 bends")


def test_finish_that_fails(folder: Path, show: Opener) -> None:
    """Tests that the lines that go together are shown, and what is in the way of the others."""
    (folder / "cross.txt").write_text(
        "SIZE 3X4X1\nLINE_NUM 3\nLINE#1 (0,1,1) (2,1,1)\nLINE#2 (1,0,1) (1,2,1)\n"
        "LINE#3 (0,3,1) (2,3,1)\n"
    )
    page = show("cross.txt")
    verdict(page, "0 of 3 joined")
    drag(page, (0, 3, 0), (0, 3, 2))
    page.click("#finish")
    expect(page.locator("#progress-state")).to_contain_text("with line 3 as drawn: there is no")
    expect(page.locator("#told")).to_contain_text("1 line kept as drawn")
    expect(page.locator("#told")).to_contain_text("2 of 3 lines could be routed")
    expect(page.locator("#told")).to_contain_text("stands in its way")
    verdict(page, "2 of 3 joined")
    page.click("#undo")
    verdict(page, "1 of 3 joined")
    assert number_at(page, (0, 3, 1)) == 3


SPEAK = """() => {
    const ask = window.fetch;
    window.fetch = (path, options) => !path.startsWith("api/route") ? ask(path, options)
        : Promise.resolve(new Response(new ReadableStream({ start(stream) {
            const encoder = new TextEncoder();
            window.say = (news) => stream.enqueue(encoder.encode(JSON.stringify(news) + "\\n"));
            window.end = () => stream.close();
            options.signal.onabort = () => stream.error(new DOMException("", "AbortError"));
        } })));
}"""


def test_lines_are_shown_before_there_is_an_answer(show: Opener) -> None:
    """Tests that lines that the router has so far are drawn, thin as they may change, and stay."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    page.evaluate(SPEAK)
    page.click("#finish")
    until(page, "Boolean(window.say)")
    partial = [[[1, 0, 0, 0], [0] * 4, [2] * 4], [[0, 0, 0, 1], [0] * 4, [0] * 4]]
    page.evaluate("window.say({ fixed: [], continued: [], dropped: [] })")
    page.evaluate("news => window.say(news)", {"cost": None, "partial": partial, "lines": 1})
    expect(page.locator("#progress-state")).to_have_text("searching… 1 of 2 lines so far")
    verdict(page, "1 of 2 joined")
    beside = """() => new Promise((resolve) => requestAnimationFrame(() => {
        const { view, base } = nlview.stage;
        const [x, y] = view.centre([0, 2, 1]);
        const at = [Math.round(x), Math.round(y + 0.16 * view.scale), 1, 1];
        resolve([...base.getContext("2d").getImageData(...at).data].join());
    }))"""
    paper = "255,255,255,255"
    assert page.evaluate(beside) == paper
    assert pixel(page, (0, 2, 1)) != "#ffffff"
    page.keyboard.press("Escape")
    until(page, f"({beside})().then((found) => found !== '{paper}')")
    assert number_at(page, (0, 2, 1)) == 2
    page.click("#undo")
    verdict(page, "0 of 2 joined")


def test_stop(folder: Path, show: Opener) -> None:
    """Tests that the router can be stopped, that drawing waits for it, and what it has stays."""
    shutil.copy(BOARDS / "random_24x24x3.txt", folder)
    page = show("random_24x24x3.txt")
    page.click("#finish")
    expect(page.locator("#progress-figures")).to_contain_text(re.compile("cost[0-9]"))
    expect(page.locator("#undo")).to_be_disabled()
    page.keyboard.press("Escape")
    expect(page.locator("#message")).to_have_text("Stopped.")
    verdict(page, "✓ correct")
    page.click("#undo")
    expect(page.locator("#verdict")).to_contain_text("0 of")


def test_line_that_is_drawn_into_a_corner(folder: Path, show: Opener) -> None:
    """Tests that a half-drawn line that leaves no answer gives the reason, marked on the board."""
    shutil.copy(BOARDS / "crlf_5x5x2.txt", folder)
    page = show("crlf_5x5x2.txt")
    verdict(page, "0 of 3 joined")
    drag(page, (1, 4, 2), (1, 3, 2), (1, 3, 3), (1, 2, 3), (1, 2, 4))
    page.keyboard.press("f")
    state = page.locator("#progress-state")
    expect(state).to_contain_text("with line 3 as drawn: there is no answer: LINE#1 ")
    until(page, "Boolean(nlview.store.stuck)")
    ends = page.evaluate("nlview.store.grid.lines[0].ends")
    marked = "nlview.store.stuck.cells.map(String)"
    assert {",".join(map(str, end)) for end in ends} <= set(page.evaluate(marked))
    until(page, "nlview.store.isJudged")
    page.click("#undo")
    assert number_at(page, (1, 3, 3)) == 3


def test_lines_of_the_router_stay_the_routers(folder: Path, show: Opener) -> None:
    """Tests that finishing again moves what the router drew, though not what a hand drew."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    drag(page, (0, 2, 0), (0, 2, 1))
    page.click("#finish")
    verdict(page, "★ correct and optimal")
    expect(page.locator("#stop")).to_be_hidden()
    page.fill("#seconds", "7")
    with page.expect_request("**/api/route") as request:
        page.click("#finish")
    expect(page.locator("#progress-state")).to_contain_text("with line 2 as drawn: optimal")
    task = json.loads(request.value.post_data or "")
    assert task["kept"].splitlines()[2:5] == ["01,00,00,00", "00,00,00,00", "02,02,00,02"]
    assert task["answer"].splitlines()[2] == "01,01,01,00" and task["seconds"] == 7


def test_go_on(show: Opener) -> None:
    """Tests that a search that ended in time can be gone on with, and one that is done cannot."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    page.evaluate(SPEAK)
    page.keyboard.press("i")
    until(page, "Boolean(window.say)")
    page.evaluate("window.say({ fixed: [], continued: [], dropped: [] })")
    page.evaluate("window.say({ cost: null, bound: 9, status: 'unknown', told: [] }); window.end()")
    expect(page.locator("#progress-state")).to_have_text("no answer found in time")
    page.click("#go-on")
    expect(page.locator("#progress-state")).to_have_text("searching…")
    page.evaluate("window.say({ cost: 9, bound: 9, status: 'optimal', told: [] }); window.end()")
    expect(page.locator("#go-on")).to_be_hidden()
