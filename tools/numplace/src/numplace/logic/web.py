"""Nodes and links: which candidates cannot both be false, and which not both true.

A *node* says that one cell of a group holds a number; mostly the group is a single cell. A
*strong link* joins two nodes that are not both false: the two candidates of a cell, the two
places, or groups of places, of a number in a house, two numbers of an almost locked set. A
*weak link* joins two that are not both true: by a cell, a house, a sign or a joint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations

from numplace.constraints import Joint, NotJoint
from numplace.logic.almost_locked import AlmostLocked, almost_locked_sets
from numplace.logic.bitset import lowest, members
from numplace.logic.build import Node
from numplace.logic.state import State

MOST_CELLS_IN_CHAIN = 4
"""Cells of the largest almost locked set that makes a link."""


@dataclass
class Web:
    """Nodes and their links; nodes are numbered, sets of them are bit sets."""

    state: State
    digits: Iterable[int]
    cells: bool = True
    houses: bool = True
    groups: bool = False
    sets: bool = False
    nodes: list[Node] = field(default_factory=list)
    strong: list[int] = field(default_factory=list)
    weak: list[int] = field(default_factory=list)
    house_of: dict[tuple[int, int], str] = field(default_factory=dict)
    clues_of: dict[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)
    set_of: dict[tuple[int, int], AlmostLocked] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._number: dict[Node, int] = {}
        for digit in self.digits:
            for cell in members(self.state.at(digit)):
                self._add((1 << cell, digit))
        self.single = (1 << len(self.nodes)) - 1
        if self.groups:
            self._add_groups()
        sets = self._sets()
        for each in sets:
            for digit in members(each.digits):
                self._add((each.places[digit], digit))
        self._link_weakly()
        self._link_strongly()
        for each in sets:
            self._link_set(each)

    def _add(self, node: Node) -> None:
        if node not in self._number:
            self._number[node] = len(self.nodes)
            self.nodes.append(node)

    def _add_groups(self) -> None:
        houses = self.state.topology.houses
        for block in houses:
            if block.kind not in ("block", "group"):
                continue
            for house in houses:
                if house is block or house.kind in ("block", "group"):
                    continue
                common = block.bits & house.bits
                for digit in self.digits:
                    places = common & self.state.at(digit)
                    if places.bit_count() >= 2:
                        self._add((places, digit))

    def _sets(self) -> list[AlmostLocked]:
        if not self.sets:
            return []
        return [
            each
            for each in almost_locked_sets(self.state)
            if 2 <= each.cells.bit_count() <= MOST_CELLS_IN_CHAIN
        ]

    def _link_set(self, each: AlmostLocked) -> None:
        for x, z in combinations(members(each.digits), 2):
            a, b = self._number[each.places[x], x], self._number[each.places[z], z]
            if not self.strong[a] >> b & 1:
                self._join(a, b, each.house)
                self.set_of[a, b] = self.set_of[b, a] = each

    def _link_weakly(self) -> None:
        by_digit: dict[int, list[int]] = {}
        by_cell: dict[int, int] = {}
        for number, (cells, digit) in enumerate(self.nodes):
            by_digit.setdefault(digit, []).append(number)
            if cells.bit_count() == 1:
                by_cell[cells] = by_cell.get(cells, 0) | 1 << number
        seen = [self.state.topology.seen_by_all(cells) for cells, _ in self.nodes]
        for number, (cells, digit) in enumerate(self.nodes):
            links = 0
            for other in by_digit[digit]:
                group = self.nodes[other][0]
                if group & seen[number] == group:
                    links |= 1 << other
            links |= by_cell.get(cells, 0)
            self.weak.append(links & ~(1 << number))
        self._link_by_clues()

    def _link_by_clues(self) -> None:
        """Link candidates of two cells that a sign or a joint keeps from being true together."""
        topology = self.state.topology
        for (a, b), gap in topology.gaps.items():
            self._forbid((a, b), gap.names, partial(_too_close, gap.least))
        for clue in topology.clues:
            if isinstance(clue.constraint, Joint):
                self._forbid(clue.cells, (clue.name,), lambda x, y: abs(x - y) != 1)
            elif isinstance(clue.constraint, NotJoint):
                self._forbid(clue.cells, (clue.name,), lambda x, y: abs(x - y) < 2)
        if self.clues_of:
            self._link_groups_by_clues()

    def _link_groups_by_clues(self) -> None:
        """Link groups to the candidates that all their members keep from being true."""
        for number in range(self.single.bit_length(), len(self.nodes)):
            links = self.single
            for member in self._members(number):
                links &= self.weak[member]
            for other in members(links & ~self.weak[number]):
                self.weak[number] |= 1 << other
                self.weak[other] |= 1 << number

    def _members(self, number: int) -> list[int]:
        """Return the nodes of the single cells of a node."""
        cells, digit = self.nodes[number]
        return [self._number[1 << cell, digit] for cell in members(cells)]

    def _forbid(
        self,
        cells: tuple[int, ...],
        names: tuple[str, ...],
        apart: Callable[[int, int], bool],
    ) -> None:
        """Link the candidates of two cells that a relation keeps apart, for clues of such names."""
        a, b = cells
        for x in members(self.state.masks[a]):
            for y in members(self.state.masks[b]):
                one, other = self._number.get((1 << a, x)), self._number.get((1 << b, y))
                if one is None or other is None or not apart(x, y):
                    continue
                if not self.weak[one] >> other & 1:
                    self.weak[one] |= 1 << other
                    self.weak[other] |= 1 << one
                    self.clues_of[one, other] = self.clues_of[other, one] = names

    def _link_strongly(self) -> None:
        self.strong = [0] * len(self.nodes)
        if self.cells:
            for cell in self.state.bivalue():
                pair = [self._number.get((1 << cell, d)) for d in members(self.state.masks[cell])]
                if None not in pair:
                    self._join(pair[0], pair[1], "")  # type: ignore[arg-type]
        if not self.houses:
            return
        for house in self.state.topology.houses:
            for digit in self.digits:
                places = self.state.at(digit) & house.bits
                if house.digits >> digit & 1 and places.bit_count() >= 2:
                    self._join_places(places, digit, house.name)

    def _join_places(self, places: int, digit: int, house: str) -> None:
        """Link any two nodes that together are all places of a number in a house."""
        if not self.groups:
            if places.bit_count() == 2:
                first = places & -places
                self._join(self._number[first, digit], self._number[places & ~first, digit], house)
            return
        for (cells, node_digit), number in self._number.items():
            if node_digit == digit and cells & places == cells:
                other = self._number.get((places & ~cells, digit))
                if other is not None and other > number:
                    self._join(number, other, house)

    def _join(self, a: int, b: int, house: str) -> None:
        self.strong[a] |= 1 << b
        self.strong[b] |= 1 << a
        self.house_of.setdefault((min(a, b), max(a, b)), house)

    def pairs(self, a: int, b: int, clues: dict[str, None]) -> list[tuple[int, int]]:
        """Return the pairs of cells that make a weak link; none within a cell.

        If clues make it, they are noted instead.
        """
        pairs = []
        for one in self._members(a):
            for other in self._members(b):
                if (one, other) in self.clues_of:
                    clues.update(dict.fromkeys(self.clues_of[one, other]))
                elif self.nodes[one][1] == self.nodes[other][1]:
                    pairs.append((lowest(self.nodes[one][0]), lowest(self.nodes[other][0])))
        return pairs


def _too_close(least: int, x: int, y: int) -> bool:
    return x + least > y
