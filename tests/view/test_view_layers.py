"""Zoom and place stay, and layers are shown one by one, together, or as a stack."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.view.page_hand import ANSWER, Opener, drag, fingers, number_at, point, until, verdict

expect = pytest.importorskip("playwright.sync_api").expect

BOARDS = Path(__file__).resolve().parents[2] / "problems"
PHONE = {"viewport": {"width": 390, "height": 844}}
PLACE = "({ scale: nlview.stage.view.scale, at: nlview.stage.view.centre([0, 1, 1]) })"


def test_zoom_stays_while_the_router_runs(show: Opener) -> None:
    """Tests that neither the Stop button nor the router's figures move the board."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    page.keyboard.press("+")
    page.keyboard.press("+")
    before = page.evaluate(PLACE), page.locator("#stage").bounding_box()
    held: list[Any] = []
    page.route("**/api/route", lambda route: held.append(route))
    page.click("#finish")
    expect(page.locator("#stop")).to_be_visible()
    expect(page.locator("#progress")).to_be_visible()
    assert (page.evaluate(PLACE), page.locator("#stage").bounding_box()) == before
    page.click("#stop")
    expect(page.locator("#message")).to_have_text("Stopped.")
    assert (page.evaluate(PLACE), page.locator("#stage").bounding_box()) == before


def test_zoom_stays_when_the_window_changes(show: Opener) -> None:
    """Tests that what is in the middle of a zoomed board stays, and a whole one is whole again."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    whole = page.evaluate(PLACE)
    page.set_viewport_size({"width": 800, "height": 600})
    until(page, "nlview.stage.view.screen.width < 600")
    assert page.evaluate(PLACE) != whole
    page.keyboard.press("+")
    before = page.evaluate(PLACE)
    page.set_viewport_size({"width": 830, "height": 640})
    until(page, "nlview.stage.view.screen.width > 590")
    after = page.evaluate(PLACE)
    assert after["scale"] == before["scale"]
    assert after["at"] == [before["at"][0] + 15, before["at"][1] + 20]


def test_stroke_of_a_finger_stays_in_place(folder: Path, show: Opener) -> None:
    """Tests that a verdict that changes with the finger down leaves the board where it is."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt", touch=True, **PHONE)
    verdict(page, "✓ correct")
    page.keyboard.press("+")
    page.keyboard.press("+")
    before = page.evaluate(PLACE), page.locator("#stage").bounding_box()
    touch = fingers(page)
    x, y = point(page, (0, 2, 0))
    touch("touchStart", (x, y))
    touch("touchMove", point(page, (0, 1, 0)))
    verdict(page, "1 of 2 joined")
    assert (page.evaluate(PLACE), page.locator("#stage").bounding_box()) == before
    touch("touchMove", (x + 1, y))
    touch("touchEnd")
    assert number_at(page, (0, 1, 0)) == 0


TEXTS = """() => {
    const { base, view } = nlview.stage;
    const found = [];
    const context = base.getContext("2d");
    const write = context.fillText;
    context.fillText = function (text, x, y) {
        const at = this.getTransform().transformPoint({ x, y });
        const [left, top] = [at.x / devicePixelRatio, at.y / devicePixelRatio];
        found.push({ text, left, top });
        write.call(this, text, x, y);
    };
    nlview.stage.look((view) => view.move(0, 0));
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
        context.fillText = write;
        const { width, height } = view.screen;
        resolve(found.filter(({ left, top }) =>
            left >= 0 && top >= 8 && left <= width && top <= height));
    })));
}"""


def test_titles_and_coordinates_stay_in_sight(folder: Path, show: Opener) -> None:
    """Tests that a layer keeps its title and coordinates wherever one has zoomed and moved to."""
    shutil.copy(BOARDS / "random_36x36x8.txt", folder)
    page = show("random_36x36x8.txt")
    verdict(page, "0 of 400 joined")
    page.evaluate("nlview.stage.look((view) => view.lookAt([5, 18, 18]))")
    page.evaluate("nlview.stage.look((view) => view.zoom(2))")
    left, top = page.evaluate("nlview.stage.view.origin(5)")
    assert left < 0 and top < 0
    texts = page.evaluate(TEXTS)
    (title,) = (text for text in texts if text["text"] == "layer 6")
    assert title["top"] < 40
    x, y = page.evaluate("nlview.stage.view.centre([5, 18, 18])")
    numbers = [text for text in texts if text["text"] == "18"]
    assert any(text["top"] < 60 and abs(text["left"] - x) < 1 for text in numbers)
    assert any(text["left"] < 40 and abs(text["top"] - y) < 1 for text in numbers)


