"""What foreign keys forbid of a table that is altered or goes: its own, and those that refer to it.

Asked of four servers. Without a data dictionary the SQL layer asks where rows are copied
(`fk_check_copy_alter_table`), InnoDB where they are not (`prepare_inplace_alter_table`); MySQL 8 looks the
keys of both ends up first, and asks the copy's questions last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from schemacheck.catalog.context import Context
from schemacheck.catalog.references import follows, stored
from schemacheck.dataclass import dataclass, field
from schemacheck.model.column_type import ColumnType
from schemacheck.model.server import Server
from schemacheck.model.table import Column, ForeignKey, Key, KeyKind, Table
from schemacheck.sql.lexer import Refused
from schemacheck.sql.words import Name

if TYPE_CHECKING:
    # Read when a script alters something: a check of two tables starts without it.
    from schemacheck.catalog.change import Changed

_KEYS = (KeyKind.PRIMARY, KeyKind.UNIQUE, KeyKind.INDEX)
#: The longest string whose length takes one byte in a row.
_SHORT = 255


@dataclass(frozen=True, slots=True)
class Reference:
    """A foreign key, and the table that has it."""

    child: Table
    key: ForeignKey

    def words(self, column: str = "") -> dict[str, str]:
        """What servers' errors name."""
        path = f"{self.child.database or '...'}.{self.child.name}"
        return {"name": column, "database": self.child.database or "...", "child": self.child.name,
                "by": path, "path": path, "fk": self.key.name or "..."}  # fmt: skip


def checked(server: Server) -> bool:
    """Whether foreign_key_checks is on."""
    return server.setting("foreign_key_checks").upper() not in ("OFF", "0")


def to(
    parent: Name, tables: Iterable[Table], key: Callable[[str | None, str], Name], server: Server
) -> list[Reference]:
    """The foreign keys of `tables` that refer to a table, in the order in which InnoDB keeps them; a data
    dictionary has them by their tables, the oldest first (asked of 9.7; inputs do not tell ages).
    """
    found = [
        Reference(child, one)
        for child in tables
        for one in child.foreign_keys
        if key(one.ref_database or child.database, one.ref_table) == parent
    ]
    if server.has("data-dictionary"):
        return sorted(found, key=lambda one: (one.child.database or "", one.child.name, one.key.name))
    return sorted(found, key=lambda one: (one.child.database or "", one.key.name))


def dropped(
    names: Iterable[Name], references: Mapping[Name, list[Reference]],
    key: Callable[[str | None, str], Name], server: Server,
) -> tuple[Name, Reference, int] | None:  # fmt: skip
    """The first of tables to drop that another table refers to, by what, and the error's number; None where
    all may go. MySQL 8 looks at all of them together, other servers at one after the other.
    """
    if not checked(server):
        return None
    together = server.has("data-dictionary")
    gone = set(names) if together else set()
    for name in names:
        gone.add(name)
        for one in references.get(name, ()):
            if key(one.child.database, one.child.name) not in gone:
                return name, one, 3730 if together else 1451 if server.mariadb else 1217
    return None


@dataclass(slots=True)
class _Change:
    """A table before and after an ALTER TABLE, its own foreign keys that stay, and those that refer to it."""

    before: Table
    made: Table
    changed: Changed
    context: Context
    parents: list[Reference]
    find: Callable[[str | None, str], Table | None]
    own: list[Reference] = field(init=False)
    gone: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        kept = {one.name for one in self.changed.foreign_keys if one.standing}
        self.own = [Reference(self.before, one) for one in self.before.foreign_keys if one.name in kept]
        mine = set(self.before.foreign_keys)
        self.parents = [
            one
            for one in self.parents
            if one.child != self.before or one.key.name in kept or one.key not in mine
        ]
        self.gone = frozenset(name.casefold() for name, _, _ in self.changed.parts.drops)

    def name(self, column: str) -> str:
        """A column's new name."""
        return self.changed.new_names.get(column.casefold(), column)

    def after(self, column: str) -> Column | None:
        """A column as it becomes."""
        return None if column.casefold() in self.gone else self.made.column(self.name(column))


