"""From what a statement says to the Table that the server makes of it."""

from __future__ import annotations

from collections.abc import Callable

from schemacheck.catalog import (
    default_values,
    defaults,
    expression_rules,
    keyset,
    name_rules,
    naming,
    partitions,
    references,
    validate,
    versioning,
)
from schemacheck.catalog.charsets import resolve
from schemacheck.catalog.context import Context, drops_checks
from schemacheck.catalog.drafts import column_keys
from schemacheck.catalog.rowsize import LONGEST_ROW, row_bytes
from schemacheck.catalog.types import column_type
from schemacheck.dataclass import replace
from schemacheck.model.column_type import ColumnType
from schemacheck.model.quote import quoted, string
from schemacheck.model.table import DEFAULT_NULL, Check, Column, Default, DefaultKind, ForeignKey, Table
from schemacheck.sql.ddl.draft import (
    CheckDraft,
    ColumnDraft,
    Expr,
    ForeignDraft,
    KeyDraft,
    PartDraft,
    TableDraft,
)
from schemacheck.sql.lexer import Refused

_GIPK = Column(
    "my_row_id",
    ColumnType("bigint", unsigned=True, text="bigint unsigned"),
    nullable=False,
    auto_increment=True,
    invisible=True,
)


def table(
    draft: TableDraft,
    context: Context,
    text: str,
    database: str | None,
    find: Callable[[str | None, str], Table | None],
) -> Table:
    """The Table of a CREATE TABLE statement; `find` gives a table that is there before it. Raises Refused."""
    options = draft.options
    validate.names(draft, context)
    charset, collation = resolve(
        options.charset,
        options.collation,
        (context.charset, context.collation),
        context.server,
        options.charset_at,
    )
    columns = [item.made or column(item, context, charset, collation) for item in draft.columns]
    timestamps(draft.columns, columns, context)
    for foreign_key, made in zip(draft.columns, columns, strict=True):
        if foreign_key.made is None:
            validate.column(foreign_key, made, context)
    keys = sorted([*column_keys(draft.columns, context), *draft.keys], key=lambda key: key.span[0])
    versioning.check_keys(keys, columns, draft.name_at)
    primary = next((key for key in keys if key.kind == "primary"), None)
    if primary is not None:
        named = {part.column.casefold() for part in primary.parts if part.column}
        columns = [
            not_null(item, draft.columns[i], context) if item.name.casefold() in named else item
            for i, item in enumerate(columns)
        ]
    # SHOW CREATE TABLE writes it out.
    gipk = (
        context.server.has("gipk")
        and bool(columns)
        and columns[0] == _GIPK
        and primary is not None
        and len(primary.parts) == 1
    )
    if (
        primary is None
        and not any(key.kind == "unique" and _without_null(key, columns) for key in keys)
        and _generates_key(draft, options.engine, context)
    ):
        gipk = True
        columns.insert(0, _GIPK)
        keys.insert(0, KeyDraft("primary", [PartDraft("my_row_id")]))
    columns += versioning.columns(draft, columns, keys)
    foreign_keys = [
        *(
            ref
            for item in draft.columns
            for ref in item.references
            if context.server.has("ddl-inline-references")
        ),
        *draft.foreign_keys,
    ]
    checks = [*(check for item in draft.columns for check in column_checks(item, context)), *draft.checks]
    if drops_checks(context.server):
        checks = []
    # MariaDB's CHECKs and foreign keys share their names.
    taken = [item.name for item in foreign_keys] if context.server.mariadb and not draft.altered else []
    for element in checks:
        name_rules.check(element.name or "", element.span[0], blanks=True)
        name_rules.unused(element.name, taken, element.span[0])
        taken.append(element.name)
    if not context.server.mariadb:
        # As they are written; MariaDB's columns have theirs first.
        checks.sort(key=lambda entry: entry.span[0])
    engine = partitions.engine(options.partitioning, naming.engine(options.engine, context), context)
    if not columns and not draft.columns:
        raise Refused("a table must have at least one column", draft.name_at, 1113)
    context.row_format = options.row_format
    made_keys, hidden, order = keyset.settle(keys, foreign_keys, columns, engine or "InnoDB", context)
    columns += hidden
    expression_rules.check(draft, columns, made_keys, context, (charset, collation))
    foreign_keys = references.enforced(
        foreign_keys, engine or "InnoDB", checks, columns, context,
        partitioned=options.partitioning is not None,
    )  # fmt: skip
    for number, key in enumerate(foreign_keys if not draft.altered else ()):
        before = [item.name for item in foreign_keys[:number]]
        name_rules.unused(key.name, before, key.span[0])
    references.check(
        foreign_keys, columns, made_keys, context, (draft.database or database, draft.name), find,
        altered=draft.altered, in_place=draft.altered and not any(item.replaces for item in draft.columns),
    )  # fmt: skip
    if context.server.mariadb:
        versioning.check(draft, columns)
    validate.table(draft, columns, made_keys, engine or "InnoDB", context)
    whole = (
        partitions.settle(options.partitioning, columns, context)
        if options.partitioning is not None
        else None
    )
    sql = whole.sql if whole is not None else None
    written = (options.partitioning.written if options.partitioning else None) or sql
    validate.partitions(draft, whole, columns, made_keys, order, engine or "InnoDB", context)
    if (size := row_bytes(columns)) > LONGEST_ROW:
        raise Refused(f"the row is too large: {size} bytes, at most {LONGEST_ROW}", draft.name_at, 1118)
    told = [(check(c, context), c.column is not None) for c in checks]
    return Table(
        draft.name, tuple(columns), database, tuple(made_keys),
        tuple(naming.checks(draft.name, told, context, altered=draft.altered)),
        tuple(
            naming.foreign_keys(draft.name, [foreign(f, context, columns) for f in foreign_keys], context)
        ),
        engine=engine, charset=charset, collation=collation, gipk=gipk,
            partitioning=sql,
        system_versioned=options.system_versioned,
        location=context.location((draft.name_at, draft.name_end)), text=text,
        key_order=order,
        row_format=None if options.row_format == "DEFAULT" else options.row_format,
        options=tuple(sorted(options.written.items())), partition_sql=written,
    )  # fmt: skip


