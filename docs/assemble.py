"""Puts the site together from the pages as they stand in the tree, each at its own path.

A hook of MkDocs. Links between pages lead from file to file, so they hold wherever the files are
read. In a page a comment stands for what belongs there and is written elsewhere:

- ``<!-- help: nlroute -->``: what a command tells of its options;
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
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import nlrouter

ROOT = Path(__file__).resolve().parent.parent

PAGES = ("*.md", "docs/**/*.md", "docs/pictures/*.*", "tools/*.md", "tools/numplace/*.md")
"""Files of the tree that the site shows."""

MARK = re.compile(r"^<!-- (help|file|picture): (.+) -->$", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Return the theme's files, those of the tree, and the pictures that the pages ask for."""
    shown = [file for file in files if not file.is_documentation_page()]
    pictures = set()
    for path in sorted({path for pattern in PAGES for path in ROOT.glob(pattern)}):
        place = path.relative_to(ROOT).as_posix()
        shown.append(File.generated(config, place, abs_src_path=str(path)))
        if path.suffix == ".md":
            marks = MARK.findall(path.read_text(encoding="utf-8"))
            pictures |= {name for kind, name in marks if kind == "picture"}
    for name in sorted(pictures):
        shown.append(File.generated(config, f"pictures/{name}.svg", content=picture(name)))
    return Files(shown)


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Put in what the page's comments stand for."""
    top = os.path.relpath(".", os.path.dirname(page.file.src_uri) or ".")

    def fill(match: re.Match[str]) -> str:
        kind, name = match.groups()
        if kind == "help":
            return f"```\n{help_of(name)}```"
        if kind == "file":
            return f"```python\n{(ROOT / name).read_text(encoding='utf-8')}```"
        return f"![The best answer to {name}]({top}/pictures/{name}.svg)"

    return MARK.sub(fill, markdown)


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
