"""Reading a profile's file, which anybody may have written: every value is checked, errors name its place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import MISSING, fields
from decimal import Decimal
from functools import lru_cache, partial
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from schemacheck.errors import InputError
from schemacheck.model.type_facts import TEMPORALS
from schemacheck.profile import document
from schemacheck.profile.combined import order
from schemacheck.profile.document import Bound, Profile, TableProfile
from schemacheck.text.printable import one_line, unique

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
        return _profile(
            json.loads(data, object_pairs_hook=unique, parse_float=Decimal, parse_constant=_no_constant)
        )
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


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is no number of JSON")


def _shown(value: object) -> str:
    text = one_line(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= 60 else f"{text[:57]}..."


def _a(kind: type, value: Any) -> Any:
    return value if isinstance(value, kind) else None


def _count(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value <= _LARGEST_COUNT else None


_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,400}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?", re.ASCII)
_INSTANT = re.compile(
    r"\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d{1,6})?)?|-?\d{2,3}:\d\d:\d\d(?:\.\d{1,6})?", re.ASCII
)


def _moment(value: Any) -> str | None:
    return value if isinstance(value, str) and _MOMENT.fullmatch(value) else None


def _bound(value: Any) -> Bound:
    text = str(value) if type(value) in (int, Decimal) else value
    if isinstance(text, str) and _NUMBER.fullmatch(text):
        return Decimal(text)
    return text if isinstance(text, str) and _INSTANT.fullmatch(text) else None


def _is_of(kind: str, bound: Bound) -> bool:
    """Whether a bound is one of a column of this type; bounds of one type are ordered."""
    base = kind.partition("(")[0].split(" ")[0]
    if (base == "date" or base in TEMPORALS) and bound is not None:
        return isinstance(bound, str) and isinstance(order(bound), Decimal) is (base == "time")
    return not isinstance(bound, str)


#: Readers by annotation, which give None for what is another thing, and what they take.
_PLAIN: dict[str, tuple[Callable[[Any], Any], str]] = {
    "str": (partial(_a, str), "a text"), "bool": (partial(_a, bool), "true or false"),
    "int": (_count, "a count"),
    "Moment": (_moment, "a time such as 2026-01-31T12:00:00+00:00"),
    "Bound": (_bound, "a number or a moment"),
}  # fmt: skip


def _value(kind: str, value: Any, place: str) -> Any:
    """A value that is annotated so. Raises Wrong."""
    if kind.endswith(" | None"):
        if value is None:
            return None
        kind = kind.removesuffix(" | None")
    if kind in _PLAIN:
        read, wanted = _PLAIN[kind]
        if (given := read(value)) is None:
            raise Wrong(place, f"{_shown(value)} is not {wanted}")
        return given
    if kind.startswith("tuple["):
        if not isinstance(value, list):
            raise Wrong(place, f"{_shown(value)} is not a list")
        inner = kind[len("tuple[") : -len(", ...]")]
        return tuple(_value(inner, part, f"{place}[{number}]") for number, part in enumerate(value))
    if not isinstance(value, dict):
        raise Wrong(place, f"{_shown(value)} is not an object")
    if kind.startswith("Mapping["):
        key, inner = kind[len("Mapping[") : -1].split(", ", 1)
        read_key = str if key == "str" else _member
        for name in value:
            if read_key(name) is None:
                raise Wrong(place, f"{_shown(name)} is not the number of a member")
        return {read_key(name): _value(inner, part, f"{place}.{name}") for name, part in value.items()}
    by_name = _fields(kind)
    for name in value:
        if name not in by_name:
            raise Wrong(place, f"the key {_shown(name)} is of another version of schemacheck")
    for name, (_, needed) in by_name.items():
        if needed and name not in value:
            raise Wrong(place, f"the key {name!r} is missing")
    dot = f"{place}." if place else ""
    made = getattr(document, kind)(
        **{name: _value(by_name[name][0], part, f"{dot}{name}") for name, part in value.items()}
    )
    for name in ("minimum", "maximum") if kind == "ColumnProfile" else ():
        if not _is_of(made.type, getattr(made, name)):
            raise Wrong(f"{place}.{name}", f"{_shown(value[name])} is no bound of {_shown(made.type)}")
    return made


@lru_cache(maxsize=64)
def _fields(kind: str) -> dict[str, tuple[str, bool]]:
    """The annotations of the fields of a class of `document` by name, and whether they must be there."""
    every = fields(getattr(document, kind))
    return {field.name: (str(field.type), field.default is MISSING) for field in every}


def _member(name: str) -> int | None:
    return int(name) if name.isdecimal() and name.isascii() and len(name) <= 5 else None


def table_of(value: Any, place: str) -> TableProfile:
    """A table's profile out of JSON. Raises Wrong."""
    table: TableProfile = _value("TableProfile", value, place)
    return table


def _profile(content: Any) -> Profile:
    """The profile that a document is. Raises Wrong."""
    version = content.get("schemacheck_profile") if isinstance(content, dict) else None
    if version is None:
        raise Wrong("", "not a profile of schemacheck: the key schemacheck_profile is missing")
    if version != document.VERSION:
        raise Wrong(
            "schemacheck_profile", f"version {_shown(version)} is not known; this reads {document.VERSION}"
        )
    record = {key: value for key, value in content.items() if key not in ("schemacheck_profile", "tool")}
    profile: Profile = _value("Profile", record, "")
    if profile.kind not in ("data", "binlog"):
        raise Wrong("kind", f"{_shown(profile.kind)} is neither 'data' nor 'binlog'")
    names: set[tuple[str, str]] = set()
    for number, table in enumerate(profile.tables):
        if (table.schema, table.name) in names:
            raise Wrong(f"tables[{number}]", f"{table.schema}.{table.name} is there twice")
        names.add((table.schema, table.name))
    return profile
