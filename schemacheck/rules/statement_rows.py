"""Statements change other rows.

## What it finds
Under STATEMENT or MIXED format, whatever makes a statement reach or keep other rows on the replica: columns
whose values or collations differ, unique keys that one side does not have or that are in another order, other
indexes, engines or partitions, CHECK and FOREIGN KEY constraints of one side.

## What the replica does
REPLACE, INSERT IGNORE, UPDATE IGNORE and ON DUPLICATE KEY UPDATE ask the unique keys, in their order, which
rows are there already; IGNORE skips the rows that a CHECK, a foreign key or the partitions refuse; WHERE,
LIKE and ORDER BY with LIMIT compare by the replica's types and collations; UPDATE and DELETE with LIMIT take
the rows that the chosen index gives first; GROUP_CONCAT, SUM of a DOUBLE and GROUP BY without an aggregate
follow the order of rows, also under MIXED. None of it is an error. (One collation in ascii, utf8mb3 and
utf8mb4 chooses the same rows.) An index that a statement names and the replica does not have is error 1176,
of MATCH 1191, a partition 1735 or 1747. A column of another character set meets literals that it does not
hold, and columns of another collation: 1267, 1270, on MySQL 8 also 3854, on MariaDB 1300. Engines without
transactions keep the rows of a statement that fails half-way, and it is logged with its error: a replica
where it ends otherwise stops (13113 on MySQL 8 and later, elsewhere without a number).

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY, b INT, UNIQUE KEY (b));
    replica: CREATE TABLE t (a INT PRIMARY KEY, b INT);

`INSERT INTO t VALUES (1, 5); REPLACE INTO t VALUES (2, 5)`.

## Fix
Give both ends the same definition, or set binlog_format=ROW on the source.

## References
Recorded on four servers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.conversion.statement import differing_literal
from schemacheck.dataclass import replace
from schemacheck.findings import statement_marks as marks
from schemacheck.findings.on_pair import listed, on_table
from schemacheck.model import Column, ColumnType, Effect, Example, Finding, ForeignKey, Key, Table
from schemacheck.model.difference import FOLLOWS
from schemacheck.rules import About, Rule

#: Character sets with one order and one equality of characters for a collation's name.
_ALIKE = frozenset(("ascii", "utf8mb3", "utf8mb4"))
#: The CHECK that a PERIOD of MariaDB makes: its beginning is before its end.
_PERIOD = re.compile(r"\(*`?\w+`?\s*<\s*`?\w+`?\)*")
#: Three and more operands of other collations; bytes beside text, which MySQL 8 (3854) and MariaDB (1300)
#: cannot convert (asked of four servers).
_MIXED = (1270, 1271, 1300, 3854)


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.logs_statements:
        return
    yield from _compared(pair)
    yield from _unique_keys(pair)
    yield from _access(pair)
    yield from _constraints(pair)


def _differs(pair: Pair, message: str, source: str, replica: str, statements: tuple[str, ...]) -> Finding:
    return on_table(
        pair,
        Effect.DIVERGES,
        message,
        setting=f"binlog_format={pair.link.binlog_format}",
        remedy="Give both ends the same definition, or set binlog_format=ROW on the source",
        example=Example(source, replica),
        reference="recorded on four servers",
        statements=statements,
    )


def _compared(pair: Pair) -> Iterator[Finding]:
    """Columns by which WHERE and ORDER BY find other rows."""
    columns = [(c, there) for c in pair.source.columns if (there := pair.replica.column(c.name)) is not None]
    other = [(here, there) for here, there in columns if _values_differ(here, there)]
    collated = [(here, there) for here, there in columns if _chooses_otherwise(here.type, there.type)]
    if other:
        source, replica = _where(pair, *other[0])
        names = listed([here.name for here, _ in other])
        yield _differs(
            pair,
            f"values of {names} may differ, so WHERE, ORDER BY and LIMIT choose other rows",
            source,
            replica,
            _omitted(other)
            or (FOLLOWS if all(map(marks.compared_alike, other)) else _by_values(pair, other)),
        )
    for here, there in collated:
        yield _differs(
            pair,
            f"{here.name} has the collation {here.type.collation} on the source and {there.type.collation} "
            "on the replica: WHERE, ORDER BY and unique keys choose other rows",
            f"UPDATE ... WHERE {here.name} = a value that the source's collation takes for equal",
            "the row as it was",
            _by_values(pair, [(here, there)]),
        )
    mixed = [(here, there) for here, there in columns if _mixes(here.type, there.type)]
    if mixed:
        here, there = mixed[0]
        yield _fails(
            pair,
            f"{listed([here.name for here, _ in mixed])} {'has' if len(mixed) == 1 else 'have'} "
            f"another character set or collation on the replica ({there.name}: "
            f"{there.type.collation or there.type.charset}): a statement that compares it "
            "with a character that it lacks, or with a column of another collation",
            ("mixed-collations",),
            "",
            _by_values(pair, mixed),
            also=_MIXED,
        )


def _omitted(columns: list[tuple[Column, Column]]) -> tuple[str, ...]:
    """Marks of statements that take a default, where columns have no other difference."""
    alike = not any(_values_differ(replace(here, default=there.default), there) for here, there in columns)
    return tuple(f"omits:{here.name}" for here, _ in columns) if alike else ()


def _by_values(pair: Pair, columns: list[tuple[Column, Column]]) -> tuple[str, ...]:
    return marks.by_values([here.name for here, _ in columns], pair.source, pair.replica)


def _mixes(here: ColumnType, there: ColumnType) -> bool:
    """Whether the replica's column meets literals and columns with other rules than the source's."""
    if not there.is_character or there.charset in (None, "binary"):
        return False
    if here.is_bit:
        return True  # its literals are bytes (asked of MySQL 9.7: SET instead of BIT)
    if there.charset == "utf8mb4" and not here.is_character:
        return False
    larger = here.charset in _ALIKE and there.charset == "utf8mb4"
    return _chooses_otherwise(here, there) or (here.charset != there.charset and not larger)


def _values_differ(here: Column, there: Column) -> bool:
    """Whether some statement leaves another value in the column."""
    return (
        here.type != there.type
        or here.type.padded_to != there.type.padded_to
        or here.nullable != there.nullable
        or here.default != there.default
        or (here.generated is None) != (there.generated is None)
        or here.expression != there.expression
        or here.on_update != there.on_update
        or here.auto_increment != there.auto_increment
    )


def _where(pair: Pair, here: Column, there: Column) -> tuple[str, str]:
    """A statement that deletes a row on the source only, and what the replica keeps."""
    table, name = pair.source.name, here.name
    apart = differing_literal(here.type, there.type)
    if apart is None:
        return f"DELETE FROM {table} WHERE {name} = a value that only the source has", "the row is there"  # noqa: S608
    statement = (
        f"INSERT IGNORE INTO {table} ({name}) VALUES ({apart.literal}); DELETE FROM {table} "  # noqa: S608
        f"WHERE CONCAT({name}) = '{apart.source}'"
    )
    return statement, "the row is there"


def _unique_keys(pair: Pair) -> Iterator[Finding]:
    ours, theirs = (
        [k for k in end.keys if k.unique and not (end.gipk and k is end.primary_key)]
        for end in (pair.source, pair.replica)
    )
    table = pair.source.name
    # Two keys of the same columns are one to rows.
    for key in {_columns(k): k for k in ours}.values():
        if not _numbered(pair, key) and not any(_enforces(other, key) for other in theirs):
            yield _differs(
                pair,
                f"only the source has the unique key ({_columns(key)}): REPLACE, INSERT IGNORE and ON "
                "DUPLICATE KEY UPDATE leave other rows on the replica",
                f"REPLACE INTO {table}, a row with the key of another: it takes its place",
                "both rows are there",
                marks.CLASH,
            )
    for key in {_columns(k): k for k in theirs}.values():
        if not any(_enforces(other, key) for other in ours):
            yield _differs(
                pair,
                f"only the replica has the unique key ({_columns(key)}): INSERT IGNORE, UPDATE IGNORE and "
                "REPLACE lose rows there",
                f"INSERT IGNORE INTO {table}, two rows with one value of ({_columns(key)}): both are there",
                "the first row only",
                marks.CLASH,
            )
    here, there = _in_order(pair.source), _in_order(pair.replica)
    shared = [c for c in here if c in there]
    if shared != [c for c in there if c in here]:
        yield _differs(
            pair,
            f"the unique keys ({listed(shared)}) have another order on the replica: ON "
            "DUPLICATE KEY UPDATE and REPLACE try them in that order",
            f"INSERT INTO {table} ... ON DUPLICATE KEY UPDATE, a row that meets two rows: the row of the "
            "source's first key is changed",
            "the row of the replica's first key is changed",
            marks.CLASH,
        )
    if (pair.source.hides_unique_order or pair.replica.hides_unique_order) and not pair.logs_rows:
        why = "the order of unique keys is not read: in another, ON DUPLICATE KEY UPDATE takes another row"
        fix = "Compare SHOW CREATE TABLE of both ends"
        yield on_table(pair, Effect.COMPATIBLE, why, depends_on_rows=True, remedy=fix)


def _in_order(table: Table) -> list[str]:
    """The unique keys' columns as the server asks them, where the input tells it; else none."""
    named = {key.name: _columns(key).casefold() for key in table.keys if key.unique}
    return [named[name] for name in table.key_order if name in named]


