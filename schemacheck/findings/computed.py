"""What may fail while the replica computes a generated column or the key of a functional index."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from schemacheck.alignment.pair import Pair
from schemacheck.conversion.arithmetic import fits, may_overflow, raised
from schemacheck.findings.on_pair import on_table, side
from schemacheck.model import Column, ColumnType, Effect, Finding, Table

ARRAY = re.compile(r"\barray\b", re.IGNORECASE)
JSON_FUNCTION = re.compile(r"\bjson_\w+\s*\(|->|\bas json\b", re.IGNORECASE)


def types(table: Table) -> dict[str, ColumnType]:
    """The types of a table's columns by folded name."""
    return {column.name.casefold(): column.type for column in table.columns}


def no_document(expression: str, columns: Mapping[str, ColumnType]) -> tuple[int, ...]:
    """The errors of JSON functions and arrays on a column that is neither JSON nor text (MySQL: 3146, ENUM
    and SET too, bytes 3144; asked of 9.7), of JSON that is cast (3156), and of texts that are no JSON.
    """
    read = {name.casefold() for name in re.findall(r"\w+", expression)} & columns.keys()
    kinds = [columns[n] for n in read if JSON_FUNCTION.search(expression) or ARRAY.search(expression)]
    other = any(not kind.is_json and (not kind.charset or kind.has_members) for kind in kinds)
    cast = "cast" in expression.casefold() and any(columns[name].is_json for name in read)
    path = JSON_FUNCTION.search(expression) is not None
    on_error = "error on" in expression.casefold()
    dated = "interval" in expression.casefold()
    result = [(3146, other), (3144, any(map(_bytes, kinds))), (3156, cast), (3143, path), (1690, on_error)]
    # Of MariaDB: characters, an end and a syntax that are none of JSON (asked of 10.11 and 11.8).
    result += [(4036, path), (4037, path), (4038, path), (1441, dated)]
    return tuple(number for number, may in result if may)


def _bytes(kind: ColumnType) -> bool:
    return kind.holds_bytes or kind.is_bit or kind.charset == "binary"


def failures(pair: Pair, column: Column) -> Iterator[Finding]:
    """The errors that a generated column of the replica, which the source does not compute so, may raise."""
    expression = column.expression or ""
    columns, replica = types(pair.replica), pair.link.replica
    computed = column.generated == "stored" or replica.has("applier-computes-virtual-columns")
    if computed and may_overflow(expression, columns):
        yield _stops(
            pair,
            column,
            "number-out-of-range",
            "a row whose result is no BIGINT stops the applier",
            f"Cast the operands of {column.name} to DECIMAL, or drop the column on the replica",
            "recorded on MySQL 9.7, MariaDB 10.11 and 11.8",
        )
    if (
        column.generated == "stored"
        and replica.has("stored-generated-must-fit")
        and not fits(expression, columns, column.type)
    ):
        yield _stops(
            pair,
            column,
            "stored-generated",
            f"a value that does not fit {column.type.sql()} stops the applier",
            f"Give {column.name} a type that holds every value of the expression, or make it VIRTUAL",
            "recorded on MariaDB 10.11",
        )
    if JSON_FUNCTION.search(expression):
        yield _stops(
            pair,
            column,
            "invalid-json",
            "a row for which this fails stops the applier",
            f"Guard the expression of {column.name}, for example with JSON_VALID, or drop the column on the "
            "replica",
            "recorded on MySQL 9.7",
            no_document(expression, columns),
        )
    for error in raised(expression, columns, replica) if computed else ():
        yield _stops(
            pair,
            column,
            error.error,
            f"a row for which {error.function.upper()} fails stops the applier, whatever sql_mode is",
            f"Drop {column.name} on the replica, or give it to the source, which then refuses such rows",
            error.reference,
            error.also,
        )
    indexed = any(column.name.casefold() in key.folded for key in pair.replica.keys)
    if (
        column.generated == "virtual"
        and indexed
        and replica.has("lookup-compares-virtual-columns")
        and any(cell.replica is column for cell in pair.cells)
    ):
        yield _stops(
            pair,
            column,
            "index-corrupt",
            "its index does not hold the value that the source sent, so an UPDATE or "
            "DELETE stops the applier",
            "Use the same expression on both ends",
            "recorded on MariaDB 10.11",
        )


def _stops(
    pair: Pair, column: Column, error: str, why: str, remedy: str, reference: str, also: tuple[int, ...] = ()
) -> Finding:
    """A finding about rows for which computing fails; on servers without the error it is left to others."""
    stored = "stored" if column.generated == "stored" else "not stored"
    return on_table(
        pair,
        Effect.UNSUPPORTED,
        f"the replica computes {column.name} ({stored}) as ({column.expression}) itself: {why}",
        column=column.name,
        replica=side(
            pair.replica, column, f"{column.type.sql()} as ({column.expression}) {column.generated}"
        ),
        error=pair.error(error),
        depends_on_rows=True,
        also=also,
        remedy=remedy,
        reference=reference,
    )
