"""The Column that a server makes of a definition."""

from __future__ import annotations

from schemacheck.catalog import default_values, defaults, expression_text
from schemacheck.catalog.context import Context
from schemacheck.catalog.types import column_type
from schemacheck.model.quote import string
from schemacheck.model.table import DEFAULT_NULL, Column, Default, DefaultKind
from schemacheck.sql.ddl.draft import ColumnDraft
from schemacheck.sql.lexer import Refused


def column(draft: ColumnDraft, context: Context, charset: str | None, collation: str | None) -> Column:
    """The Column of a definition. Raises Refused."""
    location = context.location(draft.span)
    if draft.row_period:
        return Column(draft.name, column_type(draft, context, charset, collation), nullable=False,
            generated="stored", expression=f"row {draft.row_period.lower()}",
                      invisible=draft.invisible, location=location, attributes=attributes(draft))  # fmt: skip
    kind = column_type(draft, context, charset, collation)
    if draft.converted is not None and (kind.is_character or kind.is_blob):
        why = f"what CONVERT TO makes of {draft.name!r}, which the same statement defines, is not known"
        raise Refused(why, draft.type_at)
    auto = draft.auto_increment or draft.type_text.lower().startswith("serial")
    nullable = draft.nullable is not False and (not auto or draft.null_last)
    if draft.nullable is True and draft.type_text.lower().startswith("serial"):
        # SERIAL's NOT NULL is an attribute to MySQL, which NULL behind it takes back; MariaDB's grammar has
        # no NULL there.
        if context.server.mariadb:
            raise Refused("SERIAL takes no NULL", draft.span[0], 1064, code="SC001")
        nullable = True
    if draft.type_text.lower().startswith("serial") and (
        draft.generated
        or draft.on_update is not None
        or (draft.default is not None and not draft.serial_default)
    ):
        number = 1064 if context.server.mariadb or draft.default is None else 1067
        raise Refused("SERIAL takes no value", draft.span[0], number)
    expression = expression_text.printed(draft.expression.text, context) if draft.expression else None
    default: Default | None = None
    if draft.default is not None and draft.serial_default and draft.default.kind != "null":
        raise Refused(f"column {draft.name!r} has an invalid default value", draft.span[0], 1067)
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
