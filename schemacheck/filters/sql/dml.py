"""Data manipulation through sqlglot: targets, read tables and functions of INSERT ... SELECT, joins and
subqueries.

The server's own grammar decides the head (modifiers that sqlglot does not know are taken off); sqlglot
reads what follows. Where it cannot, the target that the head names still stands, and a problem says
that read tables and functions are not known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck import knowledge
from schemacheck.filters.sql.lexer import Cursor
from schemacheck.filters.sql.statement import Name, Needs, Ref, Statement
from schemacheck.sql import query_tree

if TYPE_CHECKING:
    from sqlglot import exp

_MODIFIERS = ("LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED", "QUICK", "IGNORE", "CONCURRENT", "LOCAL")


def analyse(text: str) -> Statement:
    """A DML statement or a query."""
    cursor = Cursor(text)
    head = cursor.peek()
    if head == "LOAD":
        return _load(cursor)
    if head in ("INSERT", "REPLACE"):
        return _insert(cursor, head.lower())
    if head == "DO":
        return _query("SELECT " + text[cursor.items[0].end :], text, "do")
    if head == "WITH":
        depth, verb = 0, "SELECT"
        for token in cursor.items:
            depth += (token.text == "(") - (token.text == ")")
            if depth == 0 and token.upper in ("UPDATE", "DELETE", "SELECT"):
                verb = token.upper
                break
        if verb == "SELECT":
            return _query(text, text, "select")
        return _update(text, text) if verb == "UPDATE" else _delete(text, text)
    if head in ("UPDATE", "DELETE"):
        cursor.at = 1
        seen = cursor.skip(*_MODIFIERS)
        if cursor.peek(1) == "FROM":
            cursor.take("HISTORY")
        clean = f"{head} {cursor.rest()}"
        unsafe = (f"{head} IGNORE",) if "IGNORE" in seen else ()
        return (
            _update(clean, text, unsafe) if head == "UPDATE" else _delete(_without_stars(clean), text, unsafe)
        )
    return _query(text, text, "select")


def _load(cursor: Cursor) -> Statement:
    text = cursor.text
    if not cursor.find("INTO") or not (cursor.take("TABLE") or cursor.take("TABLES")):
        return Statement(text, "unknown", problems=(f"no table is named in {text[:60]!r}",))
    name = cursor.name()
    refs = (Ref(*name, updated=True),) if name else ()
    return Statement(text, "load", refs, unsafe=("LOAD DATA",))


def _insert(cursor: Cursor, verb: str) -> Statement:
    cursor.at = 1
    text = cursor.text
    seen = cursor.skip(*_MODIFIERS)
    cursor.take("INTO")
    rest = cursor.rest()
    name = cursor.name()
    if name is None:
        return Statement(text, "unknown", problems=(f"no table is named in {text[:60]!r}",))
    target = Ref(*name, updated=True)
    words = {token.upper for token in cursor.items}
    unsafe = ["INSERT DELAYED"] if "DELAYED" in seen else []
    if "SELECT" in words and (verb == "replace" or "IGNORE" in seen or "DUPLICATE" in words):
        unsafe.append(f"{verb.upper()} ... SELECT that may keep or replace rows")
    tree = query_tree.parse(f"INSERT INTO {rest}")
    unsafe += _functions_unsafe(text)
    if tree is None:
        problem = (
            "sqlglot does not read this statement: tables that it reads and functions that it calls "
            "are not known"
        )
        return Statement(text, verb, (target,), unsafe=tuple(unsafe), problems=(problem,))
    return Statement(
        text,
        verb,
        (target, *_tables(tree)[1:]),
        calls=_calls(tree),
        unsafe=tuple(unsafe) + _limited(tree),
        needs=_needs(tree),
    )


def _query(clean: str, text: str, verb: str) -> Statement:
    tree = query_tree.parse(_plain_joins(clean))
    if tree is None:
        problems = (
            ("sqlglot does not read this query: functions that it calls are not known",)
            if "(" in text
            else ()
        )
        return Statement(text, verb, calls=_called(text), problems=problems)
    return Statement(
        text,
        verb,
        tuple(_tables(tree)),
        calls=_calls(tree),
        unsafe=tuple(_functions_unsafe(text)),
        needs=_needs(tree),
    )


def _update(clean: str, text: str, unsafe: tuple[str, ...] = ()) -> Statement:
    from sqlglot import exp

    tree = query_tree.parse(_plain_joins(clean))
    unsafe += tuple(_functions_unsafe(text))
    if not isinstance(tree, exp.Update):
        return _one_target(clean, text, "update", unsafe)
    top = _from_list(tree.this)
    if len(top) == 1:
        refs = [Ref(r.database, r.name, updated=i == 0, alias=r.alias) for i, r in enumerate(_tables(tree))]
        return Statement(
            text,
            "update",
            tuple(refs),
            calls=_calls(tree),
            unsafe=unsafe + _limited(tree),
            needs=_needs(tree),
        )
    columns = [e.this for e in tree.expressions if isinstance(e, exp.EQ) and isinstance(e.this, exp.Column)]
    named = [(column.db or None, column.table) for column in columns if column.table]
    bare = tuple(column.name for column in columns if not column.table)
    refs, listed = [], _tables(tree)
    meant = _meant(listed, tuple(named))
    for position, ref in enumerate(listed):
        chosen: bool | None = position in meant
        if not chosen and bare:
            chosen = None
        refs.append(Ref(ref.database, ref.name, updated=chosen if ref in top else False, alias=ref.alias))
    return Statement(
        text, "update-multi", tuple(refs), calls=_calls(tree), unsafe=unsafe + _limited(tree), columns=bare
    )


def _delete(clean: str, text: str, unsafe: tuple[str, ...] = ()) -> Statement:
    from sqlglot import exp

    tree = query_tree.parse(_plain_joins(clean))
    unsafe += tuple(_functions_unsafe(text))
    if not isinstance(tree, exp.Delete):
        return _one_target(clean, text, "delete", unsafe)
    using = tree.args.get("using") or []
    targets = [_ref(t) for t in tree.args.get("tables") or []] or (_from_list(tree.this) if using else [])
    if not targets:
        refs = [Ref(r.database, r.name, updated=i == 0, alias=r.alias) for i, r in enumerate(_tables(tree))]
        return Statement(
            text,
            "delete",
            tuple(refs),
            calls=_calls(tree),
            unsafe=unsafe + _limited(tree),
            needs=_needs(tree),
        )
    # sqlglot keeps the targets before the table list: in `tables`, or with USING as the table itself
    order = _tables(tree)[len(targets) :]
    names = tuple((t.database, t.name) for t in targets)
    chosen = _meant(order, names)
    refs = [Ref(r.database, r.name, updated=i in chosen, alias=r.alias) for i, r in enumerate(order)]
    return Statement(
        text, "delete-multi", tuple(refs), calls=_calls(tree), targets=names, unsafe=unsafe + _limited(tree)
    )


def _needs(tree: exp.Expression) -> Needs | None:
    from sqlglot import exp

    from schemacheck.filters.sql import needs

    if isinstance(tree, exp.Insert):
        return needs.of_insert(tree)
    if isinstance(tree, exp.Update):
        return needs.of_update(tree)
    if isinstance(tree, exp.Delete):
        return needs.of_delete(tree)
    return needs.of_query(tree) if isinstance(tree, exp.Select) else None


def _one_target(clean: str, text: str, verb: str, unsafe: tuple[str, ...]) -> Statement:
    """An UPDATE or DELETE that sqlglot does not read: its head still tells the target where it is of one
    table.
    """
    cursor = Cursor(clean)
    cursor.at = 1
    cursor.take("FROM")
    name = cursor.name()
    ending = ("SET",) if verb == "update" else ("WHERE", "BEFORE", "ORDER", "LIMIT", "RETURNING", "FOR")
    between = []
    while not cursor.done and cursor.peek() not in ending:
        between.append(cursor.peek())
        cursor.at += 1
    if name is None or any(word in (",", "JOIN", "USING", "FROM", "STRAIGHT_JOIN") for word in between):
        return Statement(
            text,
            "unknown",
            problems=(f"sqlglot does not read this {verb.upper()}: which tables it changes is not known",),
        )
    problem = (
        "sqlglot does not read this statement: tables that it reads and functions that it calls are not known"
    )
    return Statement(text, verb, (Ref(*name, updated=True),), unsafe=unsafe, problems=(problem,))


def _plain_joins(text: str) -> str:
    """STRAIGHT_JOIN and `{OJ ...}` as sqlglot reads them."""
    pieces, last, before = [], 0, ""
    for token in Cursor(text).items:
        swap = {"STRAIGHT_JOIN": "JOIN", "{": "", "}": "", "OJ": "" if before == "{" else None}.get(
            token.upper
        )
        if swap is not None and before != "SELECT":
            pieces += [text[last : token.start], swap]
            last = token.end
        before = token.upper
    return "".join([*pieces, text[last:]])


def _meant(refs: list[Ref], names: tuple[Name, ...]) -> set[int]:
    """Positions in the table list that qualifiers (database or None, table or alias) mean.

    Exactly written ones first; where there is none, without case (lower_case_table_names).
    """
    found: set[int] = set()
    for database, table in names:
        exact = {i for i, ref in enumerate(refs) if _same(ref, database, table)}
        found |= exact or {
            i
            for i, ref in enumerate(refs)
            if _same(_folded(ref), database and database.casefold(), table.casefold())
        }
    return found


def _folded(ref: Ref) -> Ref:
    return Ref(
        ref.database and ref.database.casefold(), ref.name.casefold(), ref.updated, ref.alias.casefold()
    )


def _same(ref: Ref, database: str | None, table: str) -> bool:
    """Whether a qualifier names this entry: by its alias if it has one, else by its name."""
    if ref.alias:
        return database is None and table.casefold() == ref.alias.casefold()
    return table == ref.name and (database is None or ref.database is None or database == ref.database)


def _ref(table: exp.Table) -> Ref:
    return Ref(table.db or None, table.name, updated=False, alias=table.alias)


def _tables(tree: exp.Expression) -> list[Ref]:
    """All tables in the order of the text, without names of common table expressions."""
    from sqlglot import exp

    common = {cte.alias.casefold() for cte in tree.find_all(exp.CTE)}
    return [
        _ref(node)
        for node in tree.dfs()
        if isinstance(node, exp.Table)
        and isinstance(node.this, exp.Identifier)
        and (node.db or node.name.casefold() not in common)
    ]


def _from_list(table: exp.Expression) -> list[Ref]:
    """The tables of a FROM or UPDATE clause itself, not those of subqueries in it."""
    from sqlglot import exp

    nodes = table.dfs(prune=lambda n: isinstance(n, (exp.Select, exp.SetOperation)))
    return [
        _ref(node) for node in nodes if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier)
    ]


def _calls(tree: exp.Expression) -> tuple[Name, ...]:
    """Functions that are not built in."""
    from sqlglot import exp

    found: list[Name] = []
    for node in tree.dfs():
        if not isinstance(node, exp.Anonymous):
            continue
        parent = node.parent
        database = parent.this.name if isinstance(parent, exp.Dot) and parent.expression is node else None
        if database is not None or not _built_in(str(node.this)):
            found.append((database, str(node.this)))
    return tuple(dict.fromkeys(found))


def _built_in(name: str) -> bool:
    upper = name.upper()
    return upper in _words("builtin_functions") or upper.startswith(tuple(_words("builtin_prefixes")))


def _called(text: str) -> tuple[Name, ...]:
    """Functions by their look, for a query that sqlglot does not read: `db.name(`."""
    items = Cursor(text).items
    found: list[Name] = [
        (items[i].name, items[i + 2].name or "")
        for i in range(len(items) - 3)
        if items[i].name and items[i + 1].text == "." and items[i + 3].text == "("
    ]
    return tuple(dict.fromkeys(found))


def _limited(tree: exp.Expression) -> tuple[str, ...]:
    from sqlglot import exp

    return ("LIMIT",) if tree.find(exp.Limit) else ()


def _functions_unsafe(text: str) -> list[str]:
    """Functions and system variables whose value differs on the replica, as `NAME()`, `@@name`."""
    cursor = Cursor(text)
    unsafe = _words("unsafe_functions")
    found = [
        f"{a.upper}()"
        for a, b in zip(cursor.items, cursor.items[1:], strict=False)
        if b.text == "(" and a.upper in unsafe
    ]
    found += [t.upper for t in cursor.items if t.upper in ("CURRENT_USER", "CURRENT_ROLE")]
    safe = _words("safe_variables")
    found += [
        t.text
        for t in cursor.items
        if t.text.startswith("@@") and t.text[2:].rpartition(".")[2].upper() not in safe
    ]
    return list(dict.fromkeys(found))


def _words(name: str) -> frozenset[str]:
    return frozenset(knowledge.load("filters")[name])


def _without_stars(text: str) -> str:
    """`DELETE a.*, b.* FROM` as `DELETE a, b FROM`, which sqlglot reads."""
    cursor = Cursor(text)
    pieces, last = [], 0
    for dot, star in zip(cursor.items, cursor.items[1:], strict=False):
        if dot.text == "." and star.text == "*":
            pieces.append(text[last : dot.start])
            last = star.end
    return "".join([*pieces, text[last:]])
