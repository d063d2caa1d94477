"""The page of nlview in English and Japanese, light and dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nlrouter.drawing.palette import colours
from nlrouter.engine.nets.feasibility import infeasible_reason
from nlrouter.files.problem_file import parse_problem
from tests.engine.test_feasibility import CASES
from tests.view.page_hand import (
    ANSWER,
    PROBLEM,
    Opener,
    drag,
    number_at,
    pixel,
    point,
    verdict,
)

expect = pytest.importorskip("playwright.sync_api").expect

SENTENCES = [
    "the answer is empty",
    "LINE#1: its end (0,2) layer 1 is empty",
    "LINE#1: its end (0,2) layer 1 carries 3",
    "number 9 at (1,1) layer 1 and 2 more cells: there are LINE#1 to LINE#2 only",
    "VIA#a does not carry one number: 1 on layer 1, 0 on layer 2",
    "LINE#1 joins layers 1 and 2 but takes no via (VIA#a and VIA#b unused)",
    "LINE#2 has both ends on one layer but takes VIA#a",
    "LINE#1 takes more than one via: VIA#a and VIA#b",
    "LINE#1 joins layers 1 and 2 but takes VIA#b, which joins layers 2 and 3",
    "LINE#1 does not stop at VIA#a at (2,0) layer 1",
    "LINE#2 is cut: the piece at (0,2) layer 1 does not reach its end (3,2) layer 1",
    "LINE#2 branches or touches itself at (1,2) layer 1 and 1 more cell",
    "LINE#1 leaves VIA#a by its middle cell (1,1) layer 2",
    "a piece of LINE#2 hangs loose at (1,1) layer 1",
    "LINE#2 has its ends on layer 1 but a piece at (1,1) layer 2",
    "1 of 2 lines could be routed together; missing:",
    "2 of 2 lines could be routed together: a longer search has an answer",
    "  LINE#1: LINE#2 stands in its way",
    "on layer 1, 4 lines must leave the block from (0,2) to (2,4) (LINE#1; LINE#2; 2 of LINE#3, "
    "LINE#4, LINE#5), but only 3 places are open to them",
    "on layer 1, LINE#1 must cross LINE#2 or one of LINE#3, LINE#4, whichever via it takes, "
    "as their ends and vias alternate along the wall at (2,3)",
    "problem.txt:6: found 'LINE#2', expected exactly two ends of a line",
    "problem.txt: found 1 VIA for 2 LINE with ends on different layers, "
    "expected one VIA for each such LINE",
    "a.txt: found SIZE 1X1X1, expected the problem's SIZE 4X3X2",
    *(infeasible_reason(parse_problem(board, "")) for board in CASES.values()),
]


def test_same_words_in_both_languages(show: Opener) -> None:
    """Tests that words tell the same values, and lists have the same rows, in both languages."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    script = """async () => {
        const { table } = await import("/words/table.js");
        const form = (words) => Array.isArray(words) ? words.length :
            typeof words === "string" ? String((words.match(/{[a-z]+}/g) ?? []).sort()) : null;
        return Object.entries(table).map(([key, both]) => [key, ...both.map(form)]);
    }"""
    for key, english, japanese in page.evaluate(script):
        if english is not None and japanese is not None:
            assert english == japanese, key


def test_japanese_throughout(folder: Path, show: Opener) -> None:
    """Tests that a Japanese browser gets a page without an English word, and can switch."""
    (folder / "answer.txt").write_text(ANSWER.replace("02,02,02,02", "02,00,02,02"))
    page = show("problem.txt", "answer.txt", locale="ja-JP")
    verdict(page, "2 本中 1 本完成")
    expect(page.locator("#open")).to_have_text(
        "LINE#2 が切れています: (0,2) 第 1 層から端点 (3,2) 第 1 層に届いていません"
    )
    assert page.evaluate("document.documentElement.lang") == "ja"
    page.keyboard.press("?")
    expect(page.locator("#help-dialog")).to_contain_text("ルール")
    rows = dict(row.split("\t") for row in page.locator("#help-keys tr").all_inner_texts())
    assert rows["Esc"].startswith("探索を止め") and rows["2"] == "第 2 層だけ表示"
    text = page.evaluate("document.body.innerText")
    for allowed in ("English", "nlview", "problem.txt", "LINE", "VIA"):
        text = text.replace(allowed, "")
    for word in ("cell", "line", "joined", "cost", "Save", "Draw", "drag", "layer"):
        assert word not in text
    page.keyboard.press("Escape")
    page.click("#language")
    verdict(page, "1 of 2 joined")
    page.reload()
    verdict(page, "1 of 2 joined")


def test_sentences_of_the_server_in_japanese(show: Opener) -> None:
    """Tests that the checker's, the readers' and the router's sentences are all translated."""
    page = show("problem.txt")
    script = """async (sentences) => {
        const { toJapanese } = await import("/words/ja_sentences.js");
        return sentences.map(toJapanese);
    }"""
    (stop,) = page.evaluate(script, [SENTENCES[9]])
    assert stop.startswith("LINE#1 が VIA#a ")
    for before, after in zip(SENTENCES, page.evaluate(script, SENTENCES), strict=True):
        for word in (" is ", " its ", "found", "expected", "layer", "undefined", " and ", "line"):
            assert word not in after, (before, after)