def _generates_key(draft: TableDraft, engine: str | None, context: Context) -> bool:
    """Whether the server adds a generated invisible primary key: to InnoDB tables only (recorded on 9.7)."""
    if (
        not context.server.has("gipk")
        or draft.altered
        or context.server.setting("sql_generate_invisible_primary_key").upper() not in ("ON", "1")
    ):
        return False
    return (naming.engine(engine, context) or "InnoDB") == "InnoDB"


def _without_null(key: KeyDraft, columns: list[Column]) -> bool:
    """Whether a unique key's columns are all NOT NULL: it serves as the primary key then."""
    nullable = {item.name.casefold() for item in columns if item.nullable}
    return all(
        part.column is not None and part.length is None and part.column.casefold() not in nullable
        for part in key.parts
    )


def not_null(entry: Column, draft: ColumnDraft | None, context: Context) -> Column:
    """A column of the primary key: NOT NULL, and no NULL default."""
    explicit = draft is not None and (
        draft.nullable is True or (draft.default is not None and draft.default.kind == "null")
    )
    if explicit and draft is not None and context.server.has("null-primary-key-refused"):
        raise Refused(f"column {entry.name!r} of the primary key is NULL", draft.span[0], 1171)
    default = None if entry.default == DEFAULT_NULL else entry.default
    if draft is not None and context.server.mariadb:
        defaults.not_null(draft, context)
    if default is None and entry.on_update and context.server.has("on-update-zero-default"):
        default = Default(DefaultKind.LITERAL, default_values.implicit(entry.type) or "")
    if (
        default is None
        and draft is not None
        and "primary" not in draft.keys
        and entry.nullable
        and not entry.auto_increment
        and entry.generated is None
        and context.server.has("primary-key-implicit-default")
    ):
        value = "" if entry.type.is_geometry else default_values.implicit(entry.type)
        default = Default(DefaultKind.LITERAL, value) if value is not None else None
    return replace(entry, nullable=False, default=default)


