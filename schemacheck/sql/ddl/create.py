"""The grammar of CREATE TABLE."""

from __future__ import annotations

from schemacheck.sql.ddl import key as keys
from schemacheck.sql.ddl import options, partition
from schemacheck.sql.ddl.column import column
from schemacheck.sql.ddl.draft import CheckDraft, ColumnDraft, ForeignDraft, KeyDraft, TableDraft
from schemacheck.sql.flavor import Flavor
from schemacheck.sql.lexer import Refused, Tokens

#: More columns than any server's table: refused before they cost time.
MAX_COLUMNS = 4096


def table_name(t: Tokens, flavor: Flavor) -> tuple[str | None, str]:
    """`name` or `database.name`."""
    name = t.name(flavor.reserved)
    if t.take("."):
        return name, t.name()
    return None, name


def create_table(t: Tokens, flavor: Flavor) -> TableDraft:
    """CREATE [OR REPLACE] [TEMPORARY] TABLE ... to the end of the statement."""
    t.need("CREATE")
    or_replace = flavor.mariadb and t.take("OR", "REPLACE")
    temporary = t.take("TEMPORARY")
    t.need("TABLE")
    exists = t.take("IF", "NOT", "EXISTS")
    at = t.offset()
    if or_replace and exists:
        raise Refused("OR REPLACE and IF NOT EXISTS exclude each other", at, 1221, code="SC001")
    database, name = table_name(t, flavor)
    out = TableDraft(
        name,
        database,
        name_is_astral="?" in name and not t.text[at:].lstrip("`").startswith(name),
        temporary=temporary,
        if_not_exists=exists,
        or_replace=or_replace,
        name_at=at,
        name_end=t.last_end(),
    )
    if t.take("LIKE"):
        out.like = table_name(t, flavor)
    elif t.peek() == "(" and t.peek(1) == "LIKE":
        t.at += 2
        out.like = table_name(t, flavor)
        t.need(")")
    else:
        _body(t, flavor, out)
    if not t.end:
        raise t.fail()
    return out


def _body(t: Tokens, flavor: Flavor, out: TableDraft) -> None:
    if t.peek() == "(" and t.peek(1) not in ("SELECT", "WITH", "(", "VALUES"):
        t.at += 1
        while True:
            element(t, flavor, out)
            if t.take(","):
                continue
            t.need(")")
            break
    options.options(t, flavor, out.options)
    out.options.partitioning = partition.partitioning(t, flavor)
    if t.take_any("IGNORE", "REPLACE"):
        pass
    before = t.at
    t.take("AS")
    if t.peek() in ("SELECT", "WITH", "(", "VALUES", "TABLE"):
        out.query = t.at
        t.at = t.size
    elif t.at != before:
        raise t.fail("a query is expected")


def element(t: Tokens, flavor: Flavor, out: TableDraft) -> None:
    """One column, key, constraint or period."""
    if keys.starts(t, flavor):
        key = keys.constraint(t, flavor)
        if isinstance(key, KeyDraft):
            out.keys.append(key)
        elif isinstance(key, CheckDraft):
            out.checks.append(key)
        elif isinstance(key, ForeignDraft):
            out.foreign_keys.append(key)
    elif flavor.system_versioning and t.peek() == "PERIOD" and t.peek(1) == "FOR":
        raise Refused("a PERIOD is not followed: only a server can tell", t.offset())
    else:
        found_column: ColumnDraft = column(t, flavor)
        out.columns.append(found_column)
        out.options.system_versioned = out.options.system_versioned or found_column.versioned
        if len(out.columns) > MAX_COLUMNS:
            raise t.fail(f"more than {MAX_COLUMNS} columns")
