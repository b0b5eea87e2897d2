"""The tables of a query: FROM, names looked up in them, and conditions that no server refuses."""

from __future__ import annotations

from collections.abc import Callable

from schemacheck.model.table import Column, Table, TableKind
from schemacheck.sql.lexer import Refused, Tokens

Find = Callable[[str | None, str], Table | None]

#: Columns whose comparison with a number cannot be refused, and those with an ASCII string.
_NUMBERS = frozenset(("tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "float", "double"))
_TEXTS = frozenset(("char", "varchar", "tinytext", "text", "mediumtext", "longtext"))
#: What may come behind the tables.
_BEHIND = frozenset(("WHERE", "GROUP", "ORDER", "LIMIT", "FOR", "LOCK", "UNION", ")"))
_COMPARISONS = frozenset(("=", "<", ">", "<=", ">=", "<>", "!="))


def unsure(what: str, at: int) -> Refused:
    """The refusal of what only a server can tell."""
    return Refused(
        f"CREATE TABLE ... SELECT: {what} cannot be determined from the text; give what SHOW CREATE TABLE "
        "prints",
        at,
        "SC002",
    )


class QueryTables:
    """A query's tables. `t` is shared with the one who reads the rest of the query."""

    def __init__(self, t: Tokens, reserved: frozenset[str], find: Find) -> None:
        self.t = t
        self.reserved = reserved
        self.find = find
        self.tables: list[tuple[str, str | None, Table]] = []
        #: The clause that is read, as errors call it (`definition-clauses`).
        self.clause = "select"
        #: LEFT or RIGHT JOIN is there.
        self.outer = False

    def unknown(self) -> Refused:
        """What is not followed here."""
        t = self.t
        near = t.raw(t.at) if not t.end else "the end"
        return unsure(f"the query from {near[:40]!r} on", t.offset())

    def read(self) -> None:
        """What comes after FROM: tables, joined by commas, JOIN, INNER, CROSS, LEFT or RIGHT JOIN."""
        t = self.t
        self._table()
        while True:
            if t.take(","):
                self._table()
            elif t.peek() in ("LEFT", "RIGHT") and t.peek(1) in ("JOIN", "OUTER"):
                self.outer = True
                t.at += 1
                t.take("OUTER")
            elif t.take("JOIN") or t.take("INNER", "JOIN") or t.take("CROSS", "JOIN"):
                self._table()
                if t.take("ON"):
                    self.clause = "on"
                    self.condition()
                    self.clause = "select"
            else:
                break
        if not t.end and t.peek() not in _BEHIND:
            raise self.unknown()

    def _table(self) -> None:
        t = self.t
        at = t.offset()
        name = t.name(self.reserved)
        database = None
        if t.take("."):
            database, name = name, t.name()
        if t.peek() == "(":
            raise self.unknown()  # JSON_TABLE
        alias = name
        if t.take("AS") or (
            t.is_name()
            and t.peek() not in self.reserved
            and t.peek() not in ("EXCEPT", "INTERSECT", "WINDOW")
        ):
            alias = t.name(self.reserved)
        table = self.find(database, name)
        if table is None:
            raise Refused(f"table {name!r} of the query is not known", at, "SC002", 1146)
        if table.kind is not TableKind.TABLE:
            raise unsure(f"what {table.kind.value} {name!r} yields", at)
        self._add(alias, table, at)

    def _add(self, alias: str, table: Table, at: int) -> None:
        if any(known.casefold() == alias.casefold() for known, _, _ in self.tables):
            raise Refused(f"{alias!r} names two tables of the query", at, "SC002", 1066, name=alias)
        self.tables.append((alias, table.database, table))

    def column(self) -> tuple[str, Column]:
        """A column of the tables: its name as written here, and what it is."""
        t = self.t
        at = t.offset()
        names = [t.name(self.reserved)]
        while t.take("."):
            names.append(t.name())
        if t.peek() == "(":
            raise self.unknown()
        name = names[-1]
        found = [column for table in self.named(names[:-1], at) if (column := table.column(name)) is not None]
        if len(found) != 1:
            why, number = ("is not known", 1054) if not found else ("is in two tables", 1052)
            shown = ".".join(names)
            message = f"column {shown!r} of the query {why}"
            raise Refused(message, at, "SC002", number, name=shown, kind=self.clause)
        return name, found[0]

    def named(self, qualifiers: list[str], at: int) -> list[Table]:
        """The tables that `table.` or `database.table.` means; all where there is no name."""
        if not qualifiers:
            return [table for _, _, table in self.tables]
        found = [
            table
            for alias, database, table in self.tables
            if alias == qualifiers[-1] and qualifiers[:-1] in ([], [database])
        ]
        if not found:
            raise Refused(
                f"table {'.'.join(qualifiers)!r} is not in the query",
                at,
                "SC002",
                1054,
                name=".".join(qualifiers),
            )
        return found

    def condition(self) -> None:
        """Comparisons under AND and OR that every server takes; the rest is not followed."""
        t = self.t
        while True:
            t.take("NOT")
            if t.peek(1) != "SELECT" and t.take("("):
                self.condition()
                t.need(")")
            else:
                self._comparison()
            if t.take_any("AND", "OR") is None:
                return

    def _comparison(self) -> None:
        t = self.t
        left = self._operand()
        if t.take("IS"):
            t.take("NOT")
            t.need("NULL")
            return
        if self._compares():
            right = self._operand()
            if left != right:
                raise unsure("a comparison of different types", t.offset(t.at - 1))
        elif left != "number":
            raise self.unknown()

    def _compares(self) -> bool:
        """Whether an operator comes that compares; `t` goes behind it."""
        t = self.t
        first, second = t.peek(), t.peek(1)
        # The second is '' where a literal or a name in quotes comes: that is the operand.
        if second and first + second in _COMPARISONS and t.ends[t.at] == t.starts[t.at + 1]:
            t.at += 2
            return True
        if first in _COMPARISONS:
            t.at += 1
            return True
        return False

    def _operand(self) -> str:
        """'number' or 'text'."""
        t = self.t
        if t.is_number() or t.peek() in ("TRUE", "FALSE"):
            t.at += 1
            return "number"
        if t.is_string():
            if not t.string().isascii():
                raise unsure("a comparison of character sets", t.offset(t.at - 1))
            return "text"
        if not t.is_name():
            raise self.unknown()
        at = t.offset()
        _, column = self.column()
        if column.type.base in _NUMBERS:
            return "number"
        if column.type.base in _TEXTS:
            # Two columns may have collations that do not mix.
            if t.peek() in ("=", "<", ">", "!") and not t.is_string(1):
                raise unsure("a comparison of character sets", at)
            return "text"
        if t.peek() == "IS":
            return column.type.base
        raise unsure(f"a comparison with a {column.type.base}", at)
