"""my.cnf: the server's groups, includes followed, options as variables."""

from __future__ import annotations

import re
from pathlib import Path

from schemacheck.errors import InputError
from schemacheck.model.server import canonical

#: Groups that a server reads: mysqld, server, mariadb, mariadbd, their versions (mysqld-8.0) and clients' no others.
_SERVER_GROUP = re.compile(r"(?:mysqld|server|mariadbd?|galera)(?:-\d+(?:\.\d+)*)?\Z")
_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "r": "\r", "s": " ", "\\": "\\"}
#: Options that may stand several times; each adds to the others.
_REPEATED = re.compile(r"(?:replicate|binlog)_(?:do|ignore|wild_do|wild_ignore|rewrite)_(?:db|table)\Z")
_DEPTH = 10


def read_options(text: str, file: str, *, group: re.Pattern[str] = _SERVER_GROUP) -> dict[str, str]:
    """The variables that an option file's server groups set, by canonical name; the last one wins, filters add up.

    `!include` and `!includedir` are followed relative to the file. Raises InputError with file and
    line for a line outside of any group, an include that is not there, or includes nested too deep.
    """
    out: dict[str, str] = {}
    _read(text, file, group, out, 0)
    return out


def _read(text: str, file: str, group: re.Pattern[str], out: dict[str, str], depth: int) -> None:
    if depth > _DEPTH:
        message = f"{file}: option files include each other more than {_DEPTH} deep"
        raise InputError(message)
    here: str | None = None
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        if line.startswith("!"):
            for path in _included(line, file, number):
                try:
                    _read(path.read_text("utf-8", "replace"), str(path), group, out, depth + 1)
                except OSError as error:
                    message = f"{file}:{number}: cannot include {path}: {error.strerror or error}"
                    raise InputError(message) from None
        elif line.startswith("["):
            here = line[1:].split("]", 1)[0].strip().lower()
        elif here is None:
            message = f"{file}:{number}: an option stands before the first [group]"
            raise InputError(message)
        elif group.match(here):
            _option(line, out)


def _included(line: str, file: str, number: int) -> list[Path]:
    word, _, target = line.partition(" ")
    path = Path(target.strip())
    if not path.is_absolute() and file != "-":
        path = Path(file).parent / path
    if word == "!include":
        return [path]
    if word == "!includedir":
        if not path.is_dir():
            message = f"{file}:{number}: cannot include {path}: no such directory"
            raise InputError(message)
        return sorted(one for one in path.iterdir() if one.suffix in (".cnf", ".ini") and one.is_file())
    message = f"{file}:{number}: unknown directive {word}"
    raise InputError(message)


def _option(line: str, out: dict[str, str]) -> None:
    name, equals, value = line.partition("=")
    plain = canonical(name.strip().lstrip("-"))
    for prefix in ("loose_", "maximum_"):
        plain = plain.removeprefix(prefix)
    text = _value(value.strip()) if equals else "ON"
    if plain.startswith(("skip_", "disable_")) and not equals:
        plain, text = plain.split("_", 1)[1], "OFF"
    elif plain.startswith("enable_") and not equals:
        plain = plain.removeprefix("enable_")
    plain = canonical(plain)
    if _REPEATED.match(plain) and out.get(plain):
        text = f"{out[plain]},{text}"
    out[plain] = text


def _value(text: str) -> str:
    """A value without quotes and trailing comment, its escapes undone."""
    if text[:1] in "'\"" and text[:1] and (end := text.find(text[0], 1)) > 0:
        inner = text[1:end]
    else:
        inner = re.split(r"\s#", text, maxsplit=1)[0].strip()
    return re.sub(r"\\([btnrs\\])", lambda m: _ESCAPES[m.group(1)], inner)
