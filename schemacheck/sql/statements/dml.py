"""Queries and data manipulation: targets, tables that are read, and functions.

The server's own grammar decides the head (modifiers that sqlglot does not know are left out); sqlglot's
parser reads what follows, in a spelling that does not hang on sql_mode. Where it cannot, the target that the
head names is known all the same, and a problem says that the tables that it reads and its functions are not.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from schemacheck import knowledge
from schemacheck.dataclass import replace
from schemacheck.sql import query_tree
from schemacheck.sql.lexer import Tokens
from schemacheck.sql.statements.names import find, name, plain, skip
from schemacheck.sql.statements.value import DataStatement, Lookup, Name, Needs, Ref, Statement

if TYPE_CHECKING:
    from sqlglot import exp

_MODIFIERS = ("LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED", "QUICK", "IGNORE", "CONCURRENT", "LOCAL")
_UNREAD = (
    "sqlglot does not read this statement: tables that it reads and functions that it calls are not known"
)


def parse(t: Tokens, text: str) -> Statement:
    """A DML statement or a query. `text` is the statement as written."""
    t.at = 0
    head = t.peek()
    if head == "LOAD":
        return _load(t, text)
    if head in ("INSERT", "REPLACE"):
        return _insert(t, text, head.lower())
    if head == "DO":
        return replace(query(t, 1, text, before="SELECT "), verb="do")
    if head == "WITH":
        depth, verb = 0, "SELECT"
        for word in t.words:
            depth += (word == "(") - (word == ")")
            if depth == 0 and word in ("UPDATE", "DELETE", "SELECT"):
                verb = word
                break
        if verb == "SELECT":
            return query(t, 0, text)
        return (_update if verb == "UPDATE" else _delete)(t, text, 0, "")
    if head not in ("UPDATE", "DELETE"):
        return query(t, 0, text)
    t.at = 1
    seen = skip(t, *_MODIFIERS)
    if t.peek(1) == "FROM":
        t.take("HISTORY")
    unsafe = (f"{head} IGNORE",) if "IGNORE" in seen else ()
    return (_update if head == "UPDATE" else _delete)(t, text, t.at, f"{head} ", unsafe)


def _load(t: Tokens, text: str) -> Statement:
    if not find(t, "INTO") or not (t.take("TABLE") or t.take("TABLES")):
        return Statement(text, "unknown", problems=(f"no table is named in {text[:60]!r}",))
    table_name = name(t)
    refs = (Ref(*table_name, updated=True),) if table_name else ()
    return DataStatement(text, "load", refs, unsafe=("LOAD DATA",))


def _insert(t: Tokens, text: str, verb: str) -> Statement:
    t.at = 1
    seen = skip(t, *_MODIFIERS)
    t.take("INTO")
    first = t.at
    table_name = name(t)
    if table_name is None:
        return Statement(text, "unknown", problems=(f"no table is named in {text[:60]!r}",))
    target = Ref(*table_name, updated=True)
    words = set(t.words)
    unsafe = ["INSERT DELAYED"] if "DELAYED" in seen else []
    if "SELECT" in words and (verb == "replace" or "IGNORE" in seen or "DUPLICATE" in words):
        unsafe.append(f"{verb.upper()} ... SELECT that may keep or replace rows")
    unsafe += _unsafe_functions(t)
    tree = query_tree.parse(f"INSERT INTO {plain(t, first)}")
    updates = verb == "insert" and "DUPLICATE" in words
    if tree is None:
        return DataStatement(
            text, verb, (target,), unsafe=tuple(unsafe), problems=(_UNREAD,), updates_duplicates=updates
        )
    return DataStatement(
        text, verb, (target, *_tables(tree)[1:]), _calls(tree),
        unsafe=(*unsafe, *_limited(tree)), needs=_needs(tree), lookups=_lookups(tree),
        updates_duplicates=updates,
    )  # fmt: skip


def query(t: Tokens, first: int, text: str, *, last: int | None = None, before: str = "") -> DataStatement:
    """A query whose words begin and end here; `before` is put in front of it."""
    tree = query_tree.parse(before + plain(t, first, last, instead=_joins(t)))
    if tree is None:
        problem = "sqlglot does not read this query: functions that it calls are not known"
        problems = (problem,) if "(" in t.words[first:last] else ()
        return DataStatement(text, "select", calls=_called(t), problems=problems)
    unsafe = tuple(_unsafe_functions(t, first, last))
    return DataStatement(
        text, "select", tuple(_tables(tree)), _calls(tree), unsafe=unsafe, needs=_needs(tree),
        lookups=_lookups(tree),
    )  # fmt: skip


def _changed(tree: exp.Expression) -> tuple[Ref, ...]:
    """The tables of a change of the first one."""
    return tuple(replace(ref, updated=at == 0) for at, ref in enumerate(_tables(tree)))


def _update(t: Tokens, text: str, first: int, head: str, unsafe: tuple[str, ...] = ()) -> Statement:
    from sqlglot import exp

    tree = query_tree.parse(head + plain(t, first, instead=_joins(t)))
    unsafe += tuple(_unsafe_functions(t))
    if not isinstance(tree, exp.Update):
        return _one_target(t, text, first, "update", unsafe)
    unsafe += _limited(tree)
    top = _from_list(tree.this)
    if len(top) == 1:
        # A joined subquery has columns of its own.
        needs = None if tree.this.args.get("joins") else _needs(tree)
        return DataStatement(
            text, "update", _changed(tree), _calls(tree), unsafe=unsafe, needs=needs, lookups=_lookups(tree)
        )
    columns = [e.this for e in tree.expressions if isinstance(e, exp.EQ) and isinstance(e.this, exp.Column)]
    named = [(column.db or None, column.table) for column in columns if column.table]
    bare = any(not column.table for column in columns)
    listed = _tables(tree)
    meant = _meant(listed, tuple(named))
    refs = []
    for position, ref in enumerate(listed):
        chosen: bool | None = position in meant
        if not chosen and bare:
            chosen = None
        refs.append(replace(ref, updated=chosen if ref in top else False))
    return DataStatement(
        text, "update-multi", tuple(refs), _calls(tree), unsafe=unsafe, lookups=_lookups(tree)
    )


def _delete(t: Tokens, text: str, first: int, head: str, unsafe: tuple[str, ...] = ()) -> Statement:
    from sqlglot import exp

    tree = query_tree.parse(head + plain(t, first, instead=_joins(t) | _stars(t)))
    unsafe += tuple(_unsafe_functions(t))
    if not isinstance(tree, exp.Delete):
        return _one_target(t, text, first, "delete", unsafe)
    unsafe += _limited(tree)
    using = tree.args.get("using") or []
    targets = [_ref(item) for item in tree.args.get("tables") or []] or (
        _from_list(tree.this) if using else []
    )
    if not targets:
        return DataStatement(
            text, "delete", _changed(tree), _calls(tree), unsafe=unsafe, needs=_needs(tree),
            lookups=_lookups(tree),
        )  # fmt: skip
    # sqlglot keeps the targets before the table list: in `tables`, or with USING as the table itself
    order = _tables(tree)[len(targets) :]
    names = tuple((target.database, target.name) for target in targets)
    chosen = _meant(order, names)
    refs = tuple(replace(ref, updated=at in chosen) for at, ref in enumerate(order))
    return DataStatement(
        text, "delete-multi", refs, _calls(tree), unsafe=unsafe, targets=names, lookups=_lookups(tree)
    )


def _needs(tree: exp.Expression) -> Needs | None:
    from sqlglot import exp

    from schemacheck.sql.statements import columns

    if isinstance(tree, exp.Insert):
        return columns.of_insert(tree)
    if isinstance(tree, exp.Update):
        return columns.of_update(tree)
    if isinstance(tree, exp.Delete):
        return columns.of_delete(tree)
    return columns.of_query(tree) if isinstance(tree, exp.Select) else None


def _lookups(tree: exp.Expression) -> tuple[Lookup, ...]:
    from schemacheck.sql.statements import columns

    return tuple(columns.lookups(tree)) if len(_tables(tree)) > 1 else ()


def _one_target(t: Tokens, text: str, first: int, verb: str, unsafe: tuple[str, ...]) -> Statement:
    """An UPDATE or DELETE that sqlglot does not read: its head names the target where it is of one table."""
    t.at = first or 1
    t.take("FROM")
    table_name = name(t)
    ending = ("SET",) if verb == "update" else ("WHERE", "BEFORE", "ORDER", "LIMIT", "RETURNING", "FOR")
    between = []
    while not t.end and t.peek() not in ending:
        between.append(t.peek())
        t.at += 1
    if table_name is None or any(word in (",", "JOIN", "USING", "FROM", "STRAIGHT_JOIN") for word in between):
        problem = f"sqlglot does not read this {verb.upper()}: which tables it changes is not known"
        return Statement(text, "unknown", problems=(problem,))
    return DataStatement(text, verb, (Ref(*table_name, updated=True),), unsafe=unsafe, problems=(_UNREAD,))


def _joins(t: Tokens) -> dict[int, str]:
    """STRAIGHT_JOIN and `{OJ ...}` as sqlglot reads them."""
    joins: dict[int, str] = {}
    for at, (before, word) in enumerate(zip(["", *t.words], t.words, strict=False)):
        if word in ("{", "}") or (word == "OJ" and before == "{"):
            joins[at] = ""
        elif word == "STRAIGHT_JOIN" and before != "SELECT":
            joins[at] = "JOIN"
    return joins


def _stars(t: Tokens) -> dict[int, str]:
    """`DELETE a.*, b.* FROM` as `DELETE a, b FROM`, which sqlglot reads."""
    dots = [at for at, word in enumerate(t.words[:-1]) if word == "." and t.words[at + 1] == "*"]
    return {number: "" for at in dots for number in (at, at + 1)}


def _meant(refs: list[Ref], names: tuple[Name, ...]) -> set[int]:
    """Positions in the table list that qualifiers (database or None, table or alias) mean.

    Exactly written ones first; where there is none, without case (lower_case_table_names).
    """
    result: set[int] = set()
    for database, table in names:
        exact = {i for i, ref in enumerate(refs) if _same(ref, database, table)}
        result |= exact or {
            i
            for i, ref in enumerate(refs)
            if _same(_folded(ref), database and database.casefold(), table.casefold())
        }
    return result


def _folded(ref: Ref) -> Ref:
    database = ref.database and ref.database.casefold()
    return Ref(database, ref.name.casefold(), ref.updated, ref.alias.casefold())


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
    from sqlglot import exp

    calls: list[Name] = []
    for node in tree.dfs():
        if not isinstance(node, exp.Anonymous):
            continue
        parent = node.parent
        database = parent.this.name if isinstance(parent, exp.Dot) and parent.expression is node else None
        if database is not None or not _built_in(node.name):
            calls.append((database, node.name))
    return tuple(dict.fromkeys(calls))


def _built_in(name: str) -> bool:
    upper = name.upper()
    return upper in _words("builtin_functions") or upper.startswith(tuple(_words("builtin_prefixes")))


def _called(t: Tokens) -> tuple[Name, ...]:
    """Functions by their look, for a query that sqlglot does not read: `db.name(`."""
    words = t.words
    result: list[Name] = [
        (t.name_at(at), t.name_at(at + 2))
        for at in range(t.size - 3)
        if words[at + 1] == "." and words[at + 3] == "(" and t.is_name(at - t.at) and t.is_name(at + 2 - t.at)
    ]
    return tuple(dict.fromkeys(result))


def _limited(tree: exp.Expression) -> tuple[str, ...]:
    from sqlglot import exp

    return ("LIMIT",) if tree.find(exp.Limit) else ()


def _unsafe_functions(t: Tokens, first: int = 0, last: int | None = None) -> list[str]:
    """Functions and system variables whose value differs on the replica, as `NAME()`, `@@name`."""
    unsafe, safe = _words("unsafe_functions"), _words("safe_variables")
    words = t.words[first:last] if last is not None else t.words[first : t.size]
    pairs = list(zip(words, [*words[1:], ""], strict=True))
    unsafe_functions = [f"{word}()" for word, after in pairs if after == "(" and word in unsafe]
    unsafe_functions += [word for word in words if word in ("CURRENT_USER", "CURRENT_ROLE")]
    for at, pair in enumerate(pairs):
        if pair == ("@", "@"):
            end = at + 3
            while words[end : end + 1] == ["."]:
                end += 2
            if (words[end - 1] if end <= len(words) else "") not in safe:
                unsafe_functions.append(t.text[t.starts[first + at] : t.ends[min(first + end, t.size) - 1]])
    return list(dict.fromkeys(unsafe_functions))


@lru_cache(maxsize=64)
def _words(name: str) -> frozenset[str]:
    return frozenset(knowledge.load("filters")[name])
