"""Rows of information_schema, as one dump's files hold them, become one definition text per table.

What only the readers of `schemacheck.inputs` understand is not read here (see dump.py).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from schemacheck.errors import InputError
from schemacheck.fleet import column_lines, constraint_rows, definition, dump_file, gathered
from schemacheck.fleet.column_lines import Piece, Pieces
from schemacheck.fleet.definition import BROKEN, BY_NAME, FIELD, INCOMING, LINE, NULL, index_of
from schemacheck.fleet.dump_file import BrokenRow, ViewRows
from schemacheck.fleet.fields import Misfit, TooLong
from schemacheck.fleet.gathered import Gathered, Name
from schemacheck.inputs.column_row import REQUIRED
from schemacheck.inputs.details import keys_elsewhere, without_columns, without_table_row
from schemacheck.inputs.rows import NO_NAME, not_dumped
from schemacheck.inputs.system import EVERY, is_system, left_out
from schemacheck.model import InputProblem, Location
from schemacheck.model.names import folded

if TYPE_CHECKING:
    import pyarrow as pa

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
            data = self.text.encode() if block is None else block.digest() + self.rest.encode()
            self._signature = hashlib.blake2b(data, digest_size=16).hexdigest()
        return self._signature

    def same_as(self, other: Definition) -> bool:
        """Whether the texts are equal. Columns that are one piece, since their rows were one text, are not
        looked at.
        """
        ours, theirs = self.block, other.block
        if ours is None or theirs is None:
            return self.text == other.text
        return self.rest == other.rest and ours.same_as(theirs)

    @property
    def has_primary_key(self) -> bool:
        """Whether the rows say that the table has a primary key."""
        if self.block is None or LINE + "S" in self.rest:
            return definition.has_primary_key(self.text)
        return self.block.primary

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
    databases are its own; `given` are rows that lie in no file, by view.

    Raises InputError for a file that cannot be read or lacks a column without which its rows mean nothing.
    """
    tables: dict[Name, Gathered] = {}
    broken: list[BrokenRow] = []
    problems: list[InputProblem] = []
    views: dict[str, list[ViewRows]] = {}
    for file in files:
        try:
            rows, pieces, bad = _rows(file)
        except TooLong as error:
            raise InputError(f"{file.path}: {error}") from None
        broken += bad
        if file.view == "columns":
            problems += _lacks(rows.heading, file.path)
            gathered.of_pieces(tables, pieces)
        views.setdefault(file.view, []).append(rows)
    for view, some in given.items():
        for table in some:
            rows, pieces, bad = _of_table(table, view, "the rows given")
            broken += bad
            gathered.of_pieces(tables, pieces)
            views.setdefault(view, []).append(rows)
    dialect = "w" if any(rows.null != NULL for rows in views.get("columns", ())) else "n"
    for view in ("tables", "statistics"):
        for rows in views.get(view, ()):
            gathered.of_view(tables, BY_NAME[view], rows)
    about = {view: constraint_rows.of_view(view, views.get(view, ())) for view in _ABOUT_CONSTRAINTS}
    seen = constraint_rows.seen_from_parent(about["key_column_usage"], about["referential_constraints"])
    about["check_constraints"], ownerless = constraint_rows.with_owner(
        about["check_constraints"], about["table_constraints"]
    )
    problems += ownerless
    constraints = about["table_constraints"]
    about["table_constraints"] = constraint_rows.only_checks(constraints)
    for view, mappings in about.items():
        gathered.of_mappings(tables, BY_NAME[view], mappings)
    if constraints:
        keyed = {name[0] for name, item in tables.items() if any(line[0] == "S" for line in item.lines)}
        every = {name: item.lines for name, item in tables.items()}
        for name, why in constraint_rows.not_described(constraints, keyed, every).items():
            if name in tables and tables[name].columns:
                tables[name].lines.append(BROKEN + why)
    for row in broken:
        line = f"{BROKEN}a row of this table is broken; the input problems name its line"
        tables.setdefault(row.names, Gathered()).lines.append(line)
    problems += _left_out(tables, server)
    problems += [
        InputProblem("SC001", NO_NAME, None, database)
        for database, name in list(tables)
        if not name and tables.pop((database, name)).columns
    ]
    problems += _without_columns(tables)
    if "tables" in views:
        for of_table in tables.values():
            lines = of_table.lines
            # (Most have this line alone.)
            alone = len(lines) == 1 and lines[0][0] == "T"
            if of_table.columns and not alone and not any(line[0] == "T" for line in lines):
                of_table.lines.append(BROKEN + without_table_row())
    # Of a table that cannot be read no keys are told (`with_incoming` has them of tables).
    seen = [row for row in seen if not _is_broken(tables.get((row["CHILD_SCHEMA"], row["CHILD_TABLE"])))]
    gathered.of_mappings(tables, INCOMING, seen)
    if seen and server is not None and server.folds_names:
        _join_parents(tables)
    made = (_definition(name, of_table, dialect) for name, of_table in tables.items())
    return [each for each in made if each is not None], broken, problems


