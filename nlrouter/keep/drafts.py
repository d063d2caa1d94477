"""What was drawn and not saved, in a hidden file beside the one that it is for."""

from __future__ import annotations

import json
import os
import threading

from nlrouter.files.atomic import hold_folder, write_atomically
from nlrouter.files.errors import FileError
from nlrouter.files.text import read_text


class Drafts:
    """Texts by keys, which outlive the process where a file can be written.

    Parameters
    ----------
    path
        The file that they are for, whose folder has ``.NAME.drafts`` as long as there are any;
        None to keep them in memory alone.
    """

    def __init__(self, path: str | None) -> None:
        self._path = None
        if path is not None:
            folder, name = os.path.split(path)
            self._path = os.path.join(folder, f".{name}.drafts")
        self._held: dict[str, str] = {}  # What no file has.
        self._putting = threading.Lock()

    def read(self) -> dict[str, str]:
        """Return all texts.

        Raises
        ------
        FileError
            If the file has been damaged.
        """
        if self._path is None or not os.path.exists(self._path):
            return dict(self._held)
        _, text = read_text(self._path)
        try:
            kept = json.loads(text)
        except (ValueError, RecursionError):
            kept = None
        if not isinstance(kept, dict) or not all(isinstance(each, str) for each in kept.values()):
            raise FileError(self._path, None, "no drafts", "what nlview has kept there")
        return kept | self._held

    def put(self, key: str, text: str) -> None:
        """Keep a text, or with an empty one no longer; other processes may do so meanwhile."""
        with self._putting, hold_folder(self._path or "."):
            self._held.pop(key, None)
            try:
                drafts = self.read()
            except FileError:
                drafts = dict(self._held)
            drafts.pop(key, None)
            if text:
                drafts[key] = text
            try:
                self._write(drafts)
            except FileError:  # A full disk, say: this process has it as long as it lives.
                self._held = drafts

    def _write(self, drafts: dict[str, str]) -> None:
        if self._path is None:
            self._held = drafts
        elif drafts:
            write_atomically(self._path, json.dumps(drafts))
            self._held.clear()
        elif os.path.exists(self._path):
            os.unlink(self._path)
