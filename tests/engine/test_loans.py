"""Tests that nodes which other processes work on leave no routing out, and that none is lost."""

from __future__ import annotations

import pickle
from math import inf

import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.prove import loans
from nlrouter.engine.prove.config import ProofConfig
from nlrouter.engine.prove.loans import work_on
from nlrouter.engine.prove.proof import Proof
from nlrouter.tally import Tallies
from tests.engine.test_proof import TREE
from tests.engine.test_tree import EAGER, check, doubts, limit, parts  # noqa: F401 - a fixture.

HASTY = ProofConfig(tree=EAGER)


class Helper:
    """Works on what a proof lends, later."""

    def __init__(self, proof: Proof, room: int) -> None:
        self.proof = proof
        self.loans: list[tuple[int, bytes]] = []
        proof.lender.room = room
        proof.lender.send = lambda number, loan: self.loans.append((number, loan))

    def give_back(self, *, lost: bool = False) -> None:
        """Give back what was lent first, with what has come of it."""
        number, loan = self.loans.pop(0)
        result = None if lost else work_on(self.proof.borrowed, loan, Deadline(60))
        self.proof.lender.take_back(number, result)


def proof_of(nets: Nets) -> Proof:
    """Return a proof by the tree alone."""
    return Proof(nets, HASTY, Tallies(TREE))


@pytest.mark.usefixtures("doubts")
@pytest.mark.parametrize("lost", [False, True])
def test_no_routing_is_left_out(monkeypatch: pytest.MonkeyPatch, lost: bool) -> None:
    """Tests that proofs end at the optimum, whenever what is lent comes back, or is lost."""
    monkeypatch.setattr(loans, "GLANCE", 0.0)
    monkeypatch.setattr(loans, "LOAN_SECONDS", 0.002)
    lent = 0
    for k, (nets, routings) in enumerate(parts()[lost::2]):
        best = routings[0].cost
        proof = proof_of(nets)
        helper = Helper(proof, room=1 + k % 3)
        for step in range(400):
            upper = limit(best, step, falls=True) or best + 30
            if proof.bound >= min(best, upper) or proof.waits:
                break
            proof.step(Deadline(60), upper)
            proof.tree.lend(upper, 1)
            check(proof.tree, routings, upper)
            if helper.loans and (step % 3 == 0 or proof.tree.idle(upper)):
                lent += 1
                helper.give_back(lost=lost and step % 2 == 0)
                check(proof.tree, routings, upper)
        assert proof.bound == best
    assert lent > 20


@pytest.fixture
def lending(request: pytest.FixtureRequest) -> tuple[Proof, Helper, int]:
    """Return a proof that has lent a node, who has it, and the limit."""
    request.getfixturevalue("doubts")
    for nets, routings in parts():
        proof, upper = proof_of(nets), routings[0].cost + 5
        helper = Helper(proof, room=1)
        for _ in range(60):
            proof.step(Deadline(60), upper)
            if helper.loans and proof.lender._lent[1][1].decisions:
                return proof, helper, upper
    raise AssertionError


def test_room(lending: tuple[Proof, Helper, int]) -> None:
    """Tests that no more is lent than there is room for, and more once that is back."""
    proof, helper, upper = lending
    for _ in range(3):
        proof.step(Deadline(60), upper)
        assert len(helper.loans) == 1
    helper.give_back(lost=True)
    assert not any(node.lent for node in proof.tree.nodes)


def test_without_a_limit() -> None:
    """Tests that nothing is lent before there is an answer: who proves finds then."""
    nets, _ = parts()[0]
    proof = proof_of(nets)
    helper = Helper(proof, room=3)
    for _ in range(30):
        proof.step(Deadline(60), None)
    assert not helper.loans


def test_done_with_meanwhile(lending: tuple[Proof, Helper, int]) -> None:
    """Tests that what comes of a node that is of no interest any more is left alone."""
    proof, helper, _ = lending
    proof.tree.drop(0)
    helper.give_back()
    assert not proof.tree.nodes


def test_bound_of_what_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a proof whose nodes are all lent waits for them, and takes up what they show."""
    monkeypatch.setattr(loans, "GLANCE", 0.0)
    nets, routings = parts()[0]
    best = routings[0].cost
    proof = proof_of(nets)
    helper = Helper(proof, room=1)
    proof.tree.lend(best + 1, 1)
    proof.step(Deadline(60), best + 1)
    assert proof.tree.idle(best + 1) and not proof.waits and proof.bound == 0
    helper.give_back()
    proof.step(Deadline(60), best + 1)
    assert not proof.tree.idle(best + 1) and proof.bound > 0
    assert proof.spent >= proof.tree.seconds_lent > 0
    assert 0 < proof.tallies["prices"].raised < inf


def test_layers_of_a_node_are_lent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that the other layers than that worked on are lent, and count as they come back."""
    nets, routings = next(entry for entry in parts() if entry[0].classes)
    upper = routings[0].cost + 20
    proof = proof_of(nets)
    helper = Helper(proof, room=10)
    while not any(node.proofs for node in proof.tree.nodes):
        proof.step(Deadline(60), upper)
    (tree, _) = proof.lender._lent[helper.loans[0][0]]
    (node,) = (each for each in proof.tree.nodes if each.proofs)
    (layer,) = (each for each in node.proofs if each.tree is tree)
    assert layer.bound == 0
    helper.give_back()
    monkeypatch.setattr(Proof, "step", lambda *_: None)  # Nothing is done of the layer here.
    proof.tree.step(Deadline(60), upper)
    assert layer.bound > 0


def test_what_is_sent_is_small(lending: tuple[Proof, Helper, int]) -> None:
    """Tests that no decisions travel, and that those of a node are before those below it."""
    proof, helper, _ = lending
    _, node = next(iter(proof.lender._lent.values()))
    assert node.decisions
    sent, _ = pickle.loads(helper.loans[0][1])
    assert sent.decisions == () and not sent.lent
    helper.give_back()
    depth = len(node.decisions)
    below = [each for each in proof.tree.nodes if each.decisions[:depth] == node.decisions]
    assert below
    for each in below:
        for own, more in zip(node.dual.passages, each.dual.passages, strict=True):
            assert all(mine is kept for mine, kept in zip(own, more, strict=False))
