"""Defaults in one spelling: the value that the column would hold, as the server prints it."""

from __future__ import annotations

import re

from schemacheck.catalog import expression_rules, expression_text
from schemacheck.catalog.constant import NotComputed
from schemacheck.catalog.constant_fits import fits
from schemacheck.catalog.constant_moments import assumed
from schemacheck.catalog.constant_value import compute
from schemacheck.catalog.context import Context
from schemacheck.catalog.default_values import literal
from schemacheck.model.column_type import ColumnType
from schemacheck.model.expression import columns as columns_of
from schemacheck.model.quote import string
from schemacheck.model.table import DEFAULT_NULL, Default, DefaultKind
from schemacheck.sql import characters
from schemacheck.sql.ddl.draft import ColumnDraft, DefaultDraft
from schemacheck.sql.ddl.literal import literal_of
from schemacheck.sql.expression_words import called
from schemacheck.sql.lexer import Refused

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
    if kind.is_text or kind.is_blob or kind.is_geometry or kind.base in ("json", "vector"):
        if not context.server.has("ddl-blob-default"):
            empty = written.text == "" and not context.strict and written.kind == "string"
            shape = kind.is_geometry or kind.base == "json"
            if empty and not (shape and context.server.has("data-dictionary")):
                if draft.nullable is not False:
                    return DEFAULT_NULL
                # MySQL 5.6 shows what a geometry has; a BLOB has as much (get_field_default_value).
                return Default(DefaultKind.LITERAL, "") if kind.is_geometry else None
            raise Refused(
                f"column {draft.name!r}: a {kind} column takes no literal as DEFAULT",
                written.at,
                "SC002",
                1101,
            )
        if (
            kind.is_geometry
            and context.server.has("empty-geometry")
            and (written.kind, written.text) == ("string", "")
        ):
            return Default(DefaultKind.LITERAL, "")
        if kind.is_geometry or kind.base == "vector":
            raise _invalid(draft, written)
    if written.kind == "temporal" and context.server.mariadb and (kind.is_text or kind.is_blob):
        # What a BLOB has by default is no value but an expression.
        return Default(DefaultKind.EXPRESSION, f"{written.introducer}{string(written.text)}")
    value = literal(written, kind, context)
    if value is None:
        raise _invalid(draft, written)
    return Default(DefaultKind.LITERAL, value)


def not_null(draft: ColumnDraft, context: Context) -> None:
    """Refuse a default that MariaDB computes to NULL, of a column that the primary key makes NOT NULL."""
    written = draft.default
    if written is None or written.expression is None or draft.made is not None:
        return
    bare = characters.strip(characters.strip(written.expression.text).strip("()"))
    try:
        value = compute(written.expression.text, context.modes).value
    except NotComputed:
        return
    if value is None and (bare.upper() != "NULL" or "primary" in draft.keys):
        raise _invalid(draft, written)


def _invalid(draft: ColumnDraft, written: DefaultDraft) -> Refused:
    why = f"column {draft.name!r} has an invalid default value"
    if re.match(r"0+\b|\d{4}-0*0-|\d{4}-\d+-0+\b", written.text, re.ASCII):
        why += (
            " under this sql_mode (if NO_ZERO_DATE and NO_ZERO_IN_DATE are not set there, give the "
            "server's sql_mode)"
        )
    return Refused(why, written.at, "SC002", 1067)


def _now(draft: ColumnDraft, written: DefaultDraft, kind: ColumnType, context: Context) -> Default:
    digits = int(written.text or 0)
    if context.flavor.bare_default:
        if written.introducer == "localtime" and context.server.has("localtime-is-a-time"):
            return Default(DefaultKind.EXPRESSION, f"curtime({digits or ''})")
        if kind.base in ("timestamp", "datetime"):
            return Default(DefaultKind.CURRENT_TIMESTAMP)
        return Default(DefaultKind.EXPRESSION, f"now({digits or ''})")
    if (
        kind.base not in ("timestamp", "datetime")
        or digits != kind.fraction
        or (kind.base == "datetime" and not context.server.has("datetime-now"))
    ):
        raise _invalid(draft, written)
    return Default(DefaultKind.CURRENT_TIMESTAMP)


def _expression(draft: ColumnDraft, written: DefaultDraft, kind: ColumnType, context: Context) -> Default:
    assert written.expression is not None
    text = expression_text.printed(written.expression.text, context)
    if context.flavor.bare_default:
        # MariaDB keeps a literal in parentheses as a literal, and NOW() as CURRENT_TIMESTAMP.
        simple = _constant(written.expression.text, kind, written.at) or _constant(text, kind, written.at)
        if simple is not None:
            return canonical(_with(draft, simple), kind, context) or DEFAULT_NULL
        _computed(draft, written, text, kind, context)
        if kind.base in ("timestamp", "datetime") and _NOW.match(text):
            return Default(DefaultKind.CURRENT_TIMESTAMP)
    return Default(DefaultKind.EXPRESSION, text)


def _with(draft: ColumnDraft, default: DefaultDraft) -> ColumnDraft:
    return ColumnDraft(
        draft.name, draft.type_text, draft.nullable, default, span=draft.span, type_at=draft.type_at
    )


def in_parentheses(written: DefaultDraft) -> DefaultDraft:
    """A default that ALTER COLUMN gives: MySQL takes a literal in parentheses for the literal, but for one
    with a minus (asked of 9.7).
    """
    if written.expression is None:
        return written
    bare = _bare(written.expression.text)
    found = literal_of(bare) if not bare.startswith("-") else None
    if found is None:
        return written
    found.at = written.at
    return found


