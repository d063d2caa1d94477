import pickle

from nlrouter.files.errors import LONGEST_QUOTE, FileError, quote


def test_sentence_with_line() -> None:
    """Tests that the sentence starts with file and line."""
    error = FileError("Q01.txt", 3, "'x'", "a number")
    assert str(error) == "Q01.txt:3: found 'x', expected a number"


def test_sentence_without_line() -> None:
    """Tests that a file-level sentence names the file alone."""
    error = FileError("Q01.txt", None, "no SIZE line", "one")
    assert str(error) == "Q01.txt: found no SIZE line, expected one"


def test_survives_pickling() -> None:
    """Tests that an error crosses from a worker process unchanged."""
    error = FileError("Q01.txt", 3, "'x'", "a number")
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error)
    assert copy.line == 3


def test_quote_is_short_and_printable() -> None:
    """Tests that quoted text stays short and holds no control characters."""
    assert quote("a\tb") == r"'a\tb'"
    assert len(quote("x" * 10_000)) < LONGEST_QUOTE + 10
