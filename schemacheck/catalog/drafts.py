"""What is finished as a draft again: columns, keys and constraints of a table that ALTER TABLE changes, and
types in another character set.
"""

from __future__ import annotations

from schemacheck.catalog.context import Context
from schemacheck.catalog.rowsize import LONGEST_ROW
from schemacheck.dataclass import replace
from schemacheck.model import charset as charsets
from schemacheck.model.column_type import BINARY_TWIN, TEXTS, ColumnType, sized
from schemacheck.model.table import Check, Column, ForeignKey, Key, Table
from schemacheck.sql.ddl.draft import CheckDraft, ColumnDraft, Expr, ForeignDraft, KeyDraft, PartDraft
from schemacheck.sql.lexer import Refused


def column_draft(column: Column) -> ColumnDraft:
    """The draft of a finished column."""
    return ColumnDraft(column.name, column.type.text or column.type.sql(), None, made=column)


def column_keys(columns: list[ColumnDraft], context: Context) -> list[KeyDraft]:
    """Keys that stand in column definitions: each kind once; MariaDB keeps the primary one alone."""
    keys = []
    for column in columns:
        if column.made is not None:
            continue
        serial = column.type_text[:6].lower() == "serial"
        if not column.keys and not serial:
            continue
        kinds = set(column.keys)
        if serial:
            kinds.add("unique")
        if context.server.mariadb and "primary" in kinds:
            kinds.discard("unique")
        keys += [
            KeyDraft(kind, [PartDraft(column.name, at=column.span[0])], span=column.span)
            for kind in ("primary", "unique")
            if kind in kinds
        ]
    return keys


def is_hidden(column: Column, table: Table) -> bool:
    """MariaDB's hash columns, and the row_start and row_end that nobody wrote."""
    if column.name.startswith("DB_ROW_HASH_") and column.invisible:
        return True
    return (
        table.system_versioned and column.location is None and column.expression in ("row start", "row end")
    )


def key_draft(key: Key) -> KeyDraft:
    """The draft of a finished key."""
    parts = [
        PartDraft(
            part.column, part.length, Expr(part.expression, 0) if part.expression else None, part.descending
        )
        for part in key.parts
    ]
    return KeyDraft(
        key.kind.value,
        parts,
        None if key.name == "PRIMARY" else key.name,
        key.visible,
        location=key.location,
        attributes=list(key.attributes),
        generated=key.generated,
    )


def check_draft(check: Check, table: Table | None) -> CheckDraft:
    """The draft of a finished CHECK."""
    # MariaDB gives a column's own CHECK the column's name.
    own = table.column(check.name) if check.name and table else None
    return CheckDraft(
        Expr(check.expression, 0),
        check.name,
        check.enforced,
        column=own.name if own else None,
        location=check.location,
    )


def foreign_draft(key: ForeignKey) -> ForeignDraft:
    """The draft of a finished foreign key."""
    return ForeignDraft(
        list(key.columns), key.ref_database, key.ref_table, list(key.ref_columns), key.on_delete,
        key.on_update, key.name, location=key.location,
        standing=True,
    )  # fmt: skip


def short_enough(kind: ColumnType, context: Context, at: int) -> ColumnType:
    """A VARCHAR that became too long is refused, or becomes a TEXT without strict mode."""
    if not kind.is_varchar or not kind.charset or kind.max_bytes <= LONGEST_ROW:
        return kind
    if context.strict:
        raise Refused(f"{kind} is too long in {kind.charset}", at, 1074)
    return replace(kind, base=sized(TEXTS, kind.max_bytes), length=None, text="")


def converted(kind: ColumnType, charset: str | None, collation: str | None, at: int) -> ColumnType:
    """A character type in another character set; a TEXT grows to hold as many characters. Raises Refused."""
    if charset == "binary" and kind.holds_text:
        return replace(kind, base=BINARY_TWIN[kind.base], charset=None, collation=None, text="")
    base = kind.base
    plain = all(member.isascii() for member in kind.members) and not {charset, kind.charset} & charsets.WIDE
    between = (charset or "")[:4] == (kind.charset or "")[:4] == "utf8"
    if kind.members and charset != kind.charset and not plain and not between:
        # Servers keep their bytes, which are other characters there.
        why = f"the members of a {base.upper()} may be other ones in {charset}: write them in a MODIFY"
        raise Refused(why, at)
    if kind.is_text and charset and kind.charset:
        characters = kind.max_bytes // charsets.max_bytes(kind.charset)
        base = sized(TEXTS, characters * charsets.max_bytes(charset))
    return replace(
        kind, base=base, charset=charset, collation=collation, text="" if base != kind.base else kind.text
    )