def _columns(key: Key) -> str:
    return ", ".join(part.column or f"({part.expression})" for part in key.parts)


def _access(pair: Pair) -> Iterator[Finding]:
    """Ways to the rows: indexes, partitions, engines."""
    source, replica = pair.source, pair.replica
    there = {_index_name(k).casefold() for k in replica.keys if k.visible}
    searched = [k.folded for k in replica.keys if k.kind.value == "fulltext" and k.visible]
    for key in source.keys:
        texts = tuple(f"reads:{part.column}" for part in key.parts if key.kind.value == "fulltext")
        if texts and key.visible and key.folded not in searched:
            what = f"the replica has no FULLTEXT index on ({_columns(key)}): a statement with MATCH"
            yield _fails(pair, what, ("no-fulltext-key",), "", texts)
        if key.visible and key.kind.value != "primary" and _index_name(key).casefold() not in there:
            why = f"the replica has no index {_index_name(key)} that it uses: a statement with FORCE INDEX"
            yield _fails(pair, why, ("unknown-key",), _index_name(key), ("index-hint", *texts))
    if source.partitioning and source.partitioning != replica.partitioning:
        names = ("unknown-partition",) if replica.partitioning else ("not-partitioned",)
        what = "the source has other partitions: a statement with PARTITION (...)"
        yield _fails(pair, what, names, "", ("partition",))
    engines = [(t.engine or "InnoDB").upper() for t in (source, replica)]
    given = bool(source.key_order and replica.key_order)
    if (
        _ways(source, told=given) != _ways(replica, told=given)
        or engines[0] != engines[1]
        or source.partitioning != replica.partitioning
    ):
        yield _differs(
            pair,
            "the indexes, engines or partitions differ: rows are taken, read and numbered in another order",
            # MIXED logs this as text too, and SUM of a DOUBLE, GROUP BY without an aggregate, SET c =
            # (@n := @n + 1), not what has a LIMIT (asked of four servers).
            f"INSERT ... SELECT GROUP_CONCAT(...) FROM {source.name}: values come in one order",  # noqa: S608
            "in another",
            tuple(marks.ordered(source, replica)),
        )


