"""Reading a profile's file, which anybody may have written: every value is checked, errors name its place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from schemacheck.errors import InputError
from schemacheck.profile.document import (
    VERSION,
    Bound,
    ColumnProfile,
    Duplicates,
    Log,
    Profile,
    ServerOf,
    Skipped,
    StatementProfile,
    TableProfile,
    Writes,
)
from schemacheck.text.printable import one_line

#: Bytes of a file: a profile of 100,000 tables with 20 columns each is about half of it.
LARGEST = 1 << 29
_LARGEST_COUNT = 1 << 64


def load(place: str | PathLike[str]) -> Profile:
    """Read a profile's file. Raises InputError with the place of what is wrong in it."""
    path = fspath(place)
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    if len(data) > LARGEST:
        raise InputError(f"{path}: more than {LARGEST:,} bytes; a profile is smaller")
    return loads(data, path)


def loads(data: bytes | str, path: str = "profile") -> Profile:
    """The same of the file's content; `path` names it in errors."""
    try:
        document = json.loads(data, object_pairs_hook=_once, parse_float=Decimal, parse_constant=_no_constant)
        return _profile(document)
    except RecursionError:
        raise InputError(f"{path}: nested too deeply") from None
    except Wrong as wrong:
        raise InputError(f"{path}: {wrong}") from None
    except ValueError as error:  # no JSON, no UTF-8, a number of thousands of digits
        raise InputError(f"{path}: not a profile: {one_line(str(error))[:200]}") from None


