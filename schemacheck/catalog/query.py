"""CREATE TABLE ... SELECT, as far as its columns are certain: columns of known tables, and what the statement
declares itself.

Recorded on MySQL 5.6 and 9.7, MariaDB 10.11 and 11.8: columns that only the statement declares come first,
the query's behind them in its order; a column that is both has the declared definition in the query's place.
A column of a table keeps type, character set, NOT NULL, default and ON UPDATE, and loses AUTO_INCREMENT
(DEFAULT 0 then), keys, CHECKs, invisibility, and what it was computed from. What an expression gives is not
known.
"""

from __future__ import annotations

from schemacheck.catalog import default_values
from schemacheck.catalog.context import Context
from schemacheck.catalog.query_tables import Find, QueryTables, unsure
from schemacheck.dataclass import dataclass, replace
from schemacheck.knowledge import characters
from schemacheck.model.table import DEFAULT_NULL, UNKNOWN, Column, Default, DefaultKind
from schemacheck.sql.ddl.draft import Span
from schemacheck.sql.lexer import Refused, Tokens

_DATES = frozenset(("date", "datetime", "timestamp"))
_NO_ZEROS = frozenset(("NO_ZERO_DATE", "NO_ZERO_IN_DATE"))
_MODIFIERS = frozenset(("DISTINCT", "DISTINCTROW", "ALL", "HIGH_PRIORITY", "STRAIGHT_JOIN"))
_CONSTANTS = frozenset(("NULL", "TRUE", "FALSE"))


@dataclass(slots=True)
class Item:
    """A column of the query. `column` is None where its type is not known here."""

    name: str
    column: Column | None
    span: Span


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

    def __init__(self, t: Tokens, context: Context, find: Find) -> None:
        self.t = t
        self.context = context
        self.reserved = context.flavor.reserved
        self.tables = QueryTables(t, context.flavor.reserved, find)

    def items(self) -> list[Item]:
        """The columns, in order. Raises Refused, without a number where only a server can tell."""
        t = self.t
        if not t.take("SELECT"):
            raise self.tables.unknown()
        t.take_any("DISTINCT", "ALL")
        if t.peek().startswith("SQL_") or t.peek() in _MODIFIERS:
            raise self.tables.unknown()
        first = t.at
        self._skip_items()
        if t.take("FROM") and not t.take("DUAL"):
            self.tables.read()
        tail = t.at
        t.at = first
        found = self._items()
        if t.take("FROM"):
            t.at = tail
        if self.tables.tables and t.take("WHERE"):
            self.tables.clause = "where"
            self.tables.condition()
        if t.take("LIMIT"):
            t.integer()
        if not t.end:
            raise self.tables.unknown()
        return found

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
        if t.is_string() or t.is_number() or t.peek() in _CONSTANTS:
            t.at += 1
            name = self._alias()
            if name is None:
                raise unsure("the name of a value without AS", at)
            return [Item(name, None, (at, t.last_end()))]
        qualifiers = self._before_star()
        if qualifiers is not None:
            return self._star(qualifiers, at)
        own, column = self.tables.column()
        span = (at, t.last_end())
        return [Item(self._alias() or own, self._copied(column, span), span)]

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
            Item(one.name, self._copied(one, span), span)
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