def _bare(text: str) -> str:
    """A text without the parentheses around all of it; one that is no single operand is no matter here."""
    bare = characters.strip(text)
    while bare.startswith("(") and bare.endswith(")"):
        bare = characters.strip(bare[1:-1])
    return bare


def _constant(text: str, kind: ColumnType, at: int) -> DefaultDraft | None:
    """A literal that stood in parentheses."""
    found = literal_of(_bare(text))
    if found is None or (found.kind == "temporal" and (kind.is_text or kind.is_blob)):
        return None
    found.at = at
    if found.introducer and found.kind == "string" and (kind.is_text or kind.is_blob or kind.base == "json"):
        found.text = expression_text.escaped(found.text, found.introducer)
    return found


#: Functions that give an address or a UUID.
_GIVE = {
    "uuid": frozenset(("uuid", "sys_guid", "uuid_v4", "uuid_v7")),
    "inet4": frozenset(("inet_ntoa", "inet6_ntoa")),
    "inet6": frozenset(("inet6_ntoa", "inet6_aton")),
}


#: What makes a shape: a function of its name, or a text that begins with it.
_SHAPE = re.compile(
    r"(point|linestring|polygon|multipoint|multilinestring|multipolygon)\(|st_geometryfromtext\('\s*([a-z]+)",
    re.IGNORECASE | re.ASCII,
)


def shape(text: str) -> str | None:
    """The type of the shape that an expression makes, by how it begins; None for others."""
    found = _SHAPE.match(text)
    return None if found is None else (found[1] or found[2]).lower()


def _computed(
    draft: ColumnDraft, written: DefaultDraft, text: str, kind: ColumnType, context: Context
) -> None:
    """MariaDB computes a constant expression when it makes the table: what does not fit is refused (1067,
    1366). Raises Refused.
    """
    assert written.expression is not None
    moving = expression_rules.of_session(written.expression.text)
    name = shape(text) if kind.is_geometry else None
    if name is not None and not moving and not columns_of(written.expression.text, context.modes):
        if _is_null(written, context):
            if draft.nullable is False or "primary" in draft.keys:
                raise _invalid(draft, written)
        elif kind.base not in {name, "geometry", "geometrycollection"}:
            raise Refused(f"column {draft.name!r}: a {name} is no {kind.base}", written.at, "SC002", 1366)
    if kind.is_geometry or moving:
        # What a session decides is computed for each row.
        return
    try:
        refused = _is_refused(draft, written, kind, context)
    except (NotComputed, ArithmeticError):
        # Numbers of more digits than are computed here.
        if not _fits_on_any_day(draft, written, kind, context):
            _not_known(draft, written, text, kind, context)
        return
    if refused:
        raise _invalid(draft, written)


def _is_refused(draft: ColumnDraft, written: DefaultDraft, kind: ColumnType, context: Context) -> bool:
    """Whether a column does not take the value of a constant. Raises NotComputed and ArithmeticError."""
    assert written.expression is not None
    found = compute(written.expression.text, context.modes)
    # A BLOB is not filled; a NULL is kept where the column takes it.
    if found.value is None:
        return draft.nullable is False or "primary" in draft.keys
    return not (kind.is_blob or kind.is_text) and not fits(found, kind, context)


#: A Sunday, the last day of a leap February, ends of years: a number or a moment that fits on these does on
#: every day between the first and the last of them.
_SOME_DAYS = (
    "2005-06-15",
    "2023-01-01",
    "2024-02-29",
    "2024-10-31",
    "2024-12-29",
    "2025-12-31",
    "2037-06-15",
)
#: What is asked of the TIME itself.
_OF_TIME = frozenset(("hour", "minute", "second", "microsecond", "extract"))


def _fits_on_any_day(draft: ColumnDraft, written: DefaultDraft, kind: ColumnType, context: Context) -> bool:
    """Whether a column takes a constant that depends on the day of the statement."""
    assert written.expression is not None
    if kind.members or "ZERO_DATE_TIME_CAST" in context.server.setting("old_mode").upper():
        return False
    if not _OF_TIME.isdisjoint(called(written.expression.text)):
        return False
    try:
        for day in _SOME_DAYS:
            with assumed(day):
                if _is_refused(draft, written, kind, context):
                    return False
    except (NotComputed, ArithmeticError):
        return False
    return True


def _is_null(written: DefaultDraft, context: Context) -> bool:
    """Whether a constant is NULL; False where it is not computed here."""
    assert written.expression is not None
    try:
        return compute(written.expression.text, context.modes).value is None
    except (NotComputed, ArithmeticError):
        return False


def _not_known(
    draft: ColumnDraft, written: DefaultDraft, text: str, kind: ColumnType, context: Context
) -> None:
    """Raise Refused for a constant whose value is not computed here, where the column could refuse it."""
    assert written.expression is not None
    if kind.is_blob or kind.is_text or columns_of(written.expression.text, context.modes):
        return
    if called(text) & _GIVE.get(kind.base, frozenset()) or "@" in re.sub(r"'[^']*'", "", text):
        # A variable is read for each row.
        return
    why = f"whether column {draft.name!r} takes its default is not known: give the value as a literal"
    raise Refused(why, written.at, "SC002") from None