def altered(
    before: Table, made: Table, changed: Changed, references: list[Reference], context: Context,
    find: Callable[[str | None, str], Table | None],
) -> None:  # fmt: skip
    """Refuse an ALTER TABLE that foreign keys forbid. `references` refer to the table. Raises Refused."""
    if not references and not before.foreign_keys:
        return
    change = _Change(before, made, changed, context, references, find)
    server = context.server
    _engine(change)
    if server.has("data-dictionary"):
        _drops(change)
        _nulls(change)
        _types(change)
        _keys(change, checks=True)
        if _copied(change):
            _copy(change)
    elif _copied(change):
        _copy(change)
        _keys(change, checks=checked(server), number=1025)
        if not (checked(server) or server.mariadb):
            _renamed(change)
    else:
        _keys(change, checks=checked(server), number=1553)
        _drops(change, in_place=True)
        if server.mariadb:
            _in_place(change)
        _nulls(change, in_place=not server.mariadb)


def _engine(change: _Change) -> None:
    engine, was = (one.engine or "InnoDB" for one in (change.made, change.before))
    if (change.parents or change.before.foreign_keys) and engine != was:
        # One that the same statement drops counts too (asked of 9.7, 10.11 and 11.8).
        number = 3776 if change.context.server.has("data-dictionary") else 1217
        raise Refused("a table with foreign keys, or that others refer to, stays InnoDB", 0, number)
    if change.parents and change.made.partitioning and not change.before.partitioning:
        number = 1506 if change.context.server.has("data-dictionary") else 1217
        raise Refused("a table that others refer to is not partitioned", 0, number)


def _refused(one: Reference, number: int, column: str, why: str, **words: str) -> Refused:
    message = f"foreign key {one.key.name!r} of {one.child.name}: {why}"
    return Refused(message, 0, number, name=column, words=one.words(column) | words)


def _drops(change: _Change, *, in_place: bool = False) -> None:
    """`in_place`: InnoDB refuses, and names the foreign key and its table otherwise."""
    for one in change.own:
        for name in one.key.columns:
            if name.casefold() in change.gone:
                raise needed(one, name, **(_words(one, change.context.server) if in_place else {}))
    for one in change.parents:
        for name in one.key.ref_columns:
            if name.casefold() in change.gone:
                words = _words(one, change.context.server) if in_place else {}
                raise _refused(one, 1829, name, f"it refers to column {name!r}", **words)


def needed(one: Reference, name: str, **words: str) -> Refused:
    """A column that is dropped is part of a foreign key."""
    return _refused(one, 1828, name, f"column {name!r} is part of it", **words)


def _words(one: Reference, server: Server) -> dict[str, str]:
    home, child = one.child.database or "...", one.child.name
    by = f"`{home}`.`{child}`" if server.mariadb else f'"{home}"."{child}"'
    return {"fk": f"{home}/{one.key.name}", "by": by}


def _nulls(change: _Change, *, in_place: bool = False) -> None:
    """ON DELETE SET NULL and ON UPDATE SET NULL want a column that takes NULL. `in_place`: InnoDB refuses."""
    for one in change.own:
        for name in one.key.columns if _sets_null(one) else ():
            now = change.after(name)
            if now is not None and not now.nullable:
                words = _words(one, change.context.server) if in_place else {}
                raise _not_null(one, now.name, **words)


def _sets_null(one: Reference) -> bool:
    return "SET NULL" in (one.key.on_delete, one.key.on_update)


def _not_null(one: Reference, name: str, **words: str) -> Refused:
    return _refused(one, 1830, name, f"column {name!r} would be NOT NULL", **words)


