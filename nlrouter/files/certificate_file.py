"""Certificate files: JSON, read with suspicion.

The reader sees to it that everything has its place and is a whole number that is not negative
and not huge. What the numbers prove is for ``checker.certificate`` to say. It is written by hand:
msgspec, which reads the other records, would tell neither the line nor the value found, and has
one sentence for everything that is no JSON.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from math import inf
from typing import Any, NoReturn, TypeVar

from nlrouter.certificate import (
    MOST_NUMBER,
    CellCases,
    Certificate,
    Core,
    Cores,
    CoverCases,
    LayerSum,
    Node,
    PartProof,
    Prices,
    PuzzleCertificate,
    SideCases,
    TurnCases,
    ViaCases,
    ViaChoices,
    ViaPrices,
)
from nlrouter.files.atomic import write_atomically
from nlrouter.files.errors import FileError, quote
from nlrouter.files.text import read_text
from nlrouter.rule_sets import Rules

FORMAT = "nlrouter certificate 3"
"""Mark of the format and its version."""

PUZZLE_FORMAT = "nlrouter puzzle certificate 1"
"""The same of a puzzle's certificate."""

INFEASIBLE = "infeasible"
"""Stands for the bound of a board that has no answer."""

MAX_BYTES = 16 * 2**20
"""Largest file that is read and written. Those of contest boards are a fiftieth of it."""

PUZZLE_FIELDS = "rules", "filled", "answer", "loops", "lemmas"
"""The rest of a puzzle's certificate."""

LONGEST_TEXT = 100
"""Characters of a text; what a verdict shows stays one line."""

T = TypeVar("T")


def write_certificate(
    path: str | os.PathLike[str], certificate: Certificate | PuzzleCertificate
) -> None:
    """Write a certificate file, as a whole or not at all.

    Raises
    ------
    FileError
        If it cannot be written, or is too large to be read again.

    Examples
    --------
    >>> import tempfile
    >>> from nlrouter import Problem, route
    >>> certificate = route(Problem(3, 2, 1, [((0, 0, 1), (2, 1, 1))]), certify=True).certificate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_certificate(f"{folder}/certificate.json", certificate)
    ...     read_certificate(f"{folder}/certificate.json") == certificate
    True
    """
    text = format_certificate(certificate)
    if len(text) > MAX_BYTES:
        found = f"a certificate of {len(text)} bytes"
        raise FileError(os.fspath(path), None, found, f"at most {MAX_BYTES}")
    write_atomically(os.fspath(path), text)


def format_certificate(certificate: Certificate | PuzzleCertificate) -> str:
    """Return the text of a certificate file."""
    record: dict[str, object]
    if isinstance(certificate, PuzzleCertificate):
        record = {"format": PUZZLE_FORMAT, "problem": certificate.digest}
        record |= {name: getattr(certificate, name) for name in PUZZLE_FIELDS}
        return json.dumps(record, separators=(",", ":")) + "\n"
    record = {
        "format": FORMAT,
        "problem": certificate.digest,
        "bound": _bound_record(certificate.bound),
        "verified": _bound_record(certificate.verified),
        "word": certificate.word,
        "unit": certificate.unit,
        "parts": [
            {
                "places": part.places,
                "goal": part.goal,
                "prices": part.prices,
                "nodes": [_node_record(node) for node in part.nodes],
            }
            for part in certificate.parts
        ],
    }
    return json.dumps(record, separators=(",", ":")) + "\n"


def _bound_record(bound: float) -> int | str:
    return INFEASIBLE if bound == inf else int(bound)


def _node_record(node: Node) -> dict[str, object]:
    match node:
        case Prices():
            return {"kind": "prices", **_prices_record(node)}
        case ViaPrices():
            by = _prices_record(node.prices)
            return {"kind": "via prices", **by, "dropped": node.dropped, "child": node.child}
        case ViaCases():
            return {"kind": "via cases", "line": node.line, "children": node.children}
        case ViaChoices():
            return {"kind": "via choices", "choices": node.choices, "children": node.children}
        case SideCases():
            return {"kind": "side cases", "nets": node.nets, "children": node.children}
        case TurnCases():
            by = {"net": node.net, "end": node.end}
            return {"kind": "turn cases", **by, "children": node.children}
        case CoverCases():
            by = {"nets": node.nets, "end": node.end}
            return {"kind": "cover cases", **by, "children": node.children}
        case CellCases():
            by = {"nets": node.nets, "cell": node.cell}
            return {"kind": "cell cases", **by, "children": node.children}
        case LayerSum():
            return {"kind": "layer sum", "children": node.children}
        case Cores():
            cores = [{"lemmas": core.lemmas, "costs": core.costs} for core in node.cores]
            return {"kind": "cores", "cores": cores}


