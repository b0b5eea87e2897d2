"""What of the replica's definitions stands in the way of a stopped transaction, and the SQL against it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from schemacheck.binlog.events.rows import Image
from schemacheck.dataclass import replace
from schemacheck.diagnose import row
from schemacheck.diagnose.effect import statement_of
from schemacheck.diagnose.live import Live
from schemacheck.diagnose.names import named, parts
from schemacheck.model import Server, Table, TableKind
from schemacheck.model.definition_sql import created, modify, table_name
from schemacheck.model.quote import quoted
from schemacheck.replay import clauses, partition
from schemacheck.replay.alter import alter_table, run
from schemacheck.sql.ddl.actions import AlterTable, Drop
from schemacheck.sql.ddl.tables import DropIndex

_TICKED = "`((?:[^`]|``)+)`"
_FOREIGN = re.compile(
    rf"fails \({_TICKED}\.{_TICKED}, CONSTRAINT {_TICKED} (FOREIGN KEY \((.+?)\) REFERENCES "
    rf"(?:{_TICKED}\.)?{_TICKED} \((.+?)\)[^()]*)\)"
)
#: The name of a key, column or constraint that a statement makes, and the replica has.
_MADE = re.compile(r"Duplicate (key|column) name '(.+?)'(?!\w)")
#: Errors of definitions that other foreign keys, or other parents of them, lead to.
BINDING = frozenset(
    (1005, 1215, 1217, 1553, 1701, 1822, 1824, 1825, 1828, 1829, 1830, 1832, 1833, 1834, 3730, 3780)
)
_NO_PARTITION, _OTHER_KIND, _TWO_PRIMARY = 1526, 1347, 1068
_CHECKED, _NO_TABLE, _NOT_THERE = {3819, 4025}, {1017, 1146}, {1091, 1176}


def of_definitions(
    number: int, message: str, ours: Table | None, theirs: Table | None, *,
    sources: Sequence[Table], replicas: Sequence[Table], server: Server, live: Live,
) -> dict[str, str]:  # fmt: skip
    """Fields of `rules/stops.yaml`; `ours` and `theirs` are the ends of the error's table."""
    if number in BINDING:
        return _binding(message, sources, replicas, server, live)
    if number in _NO_TABLE and ours is None and (statement := statement_of(message, server)):
        for old, new in statement.renames:
            after = named(sources, f"{new[0] or ''}.{new[1]}")
            ours = after and replace(after, name=old[1])
    if number in _NO_TABLE and ours is not None and theirs is None:
        return _renamed(ours, sources, replicas)
    if theirs is None:
        return {}
    if number == _OTHER_KIND:
        return _of_another_kind(theirs, ours)
    if number in _NOT_THERE:
        return _not_there(message, theirs, server)
    made = (
        ("key", "PRIMARY") if number == _TWO_PRIMARY else (match := _MADE.search(message)) and match.groups()
    )
    if made:
        word, target = "made", _without(theirs, *made)
    elif ours is not None and number in _CHECKED:
        word, target = "checks", replace(theirs, checks=ours.checks)
    elif ours is not None and number == _NO_PARTITION:
        # Rows of information_schema have no text of the partitions.
        text = ours.text or live.definition(f"TABLE {table_name(ours)}")
        cut = run(text, None, server, database=ours.database, name=ours.name)
        return {"cut": f"{partition.change(theirs, cut)[0]};"} if cut else {}
    else:
        return {}
    if not (there := alter_table(theirs, target, server)):
        return {}
    back = alter_table(target, theirs, server)
    return {word: f"{there};"} | ({f"{word}_back": f"{back};"} if back else {})


def _without(table: Table, what: str, name: str) -> Table:
    """The table without what a statement makes."""
    if what == "column":
        return replace(table, columns=tuple(c for c in table.columns if c.name.casefold() != name.casefold()))
    return replace(table, keys=tuple(k for k in table.keys if k.name.casefold() != name.casefold()))


def _not_there(message: str, theirs: Table, server: Server) -> dict[str, str]:
    """What makes anything of the names that a statement drops: the statement drops it then."""
    statement = statement_of(message, server)
    definition = statement.definition if statement else None
    if isinstance(definition, DropIndex):
        wanted = [("INDEX", definition.name)]
    elif isinstance(definition, AlterTable):
        wanted = [(a.kind, a.name) for a in definition.actions if isinstance(a, Drop) and not a.if_exists]
    else:
        return {}
    keys = {key.name.casefold() for key in theirs.keys}
    first = next(
        (c.name for c in theirs.columns if not (c.type.is_lob or c.type.is_geometry or c.type.is_json)), ""
    )
    new = [
        f"ADD INDEX {quoted(name)} ({quoted(first)})" if kind == "INDEX" else f"ADD COLUMN {quoted(name)} int"
        for kind, name in wanted
        if (kind == "INDEX" and name != "PRIMARY" and first and name.casefold() not in keys)
        or (kind == "COLUMN" and theirs.column(name) is None)
    ]
    return {"given": f"ALTER TABLE {table_name(theirs)} {', '.join(new)};"} if new else {}


def _of_another_kind(theirs: Table, ours: Table | None) -> dict[str, str]:
    """A view or a table moves away; the source's table is to be made then."""
    aside = f"{theirs.name}_before"
    out = {
        "kind": theirs.kind.value, "aside": aside,
        "move": f"RENAME TABLE {table_name(theirs)} TO {table_name(replace(theirs, name=aside))};",
        "move_back": f"RENAME TABLE {table_name(replace(theirs, name=aside))} TO {table_name(theirs)};",
    }  # fmt: skip
    return out | ({"table_of_source": ours.name} if ours and ours.kind is TableKind.TABLE else {})


