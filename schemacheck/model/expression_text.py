"""Operators and synonyms of expressions, and how operations are printed."""

from __future__ import annotations

import re
from typing import NamedTuple


class Node(NamedTuple):
    """An expression's text and precedence (an atom's is 99); what is asked for its truth (AND, NOT, IF) does
    not tell `x != 0` from `x`: `truth` is x then, as (text, precedence), and of NOT what it negates.
    (To MariaDB only a column is one: `NOT x` and `x = 0` of a quotient, a date or a text differ.)
    """

    text: str
    level: int = 99
    #: The operator at its root, lower case; '' for an atom.
    root: str = ""
    #: The operands of a comparison; of NOT its operand and, of a condition, that one's root.
    ends: tuple[str, ...] = ()
    truth: tuple[str, int] | None = None
    #: The operands of AND, OR and XOR.
    parts: tuple[Node, ...] = ()


#: A comparison's opposite, as the servers print NOT of one.
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
#: Operators and functions that give true, false or NULL (`is_bool_func`).
BOOLEAN = frozenset((
    "=", "<=>", ">=", ">", "<=", "<", "!=", "like", "regexp", "is", "in", "between", "member", "not", "and",
    "or",
    "xor",
    "json_valid", "json_contains", "json_contains_path", "json_overlaps", "json_schema_valid",
    "regexp_like", "isnull",
    "st_contains", "st_crosses", "st_disjoint", "st_equals", "st_intersects", "st_overlaps", "st_touches",
    "st_within",
    "mbrcontains",
    "mbrdisjoint", "mbrequals", "mbrintersects", "mbroverlaps", "mbrtouches", "mbrwithin", "mbrcovers",
    "mbrcoveredby", "st_isempty", "st_isvalid", "st_issimple", "st_isclosed", "gtid_subset",
    "is_uuid", "is_ipv4", "is_ipv6", "is_ipv4_compat", "is_ipv4_mapped", "can_access_table",
))  # fmt: skip

#: How strongly operators bind: comparisons and IS, then BETWEEN, then the other predicates, then arithmetic
#: (`bool_pri`, `predicate` and `bit_expr` of the grammars; asked of 9.7 and 11.8).
NEGATED, COMPARED, BETWEEN, PREDICATE, CONCAT, SIGN, BANG = 5, 6, 7, 8, 15, 16, 17
BINARY = {
    "or": 1, "xor": 2, "and": 3, "&&": 3,
    "=": COMPARED, "<=>": COMPARED, ">=": COMPARED, ">": COMPARED, "<=": COMPARED, "<": COMPARED,
    "!=": COMPARED, "<>": COMPARED, "is": COMPARED, "between": BETWEEN, "not": BETWEEN,
    "like": PREDICATE, "regexp": PREDICATE, "rlike": PREDICATE, "in": PREDICATE, "member": PREDICATE,
    "sounds": PREDICATE, "|": 9, "&": 10, "<<": 11, ">>": 11, "+": 12, "-": 12, "*": 13, "/": 13, "%": 13,
    "div": 13, "mod": 13, "^": 14, "||": CONCAT, "collate": 18,
}  # fmt: skip
SAME = {"&&": "and", "<>": "!=", "mod": "%", "rlike": "regexp"}
FUNCTIONS = {
    "substring": "substr", "mid": "substr", "lcase": "lower", "ucase": "upper", "ceil": "ceiling",
    "power": "pow", "character_length": "char_length",
    "current_timestamp": "now", "localtime": "now", "localtimestamp": "now", "current_date": "curdate",
    "current_time": "curtime", "day": "dayofmonth",
    "schema": "database", "session_user": "user", "system_user": "user", "octet_length": "length",
    "st_geomfromtext": "st_geometryfromtext",
    "sha1": "sha", "x": "st_x", "y": "st_y", "nvl": "ifnull", "json_merge": "json_merge_preserve",
    "asbinary": "st_aswkb", "st_asbinary": "st_aswkb", "aswkt": "st_astext", "st_aswkt": "st_astext",
    "glength": "st_length", "srid": "st_srid", "st_numinteriorring": "st_numinteriorrings",
    "geomfromwkb": "st_geometryfromwkb", "geometryfromwkb": "st_geometryfromwkb",
    "st_geomfromwkb": "st_geometryfromwkb",
    "disjoint": "mbrdisjoint", "intersects": "mbrintersects", "overlaps": "mbroverlaps",
    "mbrequal": "mbrequals",
}  # fmt: skip
#: Names that servers before MySQL 8.0 and MariaDB have without the ST_ that they print (asked of MariaDB).
#: CONTAINS, EQUALS and WITHIN are MariaDB's ST_CONTAINS and so on, but MySQL 5.7's MBRCONTAINS: left alone.
FUNCTIONS |= {
    name: f"st_{name}"
    for name in (
        "area", "astext", "aswkb", "boundary", "centroid", "convexhull", "dimension", "endpoint", "envelope",
        "exteriorring", "geometrytype", "isclosed", "isempty", "isring", "issimple", "numgeometries",
        "numinteriorrings", "numpoints", "pointonsurface", "startpoint", "crosses", "touches",
        "pointn", "geometryn", "interiorringn", "buffer",
    )
}  # fmt: skip
FUNCTIONS |= {
    f"{name}fromtext": "st_geometryfromtext"
    for name in (
        "geom", "geometry", "point", "line", "linestring", "poly", "polygon", "geomcoll",
        "geometrycollection", "mpoint", "multipoint", "mline", "multilinestring", "mpoly", "multipolygon",
    )
}  # fmt: skip

