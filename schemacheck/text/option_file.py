"""Option files (my.cnf) as servers read them (my_default.c)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from schemacheck import knowledge
from schemacheck.dataclass import dataclass
from schemacheck.errors import InputError
from schemacheck.system import inner_file

#: Includes of includes that a server follows.
DEPTH = 10
#: Files that one file may include in all, and the bytes of each.
MOST_INCLUDED, MOST_BYTES = 200, 4 << 20
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


def options(
    text: str,
    file: str,
    *,
    errors: str = "replace",
    depth: int = 0,
    within: str | None = None,
    included: list[Path] | None = None,
) -> Iterator[Option]:
    """The options of all groups in order, included files' in their place (`included` so far, `within` a
    folder). Raises InputError with file and line.
    """
    if depth > DEPTH:
        raise InputError(f"{file}: option files include each other more than {DEPTH} deep")
    seen = included if included is not None else []
    group: str | None = None
    for number, raw in enumerate(text.split("\n"), 1):
        line, place = raw.strip(_BLANK), f"{file}:{number}"
        if not line or line[0] in "#;":
            continue
        if line.startswith("!"):
            for path in _included(line, file, place):
                seen.append(path)
                inner = _text(path, place, errors, within, len(seen))
                yield from options(
                    inner, str(path), errors=errors, depth=depth + 1, within=within, included=seen
                )
        elif line.startswith("["):
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


def _included(line: str, file: str, place: str) -> list[Path]:
    word, _, target = line.partition(" ")
    path = Path(target.strip(_BLANK))
    if not path.is_absolute() and file != "-":
        path = Path(file).parent / path
    if word == "!include":
        return [path]
    if word == "!includedir":
        if not path.is_dir():
            raise InputError(f"{place}: cannot include {path}: no such directory")
        return sorted(path for path in path.iterdir() if path.suffix == ".cnf" and path.is_file())
    raise InputError(f"{place}: unknown directive {word}")


def _text(path: Path, place: str, errors: str, within: str | None, number: int) -> str:
    """An included file. Raises InputError, which names the limit that it breaks."""
    why = ""
    real = os.path.realpath(path)
    if number > MOST_INCLUDED:
        why = f"more than {MOST_INCLUDED} files are included"
    elif within is not None and not real.startswith(os.path.realpath(within) + os.sep):
        why = "it is outside of the directory that is read"
    else:
        try:
            # Without a folder to stay in, its own one.
            with inner_file.opened(path, within if within is not None else Path(real).parent) as stream:
                content = stream.read(MOST_BYTES + 1)
            if len(content) <= MOST_BYTES:
                return content.decode("utf-8", errors).replace("\r\n", "\n").replace("\r", "\n")
            why = f"it is larger than {MOST_BYTES >> 20} MiB"
        except (OSError, ValueError) as error:
            # ValueError: a NUL in the path, or bytes that are no UTF-8.
            why = getattr(error, "strerror", None) or str(error)
    raise InputError(f"{place}: cannot include {path}: {why}")


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
