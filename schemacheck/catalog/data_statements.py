"""Whether a change of rows or a query of a script runs: its tables, columns and functions are there.

What its rows do (a duplicate, a value that does not fit) is not looked at: it is taken to run, and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from schemacheck.catalog.name_rules import folded
from schemacheck.catalog.state import Catalog
from schemacheck.model import Table
from schemacheck.sql import query_tree, words
from schemacheck.sql.lexer import Refused, Tokens
from schemacheck.sql.statements import dml
from schemacheck.sql.statements.names import find, plain
from schemacheck.sql.statements.value import DML
from schemacheck.sql.words import Name


def check(t: Tokens, text: str, catalog: Catalog) -> None:
    """Read an INSERT, REPLACE, UPDATE, DELETE, SELECT or DO, whose words are `t`. Raises Refused where
    something that it names is not known, and where it is more than values and rows of one table.
    """
    head = t.peek()
    value = dml.parse(t, text)
    if value.problems or value.verb not in DML - {"load"}:
        raise Refused("its query is not read", 0, code="SC001")
    if value.verb == "select" and "INTO" in t.words:
        raise Refused("where its rows go is not read", 0, code="SC001")
    t.at = 0
    tree = query_tree.parse(f"SELECT {plain(t, 1)}" if head == "DO" else plain(t))
    if tree is None:
        raise Refused("its columns are not read", 0, code="SC001")
    target, read = value.refs[: value.verb != "select"], value.refs[value.verb != "select" :]
    refs = (*target, *(ref for ref in read if ref.database or ref.name.upper() != "DUAL"))
    if value.verb not in ("insert", "select") or len(value.refs) - len(refs) != t.words.count("DUAL"):
        refs = value.refs
    tables = [_table(catalog, (ref.database, ref.name)) for ref in refs]
    seen = refs[1:] if value.verb == "insert" and "DUPLICATE" not in t.words else refs
    names = frozenset((ref.alias or ref.name).casefold() for ref in seen)
    if why := query_tree.unfollowed(tree, names):
        raise Refused(why, 0, code="SC001")
    copied = query_tree.copied(tree)
    there = {c.name.casefold() for table in (tables[1:] if copied else tables) for c in table.columns}
    given = tuple(name for clause, name in value.needs.columns if clause == "insert") if value.needs else ()
    named = {
        (ref.alias or ref.name).casefold(): {column.name.casefold() for column in table.columns}
        for ref, table in zip(refs, tables, strict=True)
    }
    for qualifier, name in query_tree.columns(copied or tree):
        if name.casefold() not in named.get(qualifier.casefold(), there):
            raise Refused(f"column {name!r} is not known", 0, code="SC001")
    if value.verb in ("insert", "replace"):
        counts = query_tree.widths(tree)
        if copied and counts is None and len(tables) > 1:
            counts = frozenset((sum(not column.invisible for column in tables[1].columns),))
        if counts is None or value.needs is None:
            raise Refused("its rows are not read", 0, code="SC001")
        _fits(tables[0], given, counts)


def of_view(t: Tokens, catalog: Catalog) -> str:
    """Why a CREATE VIEW may be refused: its query is not read, or names what is not known; '' for nothing."""
    t.at = 0
    find(t, "AS")
    if any(word.startswith("@") for word in t.words[t.at :]):
        return "it reads a variable"
    stored = {name[1] for _, name in catalog.routines}
    for _, function in dml.query(t, t.at, "").calls:
        if function.casefold() not in stored:
            return f"function {function!r} is not known"
    tree = query_tree.parse(query_tree.without_check_option(plain(t, t.at)))
    if tree is None:
        return "its query is not read"
    made, tables = query_tree.tables(tree)
    names, all_known = set[str](), True
    for database, table in tables:
        key = catalog.key(database or catalog.database, table)
        if table.casefold() in made or key in catalog.failed:
            all_known = False
        elif key not in catalog.tables:
            return f"table {table!r} is not known"
        else:
            shown = catalog.tables[key].view_columns
            names |= {text.casefold() for text in shown or (c.name for c in catalog.tables[key].columns)}
            all_known &= bool(shown or catalog.tables[key].columns)
    missing = (
        [name for _, name in query_tree.columns(tree) if name.casefold() not in names] if all_known else []
    )
    return f"column {missing[0]!r} is not known" if missing else ""


def rows_of_literals(text: str, catalog: Catalog) -> bool:
    """Whether it inserts rows of literals, as dumps do, each with a value for every column that it names.
    Raises Refused where the table, a column or a value is missing.
    """
    rows = words.literal_rows(text)
    if rows is None:
        return False
    _fits(_table(catalog, (None, rows.table)), rows.columns, rows.values)
    return True


def _fits(table: Table, given: tuple[str, ...], counts: frozenset[int]) -> None:
    """Raises Refused where rows of so many values do not fill the table, or the `given` columns."""
    there, named = {column.name.casefold() for column in table.columns}, set(map(str.casefold, given))
    if len(named) < len(given):
        raise Refused("a column is named twice", 0, code="SC001")
    if missing := named - there:
        raise Refused(f"column {min(missing)!r} is not known", 0, code="SC001")
    for column in table.columns if given else ():
        if not (column.has_default or column.name.casefold() in named):
            raise Refused(f"column {column.name!r} has no default", 0, code="SC001")
    visible = sum(not column.invisible for column in table.columns)
    if counts - {0} and counts != {len(given) or visible}:
        raise Refused("a row has other values than there are columns", 0, code="SC001")


def _table(catalog: Catalog, name: Name) -> Table:
    """A table that is there. Raises Refused for another."""
    key = catalog.key(name[0] or catalog.database, name[1])
    if key in catalog.tables:
        return catalog.tables[key]
    raise Refused(f"table {name[1]!r} is not known", 0, code="SC001")


def view_names(t: Tokens, columns: Callable[[str, str], Iterable[str] | None]) -> tuple[str, ...] | None:
    """The names of the columns of a view, whose query `t` has, with its column list in front where it has
    one; None where they are not known. `columns` are those of (database or "", table), None as well. Raises
    Refused: 1060 where one is there twice, without a number where list and query may have another number.
    """
    at = t.starts[t.at]
    given = _listed(t)
    tree = query_tree.parse(query_tree.without_check_option(plain(t, t.at)))
    shown = query_tree.shown(tree, columns) if tree is not None else None
    if given and (shown is None or len(given) != len(shown)):
        why = "whether the query has as many columns as the view's list is not known here"
        raise Refused(why if shown is None else f"the query has {len(shown)} columns", at)
    result = given or shown or []
    if not all(result):
        return None
    seen: set[str] = set()
    for name in result:
        if folded(name) in seen:
            raise Refused(f"column {name!r} is there twice", at, 1060, name=name)
        seen.add(folded(name))
    return tuple(result) or None


def _listed(t: Tokens) -> list[str]:
    """The names of the column list in front of the query, which `t` goes to; none without one."""
    result: list[str] = []
    if t.peek() == "(" and t.peek(1) not in ("(", "SELECT", "WITH", "VALUES", "TABLE"):
        while t.take_any("(", ","):
            result.append(t.name())
        t.need(")")
        t.take("AS")
    return result
