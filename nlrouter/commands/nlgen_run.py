"""What ``nlgen`` does: make problem files that have a hidden answer.

Every board is checked before it is written: the problem by reading it as a file, its answer by
the rules. The hidden answer goes to the disk first, so that no problem stands there without.
"""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nlrouter.answer import Answer
from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.commands.frame import Exit, complain, put, say, tell
from nlrouter.files.answer_file import format_answer
from nlrouter.files.atomic import write_atomically
from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import format_problem, parse_problem
from nlrouter.generators import NoBoard
from nlrouter.interface.boards import generate
from nlrouter.problem import Problem
from nlrouter.result import Status

if TYPE_CHECKING:
    from nlrouter.analyse.difficulty import Difficulty


def run(args: argparse.Namespace) -> Exit:
    """Make the boards that the options ask for; return the exit code."""
    seeds = range(args.seed, args.seed + (args.count or 1))
    files = {seed: _files(args, seed) for seed in seeds}
    if args.count:
        _make_folder(args.output)
    _require_absent(args, list(files.values()))
    code = Exit.DONE
    for seed in seeds:
        try:
            code = max(code, _make_board(args, seed, files[seed]))
        except NoBoard as error:
            complain("nlgen", f"seed {seed}: {error}")
            code = Exit.NOT_DONE
        except ValueError as error:  # No board can be so.
            complain("nlgen", str(error))
            return Exit.BAD_INPUT
    return code


@dataclass(frozen=True)
class _Files:
    """Where a board goes; None for what goes nowhere, or for a problem to standard output."""

    problem: str | None
    hidden: str | None
    optimum: str | None


def _make_board(args: argparse.Namespace, seed: int, files: _Files) -> Exit:
    """Make, check, write and report a board; return the exit code."""
    problem, hidden = _generate(args, seed)
    _check(problem, hidden)
    if not _write(files, format_problem(problem), format_answer(hidden, len(problem.lines))):
        return Exit.NOT_DONE
    if files.optimum is not None and os.path.isfile(files.optimum):
        os.unlink(files.optimum)  # Replaced by --force, with the board that it belongs to.
    found = None
    if args.solve or args.difficulty:
        from nlrouter.analyse.difficulty import difficulty

        found = difficulty(problem, args.time_limit, seed=seed)
        result = found.result
        if args.solve and files.optimum is not None and result.status is Status.OPTIMAL:
            assert result.answer is not None
            _check(problem, result.answer)
            write_atomically(files.optimum, format_answer(result.answer, len(problem.lines)))
    _report(args, seed, files, problem, hidden, found)
    unproven = args.solve and found is not None and found.result.status is not Status.OPTIMAL
    return Exit.NOT_DONE if unproven else Exit.DONE


def _write(files: _Files, problem: str, hidden: str) -> bool:
    """Write a board and its hidden answer; return whether standard output took what goes there."""
    new = files.hidden is not None and not os.path.exists(files.hidden)
    if files.hidden is not None:
        write_atomically(files.hidden, hidden)
    if files.problem is None:
        return put(problem, "the problem")
    try:
        write_atomically(files.problem, problem)
    except FileError:
        if files.hidden is not None and new:
            os.unlink(files.hidden)
        raise
    return True


def _generate(args: argparse.Namespace, seed: int) -> tuple[Problem, Answer]:
    """Make the board that the options ask for."""
    spans = args.spans
    if not isinstance(spans, str):
        spans = [(bottom + 1, top + 1) for bottom, top in spans]
    return generate(
        args.kind,
        args.size,
        lines=args.lines,
        vias=args.vias,
        spans=spans,
        fill=args.fill,
        windiness=args.windiness,
        seed=seed,
        unique=args.unique or False,
        time_limit=args.time_limit,
    )


def _check(problem: Problem, answer: Answer) -> None:
    """Make sure that a board is what a file may hold and an answer right, whoever made them."""
    if parse_problem(format_problem(problem), "<made>") != problem:
        raise AssertionError("the problem is not the same when it is read again")
    found = violations(problem, answer)
    if found:
        raise AssertionError(found[0].text)


