"""Tests that a side in a cover is told to the check by the number that it has there."""

from itertools import pairwise

import numpy as np
import pytest

from nlrouter.certifier.cover_side import differs
from nlrouter.checker.certificate.covers import crossings, curves_in_cover
from nlrouter.checker.certificate.paths import neighbours_of
from nlrouter.engine.bounds import covers
from tests.checker.test_certificate_covers import lifted
from tests.engine.test_questions import can_be_asked, every_question, questions_of
from tests.engine.tiny_layers import Path, every_path, random_nets, unframed

WIDTH = 5


def framed_walk(path: Path, ray: np.ndarray) -> np.ndarray:
    """Return the states of a path in a cover, as the search numbers them."""
    states = [2 * path[0]]
    for here, there in pairwise(path):
        along = int(abs(here - there) != 1)
        sheet = (states[-1] & 1) ^ int(ray[along, min(here, there)])
        states.append(2 * there + sheet)
    return np.array(states)


@pytest.mark.parametrize("seed", range(8))
def test_every_path(seed: int) -> None:
    """Tests that both numbers are the same for every path, or differ for every path."""
    nets = random_nets(seed, 4, WIDTH, 3)
    near = neighbours_of(4, WIDTH)
    dual, questions = questions_of(nets)
    ends = np.concatenate([nets.source, nets.target])
    for question in every_question(nets.count):
        i, j, p = question
        if p < 0 or not can_be_asked(dual, questions, question):
            continue
        settled = dual.sided(questions.cases(dual, question)[-1])
        (passage,) = (each for each in settled.passages[i] if each.name == (j, p))
        turns = settled.passed(i, (-1, p)), settled.passed(j, (-1, p))
        assert turns[0] is not None and turns[1] is not None
        told = differs(nets, question, (turns[0], turns[1]))
        pair = [
            (unframed(nets.source[net], nets.stride), unframed(nets.target[net], nets.stride))
            for net in (i, j)
        ]
        point = unframed(ends[p], nets.stride)
        drawn = curves_in_cover((pair[0], pair[1]), (turns[0], turns[1]), point, near, WIDTH)
        assert drawn is not None
        for path in every_path(nets, i, int(nets.target[i])):
            walk = lifted([unframed(cell, nets.stride) for cell in path], point, WIDTH)
            if walk[-1][1] == turns[0]:
                own = covers.crossings(framed_walk(path, questions.curves.rays[p]), passage.crossed)
                assert told == (bool(own) != bool(crossings(walk, drawn[1], WIDTH)))