def timestamps(drafts: list[ColumnDraft], columns: list[Column], context: Context) -> None:
    """TIMESTAMP columns without explicit_defaults_for_timestamp: NOT NULL, and the first one sets itself."""
    if context.server.setting("explicit_defaults_for_timestamp").upper() in ("ON", "1"):
        return
    seen = False
    for index, (draft, item) in enumerate(zip(drafts, columns, strict=True)):
        if item.type.is_timestamp:
            if draft.made is None:
                columns[index] = _timestamp(draft, item, context, first=not seen)
            seen = True


def _timestamp(draft: ColumnDraft, entry: Column, context: Context, *, first: bool) -> Column:
    default = draft.default
    if default is not None and default.kind == "null" and draft.nullable is None:
        if not context.server.mariadb:
            raise Refused(f"column {entry.name!r} has an invalid default value", default.at, 1067)
        default = None
    made = entry
    if draft.nullable is None and not (draft.generated is not None and context.server.mariadb):
        made = replace(entry, nullable=False, default=None if default is None else entry.default)
    if default is not None or draft.generated is not None or draft.nullable is True:
        return made
    if first and draft.on_update is None:
        return replace(made, default=Default(DefaultKind.CURRENT_TIMESTAMP), on_update=True)
    zero = "0000-00-00 00:00:00" + ("." + "0" * entry.type.fraction if entry.type.fraction else "")
    if "NO_ZERO_DATE" in context.modes and context.strict:
        raise Refused(
            f"column {entry.name!r} has an invalid default value: TIMESTAMP without one is {zero}",
            draft.span[0],
            1067,
        )
    return replace(made, default=Default(DefaultKind.LITERAL, zero))


def column_checks(draft: ColumnDraft, context: Context) -> list[CheckDraft]:
    """A column's CHECKs; MariaDB's JSON is a LONGTEXT with one, which a finished column has or has lost."""
    if (
        draft.checks
        or draft.made is not None
        or draft.type_text.split(" ", 1)[0].lower() != "json"
        or not context.server.has("json-check")
    ):
        return draft.checks
    return [
        CheckDraft(
            Expr(f"json_valid({quoted(draft.name)})", draft.type_at), column=draft.name, span=draft.span
        )
    ]


def check(draft: CheckDraft, context: Context) -> Check:
    """The Check of a definition."""
    return Check(
        expression_rules.printed(draft.expression.text, context),
        draft.name or (draft.column if context.server.mariadb else "") or "",
        draft.enforced,
        location=draft.location or context.location(draft.span),
    )


def foreign(draft: ForeignDraft, context: Context, columns: list[Column]) -> ForeignKey:
    """The ForeignKey of a definition. Its key's name is its own to MariaDB (asked of 10.11 and 11.8)."""
    name = draft.name or (draft.index_name if context.server.mariadb else None)
    named = {item.name.casefold(): item.name for item in columns}
    other = None if draft.ref_database == context.database else draft.ref_database
    return ForeignKey(
        tuple(named.get(text.casefold(), text) for text in draft.columns),
        draft.ref_table, tuple(draft.ref_columns), other, draft.on_delete,
        draft.on_update,
        name or "", location=draft.location or context.location(draft.span),
    )  # fmt: skip


def column(draft: ColumnDraft, context: Context, charset: str | None, collation: str | None) -> Column:
    """The Column of a definition. Raises Refused."""
    location = context.location(draft.span)
    kind = column_type(draft, context, charset, collation)
    if draft.converted is not None and (kind.is_character or kind.is_blob):
        why = f"what CONVERT TO makes of {draft.name!r}, which the same statement defines, is not known"
        raise Refused(why, draft.type_at)
    serial = draft.type_text.lower().startswith("serial")
    valued = draft.default is not None or draft.on_update is not None or draft.generated is not None
    if serial and (valued or draft.nullable is True):
        why = "what a server makes of SERIAL beside these attributes is not known"
        raise Refused(why, draft.span[0])
    auto = draft.auto_increment or serial
    nullable = draft.nullable is not False and (not auto or draft.null_last)
    expression = expression_rules.printed(draft.expression.text, context) if draft.expression else None
    default: Default | None = None
    if draft.default is not None:
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
