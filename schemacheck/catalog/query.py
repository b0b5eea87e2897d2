"""CREATE TABLE ... SELECT, as far as its columns are certain: columns of known tables, small integers, and
what the statement declares itself.

Recorded on MySQL 5.6 and 9.7, MariaDB 10.11 and 11.8: columns that only the statement declares come first,
the query's behind them in its order; a column that is both has the declared definition in the query's place.
A column of a table keeps type, character set, NOT NULL, default and ON UPDATE, and loses AUTO_INCREMENT
(DEFAULT 0 then), keys, CHECKs, invisibility, and what it was computed from. Types of expressions differ
between servers and are not worked out.
"""

from __future__ import annotations

from schemacheck.catalog import default_values
from schemacheck.catalog.context import Context
from schemacheck.catalog.drafts import column_draft
from schemacheck.catalog.query_tables import Find, QueryTables, unsure
from schemacheck.dataclass import dataclass, replace
from schemacheck.model.column_type import ColumnType
from schemacheck.model.table import DEFAULT_NULL, Column, Default, DefaultKind
from schemacheck.sql import characters
from schemacheck.sql.ddl.draft import ColumnDraft, Span, TableDraft
from schemacheck.sql.lexer import Refused, Tokens

#: Types that a literal is converted to, which strict mode may refuse (1265, 1292).
_CONVERTED = (
    "date", "time", "year", "enum", "set", "bit", "geom", "point", "line", "poly", "multi", "json", "uuid",
    "inet",
)  # fmt: skip
_DATES = frozenset(("date", "datetime", "timestamp"))
_NO_ZEROS = frozenset(("NO_ZERO_DATE", "NO_ZERO_IN_DATE"))
_MODIFIERS = frozenset(("DISTINCT", "DISTINCTROW", "ALL", "HIGH_PRIORITY", "STRAIGHT_JOIN"))
#: Integers of up to so many digits are INT on every server; of nine, BIGINT on MySQL 9.7.
_INT_DIGITS = 8


@dataclass(slots=True)
class _Item:
    """One column of the query. `column` is None where its type is not known here."""

    name: str
    column: Column | None
    span: Span
    literal: bool = False


def add_columns(draft: TableDraft, t: Tokens, context: Context, find: Find) -> frozenset[str]:
    """Put the columns of the query, that begins at `t`, among the draft's own; the (folded) names of those
    that it does not fill. Raises Refused.
    """
    if draft.foreign_keys or any(one.references for one in draft.columns):
        raise unsure("a foreign key", draft.name_at)
    items = Query(t, context, find).items()
    declared = {one.name.casefold(): one for one in draft.columns}
    columns: list[ColumnDraft] = []
    seen: set[str] = set()
    for item in items:
        folded = item.name.casefold()
        if folded in seen:
            raise Refused(f"column {item.name!r} is there twice", item.span[0], "SC002", 1060, name=item.name)
        seen.add(folded)
        own = declared.pop(folded, None)
        if own is not None:
            if own.generated or own.row_period:
                raise unsure("a computed column that the query fills", own.span[0])
            if item.literal and own.type_text.lower().startswith(_CONVERTED):
                raise unsure("a value of another type than its column", own.span[0])
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


def _is_timestamp(draft: ColumnDraft) -> bool:
    return draft.type_text.lower().startswith("timestamp")


