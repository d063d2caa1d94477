"""What a spreadsheet may ask of the machine: a small file can unpack to gigabytes of objects.

The files of the archive are parsed as XML here as openpyxl will parse them, but nothing is kept.
"""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress
from xml.parsers import expat

from nlrouter.files.errors import FileError

MAX_UNPACKED = 16 * 2**20
"""Bytes of a spreadsheet once unpacked: 70 boards of the contest's largest size (36X36X8)."""

MAX_OBJECTS = 450_000
"""XML elements, of which a filled cell has two: 20 boards of that size, filled to the last cell.
openpyxl takes up to 15 microseconds and 400 bytes for each, 6 s and 200 MB in all."""

_RANGES = ("mergeCell", "hyperlink", "comment")
"""Elements for each cell of whose range openpyxl makes an object; a sheet has billions."""


def require_harmless(path: str, data: bytes) -> None:
    """Make sure that a spreadsheet can be opened without filling the memory.

    Parameters
    ----------
    path
        The file's name, for messages.
    data
        Its content.

    Raises
    ------
    FileError
        If it would do harm.
    zipfile.BadZipFile
        If it is no archive. Like other faults of its content, that is for the reader to tell.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
        if size > MAX_UNPACKED:
            found = f"{size} bytes when unpacked"
            raise FileError(path, None, found, f"at most {MAX_UNPACKED} bytes")
        count = _Count(path)
        for entry in archive.infolist():
            count.add(archive.read(entry))


class _Count:
    """Counts what openpyxl would make objects of."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._objects = 0

    def add(self, content: bytes) -> None:
        """Count the objects of a file of the archive; what is no XML has none."""
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler = self._start
        with suppress(expat.ExpatError):  # Of a picture, say. openpyxl reads no further either.
            parser.Parse(content, True)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._objects += 1
        if name.rpartition(" ")[2] in _RANGES:
            self._objects += _area(attributes.get("ref", ""))
        if self._objects > MAX_OBJECTS:
            found = f"more than {MAX_OBJECTS} XML elements and merged or linked cells"
            raise FileError(self._path, None, found, "a spreadsheet with fewer cells in use")


def _area(reference: str) -> int:
    """Count the cells of a range such as ``A1:B2``."""
    from openpyxl.worksheet.cell_range import CellRange

    try:
        size = CellRange(reference).size
    except (ValueError, TypeError):
        return 0  # openpyxl will not read it either.
    return int(size["rows"] * size["columns"])
