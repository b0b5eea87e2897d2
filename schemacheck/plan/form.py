"""What a file of SQL is beside the definitions of today: a migration, or the schema to reach."""

from __future__ import annotations

import enum
from collections.abc import Sequence

from schemacheck.catalog.asked import aside
from schemacheck.catalog.steps import Step, steps
from schemacheck.model import Schema, Server, TableKind
from schemacheck.model.history import Part
from schemacheck.plan.statement_reader import REPLACED, read
from schemacheck.sql.statements import parse


class Form(enum.Enum):
    """What a file is."""

    MIGRATION = "migration"
    SCHEMA = "schema"
    DOUBT = "doubt"


def form(
    text: str, old: Schema, server: Server, *, parts: Sequence[Part] | None = None,
    database: str | None = None, dumped: bool = False,
) -> tuple[Form, int]:  # fmt: skip
    """(what it is, how many of the tables of today it makes).

    A migration alters or drops what the file does not create, creates nothing that is there today, or
    changes rows that are. All else is a schema: a dump (`dumped`: its comments say so), with or without rows
    of its own. One that lacks half of today's tables or more is in doubt: as a schema it drops those, as
    statements to run it may make tables with rows anew.
    """
    with aside():
        run = list(steps(text, server, database=database, parts=parts))
    made = {name[1].casefold() for name in run[-1].after}
    today = {table.name.casefold(): table for table in old.tables}
    # Views alone are no schema where there are tables.
    rows = {name for name, table in today.items() if table.kind is TableKind.TABLE} or {*today}
    there = len(made & today.keys())
    alone = not any(not p.skipped and p.code == "SC002" for step in run for p in step.problems)
    if not made & rows or not (alone or dumped) or any(_changes_rows(step, server) for step in run):
        return Form.MIGRATION, there
    return (Form.SCHEMA if 2 * there > len(today) else Form.DOUBT), there


def _changes_rows(step: Step, server: Server) -> bool:
    """Whether a statement changes or removes rows of a table that the file has not made before."""
    statement = read(step)
    if statement.verb in ("UPDATE", "DELETE", "MERGE"):
        own = {name[1].casefold() for name in step.before}
        return not {ref.name.casefold() for ref in parse(step.read_as, server).updated} <= own
    return bool(statement.rows) and statement.rows != REPLACED and statement.target not in step.before
