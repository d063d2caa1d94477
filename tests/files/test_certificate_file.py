"""Tests of certificate files."""

import json
import re
from contextlib import suppress
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlrouter.certificate import (
    MOST_NUMBER,
    CellCases,
    Certificate,
    CoverCases,
    LayerSum,
    PartProof,
    Prices,
    PuzzleCertificate,
    SideCases,
    TurnCases,
    ViaCases,
    ViaChoices,
    ViaPrices,
)
from nlrouter.files import certificate_file
from nlrouter.files.certificate_file import (
    format_certificate,
    parse_certificate,
    read_certificate,
    write_certificate,
)
from nlrouter.files.errors import FileError
from nlrouter.rule_sets import Rules

number = st.integers(0, MOST_NUMBER)
numbers = st.lists(number, max_size=4).map(tuple)
pair = st.tuples(number, number)
pairs = st.lists(pair, max_size=3).map(tuple)
text = st.text(st.characters(codec="ascii", categories=["L", "N"]), max_size=20)
bonds = st.lists(st.tuples(number, number, st.integers(-99, 99)), max_size=3).map(tuple)
prices = st.builds(Prices, numbers, bonds)
choices = st.lists(st.tuples(number, number, number)).map(tuple)
nodes = st.one_of(
    prices,
    st.builds(ViaPrices, prices, choices, number),
    st.builds(ViaChoices, choices, numbers),
    st.builds(ViaCases, pair, numbers),
    st.builds(SideCases, pair, pair),
    st.builds(TurnCases, number, pair, pair),
    st.builds(CoverCases, pair, pair, pair),
    st.builds(CellCases, pair, number, pair),
    st.builds(LayerSum, numbers),
)
parts = st.builds(
    PartProof,
    st.lists(numbers, max_size=2).map(tuple),
    number,
    st.lists(numbers, max_size=2).map(tuple),
    st.lists(nodes, max_size=4).map(tuple),
)
bounds = number | st.just(inf)
certificates = st.builds(
    Certificate, text, bounds, bounds, text, number, st.lists(parts, max_size=2).map(tuple)
)


clauses = st.lists(numbers, max_size=3).map(tuple)
puzzles = st.builds(
    PuzzleCertificate, text, st.sampled_from(Rules), st.booleans(), st.none() | numbers, clauses,
    clauses,
)  # fmt: skip


@given(certificates | puzzles)
def test_round_trip(certificate: Certificate | PuzzleCertificate) -> None:
    """Tests that what is written is read again as it was."""
    assert parse_certificate(format_certificate(certificate), "file") == certificate


WHOLE = format_certificate(
    Certificate(
        "d",
        3,
        3,
        "",
        1,
        (
            PartProof(
                ((0,),),
                3,
                ((0, 0),),
                (SideCases((0, 1), (1, 2)), Prices((0,), ((0, 1, -3),)), Prices((0,))),
            ),
        ),
    )
)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (WHOLE, "", "file:1: found no JSON"),
        (WHOLE, "[" * 10**5, "found JSON beyond all measure"),
        (WHOLE, "7" * 10**4, "found JSON beyond all measure"),
        (WHOLE, "[]", "found no field 'format', expected an object that has it"),
        ("certificate 3", "certificate 2", "the format 'nlrouter certificate 2'"),
        ('"unit":1', '"unit":-1', "found '-1' in unit, expected a whole number from 0"),
        ('"unit":1', '"unit":"infeasible"', "found 'infeasible' in unit"),
        ('"bound":3', '"bound":"feasible"', "found 'feasible' in bound, expected a whole number"),
        ('"bound":3', '"bound":Infinity', "found 'inf' in bound, expected a whole number"),
        ('"places":[[0]]', '"places":[[{}]]', "found an object in parts[0].places[0][0]"),
        ('"unit":1', '"unit":1.5', "found '1.5' in unit"),
        ('"unit":1', '"unit":true', "found 'True' in unit"),
        ('"unit":1', '"unit":NaN', "found 'nan' in unit"),
        ('"unit":1', '"unit":9999999999', "found '9999999999' in unit"),
        ('"word":""', '"word":"a\\u001b[2J"', "in word, expected a text"),
        ('"word":""', '"word":3', "in word, expected a text"),
        ('"prices":[[0,0]]', '"prices":[[0,"0"]]', "in parts[0].prices[0][1], expected a whole"),
        ('"prices":[[0,0]]', '"prices":{}', "in parts[0].prices, expected a list"),
        ('"side cases"', '"inside"', "found 'inside' in parts[0].nodes[0].kind"),
        ('"side cases"', "[]", "in parts[0].nodes[0].kind, expected a kind of node"),
        ('"children":[1,2]', '"children":[1]', "found 1 numbers in parts[0].nodes[0].children"),
        (
            '"bonds":[]',
            '"bonds":[[0]]',
            "found a list in parts[0].nodes[2].bonds[0], expected two nets and a",
        ),
        ('"bonds":[]', '"bonds":[[0,-1,3]]', "found '-1' in parts[0].nodes[2].bonds[0][1]"),
        ('"bonds":[]', '"bonds":[[0,1,0.5]]', "found '0.5' in parts[0].nodes[2].bonds[0][2]"),
        ('"bonds":[]', '"bonds":7', "found '7' in parts[0].nodes[2].bonds, expected a list"),
        ('"nodes":', '"knots":', "no field 'nodes' in parts[0], expected an object that has it"),
    ],
)
def test_malformed(old: str, new: str, message: str) -> None:
    """Tests that a malformed file is refused in one sentence that names the place."""
    assert old in WHOLE
    with pytest.raises(FileError) as caught:
        parse_certificate(WHOLE.replace(old, new, 1), "file")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


