"""Tests that lines that lie side by side are found, and taken apart again."""

import pytest

from nlrouter.engine.nets.bundles import Bundles, apart, bundles_of
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.files.problem_file import parse_problem
from nlrouter.generators import generate

TWO_BUSES = """SIZE 8X8X2
LINE_NUM 6
LINE#1 (0,0,1) (7,7,1)
LINE#2 (7,6,1) (0,1,1)
LINE#3 (0,2,1) (7,5,1)
LINE#4 (2,0,1) (5,7,2)
LINE#5 (3,0,1) (6,7,2)
LINE#6 (4,4,1) (2,2,1)
VIA#a (2,4,1) (2,4,2)
VIA#b (3,5,1) (3,5,2)
"""
"""Three lines in mirrored order, the second the other way round; two through vias; one alone."""


def found(text: str) -> tuple[Nets, Bundles]:
    nets = nets_of(parse_problem(text))
    return nets, bundles_of(nets)


def lines_in(nets: Nets, bundles: Bundles) -> list[list[int]]:
    return sorted(sorted(nets.line[list(b.nets[0])].tolist()) for b in bundles.bundles)


def test_lines_side_by_side_at_both_ends_are_bundles() -> None:
    nets, bundles = found(TWO_BUSES)
    assert lines_in(nets, bundles) == [[1, 2, 3], [4, 5], [6]]
    assert [sorted(block) for block in bundles.vias[0]] == [[0, 1]]
    assert bundles.together == pytest.approx(5 / 6)


def test_ends_of_a_bundle_go_with_its_nets() -> None:
    nets, bundles = found(TWO_BUSES)
    for bundle in bundles.bundles:
        for net, *ends in zip(bundle.nets[0], *bundle.ends, strict=True):
            assert nets.source[net] in ends
            assert bundle.span >= 0 or nets.target[net] in ends
        if bundle.span >= 0:
            assert tuple(nets.source[list(bundle.nets[1])].tolist()) == bundle.ends[1]


def test_vias_that_lie_apart_leave_lines_alone() -> None:
    nets, bundles = found(TWO_BUSES.replace("(3,5,", "(5,5,"))
    assert lines_in(nets, bundles) == [[1, 2, 3], [4], [5], [6]]
    assert sorted(bundles.vias[0]) == [(0,), (1,)]


def test_of_two_lines_that_swap_their_ends_over_two_layers_none_is_lost() -> None:
    text = """SIZE 6X6X2
LINE_NUM 2
LINE#1 (0,0,1) (5,5,2)
LINE#2 (5,5,1) (0,0,2)
VIA#a (2,2,1) (2,2,2)
VIA#b (3,4,1) (3,4,2)
"""
    assert lines_in(*found(text)) == [[1], [2]]


def test_buses_side_by_side_are_cut_to_the_usual_width() -> None:
    lines = [((x, 0), (x, 3)) for x in range(4)] + [((x, 5), (x, 8)) for x in (0, 1, 7, 8)]
    text = f"SIZE 9X9X1\nLINE_NUM {len(lines)}\n" + "".join(
        f"LINE#{i} ({a[0]},{a[1]},1) ({b[0]},{b[1]},1)\n" for i, (a, b) in enumerate(lines, 1)
    )
    nets, bundles = found(text)
    assert lines_in(nets, bundles) == [[1, 2], [3, 4], [5, 6], [7, 8]]


@pytest.mark.parametrize("seed", range(3))
def test_every_line_is_in_one_bundle_before_and_after_one_is_taken_apart(seed: int) -> None:
    nets = nets_of(generate(10, 10, 3, 14, 8, 0.6, seed)[0])
    bundles = bundles_of(nets)
    for b, bundle in enumerate(bundles.bundles):
        less = apart(bundles, b)
        for state in (bundles, less):
            members = sorted(net for bundle in state.bundles for m in bundle.nets for net in m)
            assert members == list(range(nets.count))
            for span, blocks in zip(nets.classes, state.vias, strict=True):
                places = sorted(place for block in blocks for place in block)
                assert places == list(range(len(span.vias)))
        assert all(lone.width == 1 for lone in less.bundles if set(lone.rows) & set(bundle.rows))


def test_a_line_alone_cannot_be_taken_apart() -> None:
    _, bundles = found(TWO_BUSES)
    alone = [bundle.width for bundle in bundles.bundles].index(1)
    assert apart(bundles, alone) == bundles