def _prices_record(prices: Prices) -> dict[str, object]:
    return {"layers": prices.layers, "bonds": prices.bonds}


def read_certificate(path: str | os.PathLike[str]) -> Certificate | PuzzleCertificate:
    """Read a certificate file, of either kind; ``-`` is standard input.

    Raises
    ------
    FileError
        If the file cannot be read or is no certificate.

    Examples
    --------
    >>> import tempfile
    >>> from nlrouter import Problem, route
    >>> certificate = route(Problem(3, 2, 1, [((0, 0, 1), (2, 1, 1))]), certify=True).certificate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_certificate(f"{folder}/certificate.json", certificate)
    ...     read_certificate(f"{folder}/certificate.json") == certificate
    True
    """
    name, text = read_text(os.fspath(path), MAX_BYTES)
    return parse_certificate(text, name)


def parse_certificate(text: str, name: str) -> Certificate | PuzzleCertificate:
    """Read the text of a certificate file; ``name`` is the file's, for messages.

    Raises
    ------
    FileError
        If the text is no certificate.
    """
    try:
        record = json.loads(text)
    except json.JSONDecodeError as error:
        raise FileError(name, error.lineno, f"no JSON ({error.msg})", "a certificate") from error
    except (ValueError, RecursionError) as error:  # Numbers of thousands of digits; deep nests.
        raise FileError(name, None, "JSON beyond all measure", "a certificate") from error
    return _Reader(name).certificate(record)


