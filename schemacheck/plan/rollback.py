"""What takes a step back: the statements that undo a change, and what they cannot bring back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from schemacheck.dataclass import replace
from schemacheck.model import Column, Key, Link, Server, Table, TableKind
from schemacheck.model.definition_sql import table_name
from schemacheck.model.quote import quoted, string
from schemacheck.plan.decide import differs
from schemacheck.plan.difference import view_steps
from schemacheck.plan.fits import looks, renaming
from schemacheck.plan.model import REPLICA, SOURCE, Action, Back, Look, StatementPlan, TablePlan
from schemacheck.plan.passage import not_found
from schemacheck.replay import alter
from schemacheck.replay.partition import MOVES
from schemacheck.sql.ddl.opposite import opposite
from schemacheck.sql.words import first_words

#: Verbs of statements that change or remove rows that are there.
_OVERWRITES = (["UPDATE"], ["DELETE"], ["REPLACE"], ["LOAD"], ["WITH"])


def replicated(statement: StatementPlan, link: Link) -> Back:
    """As `undo`, for a statement that is run on the source and replicated, and so is what takes it back. None
    is offered that would not give the replica its own definition back.
    """
    back = undo((statement,), link.source, SOURCE)
    for table in statement.tables if back.sql else ():
        if not _comes_back(table, link.replica, back.sql):
            own = undo((statement,), link.replica, REPLICA).sql
            why = (
                f"{table.name} has another definition on the replica: the statement that takes the change "
                "back on the source does not restore it. Take it back on each server by itself, unlogged, in "
                f"the order of a plan of that change. Source: {_line(back.sql)}. Replica: "
                f"{_line(own) or 'by hand'}."
            )
            return Back((), why)
    return back


def _line(statements: Sequence[str]) -> str:
    """Statements in one line: the parts of an ALTER stand on lines of their own, a string on none."""
    return "; ".join(statements).replace("\n  ", " ")


def _comes_back(table: TablePlan, replica: Server, back: Sequence[str]) -> bool:
    """Whether these statements make of the replica's own definition what it was."""
    before, now = table.at(REPLICA)
    if (before, now) == (table.old, table.new):
        return True
    if before is None or now is None or table.action is not Action.ALTER:
        return (before is None, now is None) == (table.old is None, table.new is None)
    made: Table | None = now
    for sql in back:
        made = made and alter.run(sql, made, replica)
    return made is not None and not differs(before, made)


def alone(
    statements: tuple[StatementPlan, ...], server: Server, side: str, below: Server | None = None
) -> Back:
    """As `undo`, where each server was changed by itself: none where the ends would not hold the same after
    it. `below` is the server that applies its rows meanwhile, None where there is none.
    """
    for statement in statements:
        for table in statement.tables:
            old, new = table.at(side)
            if table.action is not Action.ALTER or old is None or new is None:
                continue
            if table.renames:
                why = f"{table.name}: rename the columns back by hand, under the order of this change"
                return Back((), why)
            gone = [c.name for c in _dropped(old, new)]
            if gone:
                why = (
                    f"no way back server by server: the values of {', '.join(gone)} are gone where it was "
                    f"dropped, and written elsewhere. While some server still has them copy {table.name} "
                    "from there; after that bring it back, empty, by a replicated ADD COLUMN"
                )
                return Back((), why)
            missed = not_found(new, old, below) if below else ()
            if missed:
                why = (
                    f"no way back server by server: {missed[0].text}. Go on, and take it back by a "
                    "replicated statement"
                )
                return Back((), why)
    return undo(statements, server, side)


def _dropped(old: Table, new: Table) -> list[Column]:
    """Columns that go with their values, or become generated."""
    staying = {c.name.casefold() for c in new.columns if c.generated is None}
    return [c for c in old.columns if c.generated is None and c.name.casefold() not in staying]


def undo(statements: tuple[StatementPlan, ...], server: Server, side: str) -> Back:
    """The statements that take these back on one side, the last first."""
    out: list[str] = []
    notes: dict[str, None] = {}
    looks: dict[Look, None] = {}
    for statement in reversed(statements):
        if taken := opposite(statement.sql, server, statement.database, swaps=statement.swaps):
            out.append(taken)
            notes |= {"rows stay in the table that they were written to": None} if statement.swaps else {}
            continue
        if statement.swaps:
            return Back((), "rename the tables back by hand")
        if statement.writes or not statement.tables:
            why = "it defines no table"
            if first_words(statement.sql, 1) in (["CREATE"], ["ALTER"]):
                why = "keep what SHOW CREATE shows before it runs"
            elif first_words(statement.sql, 1)[:1] in _OVERWRITES:
                why = "rows that it changes come back from a backup alone"
            elif first_words(statement.sql, 1) == ["INSERT"]:
                why = "rows that it adds stay"
            notes.setdefault(f"statement {statement.number} is not taken back: {why}")
            continue
        gone = [t.name for t in statement.tables if _is_table(t.at(side)[0]) and t.at(side)[1] is None]
        if gone and not any(t.action is Action.RENAME for t in statement.tables):
            why = f"nothing brings back the rows of {', '.join(gone)}: restore them from a backup"
            return Back((), why)
        for table in reversed(statement.tables):
            back = _back(table, server, side)
            if not back.sql:
                return back
            out += back.sql
            looks |= dict.fromkeys(back.before)
            if back.note:
                notes.setdefault(back.note)
    return Back(tuple(out), "; ".join(notes), tuple(looks))


