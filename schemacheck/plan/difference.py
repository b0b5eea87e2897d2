"""The step from one schema to another as statements: which tables, in which order, and their SQL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from schemacheck import catalog
from schemacheck.catalog.asked import aside
from schemacheck.dataclass import dataclass, replace
from schemacheck.model import InputProblem, Link, Schema, Server, Table, TableKind, with_incoming
from schemacheck.model.quote import quoted
from schemacheck.plan.change import Statement, Touched
from schemacheck.plan.decide import End, differs
from schemacheck.plan.model import Action
from schemacheck.replay import alter
from schemacheck.replay.alter import Phase, Step

Name = tuple[str | None, str]
Tables = dict[Name, Table]
#: What a table was and what it becomes.
Pairs = Mapping[Name, tuple[Table | None, Table | None]]

_CHECKS_OFF, _CHECKS_ON = "SET SESSION foreign_key_checks = 0", "SET SESSION foreign_key_checks = 1"


def one_database(old: Sequence[Table], new: Sequence[Table]) -> tuple[Sequence[Table], Sequence[Table]]:
    """Both sides under one database's name where one of them names none and the other just one."""
    names = [{t.database for t in side} for side in (old, new)]
    seen = names[0] | names[1]
    if len(seen) == 2 and None in seen and {None} in names:
        (name,) = seen - {None}
        return [replace(t, database=name) for t in old], [replace(t, database=name) for t in new]
    return old, new


def named(tables: Sequence[Table]) -> Tables:
    """Tables by name, each with the foreign keys that refer to it."""
    return {(t.database, t.name): t for t in with_incoming(tuple(tables))}


def respelled(before: Tables, after: Tables, server: Server) -> tuple[Tables, Tables, list[InputProblem]]:
    """Both sides, where names differ in case alone: with today's spelling where the server takes them for
    one; elsewhere without these tables, and a problem. A plan that drops the one and makes the other would
    lose the rows of what is perhaps one table.
    """
    today = {(name[0], name[1].casefold()): name for name in before if name not in after}
    pairs = {n: old for n in after if n not in before and (old := today.get((n[0], n[1].casefold())))}
    if server.folds_names or not pairs:
        return before, {o: t.named(*o) for n, t in after.items() for o in (pairs.get(n, n),)}, []
    renames = ", ".join(f"{quoted(old[1])} TO {quoted(new[1])}" for new, old in pairs.items())
    why = f"names differ in case alone: for the same tables run this first: RENAME TABLE {renames}"
    gone = {*pairs, *pairs.values()}
    left, right = ({n: t for n, t in side.items() if n not in gone} for side in (before, after))
    return left, right, [InputProblem("SC002", why, next(after[n].location for n in pairs))]


def _parents_first(names: Sequence[Name], tables: Tables) -> tuple[list[Name], bool]:
    """These tables so that each comes behind those that its foreign keys name, and whether some are in a
    circle; those keep their order.
    """
    wanted = set(names)
    out: dict[Name, None] = {}
    circle = False
    for name in names:
        waiting, path = [name], set()
        while waiting:
            table_name = waiting[-1]
            path.add(table_name)
            parents = [
                (k.ref_database or table_name[0], k.ref_table) for k in tables[table_name].foreign_keys
            ]
            open_ = [p for p in parents if p in wanted and p not in out and p != table_name]
            circle = circle or any(p in path for p in open_)
            open_ = [p for p in open_ if p not in path]
            if open_:
                waiting.append(open_[0])
            else:
                out.setdefault(waiting.pop())
    return list(out), circle


@dataclass(frozen=True, slots=True)
class Written:
    """The statements of a whole change in the order in which they run, and what is not among them."""

    statements: tuple[Statement, ...]
    problems: tuple[InputProblem, ...]


def written(pairs: Pairs, link: Link) -> Written:
    """A change between definitions as statements.

    Foreign keys that change, or that bind a column that changes, go before everything and come behind it;
    then tables change, new ones come (parents first), old ones go (children first), views last. Where foreign
    keys go in a circle the checks are off meanwhile.
    """
    server = link.source
    problems: list[InputProblem] = []
    result: dict[Name, tuple[Step, ...]] = {}
    for name, (old, new) in pairs.items():
        steps = _steps(name, pairs, server)
        if steps is None:
            problems.append(incomplete(old, new))
        else:
            result[name] = steps
        problems += _triggers(old, new)
    changed = [n for n, (old, new) in pairs.items() if old and new and n in result]
    out: list[Statement] = []
    gone = [n for n, (_, new) in pairs.items() if new is None]
    views = [n for n in gone if _kind(n, pairs) is not TableKind.TABLE]
    tables = [n for n in gone if n not in views]
    out += _dropped(views, pairs)
    out += _in_phase(Phase.FREE, changed, result)
    out += _in_phase(Phase.CHANGE, changed, result)
    out += _created([n for n, (old, _) in pairs.items() if old is None and n in result], result, pairs)
    out += _in_phase(Phase.BIND, changed, result)
    out += _dropped(tables, pairs)
    return Written(tuple(out), tuple(problems))


def _kind(name: Name, pairs: Pairs) -> TableKind:
    """What stands under a name before the change, or after it."""
    named = pairs[name][0] or pairs[name][1]
    return named.kind if named is not None else TableKind.TABLE


def _steps(name: Name, pairs: Pairs, server: Server) -> tuple[Step, ...] | None:
    """The statements of one table; None where they cannot be written. A table that goes needs none here."""
    old, new = pairs[name]
    if new is None:
        return ()
    if old is None:
        return alter.create_steps(new, server)
    if old.kind is not new.kind:
        return None
    if new.kind is TableKind.VIEW:
        return view_steps(new)
    return alter.alter_steps(old, new, server, frozenset(_again(name, pairs)))