def _ways(table: Table, *, told: bool) -> list[tuple[str, list[tuple[str, int | None, bool]]]]:
    """The visible indexes, their parts with lengths and directions, full-text parsers, MEMORY's BTREE; in the
    server's order where both inputs tell it: of two that fit alike it takes the first (asked of MySQL 9.7,
    MariaDB 11.8).
    """
    order = {name: place for place, name in enumerate(table.key_order if told else ())}
    keys = sorted((k for k in table.keys if k.visible), key=lambda k: order.get(k.name, 0))
    ways = [
        (
            k.kind.value + "".join(k.finds(table.engine)),
            [((p.column or p.expression or "").casefold(), p.length, p.descending) for p in k.parts],
        )
        for k in keys
    ]
    return ways if told else sorted(ways, key=repr)


def _index_name(key: Key) -> str:
    return key.name or (key.parts[0].column if key.parts else "") or ""


def _fails(
    pair: Pair, message: str, names: tuple[str, ...], key: str, statements: tuple[str, ...],
    also: tuple[int, ...] = (),
) -> Finding:  # fmt: skip
    error = pair.error(names[0], key=key)
    return on_table(
        pair,
        Effect.UNSUPPORTED,
        f"{message} stops the applier",
        error=error,
        depends_on_rows=error is not None,
        also=also,
        setting=f"binlog_format={pair.link.binlog_format}",
        remedy="Give both ends the same definition, or set binlog_format=ROW on the source",
        statements=statements,
    )


