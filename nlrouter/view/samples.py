"""Boards to begin with, from easy to hard; the page names them in its own language."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from nlrouter.files.problem_file import parse_problem
from nlrouter.view.documents import problem_json


@cache
def samples() -> list[dict[str, Any]]:
    """Return the boards of the folder ``samples``, each with its ``name``, in their order."""
    folder = files("nlrouter.view") / "samples"
    found = sorted((file for file in folder.iterdir()), key=lambda file: file.name)
    return [
        {
            "name": file.name,
            "problem": problem_json(parse_problem(file.read_text(encoding="utf-8"), file.name)),
        }
        for file in found
        if file.name.endswith(".txt")
    ]
