"""CREATE TABLE ... SELECT, as far as its columns are certain: columns of known tables, expressions of
constants, and what the statement declares itself.

Recorded on MySQL 5.6 and 9.7, MariaDB 10.11 and 11.8: columns that only the statement declares come first,
the query's behind them in its order; a column that is both has the declared definition in the query's place.
A column of a table keeps type, character set, NOT NULL, default and ON UPDATE, and loses AUTO_INCREMENT
(DEFAULT 0 then), keys, CHECKs, invisibility, and what it was computed from. An expression of constants has
the type that `result_expressions` finds. A view that is merged into the query gives the columns of its tables
without their defaults: none on MariaDB, on MySQL the type's own where the column has one and takes no NULL.
"""

from __future__ import annotations

from schemacheck.catalog import default_values, query_expressions, query_union
from schemacheck.catalog.context import Context
from schemacheck.catalog.query_tables import COUNT, Find, QueryTables, unsure
from schemacheck.dataclass import dataclass, replace
from schemacheck.model.column_type import ColumnType
from schemacheck.model.table import DEFAULT_NULL, UNKNOWN, Column, Default, DefaultKind, Table, TableKind
from schemacheck.sql import characters
from schemacheck.sql.ddl.draft import Span
from schemacheck.sql.lexer import Refused, Tokens, tokens_of

_DATES = frozenset(("date", "datetime", "timestamp"))
_NO_ZEROS = frozenset(("NO_ZERO_DATE", "NO_ZERO_IN_DATE"))
_MODIFIERS = frozenset(("DISTINCT", "DISTINCTROW", "ALL", "HIGH_PRIORITY", "STRAIGHT_JOIN"))
#: Views of views, at most.
_DEPTH = 8


@dataclass(slots=True)
class Item:
    """One column of the query. `column` is None where its type is not known here; `computed`: an expression
    of more than a column or a literal.
    """

    name: str
    column: Column | None
    span: Span
    literal: bool = False
    computed: bool = False
    #: The (folded) name of the column that it is.
    source: str | None = None


def listed(t: Tokens) -> list[str]:
    """The names of a view's column list in front of its query, which `t` goes to; none without one."""
    found: list[str] = []
    if t.peek() == "(" and t.peek(1) not in ("(", "SELECT", "WITH", "VALUES", "TABLE"):
        while t.take_any("(", ","):
            found.append(t.name())
        t.need(")")
        t.take("AS")
    return found


