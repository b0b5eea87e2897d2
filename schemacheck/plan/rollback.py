"""What takes a step back: the statements that undo a change, and what they cannot bring back."""

from __future__ import annotations

from schemacheck.model import Server, Table, TableKind
from schemacheck.model.definition_sql import table_name
from schemacheck.plan import alter
from schemacheck.plan.fits import looks
from schemacheck.plan.model import Action, StatementPlan, TablePlan


def undo(statements: tuple[StatementPlan, ...], server: Server) -> tuple[tuple[str, ...], str]:
    """(the statements that take these back, the last first; what they leave as it is). Empty with the
    reason where there is none.
    """
    out: list[str] = []
    notes: dict[str, None] = {}
    for one in reversed(statements):
        if one.writes or not one.tables:
            why = "it defines no table" if one.writes else "replication sees nothing of it"
            notes.setdefault(f"statement {one.number} is not taken back: {why}")
            continue
        for table in reversed(one.tables):
            sql, note = _back(table, server)
            if sql is None:
                return (), note
            out += sql
            if note:
                notes.setdefault(note)
    return tuple(out), "; ".join(notes)


def _back(plan: TablePlan, server: Server) -> tuple[tuple[str, ...] | None, str]:
    old, new = plan.old, plan.new
    if plan.action is Action.RENAME and old is not None and new is not None:
        return (f"RENAME TABLE {table_name(new)} TO {table_name(old)}",), ""
    if plan.action is Action.DATA or (old is None and new is None):
        return None, f"nothing takes it back: rows of {plan.name} went with it, restore them from a backup"
    if old is None and new is not None:
        kind = "VIEW" if new.kind is TableKind.VIEW else "TABLE"
        return (f"DROP {kind} {table_name(new)}",), f"rows written to {plan.name} since go with it"
    if new is None or old is None:
        return None, f"nothing brings back the rows of {plan.name}: restore them from a backup"
    if plan.renames:
        return None, f"{plan.name}: rename the columns back by hand, under the order of this change"
    sql = _altered(new, old, server)
    if sql is None:
        return None, f"no statement could be written that makes {plan.name} what it was: write it by hand"
    lost = [c.name for c in old.columns if new.column(c.name) is None and c.generated is None]
    gone = [c.name for c in new.columns if old.column(c.name) is None and c.generated is None]
    said = [f"the values of {', '.join(lost)} do not come back"] if lost else []
    said += [f"values written to {', '.join(gone)} since go with it"] if gone else []
    said += [
        f"first {look.sql} must show {look.expect}, or the server refuses it" for look in looks(new, old)
    ]
    return sql, "; ".join(said)


def _altered(now: Table, before: Table, server: Server) -> tuple[str, ...] | None:
    found = alter.alter_steps(now, before, server)
    return None if found is None else tuple(sql for step in found for sql in (*step.session, step.sql))
