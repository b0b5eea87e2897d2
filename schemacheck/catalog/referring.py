"""What foreign keys forbid of a table that is altered or goes: its own, and those that refer to it.

Which changes of their columns a server refuses depends on whether it copies the rows, and on what it is asked
first: what is not permitted everywhere is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from schemacheck.catalog.context import Context
from schemacheck.catalog.references import follows, leading, stored
from schemacheck.dataclass import dataclass
from schemacheck.model.column_type import ColumnType
from schemacheck.model.server import Server
from schemacheck.model.table import Column, ForeignKey, Table, TableKind
from schemacheck.sql.lexer import Refused
from schemacheck.sql.words import Name

if TYPE_CHECKING:
    # Read when a script alters something: a check of two tables starts without it.
    from schemacheck.catalog.change import Changed

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
    references = [
        Reference(child, foreign)
        for child in tables
        for foreign in child.foreign_keys
        if key(foreign.ref_database or child.database, foreign.ref_table) == parent
    ]
    if server.has("data-dictionary"):
        return sorted(
            references,
            key=lambda reference: (reference.child.database or "", reference.child.name, reference.key.name),
        )
    return sorted(references, key=lambda reference: (reference.child.database or "", reference.key.name))


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
        for reference in references.get(name, ()):
            if key(reference.child.database, reference.child.name) not in gone:
                return name, reference, 3730 if together else 1451 if server.mariadb else 1217
    return None


def altered(
    before: Table, made: Table, changed: Changed, references: list[Reference], context: Context
) -> None:
    """Refuse an ALTER TABLE that foreign keys may forbid. `references` refer to the table. Raises Refused."""
    if not references and not before.foreign_keys:
        return
    moved = (made.engine or "InnoDB") != (before.engine or "InnoDB")
    if moved or (references and made.partitioning and not before.partitioning):
        raise _unknown("the table has foreign keys, or others refer to it")
    stay = {key.name for key in changed.foreign_keys if key.standing}
    mine = set(before.foreign_keys)
    own = [Reference(before, key) for key in before.foreign_keys if key.name in stay]
    parents = [
        reference
        for reference in references
        if reference.child != before or reference.key not in mine or reference.key.name in stay
    ]
    ends = [(reference, reference.key.columns, False) for reference in own]
    ends += [(parent, parent.key.ref_columns, follows(context.server)) for parent in parents]
    copied = changed.copies or _is_rewritten(before, made, changed, context)
    for item, columns, unique in ends:
        for name in columns:
            was, now = before.column(name), _after(made, changed, name)
            if now is None:
                raise _unknown(f"foreign key {item.key.name!r} of {item.child.name} has column {name!r}")
            if was is not None and not _stays(was, now, item, context.server, copied=copied):
                raise _unknown(f"column {name!r} of foreign key {item.key.name!r} changes")
        if _loses_key(before, made, changed, columns, unique=unique):
            raise _unknown(f"foreign key {item.key.name!r} of {item.child.name} needs a key")


def _unknown(why: str) -> Refused:
    return Refused(f"{why}: whether the server permits this is not known", 0)


def _after(made: Table, changed: Changed, name: str) -> Column | None:
    if any(name.casefold() == gone.casefold() for gone, _, _ in changed.parts.drops):
        return None
    return made.column(changed.new_names.get(name.casefold(), name))


def _stays(was: Column, now: Column, reference: Reference, server: Server, *, copied: bool) -> bool:
    """Whether a column of a foreign key changes in no way that a server asks about."""
    nulls = was.nullable and not now.nullable
    if nulls and (
        (copied and checked(server)) or "SET NULL" in (reference.key.on_delete, reference.key.on_update)
    ):
        return False
    if copied and was.name.casefold() != now.name.casefold():
        return False
    texts = bool(was.type.charset and now.type.charset)
    if texts and not server.mariadb and not checked(server):
        return True
    same = was.type == now.type or (not (texts and server.mariadb) and not _differs(was.type, now.type))
    return same and was.type.collation == now.type.collation


def _is_rewritten(before: Table, made: Table, changed: Changed, context: Context) -> bool:
    """Whether the server may copy the rows into a new table."""
    pairs = [(was, now) for was in before.columns if (now := _after(made, changed, was.name)) is not None]
    loose = not context.strict
    return (
        before.partitioning != made.partitioning
        or (before.primary_key is not None and made.primary_key is None)
        or any(was.type != now.type or (loose and was.nullable > now.nullable) for was, now in pairs)
        or (len(made.columns) > len(pairs) and any(column.generated == "stored" for column in made.columns))
    )


def _loses_key(before: Table, made: Table, changed: Changed, columns: Sequence[str], *, unique: bool) -> bool:
    """Whether no key is left that begins with these columns, as one did."""
    old = [name.casefold() for name in columns]
    new = [changed.new_names.get(name, name).casefold() for name in old]
    return any(
        any(leading(key, old, exact=exact) for key in before.keys)
        and not any(leading(key, new, exact=exact) for key in made.keys)
        for exact in {False, unique}
    )


def _differs(was: ColumnType, now: ColumnType) -> bool:
    """`Field::is_equal` says no: the rows must be written anew."""
    if was.is_integer or now.is_integer:
        return (was.base, was.unsigned) != (now.base, now.unsigned)
    if was.base != now.base or was.charset != now.charset:
        return True
    if was.is_varying:
        grows = (was.length or 0) <= (now.length or 0)
        return not grows or (was.max_bytes > _SHORT) != (now.max_bytes > _SHORT)
    if was.has_members:
        return was.members != now.members[: len(was.members)]
    return (was.length, was.scale, was.unsigned, was.srid) != (now.length, now.scale, now.unsigned, now.srid)


def adopt(table: Table, waiting: Iterable[Reference], server: Server, at: int = 0) -> None:
    """Refuse a table under whose name foreign keys wait that it may not fit. Raises Refused."""
    if table.kind is not TableKind.TABLE or (table.engine or "InnoDB") != "InnoDB":
        return
    for reference in waiting:
        if (reference.child.engine or "InnoDB") != "InnoDB" or reference.child.name == table.name:
            continue
        if not _fits(table, reference, server):
            why = (
                f"whether {table.name!r} fits foreign key "
                f"{reference.key.name!r} of {reference.child.name} is not known"
            )
            raise Refused(why, at)


def _fits(table: Table, reference: Reference, server: Server) -> bool:
    pairs = [
        (reference.child.column(name), table.column(other))
        for name, other in zip(reference.key.columns, reference.key.ref_columns, strict=False)
    ]
    wanted = [name.casefold() for name in reference.key.ref_columns]
    return (
        not table.partitioning
        and all(b is not None and (a is None or stored(a.type) == stored(b.type)) for a, b in pairs)
        and any(leading(key, wanted, exact=follows(server)) for key in table.keys)
    )