#: Functions that may stand without parentheses.
BARE = frozenset((
    "current_timestamp", "localtime", "localtimestamp", "current_date", "current_time", "current_user",
    "utc_date", "utc_time", "utc_timestamp",
))  # fmt: skip
UNITS = re.compile(r"(?:microsecond|second|minute|hour|day|week|month|quarter|year)(?:_\w+)?\Z", re.ASCII)

#: Functions that servers print as another, or as an operation.
REWRITTEN = frozenset((
    "mod", "instr", "datediff", "regexp_like", "date", "time", "timestamp", "timestampadd", "trim", "if",
    "weekofyear", "yearweek", "position", "isnull", "bin", "oct",
))  # fmt: skip
#: What gives JSON by its own form.
OF_JSON = re.compile(r"json|->|\bmember\b", re.ASCII | re.IGNORECASE)
#: Words between and behind arguments.
BETWEEN_ARGUMENTS = frozenset(
    ("from", "for", "in", "returning", "separator", "using", "null", "error", "default", "on", "empty", "as")
)
#: Words that stand alone and are no columns.
STANDING_ALONE = frozenset(("null", "true", "false", "unknown", "default", "maxvalue", "on", "off", "array"))


PREDICATES = ("like", "in", "between", "regexp", "rlike")

#: A number without a sign; one that is of the same type with either sign (`- -18446744073709551615` is not).
NUMBER = re.compile(r"(?!0x)[0-9.]")
SHORT_NUMBER = re.compile(r"-?(?:[0-9]{1,18}|[0-9]*\.[0-9]*|[0-9.]+e[-+]?[0-9]+)\Z")
#: A number, a text, NULL, a date or a literal in hexadecimal digits, as they are printed.
CONSTANT = re.compile(
    r"-?[0-9.][0-9a-zA-Z.+-]*\Z|null\Z|(?:_?[a-z0-9]+)?'(?:[^'\\]|''|\\.)*'\Z", re.ASCII | re.DOTALL
)


#: A column's name as it is printed.
_COLUMN = re.compile(r"(?!null\Z|[0-9])(?:[\w$]+|`.*`)\Z", re.DOTALL)


def bits(value: str) -> str:
    """A bit or hex literal as `0x...`."""
    digits = value[2:].rstrip("'") if value[1] == "'" else value[2:]
    if value[0] == "b" or value.startswith("0b"):
        return f"0x{int(digits or '0', 2):x}".replace(
            "0x", "0x0" if len(f"{int(digits or '0', 2):x}") % 2 else "0x"
        )
    return "0x" + digits.zfill(len(digits) + len(digits) % 2)


def wrap(node: Node) -> str:
    """An operand: an operation in parentheses."""
    return node.text if node.level == 99 else f"({node.text})"


#: What NOT makes of these, with its operands negated.
_TURNED = {"and": "or", "or": "and"}
_LOGIC = frozenset(("and", "or"))
#: Conditions that become others by NOT.
_TAKING_NOT = frozenset((*_OPPOSITE, "is", "in", "between", "like", "not", "and", "or", "xor"))
_NUMBERS = {"true": "1", "false": "0"}
_TURNED_BOOL = {"true": "false", "false": "true", "1": "0", "0": "1"}


def truth(node: Node) -> Node:
    """An operand of which only the truth counts: without the servers' `0 <>`, TRUE and FALSE as numbers."""
    if node.root == "bool":
        return Node(_NUMBERS.get(node.text, node.text), root="bool")
    return Node(*node.truth) if node.truth is not None and node.root != "not" else node


def _negated_of(parts: tuple[Node, ...]) -> int | None:
    """Which operand of XOR servers negate for NOT (`Item_func_xor::neg_transformer`); None: nobody asked."""
    first, second = parts[:2]
    if is_condition(first) or not is_condition(second):
        return 0
    return 1 if second.root in _TAKING_NOT else None