def _is_broken(item: Gathered | None) -> bool:
    return item is not None and any(line[0] == BROKEN for line in item.lines)


#: Views whose rows are joined with others.
_ABOUT_CONSTRAINTS = tuple(view for view in BY_NAME if view not in ("columns", "tables", "statistics"))


#: Rows of a view, the same as pieces where they are of COLUMNS, and rows that are not read.
_Rows = tuple[ViewRows, Pieces, list[BrokenRow]]


def _rows(file: File) -> _Rows:
    """A file's rows. Raises InputError."""
    if not file.heading:
        return _of_table(dump_file.parquet(file), file.view, file.path)
    complete(file.view, file.heading, file.path)
    rows = dump_file.plain(file)
    if rows is not None:
        try:
            return rows, _pieces(rows), []
        except Misfit:
            pass
    rows, bad = dump_file.sieved(file)
    return rows, _pieces(rows), bad


def _of_table(table: pa.Table, view: str, place: str) -> _Rows:
    rows, bad = dump_file.of_table(table, view, place)
    complete(view, rows.heading, place)
    return rows, _pieces(rows), bad


def _pieces(rows: ViewRows) -> Pieces:
    """Rows of COLUMNS as pieces. Raises Misfit."""
    if rows.view == "columns":
        return column_lines.read(rows)
    return [] if rows.fields else ()


def _lacks(given: Sequence[str], file: str) -> list[InputProblem]:
    """What rows of COLUMNS lack, as a problem of their file."""
    message = not_dumped(given)
    return [InputProblem("SC001", message, Location(file))] if message else []


def _join_parents(tables: dict[Name, Gathered]) -> None:
    """A key may name its parent in another case than the parent's own rows, where the server does not tell
    case apart.
    """
    whole = {
        (folded(database), folded(name)): item for (database, name), item in tables.items() if item.columns
    }
    for database, name in [
        own
        for own, item in tables.items()
        if not item.columns and all(line[0] == INCOMING.letter for line in item.lines)
    ]:
        parent = whole.get((folded(database), folded(name)))
        if parent is not None:
            parent.lines += tables.pop((database, name)).lines


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
    databases = {name[0] for name, item in tables.items() if item.columns}
    problems, elsewhere = [], set()
    for name, element in tables.items():
        if element.columns or not name[1]:
            continue
        kinds = {line[0]: line for line in element.lines}
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
        element.lines.append(BROKEN + message)
        problems.append(InputProblem("SC001", message, None, *name))
    if elsewhere:
        problems.append(InputProblem("SC001", keys_elsewhere(elsewhere), None, min(elsewhere), skipped=True))
    return problems


def _definition(name: Name, current: Gathered, dialect: str) -> Definition | None:
    lines, block = current.lines, current.block
    sizes = current.n_rows, current.n_bytes
    if block is not None and len(lines) == 1 and lines[0][0] == "T":
        # Most are so.
        return Definition(*name, dialect + lines[0], current.odd or not current.whole, *sizes, block)
    letters = {line[0] for line in lines}
    broken = BROKEN in letters
    if not current.columns and not broken:
        return None
    whole = current.whole
    if "C" in letters:
        ordinals = sorted(gathered.ordinal(line[1:].partition(FIELD)[0]) for line in lines if line[0] == "C")
        whole = ordinals == list(range(1, len(ordinals) + 1))
    text = LINE.join(sorted(lines))
    keyed = not _KEYS.isdisjoint(letters)
    odd = current.odd or not whole or broken or (keyed and not _keys_are_whole(text, block))
    return Definition(*name, dialect + text, odd, *sizes, block)


#: Letters of lines that tell of keys.
_KEYS = frozenset("SK")


def _keys_are_whole(text: str, block: Piece | None) -> bool:
    """Whether every column that a key names has a row, and every foreign key one that tells its actions."""
    lines = text.split(LINE)
    keyed = {line.split(FIELD, _KEYED + 1)[_KEYED] for line in lines if line[0] == "S"}
    named, listed = ({line[1:].partition(FIELD)[0] for line in lines if line[0] == text} for text in "KR")
    columns = {line.split(FIELD, 2)[1] for line in lines if line[0] == "C"} if block is None else block.names
    return keyed.issubset(columns) and named <= listed


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
