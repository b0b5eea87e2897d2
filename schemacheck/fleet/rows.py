"""Rows of information_schema, as one dump's files hold them, become one definition text per table.

Columns of values go through Arrow's kernels; Python only gathers a table's lines. What only the
readers of `schemacheck.inputs` understand is not read here (see dump.py).
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from schemacheck.dataclass import dataclass, field
from schemacheck.errors import InputError
from schemacheck.fleet import constraint_rows
from schemacheck.fleet.definition import BROKEN, BY_NAME, FIELD, INCOMING, LINE, NULL, OWN, View, index_of
from schemacheck.fleet.dump_file import SIZES, BrokenRow, parquet, tsv, unescaped, without_reserved
from schemacheck.fleet.needs_engine import needs_engine
from schemacheck.inputs.column_row import REQUIRED
from schemacheck.inputs.details import keys_elsewhere, without_columns
from schemacheck.inputs.rows import NO_NAME, not_dumped
from schemacheck.inputs.system import EVERY, is_system, left_out
from schemacheck.model import InputProblem, Location
from schemacheck.model.names import folded

if TYPE_CHECKING:
    import pyarrow as pa

    from schemacheck.fleet.snapshots import File
    from schemacheck.model import Server

Name = tuple[str, str]


@dataclass(slots=True)
class Gathered:
    """What is known of one table: its lines, in pieces of one view each; how many are of COLUMNS. `straight`
    says that every piece's lines ascend, `whole` that a piece of COLUMNS counts its ordinals from 1 without a
    gap, `odd` whether a row is odd (see Definition).
    """

    pieces: list[str] = field(default_factory=list)
    columns: int = 0
    straight: bool = True
    whole: bool = True
    odd: bool = False
    n_rows: int | None = None
    n_bytes: int | None = None


@dataclass(slots=True)
class Definition:
    """One table's text (see definition.py). `odd` says that only the engine can tell whether the rows make
    sense; `n_rows` and `n_bytes` are TABLES' estimates.
    """

    database: str
    table: str
    text: str
    odd: bool = True
    n_rows: int | None = None
    n_bytes: int | None = None
    _signature: str = ""

    @property
    def signature(self) -> str:
        """128 bits that stand for the text, in hexadecimal."""
        if not self._signature:
            self._signature = hashlib.sha256(self.text.encode()).hexdigest()[:32]
        return self._signature

    def same_as(self, other: Definition) -> bool:
        """Whether the texts are equal; then the signature is made once."""
        if self.text != other.text:
            return False
        other._signature = self.signature
        return True


def read(
    files: Sequence[File],
    server: Server | None = None,
    given: Mapping[str, Sequence[pa.Table]] = MappingProxyType({}),
    mine: Callable[[Name], bool] | None = None,
) -> tuple[list[Definition], list[BrokenRow], list[InputProblem]]:
    """All tables of one dump, the lines that are no rows, and what else is wrong. `server` says which
    databases are its own; `given` are rows that lie in no file, by view (see `dump_file.as_text`); tables
    that are not `mine` are somebody else's, and rows of `databases` say which were dumped.

    Raises InputError for a file that cannot be read or lacks a column without which its rows mean nothing.
    """
    tables: dict[Name, Gathered] = {}
    broken: list[BrokenRow] = []
    problems: list[InputProblem] = []
    dialect = ""
    views: dict[str, list[tuple[pa.Table, bool]]] = {}
    for file in files:
        if file.heading:
            rows, bad = tsv(file)
        else:
            rows, bad = without_reserved(parquet(file), file.view, file.path)
        broken += bad if mine is None else [row for row in bad if mine(row.names)]
        complete(file.view, rows.column_names, file.path)
        if file.view == "columns" and (message := not_dumped(rows.column_names)):
            problems.append(InputProblem("SC001", message, Location(file.path), skipped=True))
        views.setdefault(file.view, []).append((rows, bool(file.heading)))
        if file.view == "columns":
            dialect = max(dialect, "w" if file.heading else "n")
    elsewhere = {text for rows in given.get("databases", ()) for text in rows.column(0).to_pylist()}
    for view, tables_ in given.items():
        for given_rows in tables_ if view in BY_NAME else ():
            rows, bad = without_reserved(given_rows, view, "the rows given")
            broken += bad
            complete(view, rows.column_names, "the rows given")
            views.setdefault(view, []).append((rows, False))
            dialect = dialect or "n"
    owners, rules = constraint_rows.owners(views), constraint_rows.actions(views)
    for name, every in views.items():
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
                _gather(tables, INCOMING, constraint_rows.seen_from_parent(rows, rules), escaped=escaped)
            _gather(tables, BY_NAME[name], rows, escaped=escaped)
    for row in broken:
        known = tables.setdefault(row.names, Gathered())
        known.pieces.append(f"{BROKEN}a row of this table is broken; the input problems name its line")
    if server is not None and server.folds_names:
        _join_parents(tables)
    problems += _left_out(tables, server)
    if mine is not None:
        elsewhere.update(name[0] for name, known in tables.items() if known.columns)
        if not any(not _own(name, server) for name in elsewhere):
            message = "there is no table in this snapshot, so nothing is compared"
            problems.append(InputProblem("SC003", message))
        tables = {
            name: known
            for name, known in tables.items()
            if mine(name) or (not name[1] and mine((name[0], "NULL")))
        }
    problems += [
        InputProblem("SC001", NO_NAME, None, database)
        for database, name in list(tables)
        if not name and tables.pop((database, name)).columns
    ]
    problems += _without_columns(tables, elsewhere)
    return (
        [made for name, known in tables.items() if (made := _definition(name, known, dialect)) is not None],
        broken,
        problems,
    )


def _join_parents(tables: dict[Name, Gathered]) -> None:
    """A key may name its parent in another case than the parent's own rows, where the server does not tell
    case apart.
    """
    whole = {
        (folded(database), folded(name)): known for (database, name), known in tables.items() if known.columns
    }
    for database, name in [
        own for own, known in tables.items() if all(piece[0] == INCOMING.letter for piece in known.pieces)
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
    own = [name for name in tables if _own(name[0], server)]
    counted = [name for name in own if tables.pop(name).columns]
    if not counted:
        return []
    return [InputProblem("SC001", left_out([database for database, _ in counted]), skipped=True)]


_VIEWS = {"T": "TABLES", "S": "STATISTICS", "K": "KEY_COLUMN_USAGE"}


def _without_columns(tables: dict[Name, Gathered], dumped: set[str]) -> list[InputProblem]:
    """Tables that a view names and that have no columns are unknown; keys of databases that were not dumped
    are left out. `dumped` are databases whose other tables are somebody else's.
    """
    databases = {name[0] for name, known in tables.items() if known.columns} | dumped
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
    broken = any(piece[0] == BROKEN for piece in pieces)
    if not known.columns and not broken:
        return None
    whole = known.whole
    if known.straight and len({piece[0] for piece in pieces}) == len(pieces):
        # Lines begin with their view's letter: sorted pieces are sorted lines.
        text = LINE.join(sorted(pieces))
    else:
        every = [line for piece in pieces for line in piece.split(LINE)]
        ordinals = sorted(_ordinal(line[1:].partition(FIELD)[0]) for line in every if line[0] == "C")
        whole = ordinals == list(range(1, len(ordinals) + 1))
        text = LINE.join(sorted(every))
    odd = known.odd or not whole or broken or not _keys_are_whole(text)
    return Definition(*name, (dialect or "w") + text, odd, known.n_rows, known.n_bytes)


def _keys_are_whole(text: str) -> bool:
    """Whether every column that a key names has a row, and every foreign key one that tells its actions."""
    if LINE + "S" not in text and LINE + "K" not in text:
        return True
    lines = text.split(LINE)
    keyed = {line.split(FIELD, _KEYED + 1)[_KEYED] for line in lines if line[0] == "S"}
    named, told = ({line[1:].partition(FIELD)[0] for line in lines if line[0] == one} for one in "KR")
    return keyed <= {line.split(FIELD, 2)[1] for line in lines if line[0] == "C"} and named <= told


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


def _gather(tables: dict[Name, Gathered], view: View, rows: pa.Table, *, escaped: bool) -> None:
    """Put each row's line where it belongs. A table's rows mostly stand together: each such run becomes one
    piece.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    for batch in rows.to_batches(max_chunksize=1 << 16):
        if not batch.num_rows:
            continue
        columns = dict(zip(batch.schema.names, batch.columns, strict=True))
        owners = [pc.fill_null(columns[name], "") for name in (view.database, "TABLE_NAME")]
        lines = _lines(view, columns)
        if escaped and pc.any(pc.match_substring(lines, "\\")).as_py():
            lines = pa.array([unescaped(line) for line in lines.to_pylist()], pa.string())
        starts = [0, *_changes(owners)]
        runs = pa.ListArray.from_arrays(pa.array([*starts, batch.num_rows], pa.int32()), lines)
        firsts = pa.array(starts, pa.int32())
        names = list(zip(*(column.take(firsts).to_pylist() for column in owners), strict=True))
        if escaped:
            names = [(unescaped(database), unescaped(name)) for database, name in names]
        found = []
        for name, piece in zip(names, pc.binary_join(runs, LINE).to_pylist(), strict=True):
            known = tables.get(name)
            if known is None:
                known = tables[name] = Gathered()
            known.pieces.append(piece)
            found.append(known)
        for number in _of_runs(pc.greater(lines[1:], lines[:-1]), starts):
            found[number].straight = False
        for number in {
            bisect_right(starts, at) - 1 for at in pc.indices_nonzero(needs_engine(view, columns)).to_pylist()
        }:
            found[number].odd = True
        if view.letter == "C":
            for known, at, end in zip(found, starts, [*starts[1:], batch.num_rows], strict=True):
                known.columns += end - at
            ordinals = _ordinals(columns["ORDINAL_POSITION"])
            for number in _of_runs(pc.equal(pc.subtract(ordinals[1:], ordinals[:-1]), 1), starts):
                found[number].whole = False
            for number in pc.indices_nonzero(pc.not_equal(ordinals.take(firsts), 1)).to_pylist():
                found[number].whole = False
        elif view.letter == "T":
            for known, (n_rows, n_bytes) in zip(found, _sizes(columns, firsts), strict=True):
                known.n_rows, known.n_bytes = n_rows, n_bytes


