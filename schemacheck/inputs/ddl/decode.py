"""A file's bytes as text: byte order marks, UTF-16, UTF-8; anything else is told, not guessed."""

from __future__ import annotations

from schemacheck.model.location import Location
from schemacheck.model.problem import InputProblem

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe\x00\x00", "utf-32-le"), (b"\x00\x00\xfe\xff", "utf-32-be"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"),
)  # fmt: skip
#: As many NUL bytes as this share of the beginning say UTF-16 or no text at all.
_NUL_SHARE = 0.2
_LOOK = 4096


def decode(data: bytes, file: str = "-") -> str | InputProblem:
    """The text of a script, without its byte order mark; an InputProblem (SC001) for what is no text.

    UTF-8 is taken as it is; UTF-16 and UTF-32 with a byte order mark, UTF-16 without one where
    every other byte is NUL. A mysqldump with binary values is not UTF-8 throughout: where only
    strings of its INSERTs are bad, those bytes become replacement characters.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _as(data[len(mark) :], encoding, file)
    head = data[:_LOOK]
    if head.count(0) > len(head) * _NUL_SHARE:
        even, odd = head[0::2].count(0), head[1::2].count(0)
        if odd > len(head) * 0.3 and even < len(head) * 0.1:
            return _as(data, "utf-16-le", file)
        if even > len(head) * 0.3 and odd < len(head) * 0.1:
            return _as(data, "utf-16-be", file)
        return InputProblem(
            "SC001", "this is no text: it holds NUL bytes; give SQL text (UTF-8)", Location(file, 1, 1)
        )
    return _as(data, "utf-8", file)


def _as(data: bytes, encoding: str, file: str) -> str | InputProblem:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding == "utf-8" and _in_data(data, error.start):
            return data.decode(encoding, "replace")
        before = data[: error.start].decode(encoding, "replace")
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        message = f"not {encoding.upper()}: byte 0x{data[error.start]:02x}; convert the file, for example: iconv -f latin1 -t utf-8"
        return InputProblem("SC001", message, Location(file, line, column))


def _in_data(data: bytes, at: int) -> bool:
    """Whether the line that holds this byte, and every later bad one, is an INSERT of a dump."""
    while True:
        begin = data.rfind(b"\n", 0, at) + 1
        if not data[begin : begin + 12].lstrip().upper().startswith((b"INSERT ", b"REPLACE ", b"(")):
            return False
        end = data.find(b"\n", at)
        if end < 0:
            return True
        try:
            data[end:].decode("utf-8")
        except UnicodeDecodeError as error:
            at = end + error.start
        else:
            return True