def _report(
    args: argparse.Namespace,
    seed: int,
    files: _Files,
    problem: Problem,
    hidden: Answer,
    found: Difficulty | None,
) -> None:
    """Say what was made."""
    cost = measure(hidden)
    record = {
        "problem": files.problem,
        "hidden": files.hidden,
        "kind": args.kind,
        "seed": seed,
        "size": [problem.width, problem.height, problem.layers],
        "lines": len(problem.lines),
        "vias": len(problem.vias),
        "fill": cost.length / hidden.size,
        "hidden_cost": cost.total,
        "unique": True if args.unique else None,
        "rules": args.unique,
    }
    parts = [
        f"{args.kind} {problem.size}, seed {seed}",
        f"{len(problem.lines)} lines, {len(problem.vias)} across layers",
        f"{100 * cost.length / hidden.size:.0f} % filled",
    ]
    if args.unique:
        parts.append("only one answer" + (f" ({args.unique})" if args.unique != "adc" else ""))
    more = []
    if found is not None:
        more.append(_of_search(found, is_graded=args.difficulty))
    if args.difficulty and args.unique and problem.layers == 1:
        more.append(_of_people(problem, args.unique))
    for facts, words in more:
        record |= facts
        parts += words
    if args.json:
        say(json.dumps(record))
    if not args.quiet:
        tell(f"{files.problem or '<stdout>'}: {'; '.join(parts)}")


def _of_search(found: Difficulty, *, is_graded: bool) -> tuple[dict[str, Any], list[str]]:
    """Return what a search has shown of a board, as facts and in words."""
    bound = found.result.lower_bound
    optimum = bound if found.result.status is Status.OPTIMAL else None
    facts = {
        "optimum": optimum,
        "lower_bound": bound,
        "first_cost": found.first,
        "root_bound": found.root,
        "cost_alone": found.alone,
        "difficulty": found.grade,
    }
    words = ["optimum not proven in time" if optimum is None else f"optimum {optimum}"]
    if is_graded:
        words.append(
            f"{found.grade}: first answer {found.first}, bound without branching {found.root}"
        )
    return facts, words


def _of_people(problem: Problem, rules: str) -> tuple[dict[str, Any], list[str]]:
    """Return how hard a puzzle is for people, as facts and in words."""
    from nlrouter.puzzle.person import person_difficulty

    person = person_difficulty(problem, rules)
    told = f", {person.suppositions} suppositions" if person.suppositions else ""
    facts = {"person": person.grade, "suppositions": person.suppositions}
    return facts, [f"for people {person.grade}{told}"]


def _files(args: argparse.Namespace, seed: int) -> _Files:
    """Name the files of a board."""
    if args.output is None:
        return _Files(None, args.answer, None)
    path = args.output
    if args.count:
        size = "x".join(map(str, args.size))
        path = os.path.join(path, f"{args.kind}_{size}_s{seed}.txt")
    stem = os.path.splitext(path)[0]
    return _Files(path, args.answer or f"{stem}.hidden", f"{stem}.optimum")


def _make_folder(path: str) -> None:
    """Make the folder of many boards."""
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        found = f"no way to make the folder ({error.strerror or error})"
        raise FileError(path, None, found, "a folder for the boards") from error


def _require_absent(args: argparse.Namespace, files: list[_Files]) -> None:
    """Refuse to replace anything, or to write two things to one file."""
    for board in files:
        paths = [p for p in (board.problem, board.hidden, board.optimum) if p is not None]
        if len({os.path.realpath(path) for path in paths}) < len(paths):
            raise FileError(paths[0], None, "the same file for two things", "a file for each")
        for path in paths:
            if os.path.isdir(path):
                raise FileError(path, None, "a folder", "a file (--count N fills a folder)")
            if path == board.problem and os.path.exists(path) and not os.path.isfile(path):
                raise FileError(path, None, "a device", "a file for the problem")
            if os.path.isfile(path) and not args.force:
                raise FileError(path, None, "a file", "none yet (--force replaces it)")
