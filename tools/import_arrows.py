"""List which room of nlrouter imports from which, and say what runs up.

A room is a folder, in the engine each of its folders; the modules beside the folders are the
ground that all stand on, but for those of the public interface. Imports inside functions and for
types alone count as well; a module that is started by its name, as a process of its own, does not.

The exit code is 1 if a room imports from its own floor or a higher one, if it has no floor, or if
the checker, which judges what the engine finds, comes to know a file of the engine.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from arguments import checked, require_folder
from interrupt import interruptible

ROOT = Path(__file__).resolve().parent.parent

INTERFACE = ("", "interface")
"""Modules beside the folders that are no ground but the doors; the first is the package itself."""

FLOORS = (
    ("ground",),
    ("files", "checker"),
    ("keep", "puzzle"),
    ("engine.schedule", "engine.nets"),
    ("engine.paths",),
    ("engine.bounds",),
    ("engine.exact",),
    ("engine.find", "engine.prove"),
    ("engine",),
    ("certifier",),
    ("generators", "drawing", "runs", "routing"),
    ("analyse",),
    ("interface",),
    ("tell",),
    ("batch", "contest", "view"),
    ("commands",),
)
"""The rooms, from the lowest floor up. Those of one floor know nothing of each other."""

JUDGE, JUDGED = "checker", "engine"
"""The room that must not come to know the other, by whatever way."""


@dataclass(frozen=True)
class Import:
    """An import of one module of the package by another.

    Parameters
    ----------
    path
        The file that has it.
    line
        Its line in the file.
    source, target
        The modules, by their names within the package; empty for the package itself.
    """

    path: Path
    line: int
    source: str
    target: str


def main(arguments: Sequence[str] | None = None) -> int:
    """List the arrows, and complain; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "package",
        nargs="?",
        type=checked(require_folder),
        default=ROOT / "nlrouter",
        metavar="FOLDER",
        help="the package (default: nlrouter/)",
    )
    package = parser.parse_args(arguments).package
    imports = list(imports_of(package))
    arrows = Counter((room(package, one.source), room(package, one.target)) for one in imports)
    for floor in reversed(FLOORS):
        for name in floor:
            targets = sorted((b, n) for (a, b), n in arrows.items() if a == name != b)
            told = "  ".join(f"{target} {count}" for target, count in targets)
            print(f"{name:<16} -> {told or '-'}")
    errors = [*_upward(package, imports), *_known_to_the_judge(imports)]
    print(f"{sum(a != b for a, b in arrows)} arrows, {len(errors)} wrong")
    for error in errors:
        print(error, file=sys.stderr)
    return int(bool(errors))


def imports_of(package: Path) -> Iterator[Import]:
    """Yield all imports between modules of a package, wherever they stand in a file."""
    for path in sorted([*package.rglob("*.py"), *package.rglob("*.pyi")]):
        source = _name(package, path)
        here = path.parent.relative_to(package).parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name.split(".") for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                start = (node.module or "").split(".") if node.module else []
                if node.level:
                    start = [package.name, *here[: len(here) + 1 - node.level], *start]
                names = [[*start, alias.name] for alias in node.names]
            else:
                continue
            for parts in names:
                if parts[0] == package.name:
                    yield Import(path, node.lineno, source, _module(package, parts[1:]))


def room(package: Path, module: str) -> str:
    """Return the room of a module: its folder, or what the modules beside the folders are."""
    if module in INTERFACE:
        return "interface"
    parts = module.split(".")
    folders = parts if package.joinpath(*parts).is_dir() else parts[:-1]
    if not folders:
        return "ground"
    return ".".join(folders[: 2 if folders[0] == JUDGED else 1])


def _name(package: Path, path: Path) -> str:
    """Return the name of a file's module."""
    parts = path.relative_to(package).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _module(package: Path, parts: list[str]) -> str:
    """Return the module that has what is imported, which may be the module itself."""
    path = package.joinpath(*parts)
    if parts and not (path.is_dir() or path.with_suffix(".py").exists()):
        parts = parts[:-1]
    return ".".join(parts)


def _upward(package: Path, imports: Sequence[Import]) -> Iterator[str]:
    """Yield what is wrong with imports that do not lead down."""
    height = {name: floor for floor, names in enumerate(FLOORS) for name in names}
    for one in imports:
        source, target = room(package, one.source), room(package, one.target)
        if missing := [name for name in (source, target) if name not in height]:
            yield f"{one.path}:{one.line}: {missing[0]} has no floor; give it one in FLOORS"
        elif source != target and height[target] >= height[source]:
            yield f"{one.path}:{one.line}: {source} imports {one.target}, which is not below it"


def _known_to_the_judge(imports: Sequence[Import]) -> Iterator[str]:
    """Yield the ways by which a module of the judge comes to know one of the judged."""
    targets: dict[str, list[str]] = {}
    for one in imports:
        # Whoever imports a module runs the `__init__` of its folders too.
        folders = [one.target.rsplit(".", n)[0] for n in range(one.target.count(".") + 1)]
        targets.setdefault(one.source, []).extend(folders)
    judges = [name for name in targets if name.split(".")[0] == JUDGE]
    ways = {name: name for name in judges}
    queue = list(judges)
    while queue:
        name = queue.pop()
        for target in targets.get(name, []):
            if target not in ways:
                ways[target] = f"{ways[name]} -> {target}"
                queue.append(target)
    for name, way in sorted(ways.items()):
        if name.split(".")[0] == JUDGED:
            yield f"the {JUDGE} knows the {JUDGED}: {way}"


if __name__ == "__main__":
    sys.exit(interruptible(main))