def _types(change: _Change) -> None:
    """MySQL 8: both ends as they become must fit (3780)."""
    for one in change.parents:
        own = one.child == change.before
        for name, other in zip(one.key.columns, one.key.ref_columns, strict=False):
            mine = change.after(name) if own else one.child.column(name)
            ours = change.name(name) if own else name
            _fit(one, ours, mine, change.name(other), change.after(other), change.context.server)
    for one in change.own:
        parent = change.find(one.key.ref_database, one.key.ref_table)
        if parent is None or parent == change.before:
            continue
        for name, other in zip(one.key.columns, one.key.ref_columns, strict=False):
            found = parent.column(other)
            _fit(one, change.name(name), change.after(name), other, found, change.context.server)


def _fit(
    one: Reference, name: str, mine: Column | None, other: str, theirs: Column | None, server: Server
) -> None:
    if not (mine is None or theirs is None or _joins(mine, theirs, server)):
        raise _refused(one, 3780, name, f"column {name!r} does not fit {other!r}", parent_column=other)


def _joins(mine: Column, theirs: Column, server: Server) -> bool:
    """Whether both may be the ends of a foreign key that is there: without foreign_key_checks MySQL lets
    their character sets differ (asked of 5.6.24 and 9.7.4).
    """
    a, b = stored(mine.type), stored(theirs.type)
    return a == b or (a[0] == b[0] == "string" and not checked(server))


def _keys(change: _Change, *, checks: bool, number: int = 1553) -> None:
    """The key that a foreign key needs is dropped, and none is left that will do."""
    if not checks:
        return
    strict = follows(change.context.server)
    wanted = [(one, one.key.columns, False) for one in change.own]
    wanted += [(one, one.key.ref_columns, strict) for one in change.parents]
    for one, columns, unique in wanted:
        lost = _lost(change, columns, unique=unique)
        # In place, MariaDB asks about no primary key, and no server where it is not replaced.
        if lost is None or (lost == "PRIMARY" and number == 1553 and change.context.server.mariadb):
            continue
        if number == 1025 and lost == "PRIMARY" and change.made.primary_key is not None:
            number = 1553
        raise _refused(one, number, lost, f"key {lost!r} is needed")


def _renamed(change: _Change) -> None:
    """Without foreign_key_checks MySQL before 8.0 asks InnoDB when the copy gets the table's name
    (`dict_load_foreigns`): the statement fails, and the table is gone.
    """
    made = change.made
    ends: list[tuple[Reference, Table, Table | None]] = []
    for one in change.own:
        other = change.find(one.key.ref_database, one.key.ref_table)
        ends.append((one, made, made if other == change.before else other))
    ends += [(one, one.child, made) for one in change.parents if one.child != change.before]
    for one, child, parent in ends:
        mine = [change.name(name) if child is made else name for name in one.key.columns]
        theirs = [change.name(name) if parent is made else name for name in one.key.ref_columns]
        columns = [child.column(name) for name in mine]
        fits = any(_covers(key, tuple(mine)) for key in child.keys) and not (
            _sets_null(one) and any(column is not None and not column.nullable for column in columns)
        )
        if fits and parent is not None:
            pairs = [(a, parent.column(b)) for a, b in zip(columns, theirs, strict=False)]
            fits = any(_covers(key, tuple(theirs)) for key in parent.keys) and all(
                a is not None and b is not None and _joins(a, b, change.context.server) for a, b in pairs
            )
        if not fits:
            raise _refused(one, 1025, mine[0], "the table as it becomes does not fit it", to=made.name)


def _lost(change: _Change, columns: tuple[str, ...], *, unique: bool) -> str | None:
    """The name of a dropped key that covered these columns, where no other does now."""
    before = [key for key in change.before.keys if _covers(key, columns)]
    now = tuple(change.name(name) for name in columns)
    after = [key for key in change.made.keys if _covers(key, now)]
    if unique and any(_exact(key, columns) for key in before):
        before = [key for key in before if _exact(key, columns)]
        after = [key for key in after if _exact(key, now)]
    if after or not before:
        return None
    return before[0].name


def _covers(key: Key, columns: tuple[str, ...]) -> bool:
    parts = key.parts[: len(columns)]
    return key.kind in _KEYS and [(p.column or "").casefold() for p in parts if p.length is None] == [
        name.casefold() for name in columns
    ]


