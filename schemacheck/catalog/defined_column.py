"""The Column that a server makes of a definition."""

from __future__ import annotations

from schemacheck.catalog import default_values, defaults, expression_text
from schemacheck.catalog.charsets import representable
from schemacheck.catalog.context import Context
from schemacheck.catalog.drafts import short_enough
from schemacheck.catalog.types import column_type
from schemacheck.dataclass import replace
from schemacheck.model.charset import max_bytes
from schemacheck.model.column_type import BLOBS, CHARACTER, TEXTS, ColumnType, sized
from schemacheck.model.quote import string
from schemacheck.model.server import Server
from schemacheck.model.table import DEFAULT_NULL, Column, Default, DefaultKind
from schemacheck.model.type_text import Written
from schemacheck.model.type_text import read as read_type
from schemacheck.sql.ddl.draft import ColumnDraft
from schemacheck.sql.lexer import Refused


def _beside_convert(kind: ColumnType, draft: ColumnDraft, context: Context) -> ColumnType:
    """The type of a column that is written beside CONVERT TO (asked of four servers). Raises Refused."""
    written = read_type(draft.type_text, backslash="NO_BACKSLASH_ESCAPES" not in context.modes)
    if kind.base in CHARACTER and (kind.charset != "binary" or not kind.members):
        kind = _recoded(kind, written, draft.converted or (None, None), context.server)
    if (kind.base in TEXTS or kind.base in BLOBS) and draft.replaces is not None and not written.numbers:
        kind = _as_long(kind, draft.replaces, draft, context.server)
    return kind


def _recoded(
    kind: ColumnType, written: Written, table: tuple[str | None, str | None], server: Server
) -> ColumnType:
    """Text is of the character set and collation that the table gets, whatever it says, and of the length
    that it says. Of BINARY the collation stays: beside a character set of its own before MySQL 8.0 alone, and
    in MariaDB of the table's default without one.
    """
    charset, collation = table
    if written.binary and not written.charset and server.mariadb:
        return kind
    old = not server.mariadb and not server.has("data-dictionary")
    if written.binary and charset not in (None, "binary") and (old or not written.charset):
        collation = f"{charset}_bin"
    base = "longtext" if written.base == "json" else written.base
    plain = replace(written, base=base, charset=None, binary=False)
    if charset is not None:
        plain = replace(plain, members=tuple(representable(one, charset) for one in plain.members))
    made = ColumnType.of(plain, text="", charset=charset, collation=collation)
    if made.base not in CHARACTER:
        made = replace(made, charset=None, collation=None)
    return replace(made, compressed=kind.compressed)


def _as_long(kind: ColumnType, old: ColumnType, draft: ColumnDraft, server: Server) -> ColumnType:
    """MySQL 9.7 gives a TEXT or BLOB without a number the length of the column that it replaces. Raises
    Refused where that was not asked.
    """
    if server.mariadb or not server.has("data-dictionary"):
        return kind
    if not server.has("convert-keeps-text-length"):
        why = f"what CONVERT TO makes of {draft.name!r} in the same statement is not known"
        raise Refused(why, draft.type_at, "SC002")
    known = old.base in TEXTS or old.base in BLOBS
    characters = old.max_bytes // max_bytes(old.charset or "binary") if known else 0
    sizes = TEXTS if kind.base in TEXTS else BLOBS
    return replace(kind, base=sized(sizes, characters * max_bytes(kind.charset or "binary")), text="")


def column(draft: ColumnDraft, context: Context, charset: str | None, collation: str | None) -> Column:
    """The Column of a definition. Raises Refused."""
    location = context.location(draft.span)
    if draft.row_period:
        return Column(draft.name, column_type(draft, context, charset, collation), nullable=False,
            generated="stored", expression=f"row {draft.row_period.lower()}",
                      invisible=draft.invisible, location=location, attributes=attributes(draft))  # fmt: skip
    kind = column_type(draft, context, charset, collation)
    if draft.converted is not None and (kind.base in CHARACTER or kind.base in BLOBS):
        kind = short_enough(_beside_convert(kind, draft, context), context, draft.type_at)
    auto = draft.auto_increment or draft.type_text.lower().startswith("serial")
    nullable = draft.nullable is not False and (not auto or draft.null_last)
    if draft.nullable is True and draft.type_text.lower().startswith("serial"):
        # SERIAL's NOT NULL is an attribute to MySQL, which NULL behind it takes back; MariaDB's grammar has
        # no NULL there.
        if context.server.mariadb:
            raise Refused("SERIAL takes no NULL", draft.span[0], "SC001", 1064)
        nullable = True
    if draft.type_text.lower().startswith("serial") and (
        draft.generated
        or draft.on_update is not None
        or (draft.default is not None and not draft.serial_default)
    ):
        number = 1064 if context.server.mariadb or draft.default is None else 1067
        raise Refused("SERIAL takes no value", draft.span[0], "SC002", number)
    expression = expression_text.printed(draft.expression.text, context) if draft.expression else None
    default: Default | None = None
    if draft.default is not None and draft.serial_default and draft.default.kind != "null":
        raise Refused(f"column {draft.name!r} has an invalid default value", draft.span[0], "SC002", 1067)
    if draft.default is not None and not draft.serial_default:
        default = defaults.canonical(draft, kind, context)
    elif nullable and draft.generated is None:
        default = None if draft.bare else DEFAULT_NULL
    elif (
        draft.on_update is not None
        and draft.generated is None
        and context.server.has("on-update-zero-default")
    ):
        default = Default(DefaultKind.LITERAL, default_values.implicit(kind) or "")
    elif kind.compressed and not nullable and draft.generated is None:
        # Recorded on MariaDB 10.11 and 11.8: COMPRESSED columns have an empty default.
        default = Default(DefaultKind.LITERAL, "")
    if auto:
        # It takes no value but its own.
        default = None
    return Column(
        draft.name, kind, nullable=nullable, default=default, on_update=draft.on_update is not None,
        auto_increment=auto,
        generated=draft.generated, expression=expression, invisible=draft.invisible, location=location,
        attributes=attributes(draft),
    )  # fmt: skip


def attributes(draft: ColumnDraft) -> tuple[str, ...]:
    """What else a definition says: `Column.attributes`."""
    comment = (f"COMMENT {string(draft.comment)}",) if draft.comment else ()
    return (*draft.attributes, *comment) if draft.attributes or comment else ()
