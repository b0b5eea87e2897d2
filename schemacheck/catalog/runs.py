"""Whether a statement that defines nothing surely runs: queries and data manipulation.

Where the server refuses one, the client stops, and the definitions behind it never run. Sure is a statement
of a closed grammar in which every name is that of a table or column of this script, and every function one
that all servers have. What rows hold (duplicates, values out of range) is not looked at: docs/limits.md says
so. Everything else is refused here, which says nothing but that it is not known.
"""

from __future__ import annotations

from schemacheck.catalog.query_tables import COUNT, QueryTables
from schemacheck.catalog.session import Session, settable
from schemacheck.catalog.state import Catalog
from schemacheck.model.column_type import ColumnType
from schemacheck.model.table import Column, Table, TableKind
from schemacheck.sql.lexer import Refused, Tokens
from schemacheck.sql.token import TokenType

#: Functions that no server refuses, and how many arguments each takes.
_FUNCTIONS = {
    "CONCAT": (1, 99), "IFNULL": (2, 2), "LOWER": (1, 1), "UPPER": (1, 1),
} | dict.fromkeys((
    "CONNECTION_ID", "CURDATE", "CURRENT_TIMESTAMP", "CURRENT_USER", "CURTIME", "DATABASE", "FOUND_ROWS",
    "NOW", "LAST_INSERT_ID", "ROW_COUNT", "UNIX_TIMESTAMP", "USER", "UTC_TIMESTAMP", "UUID", "VERSION",
), (0, 0))  # fmt: skip
_BARE = frozenset(("CURRENT_TIMESTAMP", "CURRENT_USER"))
_LITERALS = frozenset(
    (
        TokenType.STRING,
        TokenType.NATIONAL_STRING,
        TokenType.NUMBER,
        TokenType.HEX_STRING,
        TokenType.BIT_STRING,
    )
)
#: An exponent of more digits is refused (1367).
_EXPONENT = 2
#: What a script may look at besides the variables that it may set.
SHOWN = frozenset(("version", "version_comment", "hostname", "server_id", "port", "datadir"))


