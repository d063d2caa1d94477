"""Every way a file can be wrong, with a file of its own in ``tests/data/malformed``."""

from pathlib import Path

import pytest

from nlrouter.files.answer_file import read_answer
from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import read_problem

MALFORMED = Path(__file__).resolve().parents[1] / "data" / "malformed"

LINE_FORM = "expected 'LINE#n' and two ends, such as 'LINE#1 (0,0,1) (3,3,3)'"
VIA_FORM = "expected 'VIA#name' and its cells"
KEYWORDS = "expected a line that starts with SIZE, LINE_NUM, LINE# or VIA#"
VIA_NAME = "expected a via's name of one or two letters a-z"
ON_BOARD = "expected a cell of the board: x up to 3, y up to 3, layer from 1 to 3"
SIZE_FORM = "expected 'SIZE XxYxZ', or 'SIZE XxY' in the 2-D form"
NUMBER = "expected a number from 0 to 524288 in row 1 of 2 in layer 1"

# file -> (line, found, expected)
PROBLEMS: dict[str, tuple[int | None, str, str]] = {
    # The text itself
    "empty": (None, "no SIZE line", "expected 'SIZE XxYxZ' at the start"),
    "not_utf8": (3, "the byte 0xa0", "expected text in UTF-8"),
    "utf16": (None, "text in UTF-16", "expected text in UTF-8"),
    "junk": (4, "'# a comment'", KEYWORDS),
    "leading_blank": (2, "' LINE_NUM 1'", KEYWORDS),
    "form_feed": (2, r"'\x0cLINE_NUM 1'", KEYWORDS),
    # SIZE
    "no_size": (None, "no SIZE line", "expected 'SIZE XxYxZ' at the start"),
    "second_size": (3, "'SIZE 4X4X3'", "expected no second SIZE, as line 1 has it"),
    "size_after_line": (2, "'LINE#1 (0,0,1) (3,3,1)'", "expected SIZE before the first LINE#"),
    "size_after_via": (1, "'VIA#a (2,2,1) (2,2,2)'", "expected SIZE before the first LINE# or V"),
    "size_one_number": (1, "'SIZE 4'", SIZE_FORM),
    "size_negative": (1, "'SIZE 4X-4X3'", SIZE_FORM),
    "size_unicode_digits": (1, "'SIZE ٤X٤X٣'", SIZE_FORM),
    "size_zero": (1, "'SIZE 4X0X3'", "expected a SIZE of 1 or more in every direction"),
    "size_nine_layers": (1, "'SIZE 4X4X9'", "expected at most 8 layers"),
    "size_too_large": (1, "'SIZE 1000000000X1000000000'", "expected a board of at most 1048576"),
    "size_absurd_digits": (1, "'SIZE 9999999999", "expected a board of at most 1048576 cells"),
    # LINE_NUM
    "no_line_num": (None, "no LINE_NUM line", "expected 'LINE_NUM n' after SIZE"),
    "second_line_num": (4, "'LINE_NUM 1'", "expected no second LINE_NUM, as line 2 has it"),
    "line_num_zero": (2, "'LINE_NUM 0'", "expected a LINE_NUM from 1 to 524288"),
    "line_num_huge": (2, "'LINE_NUM 524289'", "expected a LINE_NUM from 1 to 524288"),
    "line_num_word": (2, "'LINE_NUM one'", "expected 'LINE_NUM n'"),
    "line_num_superscript": (2, "'LINE_NUM ²'", "expected 'LINE_NUM n'"),
    "line_before_line_num": (2, "'LINE#1 (0,0,1) (3,3,1)'", "expected LINE_NUM before the first"),
    # LINE#
    "line_unfinished": (3, "'LINE#1 (1,2'", LINE_FORM),
    "line_without_blank": (3, "'LINE#1(0,0,1) (3,3,1)'", LINE_FORM),
    "line_points_joined": (3, "'LINE#1 (0,0,1)(3,3,1)'", LINE_FORM),
    "line_negative_point": (3, "'LINE#1 (0,-1,1) (3,3,1)'", LINE_FORM),
    "line_no_number": (3, "'LINE# (0,0,1) (3,3,1)'", LINE_FORM),
    "line_number_zero": (3, "'LINE#0 (0,0,1)", "expected a line number from 1 to LINE_NUM 1"),
    "line_number_beyond": (4, "'LINE#2 (1,0,1)", "expected a line number from 1 to LINE_NUM 1"),
    "line_number_twice": (4, "'LINE#01 (1,0,1)", "expected no second LINE#1, as line 3 has it"),
    "line_number_missing": (2, "LINE_NUM 3 but no LINE#2", "expected each of LINE#1 to LINE#3"),
    "line_one_end": (3, "'LINE#1 (0,0,1)'", "expected exactly two ends"),
    "line_three_ends": (3, "'LINE#1 (0,0,1) (3,3,1) (2,2,1)'", "expected exactly two ends"),
    "line_2d_point_in_3d": (3, "'(3,3)'", "expected a point (x,y,z), as SIZE has 3 numbers"),
    "line_3d_point_in_2d": (3, "'(3,3,1)'", "expected a point (x,y), as SIZE has 2 numbers"),
    # Cells
    "cell_x_outside": (3, "'(4,3,1)'", ON_BOARD),
    "cell_y_outside": (3, "'(3,4,1)'", ON_BOARD),
    "cell_layer_zero": (3, "'(0,0,0)'", ON_BOARD),
    "cell_layer_outside": (3, "'(3,3,4)'", ON_BOARD),
    "cell_absurd_digits": (3, "'(1111111111", ON_BOARD),
    "cell_twice_in_line": (3, "'(0,0,1)'", "another cell, as LINE#1 in line 3 names this one"),
    "cell_twice_in_via": (4, "'(2,2,1)'", "another cell, as VIA#a in line 4 names this one"),
    "cell_end_end": (4, "'(3,3,1)'", "another cell, as LINE#1 in line 3 names this one"),
    "cell_end_via": (4, "'(0,0,1)'", "another cell, as LINE#1 in line 3 names this one"),
    "cell_via_end": (4, "'(0,0,1)'", "another cell, as VIA#a in line 3 names this one"),
    "cell_via_via": (5, "'(2,2,2)'", "another cell, as VIA#a in line 4 names this one"),
    # VIA#
    "via_one_cell": (4, "'VIA#a (2,2,1)'", "expected at least two cells of a via"),
    "via_no_column": (4, "'VIA#a (2,2,1) (2,1,2)", "expected cells of a via with the same x and y"),
    "via_missing_layer": (4, "'VIA#a (2,2,3) (2,2,1)'", "on each layer from 1 to 3, also on 2"),
    "via_name_twice": (6, "'VIA#A (2,1,1) (2,1,2)'", "expected no second VIA#a, as line 4 has it"),
    "via_name_long": (4, "'VIA#abc (2,2,1) (2,2,2)'", VIA_NAME),
    "via_name_digit": (4, "'VIA#1 (2,2,1) (2,2,2)'", VIA_NAME),
    "via_name_empty": (4, "'VIA# (2,2,1) (2,2,2)'", VIA_NAME),
    "via_name_accent": (4, "'VIA#é (2,2,1) (2,2,2)'", VIA_NAME),
    "via_without_cells": (4, "'VIA#a'", VIA_FORM),
    "via_in_2d": (4, "'VIA#a (2,2) (2,1)'", "expected no VIA#, as SIZE has 2 numbers"),
    "via_too_many": (None, "1 VIA for 0 LINE with ends on different", "expected one VIA for each"),
    "via_too_few": (None, "1 VIA for 2 LINE with ends on different", "expected one VIA for each"),
    "via_none": (None, "a board of ADC2017 or later, by whose rules lines", "expected one VIA for"),
}

