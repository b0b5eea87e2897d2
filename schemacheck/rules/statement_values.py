"""Statements store other values.

## What it finds
Columns under STATEMENT or MIXED format whose replica type, NULL, default or generated value refuses or
changes values that the source takes, or takes values that the source changes.

## What the replica does
The statement runs on the replica under the source's sql_mode, which travels with it. Under a strict mode a
value that does not fit is an error (1264, 1406, 1366, 1265, 1292), otherwise it is cut without one; INSERT
IGNORE and UPDATE IGNORE cut under any mode. A wider type on the replica keeps what the source rounds or cuts:
1.2345 is 1.23 in DECIMAL(5,2) and 1.2345 in DECIMAL(10,4). A few values are refused under any mode: what is
no geometry (1416, MariaDB 4078), no JSON (3140, MariaDB 4025). A NULL for a NOT NULL column is 1048 (a
TIMESTAMP takes it for the current time without explicit_defaults_for_timestamp, which is not logged), a
missing value for a column without default 1364, a value for a generated column 3105 (MariaDB 1906). A column
that is computed on the source only takes its default. A default with UUID(), USER(), SYSDATE() or another
function of the server itself gives each end its own value under STATEMENT; under MIXED rows are logged for
it. MySQL computes a generated column only when one of its columns is set, the replica at every UPDATE: a
value that the source cut (INSERT IGNORE, no strict mode) stops it then. MariaDB refuses the empty text that
an INSERT without a strict mode leaves in a JSON column without default (4025).

## Example
    source:  CREATE TABLE t (b DECIMAL(5,2));
    replica: CREATE TABLE t (b DECIMAL(10,4));

`INSERT INTO t (b) VALUES (1.2345)`.

## Fix
Give both columns the same definition, or set binlog_format=ROW on the source.

## References
MySQL manual, Replication of Columns Having Different Data Types, statement-based replication; Strict SQL
Mode; recorded on four servers for 57 types into each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from schemacheck.alignment.pair import Pair
from schemacheck.conversion.arithmetic import fits
from schemacheck.conversion.error import server_error
from schemacheck.conversion.own_values import own_value
from schemacheck.conversion.statement import differing_literal, keeps_alike, refusals
from schemacheck.findings.computed import no_document, types
from schemacheck.findings.on_pair import on_table, side
from schemacheck.model import Column, DefaultKind, Effect, Example, Finding, Server, ServerError
from schemacheck.model.column_type import holds
from schemacheck.model.definition_sql import modify
from schemacheck.rules import About, Rule

if TYPE_CHECKING:
    from schemacheck.evidence.ask import Answer, Ask

#: The period columns of a versioned table: the server sets them itself.
ROW_TIMES = ("row start", "row end")
#: What the expression of a generated column may fail with: range, length, text that is no number or moment,
#: JSON.
_COMPUTED = (
    "out-of-range", "expression-out-of-range", "data-too-long", "data-truncated", "incorrect-string",
    "truncated-wrong-value", "invalid-json",
)  # fmt: skip

#: A number of bytes or of characters, which any INT holds.
_LENGTH = re.compile(r"\(*(octet_|char_|character_)?length\s*\(`?\w+`?\)", re.IGNORECASE)
#: What a zero on the right makes an error of.
_DIVIDES = re.compile(r"/|%|\b(?:div|mod)\b", re.IGNORECASE)

#: Marks of statements that cut values, and that add rows; every statement.
_CUTS: tuple[str, ...] = ("ignore", "not-strict", "load")
_INSERTS: tuple[str, ...] = ("insert", "replace", "load")
_ALL: tuple[str, ...] = ()
#: What helps where the definitions are alike.
_ROW = "Set binlog_format=ROW on the source"


def _check(pair: Pair) -> Iterator[Finding]:
    if not pair.logs_statements:
        return
    for here in pair.source.columns:
        there = pair.replica.column(here.name)
        if there is not None:
            yield from _operands(pair, here, there)
            yield from _own_default(pair, here, there)
            if not (here.generated or there.generated):
                yield from _nulls(pair, here, there)
        if there is None or (here == there and pair.link.source.mariadb == pair.link.replica.mariadb):
            continue
        if there.generated:
            if not here.generated:
                yield from _given(pair, here, there)
            continue
        if here.generated:
            lost = Example(f"({here.expression})", "the column's default")
            what = f"{here.name} is computed on the source only, and no statement gives it a value"
            yield _changed(pair, here, there, what, lost, _INSERTS)
            continue
        yield from _types(pair, here, there)
    for column in pair.replica.columns:
        ours = pair.source.column(column.name)
        if column.generated and (
            ours is None or ours.expression != column.expression or ours.type != column.type
        ):
            yield from _computed(pair, ours, column)
        elif column.generated and _computed_again(pair, column):
            yield from _computed(pair, ours, column, again=True)
        elif not column.has_default:
            yield from _missing(pair, ours, column)


def _operands(pair: Pair, here: Column, there: Column) -> Iterator[Finding]:
    """Some servers refuse to compare a date or a time with text that is none, others take it for NULL."""
    if not there.type.is_temporal or _errors_of(pair.link.source, "wrong-temporal-operand"):
        return
    name = "wrong-temporal-operand" if not there.type.is_time else "incorrect-temporal"
    if there.type.is_time and not (
        pair.link.source.strict and _errors_of(pair.link.replica, "wrong-temporal-operand")
    ):
        return
    for error in _errors(pair, there, (name,)):
        what = (
            f"{here.name}: {pair.link.replica} compares a {there.type.base} only with "
            f"values of that type: UPDATE or DELETE with {here.name} = "
        ) + ("'2020-01-31'" if there.type.is_time else "'10:11:12'")
        yield _stops(pair, here, there, what, error, (), (f"reads:{here.name}",))


def _errors_of(server: Server, name: str) -> bool:
    return server_error(name, server, None, "") is not None


def _types(pair: Pair, here: Column, there: Column) -> Iterator[Finding]:
    dialects = pair.link.source.mariadb != pair.link.replica.mariadb
    if here.type == there.type and not dialects:
        return
    strict = pair.link.source.strict
    text = f"{here.type.sql()} on the source, {there.type.sql()} on the replica"
    names = refusals(here.type, there.type, pair.link.replica, strict=strict)
    if dialects and strict and there.type.is_temporal:
        # The servers read numbers and text as moments by rules of their own.
        read = ("incorrect-temporal", "truncated-wrong-value", "incorrect-temporal-operand")
        names = tuple(dict.fromkeys((*names, *read)))
    errors = _errors(pair, there, names)
    if here.auto_increment and there.auto_increment and not holds(there.type, here.type):
        full = _errors(pair, there, ("ai-exhausted",))
        yield _stops(
            pair, here, there, f"{text}: a number beyond the replica's range", full[0], (1062,), _INSERTS
        )
    if errors:
        also = tuple(e.number for e in errors[1:] if e.number != errors[0].number)
        if here.type.is_json and (there.type.is_blob or there.type.base.endswith("binary")):
            also = (*also, 3144)  # JSON_SET and its like take no bytes
        yield _stops(
            pair, here, there, f"{text}: a statement with a value that does not fit", errors[0], also
        )
    for error in errors[1:]:
        if error.number == errors[0].number:
            yield _stops(pair, here, there, f"{text}: a statement that compares it", error, ())
    if keeps_alike(here.type, there.type, pair.link.source, pair.link.replica):
        return
    apart = differing_literal(here.type, there.type)
    value, source, replica = (
        (apart.literal, repr(apart.source), repr(apart.replica))
        if apart is not None
        else ("a value that only one of them takes as it is", "its value", "another one")
    )
    statement = f"INSERT IGNORE INTO {pair.source.name} ({here.name}) VALUES ({value})"  # noqa: S608
    example = Example(f"{statement}: {source}", replica)
    members = (
        here.type.is_enum
        and there.type.is_enum
        and not any(a != b for a, b in zip(here.type.members, there.type.members, strict=False))
    )
    cut = _CUTS if members or (here.type.is_integer and there.type.is_integer) else None
    yield _changed(pair, here, there, text, example, cut)


def _takes_null(column: Column, server: Server) -> bool:
    """Whether NULL is a value for the column, or the current time (asked of four servers)."""
    current = server.mariadb or server.setting("explicit_defaults_for_timestamp").upper() in ("OFF", "0")
    return column.nullable or (column.type.is_timestamp and current)


def _nulls(pair: Pair, here: Column, there: Column) -> Iterator[Finding]:
    ours, theirs = _takes_null(here, pair.link.source), _takes_null(there, pair.link.replica)
    if ours == theirs:
        return
    if ours:
        error = _errors(pair, there, ("null-value",))[0]
        also = (1416, 3673) if there.type.is_geometry else ()
        what = f"{here.name} takes NULL on the source only: a statement with NULL"
        yield _stops(pair, here, there, what, error, also)
    ends = (
        "NULL" if here.nullable != there.nullable else "the current time",
        "the implicit default of the type",
    )
    example = Example(*(ends if ours else reversed(ends)))
    what = f"{here.name} takes NULL on {'the source' if ours else 'the replica'} only"
    statement = f"INSERT IGNORE INTO {pair.source.name} ({here.name}) VALUES (NULL): {example.source}"  # noqa: S608
    yield _changed(pair, here, there, what, Example(statement, example.replica))


def _missing(pair: Pair, here: Column | None, there: Column) -> Iterator[Finding]:
    """A column that an INSERT may leave out on the source, and that has no default on the replica."""
    if there.type.is_enum:
        return  # the first member is its implicit default
    if here is not None and not here.has_default and not here.type.is_enum:
        return
    strict = pair.link.source.strict
    where = "exists only on the replica" if here is None else "has a default on the source only"
    documents = {c.expression.replace("`", "").casefold() for c in pair.replica.checks if c.enforced}
    is_json = f"json_valid({there.name.casefold()})" in documents
    empty = _errors(pair, there, ("json-check-violated",)) if is_json else []
    for error in empty:
        what = (
            f"{there.name} {where} and is JSON: an INSERT that leaves it out stores empty text without a "
            "strict sql_mode, and with IGNORE, which"
        )
        yield _stops(pair, here, there, what, error, (), (f"omits:{there.name}",))
    yield on_table(
        pair,
        Effect.STOPS,
        f"{there.name} {where} and has no default there: "
        + (
            "an INSERT that leaves it out stops the applier under the strict sql_mode that travels with it"
            if strict
            else (
                "an INSERT that leaves it out stores the implicit default of the type; DEFAULT for "
                "it stops the applier"
            )
        ),
        column=there.name,
        replica=side(pair.replica, there),
        error=_errors(pair, there, ("no-default",))[0],
        depends_on_rows=True,
        also=tuple(n for n, so in ((1416, there.type.is_geometry), (1062, _in_unique(pair, there))) if so),
        setting="sql_mode",
        remedy=f"Give {there.name} a default on the replica",
        statements=(f"omits:{there.name}",),
    )


def _in_unique(pair: Pair, column: Column) -> bool:
    """Whether two rows with the implicit default are duplicates on the replica."""
    return any(key.unique and column.name.casefold() in key.folded for key in pair.replica.keys)


def _given(pair: Pair, here: Column, there: Column) -> Iterator[Finding]:
    """A statement gives a value to a column that the replica computes."""
    if not pair.link.source.strict and pair.link.replica.has("generated-value-ignored"):
        return
    error = _errors(pair, there, ("generated-value",))
    if error:
        what = f"{here.name} is computed on the replica only: a statement that gives it a value"
        yield _stops(pair, here, there, what, error[0], (), (f"writes:{here.name}",))


def _own_default(pair: Pair, here: Column, there: Column) -> Iterator[Finding]:
    """A default that each end computes for itself, where statements are logged come what may."""
    default = here.default
    if pair.link.binlog_format != "STATEMENT" or default is None or default != there.default:
        return
    own = own_value(default.text) if default.kind is DefaultKind.EXPRESSION else None
    if own is not None:
        what = f"{here.name} has the default ({default.text}), and {own} is another value on the replica"
        statement = f"INSERT INTO {pair.source.name} () VALUES (): the source's {own}"  # noqa: S608
        yield _changed(
            pair, here, there, what, Example(statement, f"the replica's {own}"), (f"omits:{here.name}",)
        )


def _computed_again(pair: Pair, column: Column) -> bool:
    """Whether an UPDATE of another column may compute on the replica what the source leaves as it is (asked:
    from MySQL 9.7 to itself and MariaDB; MariaDB's source computes it too): a value that INSERT IGNORE, or a
    session without strict mode, cut.
    """
    source, expression = pair.link.source, column.expression or ""
    if source.mariadb or expression in ROW_TIMES:
        return False
    columns = types(pair.replica)
    if fits(expression, columns, column.type):
        return False
    if column.type.base in ("int", "bigint") and _LENGTH.fullmatch(expression.strip("()") + ")"):
        return False
    copied = columns.get(expression.strip("`()").casefold())
    return copied is None or copied != column.type


def _computed(pair: Pair, here: Column | None, there: Column, *, again: bool = False) -> Iterator[Finding]:
    """The replica's expression may fail on values that the source took, or computed once (`again`)."""
    names = _COMPUTED if pair.link.source.strict else ("expression-out-of-range", "invalid-json")
    errors = _errors(pair, there, names if there.nullable else (*names, "null-value"))
    if errors:
        what = (
            f"{there.name} is computed as ({there.expression}) on the replica"
            + (" anew by every UPDATE" if again else "")
            + ": a statement whose values it cannot take"
            + (", and that the source had cut before," if again else "")
        )
        also = (*(e.number for e in errors[1:]), *no_document(there.expression or "", types(pair.replica)))
        if "ERROR_FOR_DIVISION_BY_ZERO" in pair.link.source.sql_mode and _DIVIDES.search(
            there.expression or ""
        ):
            also = (*also, 1365)
        yield _stops(pair, here, there, what, errors[0], also, _ALL)


def _errors(pair: Pair, there: Column, names: tuple[str, ...]) -> list[ServerError]:
    """The replica's errors of these names, each once; one number may have two texts."""
    errors: dict[str, ServerError] = {}
    for name in names:
        error = pair.error(name, key=there.name)
        if error is not None:
            errors.setdefault(error.message, error)
    return list(errors.values())


def _stops(
    pair: Pair,
    here: Column | None,
    there: Column,
    message: str,
    error: ServerError,
    also: tuple[int, ...],
    statements: tuple[str, ...] | None = None,
) -> Finding:
    """A statement that fails on the replica, of those with the marks `statements` or that name the column."""
    return on_table(
        pair,
        Effect.STOPS,
        f"{message} stops the applier",
        column=(here or there).name,
        source=side(pair.source, here),
        replica=side(pair.replica, there),
        error=error,
        depends_on_rows=True,
        also=also,
        setting=f"binlog_format={pair.link.binlog_format}",
        remedy=_ROW if here == there else f"Give {there.name} the same definition on both ends",
        remedy_sql=_like(pair, here, there),
        statements=_names(here or there) if statements is None else statements,
    )


def _changed(
    pair: Pair,
    here: Column,
    there: Column,
    message: str,
    example: Example,
    statements: tuple[str, ...] | None = None,
) -> Finding:
    """A statement that runs, and stores another value; `statements` as above."""
    return on_table(
        pair,
        Effect.DIVERGES,
        f"{message}; {example.source} on the source, {example.replica} on the replica",
        column=here.name,
        source=side(pair.source, here),
        replica=side(pair.replica, there),
        setting=f"binlog_format={pair.link.binlog_format}",
        remedy=_ROW if here == there else f"Give {there.name} the source's definition on the replica",
        remedy_sql=_like(pair, here, there),
        example=example,
        statements=_names(here) if statements is None else statements,
    )


def _like(pair: Pair, here: Column | None, there: Column) -> str | None:
    return None if here in (None, there) else modify(pair.replica, there, here, pair.link.replica)


def _names(column: Column) -> tuple[str, ...]:
    """Marks of statements that name the column; every one computes it."""
    return () if column.generated else (f"writes:{column.name}", f"reads:{column.name}")


def _evidence(ask: Ask) -> Answer:
    """Statements that name the column. A value that does not fit, or a NULL, is not written where no row has
    one; a text is not cut where no statement cuts and no row fills the column.
    """
    record, cell = ask.statements(), ask.cell
    if cell is None or ask.finding.statements != _names(cell.source):
        return record
    here, there, cuts = cell.source, cell.replica, ask.statements(marks=_CUTS)
    needs = [ask.nulls() if here.nullable else cuts] if here.nullable != there.nullable else []
    if here.type != there.type:
        needs.append(ask.beyond() if ask.finding.effect is Effect.STOPS else ask.either(cuts, ask.full()))
    return ask.both(record, ask.either(*needs)) if needs else record


RULE = Rule("SC802", "statement-values", _check, (About.STATEMENTS,), evidence=_evidence)