def _changes(owners: Sequence[pa.Array]) -> list[int]:
    """The rows that are of another table than the row before."""
    import pyarrow.compute as pc

    differs = [pc.not_equal(column[1:], column[:-1]) for column in owners]
    found: list[int] = pc.add(pc.indices_nonzero(pc.or_(*differs)), 1).to_pylist()
    return found


def _of_runs(follows: pa.Array, starts: list[int]) -> set[int]:
    """The runs in which a row does not follow the one before, as `follows` tells of every row but
    the first.
    """
    import pyarrow.compute as pc

    breaks = pc.add(pc.indices_nonzero(pc.invert(follows)), 1).to_pylist()
    return {bisect_right(starts, at) - 1 for at in set(breaks).difference(starts)}


def _ordinals(values: pa.Array) -> pa.Array:
    """ORDINAL_POSITION as numbers, 0 for what is none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        return pc.fill_null(values.cast(pa.int32()), 0)
    except pa.ArrowInvalid:
        return pa.array([_ordinal(text or "") for text in values.to_pylist()], pa.int32())


def _ordinal(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < _DIGITS else 0


#: Digits of a number that is no ordinal any more.
_DIGITS = 9


def _sizes(columns: dict[str, pa.Array], at: pa.Array) -> Iterable[tuple[int | None, int | None]]:
    """TABLES' estimates of rows and bytes in some rows."""
    given = {
        name: [
            int(text) if text and text.isdecimal() else None for text in columns[name].take(at).to_pylist()
        ]
        for name in SIZES
        if name in columns
    }
    none: list[int | None] = [None] * len(at)
    n_bytes = (
        [
            sum(filter(None, one))
            for one in zip(*(given[name] for name in SIZES[1:] if name in given), strict=True)
        ]
        if len(given) > 1
        else none
    )
    return zip(given.get(SIZES[0], none), n_bytes, strict=True)


def _lines(view: View, columns: dict[str, pa.Array]) -> pa.Array:
    """One line per row: the letter, then what orders it, then what it carries."""
    import pyarrow as pa
    import pyarrow.compute as pc

    own = columns[view.database]

    def value(name: str) -> pa.Array | pa.Scalar:
        if name not in columns:
            return pa.scalar(NULL)
        given = columns[name]
        if name in ("REFERENCED_TABLE_SCHEMA", "CHILD_SCHEMA"):
            return pc.if_else(pc.fill_null(pc.equal(given, own), fill_value=False), OWN, given)
        return pc.utf8_lpad(given, 6, "0") if name in ("ORDINAL_POSITION", "SEQ_IN_INDEX") else given

    parts = [value(name) for name in (*view.order, *view.carried)]
    joined = pc.binary_join_element_wise(*parts, FIELD, null_handling="replace", null_replacement=NULL)
    return pc.binary_join_element_wise(pa.scalar(view.letter), joined, "")
