"""Rows of information_schema, as one dump's files hold them, become one definition text per table.

What only the readers of `schemacheck.inputs` understand is not read here (see dump.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from schemacheck.errors import InputError
from schemacheck.fleet import column_lines, constraint_rows, dump_file, gathered
from schemacheck.fleet.definition import BY_NAME, FIELD, INCOMING, LINE, NULL, index_of
from schemacheck.fleet.dump_file import ViewRows
from schemacheck.fleet.fields import Misfit
from schemacheck.fleet.gathered import Definition, Name
from schemacheck.fleet.piece import ODD, STRANGE
from schemacheck.inputs import column_row, key_rows, partition_rows
from schemacheck.inputs.details import keys_elsewhere
from schemacheck.inputs.rows import not_dumped
from schemacheck.inputs.system import EVERY, is_system, left_out
from schemacheck.model import InputProblem
from schemacheck.model.names import folded

if TYPE_CHECKING:
    import pyarrow as pa

    from schemacheck.fleet.snapshots import File
    from schemacheck.model import Server


def read(
    files: Sequence[File],
    server: Server | None = None,
    given: Mapping[str, Sequence[pa.Table]] = MappingProxyType({}),
) -> tuple[list[Definition], list[InputProblem]]:
    """All tables of one dump, and what of it is left out. `server` says which databases are its own; `given`
    are rows that lie in no file, by view.

    Raises Misfit where rows are not those that a server prints of whole tables, and InputError for a file
    that cannot be read or lacks a column without which its rows mean nothing: `schemacheck.inputs` tells
    what is wrong.
    """
    views: dict[str, list[ViewRows]] = {}
    every = [dump_file.rows(file) for file in files]
    every += [dump_file.of_table(table, view) for view, some in given.items() for table in some]
    for rows in every:
        if rows.heading:  # else it is a view without rows
            complete(rows.view, rows.heading, rows.view)
            views.setdefault(rows.view, []).append(rows)
    if "columns" not in views:
        raise Misfit
    lacks = [not_dumped(rows.heading) for rows in views["columns"] if files]
    problems = [InputProblem("SC001", message) for message in lacks if message]
    tables = {
        name: Definition(*name, odd=bool(piece.marks & (STRANGE | ODD)), block=piece)
        for name, piece in column_lines.read(views["columns"])
    }
    if not tables:
        raise Misfit
    dialect = "w" if any(rows.null != NULL for rows in views["columns"]) else "n"
    for view in ("tables", "statistics"):
        for rows in views.get(view, ()):
            gathered.of_view(tables, BY_NAME[view], rows)
    about = {view: constraint_rows.of_view(view, views.get(view, ())) for view in _ABOUT_CONSTRAINTS}
    seen = constraint_rows.seen_from_parent(about["key_column_usage"], about["referential_constraints"])
    about["check_constraints"] = constraint_rows.with_owner(
        about["check_constraints"], about["table_constraints"]
    )
    constraints = about["table_constraints"]
    about["table_constraints"] = constraint_rows.only_checks(constraints)
    for view, mappings in about.items():
        gathered.of_mappings(tables, BY_NAME[view], mappings)
    if constraints:
        keyed = {name[0] for name, item in tables.items() if any(line[0] == "S" for line in item.lines)}
        constraint_rows.described(constraints, keyed, {name: item.lines for name, item in tables.items()})
    problems += [*_left_out(tables, server), *_elsewhere(tables)]
    gathered.of_mappings(tables, INCOMING, seen)
    if seen and server is not None and server.folds_names:
        _join_parents(tables)
    whole = [item for item in tables.values() if item.block is not None]
    for item in whole:
        _finish(item, dialect, listed="tables" in views)
    return whole, problems


#: Views whose rows are joined with others.
_ABOUT_CONSTRAINTS = tuple(view for view in BY_NAME if view not in ("columns", "tables", "statistics"))


def _join_parents(tables: dict[Name, Definition]) -> None:
    """A key may name its parent in another case than the parent's own rows, where the server does not tell
    case apart.
    """
    whole = {
        (folded(database), folded(name)): item
        for (database, name), item in tables.items()
        if item.block is not None
    }
    for database, name in [
        own
        for own, item in tables.items()
        if item.block is None and all(line[0] == INCOMING.letter for line in item.lines)
    ]:
        parent = whole.get((folded(database), folded(name)))
        if parent is not None:
            parent.lines += tables.pop((database, name)).lines


def _own(database: str, server: Server | None) -> bool:
    """Whether a database is the server's own."""
    return is_system(database, server) if server else database.lower() in EVERY


