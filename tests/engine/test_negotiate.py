"""Tests of negotiation and improvement: what they call a routing is one, and is no worse."""

import numpy as np
import pytest

from nlrouter.engine.find.group_kernels import ReworkConfig, overlaps_of, rework
from nlrouter.engine.find.negotiate import Layer, NegotiateConfig, Paths, negotiate, seed_random
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.paths.cost import path_cost, total_cost
from nlrouter.generators import generate
from tests.engine.tiny_layers import check_routing, random_nets

NO_LIMIT = 1 << 40


def crowded(seed: int) -> Nets:
    """Return a layer that is filled well by a hidden answer."""
    problem, _ = generate(9, 8, 1, 7, 0, 0.65, seed=seed)
    return nets_of(problem)


class Board:
    """The paths of one layer and what a negotiation needs."""

    def __init__(self, nets: Nets) -> None:
        self.nets = nets
        self.members = np.arange(nets.count, dtype=np.int32)
        self.layer = Layer(
            nets.source, nets.target, nets.free[0], np.zeros(nets.cells), nets.stride
        )
        self.routed = Paths(
            np.zeros((nets.count, nets.cells), np.int32), np.zeros(nets.count, np.int32)
        )
        self.held = np.zeros(nets.cells, np.int32)

    def negotiate(self, rounds: int, limit: int = NO_LIMIT, noise: float = 0.05) -> int:
        """Negotiate all nets."""
        pressure = NegotiateConfig().pressure(noise)
        return int(
            negotiate(self.members, self.layer, self.routed, pressure, rounds, limit, self.held)
        )

    def improve(self, tries: int, largest: int = 5) -> tuple[int, int]:
        """Improve the routing by groups of nets; return what is told of it."""
        told = self.standing()
        for k in range(tries):
            limit = NO_LIMIT if told[0] else 0
            after = self.rework([], 2 + k % (largest - 1), limit, told[0])
            told = told if after[0] < 0 else after
        return told

    def rework(
        self, places: list[int], size: int, limit: int, most: int = NO_LIMIT
    ) -> tuple[int, int]:
        """Rework some nets."""
        chosen, pressure = np.array(places, np.int32), ReworkConfig().negotiate.pressure()
        return rework(
            chosen, size, self.members, self.layer, self.routed, pressure, 40, limit, most
        )

    def routing(self) -> list[np.ndarray]:
        """Return the paths, ends included."""
        return [
            self.routed.cells[net, : self.routed.lengths[net]] for net in range(self.nets.count)
        ]

    def standing(self) -> tuple[int, int]:
        """Count the overused cells and the cost, from the paths alone."""
        inner = np.concatenate([path[1:-1] for path in self.routing()])
        cost = sum(int(path_cost(path, len(path))) for path in self.routing())
        return int((np.bincount(inner) > 1).sum()) if len(inner) else 0, cost

    def check(self) -> None:
        """Check that each path leads from source to target, whatever the overlaps."""
        nets = self.nets
        for net, path in enumerate(self.routing()):
            assert path[0] == nets.source[net] and path[-1] == nets.target[net]
            assert nets.free[0, path[1:-1]].all() and len(set(path.tolist())) == len(path)
            assert np.isin(np.abs(np.diff(path)), (1, nets.stride)).all()


@pytest.mark.parametrize("seed", range(25))
def test_negotiation(seed: int) -> None:
    """Tests that 0 means a routing without overlaps, and other counts are right."""
    seed_random(seed)
    board = Board(crowded(seed))
    left = board.negotiate(rounds=1 + 4 * seed)
    board.check()
    assert left == board.standing()[0]
    inner = np.concatenate([path[1:-1] for path in board.routing()])
    assert np.array_equal(board.held, np.bincount(inner, minlength=board.nets.cells))
    if left == 0:
        assert check_routing(board.nets, board.nets.target, board.routing()) > 0


def test_negotiation_of_a_net_without_a_path() -> None:
    """Tests that a net that is walled in is told at once."""
    walled = 0
    for seed in range(40):
        board = Board(random_nets(seed, 3, 3, 4))
        nets = board.nets
        left = board.negotiate(rounds=30)
        alone = Board(nets)
        reachable = True
        for net in range(nets.count):
            alone.members = np.array([net], np.int32)
            reachable &= alone.negotiate(1) == 0
        assert (left == -1) == (not reachable)
        walled += not reachable
    assert walled