def test_colours_are_those_of_pictures(folder: Path, show: Opener) -> None:
    """Tests that the page draws in the colours of `nldraw`, on light and on dark paper."""
    (folder / "answer.txt").write_text(ANSWER)
    problem = parse_problem(PROBLEM, "")
    for scheme in ("light", "dark"):
        page = show("problem.txt", "answer.txt", color_scheme=scheme)
        verdict(page, "✓ correct")
        page.mouse.move(5, 890)
        expected = colours(problem, dark=scheme == "dark")[1]
        assert pixel(page, (0, 2, 1)) == expected
        paper = pixel(page, (0, 1, 1))
        assert paper == ("#ffffff" if scheme == "light" else "#1c1f26")
        show.end_server()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_chosen_button_is_readable_under_the_mouse(show: Opener, scheme: str) -> None:
    """Tests the contrast of buttons: 4.5 also where one is chosen, hovered over, or disabled."""
    page = show("problem.txt", color_scheme=scheme)
    verdict(page, "0 of 2 joined")
    page.click('[data-value="erase"]')
    page.hover('[data-value="erase"]')
    for selector in ('[data-value="erase"]', '[data-value="draw"]', "#undo", "#finish", "#edit"):
        assert contrast(page, selector) >= 4.5, selector


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_buttons_have_an_edge(show: Opener, scheme: str) -> None:
    """Tests that a button's edge stands out from it by 3:1."""
    page = show("problem.txt", color_scheme=scheme)
    verdict(page, "0 of 2 joined")
    for selector in ("#finish", "#undo", "#menu"):
        assert contrast(page, selector, "borderTopColor") >= 3, selector


def contrast(page: Any, selector: str, what: str = "color") -> float:
    """The contrast (WCAG 2) of an element's text, or edge, to its background."""
    script = """(element, what) => {
        const luminance = (colour) => {
            const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255);
            const [r, g, b] = parts.map((part) =>
                part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const style = getComputedStyle(element);
        const both = [luminance(style[what]), luminance(style.backgroundColor)].sort();
        return (both[1] + 0.05) / (both[0] + 0.05);
    }"""
    return float(page.locator(selector).first.evaluate(script, what))


def test_board_has_a_frame_for_the_keyboard_alone(show: Opener) -> None:
    """Tests that the focus frame comes with the first key, and lies over what is drawn."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    script = "getComputedStyle(document.getElementById('stage'), '::after').borderTopWidth"
    assert page.evaluate("document.activeElement.id") == "stage"
    assert page.evaluate(script) == "0px"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(script) == "2px"
    page.mouse.click(*point(page, (0, 1, 1)))
    assert page.evaluate(script) == "0px"


def test_pointing_leaves_the_other_lines(folder: Path, show: Opener) -> None:
    """Tests that a line under the pointer lights up without a change to the board beneath."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    page.evaluate("document.getAnimations().forEach((animation) => animation.finish())")
    painted = "nlview.stage.base.toDataURL()"
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    before = page.evaluate(painted)
    page.mouse.move(*point(page, (0, 2, 1)))
    expect(page.locator("#line-text")).to_contain_text("LINE#2")
    assert page.evaluate(painted) == before


def test_theme_can_be_chosen(show: Opener) -> None:
    """Tests that the choice of a theme wins over the system's, and is remembered."""
    page = show("problem.txt", color_scheme="light")
    verdict(page, "0 of 2 joined")
    page.click("#menu")
    page.click('#menu-list [data-command="theme"]')
    assert pixel(page, (0, 1, 1)) == "#1c1f26"
    page.reload()
    verdict(page, "0 of 2 joined")
    assert pixel(page, (0, 1, 1)) == "#1c1f26"


def test_forced_colours_show_the_tool(show: Opener) -> None:
    """Tests that with forced colours the chosen tool has another background than the others."""
    page = show("problem.txt", forced_colors="active")
    verdict(page, "0 of 2 joined")
    script = "element => getComputedStyle(element).backgroundColor"
    chosen, other = (
        page.locator(f'#tools [data-value="{tool}"]').evaluate(script) for tool in ("draw", "erase")
    )
    assert chosen != other
    drag(page, (0, 2, 0), (0, 2, 1))
    assert number_at(page, (0, 2, 1)) == 2
    assert point(page, (0, 2, 1))