# file -> (line, found, expected)
ANSWERS: dict[str, tuple[int | None, str, str]] = {
    "empty": (None, "the end of the file", "expected an answer, which starts with SIZE"),
    "no_size": (1, "'LAYER 1'", SIZE_FORM),
    "size_too_large": (1, "'SIZE 1000000000X1000000000X8'", "a board of at most 1048576 cells"),
    "layer_missing_first": (2, "'01,00'", "expected 'LAYER 1' before the first row"),
    "layer_missing_second": (5, "'00,00'", "expected 'LAYER 2' after the rows of layer 1"),
    "layer_out_of_order": (2, "'LAYER 2'", "expected 'LAYER 1', as layers come in order"),
    "layer_twice": (5, "'LAYER 1'", "expected 'LAYER 2', as layer 1 is complete"),
    "layer_in_2d": (2, "'LAYER 2'", "expected 'LAYER 1', as layers come in order"),
    "layer_beyond": (8, "'LAYER 3'", "expected the end of the file after the answer's last row"),
    "row_long": (3, "'01,00,00' of length 3", "expected row 1 of 2 in layer 1 of length 2"),
    "row_short": (4, "'01' of length 1", "expected row 2 of 2 in layer 1 of length 2"),
    "rows_too_few": (4, "'LAYER 2'", "expected row 2 of 2 in layer 1"),
    "rows_too_few_at_end": (6, "the end of the file", "expected row 2 of 2 in layer 2"),
    "rows_too_many": (8, "'00,02'", "expected the end of the file after the answer's last row"),
    "token_no_number": (3, "'x'", NUMBER),
    "token_empty": (3, "''", NUMBER),
    "token_negative": (3, "'-1'", NUMBER),
    "token_unicode_digit": (3, "'²'", NUMBER),
    "token_huge": (3, "'99999999999'", NUMBER),
    "blank_between_layers": (5, "a blank line", "'LAYER 2'; a blank line ends an answer, so the"),
    "second_answer": (9, "'SIZE 2X2X2' after a blank line", "the contest reads a second answer"),
    "second_answer_joined": (8, "'SIZE 2X2X2'", "expected the end of the file after the answer"),
}


def assert_message(
    error: FileError, path: Path, line: int | None, found: str, expected: str
) -> None:
    """Check that an error names the place, and says what was found and expected."""
    message = str(error)
    place = str(path) if line is None else f"{path}:{line}"
    assert message.startswith(f"{place}: found {found}")
    assert expected in message
    assert len(message.splitlines()) == 1


@pytest.mark.parametrize("case", PROBLEMS)
def test_malformed_problem(case: str) -> None:
    """Tests that a malformed problem is refused with the right sentence."""
    path = MALFORMED / f"problem_{case}.txt"
    with pytest.raises(FileError) as raised:
        read_problem(str(path))
    assert_message(raised.value, path, *PROBLEMS[case])


@pytest.mark.parametrize("case", ANSWERS)
def test_malformed_answer(case: str) -> None:
    """Tests that a malformed answer is refused with the right sentence."""
    path = MALFORMED / f"answer_{case}.txt"
    with pytest.raises(FileError) as raised:
        read_answer(str(path))
    assert_message(raised.value, path, *ANSWERS[case])


def test_every_malformed_file_is_tested() -> None:
    """Tests that no malformed file lies about without an expected message."""
    listed = {f"problem_{case}.txt" for case in PROBLEMS}
    listed |= {f"answer_{case}.txt" for case in ANSWERS}
    assert {path.name for path in MALFORMED.iterdir()} == listed
