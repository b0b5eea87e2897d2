"""CHANGE REPLICATION FILTER, SET GLOBAL replicate_*, CHANGE MASTER ... DO_DOMAIN_IDS."""

from __future__ import annotations

from schemacheck.errors import InputError
from schemacheck.filters.read.options import (
    Collector,
    FilterInput,
    Given,
    canonical,
    filters_nothing,
    refuse_misspelt,
)
from schemacheck.model import Server
from schemacheck.sql.assignment import Assignment, Literal, Word
from schemacheck.sql.statements import ANY, Statement, parse_script
from schemacheck.sql.statements.value import ChangeFilterStatement, SetStatement


def parse(text: str, server: Server | None = None) -> FilterInput:
    """Run such statements in order; each replaces its options. Raises InputError, BadSetting (3067)."""
    collector = Collector(server, Given.STATEMENT)
    changed = variables = False
    for statement in parse_script(text, server or ANY):
        if isinstance(statement, ChangeFilterStatement):
            _change(statement, collector)
            changed = True
        elif isinstance(statement, SetStatement):
            for assignment in statement.assignments:
                variables |= _assign(assignment, statement, collector)
        elif statement.verb == "unknown":
            _refuse(statement)
    if not changed and not variables:
        raise InputError(
            "no CHANGE REPLICATION FILTER, SET GLOBAL replicate_* or CHANGE MASTER ... DOMAIN_IDS statement"
        )
    return FilterInput(collector.result(inherit=not variables))


def _refuse(statement: Statement) -> None:
    """Raise InputError for a statement that could set a filter and was not understood."""
    if statement.text.lstrip()[:6].upper().startswith(("CHANGE", "SET")):
        raise InputError(f"{statement.problems[0]}: {statement.text[:80]!r}")


def _change(statement: ChangeFilterStatement, collector: Collector) -> None:
    for name, values in statement.filters:
        option = canonical(name)
        if option is None:
            refuse_misspelt(name)
            raise InputError(f"{name} is no filter: {statement.text[:60]!r}")
        collector.clear(option, statement.channel)
        for value in values:
            collector.add(option, value, channel=statement.channel)


def _assign(assignment: Assignment, statement: Statement, collector: Collector) -> bool:
    """SET GLOBAL [connection.]replicate_do_db = 'a,b' of MariaDB; a bare word is a text, DEFAULT and NULL are
    empty (asked of 10.11 and 11.8). Raises InputError for other values, and for what looks like a filter.
    """
    name = assignment.name[-1].lower()
    if assignment.user or not name.startswith("replicate_") or filters_nothing(name):
        return False
    option = canonical(name)
    if option is None:
        refuse_misspelt(name)
    value = assignment.value.text if isinstance(assignment.value, Literal | Word) else None
    if option is None or len(assignment.name) > 2 or assignment.scope not in ("", "global") or value is None:
        raise InputError(
            "a filter's value or name is not understood; write SET GLOBAL replicate_... = 'a,b': "
            f"{statement.text[:80]!r}"
        )
    channel = assignment.name[0] if len(assignment.name) > 1 else ""
    collector.clear(option, channel)
    if isinstance(assignment.value, Word) and value.upper() in ("DEFAULT", "NULL"):
        return True
    for item in value.split(","):
        if item.strip():
            collector.add(option, item.strip(), channel=channel)
    return True
