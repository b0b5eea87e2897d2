"""Rows of ROUTINES and PARAMETERS: what functions and procedures take, give and do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.model import Location
from schemacheck.model.program import Routine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from schemacheck.model.program import Made

    Row = Mapping[str, str | None]

VIEWS = {
    "ROUTINES": (
        "ROUTINE_SCHEMA", "ROUTINE_NAME", "ROUTINE_TYPE", "ROUTINE_DEFINITION", "SECURITY_TYPE", "SQL_MODE",
        "DEFINER", "COLLATION_CONNECTION", "DATABASE_COLLATION",
    ),
    "PARAMETERS": (
        "SPECIFIC_SCHEMA", "SPECIFIC_NAME", "ROUTINE_TYPE", "ORDINAL_POSITION", "PARAMETER_MODE",
        "PARAMETER_NAME", "DTD_IDENTIFIER", "COLLATION_NAME",
    ),
}  # fmt: skip
_KINDS = ("function", "procedure")
#: Servers before MySQL 8.0.19 print a width that says nothing.
_WIDTH = re.compile(r"int\(\d+\)(?!.*zerofill)", re.ASCII)


def routines(
    rows: Iterable[tuple[str, str, Row]], made: Callable[[Row], Made], seen: frozenset[str]
) -> list[Routine]:
    """The routines of rows. `made` reads what a row tells of the CREATE, `seen` are the views there."""
    heads: dict[tuple[str | None, str, str], list[tuple[int, str]]] = {}
    unread = set()
    result = []
    for view, _, row in rows:
        if view == "PARAMETERS":
            kind, name = (row["ROUTINE_TYPE"] or "").lower(), (row["SPECIFIC_NAME"] or "").casefold()
            words = (row[column] or "" for column in VIEWS[view][4:])
            text = _WIDTH.sub("int", " ".join(words).casefold())
            key, place = (row["SPECIFIC_SCHEMA"], kind, name), row["ORDINAL_POSITION"] or ""
            if place.isdecimal() and len(place) < 6:
                heads.setdefault(key, []).append((int(place), text))
            else:
                unread.add(key)
    for view, file, row in rows:
        kind, name = (row["ROUTINE_TYPE"] or "").lower(), row.get("ROUTINE_NAME") or ""
        if view != "ROUTINES" or kind not in _KINDS:
            continue
        body = row["ROUTINE_DEFINITION"]
        key = (row["ROUTINE_SCHEMA"], kind, name.casefold())
        head = str(sorted(heads.get(key, ())))
        told = body is not None and "PARAMETERS" in seen and key not in unread
        fixed = "DETERMINISTIC " if body and row.get("IS_DETERMINISTIC") == "YES" else ""
        by = made(row)
        result.append(
            Routine(
                kind,
                name,
                row["ROUTINE_SCHEMA"],
                fixed + (body or ""),
                Location(file),
                by.modes,
                by,
                head if told else "?",
            )
        )
    return result
