"""The columns of a view: their names and their number."""

from __future__ import annotations

from schemacheck.catalog.context import Context
from schemacheck.catalog.name_rules import folded
from schemacheck.catalog.query import Query, listed
from schemacheck.catalog.query_tables import Find, unsure
from schemacheck.sql.lexer import Refused, Tokens

#: What ends the list of a SELECT: reserved words, so that no column has such a name without quotes.
_ENDS = frozenset(("FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION"))
_UNSURE_ENDS = frozenset(
    (
        "EXCEPT",
        "INTERSECT",
        "MINUS",
        "WINDOW",
        "QUALIFY",
        "OFFSET",
        "FETCH",
        "FOR",
        "LOCK",
        "PROCEDURE",
        "INTO",
    )
)


def names(t: Tokens, context: Context, find: Find) -> tuple[str, ...] | None:
    """The names of the columns of a view, whose query `t` has, with its column list in front where it has
    one; None where they are not known. Raises Refused: 1060 where one is there twice, 1353 where the list and
    the query have another number, without a number where it is not known whether they have.
    """
    begin = t.at
    if columns := listed(t):
        _unlike(columns, t.starts[begin])
        return _counted(columns, t, context, find, t.starts[begin])
    try:
        found = _ViewQuery(t, context, find).names()
    except Refused:
        return None
    _unlike(found, t.starts[begin])
    return tuple(found)


def _unlike(names: list[str], at: int) -> None:
    seen: set[str] = set()
    for name in names:
        if folded(name) in seen:
            raise Refused(f"column {name!r} is there twice", at, "SC002", 1060, name=name)
        seen.add(folded(name))


def _counted(columns: list[str], t: Tokens, context: Context, find: Find, at: int) -> tuple[str, ...]:
    """The names of a view's list, if its query has as many columns."""
    query = t.at
    try:
        width = _ViewQuery(t, context, find).width()
    except Refused:
        why = "how many columns the view's query has is not known here: name each with AS, without *"
        raise Refused(why, at, "SC002") from None
    if width == len(columns):
        return tuple(columns)
    # A server looks for names that mean nothing first.
    number: int | None = 1353
    t.at = query
    try:
        _ViewQuery(t, context, find).items()
    except Refused:
        number = None
    raise Refused(f"the query has {width} columns, the view's list {len(columns)}", at, "SC002", number)


class _ViewQuery(Query):
    """What a view shows."""

    def names(self) -> list[str]:
        """The names of the columns; whether a server takes the query is not asked. Raises Refused where one
        is not certain.
        """
        t = self.t
        if not t.take("SELECT"):
            raise self.tables.unknown()
        t.take_any("DISTINCT", "ALL")
        first = t.at
        self._skip_items()
        end = t.at
        t.at = first
        out: list[str] = []
        while t.at < end:
            if (many := self._star_of(end)) is not None:
                out += many
            else:
                out.append(self._name(end))
            t.take(",")
        return out

    def width(self) -> int:
        """How many columns the first SELECT has. Raises Refused where that is not certain."""
        t = self.t
        common = t.take("WITH")
        if common:
            t.take("RECURSIVE")
            while t.peek() != "SELECT":
                t.name()
                if t.peek() == "(":
                    t.skip_parentheses()
                t.need("AS")
                t.skip_parentheses()
                t.take(",")
        while t.take("("):
            pass
        if not t.take("SELECT"):
            raise self.tables.unknown()
        t.take_any("DISTINCT", "ALL")
        starts, depth = [t.at], 0
        while not t.end and depth >= 0:
            word = t.peek() if t.raw(t.at - 1) != "." else ""
            if depth == 0 and word in _UNSURE_ENDS:
                raise self.tables.unknown()
            if depth == 0 and word in _ENDS:
                break
            if depth == 0 and word == ",":
                starts.append(t.at + 1)
            depth += (word == "(") - (word == ")")
            t.at += 1
        end, count = t.at - (depth < 0), 0
        for first, behind in zip(starts, [*(one - 1 for one in starts[1:]), end], strict=True):
            if behind > first and t.raw(behind - 1) == "*":
                if common:
                    raise self.tables.unknown()
                t.at = first
                count += len(self._star_of(end) or ())
                if t.at != behind:
                    raise self.tables.unknown()
            else:
                count += 1
        return count

    def _star_of(self, end: int) -> list[str] | None:
        """The columns of `*` or `t.*`, None where another item comes."""
        t = self.t
        at = t.offset()
        qualifiers = [] if t.take("*") else self._before_star() if t.is_name() else None
        if qualifiers is None:
            return None
        if not self.tables.tables:
            here, t.at = t.at, end
            if t.take("FROM"):
                self.tables.read()
            t.at = here
        return [item.name for item in self._star(qualifiers, at)]

    def _name(self, end: int) -> str:
        """The name of one item, whose end it goes behind: its alias, or that of the column that it is."""
        t = self.t
        first, depth = t.at, 0
        while t.at < end and not (depth == 0 and t.peek() == ","):
            depth += (t.peek() == "(") - (t.peek() == ")")
            t.at += 1
        end, t.at = t.at, first
        width = end - first
        plain = all(t.peek(i) == "." if i % 2 else t.is_name(i) for i in range(width)) and width % 2
        aliased = width > 2 and t.peek(width - 2) == "AS" and t.is_name(width - 1)
        if not (plain or aliased):
            raise unsure("the name of an expression without AS", t.offset())
        t.at = end
        return t.name_at(end - 1)
