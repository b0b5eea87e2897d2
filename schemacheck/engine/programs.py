"""Stored programs beside the tables: the replica's events, and functions that logged statements call."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator

from schemacheck.alignment.terms import terms
from schemacheck.dataclass import replace
from schemacheck.link.dialect import plain, unlisted_function
from schemacheck.model import Finding, Link, PairReport, PairState, Report, Schema, Table, TableKind
from schemacheck.model.names import folded
from schemacheck.model.program import INVOKER, Routine
from schemacheck.model.quantity import plural
from schemacheck.model.replicated import CalledFunction, OwnEvent
from schemacheck.rules import About, rules_about
from schemacheck.sql.routine import tables_named

#: A name before a bracket as SHOW CREATE prints it, and one that is a table's.
_NAMED = re.compile(r"(?:`\w+`\.)?`(\w+)`(?=\s*\()")
_CALLED = re.compile(r"\bCALL\s+(?:`?\w+`?\s*\.\s*)?`?(\w+)", re.IGNORECASE)
_INTO = re.compile(r"\b(?:INTO|TABLE)\s+[`\w.]+(?=\s*\()", re.IGNORECASE)


def with_programs(report: Report, source: Schema, replica: Schema) -> Report:
    """The report with what the replica's events change, and with functions that it has not as the source."""
    return with_functions(with_events(report, replica), source, replica)


def with_functions(report: Report, source: Schema, replica: Schema) -> Report:
    """An entry for each routine that a logged statement may run otherwise on the replica, and for a trigger
    or a view that calls one of which no input has the definition. Clients' calls of a procedure are logged
    as the statements in it: procedures matter where a trigger or a function calls them.
    """
    if not terms(report.link).logs_statements:
        return report
    report = replace(report, assumptions=(*report.assumptions, *_accounts(replica)))
    ours, theirs = _routines(source), _routines(replica)
    callers = list(_callers(source))
    procedures = _called(source, [text for _, _, text in callers])
    called = [
        CalledFunction(routine, theirs.get(key), report.link)
        for key, routine in ours.items()
        if routine.kind == "function" or key[2] in procedures
    ]
    tables = frozenset(table.name.casefold() for table in (*source.tables, *replica.tables))
    names = {
        kind: frozenset(name for each, _, name in ours if each == kind) for kind in ("function", "procedure")
    }
    for table, caller, text in callers:
        calls = {name: "procedure" for name in _calls(text) if name not in names["procedure"]}
        unnamed = _INTO.sub(" ", _CALLED.sub(" ", _NAMED.sub(r"\1", text)))
        if missing := unlisted_function(unnamed, tables, names["function"]):
            calls[missing.lower()] = "function"
        for name, kind in calls.items():
            routine = Routine(kind, name, table.database, location=table.location)
            called.append(CalledFunction(routine, None, report.link, f"the {caller}"))
    if hidden := _hidden(report):
        what = f"logged statements read nothing of what filters keep out ({plural(len(hidden), 'table')})"
        report = replace(report, assumptions=(*report.assumptions, what))
        called += _leaning(report.link, source, hidden, procedures)
    pair_reports = [
        PairReport(
            called_function.function.database, called_function.function.name, PairState.COMPARED, findings
        )
        for called_function in called
        if (
            findings := tuple(
                f for rule in rules_about(About.FUNCTION) for f in rule.findings(called_function)
            )
        )
    ]
    return replace(report, pairs=(*report.pairs, *pair_reports)) if pair_reports else report