class Runs:
    """Reads one statement of SELECT, INSERT, REPLACE, UPDATE, DELETE or DO. Raises Refused where it is not
    sure that the server runs it.
    """

    def __init__(self, t: Tokens, catalog: Catalog, session: Session) -> None:
        self.t = t
        self.catalog = catalog
        self.session = session
        self.reserved = catalog.flavor.reserved

    def view(self) -> None:
        """The query of a view. Raises Refused; with an error number, the server refuses it too."""
        self._select()
        if self.t.take("WITH"):
            self.t.take_any("CASCADED", "LOCAL")
            self.t.need("CHECK", "OPTION")
        if not self.t.end:
            raise self.t.fail()

    def statement(self) -> None:
        """The whole statement."""
        t = self.t
        verb = t.peek()
        if verb == "SELECT":
            self._select()
        elif verb in ("INSERT", "REPLACE"):
            t.at += 1
            self._insert()
        elif verb == "UPDATE":
            t.at += 1
            self._update()
        elif verb == "DELETE":
            t.at += 1
            t.take_any("LOW_PRIORITY")
            t.take_any("QUICK")
            t.take_any("IGNORE")
            t.need("FROM")
            self._rest(self._tables(self.target()))
        elif verb == "DO":
            t.at += 1
            if not self._sequence():
                self.expressions(None)
        else:
            raise t.fail()
        if not t.end:
            raise t.fail()

    # -- tables ---------------------------------------------------------------------------------

    def target(self) -> Table:
        """The table whose name comes next."""
        t = self.t
        at = t.offset()
        name = t.name(self.reserved)
        database = None
        if t.take("."):
            database, name = name, t.name()
        table = self._find(database, name, write=True)
        if table is None or table.kind is not TableKind.TABLE:
            raise Refused(f"table {name!r} is not known", at, "SC002")
        return table

    def _find(self, database: str | None, name: str, *, write: bool = False) -> Table | None:
        key = self.catalog.key(database or self.catalog.database, name)
        if (
            database
            and key[0] != self.catalog.key(self.catalog.database, "")[0]
            and key not in self.catalog.tables
        ):
            raise Refused("what is in another database is not known", 0)
        locked = self.session.locked
        if key in self.catalog.temporary or (locked and (key not in locked or (write and not locked[key]))):
            return None
        return self.catalog.tables.get(key)

    def columns(self, database: str | None, name: str) -> dict[str, bool] | None:
        """A table's columns, and whether `*` means them; None: a view, or elsewhere. Raises Refused."""
        key = self.catalog.key
        if database and key(database, name) != key(self.catalog.database, name):
            return None
        table = self._find(database, name)
        if table is None:
            raise Refused(f"table {name!r} of the query is not known", self.t.offset(), "SC002")
        if table.kind is not TableKind.TABLE:
            return None
        return {one.name.casefold(): not one.invisible for one in table.columns}

    def _query_tables(self) -> QueryTables:
        return QueryTables(self.t, self.reserved, self._find, self._derived)

    def _tables(self, table: Table) -> QueryTables:
        """One table, as what comes after it sees it."""
        found = self._query_tables()
        found.tables.append((table.name, table.database, table))
        return found

    def _derived(self) -> Table:
        """A query in parentheses, as a table."""
        t = self.t
        t.need("(")
        names = self._select()
        t.need(")")
        if "" in names or len({one.casefold() for one in names}) < len(names):
            raise t.fail()
        return Table("", tuple(Column(name, ColumnType("")) for name in names))

    # -- queries --------------------------------------------------------------------------------

    def _select(self) -> list[str]:
        """A query; the names of its columns, '' where an expression has none."""
        t = self.t
        t.need("SELECT")
        t.take_any("DISTINCT", "ALL", "SQL_NO_CACHE")
        first = t.at
        self._skip_items()
        tables = self._query_tables()
        if t.take("FROM") and not t.take("DUAL"):
            tables.read()
        tail, t.at = t.at, first
        names = self.expressions(tables)
        if t.peek() == "FROM":
            t.at = tail
        if tables.tables:
            self._rest(tables)
            t.take("FOR", "UPDATE") or t.take("LOCK", "IN", "SHARE", "MODE")
        elif t.take("INTO"):
            for number in range(len(names)):
                if number:
                    t.need(",")
                t.need("@")
                t.name()
        return names

    def _skip_items(self) -> None:
        t = self.t
        depth = 0
        while not t.end and depth >= 0 and not (depth == 0 and t.peek() in ("FROM", "INTO")):
            depth += (t.peek() == "(") - (t.peek() == ")")
            t.at += 1

    def expressions(self, tables: QueryTables | None) -> list[str]:
        """Expressions between commas, with their aliases: their names."""
        t = self.t
        names: list[str] = []
        while True:
            if tables is not None and t.peek() == "*" and not names:
                t.at += 1
                stars = tables.named([], 0)
                if not stars:
                    raise t.fail()
                names += [one.name for table in stars for one in table.columns if not one.invisible]
            elif tables is not None and t.peek() == "COUNT":
                at = t.at
                t.need("COUNT", "(", "*", ")")
                if names or t.starts[at + 1] != t.ends[at] or t.peek() == ",":
                    raise t.fail()
                names.append(COUNT)
            else:
                names.append(self.expression(tables))
            if tables is not None and (t.take("AS") or t.is_string()):
                names[-1] = t.one_string() if t.is_string() else t.name(self.reserved)
            if not t.take(","):
                return names

    def expression(self, tables: QueryTables | None) -> str:
        """A literal, a variable, a column, or a function of those; a column's name."""
        t = self.t
        word = t.peek()
        if word == "@":
            if t.peek(1) == "@":
                self.shown()
            else:
                t.at += 1
                t.name()
        elif self._literal() or (word in _BARE and t.peek(1) != "(" and t.take(word)):
            pass
        elif word in _FUNCTIONS and t.peek(1) == "(" and t.starts[t.at + 1] == t.ends[t.at]:
            t.at += 2
            count = 0
            while not t.take(")"):
                if count:
                    t.need(",")
                self.expression(tables)
                count += 1
            least, most = _FUNCTIONS[word]
            if not least <= count <= most:
                raise t.fail()
        elif tables is not None:
            return tables.column()[0]
        else:
            raise t.fail()
        return ""

    def shown(self) -> str:
        """`@@name` of a variable that there is; its name."""
        t = self.t
        t.need("@", "@")
        if t.take_any("GLOBAL", "SESSION", "LOCAL"):
            t.need(".")
        name = t.name().lower()
        if name not in settable(self.catalog.server) and name not in SHOWN:
            raise t.fail()
        return name

    def _literal(self) -> bool:
        """Consume a literal, if one comes next."""
        t = self.t
        if t.take_any("NULL", "TRUE", "FALSE"):
            return True
        sign = t.take_any("-", "+") is not None
        if t.is_number():
            _, _, exponent = t.raw(t.at).lower().partition("e")
            if len(exponent.lstrip("+-")) > _EXPONENT:
                raise t.fail()
            t.at += 1
            return True
        if sign:
            raise t.fail()
        if t.kind() is TokenType.VAR and t.peek().startswith("_") and t.kind(1) in _LITERALS:
            if not t.is_name():  # the introducer of a character set that is known
                t.at += 1
            else:
                raise t.fail()
        if t.is_string():
            t.string()
            return True
        if t.kind() in _LITERALS:
            t.at += 1
            return True
        return False

    def _rest(self, tables: QueryTables) -> None:
        """What comes after the tables."""
        t = self.t
        if t.take("WHERE"):
            tables.condition()
        if t.take("ORDER", "BY"):
            while True:
                tables.column()
                t.take_any("ASC", "DESC")
                if not t.take(","):
                    break
        if t.take("LIMIT"):
            t.integer()

    def _sequence(self) -> bool:
        """`SETVAL(sequence, number, ...)`, as dumps have it."""
        t = self.t
        if not t.take("SETVAL", "("):
            return False
        at = t.offset()
        name = t.name(self.reserved)
        database = None
        if t.take("."):
            database, name = name, t.name()
        found = self._find(database, name)
        if found is None or found.kind is not TableKind.SEQUENCE:
            raise Refused(f"sequence {name!r} is not known", at, "SC002")
        while not t.take(")"):
            t.need(",")
            t.take("-")
            t.integer()
        return True

    # -- rows -----------------------------------------------------------------------------------

    def _insert(self) -> None:
        t = self.t
        t.take_any("LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED")
        t.take_any("IGNORE")
        t.take_any("INTO")
        table = self.target()
        if t.take("SET"):
            self._assigned(table)
        else:
            named = self.names()
            columns = filled(table, named, strict=self.catalog.server.strict)
            if t.peek() == "SELECT":
                # Its condition and its source may be the table itself, which is permitted.
                if len(self._select()) != columns:
                    raise t.fail("as many columns are expected")
            else:
                if t.take_any("VALUES", "VALUE") is None:
                    raise t.fail()
                self._rows(columns)
        if t.take("ON", "DUPLICATE", "KEY", "UPDATE"):
            self._assigned(table, values=True)

    def names(self) -> list[str] | None:
        """The columns in parentheses; None where none are named."""
        t = self.t
        if not t.take("("):
            return None
        names: list[str] = []
        while not t.take(")"):
            if names:
                t.need(",")
            names.append(t.name(self.reserved))
        if not names:
            raise t.fail()
        return names

    def _rows(self, columns: int) -> None:
        t = self.t
        while True:
            t.need("(")
            for number in range(columns):
                if number:
                    t.need(",")
                if not t.take("DEFAULT"):
                    self.expression(None)
            t.need(")")
            if not t.take(","):
                return

    def _update(self) -> None:
        t = self.t
        t.take_any("LOW_PRIORITY")
        t.take_any("IGNORE")
        table = self.target()
        t.need("SET")
        self._assigned(table)
        self._rest(self._tables(table))

    def _assigned(self, table: Table, *, values: bool = False) -> None:
        """`column = value, ...`."""
        t = self.t
        tables = self._tables(table)
        while True:
            _, column = tables.column()
            if column.generated is not None:
                raise t.fail()
            t.need("=")
            if values and t.take("VALUES", "("):
                tables.column()
                t.need(")")
            elif not t.take("DEFAULT"):
                self.expression(tables)
            if not t.take(","):
                return


def filled(table: Table, named: list[str] | None, *, strict: bool) -> int:
    """How many values a row has that is inserted. Raises Refused where the table does not take it."""
    if named is None:
        columns = [one for one in table.columns if not one.invisible]
    else:
        columns = []
        for name in named:
            column = table.column(name)
            if column is None or column in columns:
                raise Refused(f"column {name!r} is not known, or there twice", 0, "SC002")
            columns.append(column)
    if any(one.generated is not None for one in columns):
        raise Refused("a generated column takes no value", 0, "SC002")
    if strict and not all(one.nullable or one.has_default for one in table.columns if one not in columns):
        raise Refused("a column has no value and no default", 0, "SC002")
    return len(columns)
