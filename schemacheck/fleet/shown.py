"""The lines in which two definitions differ, for a person."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from schemacheck.fleet.definition import BROKEN, BY_NAME, FIELD, LINE, NULL, OWN, decode

if TYPE_CHECKING:
    from schemacheck.fleet.gathered import Definition


def difference(source: Definition, replica: Definition) -> tuple[list[str], list[str]]:
    """What each of two definitions has and the other has not, a line each: columns with their ordinals, then
    keys and constraints.
    """
    here, there = source.block, replica.block
    dialects = source.rest[0], replica.rest[0]
    if "j" in dialects and dialects[0] != dialects[1]:
        return [], []  # they were read in two ways, and spell what is equal otherwise
    alike = dialects[0] == dialects[1] != "j"
    places = None if here is None or there is None or not alike else here.unlike(there)
    if here is None or there is None or places is None:
        ends = (source.text, replica.text)
        return _unlike(*(text[1:].split(LINE) if alike else _every(text) for text in ends))
    columns = ([f"{n + 1} {here.names[n]} {_kind(end.kinds[n])}" for n in places] for end in (here, there))
    if source.rest == replica.rest:
        ours, theirs = columns
        return ours, theirs
    behind = _unlike(*(end.rest[1:].split(LINE) for end in (source, replica)))
    ours, theirs = (first + rest for first, rest in zip(columns, behind, strict=True))
    return ours, theirs


def _unlike(ours: list[str], theirs: list[str]) -> tuple[list[str], list[str]]:
    """The lines that one end alone has, as they are shown."""
    left, right = set(ours), set(theirs)
    return (
        _shown_of([line for line in ours if line not in right]),
        _shown_of([line for line in theirs if line not in left]),
    )


#: The letter of a line that is shown as it is.
_READY = "Z"


def _every(text: str) -> list[str]:
    """All lines of a definition as they are shown."""
    if text[0] != "j":
        return [_READY + shown for line in text[1:].split(LINE) if (shown := _shown(line))]
    return [
        f"{_READY}{number} {c.name} "
        + _column(
            c.type.sql(),
            "YES" if c.nullable else "NO",
            c.default.text or c.default.kind.value if c.default else None,
            "",
            "",
        )
        for number, c in enumerate(decode(text).columns, 1)
    ]


def _shown_of(lines: Sequence[str]) -> list[str]:
    return [shown for line in lines if (shown := _shown(line))]


def _shown(line: str) -> str:
    """One line for a person, '' where there is nothing to show."""
    if not line or line[0] in (BROKEN, _READY):
        return line[1:]
    if line[0] == "C":
        ordinal, name = line[1:].split(FIELD, 2)[:2]
        return f"{ordinal.lstrip('0')} {name} {_kind(line[len(ordinal) + len(name) + 2 :])}"
    parts = line[1:].split(FIELD)
    parts = ["NULL" if p == NULL else "" if p == OWN else p for p in parts]
    if line[0] == "T":
        return "engine " + parts[1]
    if line[0] == "S":
        return f"key {parts[0]} ({parts[1].lstrip('0')}: {parts[3]})" + (" unique" if parts[2] == "0" else "")
    words = " ".join(p for p in parts if p and p != "NULL")
    return f"partition {words}" if line[0] == "P" else words


@lru_cache(maxsize=65_536)
def _kind(behind: str) -> str:
    """What stands behind the name in a line of COLUMNS, for a person."""
    row = dict(zip(BY_NAME["columns"].carried[1:], behind.split(FIELD)[1:], strict=True))
    default, extra, charset = (row[name] for name in ("COLUMN_DEFAULT", "EXTRA", "CHARACTER_SET_NAME"))
    return _column(
        row["COLUMN_TYPE"], row["IS_NULLABLE"], None if default in (NULL, "NULL") else default,
        "" if extra == NULL else extra, "" if charset == NULL else charset,
    )  # fmt: skip


def _column(kind: str, nullable: str, default: str | None, extra: str, charset: str) -> str:
    shown = (
        kind
        + (f" character set {charset}" if charset not in ("", "NULL") else "")
        + ("" if nullable == "YES" else " not null")
    )
    shown += f" default {default}" if default is not None else ""
    return shown + (f" {extra.lower()}" if extra not in ("", "NULL") else "")