def test_limit() -> None:
    """Tests that a negotiation which must come out too dear ends at once."""
    ended = 0
    for seed in range(10):
        board = Board(crowded(seed))
        seed_random(seed)
        in_one_round = board.negotiate(rounds=1) == 0
        seed_random(seed)
        assert board.negotiate(rounds=200, limit=3) == (0 if in_one_round else -1)
        ended += not in_one_round
    assert ended


@pytest.mark.parametrize("seed", range(25))
def test_improvement_is_no_worse(seed: int) -> None:
    """Tests that overlaps, and without any the cost, never grow, and that both are told right."""
    seed_random(seed)
    board = Board(crowded(seed))
    board.negotiate(rounds=3 if seed % 2 else 60)
    before = board.standing()
    for _ in range(8):
        told = board.improve(tries=6, largest=2 + seed % 6)
        board.check()
        after = board.standing()
        assert tuple(int(n) for n in told) == after
        assert after[0] < before[0] or after <= before or (after[0] == before[0] > 0)
        before = after


def test_rework() -> None:
    """Tests that a rework tells the truth, and changes nothing where it gives up."""
    gave_up = went_on = 0
    for seed in range(25):
        seed_random(seed)
        random = np.random.default_rng(seed)
        board = Board(crowded(seed))
        board.negotiate(rounds=60 if seed % 3 else 2)
        for limit in (NO_LIMIT, 0, -6, 20, 60):
            before, paid = [path.copy() for path in board.routing()], board.standing()[1]
            places = random.permutation(board.nets.count)[:2].tolist()
            most = board.standing()[0] + int(random.integers(-2, 3))
            left, cost = board.rework(places, int(random.integers(2, 12)), limit, most)
            board.check()
            if left < 0:
                gave_up += 1
                assert all(map(np.array_equal, before, board.routing()))
            else:
                went_on += 1
                assert (left, cost) == board.standing()
                assert left <= most and cost <= paid + limit
    assert min(gave_up, went_on) > 4


def test_overlaps_of_others() -> None:
    """Tests that a group alone is not taken where overlaps among the others are too many."""
    seen = 0
    for seed in range(40):
        seed_random(seed)
        board = Board(crowded(seed))
        board.negotiate(rounds=1)
        overlaps = board.standing()[0]
        for net in range(board.nets.count):
            left, _ = board.rework([net], 1, NO_LIMIT, overlaps - 1)
            assert left < overlaps
            seen += left < 0 < overlaps
            overlaps = board.standing()[0]
    assert seen > 20


def test_one_net() -> None:
    """Tests that a layer with a single net is improved without ado."""
    board = Board(random_nets(2, 4, 4, 1))
    assert board.negotiate(rounds=5) == 0
    cost = board.standing()[1]
    assert board.improve(tries=5) == (0, cost)
    assert board.rework([0], 8, 0) == (0, cost)


def test_ends_side_by_side() -> None:
    """Tests nets that have no inner cells at all."""
    from nlrouter.problem import Cell, Line, Problem

    lines = tuple(Line(k + 1, (Cell(0, k, 0), Cell(0, k, 1))) for k in range(3))
    board = Board(nets_of(Problem(2, 3, 1, lines)))
    assert board.negotiate(rounds=5) == 0
    assert board.improve(tries=10) == (0, 0)
    assert board.rework([0, 2], 3, 0) == (0, 0)


def test_counts() -> None:
    """Tests what counts as overused and as cost."""
    paths = np.array([[7, 8, 9, 14, 0], [6, 8, 9, 10, 11], [1, 2, 0, 0, 0]], np.int32)
    lengths = np.array([4, 5, 2], np.int32)
    straight = np.array([1, 2, 3, 4, 9], np.int32)
    assert [int(path_cost(straight, n)) for n in (2, 4, 5)] == [0, 2, 4]
    held = np.empty(20, np.int32)
    members = np.arange(3, dtype=np.int32)
    assert overlaps_of(members, paths, lengths, held) == 2
    assert held[[8, 9, 10, 7]].tolist() == [2, 2, 1, 0]
    assert total_cost(members[[0, 2]], paths, lengths) == 3