def _constraints(pair: Pair) -> Iterator[Finding]:
    """What IGNORE skips on one side only, and what foreign keys do to rows of the other table."""
    table = pair.source.name
    checks = [
        {c.expression for c in t.checks if c.enforced and server.has("check-constraints")}
        for t, server in ((pair.source, pair.link.source), (pair.replica, pair.link.replica))
    ]
    for expression in sorted(checks[0] ^ checks[1]):
        ends = ("the source", "the replica") if expression in checks[0] else ("the replica", "the source")
        yield _differs(
            pair,
            f"only {ends[0]} checks ({expression}): INSERT IGNORE skips the rows that violate it there",
            f"INSERT IGNORE INTO {table}, a row that violates ({expression}): "
            f"{'no row' if expression in checks[0] else 'one row'}",
            "one row" if expression in checks[0] else "no row",
            marks.SKIPS,
        )
        if expression in checks[0] and pair.link.source.mariadb and _PERIOD.fullmatch(expression):
            yield _fails(
                pair,
                f"if ({expression}) is a PERIOD's, UPDATE and DELETE ... FOR PORTION OF it",
                ("no-period",),
                "...",
                ("portion",),
            )
    ours, theirs = _foreign(pair.source), _foreign(pair.replica)
    if ours.keys() != theirs.keys():
        yield _differs(
            pair,
            "the foreign keys differ: INSERT IGNORE skips rows without a parent, and ON DELETE and ON "
            "UPDATE change rows, on one side only",
            "DELETE of a parent row: its children follow the source's foreign keys",
            "its children follow the replica's",
            tuple(marks.by_foreign_keys((ours | theirs)[key] for key in ours.keys() ^ theirs.keys())),
        )
    bounded = pair.replica.partitioning or ""
    if bounded != (pair.source.partitioning or "") and (
        "LESS THAN" in bounded.upper() or " IN (" in bounded.upper()
    ):
        yield _differs(
            pair,
            "the replica's partitions may have no place for a row: INSERT IGNORE skips it there",
            f"INSERT IGNORE INTO {table}, a row beyond the partitions: one row",
            "no row",
            marks.SKIPS,
        )


def _foreign(table: Table) -> dict[tuple[object, ...], ForeignKey]:
    """The foreign keys from and to a table, by all but their names."""
    return {
        (
            text,
            tuple(c.casefold() for c in k.columns),
            k.ref_table.casefold(),
            tuple(c.casefold() for c in k.ref_columns),
            k.on_delete,
            k.on_update,
        ): k
        for text, keys in (("from", table.enforced_keys), ("to", table.incoming))
        for k in keys
    }


def _numbered(pair: Pair, key: Key) -> bool:
    """Whether the key holds a column that only the source has and numbers itself: no two rows share it."""
    columns = [pair.source.column(part.column) for part in key.parts if part.column]
    return any(
        column is not None and column.auto_increment and pair.replica.column(column.name) is None
        for column in columns
    )


def _enforces(other: Key, key: Key) -> bool:
    """Whether rows that are one under `key` are one under `other`: its parts are the key's, and no longer."""
    if not other.unique:
        return False
    lengths = {part.column.casefold(): part.length for part in key.parts if part.column}
    expressions = {part.expression for part in key.parts if part.expression}
    for part in other.parts:
        if part.column is None:
            if part.expression not in expressions:
                return False
            continue
        folded = part.column.casefold()
        if folded not in lengths:
            return False
        length = lengths[folded]
        if length is not None and (part.length is None or part.length > length):
            return False
    return True


def _chooses_otherwise(here: ColumnType, there: ColumnType) -> bool:
    """Whether two columns of text compare values by different rules."""
    ours, theirs = here.collation, there.collation
    if not (here.is_character and there.is_character) or ours is None or theirs is None or ours == theirs:
        return False
    if not (here.charset in _ALIKE and there.charset in _ALIKE):
        return True
    return ours.partition("_")[2] != theirs.partition("_")[2]


RULE = Rule("SC803", "statement-rows", _check, (About.STATEMENTS,), evidence=lambda ask: ask.statements())
