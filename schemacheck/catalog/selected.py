"""The columns that CREATE TABLE ... SELECT takes from its query, beside those that it declares."""

from __future__ import annotations

from schemacheck.catalog.context import Context
from schemacheck.catalog.drafts import column_draft
from schemacheck.catalog.query import Item, Query, listed
from schemacheck.catalog.query_tables import Find, unsure
from schemacheck.dataclass import replace
from schemacheck.sql.ddl.draft import ColumnDraft, TableDraft
from schemacheck.sql.lexer import Refused, Tokens, tokens_of


def add_columns(draft: TableDraft, t: Tokens, context: Context, find: Find) -> frozenset[str]:
    """Put the columns of the query, that begins at `t`, among the draft's own; the (folded) names of those
    that it does not fill. Raises Refused.
    """
    if draft.foreign_keys or any(one.references for one in draft.columns):
        raise unsure("a foreign key", draft.name_at)
    query = Query(t, context, find)
    items = query.items()
    if query.tables.outer:
        raise unsure("a column of rows that may be missing", draft.name_at)
    declared = {one.name.casefold(): one for one in draft.columns}
    columns: list[ColumnDraft] = []
    different(items)
    for item in items:
        folded = item.name.casefold()
        own = declared.pop(folded, None)
        if own is not None:
            if own.generated or own.row_period:
                raise unsure("a computed column that the query fills", own.span[0])
            if item.column is None:
                raise unsure("a value that a declared column takes", own.span[0])
            own.name = item.name
            columns.append(own)
        elif item.column is None:
            raise unsure(f"the type of {item.name!r}", item.span[0])
        else:
            columns.append(
                column_draft(replace(item.column, name=item.name, location=context.location(item.span)))
            )
    draft.columns = [*declared.values(), *columns]
    if context.server.setting("explicit_defaults_for_timestamp").upper() not in ("ON", "1") and any(
        _is_timestamp(one) for one in draft.columns
    ):
        raise unsure("a TIMESTAMP without explicit_defaults_for_timestamp", draft.name_at)
    return frozenset(declared)


def different(items: list[Item]) -> None:
    """Refuse columns of one name (1060). Raises Refused."""
    seen: set[str] = set()
    for item in items:
        if item.name.casefold() in seen:
            raise Refused(f"column {item.name!r} is there twice", item.span[0], "SC002", 1060, name=item.name)
        seen.add(item.name.casefold())


def of_view(written: str, context: Context, find: Find) -> None:
    """Ask whether a view can be made of a query, which may have a column list in front; types do not matter.
    Raises Refused, without a number where only a server can tell.
    """
    t = tokens_of(written, context.server)
    names = listed(t)
    items = Query(t, context, find).items()
    if names and len(names) != len(items):
        raise unsure("a column list that does not fit", 0)
    if not names:
        different(items)


def _is_timestamp(draft: ColumnDraft) -> bool:
    return draft.type_text.lower().startswith("timestamp")