class Wrong(Exception):
    """Says what is wrong at which place of the document."""

    def __init__(self, place: str, what: str) -> None:
        super().__init__(f"{one_line(place)[:200]}: {what}" if place else what)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different."""
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"the key {twice[:80]!r} is there twice in one object")
    return made


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is no number of JSON")


#: Reads a value at a place. Raises Wrong.
Read = Callable[[Any, str], Any]


def _shown(value: object) -> str:
    text = one_line(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= 60 else f"{text[:57]}..."


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise Wrong(place, f"{_shown(value)} is not a text")
    return value


_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", re.ASCII)


def _moment(value: Any, place: str) -> str:
    if not isinstance(value, str) or not _MOMENT.fullmatch(value):
        raise Wrong(place, f"{_shown(value)} is not a time such as 2026-01-31T12:00:00+00:00")
    return value


def _yes(value: Any, place: str) -> bool:
    if not isinstance(value, bool):
        raise Wrong(place, f"{_shown(value)} is neither true nor false")
    return value


def _count(value: Any, place: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _LARGEST_COUNT:
        raise Wrong(place, f"{_shown(value)} is not a count")
    return value


_NUMBER = re.compile(r"-?\d{1,400}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?", re.ASCII)
_INSTANT = re.compile(
    r"\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d{1,6})?)?|-?\d{2,3}:\d\d:\d\d(?:\.\d{1,6})?", re.ASCII
)


def _bound(value: Any, place: str) -> Bound:
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        value = str(value)
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return Decimal(value)
    if isinstance(value, str) and _INSTANT.fullmatch(value):
        return value
    raise Wrong(place, f"{_shown(value)} is neither a number nor a moment")


def _optional(read: Read) -> Read:
    return lambda value, place: None if value is None else read(value, place)


def _list(read: Read) -> Read:
    def listed(value: Any, place: str) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise Wrong(place, f"{_shown(value)} is not a list")
        return tuple(read(part, f"{place}[{number}]") for number, part in enumerate(value))

    return listed


def _mapping(read: Read, key: Read = _text) -> Read:
    def mapped(value: Any, place: str) -> dict[Any, Any]:
        if not isinstance(value, dict):
            raise Wrong(place, f"{_shown(value)} is not an object")
        return {key(name, place): read(part, f"{place}.{name}") for name, part in value.items()}

    return mapped


def _member(name: str, place: str) -> int:
    if not name.isdecimal() or not name.isascii() or len(name) > 5:
        raise Wrong(place, f"{_shown(name)} is not the number of a member")
    return int(name)


def _object(made: Callable[..., Any], needed: tuple[str, ...], fields: Mapping[str, Read]) -> Read:
    """A reader of objects: the names of `needed` must be there, others may, none else."""

    def read(value: Any, place: str) -> Any:
        if not isinstance(value, dict):
            raise Wrong(place, f"{_shown(value)} is not an object")
        for name in value:
            if name not in fields:
                raise Wrong(place, f"the key {_shown(name)} is not known; a newer schemacheck may know it")
        for name in needed:
            if name not in value:
                raise Wrong(place, f"the key {name!r} is missing")
        dot = f"{place}." if place else ""
        return made(**{name: fields[name](part, f"{dot}{name}") for name, part in value.items()})

    return read


_COUNT, _TEXTS, _WORD = _optional(_count), _list(_text), _optional(_text)
_COLUMN = _object(
    ColumnProfile, ("type",),
    {
        "type": _text, "minimum": _optional(_bound), "maximum": _optional(_bound),
        "outside": _optional(_mapping(_count)), "members": _optional(_mapping(_count, _member)),
        "counted": _optional(_mapping(_count)),
        **dict.fromkeys(
            ("nulls", "fraction", "longest_characters", "longest_bytes", "shortest_bytes", "empty", "blanks",
             "zero"),
            _COUNT,
        ),
    },
)  # fmt: skip
_WRITES = _object(
    Writes, ("statements", "inserts", "updates", "deletes", "first", "last"),
    {
        **dict.fromkeys(("statements", "inserts", "updates", "deletes"), _count), "first": _moment,
        "last": _moment, "images": _TEXTS, "changed_columns": _optional(_mapping(_count)),
    },
)  # fmt: skip
_DUPLICATES = _object(
    Duplicates, ("key", "groups", "rows"),
    {"key": _TEXTS, "groups": _count, "rows": _count, "collation": _WORD},
)  # fmt: skip
_TABLE = _object(
    TableProfile, ("schema", "name", "taken", "columns"),
    {
        "schema": _text, "name": _text, "taken": _moment, "columns": _mapping(_COLUMN), "definition": _WORD,
        "complete": _yes, "rows": _COUNT, "rows_exact": _yes, "auto_increment": _COUNT,
        "duplicates": _list(_DUPLICATES), "writes": _optional(_WRITES),
    },
)  # fmt: skip
_STATEMENT = _object(
    StatementProfile, ("digest", "text", "tables", "count", "first", "last"),
    {
        "digest": _text, "text": _text, "tables": _TEXTS, "count": _count, "first": _moment, "last": _moment,
        "features": _TEXTS, **dict.fromkeys(("written", "read", "calls"), _optional(_TEXTS)),
    },
)  # fmt: skip
_SERVER = _object(
    ServerOf, ("flavor", "version"),
    {"flavor": _text, "version": _text, "server_uuid": _WORD, "server_id": _COUNT},
)  # fmt: skip
_DOCUMENT = _object(
    dict, ("kind", "server", "taken", "bounds", "tables"),
    {
        "schemacheck_profile": _count, "tool": _text, "kind": _text, "server": _SERVER,
        "taken": _object(dict, ("from", "to"), {"from": _moment, "to": _moment}), "sample": _COUNT,
        "bounds": _yes, "tables": _list(_TABLE), "statements": _list(_STATEMENT),
        "log": _optional(_object(Log, ("formats", "complete"), {"formats": _TEXTS, "complete": _yes})),
        "skipped": _list(_object(Skipped, ("place", "reason"), {"place": _text, "reason": _text})),
    },
)  # fmt: skip


#: A table's profile out of JSON, and its place. Raises Wrong.
table_of: Callable[[Any, str], TableProfile] = _TABLE


def _profile(document: Any) -> Profile:
    """The profile that a document is. Raises Wrong."""
    version = document.get("schemacheck_profile") if isinstance(document, dict) else None
    if version is None:
        raise Wrong("", "not a profile of schemacheck: the key schemacheck_profile is missing")
    if version != VERSION:
        raise Wrong("schemacheck_profile", f"version {_shown(version)} is not known; this reads {VERSION}")
    content = _DOCUMENT(document, "")
    if content["kind"] not in ("data", "binlog"):
        raise Wrong("kind", f"{_shown(content['kind'])} is neither 'data' nor 'binlog'")
    names: set[tuple[str, str]] = set()
    for number, table in enumerate(content["tables"]):
        if (table.schema, table.name) in names:
            raise Wrong(f"tables[{number}]", f"{table.schema}.{table.name} is there twice")
        names.add((table.schema, table.name))
    taken = content["taken"]
    return Profile(
        content["kind"], content["server"], taken["from"], taken["to"], content["tables"],
        content.get("statements", ()), content.get("skipped", ()), content.get("sample"), content["bounds"],
        content.get("log"),
    )  # fmt: skip