class _Reader:
    """Takes a decoded file apart; ``where`` says in messages which place is meant."""

    def __init__(self, name: str) -> None:
        self._name = name

    def certificate(self, record: Any) -> Certificate | PuzzleCertificate:
        kind = self._field(record, "", "format")
        if kind == PUZZLE_FORMAT:
            return self._puzzle(record)
        if kind != FORMAT:
            found = _shown(record["format"])
            raise FileError(self._name, None, f"the format {found}", f"{FORMAT!r}")
        return Certificate(
            digest=self._text(record, "problem"),
            bound=self._bound(record, "bound"),
            verified=self._bound(record, "verified"),
            word=self._text(record, "word"),
            unit=self._number(self._field(record, "", "unit"), "unit"),
            parts=self._list(self._field(record, "", "parts"), "parts", self._part),
        )

    def _puzzle(self, record: Any) -> PuzzleCertificate:
        rules, filled, answer, loops, lemmas = (
            self._field(record, "", name) for name in PUZZLE_FIELDS
        )
        if rules not in list(Rules):
            self._refuse("rules", _shown(rules), "adc, nikoli or flow")
        if not isinstance(filled, bool):
            self._refuse("filled", _shown(filled), "true or false")
        return PuzzleCertificate(
            self._text(record, "problem"),
            Rules(rules),
            filled,
            None if answer is None else self._numbers(answer, "answer"),
            self._list(loops, "loops", self._numbers),
            self._list(lemmas, "lemmas", self._numbers),
        )

    def _part(self, record: Any, where: str) -> PartProof:
        def part(key: str, read: Callable[[Any, str], T]) -> tuple[T, ...]:
            return self._list(self._field(record, where, key), f"{where}.{key}", read)

        return PartProof(
            places=part("places", self._numbers),
            goal=self._number(self._field(record, where, "goal"), f"{where}.goal"),
            prices=part("prices", self._numbers),
            nodes=part("nodes", self._node),
        )

    def _node(self, record: Any, where: str) -> Node:
        def numbers(key: str, count: int | None = None) -> tuple[int, ...]:
            return self._numbers(self._field(record, where, key), f"{where}.{key}", count)

        kind = self._field(record, where, "kind")
        match kind:
            case "prices":
                return self._prices(record, where)
            case "via prices":
                dropped = self._list(
                    self._field(record, where, "dropped"), f"{where}.dropped", self._triple
                )
                child = self._number(self._field(record, where, "child"), f"{where}.child")
                return ViaPrices(self._prices(record, where), dropped, child)
            case "via cases":
                span, line = numbers("line", 2)
                return ViaCases((span, line), numbers("children"))
            case "via choices":
                choices = self._list(
                    self._field(record, where, "choices"), f"{where}.choices", self._triple
                )
                return ViaChoices(choices, numbers("children"))
            case "side cases":
                one, other = numbers("nets", 2)
                first, second = numbers("children", 2)
                return SideCases((one, other), (first, second))
            case "turn cases":
                net = self._number(self._field(record, where, "net"), f"{where}.net")
                other, which = numbers("end", 2)
                first, second = numbers("children", 2)
                return TurnCases(net, (other, which), (first, second))
            case "cover cases":
                one, other = numbers("nets", 2)
                third, which = numbers("end", 2)
                first, second = numbers("children", 2)
                return CoverCases((one, other), (third, which), (first, second))
            case "cell cases":
                one, other = numbers("nets", 2)
                cell = self._number(self._field(record, where, "cell"), f"{where}.cell")
                first, second = numbers("children", 2)
                return CellCases((one, other), cell, (first, second))
            case "layer sum":
                return LayerSum(numbers("children"))
            case "cores":
                cores = self._field(record, where, "cores")
                return Cores(self._list(cores, f"{where}.cores", self._core))
        self._refuse(f"{where}.kind", _shown(kind), "a kind of node")

    def _core(self, record: Any, where: str) -> Core:
        lemmas = self._field(record, where, "lemmas")
        return Core(
            self._list(lemmas, f"{where}.lemmas", self._numbers),
            self._numbers(self._field(record, where, "costs"), f"{where}.costs"),
        )

    def _prices(self, record: Any, where: str) -> Prices:
        return Prices(
            self._numbers(self._field(record, where, "layers"), f"{where}.layers"),
            self._list(self._field(record, where, "bonds"), f"{where}.bonds", self._bond),
        )

    def _bond(self, value: Any, where: str) -> tuple[int, int, int]:
        if not isinstance(value, list) or len(value) != 3:
            self._refuse(where, _shown(value), "two nets and a toll")
        first, second = (self._number(net, f"{where}[{i}]") for i, net in enumerate(value[:2]))
        toll = value[2]
        if type(toll) is not int or abs(toll) > MOST_NUMBER:
            least = f"a whole number from -{MOST_NUMBER} to {MOST_NUMBER}"
            self._refuse(f"{where}[2]", _shown(toll), least)
        return first, second, toll

    def _pair(self, value: Any, where: str) -> tuple[int, int]:
        first, second = self._numbers(value, where, 2)
        return first, second

    def _triple(self, value: Any, where: str) -> tuple[int, int, int]:
        first, second, third = self._numbers(value, where, 3)
        return first, second, third

    def _numbers(self, value: Any, where: str, count: int | None = None) -> tuple[int, ...]:
        numbers = self._list(value, where, self._number)
        if count is not None and len(numbers) != count:
            self._refuse(where, f"{len(numbers)} numbers", str(count))
        return numbers

    def _list(self, value: Any, where: str, read: Callable[[Any, str], T]) -> tuple[T, ...]:
        if not isinstance(value, list):
            self._refuse(where, _shown(value), "a list")
        return tuple(read(entry, f"{where}[{i}]") for i, entry in enumerate(value))

    def _bound(self, record: Any, key: str) -> float:
        value = self._field(record, "", key)
        return inf if value == INFEASIBLE else self._number(value, key)

    def _number(self, value: Any, where: str) -> int:
        # isinstance would let a bool pass.
        if type(value) is not int or not 0 <= value <= MOST_NUMBER:
            self._refuse(where, _shown(value), f"a whole number from 0 to {MOST_NUMBER}")
        return value

    def _text(self, record: Any, key: str) -> str:
        value = self._field(record, "", key)
        if not isinstance(value, str) or not value.isprintable() or len(value) > LONGEST_TEXT:
            self._refuse(key, _shown(value), f"a text of at most {LONGEST_TEXT} characters")
        return value

    def _field(self, record: Any, where: str, key: str) -> Any:
        if not isinstance(record, dict) or key not in record:
            self._refuse(where, f"no field {key!r}", "an object that has it")
        return record[key]

    def _refuse(self, where: str, found: str, expected: str) -> NoReturn:
        place = f" in {where}" if where else ""
        raise FileError(self._name, None, f"{found}{place}", expected)


def _shown(value: Any) -> str:
    """Return a decoded value for a message; of one that holds others, maybe deep, only a word."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    return quote(value if isinstance(value, str) else repr(value))
