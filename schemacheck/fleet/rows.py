"""Rows of information_schema, as one dump's files hold them, become one definition text per table.

What only the readers of `schemacheck.inputs` understand is not read here (see dump.py).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from schemacheck.errors import InputError
from schemacheck.fleet import column_lines, constraint_rows, definition, gathered
from schemacheck.fleet.definition import BROKEN, BY_NAME, FIELD, INCOMING, LINE, NULL, index_of
from schemacheck.fleet.dump_file import WANTED, BrokenRow, parquet, tsv, without_reserved
from schemacheck.fleet.gathered import Gathered, Name
from schemacheck.inputs.column_row import REQUIRED
from schemacheck.inputs.details import keys_elsewhere, without_columns, without_table_row
from schemacheck.inputs.rows import NO_NAME, not_dumped
from schemacheck.inputs.system import EVERY, is_system, left_out
from schemacheck.model import InputProblem, Location
from schemacheck.model.names import folded

if TYPE_CHECKING:
    import pyarrow as pa

    from schemacheck.fleet.column_lines import Piece, Pieces
    from schemacheck.fleet.snapshots import File
    from schemacheck.model import Server


class Definition:
    """One table's text (see definition.py). `block` are its columns, where nobody has made lines of them, and
    `rest` is all else. `odd` says that only the engine can tell whether the rows make sense; `n_rows` and
    `n_bytes` are TABLES' estimates.
    """

    __slots__ = ("_signature", "_text", "block", "database", "n_bytes", "n_rows", "odd", "rest", "table")

    def __init__(
        self,
        database: str,
        table: str,
        rest: str,
        odd: bool = True,
        n_rows: int | None = None,
        n_bytes: int | None = None,
        block: Piece | None = None,
    ) -> None:
        self.database, self.table, self.rest, self.odd = database, table, rest, odd
        self.n_rows, self.n_bytes, self.block = n_rows, n_bytes, block
        self._text = self._signature = ""

    @property
    def text(self) -> str:
        """The whole text."""
        if self.block is None:
            return self.rest
        if not self._text:
            behind = LINE + self.rest[1:] if len(self.rest) > 1 else ""
            self._text = f"{self.rest[0]}{self.block.text}{behind}"
        return self._text

    @property
    def signature(self) -> str:
        """128 bits that stand for the text, in hexadecimal."""
        if not self._signature:
            block = self.block
            told = self.text.encode() if block is None else block.digest() + self.rest.encode()
            self._signature = hashlib.blake2b(told, digest_size=16).hexdigest()
        return self._signature

    def same_as(self, other: Definition) -> bool:
        """Whether the texts are equal. Columns that are one piece, since their rows were one text, are not
        looked at.
        """
        ours, theirs = self.block, other.block
        if ours is None or theirs is None:
            return self.text == other.text
        return self.rest == other.rest and (ours is theirs or ours.unlike(theirs) == [])

    @property
    def has_primary_key(self) -> bool:
        """Whether the rows say that the table has a primary key."""
        if self.block is None or LINE + "S" in self.rest:
            return definition.has_primary_key(self.text)
        return any(map(definition.is_primary, self.block.kinds))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Definition):
            return NotImplemented
        names = ("database", "table", "text", "odd", "n_rows", "n_bytes")
        return all(getattr(self, name) == getattr(other, name) for name in names)

    __hash__ = None  # type: ignore[assignment]


def read(
    files: Sequence[File],
    server: Server | None = None,
    given: Mapping[str, Sequence[pa.Table]] = MappingProxyType({}),
) -> tuple[list[Definition], list[BrokenRow], list[InputProblem]]:
    """All tables of one dump, the lines that are no rows, and what else is wrong. `server` says which
    databases are its own; `given` are rows that lie in no file, by view (see `dump_file.as_text`).

    Raises InputError for a file that cannot be read or lacks a column without which its rows mean nothing.
    """
    tables: dict[Name, Gathered] = {}
    broken: list[BrokenRow] = []
    problems: list[InputProblem] = []
    dialect = ""
    views: dict[str, list[tuple[pa.Table, bool]]] = {}
    texts: list[Pieces] = []
    for file in files:
        if file.view == "columns" and file.heading:
            complete(file.view, file.heading, file.path)
            pieces = column_lines.read(file)
            if pieces is not None:
                texts.append(pieces)
                views.setdefault(file.view, [])
                dialect = "w"
                problems += _lacks([name for name in file.heading if name in WANTED], file.path)
                continue
        if file.heading:
            rows, bad = tsv(file)
        else:
            rows, bad = without_reserved(parquet(file), file.view, file.path)
        broken += bad
        complete(file.view, rows.column_names, file.path)
        if file.view == "columns":
            problems += _lacks(rows.column_names, file.path)
        views.setdefault(file.view, []).append((rows, bool(file.heading)))
        if file.view == "columns":
            dialect = max(dialect, "w" if file.heading else "n")
    for view, tables_ in given.items():
        for given_rows in tables_:
            rows, bad = without_reserved(given_rows, view, "the rows given")
            broken += bad
            complete(view, rows.column_names, "the rows given")
            views.setdefault(view, []).append((rows, False))
            dialect = dialect or "n"
    owners, rules = constraint_rows.owners(views), constraint_rows.actions(views)
    for name, every in views.items():
        for pieces in texts if name == "columns" else ():
            gathered.of_pieces(tables, pieces)
        for rows, escaped in every:
            if name == "check_constraints":
                rows, ownerless = constraint_rows.with_owner(rows, owners)  # noqa: PLW2901 the same rows, with their tables
                problems += ownerless
            elif name == "table_constraints":
                rows = constraint_rows.only_checks(rows)  # noqa: PLW2901 the rows that matter
            elif name == "partitions":
                rows = constraint_rows.partitioned(rows)  # noqa: PLW2901 the rows that matter
            elif name == "key_column_usage":
                rows = constraint_rows.referencing(rows)  # noqa: PLW2901 the rows that matter
                seen = constraint_rows.seen_from_parent(rows, rules)
                gathered.of_rows(tables, INCOMING, seen, escaped=escaped)
            gathered.of_rows(tables, BY_NAME[name], rows, escaped=escaped)
    for row in broken:
        known = tables.setdefault(row.names, Gathered())
        known.pieces.append(f"{BROKEN}a row of this table is broken; the input problems name its line")
    if server is not None and server.folds_names:
        _join_parents(tables)
    problems += _left_out(tables, server)
    problems += [
        InputProblem("SC001", NO_NAME, None, database)
        for database, name in list(tables)
        if not name and tables.pop((database, name)).columns
    ]
    problems += _without_columns(tables)
    if "tables" in views:
        for known in tables.values():
            if known.columns and not any(piece[0] == "T" for piece in known.pieces):
                known.pieces.append(BROKEN + without_table_row())
    return (
        [made for name, known in tables.items() if (made := _definition(name, known, dialect)) is not None],
        broken,
        problems,
    )


def _lacks(given: Sequence[str], file: str) -> list[InputProblem]:
    """What rows of COLUMNS lack, as a problem of their file."""
    message = not_dumped(given)
    return [InputProblem("SC001", message, Location(file))] if message else []


def _join_parents(tables: dict[Name, Gathered]) -> None:
    """A key may name its parent in another case than the parent's own rows, where the server does not tell
    case apart.
    """
    whole = {
        (folded(database), folded(name)): known for (database, name), known in tables.items() if known.columns
    }
    for database, name in [
        own
        for own, known in tables.items()
        if not known.columns and all(piece[0] == INCOMING.letter for piece in known.pieces)
    ]:
        parent = whole.get((folded(database), folded(name)))
        if parent is not None:
            seen = tables.pop((database, name))
            parent.pieces += seen.pieces
            parent.straight = parent.straight and seen.straight


def _own(database: str, server: Server | None) -> bool:
    """Whether a database is the server's own."""
    return is_system(database, server) if server else database.lower() in EVERY


