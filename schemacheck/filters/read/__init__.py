"""Readers of filters: command lines, option files, statements, what servers show."""

from __future__ import annotations

import re
from pathlib import Path

from schemacheck.errors import BadSetting, InputError
from schemacheck.filters.read import options, options_file, statements, status
from schemacheck.filters.read.options import FilterInput, from_options, per_channel
from schemacheck.model import Server
from schemacheck.system import git

#: A word of a shell, as far as quotes go (shlex takes time that grows with the square of a word's length).
_WORD = re.compile(r"""(?:[^ \t\r\n'"]++|'[^']*+'|"[^"]*+"|(?P<open>['"].*+))++""", re.DOTALL)
_PART = re.compile(r"""'([^']*+)'|"([^"]*+)["]""")

__all__ = ["FilterInput", "from_options", "parse", "per_channel", "read"]


def read(path: str | Path, server: Server | None = None) -> FilterInput:
    """The filters in a file, by path or `git:REF:PATH`; `server` tells how channels are written. Raises
    InputError, BadSetting for a refused value.
    """
    text = git.read(str(path)).decode("utf-8", errors="surrogateescape")
    if _option_file(text):
        return options_file.parse(text, str(path), server)
    try:
        return parse(text, server)
    except (InputError, BadSetting) as error:
        raise type(error)(f"{path}: {error}") from error


def parse(text: str, server: Server | None = None) -> FilterInput:
    """The filters in a text: a command line, an option file, statements, or what a server shows."""
    if _option_file(text):
        return options_file.parse(text, server=server)
    if re.match(r"\s*+--\w", text):
        return FilterInput(options.per_channel(_words(text), server))
    if re.search(r"\b(CHANGE\s++(REPLICATION\s++FILTER|MASTER)\b|SET\s++(GLOBAL\b|@@))", text, re.IGNORECASE):
        return statements.parse(text, server)
    return status.parse(text, server)


def _words(text: str) -> list[str]:
    """A command line's words as a shell makes them; a backslash outside of quotes stays, as in ps."""
    words: list[str] = []
    for line in text.replace("\\\n", " ").splitlines():
        for match in _WORD.finditer(line):
            if match["open"] is not None:
                raise InputError("no command line: no closing quotation")
            word = _PART.sub(lambda part: part[1] or part[2] or "", match[0])
            if word.startswith("#"):
                break
            words.append(word)
    return words


def _option_file(text: str) -> bool:
    # Blanks of one line: those of all lines would be looked at again from each of them.
    match = re.search(r"^[^\S\n]*+(\[[\w.-]++\]|!include(dir)?\s)", text, re.MULTILINE)
    return match is not None and not re.search(r"^\*{5}", text, re.MULTILINE)
