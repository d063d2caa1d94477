"""All techniques, the easiest first, with their levels and scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from numplace.logic import (
    almost_locked,
    assumption,
    bounds,
    chains,
    colouring,
    fish,
    locked,
    single_digit,
    singles,
    subsets,
    sue_de_coq,
    sums,
    uniqueness,
    wings,
)
from numplace.logic.state import State
from numplace.logic.step import Step

LEVELS = ("easy", "medium", "hard", "very hard", "extreme")
"""The levels, from 1 on."""


@dataclass(frozen=True)
class Technique:
    """A way to find steps.

    Parameters
    ----------
    name
        As in steps and on the command line.
    level
        From 1; see `LEVELS`.
    score
        What one step counts for; HoDoKu's default where it has the technique.
    find
        Returns its steps in a state, in a fixed order.
    group
        What else it is called together with others on the command line.
    """

    name: str
    level: int
    score: int
    find: Callable[[State], Iterator[Step]]
    group: str

    @property
    def assumes_unique(self) -> bool:
        """Whether it is tried only in a puzzle with one solution.

        Uniqueness holds only there. A search would hold, but where there are several solutions
        it refutes little and takes long.
        """
        return self.group == "uniqueness" or self.name == "search"


def _ladder(
    *rows: tuple[str, int, int, Callable[[State], Iterator[Step]], str],
) -> tuple[Technique, ...]:
    return tuple(Technique(*row) for row in rows)


LADDER = _ladder(
    ("full house", 1, 4, singles.full_house, "singles"),
    ("naked single", 1, 4, singles.naked_single, "singles"),
    ("hidden single", 1, 14, singles.hidden_single, "singles"),
    ("parity", 2, 20, bounds.parity, "clues"),
    ("order", 2, 30, bounds.order, "clues"),
    ("thermometer", 2, 30, bounds.thermometer, "clues"),
    ("joint", 2, 40, bounds.joint, "clues"),
    ("pointing", 2, 50, locked.pointing, "locked candidates"),
    ("claiming", 2, 50, locked.claiming, "locked candidates"),
    ("common peers", 2, 55, locked.common_peers, "locked candidates"),
    ("combinations", 2, 60, sums.combinations_of_clue, "clues"),
    ("naked pair", 2, 60, subsets.naked_subset(2), "subsets"),
    ("hidden pair", 2, 70, subsets.hidden_subset(2), "subsets"),
    ("naked triple", 2, 80, subsets.naked_subset(3), "subsets"),
    ("hidden triple", 2, 100, subsets.hidden_subset(3), "subsets"),
    ("naked quad", 3, 120, subsets.naked_subset(4), "subsets"),
    ("hidden quad", 3, 150, subsets.hidden_subset(4), "subsets"),
    ("45 rule", 3, 120, sums.total, "clues"),
    ("line combinations", 3, 150, sums.combinations_of_line, "clues"),
    ("hidden thermometer", 3, 150, bounds.hidden_thermometer, "clues"),
    ("x-wing", 3, 140, fish.fish(2), "fish"),
    ("swordfish", 3, 150, fish.fish(3), "fish"),
    ("jellyfish", 3, 160, fish.fish(4), "fish"),
    ("simple colouring", 3, 150, colouring.simple_colouring, "colouring"),
    ("xy-wing", 3, 160, wings.xy_wing, "wings"),
    ("xyz-wing", 3, 180, wings.xyz_wing, "wings"),
    ("skyscraper", 3, 130, single_digit.skyscraper, "turbot"),
    ("2-string kite", 3, 150, single_digit.two_string_kite, "turbot"),
    ("turbot fish", 3, 120, single_digit.turbot_fish, "turbot"),
    ("empty rectangle", 3, 120, single_digit.empty_rectangle, "turbot"),
    ("w-wing", 3, 150, wings.w_wing, "wings"),
    ("unique rectangle 1", 3, 100, uniqueness.unique_rectangle(1), "uniqueness"),
    ("unique rectangle 2", 3, 100, uniqueness.unique_rectangle(2), "uniqueness"),
    ("unique rectangle 3", 3, 100, uniqueness.unique_rectangle(3), "uniqueness"),
    ("unique rectangle 4", 3, 100, uniqueness.unique_rectangle(4), "uniqueness"),
    ("hidden rectangle", 3, 100, uniqueness.hidden_rectangle, "uniqueness"),
    ("bug+1", 3, 100, uniqueness.bug_plus_one, "uniqueness"),
    ("remote pair", 3, 110, wings.remote_pair, "chains"),
    ("multi-colouring", 3, 200, colouring.multi_colouring, "colouring"),
    ("finned x-wing", 3, 130, fish.fish(2, finned=True), "fish"),
    ("finned swordfish", 4, 200, fish.fish(3, finned=True), "fish"),
    ("finned jellyfish", 4, 250, fish.fish(4, finned=True), "fish"),
    ("sue de coq", 4, 250, sue_de_coq.sue_de_coq, "als"),
    ("x-chain", 4, 260, chains.x_chain, "chains"),
    ("xy-chain", 4, 260, chains.xy_chain, "chains"),
    ("nice loop", 4, 280, chains.nice_loop, "chains"),
    ("grouped nice loop", 4, 300, chains.grouped_nice_loop, "chains"),
    ("als-xz", 4, 300, almost_locked.als_xz, "als"),
    ("als-xy-wing", 4, 320, almost_locked.als_xy_wing, "als"),
    ("als chain", 4, 340, chains.als_chain, "als"),
    ("death blossom", 4, 360, almost_locked.death_blossom, "als"),
    ("two-line combinations", 4, 350, sums.combinations_of_two_lines, "clues"),
    ("assumption", 5, 500, assumption.assumption, "assumption"),
    ("forcing net", 5, 700, assumption.forcing_net, "assumption"),
    ("search", 5, 10000, assumption.search, "assumption"),
)
"""The techniques in the order in which they are tried.

