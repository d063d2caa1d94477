"""Where the password comes from. It goes to the service and nowhere else."""

from __future__ import annotations

import getpass
import os
import stat
import warnings

from nlrouter.files.errors import FileError

PASSWORD_VARIABLE = "NLSUBMIT_PASSWORD"
"""Name of the environment variable that may hold the password."""


def find_password(path: str | None, user: str) -> str:
    """Return the password: from a file if one is named, else the environment, else a prompt.

    Parameters
    ----------
    path
        A file whose first line is the password, or None.
    user
        The user's name, for the prompt.

    Raises
    ------
    FileError
        If the file cannot be read, is open to others, or nothing is there to ask.
    """
    if path is not None:
        return _read_private(path)
    password = os.environ.get(PASSWORD_VARIABLE)
    if password:
        return password
    try:
        with warnings.catch_warnings():  # Without a terminal it would be shown with its code.
            warnings.simplefilter("ignore", getpass.GetPassWarning)
            return getpass.getpass(f"password of {user}: ")
    except EOFError as error:
        expected = f"one on the terminal, in {PASSWORD_VARIABLE} or in --password-file"
        raise FileError("password", None, "none", expected) from error


def _read_private(path: str) -> str:
    """Read the first line of a file that only its owner can read."""
    try:
        with open(path, encoding="utf-8") as file:
            # The open file, not the name, which may lead elsewhere a moment later.
            mode = os.fstat(file.fileno()).st_mode
            if mode & (stat.S_IRWXG | stat.S_IRWXO):
                expected = "a file for its owner alone (chmod 600)"
                raise FileError(path, None, f"rights {stat.S_IMODE(mode):o}", expected)
            password = file.readline().rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not in UTF-8"
        found = f"no readable file ({reason})"
        raise FileError(path, None, found, "a file with the password") from error
    if not password:
        raise FileError(path, 1, "an empty line", "the password")
    return password
