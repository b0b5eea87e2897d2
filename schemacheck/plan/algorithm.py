"""Which ALGORITHM and LOCK a statement takes on a version, and what that costs: data in
`rules/algorithms.yaml`, recorded on servers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from schemacheck import knowledge
from schemacheck.catalog.steps import steps
from schemacheck.dataclass import dataclass
from schemacheck.model import Column, DefaultKind, KeyKind, Schema, Server, Table, TableKind
from schemacheck.plan.added import unfilled
from schemacheck.sql.ddl import actions as parts
from schemacheck.sql.ddl.draft import CheckDraft, ForeignDraft, KeyDraft

_WRITES = {
    "NONE": "the table can be written meanwhile",
    "SHARED": "the table can be read, not written, meanwhile",
    "EXCLUSIVE": "the table can be neither read nor written meanwhile",
}
_ELSE = "a server that cannot do it so refuses it (1845, 1846) and changes nothing"


@dataclass(frozen=True, slots=True)
class Way:
    """How a server carries out a change: `rebuild` says that it writes every row anew."""

    algorithm: str
    lock: str = ""
    rebuild: bool = False

    @property
    def clause(self) -> str:
        """What the statement says, so that a server that would do it otherwise refuses it."""
        return f"ALGORITHM={self.algorithm}" + (f", LOCK={self.lock}" if self.lock else "")

    @property
    def words(self) -> str:
        """What it costs, in words."""
        if self.algorithm == "INSTANT":
            return f"INSTANT: only the definition changes, at once; {_ELSE}"
        rows = (
            "every row is copied, which takes the table's size again on disk"
            if self.rebuild
            else "rows stay where they are"
        )
        refused = "" if self.algorithm == "COPY" else f"; {_ELSE}"
        return f"{self.algorithm}: {rows}; {_WRITES[self.lock]}{refused}"


def _recorded(server: Server) -> dict[str, str]:
    return dict(knowledge.load("algorithms").get(server.profile.name, {}))


def way(sql: str, table: Table | None, server: Server) -> Way | None:
    """How this server carries out a statement on a table; None where that was not recorded. Only InnoDB
    tables without partitions were asked. What one part of a statement has copied is copied whatever else is
    in it; other kinds of change together take more than each alone (an index on a column that comes).
    """
    if (
        table is None
        or table.kind is not TableKind.TABLE
        or (table.engine or "InnoDB").upper() != "INNODB"
        or table.partitioning
        or "ALGORITHM=" in sql.upper().replace(" ", "")
    ):
        return None
    known = _recorded(server)
    names = set(kinds(sql, table, server)) if known else {""}
    if names == {"add-column", "add-column-placed"}:
        names = {"add-column-placed"}
    if not all(name in known for name in names):
        return None
    found = [_read(known[name]) for name in names]
    copied = any(one.algorithm == "COPY" for one in found)
    if len(found) > 1 or (copied and _bound(table, names)):
        return Way("COPY", "SHARED", rebuild=True) if copied else None
    return found[0] if copied or _plain(table) else None


def _bound(table: Table, names: set[str]) -> bool:
    """Whether foreign keys keep a table from being written while it is copied (asked of MariaDB 11.8)."""
    return bool(table.foreign_keys or table.incoming or "add-foreign-key" in names)


def _plain(table: Table) -> bool:
    """Whether a table is of the kind that was asked. FULLTEXT keys, virtual columns, the row formats
    COMPRESSED and REDUNDANT and other options make servers do more (asked of all four).
    """
    return (
        not any(k.kind is KeyKind.FULLTEXT for k in table.keys)
        and not any(c.generated == "virtual" for c in table.columns)
        and not any(p.column is None for k in table.keys for p in k.parts)
        and (table.row_format or "DYNAMIC").upper() in ("DYNAMIC", "COMPACT", "DEFAULT")
        and {name.upper() for name, _ in table.options} <= {"COMMENT", "STATS_PERSISTENT"}
    )


def _read(text: str) -> Way:
    algorithm, *rest = text.split()
    return Way(algorithm, next((w for w in rest if w in _WRITES), ""), "rebuild" in rest)


def common(sql: str, table: Table | None, servers: Sequence[Server]) -> Way | None:
    """The way that all servers of a chain have in common; None where they differ or one was not asked."""
    found = {way(sql, table, server) for server in dict.fromkeys(servers)}
    return found.pop() if len(found) == 1 else None


def kinds(sql: str, table: Table, server: Server) -> Iterator[str]:
    """The kinds of change in an ALTER TABLE, as `rules/algorithms.yaml` names them; one that is not named
    there for what nobody asked.
    """
    step = next(iter(steps(sql, server, database=table.database, base=Schema((table,)))), None)
    if step is None or not isinstance(step.definition, parts.AlterTable):
        yield "?"
        return
    after = step.after.get((table.database, table.name))
    for action in step.definition.actions:
        if isinstance(action, parts.ShowKey):
            yield "ignore-index" if server.mariadb else "show-index"
        else:
            yield from _kinds(action, table, after)


def _kinds(action: parts.Action, old: Table, new: Table | None) -> Iterator[str]:
    match action:
        case parts.AddColumn(draft=draft):
            made = new.column(draft.name) if new else None
            computed = made and made.default and made.default.kind is DefaultKind.EXPRESSION
            # A zero date or an empty GEOMETRY for the rows that are there is not INSTANT (asked of 9.7).
            if made is None or computed or draft.keys or draft.references or draft.checks or unfilled(made):
                yield "?"
            elif made.generated or made.auto_increment:
                yield f"add-column-{made.generated or 'auto-increment'}"
            else:
                yield "add-column" if draft.position is None else "add-column-placed"
        case parts.ReplaceColumn(old=name, draft=draft):
            made = new.column(draft.name) if new else None
            for kind in _replaced(old.column(name), made, moved=draft.position is not None):
                yield "?" if kind.startswith("widen") and _keyed(old, name) else kind
        case parts.RenameColumn():
            yield "rename-column"
        case parts.SetColumn(invisible=None):
            yield "set-default"
        case parts.Add(draft=KeyDraft(kind="unique")) | parts.Drop(kind="INDEX") if old.primary_key is None:
            # A unique key may be the clustered index then: rows are written anew.
            yield "?"
        case parts.Add(draft=KeyDraft(kind=kind)):
            yield f"add-{kind}"
        case parts.Add(draft=CheckDraft()):
            yield "add-check"
        case parts.Add(draft=ForeignDraft()):
            yield "add-foreign-key"
        case parts.Drop(kind="INDEX", name="PRIMARY"):
            # Together with the key that comes instead it was asked as one.
            yield "drop-primary" if new is None or new.primary_key is None else "replace-primary"
        case parts.Drop(kind="COLUMN", name=name) if _keyed(old, name):
            yield "drop-keyed-column"
        case parts.Drop(kind=kind):
            yield {"CONSTRAINT": "drop-check"}.get(kind, f"drop-{kind.lower().replace(' ', '-')}")
        case parts.RenameKey():
            yield "rename-index"
        case parts.Convert():
            yield "convert-charset"
        case parts.Options(options=given):
            yield from _option(given)
        case _:
            yield "?"


def _keyed(table: Table, column: str) -> bool:
    """Whether a key has this column."""
    folded = column.casefold()
    return any(p.column is not None and p.column.casefold() == folded for k in table.keys for p in k.parts)


def _option(given: object) -> Iterator[str]:
    from schemacheck.sql.ddl.draft import TableOptions

    assert isinstance(given, TableOptions)
    named = set(given.written)
    if given.engine or given.system_versioned or named - {"COMMENT", "STATS_PERSISTENT"}:
        yield "?"
    if given.charset is not None or given.collation is not None:
        yield "table-charset"
    if given.row_format is not None:
        yield "row-format"
    yield from ("table-comment" if name == "COMMENT" else "statistics" for name in sorted(named))


def _replaced(old: Column | None, new: Column | None, *, moved: bool) -> Iterator[str]:
    """What MODIFY and CHANGE do to a column."""
    if (
        old is None
        or new is None
        or old.generated
        or new.generated
        or old.auto_increment != new.auto_increment
    ):
        yield "?"
        return
    if moved:
        yield "move-column"
    if old.name != new.name:
        yield "rename-column"
    if old.type != new.type:
        yield _retyped(old, new)
    if old.nullable != new.nullable:
        yield "set-null" if new.nullable else "set-not-null"
    if old.default != new.default and old.nullable == new.nullable:
        yield "set-default"
    if old.on_update != new.on_update or old.type.display_width != new.type.display_width:
        yield "?"
    if old.attributes != new.attributes:
        yield (
            "set-comment"
            if all(a.startswith("COMMENT ") for a in {*old.attributes, *new.attributes})
            else "?"
        )
    if old.invisible != new.invisible:
        yield "set-invisible"


#: The most bytes of a VARCHAR whose length takes one byte.
_ONE_BYTE = 255
#: The most bytes of one that MariaDB makes longer than that at once (asked of 10.11 and 11.8).
_SHORT = 127


def _retyped(old: Column, new: Column) -> str:
    here, there = old.type, new.type
    same = (here.charset, here.collation) == (there.charset, there.collation)
    if here.base == there.base == "varchar" and same and here.charset and there.max_bytes > here.max_bytes:
        if not here.max_bytes <= _ONE_BYTE < there.max_bytes:
            return "widen-varchar"
        return "widen-short-varchar-past-255" if here.max_bytes <= _SHORT else "widen-varchar-past-255"
    if (
        here.base == there.base
        and here.members
        and same
        and there.members[: len(here.members)] == here.members
    ):
        return "append-member"
    return "change-type"
