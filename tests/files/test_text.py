import io
import sys
from pathlib import Path

import pytest

from nlrouter.files import text
from nlrouter.files.errors import FileError
from nlrouter.files.text import decode, read_text, split_lines, to_int


def test_reads_with_and_without_byte_order_mark(tmp_path: Path) -> None:
    """Tests that a byte-order mark is no part of the text."""
    plain, marked = tmp_path / "plain.txt", tmp_path / "marked.txt"
    plain.write_text("SIZE 4X4\n", encoding="utf-8")
    marked.write_text("SIZE 4X4\n", encoding="utf-8-sig")
    assert read_text(str(plain)) == (str(plain), "SIZE 4X4\n")
    assert read_text(str(marked)) == (str(marked), "SIZE 4X4\n")


def test_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that ``-`` means standard input, whose bytes are decoded as a file's are."""
    stdin = io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbfSIZE 4X4\r\n"), encoding="latin-1")
    monkeypatch.setattr(sys, "stdin", stdin)
    assert read_text("-") == ("<stdin>", "SIZE 4X4\r\n")


def test_closed_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a closed standard input is an error like any other."""
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(FileError, match=r"^<stdin>: .*standard input is closed"):
        read_text("-")


def test_missing_file(tmp_path: Path) -> None:
    """Tests that a missing file is named together with the system's reason."""
    path = tmp_path / "none.txt"
    with pytest.raises(FileError) as raised:
        read_text(str(path))
    found = "no readable file (No such file or directory)"
    assert str(raised.value) == f"{path}: found {found}, expected a text file"


def test_directory(tmp_path: Path) -> None:
    """Tests that a directory is refused with the system's reason."""
    with pytest.raises(FileError, match="Is a directory"):
        read_text(str(tmp_path))


def test_large_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a file of the largest size is read, and one byte more is not."""
    monkeypatch.setattr(text, "MAX_BYTES", 10)
    path = tmp_path / "large.txt"
    path.write_bytes(b"x" * 10)
    assert read_text(str(path))[1] == "x" * 10
    path.write_bytes(b"x" * 11)
    with pytest.raises(FileError, match="found a larger file, expected at most 10 bytes"):
        read_text(str(path))


@pytest.mark.parametrize("newline", [b"\n", b"\r\n", b"\r"])
def test_line_of_undecodable_byte(tmp_path: Path, newline: bytes) -> None:
    """Tests that a byte that is no UTF-8 is found in its line, byte-order mark or not."""
    path = tmp_path / "latin1.txt"
    for mark in b"", b"\xef\xbb\xbf":
        path.write_bytes(mark + newline.join([b"SIZE 4X4", "é".encode(), b"\xe9"]))
        with pytest.raises(FileError) as raised:
            read_text(str(path))
        assert raised.value.line == 3


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"PK\x03\x04rest", "a zip archive"),
        (b"\x1f\x8b\x08rest", "data packed by gzip"),
        ("SIZE 4X4".encode("utf-16"), "text in UTF-16"),
        (b"\xfe\xff\x00S", "text in UTF-16"),
        (b"S\x00I\x00", "text in UTF-16"),
        (b"\x00S\x00I", "text in UTF-16"),
    ],
)
def test_other_kinds_of_files_are_named(data: bytes, kind: str) -> None:
    """Tests that what is no text in UTF-8, and often taken for it, is told by its name."""
    with pytest.raises(FileError, match=f"^a: found {kind}.*, expected text in UTF-8$"):
        decode(data, "a")


def test_split_lines() -> None:
    """Tests that LF, CRLF and CR end a line, and no other separator does."""
    assert split_lines("a \t\nb\r\nc\rd\n\re\x0bf\x0cg\x85h\u2028i") == [
        "a",
        "b",
        "c",
        "d",
        "",
        "e\x0bf\x0cg\x85h\u2028i",
    ]


def test_to_int() -> None:
    """Tests that padding does not count, and that thousands of digits stay huge."""
    assert to_int("000") == 0
    assert to_int("0" * 5000 + "12") == 12
    assert to_int("9" * 5000) >= 10**9
