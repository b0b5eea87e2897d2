"""The queries of views: their grammar, the tables that they name, and the columns of these.

As in `expression_grammar`: what is read here a server takes, as far as the text shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache

from schemacheck import knowledge
from schemacheck.dataclass import dataclass, field
from schemacheck.sql.expression_grammar import Expressions
from schemacheck.sql.lexer import Refused, Tokens
from schemacheck.sql.token import TokenType

#: The columns of a table, case folded, and whether `*` means them; None where they are not known.
Known = Mapping[str, bool] | None
#: Raises Refused where there is no such table.
Columns = Callable[[str | None, str], Known]

#: What a name cannot be where an alias may stand, though no server reserves it.
_NO_ALIAS = frozenset(
    ("EXCEPT", "INTERSECT", "WINDOW", "OFFSET", "PARTITION", "FOR", "WITH", "LOCK", "LIMIT")
)


@dataclass(slots=True)
class _Scope:
    """The tables of one SELECT and the names that are looked up in them and in those around it."""

    outer: _Scope | None
    tables: list[tuple[str, Known]] = field(default_factory=list)
    #: (names between the dots, whether aliases of the list count too, place)
    used: list[tuple[list[str], bool, int]] = field(default_factory=list)
    aliases: set[str] = field(default_factory=set)
    #: Columns that USING and NATURAL make one; None: all.
    merged: set[str] | None = field(default_factory=set)
    late: bool = False


class ViewQuery(Expressions):
    """Reads one query to its end."""

    def __init__(
        self, t: Tokens, reserved: frozenset[str], columns: Columns, functions: Collection[str] = ()
    ) -> None:
        super().__init__(t, reserved)
        self.columns = columns
        self.functions = functions
        self.scope: _Scope | None = None
        #: Common table expressions, by name; in front the innermost.
        self.common: list[dict[str, Known]] = []

    def read(self, *, listed: bool) -> None:
        """The query of a view, with a list of its columns in front or not. Raises Refused where a server may
        not take it.
        """
        t = self.t
        names = [one.casefold() for one in self.query() if one not in ("", "*")]
        if not listed and len(set(names)) < len(names):
            raise t.fail("two columns have one name")
        if t.take("WITH"):
            t.take_any("CASCADED", "LOCAL")
            t.need("CHECK", "OPTION")
        if not t.end:
            raise t.fail()

    def is_function(self, name: str) -> bool:
        """One that servers have, or that the script has made."""
        return name.upper() in _listed() or name.casefold() in self.functions

    def column(self, parts: list[str], at: int) -> None:
        """A name that is used: it is looked up when the tables are known."""
        if self.scope is None:
            raise Refused(f"there is no column {'.'.join(parts)!r}", at, "SC002")
        self.scope.used.append((parts, self.scope.late, at))

    # -- queries --------------------------------------------------------------------------------

    def query(self) -> list[str]:
        """A query; the names of its columns: '' for an expression's own, '*' for any number of columns."""
        t = self.t
        self.common.insert(0, {})
        if t.peek() == "WITH":
            self._with()
        names = self._term(alone=True)
        ended = self.ended
        while t.take_any("UNION", "EXCEPT", "INTERSECT"):
            if ended:
                raise t.fail()
            t.take_any("ALL", "DISTINCT")
            other = self._term(alone=False)
            if "*" not in (*names, *other) and len(other) != len(names):
                raise t.fail("as many columns are expected")
        if t.take("ORDER", "BY"):
            self.scope = scope = _Scope(self.scope)
            scope.tables.append(("", _known(names)))
            self.ordering(len(names))
            self._resolve(scope)
            self.scope = scope.outer
        self._limit()
        self.common.pop(0)
        return names

    def _apart(self) -> list[str]:
        """A query that sees no names of those around it."""
        scope, self.scope = self.scope, None
        names = self.query()
        self.scope = scope
        return names

    def _with(self) -> None:
        t = self.t
        t.need("WITH")
        recursive = t.take("RECURSIVE")
        while True:
            name = t.name(self.reserved)
            listed = self._names() if t.peek() == "(" else None
            t.need("AS", "(")
            if recursive:
                self.common[0][name.casefold()] = None
            found = self._apart()
            t.need(")")
            if listed and "*" not in found and len(listed) != len(found):
                raise t.fail("as many columns are expected")
            self.common[0][name.casefold()] = _known(listed or found)
            if not t.take(","):
                return

    def _term(self, *, alone: bool) -> list[str]:
        """One part of a UNION; `alone`: it may be the only one, and what sorts it is its own."""
        t = self.t
        self.ended = False
        if t.take("("):
            names = self.query()
            t.need(")")
            self.ended = False
            return names
        if t.take("VALUES"):
            return self._rows()
        return self._select(alone=alone)

    def _rows(self) -> list[str]:
        t = self.t
        width = -1
        while True:
            t.need("(")
            count = self.expressions()
            t.need(")")
            if width not in (-1, count):
                raise t.fail("as many values are expected")
            width = count
            if not t.take(","):
                return [""] * width

    def _select(self, *, alone: bool) -> list[str]:
        t = self.t
        t.need("SELECT")
        while t.take_any("DISTINCT", "ALL", "SQL_NO_CACHE", "HIGH_PRIORITY", "STRAIGHT_JOIN"):
            pass
        scope = self.scope = _Scope(self.scope)
        names = self._items(scope)
        if t.take("FROM") and not t.take("DUAL"):
            self._tables(scope)
        if t.take("WHERE"):
            self.expression()
        scope.late = True
        if t.take("GROUP", "BY"):
            # A column that is computed over rows is none to group by.
            self.ordering(0, directions=False)
            t.take("WITH", "ROLLUP")
        if t.take("HAVING"):
            self.expression()
        self.ended = alone and t.peek() in ("ORDER", "LIMIT")
        if alone and t.take("ORDER", "BY"):
            self.ordering(len(names))
        if alone:
            self._limit()
        ended = self.ended
        self._resolve(scope)
        self.scope = scope.outer
        self.ended = ended
        return [one for name in names for one in (_meant(name, scope, t) if name[:1] == "*" else [name])]

    def _limit(self) -> None:
        t = self.t
        if t.take("LIMIT"):
            t.integer()
            if t.take_any(",", "OFFSET"):
                t.integer()

    def _items(self, scope: _Scope) -> list[str]:
        t = self.t
        names: list[str] = []
        while True:
            if t.peek() == "*" and not names:
                t.at += 1
                names.append("*")
            elif table := self._star():
                names.append(f"*{table}")
            else:
                at = t.at
                self.expression()
                own = t.name_at(t.at - 1) if t.at - at in (1, 3, 5) and t.is_name(-1) else ""
                names.append(self._alias() or own)
                scope.aliases.add(names[-1].casefold())
            if not t.take(","):
                return names

    def _star(self) -> str:
        """The table of `table.*`, if that comes next."""
        t = self.t
        ahead = 0
        while t.is_name(ahead) and t.peek(ahead + 1) == ".":
            ahead += 2
            if t.peek(ahead) == "*":
                t.at += ahead + 1
                return t.name_at(t.at - 3)
        return ""

    def _alias(self) -> str:
        t = self.t
        said = t.take("AS")
        if t.kind() is TokenType.STRING:
            return t.one_string()
        if said or (t.is_name() and t.peek() not in self.reserved | _NO_ALIAS):
            return t.name(self.reserved)
        return ""

    # -- tables ---------------------------------------------------------------------------------

    def _tables(self, scope: _Scope) -> None:
        while True:
            self._joined(scope)
            if not self.t.take(","):
                return

    def _joined(self, scope: _Scope) -> None:
        t = self.t
        self._factor(scope)
        while True:
            if t.take("NATURAL"):
                if t.take_any("LEFT", "RIGHT"):
                    t.take("OUTER")
                else:
                    t.take("INNER")
                t.need("JOIN")
                scope.merged = None
                self._factor(scope)
            elif t.take("LEFT") or t.take("RIGHT"):
                t.take("OUTER")
                t.need("JOIN")
                self._factor(scope)
                self._on(scope, needed=True)
            elif t.take("JOIN") or t.take("INNER", "JOIN") or t.take("CROSS", "JOIN"):
                self._factor(scope)
                self._on(scope, needed=False)
            elif t.take("STRAIGHT_JOIN"):
                self._factor(scope)
                if t.take("ON"):
                    self.expression()
            else:
                return

    def _on(self, scope: _Scope, *, needed: bool) -> None:
        t = self.t
        if t.take("ON"):
            self.expression()
        elif t.take("USING"):
            names = self._names()
            if scope.merged is not None:
                scope.merged |= {one.casefold() for one in names}
        elif needed:
            raise t.fail("ON or USING is expected")

    def _factor(self, scope: _Scope) -> None:
        t = self.t
        if t.peek() == "(":
            if self.opens_query():
                t.at += 1
                found = _known(self._apart())
                t.need(")")
                t.take("AS")
                name = t.name(self.reserved)
                self._add(scope, name, found)
                return
            t.at += 1
            self._tables(scope)
            t.need(")")
            return
        database, name = None, t.name(self.reserved)
        if t.take("."):
            database, name = name, self.behind_dot()
        if t.peek() == "(":
            raise t.fail()
        common = next((one[name.casefold()] for one in self.common if name.casefold() in one), ...)
        found = self.columns(database, name) if database or common is ... else common
        alias = name
        if t.take("AS") or (t.is_name() and t.peek() not in self.reserved | _NO_ALIAS):
            alias = t.name(self.reserved)
        if t.peek() in ("USE", "FORCE", "IGNORE"):
            raise t.fail("whether there is such an index is not known")
        self._add(scope, alias, found)

    def _add(self, scope: _Scope, name: str, columns: Known) -> None:
        if any(name.casefold() == one for one, _ in scope.tables):
            raise self.t.fail("two tables have one name")
        scope.tables.append((name.casefold(), columns))

    def _names(self) -> list[str]:
        t = self.t
        t.need("(")
        names = [t.name(self.reserved)]
        while t.take(","):
            names.append(t.name(self.reserved))
        t.need(")")
        return names

    def _resolve(self, scope: _Scope) -> None:
        """Look up the names of a SELECT; what it has not, those around it may have."""
        for parts, late, at in scope.used:
            name = parts[-1].casefold()
            if late and len(parts) == 1 and name in scope.aliases:
                continue
            of = parts[-2].casefold() if len(parts) > 1 else None
            tables = [known for alias, known in scope.tables if of in (None, alias)]
            having = [known for known in tables if known is None or name in known]
            sure = sum(known is not None for known in having)
            if sure > 1 and scope.merged is not None and name not in scope.merged:
                raise Refused(f"{parts[-1]!r} is a column of two tables", at, "SC002")
            if not having:
                if scope.outer is None:
                    raise Refused(f"there is no column {'.'.join(parts)!r}", at, "SC002")
                scope.outer.used.append((parts, scope.outer.late, at))


@cache
def _listed() -> frozenset[str]:
    """The functions of which it is known which servers have them."""
    rules = knowledge.load("dialect")
    return frozenset((*rules["functions"], *rules["common_functions"].split(" ")))


def _known(names: list[str]) -> Known:
    return None if "*" in names or "" in names else {one.casefold(): True for one in names}


def _meant(star: str, scope: _Scope, t: Tokens) -> list[str]:
    """The names of the columns that `*` or `table.*` means; `*` where they are not known."""
    of = star[1:].casefold()
    tables = [known for alias, known in scope.tables if of in ("", alias)]
    if not tables:
        raise t.fail("there is no table that * means")
    if any(known is None for known in tables) or (not of and scope.merged != set()):
        return ["*"]
    return [name for known in tables if known is not None for name, shown in known.items() if shown]
