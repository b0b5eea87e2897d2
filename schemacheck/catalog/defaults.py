"""Defaults in one spelling: the value that the column would hold, as the server prints it."""

from __future__ import annotations

import re

from schemacheck.catalog import expression_forms, expression_rules
from schemacheck.catalog.context import Context
from schemacheck.catalog.default_values import literal
from schemacheck.knowledge import characters
from schemacheck.model.column_type import BLOBS, TEXTS, ColumnType
from schemacheck.model.quote import string
from schemacheck.model.table import DEFAULT_NULL, Default, DefaultKind
from schemacheck.sql.ddl.draft import ColumnDraft, DefaultDraft
from schemacheck.sql.ddl.literal import literal_of
from schemacheck.sql.lexer import Refused, unasked

_NOW = re.compile(r"(?:now|current_timestamp|localtimestamp)\((\d?)\)\Z", re.IGNORECASE | re.ASCII)


def canonical(draft: ColumnDraft, kind: ColumnType, context: Context) -> Default | None:
    """The Default of a column of this type; None where the server drops it. Raises Refused (1067, 1101)."""
    written = draft.default
    if written is None:
        return None
    if written.kind == "null":
        primary = "primary" in draft.keys and not context.server.has("null-primary-key-refused")
        if (draft.nullable is False or primary) and not draft.auto_increment:
            raise _invalid(draft, written)
        return DEFAULT_NULL
    if draft.auto_increment or draft.type_text.lower().startswith("serial"):
        raise _invalid(draft, written)
    if written.kind == "now":
        return _now(draft, written, kind, context)
    if written.expression is not None:
        return _expression(draft, written, kind, context)
    if kind.is_off_page:
        if not context.server.has("ddl-blob-default"):
            empty = written.text == "" and not context.strict and written.kind == "string"
            shape = kind.is_geometry or kind.is_json
            if empty and not (shape and context.server.has("data-dictionary")):
                if draft.nullable is not False:
                    return DEFAULT_NULL
                # MySQL 5.6 shows what a geometry has; a BLOB has as much (get_field_default_value).
                return Default(DefaultKind.LITERAL, "") if kind.is_geometry else None
            raise Refused(
                f"column {draft.name!r}: a {kind} column takes no literal as DEFAULT", written.at, 1101
            )
        if (
            kind.is_geometry
            and context.server.has("empty-geometry")
            and (written.kind, written.text) == ("string", "")
        ):
            return Default(DefaultKind.LITERAL, "")
        if kind.is_geometry or kind.is_vector:
            raise _invalid(draft, written)
    if written.kind == "temporal" and context.server.mariadb and (kind.is_lob):
        # What a BLOB has by default is no value but an expression.
        return Default(DefaultKind.EXPRESSION, f"{written.introducer}{string(written.text)}")
    value = literal(written, kind, context)
    if value is None:
        raise _invalid(draft, written)
    return Default(DefaultKind.LITERAL, value)


def not_null(draft: ColumnDraft, context: Context) -> None:
    """Refuse a default that MariaDB may compute to NULL, of a column that the primary key makes NOT NULL."""
    written = draft.default
    if written is None or written.expression is None or draft.made is not None:
        return
    text = written.expression.text
    if _bare(text).upper() == "NULL":
        if "primary" in draft.keys:
            raise _invalid(draft, written)
    elif literal_of(_bare(text)) is None and (draft.type_text.split("(")[0].lower() in (*TEXTS, *BLOBS)):
        expression_forms.constant(
            text, written.at, draft.name, ColumnType("int"), context, nullable=False,
            session=expression_rules.of_session(text),
        )  # fmt: skip


def _invalid(draft: ColumnDraft, written: DefaultDraft) -> Refused:
    why = f"column {draft.name!r} has an invalid default value"
    if re.match(r"0+\b|\d{4}-0*0-|\d{4}-\d+-0+\b", written.text, re.ASCII):
        why += (
            " under this sql_mode (if NO_ZERO_DATE and NO_ZERO_IN_DATE are not set there, give the "
            "server's sql_mode)"
        )
    return Refused(why, written.at, 1067)


def _now(draft: ColumnDraft, written: DefaultDraft, kind: ColumnType, context: Context) -> Default:
    digits = int(written.text or 0)
    if context.flavor.bare_default:
        if written.introducer == "localtime" and context.server.has("localtime-is-a-time"):
            return Default(DefaultKind.EXPRESSION, f"curtime({digits or ''})")
        if kind.is_moment:
            return Default(DefaultKind.CURRENT_TIMESTAMP)
        return Default(DefaultKind.EXPRESSION, f"now({digits or ''})")
    if (
        not kind.is_moment
        or digits != kind.fraction
        or (kind.base == "datetime" and not context.server.has("datetime-now"))
    ):
        raise _invalid(draft, written)
    return Default(DefaultKind.CURRENT_TIMESTAMP)


def _expression(draft: ColumnDraft, written: DefaultDraft, kind: ColumnType, context: Context) -> Default:
    assert written.expression is not None
    text = expression_rules.printed(written.expression.text, context)
    if context.flavor.bare_default:
        # MariaDB keeps a literal in parentheses as a literal, and NOW() as CURRENT_TIMESTAMP.
        simple = _constant(written.expression.text, kind, written.at) or _constant(text, kind, written.at)
        if simple is not None:
            return canonical(_with(draft, simple), kind, context) or DEFAULT_NULL
        expression_forms.constant(
            written.expression.text, written.at, draft.name, kind, context,
            nullable=draft.nullable is not False and "primary" not in draft.keys,
            session=expression_rules.of_session(written.expression.text),
        )  # fmt: skip
        if kind.is_moment and _NOW.match(text):
            return Default(DefaultKind.CURRENT_TIMESTAMP)
    return Default(DefaultKind.EXPRESSION, text)


def _with(draft: ColumnDraft, default: DefaultDraft) -> ColumnDraft:
    return ColumnDraft(
        draft.name, draft.type_text, draft.nullable, default, span=draft.span, type_at=draft.type_at
    )


def in_parentheses(written: DefaultDraft) -> DefaultDraft:
    """ALTER COLUMN: MySQL takes a literal in parentheses for the literal, but with a minus (asked of 9.7)."""
    if written.expression is None:
        return written
    bare = _bare(written.expression.text)
    default = literal_of(bare) if not bare.startswith("-") else None
    if default is None:
        return written
    default.at = written.at
    return default


def _bare(text: str) -> str:
    """A text without the parentheses around all of it; one that is no single operand is no matter here."""
    bare = characters.strip(text)
    while bare.startswith("(") and bare.endswith(")"):
        bare = characters.strip(bare[1:-1])
    return bare


def _constant(text: str, kind: ColumnType, at: int) -> DefaultDraft | None:
    """A literal that stood in parentheses."""
    default = literal_of(_bare(text))
    if default is None or (default.kind == "temporal" and (kind.is_lob)):
        return None
    default.at = at
    odd = default.introducer and default.kind == "string" and not default.text.isascii()
    if odd and (kind.is_lob or kind.is_json):
        raise unasked("a default of letters beyond ASCII with an introducer", at)
    return default