def _left_out(tables: dict[Name, Gathered], server: Server | None) -> list[InputProblem]:
    """Take the server's own tables away, and say so."""
    databases = {database for database, _ in tables if _own(database, server)}
    own = [name for name in tables if name[0] in databases] if databases else []
    counted = [name for name in own if tables.pop(name).columns]
    if not counted:
        return []
    return [InputProblem("SC001", left_out([database for database, _ in counted]), skipped=True)]


_VIEWS = {"T": "TABLES", "S": "STATISTICS", "K": "KEY_COLUMN_USAGE"}


def _without_columns(tables: dict[Name, Gathered]) -> list[InputProblem]:
    """Tables that a view names and that have no columns are unknown; keys of databases that were not dumped
    are left out.
    """
    databases = {name[0] for name, known in tables.items() if known.columns}
    found, elsewhere = [], set()
    for name, known in tables.items():
        if known.columns or not name[1]:
            continue
        kinds = {piece[0]: piece for piece in known.pieces}
        if BROKEN in kinds:
            continue
        letter = next((letter for letter in _VIEWS if letter in kinds), None)
        if letter is None or (
            letter == "T" and not kinds["T"][1:].upper().startswith(("BASE TABLE", "SYSTEM VERSIONED", NULL))
        ):
            continue
        if letter != "T" and name[0] not in databases:
            elsewhere.add(name[0])
            continue
        message = without_columns(_VIEWS[letter])
        known.pieces.append(BROKEN + message)
        found.append(InputProblem("SC001", message, None, *name))
    if elsewhere:
        found.append(InputProblem("SC001", keys_elsewhere(elsewhere), None, min(elsewhere), skipped=True))
    return found