class Query:
    """SELECT columns FROM known tables, with conditions that no server refuses."""

    def __init__(self, t: Tokens, context: Context, find: Find) -> None:
        self.t = t
        self.context = context
        self.reserved = context.flavor.reserved
        self.tables = QueryTables(t, context.flavor.reserved, find)

    def items(self) -> list[_Item]:
        """The columns, in order."""
        t = self.t
        inside = t.take("(")
        if not t.take("SELECT"):
            raise self.tables.unknown()
        distinct = t.take_any("DISTINCT", "ALL") == "DISTINCT"
        if t.peek().startswith("SQL_") or t.peek() in _MODIFIERS:
            raise self.tables.unknown()
        first = t.at
        self._skip_items()
        if t.take("FROM") and not t.take("DUAL"):
            self.tables.read()
        tail = t.at
        t.at = first
        items = self._items()
        if t.take("FROM"):
            t.at = tail
        if self.tables.tables:
            self._rest(items, distinct=distinct)
        if inside:
            t.need(")")
        if not t.end:
            raise self.tables.unknown()
        return items

    def _rest(self, items: list[_Item], *, distinct: bool) -> None:
        """What comes after FROM; it changes no column."""
        t = self.t
        if t.take("WHERE"):
            self.tables.clause = "where"
            self.tables.condition()
        self.tables.clause = "order"
        if t.peek() == "ORDER" and distinct:
            # Some sorts are refused then.
            raise self.tables.unknown()
        if t.take("ORDER", "BY"):
            self._order(items)
        if t.take("LIMIT"):
            t.integer()
            if t.take_any(",", "OFFSET"):
                t.integer()

    def _skip_items(self) -> None:
        """To FROM or to the end of the list: the tables are read before the columns are looked up in them."""
        t = self.t
        depth = 0
        while not t.end:
            word = t.peek()
            if word in ("FROM", "WHERE", "LIMIT", "ORDER") and depth == 0:
                return
            depth += (word == "(") - (word == ")")
            if depth < 0:
                return
            t.at += 1

    def _items(self) -> list[_Item]:
        t = self.t
        out: list[_Item] = []
        if t.peek() == "*":
            at = t.offset()
            t.at += 1
            out += self._star([], at)
            if not t.take(","):
                return out
        while True:
            out += self._item()
            if not t.take(","):
                return out

    def _item(self) -> list[_Item]:
        t = self.t
        at = t.offset()
        if (counted := self._count()) is not None:
            return [_Item(self._alias() or "COUNT(*)", counted, (at, t.last_end()))]
        if t.is_name():
            qualifiers = self._before_star()
            if qualifiers is not None:
                return self._star(qualifiers, at)
            own, column = self.tables.column()
            span = (at, t.last_end())
            return [_Item(self._alias() or own, self._copied(column, span), span)]
        made = self._literal()
        name = self._alias()
        if name is None:
            raise unsure("the name of an expression without AS", at)
        return [_Item(name, made, (at, t.last_end()), literal=True)]

    def _count(self) -> Column | None:
        """COUNT(*), the whole list: BIGINT NOT NULL (asked of four servers)."""
        t = self.t
        if t.peek() != "COUNT" or t.peek(1) != "(" or t.starts[t.at + 1] != t.ends[t.at]:
            return None
        t.need("COUNT", "(", "*", ")")
        if t.peek() == ",":
            raise self.tables.unknown()
        default = None if self.context.server.mariadb else Default(DefaultKind.LITERAL, "0")
        return Column("", ColumnType("bigint", text="bigint(21)"), nullable=False, default=default)

    def _before_star(self) -> list[str] | None:
        """The names before `.*`, or None where something else comes."""
        t = self.t
        first = t.at
        names = [t.name(self.reserved)]
        while t.take("."):
            if t.take("*"):
                return names
            names.append(t.name())
        t.at = first
        return None

    def _star(self, qualifiers: list[str], at: int) -> list[_Item]:
        span = (at, self.t.last_end())
        tables = self.tables.named(qualifiers, at)
        if not tables:
            raise Refused("there is no table that * means", at, "SC002", 1096)
        return [
            _Item(one.name, self._copied(one, span), span)
            for table in tables
            for one in table.columns
            if not one.invisible
        ]

    def _alias(self) -> str | None:
        t = self.t
        at = t.offset()
        written = t.take("AS")
        if t.is_string():
            name = t.one_string()
        elif written or (t.is_name() and t.peek() not in self.reserved):
            name = t.name(self.reserved)
        else:
            return None
        if not name or name != characters.strip(name):
            raise Refused(f"{name!r} is not a column name", at, "SC002", 1166)
        return name

    def _literal(self) -> Column | None:
        """An integer: INT NOT NULL. None for a literal whose type differs between servers."""
        t = self.t
        sign = t.take_any("-", "+") is not None
        if t.is_number():
            text = t.items[t.at].text
            t.at += 1
            small = characters.is_digits(text) and len(text) <= _INT_DIGITS
            default = None if self.context.server.mariadb else Default(DefaultKind.LITERAL, "0")
            return (
                Column("", ColumnType("int", text="int"), nullable=False, default=default) if small else None
            )
        if not sign and (t.take("TRUE") or t.take("FALSE") or t.take("NULL")):
            return None
        if not sign and t.is_string():
            t.string()
            return None
        raise self.tables.unknown()

    def _copied(self, column: Column, span: Span) -> Column | None:
        """A column as the new table has it."""
        mariadb = self.context.server.mariadb
        default: Default | None = column.default
        on_update = column.on_update
        if column.expression in ("row start", "row end"):
            raise unsure("a column of system versioning", span[0])
        if column.auto_increment:
            default = Default(DefaultKind.LITERAL, default_values.implicit(column.type) or "0")
        elif column.generated is not None:
            default = DEFAULT_NULL if column.nullable else None
        elif default is not None and default.kind is DefaultKind.EXPRESSION and mariadb:
            # Some are kept; those that call functions such as UUID() are not.
            return None
        if column.type.base == "bit" and not mariadb and default != DEFAULT_NULL:
            # MySQL 5.6 keeps a BIT's default, 9.7 has lost it.
            return None
        if default is None and not mariadb:
            on_update = False
        if (
            column.type.base in _DATES
            and default is not None
            and "-00" in default.text
            and not self.context.modes.isdisjoint(_NO_ZEROS)
        ):
            # Strict mode refuses such a default (1067).
            return None
        # SERIAL and JSON as they stand would bring their key or CHECK with them.
        written = replace(column.type, text=column.type.sql())
        return replace(
            column,
            type=written,
            default=default,
            on_update=on_update,
            auto_increment=False,
            generated=None,
            expression=None,
            invisible=False,
        )

    def _order(self, items: list[_Item]) -> None:
        t = self.t
        names = {item.name.casefold() for item in items}
        while True:
            if t.is_name() and t.peek(1) != "." and t.name_at(t.at).casefold() in names:
                t.name(self.reserved)
            else:
                self.tables.column()
            t.take_any("ASC", "DESC")
            if not t.take(","):
                return