def test_one_layer_by_key_and_tab(show: Opener) -> None:
    """Tests that keys and tabs show one layer or all, and that a layer keeps the place."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    page.keyboard.press("2")
    expect(page.locator('#tabs [aria-checked="true"]')).to_have_text("2")
    assert page.evaluate("nlview.stage.view.layers") == [1]
    page.keyboard.press("+")
    scale = page.evaluate("nlview.stage.view.scale")
    page.keyboard.press("PageDown")
    assert page.evaluate("nlview.stage.view.layers") == [0]
    assert page.evaluate("nlview.stage.view.scale") == scale
    drag(page, (0, 0, 0), (0, 0, 2))
    assert number_at(page, (1, 0, 2)) == 1
    page.click('#tabs [data-value="all"]')
    page.keyboard.press("ArrowRight")
    expect(page.locator('#tabs [aria-checked="true"]')).to_have_text("1")
    page.keyboard.press("a")
    assert page.evaluate("nlview.stage.view.layers") == [0, 1]


def test_stack(folder: Path, show: Opener) -> None:
    """Tests that the layers can be looked at as a stack."""
    (folder / "answer.txt").write_text(ANSWER)
    page = show("problem.txt", "answer.txt")
    verdict(page, "✓ correct")
    page.keyboard.press("s")
    expect(page.locator("#picture")).to_be_visible()
    until(page, "document.getElementById('picture').naturalWidth > 100")
    page.keyboard.press("Escape")
    expect(page.locator("#picture")).to_be_hidden()


def test_mistake_is_shown_close_up(folder: Path, show: Opener) -> None:
    """Tests that a click on what is wrong or missing goes there and makes it readable."""
    shutil.copy(BOARDS / "random_36x36x8.txt", folder)
    page = show("random_36x36x8.txt")
    verdict(page, "0 of 400 joined")
    assert page.evaluate("nlview.stage.view.scale") < 10
    page.click("#open button >> nth=50")
    assert page.evaluate("nlview.stage.view.scale") >= 26
    cell = page.evaluate("nlview.store.grid.cell(nlview.store.cursor)")
    x, y = point(page, cell)
    assert 0 < x < 1100 and 90 < y < 900
    assert page.evaluate("document.activeElement.id") == "stage" or cell


@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
@pytest.mark.parametrize("size", [(1400, 900), (800, 600), (390, 844), (320, 568)])
def test_everything_is_in_its_place(show: Opener, size: tuple[int, int], locale: str) -> None:
    """Tests that at each size, in each language, no button is cut off, and lines can be drawn."""
    width, height = size
    is_phone = width < 760
    viewport = {"width": width, "height": height}
    page = show("problem.txt", touch=is_phone, viewport=viewport, locale=locale)
    until(page, "nlview.store.isJudged")
    for button in page.locator("#toolbar button:visible, #tabs button").all():
        box = button.bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= width
        assert box["y"] >= 0 and box["y"] + box["height"] <= height
        assert button.evaluate("button => button.scrollWidth <= button.clientWidth")
    stage = page.locator("#stage").bounding_box()
    assert stage and stage["width"] * stage["height"] > 0.55 * width * height
    cells = [(0, 2, 0), (0, 2, 1), (0, 2, 3)]
    if is_phone:
        touch = fingers(page)
        for kind, cell in zip(("touchStart", "touchMove", "touchMove"), cells, strict=True):
            touch(kind, point(page, cell))
        touch("touchEnd")
    else:
        drag(page, *cells)
    until(page, "nlview.store.isJudged && nlview.store.verdict.joined.length === 1")


def test_telephone_begins_with_one_layer(show: Opener) -> None:
    """Tests that a telephone has one row of large tools, one layer, and the panel as a sheet."""
    page = show("problem.txt", touch=True, **PHONE)
    verdict(page, "0 of 2 joined")
    assert page.evaluate("nlview.stage.view.layers") == [0]
    boxes = [box.bounding_box() for box in page.locator("#toolbar button:visible").all()]
    assert len({box["y"] for box in boxes if box}) == 1
    assert all(box and box["width"] >= 44 and box["height"] >= 44 for box in boxes)
    assert all(box and box["x"] + box["width"] <= 390 for box in boxes)
    stage = page.locator("#stage").bounding_box()
    expect(page.locator("#line-text")).not_to_be_in_viewport()
    page.click("#sheet")
    expect(page.locator("#line-text")).to_be_in_viewport()
    assert page.locator("#stage").bounding_box() == stage
    assert page.evaluate("getComputedStyle(document.body).overscrollBehaviorX") == "none"


def test_big_board(folder: Path, show: Opener) -> None:
    """Tests the filter of what is to do, the way back from a jump, the fold, and vias' spans."""
    shutil.copy(BOARDS / "random_24x24x3.txt", folder)
    page = show("random_24x24x3.txt")
    until(page, "nlview.store.isJudged")
    before = page.evaluate(PLACE)
    lines = page.evaluate("nlview.store.grid.lines")
    page.select_option("#filter", "short")
    number = int(page.locator("#open button").first.inner_text().split("#")[1].split()[0])
    ends = [np.array(line["ends"])[:, 1:] for line in lines]
    reach = [int(np.abs(first - second).sum()) for first, second in ends]
    assert reach[number - 1] == min(reach)
    page.select_option("#filter", "layer")
    on_layer = sum(any(z == 0 for z, *_ in line["ends"]) for line in lines)
    expect(page.locator("#open button")).to_have_count(on_layer)
    page.click("#open button >> nth=5")
    page.keyboard.press("b")
    assert page.evaluate(PLACE) == before
    expect(page.locator("#back")).to_be_hidden()
    via = page.evaluate("nlview.store.grid.vias[0]")
    page.mouse.move(*point(page, tuple(via["cells"][0])))
    expect(page.locator("#line-text")).to_contain_text(f"VIA#{via['name']} joins layers")
    page.click("#fold")
    expect(page.locator("#verdict")).to_be_hidden()
    page.keyboard.press("p")
    expect(page.locator("#verdict")).to_be_visible()


def test_names_of_buttons(show: Opener) -> None:
    """Tests that the name of each button has the text that can be read on it (WCAG 2.5.3)."""
    page = show("problem.txt")
    verdict(page, "0 of 2 joined")
    for button in page.locator("#toolbar button:visible").all():
        text = button.locator("[data-t]").all_inner_texts()
        assert all(part in (button.get_attribute("aria-label") or "") for part in text)
    show.end_server()
    page = show()
    until(page, "document.activeElement.closest('#samples') !== null")