PUZZLE = format_certificate(PuzzleCertificate("d", Rules.FLOW, True, (0, 1), ((2,),), ((3,),)))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"flow"', '"go"', "found 'go' in rules, expected adc, nikoli or flow"),
        ('"flow"', "[]", "found a list in rules, expected adc, nikoli or flow"),
        ("true", "1", "found '1' in filled, expected true or false"),
        ('"answer":[0,1]', '"answer":[-1]', "found '-1' in answer[0], expected a whole number"),
        ("[[2]]", "[2]", "found '2' in loops[0], expected a list"),
        ("[[3]]", "[[true]]", "found 'True' in lemmas[0][0], expected a whole number"),
        ('"lemmas"', '"lemons"', "no field 'lemmas', expected an object that has it"),
        ("puzzle certificate 1", "puzzle certificate 0", "the format 'nlrouter puzzle certificate"),
    ],
)
def test_malformed_puzzle(old: str, new: str, message: str) -> None:
    """Tests that a puzzle's certificate is read as strictly."""
    assert old in PUZZLE
    with pytest.raises(FileError, match=re.escape(message)):
        parse_certificate(PUZZLE.replace(old, new, 1), "file")


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: (
    st.lists(inner) | st.dictionaries(st.text(), inner)
)), st.sampled_from(["parts", "unit", "word", "format"]))  # fmt: skip
def test_any_json(value: object, key: str) -> None:
    """Tests that any JSON in any field is read or refused, never a traceback."""
    record = json.loads(WHOLE)
    record[key] = value
    with suppress(FileError):
        assert isinstance(parse_certificate(json.dumps(record), "file"), Certificate)


@pytest.mark.parametrize("key", ["parts", "unit", "word", "format", "bound"])
@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_deep_nests(key: str, opening: str) -> None:
    """Tests that what is nested deeper and deeper is refused before and after JSON gives up."""
    closing = {"[": "]", '{"a":': "}"}[opening]
    found = set()
    for depth in (3, 300, *range(900, 1100), 100_000):  # Python 3.11 gives up at 1000, 3.13 later.
        text = json.dumps({**json.loads(WHOLE), key: 0})
        nest = opening * depth + "0" + closing * depth
        with pytest.raises(FileError) as caught:
            parse_certificate(text.replace(f'"{key}": 0', f'"{key}": {nest}'), "file")
        found.add(caught.value.found)
    assert len(found) >= 2


def test_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a file larger than any certificate is not even decoded."""
    path = tmp_path / "c.json"
    path.write_text(WHOLE)
    monkeypatch.setattr(certificate_file, "MAX_BYTES", len(WHOLE))
    read_certificate(str(path))
    path.write_text(WHOLE + " ")
    with pytest.raises(FileError, match="larger file"):
        read_certificate(str(path))
    with pytest.raises(FileError, match="expected at most"):
        write_certificate("d.json", replace(parse_certificate(WHOLE, ""), digest="longer"))


def test_missing_file() -> None:
    """Tests that a file that is not there is named."""
    with pytest.raises(FileError, match=r"nowhere\.json"):
        read_certificate("nowhere.json")
