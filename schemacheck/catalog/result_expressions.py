"""The column that an expression of a query makes, where every server whose types these may be makes the same:
see `result_types`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemacheck.catalog import result_functions as of
from schemacheck.catalog import result_hybrids, result_texts, result_values
from schemacheck.catalog.charsets import default_collation
from schemacheck.catalog.collation import COERCIBLE, Collation
from schemacheck.catalog.context import Context
from schemacheck.catalog.expression_collations import collation_of
from schemacheck.catalog.expression_scope import Scope, groups
from schemacheck.catalog.result_types import FREE, Result, Unsure, Ways
from schemacheck.dataclass import dataclass, field
from schemacheck.model import charset as charsets
from schemacheck.model.expression_tree import Item, NoTree, TooHigh, tree
from schemacheck.model.table import Column
from schemacheck.sql import characters

#: Whose types a server has: where it may be either of two, both must be alike.
_WAYS = {
    "result-types-of-5.6": "mysql-5.6",
    "result-types-of-9.7": "mysql-9.7",
    "result-types-of-10.11": "mariadb-10.11",
    "result-types-of-11.8": "mariadb-11.8",
}
#: Integers that are INT everywhere.
_SMALL = re.compile(r"[+-]?[0-9]{1,8}\Z")
#: The character set that a client has of itself.
_OWN = "utf8mb4"
_HYBRID = frozenset(("coalesce", "ifnull", "if", "case", "nullif", "least", "greatest"))
#: Words that name a character set in a CAST and are no name of one.
_SETS = frozenset(("ascii", "unicode", "byte", "nchar", "national"))


def column(text: str, context: Context, *, evaluated: bool) -> Column | None:
    """The column of an expression without columns; None where it is not known, or where it is `evaluated` and
    the server may refuse its value. Raises Refused.
    """
    ways = [Ways(one, context.strict) for name, one in _WAYS.items() if context.server.has(name)]
    collation = context.server.setting("collation_connection").lower()
    charset = charsets.of_collation(collation) if collation else _OWN
    known = collation if charset and collation else default_collation(charset or _OWN, context.server)
    scope = Scope(context, {}, charset or _OWN, known, query=True)
    try:
        root, words = tree(text, context.modes)
        if charset is None and root.kind != "number":
            return None
        if not ways and root.kind == "number" and _SMALL.match(root.value) and not root.detail:
            # INT on every server.
            ways = [Ways("mariadb-10.11" if context.server.mariadb else "mysql-5.6")]
        made = [_Typed(one, scope, words, evaluated).column(root) for one in ways]
    except (NoTree, TooHigh, Unsure, IndexError):
        return None
    return made[0] if made and all(one == made[0] for one in made) else None


@dataclass(slots=True)
class _Typed:
    ways: Ways
    scope: Scope
    words: tuple[tuple[str, str], ...]
    evaluated: bool
    known: dict[int, Collation | None] = field(default_factory=dict)

    def column(self, item: Item) -> Column:
        made = self.result(item)
        own = self.collation(item) if made.kind in ("text", "other") else None
        return self.ways.column(made, own, self.scope.context)

    def collation(self, item: Item) -> Collation | None:
        """The collation that a text has. Raises Refused."""
        if item.name in ("addtime", "subtime", "+", "-"):
            return Collation(self.scope.collation, self.scope.charset, COERCIBLE)
        if id(item) not in self.known:
            self.known[id(item)] = collation_of(item, self.words, self.scope)
        return self.known[id(item)]

    def result(self, item: Item) -> Result:
        """What an item gives. Raises Unsure."""
        if item.kind == "string":
            own = self.collation(item)
            wide = own is not None and (charsets.max_bytes(own.charset) > 1 and bool(item.charset))
            if own is None or (not own.charset.startswith("utf8") and (wide or not item.value.isascii())):
                raise Unsure
            return Result("text", len(item.value), fixed=True)
        if item.kind == "bits" and item.charset:
            own = self.collation(item)
            size = self.ways.literal(item).chars
            if own is None or charsets.max_bytes(own.charset) > 1:
                raise Unsure
            return Result("text", size, fixed=True)
        if item.kind == "column":
            raise Unsure
        if item.kind != "call":
            return self.ways.literal(item)
        if item.name == "interval unit" or item.name.startswith("case "):
            raise Unsure
        return self.call(item)

    def sure(self, item: Item, args: Sequence[Result]) -> None:
        """Raise Unsure where the server may refuse the value."""
        strict = self.scope.context.strict
        if self.evaluated and not result_values.is_sure(item, args, strict=strict):
            raise Unsure

    def call(self, item: Item) -> Result:
        """An operator or a function."""
        name, items, ways = item.name, item.args, self.ways
        if name in ("+", "-") and items[-1].name == "interval unit":
            by, first = items[-1].args[0], self.result(items[0])
            if self.evaluated and not result_values.is_moved(first, items[0], by):
                raise Unsure
            return of.moved(first, items[-1].detail, self.result(by), by, ways)
        if name in ("cast", "convert"):
            return self.cast(item)
        if name == "case":
            return self.hybrid(name, self.case(item), items[1:])
        args = [self.result(one) for one in items]
        self.sure(item, args)
        if name in _HYBRID:
            if name == "if" and args[0].nullable:
                raise Unsure
            if name == "nullif" and not self._comparable(args):
                raise Unsure
            used = slice(1, None) if name == "if" else slice(0, 1) if name == "nullif" else slice(None)
            return self.hybrid(name, args[used], items[used])
        if (found := of.fixed(name, args, ways)) is not None:
            return found
        if name in of.CONDITIONS:
            return of.condition(name, args, ways)
        if name in of.BITS:
            return of.bits(args, items, ways)
        if name in ("+", "-") and item.detail == "days":
            return of.moved(args[0], "day", args[1], items[1], ways)
        if name == "-" and len(args) == 1:
            return self.negated(args[0])
        if name in ("+", "-", "*", "/", "div", "%", "mod") and len(args) == 2:
            return of.arithmetic(name, args[0], args[1], ways)
        return self.function(item, args)

    def _comparable(self, args: Sequence[Result]) -> bool:
        """Whether NULLIF compares values without making another type of the first."""
        kinds = {one.kind for one in args[1:]} - {"null", args[0].kind}
        return not kinds or ({*kinds, args[0].kind} <= {"text", "int", "decimal", "double"})

    def function(self, item: Item, args: Sequence[Result]) -> Result:
        """A function whose type depends on its arguments."""
        name, items, ways = item.name, item.args, self.ways
        nullable = any(one.nullable for one in args)
        if name in ("round", "truncate"):
            return of.rounded(name, args, items, ways)
        if name in ("floor", "ceiling"):
            return of.whole(args[0], ways)
        if name == "abs":
            return of.absolute(args[0], ways)
        if name == "collate":
            return ways.text(args[0].chars, nullable=nullable)
        if name in ("now", "sysdate", "curtime", "utc_time", "utc_timestamp"):
            return self.current(item)
        if name == "from_unixtime" and len(args) == 1:
            kind = "timestamp" if ways.late else "datetime"
            return ways.moment(kind, of.amount(args[0], items[0]), nullable=True)
        if name == "sec_to_time":
            return ways.moment("time", of.amount(args[0], items[0]), nullable=True)
        if name == "maketime":
            return ways.moment("time", of.amount(args[2], items[2]), nullable=True)
        if name in ("time", "timestamp") and len(args) == 1:
            kind = "datetime" if name == "timestamp" else "time"
            return ways.moment(kind, of.seconds(args[0], items[0]), nullable=True)
        if name in ("timediff", "addtime", "subtime"):
            return self.difference(name, args, items)
        if name == "convert_tz":
            return ways.moment("datetime", of.seconds(args[0], items[0]), nullable=True)
        if name == "str_to_date":
            return of.dated(items[1], ways)
        if name == "timestampadd":
            return of.moved(args[1], item.detail, args[0], items[0], ways)
        if name == "timestampdiff":
            return ways.integer(21, nullable=True, base="bigint")
        if name == "extract":
            return of.extracted(item.detail, ways)
        if name == "uuid":
            return self.uuid()
        if name.startswith("json_") and ways.new:
            return self.document(name)
        if ways.old and name not in ("concat", "concat_ws"):
            result_hybrids.one_charset(items, self.collation)
        found = result_texts.text(item, args, self.collation(item), self.collation, ways)
        if found is None:
            raise Unsure
        return found

    def current(self, item: Item) -> Result:
        """NOW and the like, with the digits of a second that it names."""
        if item.args and (item.args[0].kind != "number" or not characters.is_digits(item.args[0].value)):
            raise Unsure
        if self.words[item.first][1].startswith("localtime"):
            raise Unsure
        scale = int(item.args[0].value) if item.args else 0
        kind = "time" if item.name in ("curtime", "utc_time") else "datetime"
        if kind == "datetime" and self.ways.late and item.name != "utc_timestamp":
            kind = "timestamp"
        made = self.ways.moment(kind, scale, nullable=False)
        return made._replace(chars=-1) if kind == "time" and not self.ways.mariadb else made

    def uuid(self) -> Result:
        if self.ways.mariadb:
            return Result("other", -1, nullable=self.ways.strict and not self.ways.late, base="uuid")
        return self.ways.text(36, nullable=False)

    def document(self, name: str) -> Result:
        """MySQL's JSON."""
        if groups(self.ways.mariadb).get(name) != "json":
            raise Unsure
        return Result("other", -1, nullable=True, base="json")

    def negated(self, one: Result) -> Result:
        """Unary minus."""
        if one.kind == "text":
            return self.ways.double(nullable=one.nullable)._replace(chars=-1)
        if one.kind == "double" and one.scale == FREE:
            return self.ways.double(nullable=one.nullable)
        if one.kind == "decimal" and not one.fixed:
            return one
        raise Unsure

    def difference(self, name: str, args: Sequence[Result], items: Sequence[Item]) -> Result:
        first, second = args
        scale = max(of.seconds(one, item) for one, item in zip(args, items, strict=True))
        if name == "timediff":
            if scale and not (first.moment and second.moment):
                raise Unsure
            return self.ways.moment("time", scale, nullable=True)
        if first.kind in ("time", "datetime"):
            return self.ways.moment(first.kind, scale, nullable=True)
        if first.kind == "text":
            return Result("text", 26 if self.ways.mariadb else 29, nullable=True)
        raise Unsure

    def case(self, item: Item) -> list[Result]:
        """The values of a CASE, with NULL where there is no ELSE."""
        asked, values = item.args[0], item.args[1:]
        count = len(asked.args) - (asked.name == "case value")
        found = [self.result(one) for one in values]
        self.sure(asked, [self.result(one) for one in asked.args])
        return found if len(values) > count else [*found, Result("null", nullable=True)]

    def hybrid(self, name: str, given: Sequence[Result], items: Sequence[Item]) -> Result:
        """What has the type of its arguments together. Raises Unsure."""
        return result_hybrids.hybrid(name, given, items, self.collation, self.ways)

    def cast(self, item: Item) -> Result:
        """CAST and CONVERT."""
        one, ways = self.result(item.args[0]), self.ways
        self.sure(item, [one])
        target = item.value
        if one.kind == "other" or any(word in _SETS for _, word in self.words[item.first : item.last]):
            raise Unsure
        if item.name == "convert" or target == "char":
            return self._as_text(item, one)
        if target in ("signed", "unsigned"):
            return self._as_integer(item.args[0], one, unsigned=target == "unsigned")
        size = [int(word) for word in item.detail.split(",") if characters.is_digits(word)]
        if target in ("decimal", "dec", "numeric"):
            digits, scale = [*size, *(10, 0)[len(size) :]][:2]
            if not digits:
                raise Unsure
            return ways.decimal(digits, scale, nullable=one.nullable)
        if target in ("date", "time", "datetime"):
            return ways.moment(target, size[0] if size else 0, nullable=True)
        if target == "double" and not ways.old:
            return ways.double(nullable=one.nullable or ways.mariadb)._replace(chars=22)
        if target == "json" and ways.new:
            return Result("other", -1, nullable=True, base="json")
        raise Unsure

    def _as_text(self, item: Item, one: Result) -> Result:
        ways, own = self.ways, self.collation(item)
        if one.chars < 0 or own is None:
            raise Unsure
        nullable = one.nullable or ways.strict
        if item.detail:
            return Result("text", int(item.detail), nullable)
        if own.charset != "binary" or one.kind in ("bits", "null"):
            if own.charset in charsets.WIDE and one.kind in ("bits", "other"):
                raise Unsure
            return Result("text", one.chars, nullable)
        if one.kind != "text" or (item.name == "convert" and not ways.new):
            raise Unsure
        return Result("text", of.octets(one, self.collation(item.args[0])), nullable)

    def _as_integer(self, item: Item, one: Result, *, unsigned: bool) -> Result:
        ways, nullable = self.ways, one.nullable
        if ways.new:
            return ways.integer(21, nullable=nullable, unsigned=unsigned, base="bigint")
        if one.kind not in ("int", "decimal", "text", "null", "bits") and not (
            ways.old and one.kind == "double"
        ):
            raise Unsure
        if one.chars < 0:
            raise Unsure
        if ways.old:
            return ways.integer(min(one.chars, 21), nullable=nullable, unsigned=unsigned)
        if one.chars == 9 or (one.kind == "decimal" and one.chars > 8):
            raise Unsure
        digits = one.fixed and one.chars > 1 and characters.is_digits(item.value)
        if unsigned and (one.kind == "bits" or (one.kind == "text" and not digits)):
            raise Unsure
        if unsigned and (one.kind in ("decimal", "text") or item.value.startswith("-")):
            return ways.integer(20, nullable=nullable, unsigned=True)
        if unsigned and one.kind != "null" and not one.fixed:
            raise Unsure
        chars = {"null": 1 if unsigned else 2}.get(one.kind, min(max(one.chars, 1 if unsigned else 2), 21))
        return ways.integer(chars, nullable=nullable, unsigned=unsigned)