def _definition(name: Name, known: Gathered, dialect: str) -> Definition | None:
    pieces = known.pieces
    letters = [piece[0] for piece in pieces]
    broken = BROKEN in letters
    if not known.columns and not broken:
        return None
    whole = known.whole
    if known.straight and len(set(letters)) == len(letters):
        # Lines begin with their view's letter: sorted pieces are sorted lines.
        text = LINE.join(sorted(pieces))
    else:
        every = [line for piece in pieces for line in piece.split(LINE)]
        if known.block is None:
            ordinals = sorted(
                gathered.ordinal(line[1:].partition(FIELD)[0]) for line in every if line[0] == "C"
            )
            whole = ordinals == list(range(1, len(ordinals) + 1))
        text = LINE.join(sorted(every))
    odd = (
        known.odd
        or not whole
        or broken
        or (not _KEYS.isdisjoint(letters) and not _keys_are_whole(text, known.block))
    )
    return Definition(*name, (dialect or "w") + text, odd, known.n_rows, known.n_bytes, known.block)


#: Letters of lines that tell of keys.
_KEYS = frozenset("SK")


def _keys_are_whole(text: str, block: Piece | None) -> bool:
    """Whether every column that a key names has a row, and every foreign key one that tells its actions."""
    lines = text.split(LINE)
    keyed = {line.split(FIELD, _KEYED + 1)[_KEYED] for line in lines if line[0] == "S"}
    named, told = ({line[1:].partition(FIELD)[0] for line in lines if line[0] == one} for one in "KR")
    columns = {line.split(FIELD, 2)[1] for line in lines if line[0] == "C"} if block is None else block.names
    return keyed.issubset(columns) and named <= told


#: Where COLUMN_NAME stands in a line of STATISTICS.
_KEYED = index_of("statistics", "COLUMN_NAME")


def complete(view: str, given: Iterable[str], file: str) -> None:
    """Raises InputError where a view lacks a column without which its rows mean nothing."""
    needed = (
        REQUIRED
        if view == "columns"
        else (
            BY_NAME[view].database,
            *(() if view == "check_constraints" else ("TABLE_NAME",)),
            *BY_NAME[view].order,
        )
    )
    missing = [name for name in needed if name not in set(given)]
    if missing:
        raise InputError(
            f"{file}: {view.upper()} rows need the column{'s' * (len(missing) > 1)} "
            f"{', '.join(missing)}; dump them too"
        )