def _is_table(table: Table | None) -> bool:
    return table is not None and table.kind is TableKind.TABLE


def _back(plan: TablePlan, server: Server, side: str) -> Back:
    old, new = plan.at(side)
    unwritten = Back(
        (), f"no statement could be written that makes {plan.name} what it was: write it by hand"
    )
    # Rows of a live server tell no comments.
    given, last = old is None or old.text is not None, ""
    old = old if given or old is None else replace(old, text="")
    if plan.action is Action.RENAME and old is not None and new is not None:
        before = old.named(new.database, new.name)
        sql = _altered(new, before, server)
        rename = f"RENAME TABLE {table_name(new)} TO {table_name(old)}"
        return unwritten if sql is None else Back((*sql, rename), "", tuple(looks(new, before, server)))
    if (plan.action is Action.DATA and MOVES not in plan.notes) or (old is None and new is None):
        why = f"nothing takes it back: rows of {plan.name} went with it, restore them from a backup"
        return Back((), why)
    if old is None and new is not None:
        note = f"rows written to {plan.name} since go with it" if _is_table(new) else ""
        return Back((alter.drop(new),), note)
    if old is not None and old.kind is TableKind.VIEW and (steps := view_steps(old)):
        return Back((*([f"USE {quoted(old.database)}"] if old.database else []), steps[0].sql))
    if new is None or old is None:
        return unwritten
    if plan.renames:  # back to the old definitions under the new names first: that is how rows are looked at
        pairs = [(old.column(here), new.column(there)) for here, there in plan.renames]
        names = {here.name: there.name for here, there in pairs if here and there}
        named = alter.run(renaming(old, names, server), old, server)
        last = renaming(named, {there: here for here, there in names.items()}, server) if named else ""
        made = alter.run(last, named, server) if named else None
        if named is None or made is None or differs(old, made):
            return unwritten
        old = named
    sql = _altered(new, old, server)
    if sql is None:
        return unwritten
    lost = [c.name for c in _dropped(old, new)]
    gone = [c.name for c in _dropped(new, old)]
    sentences = [f"the values of {', '.join(lost)} do not come back"] if lost else []
    sentences += [f"values written to {', '.join(gone)} since go with it"] if gone else []
    if not given and any(word in text for text in sql for word in ("MODIFY COLUMN", "ADD ")):
        sentences.append("add the COMMENTs that SHOW CREATE TABLE showed before")
    return Back(
        (*sql, *filter(None, (last,))),
        "; ".join(sentences),
        (*looks(new, old, server), *_made_room(new, old)),
    )


def _made_room(now: Table, before: Table) -> Iterator[Look]:
    """Keys that may be gone: InnoDB drops one that it made for a foreign key when another begins with its
    columns, says so nowhere, and does not drop the other then (1553; asked of 9.7 and 10.11).
    """

    def columns(key: Key) -> list[str]:
        return [(part.column or "").casefold() for part in key.parts]

    wanted = [[name.casefold() for name in foreign.columns] for foreign in before.foreign_keys]
    there = {key.name for key in before.keys}
    fresh = [columns(key) for key in now.keys if key.name not in there]
    for key in now.keys:
        own = columns(key)
        if (
            key.unique
            or key.name not in there
            or own not in wanted
            or all(f[: len(own)] != own for f in fresh)
        ):
            continue
        names = ", ".join(quoted(part.column or "") for part in key.parts)
        where = f"({string(now.database or '')}, {string(now.name)}, {string(key.name)})"
        yield Look(
            "SELECT COUNT(DISTINCT INDEX_NAME) FROM information_schema.STATISTICS "  # noqa: S608 for a person
            f"WHERE (TABLE_SCHEMA, TABLE_NAME, INDEX_NAME) = {where}",
            "1; where the server took the key away with the change, first "
            f"ALTER TABLE {table_name(now)} ADD INDEX {quoted(key.name)} ({names})",
        )


def _altered(now: Table, before: Table, server: Server) -> tuple[str, ...] | None:
    steps = alter.alter_steps(now, before, server, ordered=True)
    return None if steps is None else tuple(sql for step in steps for sql in (*step.session, step.sql))