What most solvers have comes first within a level: simple colouring, XY- and XYZ-wing before the
patterns of two strong links and W-wings, which often do the same.
"""

DOCUMENT = _ladder(
    ("naked single", 1, 4, singles.naked_single, "singles"),
    ("hidden single", 1, 14, singles.hidden_single_lines_first, "singles"),
    ("naked pair", 2, 60, subsets.naked_subset(2), "subsets"),
    ("naked triple", 2, 80, subsets.naked_subset(3), "subsets"),
    ("naked quad", 3, 120, subsets.naked_subset(4), "subsets"),
)
"""The techniques of the text document, in its order: no others, lines before blocks."""

OTHER_NAMES = {
    "locked": "lockedcandidate",
    "kite": "2stringkite",
    "aic": "niceloop",
    "groupedaic": "groupedniceloop",
    "ur": "uniquerectangle",
}
"""Other words for techniques and groups, in the plain form that `select` compares."""

BY_NAME = {technique.name: technique for technique in LADDER}


def select(wanted: str = "strong", without: Iterable[str] = ()) -> tuple[Technique, ...]:
    """Return the techniques of a list, in the ladder's order.

    Parameters
    ----------
    wanted
        ``document``, ``strong`` for all, or names separated by commas: of techniques, of
        groups (``fish``) or of families (``unique rectangle``).
    without
        Names of those to leave out.

    Raises
    ------
    ValueError
        If a name is unknown; its text lists the known ones.
    """
    ladder = LADDER
    if _plain(wanted) == "document":
        ladder = DOCUMENT
    elif _plain(wanted) != "strong":
        names = _named(wanted.split(","))
        ladder = tuple(each for each in LADDER if each.name in names)
    left_out = _named(without)
    return tuple(each for each in ladder if each.name not in left_out)


def _named(words: Iterable[str]) -> set[str]:
    """Return the names of the techniques that words mean."""
    found: set[str] = set()
    for word in words:
        plain = _plain(word)
        if not plain:
            continue
        if plain == "document":
            found |= {each.name for each in DOCUMENT}
            continue
        matching = {
            each.name
            for each in LADDER
            if plain in (_plain(each.name), _plain(each.group))
            or _plain(each.name).rstrip("1234") == plain
        }
        if not matching:
            groups = dict.fromkeys(each.group for each in LADDER)
            raise ValueError(
                f"{word.strip()!r} is no technique; known are document, strong, "
                f"{', '.join(BY_NAME)}, and the groups {', '.join(groups)}"
            )
        found |= matching
    return found


def _plain(name: str) -> str:
    """Return a name without what people write in different ways."""
    letters = "".join(letter for letter in name.lower() if letter.isalnum() or letter == "+")
    plain = letters.replace("coloring", "colouring").removesuffix("s")
    return OTHER_NAMES.get(plain, plain)