def _leaning(
    link: Link, source: Schema, hidden: dict[tuple[str, str], tuple[str, str]], procedures: set[str]
) -> Iterator[CalledFunction]:
    """Triggers of replicated tables, functions and called procedures that name a table that is kept out."""
    programs = [r for r in source.routines if r.kind == "function" or r.name.casefold() in procedures]
    programs += [
        Routine("trigger", trigger.name, table.database, trigger.body, trigger.location)
        for table in source.tables
        for trigger in table.triggers
        if _place(table.database, table.name) not in hidden
    ]
    for program in programs:
        words = tables_named(plain(program.body.replace("`", " ")))
        named = dict.fromkeys(_place(home or program.database, name) for home, name in words)
        yield from (
            CalledFunction(program, None, link, hidden=hidden[each]) for each in named if each in hidden
        )


def _place(database: str | None, table: str) -> tuple[str, str]:
    return (database or "").casefold(), table.casefold()


def _hidden(report: Report) -> dict[tuple[str, str], tuple[str, str]]:
    """The tables that filters keep out: as they are called, and why."""
    return {
        _place(pair.source.database, pair.source.name): (pair.source.name, pair.reason)
        for pair in report.pairs
        if pair.state is PairState.NOT_REPLICATED and pair.source and pair.source.kind is not TableKind.VIEW
    }


def _accounts(replica: Schema) -> tuple[str, ...]:
    """The accounts with whose rights a logged statement runs its programs, in one sentence: no input lists
    accounts (asked of four servers: 1449 under STATEMENT and MIXED).
    """
    made = [table.made for table in replica.tables] + [routine.made for routine in replica.routines]
    made += [trigger.made for table in replica.tables for trigger in table.triggers]
    names = sorted({each.definer for each in made} - {"", INVOKER})
    what = "the replica has the definers of triggers, functions and views (else 1449): "
    return (what + ", ".join(names),) if names else ()


def _routines(schema: Schema) -> dict[tuple[str, str | None, str], Routine]:
    """Its stored routines by kind, database and name; their names have no case."""
    return {(routine.kind, routine.database, routine.name.casefold()): routine for routine in schema.routines}


def _calls(text: str) -> list[str]:
    return [name.casefold() for name in _CALLED.findall(plain(text.replace("`", "")))]


def _called(schema: Schema, texts: list[str]) -> set[str]:
    """The names of all procedures that these bodies, functions and procedures among them call."""
    result: set[str] = set()
    more = [*texts, *(routine.body for routine in schema.routines if routine.kind == "function")]
    while names := {name for text in more for name in _calls(text)} - result:
        result |= names
        more = [routine.body for routine in schema.routines if routine.name.casefold() in names]
    return result


def _callers(schema: Schema) -> Iterator[tuple[Table, str, str]]:
    """Triggers and views: the table, what they are called, and what they run."""
    for table in schema.tables:
        yield from ((table, f"trigger {trigger.name}", trigger.body) for trigger in table.triggers)
        if table.kind is TableKind.VIEW and table.query:
            yield table, f"view {table.name}", table.query


def with_events(report: Report, replica: Schema) -> Report:
    """The report with what the replica's enabled events do to replicated tables; one whose body is not known,
    or which changes a view or a table with triggers that is in no pair, gets an entry.
    """
    events = [event for event in replica.events if event.enabled]
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
                both = sorted((*_of_event(own), *pair.findings), key=lambda finding: -finding.effect.rank)
                pairs[place] = replace(pair, findings=tuple(both))
            if further and not reached:
                why = "a view" if further[0].kind is TableKind.VIEW else "a table with triggers"
                unread = unread or f"it changes {further[0].name}, {why}"
        own = OwnEvent(replace(event, unread=unread), event.database, event.name, report.link.replica)
        if unread and (findings := _of_event(own)):
            pairs.append(PairReport(event.database, event.name, PairState.COMPARED, findings))
    return replace(report, pairs=tuple(pairs))


def _within(home: str | None, table: Table | None, fold: Callable[[str], str]) -> bool:
    return table is not None and (
        home is None or table.database is None or fold(table.database) == fold(home)
    )


def _of_event(own: OwnEvent) -> tuple[Finding, ...]:
    return tuple(finding for rule in rules_about(About.EVENT) for finding in rule.findings(own))
