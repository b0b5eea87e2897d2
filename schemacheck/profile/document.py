"""The profile as a JSON document: what it holds and how it is written (`reader` reads it).

A measure that is None was not taken. Bounds are numbers or moments as text; beside a column whose values are
all NULL they are None too. Counts are rows, lengths are characters or bytes as their names say.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from schemacheck.dataclass import dataclass

if TYPE_CHECKING:
    from schemacheck.model import Table

VERSION = 1
#: What JSON's readers keep as it is.
_EXACT = 1 << 53

Bound = Decimal | str | None
#: A time in UTC, as 2026-01-31T12:00:00+00:00.
Moment = str


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """One column. `type` is the type as the model prints it, character set included.

    `fraction`: the most digits behind the point, or of a second, without trailing zeros. `blanks`: values
    that end in a space. `outside`: rows with a character that a character set lacks. `members`: rows by the
    number of an ENUM's member (0: its error value), or by the bit of a SET's (0 to 63). `counted`: rows by
    an SQL condition over the column.
    """

    type: str
    nulls: int | None = None
    minimum: Bound = None
    maximum: Bound = None
    fraction: int | None = None
    longest_characters: int | None = None
    longest_bytes: int | None = None
    empty: int | None = None
    blanks: int | None = None
    zero: int | None = None
    outside: Mapping[str, int] | None = None
    members: Mapping[int, int] | None = None
    counted: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Duplicates:
    """Values that are alike under a key: `groups` of them, in `rows` rows altogether. `collation` is the one
    by which its texts were compared, None: it has none, or texts of several collations.
    """

    key: tuple[str, ...]
    groups: int
    rows: int
    collation: str | None = None


@dataclass(frozen=True, slots=True)
class Writes:
    """What a log writes to one table: Query events, rows of row events, row images, rows in which a column
    changes.
    """

    statements: int = 0
    inserts: int = 0
    updates: int = 0
    deletes: int = 0
    images: tuple[str, ...] = ()
    changed_columns: Mapping[str, int] | None = None

    @property
    def changes(self) -> int:
        """Rows that are updated or deleted."""
        return self.updates + self.deletes

    @property
    def rows(self) -> int:
        """Rows of row events."""
        return self.inserts + self.changes


@dataclass(frozen=True, slots=True)
class TableProfile:
    """One table. `complete`: every row that was last written before `taken` (UTC) took part; of a log's
    tables: no row event of it was left out. `definition` is `definition_of` the table, None where the log
    does not tell it: its columns are then @1, @2, ...
    """

    schema: str
    name: str
    taken: Moment
    columns: Mapping[str, ColumnProfile]
    definition: str | None = None
    complete: bool = False
    rows: int | None = None
    auto_increment: int | None = None
    duplicates: tuple[Duplicates, ...] = ()
    writes: Writes | None = None


@dataclass(frozen=True, slots=True)
class StatementProfile:
    """Statements of a log that are alike but for their values, and what they do (`sql.statements.features`);
    None: not known.
    """

    text: str
    tables: tuple[str, ...]
    count: int
    features: tuple[str, ...] = ()
    inserted: tuple[str, ...] | None = None
    updated: tuple[str, ...] | None = None
    read: tuple[str, ...] | None = None
    calls: tuple[str, ...] | None = None
    queried: tuple[str, ...] | None = None
    ordered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """What was not measured, and why."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class ServerOf:
    """The server: who it is, as far as it says so."""

    flavor: str
    version: str
    server_uuid: str | None = None
    server_id: int | None = None


@dataclass(frozen=True, slots=True)
class Log:
    """The logs of a profile: formats in them (`row`, `statement`); `complete`: no gap between the files and
    nothing left out.
    """

    formats: tuple[str, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile of kind `data` (tables as they are) or `binlog` (what is written). `sample`: one row of so
    many was read; `bounds`: whether bounds were taken. `taken_from` and `taken_to` are UTC.
    """

    kind: str
    server: ServerOf
    taken_from: Moment
    taken_to: Moment
    tables: tuple[TableProfile, ...] = ()
    statements: tuple[StatementProfile, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    sample: int | None = None
    bounds: bool = True
    log: Log | None = None


def utc(seconds: float) -> Moment:
    """A time since 1970 as documents have it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def definition_of(table: Table) -> str:
    """A mark of a table's columns (16 hex digits): equal where names, types, NULL and generated columns are,
    through whatever reader. A collation changes no measure but `Duplicates`, which name theirs; the character
    set of an ENUM or a SET none.
    """
    columns = [
        (c.name.casefold(), c.type.base, c.type.members or c.type.sql(), c.nullable, c.generated)
        for c in table.columns
    ]
    return hashlib.sha256(repr(columns).encode()).hexdigest()[:16]


def dump(profile: Profile, tool: str) -> str:
    """The document's text: one line for each table and statement. `tool` names who wrote it."""
    lines = []
    for key, value in {"schemacheck_profile": VERSION, "tool": tool, **plain(profile)}.items():
        text = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list) and value:
            entries = ",\n  ".join(json.dumps(entry, ensure_ascii=False) for entry in value)
            text = f"[\n  {entries}\n ]"
        lines.append(f'"{key}": {text}')
    return "{\n " + ",\n ".join(lines) + "\n}\n"


def plain(value: Any) -> Any:
    """A value as JSON has it; fields that are None are left out."""
    if isinstance(value, Decimal):
        whole = value == value.to_integral_value() and abs(value) <= _EXACT
        return int(value) if whole else str(value)
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    names = getattr(type(value), "__match_args__", None)
    if names is not None:
        fields = ((name, getattr(value, name)) for name in names)
        return {name: plain(field) for name, field in fields if field is not None}
    if hasattr(value, "items"):
        return {str(key): plain(part) for key, part in value.items()}
    return value
