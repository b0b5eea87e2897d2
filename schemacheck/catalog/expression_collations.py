"""Character sets in the expressions of a table: which collation each value has, what the servers refuse to
mix (1267, 1270, 1271, 1253, 3995), and the conversions that they write into the expression: MariaDB
`convert(x using cs)`, MySQL constants in the other character set (`Item_func::agg_item_set_converter`).
"""

from __future__ import annotations

from schemacheck.catalog import collation as collations
from schemacheck.catalog import expression_constants, expression_types
from schemacheck.catalog.charsets import codec, default_collation, full_collation, representable
from schemacheck.catalog.collation import BINARY, NULL, NUMBER, Collation, Mixed, Value
from schemacheck.catalog.constant import NotComputed
from schemacheck.catalog.expression_scope import MOVING, TEXTS, Scope, groups, places, positions
from schemacheck.catalog.expression_text import escaped
from schemacheck.dataclass import dataclass, field
from schemacheck.model import charset as charsets
from schemacheck.model.expression_text import bits
from schemacheck.model.expression_tree import Item, NoTree, TooHigh, tree
from schemacheck.model.quote import string
from schemacheck.sql.lexer import Refused

_OTHER, _MOMENTS = ("uuid", "inet4", "inet6"), ("date", "datetime", "timestamp", "time")
_NUMBERS = {2: 1267, 3: 1270}
#: What gives a text and compares the ones that it is made of.
_SEARCHING = frozenset(("replace", "trim", "substring_index", "regexp_replace", "regexp_substr"))
_SOUGHT = ("locate", "instr", "position")


def converted(text: str, scope: Scope, modes: frozenset[str], at: int) -> str | None:
    """What the server makes of an expression, for no sql_mode; None: the same, or unknown. Raises Refused."""
    try:
        root, words = tree(text, modes)
        walk = _Walk(scope, words, at)
        walk.value(root)
    except NoTree:
        return None
    except TooHigh as high:
        raise Refused(str(high), at, "SC002") from None
    except IndexError:
        raise Refused("a function has too few arguments", at, "SC002") from None
    return walk.written() if walk.replaced or walk.before else None


def collation_of(item: Item, words: tuple[tuple[str, str], ...], scope: Scope) -> Collation | None:
    """The collation of what an item gives; None where nobody knows. Raises Refused."""
    return _Walk(scope, words, 0).value(item).collation


