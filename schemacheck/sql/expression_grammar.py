"""The grammar of expressions in queries: operators, functions, subqueries.

After sql_yacc.yy of MySQL 8.0 and MariaDB 10.11. What is read here a server parses; whatever is not
certain is refused. Types are not looked at, nor whether there is a function; the number of arguments is for
some functions.
"""

from __future__ import annotations

from collections.abc import Collection

from schemacheck.sql import characters
from schemacheck.sql.function_grammar import AGGREGATES, COUNTS, SPECIAL, WINDOWS, unit
from schemacheck.sql.lexer import Tokens
from schemacheck.sql.token import TokenType

_BARE = frozenset((
    "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "CURRENT_USER", "LOCALTIME", "LOCALTIMESTAMP",
    "UTC_DATE", "UTC_TIME", "UTC_TIMESTAMP",
))  # fmt: skip
_BITS = frozenset(("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"))
_COMPARISONS = frozenset(("=", "<=>", "<", "<=", ">", ">=", "<>", "!="))
_OPERATORS = (
    "->>", "<=>", "->", "<=", ">=", "<>", "!=", "<<", ">>", "&&", "||", "=", "<", ">", "+", "-", "*", "/",
    "%", "&", "|", "^",
)  # fmt: skip
#: Digits of a number that is no place of a column.
_LONG = 9
_LITERALS = frozenset(
    (TokenType.STRING, TokenType.NATIONAL_STRING, TokenType.HEX_STRING, TokenType.BIT_STRING)
)


def _whole(text: str) -> int:
    return int(text) if characters.is_digits(text) and len(text) < _LONG else 0