class Query:
    """SELECT columns FROM known tables, with conditions that no server refuses."""

    def __init__(self, t: Tokens, context: Context, find: Find, depth: int = 0) -> None:
        self.t = t
        self.context = context
        #: DISTINCT or LIMIT are written.
        self.limited = False
        #: ORDER BY or LIMIT are written: no UNION comes behind them.
        self.tail = self.ordered = False
        #: It is a UNION; the (first) query is in parentheses.
        self.united = self.inside = False
        self.reserved = context.flavor.reserved
        self.find = find
        self.depth = depth
        self.tables = QueryTables(t, context.flavor.reserved, self._found)

    def _found(self, database: str | None, name: str) -> Table | None:
        """The table of this name; a view as the columns that it brings where it is merged."""
        table = self.find(database, name)
        if table is None or table.kind is not TableKind.VIEW:
            return table
        # ALGORITHM is in the statement alone, and a view that is no mere part of tables keeps more.
        written = (table.text or "").upper()
        if table.query is None or self.depth > _DEPTH or not written or "TEMPTABLE" in written:
            raise unsure(f"what view {name!r} yields", self.t.offset())
        home = table.database
        t = tokens_of(table.query, self.context.server)
        inner = Query(t, self.context, lambda other, one: self.find(other or home, one), self.depth + 1)
        columns = tuple(inner.merged())
        return Table(table.name, columns, home)

    def merged(self) -> list[Column]:
        """The columns of a merged view; this is its query, which may have a column list in front."""
        t = self.t
        names = listed(t)
        items = self.items()
        if (
            not self.tables.tables
            or self.tables.outer
            or self.limited
            or self.united
            or any(item.name.upper() == COUNT for item in items)
        ):
            raise unsure("what a view yields that is not merged", 0)
        names = names or [item.name for item in items]
        return [replace(self._bare(item.column), name=name) for name, item in zip(names, items, strict=False)]

    def _bare(self, column: Column | None) -> Column:
        """A column of a merged view: the default goes."""
        if column is None:
            return Column("", ColumnType(UNKNOWN))
        default: Default | None = DEFAULT_NULL if column.nullable else None
        if not self.context.server.mariadb and not column.nullable and column.default is not None:
            if column.type.base in (*_DATES, "bit"):
                return Column("", ColumnType(UNKNOWN))
            text = default_values.implicit(column.type)
            if text is None:
                return Column("", ColumnType(UNKNOWN))
            default = Default(DefaultKind.LITERAL, text)
        return replace(column, default=default, on_update=False)

    def items(self) -> list[Item]:
        """The columns, in order."""
        t = self.t
        found = self._select()
        new, last = self.context.server.has("data-dictionary"), self
        while not self.context.server.mariadb and not last.tail and t.take("UNION"):
            t.take_any("ALL", "DISTINCT")
            at = t.offset()
            last = Query(t, self.context, self.find, self.depth)
            found = query_union.united(found, last._select(), at, widths=not new)
            if not new and (self.inside or last.inside):
                raise unsure("UNION of queries in parentheses", at)
            self.united = True
            if last.ordered:
                raise unsure("the order of UNION", at)
        if not t.end:
            raise self.tables.unknown()
        return found

    def _select(self) -> list[Item]:
        """The columns of one SELECT, which `t` goes behind."""
        t = self.t
        self.inside = inside = t.take("(")
        if not t.take("SELECT"):
            raise self.tables.unknown()
        distinct = t.take_any("DISTINCT", "ALL") == "DISTINCT"
        self.limited = distinct
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
        elif t.peek() == "LIMIT":
            self._limit()
        if inside:
            t.need(")")
        return items

    def _rest(self, items: list[Item], *, distinct: bool) -> None:
        """What comes after FROM; it changes no column."""
        t = self.t
        if t.take("WHERE"):
            self.tables.clause = "where"
            self.tables.condition()
        if t.take("GROUP", "BY"):
            self._group(items)
        self.tables.clause = "order"
        if t.peek() == "ORDER" and (
            distinct or (self.limited and "ONLY_FULL_GROUP_BY" in self.context.modes)
        ):
            # Some sorts are refused then.
            raise self.tables.unknown()
        if t.take("ORDER", "BY"):
            self._order(items)
        self._limit()

    def _group(self, items: list[Item]) -> None:
        """GROUP BY columns: no column of the query becomes another (asked of four servers). Under
        ONLY_FULL_GROUP_BY all of the query's are among them here, by names that one table has alone.
        """
        t = self.t
        self.limited = True
        self.tables.clause = "group"
        grouped = {self._grouped(items)}
        while t.take(","):
            grouped.add(self._grouped(items))
        if "ONLY_FULL_GROUP_BY" not in self.context.modes:
            return
        shared = any(len(self.tables.with_column(name)) > 1 for name in grouped)
        if shared or not grouped.issuperset(item.source for item in items):
            raise unsure("a column that is not grouped", t.offset())

    def _grouped(self, items: list[Item]) -> str:
        """The (folded) name of a column that GROUP BY names, perhaps by its alias."""
        t = self.t
        name = t.name_at(t.at) if t.is_name() and t.peek(1) != "." else ""
        if name and not self.tables.with_column(name):
            for item in items:
                if item.name.casefold() == name.casefold() and item.source is not None:
                    t.name(self.reserved)
                    return item.source
        return self.tables.column()[1].name.casefold()

    def _limit(self) -> None:
        t = self.t
        if t.take("LIMIT"):
            self.limited = self.tail = True
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

    def _items(self) -> list[Item]:
        t = self.t
        out: list[Item] = []
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

    def _item(self) -> list[Item]:
        t = self.t
        at = t.offset()
        if (counted := self._count()) is not None:
            written = t.text[at : t.last_end()]
            return [Item(self._alias() or written, counted, (at, t.last_end()))]
        if not query_expressions.is_expression(t, self.reserved):
            qualifiers = self._before_star()
            if qualifiers is not None:
                return self._star(qualifiers, at)
            own, column = self.tables.column()
            span = (at, t.last_end())
            return [
                Item(self._alias() or own, self._copied(column, span), span, source=column.name.casefold())
            ]
        first = t.at
        called, made = query_expressions.read(t, self.context)
        single = t.at - first == 1 or (t.at - first == 2 and t.peek(-2) in ("-", "+"))
        name = self._alias() or called
        if name is None:
            raise unsure("the name of an expression without AS", at)
        return [Item(name, made, (at, t.last_end()), literal=single, computed=not single)]

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

    def _star(self, qualifiers: list[str], at: int) -> list[Item]:
        span = (at, self.t.last_end())
        tables = self.tables.named(qualifiers, at)
        if not tables:
            raise Refused("there is no table that * means", at, "SC002", 1096)
        return [
            Item(one.name, self._copied(one, span), span, source=one.name.casefold())
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

    def _copied(self, column: Column, span: Span) -> Column | None:
        """A column as the new table has it."""
        mariadb = self.context.server.mariadb
        default: Default | None = column.default
        on_update = column.on_update
        if column.type.base == UNKNOWN:
            return None
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

    def _order(self, items: list[Item]) -> None:
        t = self.t
        self.tail = self.ordered = True
        names = {item.name.casefold() for item in items}
        while True:
            if t.is_name() and t.peek(1) != "." and t.name_at(t.at).casefold() in names:
                t.name(self.reserved)
            else:
                self.tables.column()
            t.take_any("ASC", "DESC")
            if not t.take(","):
                return
