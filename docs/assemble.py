"""Puts the site together from what the tree has, so that nothing is written twice.

A hook of MkDocs. Pages that stand elsewhere, such as ``docs/engine.md`` and ``CONTRIBUTING.md``,
come to their places, and in a page a comment stands for what belongs there:

- ``<!-- readme: Set-up -->``: that section of the README, without its heading;
- ``<!-- commands: all -->``: the sections on commands, each with what these say of their options;
- ``<!-- file: docs/examples/route_and_plot.py -->``: a file of the tree;
- ``<!-- picture: switchbox_12x12x2 -->``: one of our boards with its answer, drawn for this.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import nlrouter

ROOT = Path(__file__).resolve().parent.parent

PLACES = {
    **{f"docs/{path.name}": path.name for path in (ROOT / "docs").glob("*.md")},
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "README.ja.md": "readme.ja.md",
    **{
        f"docs/pictures/{path.name}": f"pictures/{path.name}"
        for path in (ROOT / "docs/pictures").iterdir()
    },
}
"""Where files of the tree stand on the site."""

HOMES = {
    "README.md": "commands.md",
    "docs/examples/": "guide/examples.md",
    "docs/pages/glossary.md": "glossary.md",
    "tools/numplace/README.md": "numplace.md",
    "tools/numplace/README.ja.md": "numplace.md",
}
"""Pages that have what is in these; links to them lead there."""

ELSEWHERE = {"Introduction", "Set-up", "From Python", "Layout", "Documentation"}
"""Sections of the README that are not about commands."""

MARK = re.compile(r"^<!-- (readme|commands|file|picture): (.+) -->$", re.MULTILINE)
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that stand elsewhere, and the pictures that the pages ask for."""
    for source, place in PLACES.items():
        if place.endswith(".md"):
            text = move_links((ROOT / source).read_text(encoding="utf-8"), source, place)
            files.append(File.generated(config, place, content=text))
        else:
            files.append(File.generated(config, place, content=(ROOT / source).read_bytes()))
    pages = "".join(
        path.read_text(encoding="utf-8") for path in Path(config.docs_dir).rglob("*.md")
    )
    for name in sorted({name for kind, name in MARK.findall(pages) if kind == "picture"}):
        files.append(File.generated(config, f"pictures/{name}.svg", content=picture(name)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Put in what the page's comments stand for."""
    place = page.file.src_uri

    def fill(match: re.Match[str]) -> str:
        kind, name = match.groups()
        if kind == "readme":
            return move_links(sections()[name], "README.md", place)
        if kind == "commands":
            return move_links(commands(), "README.md", place)
        if kind == "file":
            return f"```python\n{(ROOT / name).read_text(encoding='utf-8')}```"
        return f"![The best answer to {name}]({relative(f'pictures/{name}.svg', place)})"

    return MARK.sub(fill, markdown)


def sections() -> dict[str, str]:
    """Return what stands below each heading of the README; below its title: ``Introduction``."""
    title, *parts = HEADING.split((ROOT / "README.md").read_text(encoding="utf-8"))
    # The title, and the line that leads to the other language, are the site's own.
    introduction = title.split("\n\n", 2)[2]
    texts = {"Introduction": introduction, **dict(zip(parts[::2], parts[1::2], strict=True))}
    return {heading: text.strip() for heading, text in texts.items()}


def commands() -> str:
    """Return the README's sections on commands, each with the help texts of its commands."""
    texts = sections()
    parts = []
    for heading in [heading for heading in texts if heading not in ELSEWHERE]:
        anchor = heading.lower().replace(" ", "-")
        names = re.findall(rf"\[`(\w+)`\]\(#{anchor}\)", texts["Introduction"])
        helps = [f"### {name} --help\n\n```\n{help_of(name)}```" for name in names]
        parts.append("\n\n".join([f"## {heading}", texts[heading], *helps]))
    return "\n\n".join(parts)


def help_of(command: str) -> str:
    """Return the help text of a command, and those of its own commands, if it has any."""
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    module = scripts[command].partition(":")[0]
    path = os.pathsep.join([str(ROOT), str(ROOT / "tools")])

    def ask(*words: str) -> str:
        run = subprocess.run(
            [sys.executable, "-m", module, *words, "--help"],
            env=os.environ | {"COLUMNS": "100", "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
        )
        return run.stdout

    text = ask()
    _, _, listed = text.partition("  COMMAND\n")
    words = re.findall(r"^    (\w+)", listed, re.MULTILINE)
    return "\n".join([text, *(ask(word) for word in words)])


def picture(name: str) -> bytes:
    """Draw one of our boards with its best answer."""
    problem = nlrouter.read_problem(ROOT / "problems" / f"{name}.txt")
    answer = nlrouter.read_answer(ROOT / "answers" / f"{name}.txt")
    from nlrouter.drawing.picture import render

    return render(nlrouter.draw(problem, answer, title=name), "svg")


def move_links(text: str, source: str, place: str) -> str:
    """Return a text whose links, made for its file in the tree, fit its place on the site.

    Parameters
    ----------
    text
        The text.
    source
        Its file, from the top of the tree.
    place
        Its page, from the top of the site.
    """

    def move(match: re.Match[str]) -> str:
        target = match[2]
        path, sign, heading = target.partition("#")
        if re.match(r"[a-z]+:", target) or (not path and source in PLACES):
            return match[0]
        found = os.path.normpath(os.path.join(os.path.dirname(source), path)) if path else source
        found += "/" * path.endswith("/")
        page = PLACES.get(found) or HOMES.get(found)
        if page is None:
            raise PluginError(f"{source}: found a link to {target}, expected one into the site")
        if page == place and sign:
            return f"{match[1]}#{heading}{match[3]}"
        return f"{match[1]}{relative(page, place)}{sign}{heading}{match[3]}"

    return LINK.sub(move, text)


def relative(target: str, place: str) -> str:
    """Return the way from one place on the site to another."""
    return os.path.relpath(target, os.path.dirname(place) or ".")
