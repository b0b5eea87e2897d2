"""What the value rules (SC204 to SC216, SC301) share: one finding per common column whose values change.

Each rule names the outcomes and types it speaks of; exactly one rule speaks of a column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from schemacheck.alignment.pair import Cell, Pair
from schemacheck.conversion import Kind, Outcome, What
from schemacheck.dataclass import replace
from schemacheck.findings.on_pair import MANUAL, on_cell, on_table
from schemacheck.model import Effect, Example, Finding
from schemacheck.model.definition_sql import modify

#: Asked of every column that differs, and an enum looks its members up each time.
_UNCHANGED, _MISREAD = What.UNCHANGED, What.MISREAD
#: Errors that rows may show after a misread value, beside the corrupt event itself.
AFTER_MISREAD = (1610, 1105, 1030, 1048, 1062, 1032, 1416)


#: ER_KEY_NOT_FOUND, ER_DUP_ENTRY
KEY_NOT_FOUND, DUPLICATE = 1032, 1062
#: Least bytes per character, where not 1.
_LEAST = {"ucs2": 2, "utf16": 2, "utf16le": 2, "utf32": 4}


def _found_by_chance(pair: Pair, cell: Cell) -> bool:
    """Whether rows are compared by a text whose conversion is not always the same.

    Bytes that are no whole number of the replica's characters: the server reads beyond the value
    (recorded on 5.6.24 and 9.7.4: the last character is random).
    """
    least = _LEAST.get(cell.replica.type.charset or "", 1)
    if cell.kind is Kind.EXACT or least <= _LEAST.get(cell.source.type.charset or "", 1):
        return False
    key = pair.lookup_key()
    return key is None or cell.replica.name.casefold() in key.folded


def setting_name(pair: Pair) -> str:
    """slave_type_conversions, as the replica spells it."""
    return pair.terms.conversions


def setting_text(pair: Pair) -> str:
    """`slave_type_conversions='ALL_NON_LOSSY'`."""
    return pair.terms.conversions_text


_BY_SETTING = frozenset((Kind.LOSSY, Kind.NON_LOSSY))


def deciding_setting(pair: Pair, cell: Cell) -> str | None:
    """The setting by which a conversion is permitted, if it is one that needs a setting."""
    return pair.terms.conversions_text if cell.kind in _BY_SETTING else None


def changed(mine: Callable[[Cell], bool], advice: str) -> Callable[[Pair], Iterator[Finding]]:
    """A rule's `check` of the columns that it speaks of, see `value_findings`."""
    return lambda pair: value_findings(pair, mine, advice)


def value_findings(pair: Pair, mine: Callable[[Cell], bool], advice: str) -> Iterator[Finding]:
    """One finding per column that gets another value: effect, example, error, the exact ALTER."""
    for cell in pair.differing if pair.terms.logs_rows else ():
        outcome = cell.outcome
        if not cell.allowed or outcome.what is _UNCHANGED or not mine(cell):
            continue
        finding = value_finding(pair, cell, advice)
        yield finding
        if outcome.what is _MISREAD:
            yield _wrong_values(pair, cell, advice, finding.remedy_sql)


def _wrong_values(pair: Pair, cell: Cell, advice: str, remedy_sql: str | None) -> Finding:
    """A misread value that does not stop the applier: it and the columns behind it are others."""
    return on_table(
        pair,
        Effect.DIVERGES,
        f"{cell.source.name}: where the bytes can be read with the wrong length, this "
        "column and those behind it arrive with other values",
        remedy=advice,
        remedy_sql=remedy_sql,
        example=Example(f"a row with {cell.outcome.source}", "another row"),
        reference="recorded on real servers",
    )


def _is_json(pair: Pair, cell: Cell) -> bool:
    """Whether the source takes JSON text alone (MariaDB's JSON is LONGTEXT with a CHECK)."""
    if not pair.source.checks:
        return False
    test = f"json_valid({cell.source.name})".casefold()
    return any(check.expression.replace("`", "").casefold() == test for check in pair.source.checks)


def _as_json(out: Outcome) -> Outcome:
    """The example as a JSON text: a word in double quotes, a number instead of letters."""

    def quoted(text: str) -> str:
        if text.startswith("REPEAT('x'"):
            return text.replace("'x'", "'1'")
        if text.startswith(("x'", "RPAD(x'")):
            return re.sub(r"x'(\w+)'", r"x'22\g<1>22'", text, count=1)
        return f"'\"{text[1:-1]}\"'" if text.startswith("'") else text

    return replace(out, source=quoted(out.source), replica=quoted(out.replica))


def value_finding(pair: Pair, cell: Cell, advice: str) -> Finding:
    """The finding about one changed column."""
    out = _as_json(cell.outcome) if _is_json(pair, cell) else cell.outcome
    # Another sign is no value that is cut.
    lossy = cell.kind is Kind.LOSSY and out.what is not What.SIGN
    effect = Effect.LOSSY if lossy else Effect.DIVERGES
    error = None
    also: tuple[int, ...] = ()
    here, there = cell.source.type.sql(), cell.replica.type.sql()
    what = f"{here} on the source, {there} on the replica: "
    if out.what is _MISREAD:
        effect, also = Effect.STOPS, AFTER_MISREAD
        last = cell.source_index == len(pair.source.columns) - 1
        name = "corrupt-event-at-end" if out.grows and last else "corrupt-event"
        error = pair.error(name)
        dies = ", or the server dies" if pair.link.replica.has("misread-may-crash") else ""
        message = (
            f"{what}{out.note}; the first row with a value stops the applier, or arrives "
            f"with wrong values{dies}"
        )
    elif out.what is What.REFUSED:
        effect = Effect.DIVERGES
        held = cell.replica.type.srid
        name = "wrong-srid" if held not in (None, cell.source.type.srid) else "invalid-geometry"
        # Another shape, or NULL of a server that keeps an empty value for it.
        also = (1416,) if name == "wrong-srid" else ()
        error = pair.error(name, key=cell.replica.name)
        message = (
            f"{what}{out.note}; the replica stores an empty value instead, or stops "
            "(recorded where it computes stored generated columns)"
        )
    else:
        message = f"{what}{out.note}; {out.source} arrives as {out.replica or 'another value'}"
        if _found_by_chance(pair, cell):
            also = (KEY_NOT_FOUND,)
            message += (
                "; the last character may be wrong, so an UPDATE or DELETE may not find the row (error 1032)"
            )
    return on_cell(
        pair,
        cell,
        effect,
        message,
        error=error,
        depends_on_rows=error is not None,
        also=also,
        setting=deciding_setting(pair, cell),
        remedy=advice,
        remedy_sql=modify(pair.replica, cell.replica, cell.source, pair.link.replica),
        example=Example(out.source, out.replica or ("an error" if error else "another value")),
        reference=MANUAL if cell.kind is Kind.LOSSY else "recorded on real servers",
    )
