"""CREATE TABLE: from its definition, as another table (LIKE); from a query (SELECT) it is unknown."""

from __future__ import annotations

from schemacheck.catalog import assemble, name_rules, naming, referring
from schemacheck.catalog.context import drops_checks
from schemacheck.catalog.referring import adopt
from schemacheck.catalog.state import Catalog
from schemacheck.dataclass import replace
from schemacheck.model.table import Table, TableKind
from schemacheck.sql.client import Statement
from schemacheck.sql.ddl.create import create_table as parse
from schemacheck.sql.ddl.draft import TableDraft
from schemacheck.sql.lexer import Refused, unasked
from schemacheck.sql.words import Name, cut_name, table_named

_SELECT = "which columns CREATE TABLE ... SELECT makes is not known here: give what SHOW CREATE TABLE prints"


def create_table(catalog: Catalog, statement: Statement, text: str) -> TableDraft | None:
    """CREATE TABLE: the table, or a problem; then it is unknown from now on. Returns what was read."""
    if statement.open is not None:
        why = f"a {statement.open} is not closed: the file may be cut off"
        catalog.problem(
            Refused(why, statement.open_at, code="SC001"), statement, cut_name(text, catalog.database)
        )
        return None
    tokens = catalog.tokens(text)
    draft = None
    try:
        draft = parse(tokens, catalog.flavor)
        _make(catalog, statement, draft)
    except Refused as refused:
        catalog.fail(refused, statement, table_named(tokens, catalog.database))
    return draft


def _put(catalog: Catalog, statement: Statement, key: Name, made: Table) -> None:
    catalog.put(made)
    catalog.failed.discard(key)
    _described(catalog, statement, key, made)


def _make(catalog: Catalog, statement: Statement, draft: TableDraft) -> None:
    name = (draft.database or catalog.database, draft.name)
    key = catalog.key(*name)
    if draft.like is not None and catalog.key(draft.like[0] or catalog.database, draft.like[1]) == key:
        raise unasked(f"table {draft.name!r} like itself", draft.name_at)
    if draft.temporary:
        if key in catalog.temporary and not (draft.if_not_exists or draft.or_replace):
            why = f"temporary table {draft.name!r} is created twice"
            raise Refused(why, draft.name_at, 1050, name=draft.name)
        catalog.temporary.add(key)
    if draft.temporary or (draft.if_not_exists and key in catalog.tables):
        _unseen(catalog, statement, draft, name)
        return
    if key in catalog.tables and (not draft.or_replace or catalog.tables[key].kind is TableKind.VIEW):
        raise Refused(f"table {draft.name!r} is created twice", draft.name_at, 1050, name=draft.name)
    if draft.like is not None:
        made = _like(catalog, draft.like, name, statement, draft.name_at)
    else:
        if draft.query is not None:
            raise Refused(_SELECT, draft.name_at)
        context = catalog.context(statement, name[0])
        made = assemble.table(
            draft,
            context,
            statement.text,
            name[0],
            lambda db, other: catalog.tables.get(catalog.key(db or name[0], other)),
        )
    catalog.taken(made)
    if key in catalog.tables:
        _replaceable(catalog, key, draft)
    adopt(made, catalog.waiting(key), catalog.server, draft.name_at)
    _put(catalog, statement, key, made)


def _replaceable(catalog: Catalog, key: Name, draft: TableDraft) -> None:
    """OR REPLACE drops the table first: refuse it where another one refers to it. Raises Refused."""
    references = {key: catalog.references(key)}
    result = referring.dropped([key], references, catalog.key, catalog.server)
    if result is not None:
        _, by, number = result
        why = f"table {draft.name!r} is referred to by foreign key {by.key.name!r} of {by.child.name}"
        raise Refused(why, draft.name_at, number, name=draft.name, words=by.words(draft.name))


def _described(catalog: Catalog, statement: Statement, key: Name, made: Table | None) -> None:
    """A problem where another file has defined the table otherwise (`made`: None where that is not known)."""
    if catalog.described is None:
        return
    before = catalog.described.get(key) if made is None else catalog.described.setdefault(key, made)
    if before is None or before is made or before == made or before.location is None:
        return
    if before.location.file != catalog.lines.file:
        why = f"described otherwise in {before.location}: which of the two holds depends on their order"
        catalog.problem(Refused(why, 0), statement, key)


def _unseen(catalog: Catalog, statement: Statement, draft: TableDraft, name: Name) -> None:
    """A table that is not kept: a problem where the server would refuse it, since its client stops then."""
    key = catalog.key(*name)
    try:
        if draft.like is not None and draft.temporary:
            _like(catalog, draft.like, name, statement, draft.name_at)
        if draft.like is not None or draft.query is not None:
            if not draft.temporary:
                _described(catalog, statement, key, None)
            return
        made = assemble.table(
            draft, catalog.context(statement, name[0]), statement.text, name[0], lambda _db, _other: None
        )
        if not draft.temporary:
            _described(catalog, statement, key, made)
    except Refused as refused:
        catalog.problem(refused, statement, None)


def _like(catalog: Catalog, other: Name, name: Name, statement: Statement, at: int) -> Table:
    key = catalog.key(other[0] or catalog.database, other[1])
    source = catalog.tables.get(key) if key not in catalog.temporary else None
    if source is None or source.kind is not TableKind.TABLE:
        raise Refused(f"table {other[1]!r} of LIKE is not known", at, 1146, name=other[1])
    name_rules.check(name[1], at)
    location = catalog.lines.at(statement.start + at, statement.start + at + len(name[1]))
    return replace(
        source,
        name=name[1],
        database=name[0],
        foreign_keys=(),
        triggers=(),
        checks=() if drops_checks(catalog.server) else naming.renamed(source, name[1], catalog.server),
        location=location,
        text=statement.text,
    )
