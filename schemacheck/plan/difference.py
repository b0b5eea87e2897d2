"""The step from one schema to another as statements: which tables, in which order, and their SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from schemacheck.model import InputProblem, Link, Table, with_incoming
from schemacheck.plan import alter
from schemacheck.plan.change import Statement, Touched
from schemacheck.plan.decide import End
from schemacheck.plan.model import Ghost

Name = tuple[str | None, str]
Tables = dict[Name, Table]


def one_database(old: Sequence[Table], new: Sequence[Table]) -> tuple[Sequence[Table], Sequence[Table]]:
    """Both sides under one database's name where one of them names none and the other just one."""
    names = [{t.database for t in side} for side in (old, new)]
    known = names[0] | names[1]
    if len(known) == 2 and None in known and {None} in names:
        (name,) = known - {None}
        return [replace(t, database=name) for t in old], [replace(t, database=name) for t in new]
    return old, new


def named(tables: Sequence[Table]) -> Tables:
    """Tables by name, each with the foreign keys that refer to it."""
    return {(t.database, t.name): t for t in with_incoming(tuple(tables))}


def ordered(before: Tables, after: Tables) -> list[Name]:
    """New tables first, a foreign key's parent before its child; then changed ones; then those that go,
    children before their parents.
    """
    come = _parents_first([n for n in after if n not in before], after)
    gone = _parents_first([n for n in before if n not in after], before)
    return [*come, *(n for n in before if n in after), *reversed(gone)]


def _parents_first(names: Sequence[Name], tables: Tables) -> list[Name]:
    """These tables so that each comes behind those that its foreign keys name. Tables in a circle keep their
    order.
    """
    wanted = set(names)
    out: dict[Name, None] = {}
    for name in names:
        waiting, path = [name], set()
        while waiting:
            one = waiting[-1]
            path.add(one)
            parents = [(k.ref_database or one[0], k.ref_table) for k in tables[one].foreign_keys]
            open_ = [p for p in parents if p in wanted and p not in out and p not in path]
            if open_:
                waiting.append(open_[0])
            else:
                out.setdefault(waiting.pop())
    return list(out)


def copies(marks: Sequence[Ghost], before: Tables, after: Tables) -> Tables:
    """Table -> what it becomes when a running schema change cuts over to its copy."""
    out: Tables = {}
    for mark in marks:
        copy = after.get((mark.database, mark.name)) or before.get((mark.database, mark.name))
        if mark.role == "copy" and copy is not None:
            out[mark.database, mark.table] = replace(copy, name=mark.table)
    return out


def written(
    name: Name, old: Table | None, new: Table | None, links: tuple[Link, ...]
) -> tuple[Statement, ...] | None:
    """A change between two definitions as statements; None where no statement could be written for it."""
    server = links[0].source
    if old is None and new is not None:
        sql = alter.create_statements(new, server)
    elif new is None and old is not None:
        sql = (alter.drop_table(old),)
    elif old is not None and new is not None and old.kind is new.kind:
        sql = alter.alter_statements(old, new, server)
    else:
        sql = None
    if not sql:
        return None
    named = new or old
    # Of several statements of one table the whole step is planned with the first.
    touched = Touched(name, (End(old, new),) * (len(links) + 1))
    first = Statement(
        ";\n".join(sql),
        named.location if named else None,
        (touched,),
        generated=True,
        database=name[0] if old is None else None,
    )
    return (first,)


def incomplete(old: Table | None, new: Table | None) -> InputProblem:
    """What is said of a change for which no statement could be written: the plan is not complete
    without it.
    """
    named = new or old
    kinds = {t.kind.value for t in (old, new) if t is not None}
    why = (
        (
            f"becomes a {new.kind.value} where there was a {old.kind.value}: one name cannot be both, "
            "and row events apply to base tables only (1347)"
        )
        if len(kinds) > 1 and old is not None and new is not None
        else (
            "no statement could be written that gives the new definition: add it to the change by "
            "hand (as a migration) and plan again"
        )
    )
    database, table = (named.database, named.name) if named else (None, None)
    return InputProblem("SC002", why, named.location if named else None, database, table)