def _left_out(tables: dict[Name, Definition], server: Server | None) -> list[InputProblem]:
    """Take the server's own tables away, and say so."""
    databases = {database for database in {name[0] for name in tables} if _own(database, server)}
    own = [name for name in tables if name[0] in databases] if databases else []
    counted = [name for name in own if tables.pop(name).block is not None]
    if not counted:
        return []
    return [InputProblem("SC001", left_out([database for database, _ in counted]), skipped=True)]


def _elsewhere(tables: dict[Name, Definition]) -> list[InputProblem]:
    """Leave out what other views tell of databases whose columns were not dumped. Raises Misfit for a table
    of the others that has no columns.
    """
    databases = {name[0] for name, item in tables.items() if item.block is not None}
    elsewhere = set()
    for name in [name for name, item in tables.items() if item.block is None]:
        types = [line[1:].upper() for line in tables.pop(name).lines if line[0] == "T"]
        if types or name[0] in databases:
            if not types or types[0].startswith(("BASE TABLE", "SYSTEM VERSIONED", NULL)):
                raise Misfit
        else:
            elsewhere.add(name[0])
    if not elsewhere:
        return []
    return [InputProblem("SC001", keys_elsewhere(elsewhere), None, min(elsewhere), skipped=True)]


def _finish(item: Definition, dialect: str, *, listed: bool) -> None:
    """Make the text. Raises Misfit where columns are missing, but for a first one that may be hidden, or the
    row of TABLES, where these are `listed`.
    """
    lines, block = item.lines, item.block
    assert block is not None
    if item.table and block.ordinals is None and len(lines) == 1 and lines[0][0] == "T":
        item.rest = dialect + lines[0]  # most are so
        return
    ordinals = block.ordinals or [1]
    if (
        not item.table
        or ordinals != [*range(ordinals[0], ordinals[0] + len(ordinals))]
        or ordinals[0] not in (1, 2)
        or (listed and not any(line[0] == "T" for line in lines))
    ):
        raise Misfit
    text = LINE.join(sorted(lines))
    keyed = any(line[0] in "SK" for line in lines)
    item.rest = dialect + text
    item.odd |= ordinals[0] != 1 or (keyed and not _keys_are_whole(text, block.names))


def _keys_are_whole(text: str, columns: Sequence[str]) -> bool:
    """Whether every column that a key names has a row, and every foreign key one that tells its actions."""
    lines = text.split(LINE)
    keyed = {line.split(FIELD, _KEYED + 1)[_KEYED] for line in lines if line[0] == "S"}
    named, listed = ({line[1:].partition(FIELD)[0] for line in lines if line[0] == text} for text in "KR")
    return keyed.issubset(columns) and named <= listed


#: Where COLUMN_NAME stands in a line of STATISTICS.
_KEYED = index_of("statistics", "COLUMN_NAME")


#: By view: columns without which its rows mean nothing.
_REQUIRED = {
    "columns": column_row.REQUIRED, "tables": ("TABLE_SCHEMA", "TABLE_NAME"),
    "partitions": partition_rows.NAMES, **key_rows.REQUIRED,
}  # fmt: skip


def complete(view: str, given: Iterable[str], file: str) -> None:
    """Raises InputError where a view lacks a column without which its rows mean nothing."""
    needed = dict.fromkeys((BY_NAME[view].database, *_REQUIRED[view]))
    missing = [name for name in needed if name not in set(given)]
    if missing:
        raise InputError(
            f"{file}: {view.upper()} rows need the column{'s' * (len(missing) > 1)} "
            f"{', '.join(missing)}; dump them too"
        )
