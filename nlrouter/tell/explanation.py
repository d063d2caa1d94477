"""How ``nlroute --explain`` tells an explanation: in words, and as JSON."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from nlrouter.analyse.explain import Detour, Explanation, Missing, ViaUse, explain, missing_lines
from nlrouter.answer import Answer
from nlrouter.problem import Problem
from nlrouter.result import Outcome


@dataclasses.dataclass(frozen=True)
class Failure:
    """Why there is no answer.

    Parameters
    ----------
    reason
        Why there cannot be one; empty if that is not proven.
    lines
        How many lines the problem has.
    missing
        Those that could not be routed beside the others; None if it did not come to routing.
    """

    reason: str
    lines: int
    missing: list[Missing] | None


def explain_result(
    problem: Problem, result: Outcome, fixed: frozenset[int], kept: Answer | None = None
) -> Explanation | Failure:
    """Explain how a search ended whose fixed lines had to stay, and the cells kept (see there)."""
    if result.answer is not None:
        return explain(problem, result.answer, fixed)
    partial = result.partial
    if partial is None and not result.reason:  # The time was up before a first line was drawn.
        partial = np.zeros(problem.shape, np.int32)
    missing = None if partial is None else missing_lines(problem, partial, kept)
    return Failure(result.reason, len(problem.lines), missing)


def format_told(told: Explanation | Failure) -> str:
    """Return an explanation in words."""
    return format_explanation(told) if isinstance(told, Explanation) else format_failure(told)


def format_explanation(explanation: Explanation) -> str:
    """Return the explanation of an answer in words, each sentence on a line."""
    rows = ["cost per layer:"]
    for z, cost in enumerate(explanation.layers, start=1):
        rows.append(f"  layer {z}: {cost.total} = {cost.length} cells + {cost.bends} bends")
    if explanation.vias:
        rows.append("vias:")
        rows += [f"  LINE#{use.line} takes VIA#{use.via}{_others(use)}" for use in explanation.vias]
    rows.append("detours:" if explanation.detours else "detours: none")
    rows += [f"  {_detour(detour)}" for detour in explanation.detours]
    return "\n".join(rows) + "\n"


def format_failure(failure: Failure) -> str:
    """Return why there is no answer in words, each sentence on a line."""
    unproven = "none was found in time, nor a proof that there is none"
    rows = [f"no answer: {failure.reason or unproven}"]
    if failure.missing is not None:
        routed = failure.lines - len(failure.missing)
        so = "; missing:" if failure.missing else ": a longer search has an answer"
        rows.append(f"{routed} of {failure.lines} lines could be routed together{so}")
        rows += [f"  LINE#{line.line}: {_blame(line)}" for line in failure.missing]
    return "\n".join(rows) + "\n"


def explanation_record(told: Explanation | Failure) -> dict[str, Any]:
    """Return an explanation as JSON has it; its layers are listed from the lowest up."""
    return dataclasses.asdict(told)


def _blame(line: Missing) -> str:
    if line.walled_in:
        return "ends and vias leave it no way"
    own = ["what is drawn of it"] * (line.line in line.blockers)
    names = ", ".join([*own, *(f"LINE#{other}" for other in line.blockers if other != line.line)])
    return f"{names} stand{'s' * (len(line.blockers) == 1)} in its way"


def _others(use: ViaUse) -> str:
    if use.next_extra is None:
        return ", the only one it can take"
    text = (
        f"; next is VIA#{use.next_via} of LINE#{use.next_line}: at best {_change(use.next_extra)}"
    )
    if use.next_around:
        text += f", with {_names(use.next_around)} in the way"
    if use.swap_extra is None:
        return f"{text}; no exchange found as the others lie"
    change = _change(use.swap_extra)
    return f"{text}; exchanged with LINE#{use.swap_line} for VIA#{use.swap_via}: both {change}"


def _change(extra: int) -> str:
    if extra == 0:
        return "the same"
    return f"{abs(extra)} {'more' if extra > 0 else 'less'}"


def _detour(detour: Detour) -> str:
    text = f"LINE#{detour.line} costs {detour.cost}, {detour.cost - detour.least} more than alone, "
    if detour.around:
        return f"{text}around {_names(detour.around)}"
    return f"{text}although nothing is in its way"


def _names(numbers: list[int]) -> str:
    return ", ".join(f"LINE#{number}" for number in numbers)