def _renamed(ours: Table, sources: Sequence[Table], replicas: Sequence[Table]) -> dict[str, str]:
    """The one table that only the replica has, and whose columns are the source's."""

    def columns(table: Table) -> set[tuple[str, str]]:
        return {(c.name.casefold(), c.type.sql()) for c in table.columns}

    candidates = [
        t
        for t in replicas
        if t.kind is TableKind.TABLE
        and t.database == ours.database
        and t.name not in {s.name for s in sources if s.database == ours.database}
        and (columns(t) <= columns(ours) or columns(ours) <= columns(t))
    ]
    if len(candidates) != 1 or any(t.name == ours.name and t.database == ours.database for t in replicas):
        return {}
    old, new = table_name(candidates[0]), table_name(replace(candidates[0], name=ours.name))
    return {
        "renamed": old,
        "rename": f"RENAME TABLE {old} TO {new};", "rename_back": f"RENAME TABLE {new} TO {old};",
    }  # fmt: skip


def _binding(
    message: str, sources: Sequence[Table], replicas: Sequence[Table], server: Server, live: Live
) -> dict[str, str]:
    """Foreign keys of the replica alone around the statement's tables; else the parents that differ."""
    statement = statement_of(message, server)
    if statement is None:
        return {}
    names = {ref.name for ref in statement.refs}
    gone, back, bound = [], [], []
    for table in replicas:
        at_source = named(sources, f"{table.database or ''}.{table.name}")
        held = {key.name for key in at_source.foreign_keys} if at_source else set()
        for key in table.foreign_keys:
            if key.name not in held and (table.name in names or key.ref_table in names):
                alter = f"ALTER TABLE {table_name(table)}"
                gone.append(f"{alter} DROP FOREIGN KEY {quoted(key.name)};")
                back.append(f"{alter} ADD {clauses.foreign_sql(key, None)};")
                bound.append(f"{key.name} of {table.name}")
    if gone:
        return {"bound": ", ".join(bound), "unbind": "\n".join(gone), "bind": "\n".join(back)}
    lines = [
        line
        for table in sources
        if table.name in names
        for line in _parents(table, sources, replicas, server, live)
    ]
    return {"parents": "\n".join(dict.fromkeys(lines))} if lines and all(lines) else {}


def _parents(
    child: Table, sources: Sequence[Table], replicas: Sequence[Table], server: Server, live: Live
) -> Iterator[str]:
    """What gives the columns and keys that a table's foreign keys use the source's definition."""
    for key in child.foreign_keys:
        for name, columns in (
            (f"{key.ref_database or child.database or ''}.{key.ref_table}", key.ref_columns),
            (f"{child.database or ''}.{child.name}", key.columns),
        ):
            ours, theirs = named(sources, name), named(replicas, name)
            if ours and theirs is None and ours is not child:
                text = ours.text or live.definition(f"TABLE {table_name(ours)}")
                yield created(text, server, ours) if text else ""
            if ours is None or theirs is None:
                continue
            for column in columns:
                here, there = ours.column(column), theirs.column(column)
                if here and there and here.type != there.type:
                    yield modify(theirs, there, here, server) or ""
            for needed in ours.keys:
                first = tuple(p.column for p in needed.parts)[: len(columns)]
                if (
                    first == columns
                    and needed not in theirs.keys
                    and not needed.generated
                    and columns is key.ref_columns
                ):
                    yield f"ALTER TABLE {table_name(theirs)} ADD {clauses.key_sql(needed, theirs, server)};"


def foreign(
    message: str, table: str, sources: Sequence[Table], changed: tuple[Image, ...], live: Live
) -> dict[str, str]:
    """The foreign key that refuses a row; `drop_foreign` where the source's table does not have it, `adding`
    where an ALTER of `table` brings it; `orphans` and `insert_parent` where both ends have it.
    """
    match = _FOREIGN.search(message)
    if match is None:
        return {}
    database, child, name, definition, columns, parents, parent, ref = (
        text and text.replace("``", "`") if at not in {3, 4, 7} else text
        for at, text in enumerate(match.groups())
    )
    if adding := child.startswith("#sql"):  # the copy that an ALTER fills
        database, child = parts(table, sources)
    qualified = f"{quoted(database)}.{quoted(child)}"
    if not parents:  # 5.6 looks for it in the default database
        definition = definition.replace(" REFERENCES ", f" REFERENCES {quoted(database)}.", 1)
    above = f"{quoted(parents or database)}.{quoted(parent)}"
    out = {
        "foreign": name, "child": qualified, "child_columns": columns, "parent_columns": ref, "parent": above,
    }  # fmt: skip
    if adding:
        return out | {"adding": qualified}
    theirs = named(sources, f"{database}.{child}")
    if theirs is None:
        return out
    if not any(name == key.name for key in theirs.foreign_keys):
        out["drop_foreign"] = f"ALTER TABLE {qualified} DROP FOREIGN KEY {quoted(name)};"
        out["add_foreign"] = f"ALTER TABLE {qualified} ADD CONSTRAINT {quoted(name)} {definition};"
        return out
    below, upper = (re.findall(_TICKED, text) for text in (columns, ref))
    of_parent = named(sources, f"{parents or database}.{parent}")
    if of_parent and "parent row" in message and (where := row.equal(changed, of_parent, upper, below)):
        out |= {"orphans": where}
    elif of_parent and "child row" in message and (where := row.equal(changed, theirs, below, upper)):
        out |= {"above": where, "insert_parent": live.insert(of_parent, where)}
    return {word: text for word, text in out.items() if text}