def negated(node: Node, *, mysql: bool) -> Node:
    """NOT, as servers print it: comparisons turned, AND, OR and XOR taken apart, `x = 0` for what is no
    condition."""
    if node.root == "xor" and (at := _negated_of(node.parts)) is not None:
        parts = list(node.parts)
        parts[at] = negated(parts[at], mysql=mysql)
        return _differing(parts, mysql=mysql)
    if node.root in _TURNED:
        first, *rest = node.parts
        found = negated(first, mysql=mysql)
        word = _TURNED[node.root]
        for one in rest:
            found = join(word, found, negated(one, mysql=mysql), BINARY[word], mysql=mysql)
        return found
    if node.root == "bool":
        return Node(_TURNED_BOOL[node.text], root="bool")
    if node.root in _OPPOSITE:
        return compared(_OPPOSITE[node.root], node.ends, node.level, mysql=mysql)
    if node.root == "is":
        operand, word, asked = node.text.rpartition(" is ")
        other = asked.removeprefix("not ") if asked.startswith("not ") else f"not {asked}"
        return Node(f"{operand}{word}{other}", node.level, "is")
    if node.text.startswith("not(") and node.root == "not" and node.truth is not None:
        if len(node.ends) > 1:
            return Node(*node.truth, root=node.ends[1])
        return compared("!=", (node.ends[0], "0"), COMPARED, mysql=mysql)
    inner = truth(node)
    # NOT of NOT of a condition is the condition, and only then (asked of 9.7).
    condition = (inner.root,) if inner.root in BOOLEAN and inner.root != "not" else ()
    return Node(f"not({inner.text})", 5, "not", (wrap(inner), *condition), (inner.text, inner.level))


#: The other truth of a number.
_OTHER = {"0": Node("1", root="bool"), "1": Node("0", root="bool")}


def is_condition(node: Node) -> bool:
    """Whether it is true, false or NULL by its own form."""
    return node.root in BOOLEAN or node.root == "bool"


def condition(node: Node) -> Node:
    """An operand of MySQL's XOR, which asks `0 <>` of what is no condition."""
    if is_condition(node) or node.text in _OTHER:
        return node
    return compared("!=", (wrap(node), "0"), COMPARED, mysql=True)


def _opposite(node: Node, *, mysql: bool) -> Node:
    """The other truth of a condition; anything else itself: MariaDB's XOR asks for whole numbers, and
    0.4 is none, but true (asked of 11.8).
    """
    return _OTHER.get(node.text) or (negated(node, mysql=mysql) if is_condition(node) else node)


def _negations(node: Node) -> tuple[int, str]:
    return node.text.count("not"), node.text


def _differing(nodes: list[Node], *, mysql: bool) -> Node:
    """A chain of XOR. Servers negate one operand or the other: here it is the first condition that takes no
    NOT for it, else the first condition.
    """
    nodes = [Node(one.text, root="bool") if one.text in _OTHER else one for one in nodes]
    pairs = [(one, _opposite(one, mysql=mysql)) for one in nodes]
    parts = [min(both, key=_negations) for both in pairs]
    if sum(part is not one for part, (one, _) in zip(parts, pairs, strict=True)) % 2:
        others = [_opposite(one, mysql=mysql) for one in parts]
        at = min(
            (i for i, one in enumerate(parts) if others[i] is not one),
            key=lambda i: _negations(others[i])[0] - _negations(parts[i])[0],
        )
        parts[at] = others[at]
    return Node(" xor ".join(map(wrap, parts)), BINARY["xor"], "xor", parts=tuple(parts))


def tested(node: Node, asked: str, level: int, *, mysql: bool) -> Node:
    """IS `asked`, which may begin with `not `. What IS gives is never NULL, so that its truth is itself."""
    if asked.endswith("null"):
        return Node(f"{wrap(node)} is {asked}", level, "is")
    if node.root == "is":
        return node if asked in ("true", "not false") else negated(node, mysql=mysql)
    return Node(f"{wrap(truth(node))} is {asked}", level, "is")


def compared(word: str, ends: tuple[str, ...], level: int, *, mysql: bool) -> Node:
    """A comparison of two operands in parentheses where they need them; with 0 it asks for the other's
    truth."""
    left, right = ends
    other = left if right == "0" else right
    if word in ("=", "!=") and "0" in ends and (mysql or _COLUMN.match(other)):
        plain = other[1:-1] if other.startswith("(") else other
        found = (plain, 99 if plain == other else 0)
        if word == "=":
            return Node(f"not({plain})", 5, "not", (other,), found)
        return Node(f"{other}!=0", level, "!=", (other, "0"), found)
    gap = " " if word.isalpha() else ""
    return Node(f"{left}{gap}{word}{gap}{right}", level, word, ends)


def join(word: str, left: Node | None, right: Node, level: int = 5, *, mysql: bool = False) -> Node:
    """`left word right`; chains of AND and of OR are one."""
    if left is None:
        return negated(right, mysql=mysql)
    if word in _LOGIC:
        left, right = truth(left), truth(right)
    if word in _TURNED:
        texts = [node.text if node.root == word else wrap(node) for node in (left, right)]
        parts = [one for node in (left, right) for one in (node.parts if node.root == word else (node,))]
        return Node(f" {word} ".join(texts), level, word, parts=tuple(parts))
    if word in _OPPOSITE:
        return compared(word, (wrap(left), wrap(right)), level, mysql=mysql)
    if word == "xor":
        return _differing([*(left.parts if left.root == word else (left,)), right], mysql=mysql)
    gap = " " if word.isalpha() else ""
    return Node(f"{wrap(left)}{gap}{word}{gap}{wrap(right)}", level, word)
