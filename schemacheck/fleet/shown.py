"""The lines in which two definitions differ, for a person."""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.fleet.definition import BROKEN, FIELD, LINE, NULL, OWN, decode, index_of


def difference(source: str, replica: str) -> tuple[list[str], list[str]]:
    """What each of two definitions has and the other has not, a line each: columns with their ordinals, then
    keys and constraints.
    """
    if source[0] == replica[0] != "j":
        ours, theirs = source[1:].split(LINE), replica[1:].split(LINE)
    else:
        ours, theirs = _every(source), _every(replica)
    there, here = set(theirs), set(ours)
    left = [line for line in ours if line not in there]
    right = [line for line in theirs if line not in here]
    return _shown_of(left), _shown_of(right)


#: The letter of a line that is shown as it is.
_READY = "Z"


def _every(text: str) -> list[str]:
    """All lines of a definition as they are shown."""
    if text[0] != "j":
        return [_READY + shown for line in text[1:].split(LINE) if (shown := _shown(line))]
    return [
        _READY
        + _column(
            str(number),
            c.name,
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


_CHOSEN = tuple(
    index_of("columns", name)
    for name in ("COLUMN_NAME", "COLUMN_TYPE", "IS_NULLABLE", "COLUMN_DEFAULT", "EXTRA", "CHARACTER_SET_NAME")
)


def _shown(line: str) -> str:
    """One line for a person, '' where there is nothing to show."""
    if not line or line[0] in (BROKEN, _READY):
        return line[1:]
    parts = line[1:].split(FIELD)
    if line[0] == "C":
        name, kind, nullable, default, extra, charset = (
            "" if p == OWN else p for p in (parts[at] for at in _CHOSEN)
        )
        return _column(
            parts[0].lstrip("0"),
            name,
            kind,
            nullable,
            None if default in (NULL, "NULL") else default,
            "" if extra == NULL else extra,
            "" if charset == NULL else charset,
        )
    parts = ["NULL" if p == NULL else "" if p == OWN else p for p in parts]
    if line[0] == "T":
        return "engine " + parts[1]
    if line[0] == "S":
        return f"key {parts[0]} ({parts[1].lstrip('0')}: {parts[3]})" + (" unique" if parts[2] == "0" else "")
    words = " ".join(p for p in parts if p and p != "NULL")
    return f"partition {words}" if line[0] == "P" else words


def _column(
    ordinal: str, name: str, kind: str, nullable: str, default: str | None, extra: str, charset: str
) -> str:
    shown = (
        f"{ordinal} {name} {kind}"
        + (f" character set {charset}" if charset not in ("", "NULL") else "")
        + ("" if nullable == "YES" else " not null")
    )
    shown += f" default {default}" if default is not None else ""
    return shown + (f" {extra.lower()}" if extra not in ("", "NULL") else "")