@dataclass(slots=True)
class _Walk:
    scope: Scope
    words: tuple[tuple[str, str], ...]
    at: int
    before: dict[int, int] = field(default_factory=dict)
    after: dict[int, str] = field(default_factory=dict)
    replaced: dict[int, tuple[int, str]] = field(default_factory=dict)

    def written(self) -> str:
        """The words with what was added."""
        out: list[str] = []
        at = 0
        while at < len(self.words):
            out.append("convert(" * self.before.get(at, 0))
            behind, text = self.replaced.get(at, (at + 1, self.words[at][1]))
            out.append(text)
            out += [self.after.get(one, "") for one in range(at + 1, behind + 1)]
            at = behind
        return " ".join(one for one in out if one)

    @property
    def mariadb(self) -> bool:
        return self.scope.context.server.mariadb

    def connection(self) -> Collation:
        return Collation(self.scope.collation, self.scope.charset, collations.COERCIBLE)

    def of_charset(self, name: str, derivation: int, *, only_ascii: bool = False) -> Collation:
        charset = charsets.canonical(name)
        if not charsets.known(charset):
            raise Refused(f"character set {name!r} is unknown", self.at, "SC002", 1115)
        return Collation(
            default_collation(charset, self.scope.context.server), charset, derivation, only_ascii
        )

    def refuse(self, number: int) -> Refused:
        return Refused("an expression mixes collations that have none together", self.at, "SC002", number)

    def unknown(self) -> Refused:
        why = "what an expression makes of values in other character sets is not known"
        return Refused(why, self.at, "SC002")

    def value(self, item: Item) -> Value:
        """What an item gives; its conversions are noted. Raises Refused."""
        match item.kind:
            case "string":
                kept = escaped(item.value, item.charset) if self.mariadb and item.charset else item.value
                plain = kept.isascii()
                if item.charset or not (self.mariadb or self.scope.query):
                    named = item.charset or "utf8mb4"
                    found = self.of_charset(named, collations.COERCIBLE, only_ascii=plain)
                    if not (plain or self.mariadb or found.charset.startswith(("utf8", "binary"))):
                        return Value("text", None, constant=True)
                else:
                    found = self.connection()._replace(ascii=plain)
                return Value("text", found, constant=True)
            case "bits":
                if item.charset:
                    return Value("text", self.of_charset(item.charset, collations.COERCIBLE), constant=True)
                return Value("text", BINARY, constant=True)
            case "number":
                return Value("number", NUMBER, constant=True)
            case "moment":
                return Value("moment", NUMBER, constant=True)
            case "null":
                return Value("null", NULL, constant=True)
            case "column":
                return self.column(item.name)
        return self.call(item)

    def type_of(self, item: Item) -> str:
        """The base type of a column, '' for anything else."""
        one = self.scope.columns.get(item.name.casefold()) if item.kind == "column" else None
        return one.type.base if one is not None else ""

    def column(self, name: str) -> Value:
        one = self.scope.columns.get(name.casefold())
        if one is None:
            return Value("text", None)
        kind = one.type
        if kind.charset and kind.collation:
            only = kind.charset == "ascii"
            return Value("text", Collation(kind.collation, kind.charset, collations.IMPLICIT, only))
        if kind.base in _MOMENTS:
            return Value("moment", NUMBER)
        if kind.base in _OTHER:
            return Value("other", NUMBER)
        binary = BINARY._replace(derivation=collations.IMPLICIT)
        if kind.base == "bit":
            return Value("number", binary)
        if kind.base == "json":
            return Value("json", Collation("utf8mb4_bin", "utf8mb4", collations.IMPLICIT))
        if kind.is_geometry or kind.base == "vector":
            return Value("shape", binary)
        if kind.is_blob or kind.base in ("binary", "varbinary"):
            return Value("text", binary)
        return Value("number", NUMBER)

    def call(self, item: Item) -> Value:
        """An operator or a function."""
        name, args = item.name, item.args
        given = [self.value(one) for one in args]
        whole = all(one.constant for one in given) and name not in MOVING
        kinds, types = [one.kind for one in given], [self.type_of(one) for one in args]
        expression_types.check(item, kinds, types, mariadb=self.mariadb, at=self.at)
        constant = [one.constant for one in given]
        for i, text in expression_constants.replacements(item, types, constant, self.scope, self.at):
            self.replace(args[i], text)
            given[i] = Value("number", NUMBER, constant=True)
        if name.startswith("regexp") and not self.mariadb:
            # A BLOB is taken by the operator (asked of 9.7).
            binary = {
                own.charset == "binary"
                for one, kind in zip(given, types, strict=True)
                if not (name == "regexp" and kind.endswith("blob"))
                if (own := one.collation) is not None and one.kind == "text"
            }
            if len(binary) == 2:
                raise Refused("a regular expression mixes binary strings with texts", self.at, "SC002", 3995)
        compared = positions(self.mariadb, "compared", "compared_{}").get(name)
        if compared is not None:
            self.compare(name, item, given, places(compared, args))
        joined = positions(self.mariadb, "joined", "joined_{}").get(name)
        if joined is not None:
            where = places(joined, args)
            found = self.join(args, given, where, comparing=name in _SEARCHING and len(where) > 1)
            settled = positions(self.mariadb, "settled_{}").get(name)
            if settled is not None and found is not None:
                for i in (i for i in places(settled, args) if given[i].constant):
                    self.convert(args[i], given[i], found, literal=False)
            moment = groups(self.mariadb).get(name) == "moment"
            return Value("moment", NUMBER, whole) if moment else Value("text", found, whole)
        hybrid = positions(self.mariadb, "hybrid").get(name)
        if hybrid is not None:
            if name == "nullif":
                self.compare("=", item, given, [0, 1], kept=self.mariadb)
            where = places(hybrid, args)
            return self.hybrid(args, given, where)._replace(constant=whole)
        return self.plain(item, given)._replace(constant=whole)

    def hybrid(self, args: list[Item], given: list[Value], where: list[int]) -> Value:
        kinds = {given[i].kind for i in where} - {"null"}
        if "other" in kinds:
            return Value("other", NUMBER)
        if len(kinds) == 1 and (kind := min(kinds)) in ("number", "moment", "json", "shape"):
            own = {"number": NUMBER, "moment": NUMBER}.get(kind)
            return Value(kind, own or next(given[i].collation for i in where if given[i].kind == kind))
        found = self.join(args, given, where, comparing=False)
        return Value("text", found)

    def plain(self, item: Item, given: list[Value]) -> Value:
        """A call whose arguments are not joined."""
        name = item.name
        first = given[0] if given else None
        has = self.scope.context.server.has
        cast = collations.CAST if has("casts-are-weaker-than-columns") else collations.IMPLICIT
        if name in ("cast", "convert"):
            return self.cast(item, cast)
        if name == "collate" and first is not None:
            return Value("text", self.collate(item, first))
        if name == "char" and item.charset and self.mariadb:  # MySQL forgets it when it writes it down.
            return Value("text", self.of_charset(item.charset, collations.COERCIBLE))
        if name == "uuid":
            if self.mariadb:
                return Value("other", NUMBER)
            return Value("text", Collation("utf8mb3_general_ci", "utf8mb3", collations.COERCIBLE))
        if name == "json_unquote":
            weak = cast if has("casts-are-weaker-than-columns") else collations.COERCIBLE
            return Value("text", Collation("utf8mb4_bin", "utf8mb4", weak, self.mariadb))
        if name == "json_value" and not self.mariadb:
            return Value("text", Collation("utf8mb4_0900_bin", "utf8mb4", collations.COERCIBLE))
        if name == "quote" and first is not None:
            own = first.collation
            if not self.mariadb and own is not None and own.charset == "binary":
                # Bytes and NULL are quoted in the connection's character set (asked of 9.7).
                literal = item.args[0].kind == "bits"
                only = literal and bytes.fromhex(bits(item.args[0].value)[2:]).isascii()
                if literal and (self.scope.charset in charsets.WIDE or not only):
                    return Value("text", None)
                return Value("text", self.connection()._replace(derivation=own.derivation, ascii=only))
            return Value("text", first.collation)
        if name in ("date_format", "time_format") and len(given) == 2 and given[1].collation is not None:
            own = given[1].collation
            found = self.connection()._replace(derivation=own.derivation, ascii=own.ascii)
            return Value("text", found)
        moved = {"timestampadd": 1, "+": 0, "-": 0}.get(name)
        if moved is not None and (name == "timestampadd" or item.args[-1].name == "interval unit"):
            if given[moved].kind == "moment":
                return Value("moment", NUMBER)
            return Value("text", self.connection()._replace(ascii=True))
        group = groups(self.mariadb).get(name, "")
        if name == "from_unixtime" and len(given) > 1:
            group = "connection"
        if group == "json" or name == "json_value":
            if self.mariadb:
                return Value("text", self.join(item.args, given, [0], comparing=False))
            return Value("json", Collation("utf8mb4_bin", "utf8mb4", collations.IMPLICIT))
        match group:
            case "number":
                return Value("number", NUMBER)
            case "moment":
                return Value("moment", NUMBER)
            case "connection":
                return Value("text", self.connection()._replace(ascii=True))
            case "binary":
                return Value("text", BINARY)
            case "session":
                return Value("text", Collation("utf8mb3_general_ci", "utf8mb3", collations.SYSCONST))
        return Value("text", None)

    def cast(self, item: Item, derivation: int) -> Value:
        if item.value == "char":
            if item.charset == "binary":
                return Value("text", BINARY._replace(derivation=collations.IMPLICIT))
            own = self.scope.charset if self.scope.query else "utf8mb4"
            return Value("text", self.of_charset(item.charset or own, derivation))
        if item.value in _MOMENTS:
            return Value("moment", NUMBER)
        if item.value == "json":
            return Value("json", Collation("utf8mb4_bin", "utf8mb4", collations.IMPLICIT))
        return Value("number", NUMBER)

    def collate(self, item: Item, first: Value) -> Collation | None:
        """COLLATE. Raises Refused for one of another character set."""
        own = first.collation
        if own is None:
            return None
        if not charsets.has_collation(item.value, self.scope.context.server.has):
            raise Refused(f"collation {item.value!r} is unknown", self.at, "SC002", 1273)
        wanted = charsets.of_collation(item.value)
        taken = collations.IGNORABLE if self.mariadb else collations.NUMERIC
        if own.derivation == taken and wanted is not None:
            own = own._replace(charset=wanted)
        elif own.derivation == collations.NUMERIC:
            own = self.connection()._replace(ascii=True)
        if wanted not in (None, own.charset):
            why = f"collation {item.value!r} does not belong to character set {own.charset!r}"
            raise Refused(why, self.at, "SC002", 1253)
        return own._replace(name=full_collation(item.value, own.charset), derivation=collations.EXPLICIT)

    def compare(
        self, name: str, item: Item, given: list[Value], where: list[int], *, kept: bool = False
    ) -> None:
        """Bring what is compared into one collation, where texts are compared; the first is `kept` as it is
        written. Raises Refused.
        """
        kinds = [given[i].kind for i in where]
        texts = {"text", "null"} if self.mariadb else {"text", "null", "moment", "json", "shape"}
        if name in ("in", "case value"):
            if kinds[0] not in texts:
                return
        elif name not in TEXTS and not texts.issuperset(kinds):
            return
        if name == "like" and self.mariadb:
            where = where[:2]
        try:
            self.join(item.args, given, where, comparing=True, first=int(kept))
        except Refused as refused:
            takes_any = name in _SOUGHT and self.scope.context.server.has("locate-takes-any-collations")
            if refused.errno != 1267 or not takes_any:
                raise

    def join(
        self, args: list[Item], given: list[Value], where: list[int], *, comparing: bool, first: int = 0
    ) -> Collation | None:
        """The collation of some arguments together, into which those from `first` on are converted. Raises
        Refused.
        """
        owned = [given[i].collation for i in where]
        known = [one for one in owned if one is not None]
        if len(known) < len(owned) or not known:
            lost = any(
                given[i].collation is None and (args[i].kind == "string" or args[i].name == "quote")
                for i in where
            )
            if len(owned) > 1 and (lost or any(one.charset != "utf8mb4" for one in known)):
                raise self.unknown()
            return None
        try:
            found = collations.together(
                known,
                comparing=comparing,
                connection=self.connection(),
                ranked=self.scope.context.server.has("data-dictionary"),
            )
        except Mixed:
            raise self.refuse(_NUMBERS.get(len(where), 1271)) from None
        for i in where[first:]:
            self.convert(args[i], given[i], found)
        return found

    def convert(self, item: Item, value: Value, to: Collation, *, literal: bool = True) -> None:
        """Note the conversion of one argument (`Item::safe_charset_converter`). Raises Refused."""
        own = value.collation
        if own is None or own.charset == to.charset or value.kind == "null":
            return
        if to.charset == "binary":
            if item.kind == "string" and literal and not self.mariadb:
                self.replace(item, f"_binary {string(item.value)}")
            return
        wide = to.charset in charsets.WIDE
        if own.charset == "binary" and not (wide or (self.mariadb and charsets.max_bytes(to.charset) > 1)):
            return
        if own.derivation == collations.NUMERIC and own.ascii and not wide:
            return
        if item.kind in ("string", "bits", "number") or (value.constant and not self.mariadb):
            self.replace(item, self.literal(item, own, to))
            return
        safe = own.ascii or own.charset == "binary" or collations.is_unicode(to.charset)
        if not safe and value.constant:
            text = self.computed(item)
            safe = text is None or representable(text, to.charset) == text
        if not safe:
            raise self.refuse(1267)
        if self.mariadb:
            self.before[item.first] = self.before.get(item.first, 0) + 1
            self.after[item.last] = self.after.get(item.last, "") + f" using {to.charset} )"

    def replace(self, item: Item, text: str) -> None:
        self.replaced[item.first] = (item.last, text)

    def computed(self, item: Item) -> str | None:
        """The text of a constant. Raises Refused where it is not computed here."""
        try:
            return expression_constants.text(item)
        except NotComputed:
            raise self.unknown() from None

    def literal(self, item: Item, own: Collation, to: Collation) -> str:
        """A constant in another character set, as the server writes it. Raises Refused."""
        text = self.computed(item)
        if text is None:
            return "null"
        foreign = item.kind == "string" and item.charset and not own.charset.startswith("utf8")
        if (own.charset == "binary" or foreign) and not text.isascii() and not self.mariadb:
            raise self.unknown()
        if self.mariadb and item.kind == "string" and item.charset:
            text = escaped(text, item.charset)
        if representable(text, to.charset) != text:
            raise self.refuse(1267 if self.mariadb else 3854)
        if self.mariadb:
            return string(text)
        encoded = text.encode(codec(to.charset), "replace")
        if not (to.charset.startswith("utf8") or encoded.isascii()):
            # SHOW CREATE TABLE has a question mark for each byte beyond ASCII: two texts look alike there.
            return f"_utf8mb4 {string(text)}"
        shown = text if to.charset.startswith("utf8") else encoded.decode("ascii")
        return f"_{to.charset} {string(shown)}"
