"""The replica indexes an expression that may fail.

## What it finds
Keys over expressions that only the replica has: functional indexes, and multi-valued ones (CAST ... AS ...
ARRAY).

## What the replica does
The applier computes the expression for every row. JSON functions on text that is no JSON stop it with error
3141, on a column that is neither with 3146, on bytes with 3144, numbers outside BIGINT with 1690, functions
of geometries, regular expressions, UUIDs and vectors with errors of their own (3516, 3037, 3696, 1411, 6138),
and an array with a value that is not of the index's type with 3903, 3904, 3907, 3908, 3752 or 1235, whatever
the sql_mode. Statements (STATEMENT, MIXED) are stopped besides, under the strict sql_mode that travels with
them, by what the expression cuts: a CAST to a shorter type, text as a number or as a date (3751, 3752, 1366,
1411).
Other expressions do not fail.

## Example
    source:  CREATE TABLE t (a INT PRIMARY KEY, b JSON);
    replica: CREATE TABLE t (a INT PRIMARY KEY, b JSON, KEY ((CAST(b AS UNSIGNED ARRAY))));

## Fix
Create the index on the source first, or drop it on the replica.

## References
MySQL manual, "CREATE INDEX", multi-valued indexes; recorded on 9.7.4 for 25 expressions and 27 values;
of statements for 29 expressions over 13 types; 440 more expressions asked of 9.7.4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemacheck.alignment.pair import Pair
from schemacheck.conversion.arithmetic import may_overflow, raised
from schemacheck.dataclass import replace
from schemacheck.findings.computed import ARRAY, JSON_FUNCTION, no_document, types
from schemacheck.findings.on_pair import on_table
from schemacheck.model import ColumnType, Effect, Finding, Key, KeyPart, Side
from schemacheck.rules import About, Rule

#: Functions of text and of numbers that cut nothing, of the types that they take as they are.
_OF_TEXT = frozenset(
    (
        "lower", "upper", "lcase", "ucase", "length", "char_length", "character_length", "octet_length",
        "concat", "left", "right", "substr", "substring", "mid", "trim", "ltrim", "rtrim", "reverse", "hex",
        "md5", "sha", "sha1", "sha2",
    )
)  # fmt: skip
_OF_NUMBERS = frozenset(("abs", "mod", "floor", "ceil", "ceiling", "sign", "round", "truncate", "length"))
_CALLED = re.compile(r"([A-Za-z_]\w*)`?\s*\(")
_OPERATOR = re.compile(
    r"[-+*/%<>=!&|^~]|\b(div|mod|and|or|not|xor|like|in|between|is|case|interval)\b", re.IGNORECASE
)
#: What a strict sql_mode makes of a value that the expression cuts, beside the first one.
_STRICT = (3752, 1366, 1411)
#: What a value of another kind raises in a multi-valued index, beside the first one.
_ARRAY_ERRORS = (3904, 3907, 3908, 3752, 3751, 1235, 3141)


def _check(pair: Pair) -> Iterator[Finding]:
    ours = {part.expression for key in pair.source.keys for part in key.parts if part.expression}
    for key in pair.replica.keys:
        for part in key.parts:
            if part.expression and (part.expression not in ours or _types_differ(pair, part.expression)):
                yield from _may_fail(pair, key, part)


def _types_differ(pair: Pair, expression: str) -> bool:
    """Whether the source computes the expression of other types, and accepts what the replica may not."""
    named = {name.casefold() for name in re.findall(r"\w+", expression)}
    return any(c.replica.name.casefold() in named and not c.same_type for c in pair.differing)


def _may_fail(pair: Pair, key: Key, part: KeyPart) -> Iterator[Finding]:
    expression = part.expression or ""
    columns = types(pair.replica)
    read = {name.casefold() for name in re.findall(r"\w+", expression)} & columns.keys()
    on_text = any(not columns[name].is_json for name in read)
    also = no_document(expression, columns)
    if pair.logs_statements and pair.link.source.strict and _cuts(expression, [columns[n] for n in read]):
        yield _cut(pair, key, expression)
    if ARRAY.search(expression):
        error, also = "functional-index", (*_ARRAY_ERRORS, *also)
        why = "a value that is not of its type"
    elif JSON_FUNCTION.search(expression) and on_text:
        error, why = "invalid-json", "a text that is no JSON"
    elif may_overflow(expression, columns):
        error, why = "number-out-of-range", "a result that is no BIGINT"
    elif errors := raised(expression, columns, pair.link.replica):
        for item in errors:
            why = f"a row for which {item.function.upper()} fails"
            yield replace(
                _stops(pair, key, expression, Effect.UNSUPPORTED, item.error, why),
                also=item.also,
                reference=item.reference,
            )
        return
    else:
        return
    yield replace(_stops(pair, key, expression, Effect.UNSUPPORTED, error, why), also=also)


def _cuts(expression: str, read: list[ColumnType]) -> bool:
    """Whether the expression may not keep all of a value, which is an error under a strict sql_mode."""
    called = {name.casefold() for name in _CALLED.findall(expression)}
    numbers = all(kind.is_exact for kind in read)
    if numbers and called <= _OF_NUMBERS:
        return False
    plain = not any(kind.is_bit or kind.is_approximate for kind in read)
    return not (plain and called <= _OF_TEXT and not _OPERATOR.search(expression))


def _cut(pair: Pair, key: Key, expression: str) -> Finding:
    why = "a statement with a value that the expression cuts"
    under = " under the strict sql_mode that travels with it"
    finding = _stops(pair, key, expression, Effect.STOPS, "functional-index-value", why, under)
    return replace(
        finding,
        also=_STRICT,
        setting=f"binlog_format={pair.link.binlog_format}",
        reference="asked of MySQL 9.7.4",
    )


def _stops(
    pair: Pair, key: Key, expression: str, effect: Effect, error: str, why: str, under: str = ""
) -> Finding:
    return on_table(
        pair,
        effect,
        f"only the replica has the key {key.name or expression} over ({expression}): "
        f"{why} stops the applier{under}",
        replica=Side(key.location or pair.replica.location, f"({expression})"),
        error=pair.error(error, key=key.name or "..."),
        depends_on_rows=True,
        remedy="Create the index on the source first, or drop it on the replica",
        reference="recorded on MySQL 9.7",
    )


RULE = Rule(
    "SC408", "functional-index", _check, (About.SPECIAL_KEYS,), evidence=lambda ask: ask.writes(certain=False)
)
