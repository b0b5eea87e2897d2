"""Stored programs beside the tables: the replica's events, and functions that logged statements call."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator

from schemacheck.alignment.terms import terms
from schemacheck.dataclass import replace
from schemacheck.link.dialect import unlisted_function
from schemacheck.model import Finding, PairReport, PairState, Report, Schema, Table, TableKind
from schemacheck.model.names import folded
from schemacheck.model.program import Routine
from schemacheck.model.replicated import CalledFunction, OwnEvent
from schemacheck.rules import About, rules_about

#: A name before a bracket as SHOW CREATE prints it, and one that is a table's.
_NAMED = re.compile(r"(?:`\w+`\.)?`(\w+)`(?=\s*\()")
_INTO = re.compile(r"\b(?:INTO|TABLE)\s+[`\w.]+(?=\s*\()", re.IGNORECASE)


def with_programs(report: Report, source: Schema, replica: Schema) -> Report:
    """The report with what the replica's events change, and with functions that it has not as the source."""
    return with_functions(with_events(report, replica), source, replica)


def with_functions(report: Report, source: Schema, replica: Schema) -> Report:
    """An entry for each function that a logged statement may run otherwise on the replica, and for a trigger
    or a view that calls one of which no input has the definition.
    """
    if not terms(report.link).statement_format:
        return report
    ours, theirs = _functions(source), _functions(replica)
    called = [CalledFunction(one, theirs.get(key), report.link) for key, one in ours.items()]
    tables = frozenset(table.name.casefold() for table in (*source.tables, *replica.tables))
    names = frozenset(name for _, name in ours)
    for table, caller, text in _callers(source):
        if missing := unlisted_function(_INTO.sub(" ", _NAMED.sub(r"\1", text)), tables, names):
            routine = Routine("function", missing.lower(), table.database, location=table.location)
            called.append(CalledFunction(routine, None, report.link, f"the {caller}"))
    found = [
        PairReport(one.function.database, one.function.name, PairState.COMPARED, findings)
        for one in called
        if (findings := tuple(f for rule in rules_about(About.FUNCTION) for f in rule.findings(one)))
    ]
    return replace(report, pairs=(*report.pairs, *found)) if found else report


def _functions(schema: Schema) -> dict[tuple[str | None, str], Routine]:
    """Its stored functions by database and name; their names have no case."""
    return {(one.database, one.name.casefold()): one for one in schema.routines if one.kind == "function"}


def _callers(schema: Schema) -> Iterator[tuple[Table, str, str]]:
    """Triggers and views: the table, what they are called, and what they run."""
    for table in schema.tables:
        yield from ((table, f"trigger {one.name}", one.body) for one in table.triggers)
        if table.kind is TableKind.VIEW and table.query:
            yield table, f"view {table.name}", table.query


def with_events(report: Report, replica: Schema) -> Report:
    """The report with what the replica's enabled events do to replicated tables; one whose body is not known,
    or which changes a view or a table with triggers that is in no pair, gets an entry.
    """
    events = [one for one in replica.events if one.enabled]
    if not events:
        return report
    fold = folded if report.link.replica.folds_names else str
    pairs = list(report.pairs)
    places: dict[str, list[int]] = defaultdict(list)
    beyond: dict[str, list[Table]] = defaultdict(list)
    for place, pair in enumerate(pairs):
        if pair.state is PairState.COMPARED and pair.replica is not None:
            places[fold(pair.replica.name)].append(place)
    for table in replica.tables:
        if table.triggers or table.kind is TableKind.VIEW:
            beyond[fold(table.name)].append(table)
    for event in events:
        unread = event.unread
        for home, name in dict.fromkeys((home or event.database, fold(name)) for home, name in event.writes):
            reached = [at for at in places.get(name, ()) if _within(home, pairs[at].replica, fold)]
            further = [table for table in beyond.get(name, ()) if _within(home, table, fold)]
            for place in reached:
                pair = pairs[place]
                own = OwnEvent(replace(event, unread=""), pair.database, pair.table, report.link.replica)
                both = sorted((*_of_event(own), *pair.findings), key=lambda one: -one.effect.rank)
                pairs[place] = replace(pair, findings=tuple(both))
            if further and not reached:
                why = "a view" if further[0].kind is TableKind.VIEW else "a table with triggers"
                unread = unread or f"it changes {further[0].name}, {why}"
        own = OwnEvent(replace(event, unread=unread), event.database, event.name, report.link.replica)
        if unread and (found := _of_event(own)):
            pairs.append(PairReport(event.database, event.name, PairState.COMPARED, found))
    return replace(report, pairs=tuple(pairs))


def _within(home: str | None, table: Table | None, fold: Callable[[str], str]) -> bool:
    """Whether a table may be in this database; None: not known."""
    return table is not None and (
        home is None or table.database is None or fold(table.database) == fold(home)
    )


def _of_event(own: OwnEvent) -> tuple[Finding, ...]:
    return tuple(one for rule in rules_about(About.EVENT) for one in rule.findings(own))