def view_steps(new: Table) -> tuple[Step, ...] | None:
    """CREATE OR REPLACE VIEW, of the text that makes it."""
    words = (new.text or "").split(None, 3)
    if [w.upper() for w in words[:1]] != ["CREATE"]:
        return None
    text = (new.text or "").strip().rstrip(";")
    replaced = [w.upper() for w in words[1:3]] == ["OR", "REPLACE"]
    return (Step(text if replaced else "CREATE OR REPLACE" + text[len("CREATE") :], new, new),)


def _again(name: Name, pairs: Pairs) -> Iterator[str]:
    """Foreign keys that stay but bind a column, here or in the table that they refer to, whose definition
    changes: servers refuse to change it under them (1832, 1833).
    """
    old, new = pairs[name]
    for foreign in old.foreign_keys if old and new else ():
        parent = pairs.get((foreign.ref_database or name[0], foreign.ref_table), (None, None))
        if _rebound(old, new, foreign.columns) or _rebound(*parent, foreign.ref_columns):
            yield foreign.name


def bound(before: Tables, after: Tables, pairs: Pairs) -> Iterator[Name]:
    """Tables that stay as they are while a foreign key of theirs binds what changes in another table: it must
    go meanwhile and come back.
    """
    changing = {name for name, (old, new) in pairs.items() if old and new}
    for name, old in before.items():
        if name in pairs or name not in after:
            continue
        if any((key.ref_database or name[0], key.ref_table) in changing for key in old.foreign_keys) and any(
            _again(name, {**pairs, name: (old, after[name])})
        ):
            yield name


def script(statements: Sequence[Statement]) -> str:
    """Statements as one text, each under its default database and settings."""
    lines: list[str] = []
    for statement in statements:
        database = statement.database or (statement.touched[0].name[0] if statement.touched else None)
        lines += [f"USE {quoted(database)}"] if database else []
        lines += [*statement.session, *(statement.parts or (statement.sql,))]
    return ";\n".join(lines)


def refused(statements: Sequence[Statement], old: Tables, server: Server) -> tuple[InputProblem, ...]:
    """What the server does not take of these statements when they run one after the other, from `old` on: a
    foreign key that does not fit what its parent has become is seen only so.
    """
    with aside():
        schema = catalog.read(script(statements), server, base=Schema(tuple(old.values())))
    return tuple(
        InputProblem("SC002", f"a statement written for this change: {p.message}", None, p.database, p.table)
        for p in schema.problems
        if not p.skipped
    )


def _rebound(old: Table | None, new: Table | None, columns: Iterable[str]) -> bool:
    if old is None or new is None:
        return False
    return any(
        (here := old.column(c)) is not None
        and (there := new.column(c)) is not None
        and (here.type, here.nullable) != (there.type, there.nullable)
        for c in columns
    )


def _in_phase(
    phase: Phase, names: Sequence[Name], result: Mapping[Name, tuple[Step, ...]]
) -> Iterator[Statement]:
    for name in names:
        for step in result[name]:
            if step.phase is phase:
                yield _statement(name, step)


def _statement(name: Name, step: Step) -> Statement:
    old, new = step.before, step.after
    seen = differs(old, new)
    note = step.note
    action = Action.DATA if note else None
    touched = (Touched(name, (End(old, new), End(old, new)), action, note),) if seen else ()
    return Statement(
        step.sql,
        new.location,
        touched,
        generated=True,
        database=name[0] if old is None else None,
        session=step.session,
        writes=new.kind is not TableKind.TABLE,
    )


def _created(
    names: Sequence[Name], result: Mapping[Name, tuple[Step, ...]], pairs: Pairs
) -> Iterator[Statement]:
    """New tables, each with all its statements; views behind them."""
    after = {n: new for n in names if (new := pairs[n][1]) is not None}
    tables = [n for n in names if after[n].kind is not TableKind.VIEW]
    order, circle = _parents_first(tables, after)
    for name in (*order, *(n for n in names if n not in order)):
        first = result[name][0]
        parts = [sql for step in result[name] for sql in (*step.session, step.sql)]
        kind = after[name].kind
        parts = [_CHECKS_OFF, *parts, _CHECKS_ON] if circle and after[name].foreign_keys else parts
        statement = _statement(name, replace(first, after=after[name], session=()))
        yield replace(statement, sql=";\n".join(parts), parts=tuple(parts), writes=kind is TableKind.VIEW)


def _dropped(names: Sequence[Name], pairs: Pairs) -> list[Statement]:
    before = {n: old for n in names if (old := pairs[n][0]) is not None}
    order, circle = _parents_first(names, before)
    out = []
    for name in reversed(order):
        old = before[name]
        sql = alter.drop(old)
        parts = (_CHECKS_OFF, sql, _CHECKS_ON) if circle and (old.foreign_keys or old.incoming) else ()
        touched = (Touched(name, (End(old, None), End(old, None))),)
        out.append(
            Statement(
                ";\n".join(parts or (sql,)), old.location, touched, generated=True, parts=parts,
                writes=old.kind is TableKind.VIEW,
            )
        )  # fmt: skip
    return out


def _triggers(old: Table | None, new: Table | None) -> list[InputProblem]:
    """Triggers that the new definitions have otherwise: they are not written here, for their account is not
    known.
    """
    if new is None or not new.triggers or (old is not None and set(old.triggers) == set(new.triggers)):
        return []
    why = "its triggers change: add their CREATE and DROP TRIGGER to the change by hand (as a migration)"
    return [InputProblem("SC002", why, new.location, new.database, new.name)]


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
