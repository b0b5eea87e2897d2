"""What a difference of one table carries to others: foreign keys act on their rows, triggers write them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from schemacheck.conversion.error import server_error
from schemacheck.dataclass import replace
from schemacheck.model import Effect, Example, Finding, Link, PairReport, PairState, Side, Table
from schemacheck.model.difference import CARRIED
from schemacheck.model.names import folded

#: Rules about rows that are changed on one end alone.
CARRYING = frozenset(("SC405", "SC508", "SC803", "SC804"))
_ACTS = frozenset(("CASCADE", "SET NULL", "SET DEFAULT"))
#: The table option, behind the last bracket of the columns.
_NEXT = re.compile(r"\)[^)]*\bAUTO_INCREMENT\s*=?\s*(\d+)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d][\w$]*")


def with_carried(pairs: list[PairReport], link: Link) -> list[PairReport]:
    """The pairs, each table named whose rows another table's difference may change."""
    waiting = [
        (pair, f)
        for pair in pairs
        for f in pair.findings
        if f.code in CARRYING and f.effect is Effect.DIVERGES
    ]
    triggered = link.binlog_format == "STATEMENT" and any(p.source and p.source.triggers for p in pairs)
    if not waiting and not triggered:
        return pairs
    fold = folded if link.replica.folds_names else str
    out = list(pairs)
    places = {
        (fold(pair.database or ""), fold(pair.table)): place
        for place, pair in enumerate(pairs)
        if pair.state is PairState.COMPARED and pair.source is not None and pair.replica is not None
    }
    while waiting:
        pair, cause = waiting.pop(0)
        for database, name in _reached(pair):
            place = places.get((fold(database or ""), fold(name)))
            if place is not None and out[place].verdict <= Effect.INCOMPLETE:
                finding = _carried(cause, pair, out[place], link)
                out[place] = replace(out[place], findings=(finding, *out[place].findings))
                waiting.append((out[place], finding))
    for pair in pairs if triggered else ():
        for database, name in _written(pair):
            place = places.get((fold(database or ""), fold(name)))
            if place is not None and len(set(map(_next_number, (out[place].source, out[place].replica)))) > 1:
                out[place] = replace(out[place], findings=(_numbered(pair, out[place]), *out[place].findings))
    return out


def _reached(pair: PairReport) -> Iterator[tuple[str | None, str]]:
    """The tables that a change of the pair's rows changes on some end."""
    for table in (pair.source, pair.replica):
        for key in table.incoming if table else ():
            if key.on_delete in _ACTS or key.on_update in _ACTS:
                yield key.ref_database or pair.database, key.ref_table
    yield from _written(pair)


def _written(pair: PairReport) -> Iterator[tuple[str | None, str]]:
    bodies = [t.body for table in (pair.source, pair.replica) if table for t in table.triggers]
    yield from ((pair.database, name) for name in dict.fromkeys(_WORD.findall(" ".join(bodies))))


def _next_number(table: Table | None) -> str:
    """The table option AUTO_INCREMENT, as the definition's text has it."""
    written = _NEXT.search((table and table.text) or "")
    return written[1] if written else "1"


def _numbered(by: PairReport, pair: PairReport) -> Finding:
    """The log carries the numbers that a statement's own table gets, not those of a trigger."""
    here, there = _next_number(pair.source), _next_number(pair.replica)
    places = [table.location if table else None for table in (pair.source, pair.replica)]
    return Finding(
        "SC506", "auto-increment", Effect.DIVERGES,
        f"triggers of {by.table} fill this table, whose AUTO_INCREMENT is {here} on the source and {there} "
        "on the replica: a logged statement does not carry the numbers",
        pair.database, pair.table, source=Side(places[0], here), replica=Side(places[1], there),
        setting="binlog_format=STATEMENT", example=Example(here, there), reference="asked of four servers",
        remedy="Give both ends one AUTO_INCREMENT, or set binlog_format=MIXED or ROW on the source",
    )  # fmt: skip


def _carried(cause: Finding, by: PairReport, pair: PairReport, link: Link) -> Finding:
    error = cause.error and server_error(
        "key-not-found", link.replica, pair.database, pair.table, event="Update_rows"
    )
    message = f"rows of {by.name} that differ change rows here, by a foreign key or a trigger"
    here, there = (Side(table.location if table else None) for table in (pair.source, pair.replica))
    return replace(
        cause, database=pair.database, table=pair.table, column=None, message=message, source=here,
        replica=there, error=error, depends_on_rows=error is not None, also=(),
        example=Example("the row as the source leaves it", "the row as it was, or changed otherwise"),
        remedy_sql=None, affected=None, statements=CARRIED,
    )  # fmt: skip
