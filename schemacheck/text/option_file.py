"""Option files (my.cnf) as servers read them (my_default.c)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemacheck import knowledge
from schemacheck.dataclass import dataclass
from schemacheck.errors import InputError

#: What servers skip around words (`my_isspace`); Python's own blanks are Unicode's.
_BLANK = " \t\n\v\f\r"
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "s": " ", '"': '"', "'": "'", "\\": "\\"}


@dataclass(frozen=True, slots=True)
class Option:
    """One line: its group in lower case, the option as written, its value (None: no `=`), and `file:line`."""

    group: str
    name: str
    value: str | None
    place: str


def options(text: str, file: str) -> Iterator[Option]:
    """The options of all groups in order. Raises InputError with file and line, also for an include: what
    the files that it names set would be missing.
    """
    group: str | None = None
    for number, raw in enumerate(text.split("\n"), 1):
        line, place = raw.strip(_BLANK), f"{file}:{number}"
        if not line or line[0] in "#;":
            continue
        if line.startswith("!"):
            raise InputError(
                f"{place}: {line.split()[0]} is not followed: put all files into one, or give what SHOW "
                "GLOBAL VARIABLES prints"
            )
        if line.startswith("["):
            group = line[1:].split("]", 1)[0].rstrip(_BLANK).lower()
        elif group is None:
            raise InputError(f"{place}: an option precedes the first [group]")
        else:
            name, equals, value = _uncommented(line).partition("=")
            yield Option(group, name.rstrip(_BLANK), _value(value) if equals else None, place)


def read_by(group: str, flavor: str | None, series: str | None = None) -> bool:
    """Whether a server reads a group; one of unknown flavour or series reads those of all."""
    current = knowledge.load("option_files")["groups"]
    kinds = current.values() if flavor is None else [current["mariadb" if flavor == "mariadb" else "mysql"]]
    word, dash, version = group.rpartition("-")
    for kind in kinds:
        if group in kind["always"]:
            return True
        if (
            dash
            and word in kind["series"]
            and (version == series if series is not None else re.fullmatch(r"\d+(\.\d+)*", version))
        ):
            return True
    return False


def _uncommented(line: str) -> str:
    """The line up to a `#` outside of quotes."""
    quote, escaped = "", False
    for at, char in enumerate(line):
        if char in "'\"" and not escaped and quote in ("", char):
            quote = "" if quote else char
        if char == "#" and not quote:
            return line[:at].rstrip(_BLANK)
        escaped = bool(quote) and char == "\\" and not escaped
    return line


def _value(text: str) -> str:
    r"""A value without the quotes around it; `\s`, `\n`, `\\`, `\'` and their kin are escapes, `\_` stays."""
    text = text.strip(_BLANK)
    if len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]:
        text = text[1:-1]
    return re.sub(r"\\([ntrbs\"'\\])", lambda m: _ESCAPES[m[1]], text)