class Expressions:
    """Reads expressions; what a query in parentheses and a name mean, a subclass knows."""

    def __init__(self, t: Tokens, reserved: frozenset[str]) -> None:
        self.t = t
        self.reserved = reserved
        #: Whether the last SELECT has an ORDER BY or LIMIT of its own.
        self.ended = False
        #: Whether the expression may be a row.
        self.rows = False

    def query(self) -> object:
        """Read a query up to its closing parenthesis."""
        raise NotImplementedError

    def is_function(self, name: str) -> bool:
        """Whether there is a function of this name, which is none of those that the grammar has."""
        raise NotImplementedError

    def column(self, parts: list[str], at: int) -> None:
        """A name that is used, in its parts."""
        raise NotImplementedError

    def expressions(self, *, rows: bool = False) -> int:
        """Expressions between commas: how many. `rows`: each may be a row."""
        before, self.rows = self.rows, rows
        count = 1
        self.expression()
        while self.t.take(","):
            self.expression()
            count += 1
        self.rows = before
        return count

    def expression(self) -> None:
        """One, up to what cannot belong to it."""
        t = self.t
        while True:
            while t.take("NOT"):
                pass
            self._compared()
            if t.take_any("AND", "OR", "XOR") is None and not self._operator(("&&", "||")):
                return

    def ordering(self, width: int, *, directions: bool = True) -> None:
        """What rows are sorted or grouped by: a number is the place of one of at least `width` columns."""
        t = self.t
        while True:
            first = t.at
            self.expression()
            if t.at == first + 1 and t.is_number(-1) and not 0 < _whole(t.raw(first)) <= width:
                raise t.fail()
            if directions:
                t.take_any("ASC", "DESC")
            if not t.take(","):
                return

    def _compared(self) -> None:
        t = self.t
        self._predicate()
        while True:
            if t.take("IS"):
                t.take("NOT")
                if t.take_any("NULL", "TRUE", "FALSE", "UNKNOWN") is None:
                    raise t.fail()
            elif self._operator(_COMPARISONS):
                if t.take_any("ANY", "SOME", "ALL"):
                    self._subquery(limits=False)
                else:
                    self._predicate()
            else:
                return

    def _predicate(self) -> None:
        t = self.t
        self.operand()
        negated = t.take("NOT")
        if t.take("IN"):
            if self.opens_query():
                self._subquery(limits=False)
            else:
                t.need("(")
                self.expressions(rows=True)
                t.need(")")
        elif t.take("BETWEEN"):
            self.operand()
            t.need("AND")
            self._predicate()
        elif t.take("LIKE"):
            self._simple()
            if t.take("ESCAPE") and len(t.one_string()) != 1:
                raise t.fail()
        elif t.take_any("REGEXP", "RLIKE"):
            self.operand()
        elif negated:
            raise t.fail()

    def operand(self) -> None:
        """What operators of bits and arithmetic join."""
        t = self.t
        self._simple()
        while True:
            if t.peek() in ("+", "-") and t.peek(1) == "INTERVAL" and t.peek(2) != "(":
                t.at += 2
                self.expression()
                unit(self)
            elif t.take_any("DIV", "MOD") or self._operator(_BITS):
                self._simple()
            else:
                return

    def _operator(self, wanted: Collection[str]) -> bool:
        """Consume one of these operators, if the longest one that stands here is one of them."""
        t = self.t
        if t.kind() is not TokenType.SIGN:
            return False
        text, at = t.peek(), t.at
        while at + 1 < t.size and t.kinds[at + 1] is TokenType.SIGN and t.starts[at + 1] == t.ends[at]:
            at += 1
            text += t.words[at]
        found = next((one for one in _OPERATORS if text.startswith(one)), "")
        if found not in wanted:
            return False
        t.at += len(found)
        return True

    def _simple(self) -> None:
        t = self.t
        while t.peek() in ("-", "+", "~", "!") or t.take("BINARY"):
            t.at += t.peek() in ("-", "+", "~", "!")
        self._primary()
        while self._operator(("->", "->>")):
            t.one_string()

    def _primary(self) -> None:
        t = self.t
        word = t.peek()
        if self._literal():
            return
        if word == "(":
            if self.opens_query():
                self._subquery()
                return
            t.at += 1
            several = self.expressions() > 1
            t.need(")")
            if several and not self.rows and t.peek() not in ("IN", "NOT"):
                raise t.fail("a row stands where a value is expected")
        elif word == "EXISTS" and t.peek(1) == "(":
            t.at += 1
            self._subquery()
        elif t.take("CASE"):
            self._case()
        elif word in _BARE and t.peek(1) != "(":
            t.at += 1
        elif t.peek(1) == "(" and (word in COUNTS or word in SPECIAL or self.is_function(t.name_at(t.at))):
            self._called(word)
        else:
            self._named()

    def behind_dot(self) -> str:
        """A name behind a point: any word where it touches the point."""
        t = self.t
        return t.name(frozenset() if t.offset() == t.last_end() else self.reserved)

    def _literal(self) -> bool:
        t = self.t
        word = t.peek()
        if t.take_any("NULL", "TRUE", "FALSE"):
            return True
        if t.is_number():
            t.at += 1
            return True
        if t.kind(1) is TokenType.STRING and (word in ("DATE", "TIME", "TIMESTAMP") or word[:1] == "_"):
            if t.is_name() and word[:1] == "_":
                return False
            t.at += 1
        if t.kind() in _LITERALS:
            while t.kind() in _LITERALS:
                t.at += 1
            return True
        return False

    def _named(self) -> None:
        t = self.t
        at = t.offset()
        parts = [t.name(self.reserved)]
        while t.take("."):
            parts.append(self.behind_dot())
        if t.peek() == "(" or len(parts) > 3:
            raise t.fail()
        self.column(parts, at)

    def _case(self) -> None:
        t = self.t
        if t.peek() != "WHEN":
            self.expression()
        t.need("WHEN")
        while True:
            self.expression()
            t.need("THEN")
            self.expression()
            if not t.take("WHEN"):
                break
        if t.take("ELSE"):
            self.expression()
        t.need("END")

    def opens_query(self) -> bool:
        """Whether a parenthesis here is that of a query."""
        t = self.t
        ahead = 0
        while t.peek(ahead) == "(":
            ahead += 1
        return ahead > 0 and t.peek(ahead) in ("SELECT", "WITH", "VALUES") and t.peek(ahead + 1) != "."

    def _subquery(self, *, limits: bool = True) -> None:
        """`limits`: LIMIT may stand in it."""
        t = self.t
        t.need("(")
        self.query()
        if self.ended and not limits:
            raise t.fail()
        t.need(")")

    def _called(self, word: str) -> None:
        """A function."""
        t = self.t
        touches = t.starts[t.at + 1] == t.ends[t.at]
        if not touches and word not in COUNTS:
            raise t.fail()
        special = SPECIAL.get(word)
        t.at += 2
        if special is not None:
            special(self)
        elif t.peek() != ")":
            least, most = COUNTS.get(word, (0, 999))
            if not least <= self.expressions() <= most:
                raise t.fail()
        elif COUNTS.get(word, (0, 0))[0]:
            raise t.fail()
        t.need(")")
        if t.take("OVER"):
            if word not in AGGREGATES | WINDOWS:
                raise t.fail()
            self._window()
        elif word in WINDOWS:
            raise t.fail()

    def _window(self) -> None:
        t = self.t
        t.need("(")
        if t.take("PARTITION", "BY"):
            self.expressions()
        if t.take("ORDER", "BY"):
            self.ordering(1)
        t.need(")")
