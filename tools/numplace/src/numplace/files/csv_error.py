"""``Error.csv``: phase, message and suspected cells, in Shift_JIS."""

from __future__ import annotations

import csv
import inspect
import io
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from numplace.cell import Cell

ENCODING = "cp932"
"""Shift_JIS as Windows knows it."""


class Phase(StrEnum):
    """Where an error was met, in the words of the file."""

    UNKNOWN = "不明なフェーズ"
    LOAD = "データのロード中"
    CHECK = "データのチェック中"
    ANALYSIS = "解析フェーズ"
    PRESUME = "解析フェーズ2(PRESUME)"
    BRUTE_FORCE = "解析フェーズ3(BRUTE_FORCE)"
    OUTPUT = "結果の出力中"


class Message(StrEnum):
    """What was met, in the words of the file; messages about a file's text are its own.

    `GIVEN_AGAIN` and `WRITE_OUTSIDE` are of solvers that write into cells: others' files have them.
    """

    UNKNOWN = "不明なエラー"
    GIVEN_AGAIN = "初期値が確定しているセルに数字を記入しようとした。"
    WRITE_OUTSIDE = "枠外のセルに数字を記入しようとした。"
    NO_HOUSE = "グループが１つも無い。"
    TOO_LARGE = "グループのセル数（最大値）より大きな数字が記入されている。"
    TWICE = "グループ内に同じ数字が２つ以上ある。"
    GIVEN_OUTSIDE = "枠外のセルに数字が記入されている。"
    CLUE_OUTSIDE = "枠外のセルに条件が設定されている。"
    NO_SOLUTION = "解無し。"
    BAD_ARGUMENT = "不明なコマンド引数が指定された。"
    CELL_TWICE = "グループ内でセルが重複している。"
    SELF_RELATION = "セルがそれ自身との条件を持っている。"
    TIME_UP = "時間切れ。"
    INTERRUPTED = "中断しました。"


@dataclass(frozen=True)
class CsvError:
    """The content of ``Error.csv``.

    Parameters
    ----------
    cells
        The suspected cells, in the order of the file.
    place
        Source file, source line and function that met it, for debugging.
    """

    phase: str
    message: str
    cells: tuple[Cell, ...] = ()
    place: tuple[str, int, str] = ("", 0, "")


def make_error(phase: Phase, message: str, cells: tuple[Cell, ...] = ()) -> CsvError:
    """Return an error that names its caller as the place where it was met."""
    caller = inspect.stack(0)[1]
    place = (Path(caller.filename).name, caller.lineno, caller.function)
    return CsvError(phase, message, cells, place)


def format_error(error: CsvError) -> bytes:
    """Return the bytes of ``Error.csv``; what Shift_JIS lacks is escaped."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([error.phase])
    writer.writerow([error.message])
    writer.writerow(error.place)
    writer.writerow([len(error.cells)])
    writer.writerows(error.cells)
    return text.getvalue().encode(ENCODING, errors="backslashreplace")
