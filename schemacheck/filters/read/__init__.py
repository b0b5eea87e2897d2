"""Readers of filters: option files, statements, what servers show."""

from __future__ import annotations

import re
from pathlib import Path

from schemacheck.errors import BadSetting, InputError
from schemacheck.filters.read import options_file, statements, status
from schemacheck.filters.read.options import FilterInput
from schemacheck.model import Server
from schemacheck.system import git

__all__ = ["FilterInput", "parse", "read"]


def read(path: str | Path, server: Server | None = None) -> FilterInput:
    """The filters in a file, by path or `git:REF:PATH`; `server` tells how channels are written. Raises
    InputError, BadSetting for a refused value.
    """
    text = git.read(str(path)).decode("utf-8", errors="surrogateescape")
    if _option_file(text):
        if git.is_located(str(path)) and re.search(r"^[^\S\n]*+!include", text, re.MULTILINE):
            raise InputError(f"{path}: a file of a commit includes no others; write the filters into it")
        return options_file.parse(text, str(path), server)
    try:
        return parse(text, server)
    except (InputError, BadSetting) as error:
        raise type(error)(f"{path}: {error}") from error


def parse(text: str, server: Server | None = None) -> FilterInput:
    """The filters in a text: an option file, statements, or what a server shows."""
    if _option_file(text):
        return options_file.parse(text, server=server)
    if re.match(r"\s*+--\w", text):
        raise InputError("options of a command line are not read: write them into a file, under [mysqld]")
    if re.search(r"\b(CHANGE\s++(REPLICATION\s++FILTER|MASTER)\b|SET\s++(GLOBAL\b|@@))", text, re.IGNORECASE):
        return statements.parse(text, server)
    return status.parse(text, server)


def _option_file(text: str) -> bool:
    # Blanks of one line: those of all lines would be looked at again from each of them.
    match = re.search(r"^[^\S\n]*+(\[[\w.-]++\]|!include(dir)?\s)", text, re.MULTILINE)
    return match is not None and not re.search(r"^\*{5}", text, re.MULTILINE)