def _exact(key: Key, columns: tuple[str, ...]) -> bool:
    return key.unique and len(key.parts) == len(columns)


def _copy(change: _Change) -> None:
    """`fk_check_copy_alter_table`: parents first, then the table's own; each with its columns in order.

    MariaDB takes longer strings for a change of the column, and asks about NOT NULL where a key sets NULL.
    """
    mariadb = change.context.server.mariadb
    checks = checked(change.context.server) or mariadb
    ends = [(one, one.key.ref_columns, (1833, 1829)) for one in change.parents]
    ends += [(one, one.key.columns, (1832, 1828)) for one in change.own]
    for one, columns, (number, drop) in ends:
        for name in columns:
            was, now = change.before.column(name), change.after(name)
            if was is None:
                continue
            if now is None:
                raise _refused(one, drop, name, f"column {name!r} is dropped")
            if now.name.casefold() != was.name.casefold():
                raise _refused(one, 1846, name, f"column {name!r} is renamed while rows are copied")
            nulls = was.nullable and not now.nullable
            changes = _differs(was.type, now.type) or (mariadb and was.type.length != now.type.length
                                                       and bool(was.type.charset))  # fmt: skip
            if checks and (changes or (nulls and not mariadb)):
                raise _refused(one, number, name, f"column {name!r} changes")
            if nulls and mariadb and number == 1832 and _sets_null(one):
                raise _not_null(one, now.name)


def _in_place(change: _Change) -> None:
    """MariaDB: a longer string or another collation needs no copy, and is refused by InnoDB."""
    ends = [(one, one.key.columns, 1832) for one in change.own]
    ends += [(one, one.key.ref_columns, 1833) for one in change.parents]
    for one, columns, number in ends:
        for name in columns:
            was, now = change.before.column(name), change.after(name)
            if was is not None and now is not None and was.type != now.type and was.type.charset:
                home = one.child.database or "..."
                words = {"fk": f"{home}/{one.key.name}", "path": f"{home}/{one.child.name}"}
                raise _refused(one, number, name, f"column {name!r} changes", **words)


def _columns(change: _Change) -> Iterator[tuple[Column, Column]]:
    for was in change.before.columns:
        now = change.after(was.name)
        if now is not None:
            yield was, now


def copies(before: Table, made: Table, changed: Changed, context: Context) -> bool:
    """Whether an ALTER TABLE copies the rows into a new table."""
    return _copied(_Change(before, made, changed, context, [], lambda _database, _name: None))


def _copied(change: _Change) -> bool:
    server = change.context.server
    before, made = change.before, change.made
    if change.changed.copies or (before.primary_key is not None and made.primary_key is None):
        return True
    if before.partitioning != made.partitioning:
        return True
    loose = not server.mariadb and not change.context.strict
    for was, now in _columns(change):
        if _differs(was.type, now.type) or (loose and was.nullable and not now.nullable):
            return True
        if was.type != now.type and not (server.mariadb or server.has("strings-grow-in-place")):
            return True
        if was.type.collation != now.type.collation and not server.mariadb:
            return True
    there = {change.name(one.name).casefold() for one in before.columns}
    return server.mariadb and any(
        one.generated == "stored" and one.name.casefold() not in there for one in made.columns
    )


def _differs(was: ColumnType, now: ColumnType) -> bool:
    """`Field::is_equal` says no: the rows must be written anew."""
    if was.is_integer or now.is_integer:
        return (was.base, was.unsigned) != (now.base, now.unsigned)
    if was.base != now.base or was.charset != now.charset:
        return True
    if was.base in ("varchar", "varbinary"):
        grows = (was.length or 0) <= (now.length or 0)
        return not grows or (was.max_bytes > _SHORT) != (now.max_bytes > _SHORT)
    if was.base in ("enum", "set"):
        return was.members != now.members[: len(was.members)]
    return (was.length, was.scale, was.unsigned, was.srid) != (now.length, now.scale, now.unsigned, now.srid)
