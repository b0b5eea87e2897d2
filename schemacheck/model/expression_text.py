"""Operators and synonyms of expressions, and how operations are printed."""

from __future__ import annotations

import re
from typing import NamedTuple


class Unreadable(Exception):
    """Something that the reader does not know."""


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
    "like": PREDICATE, "regexp": PREDICATE, "rlike": PREDICATE, "in": PREDICATE,
    "|": 9, "&": 10, "<<": 11, ">>": 11, "+": 12, "-": 12, "*": 13, "/": 13, "%": 13,
    "div": 13, "mod": 13, "^": 14, "||": CONCAT, "collate": 18,
}  # fmt: skip
SAME = {"&&": "and", "<>": "!=", "mod": "%", "rlike": "regexp"}
FUNCTIONS = {
    "substring": "substr", "mid": "substr", "lcase": "lower", "ucase": "upper", "ceil": "ceiling",
    "power": "pow", "character_length": "char_length",
    "current_timestamp": "now", "localtime": "now", "localtimestamp": "now", "current_date": "curdate",
    "current_time": "curtime", "day": "dayofmonth",
    "schema": "database", "session_user": "user", "system_user": "user", "octet_length": "length",
    "st_geomfromtext": "st_geometryfromtext", "st_asbinary": "st_aswkb", "st_aswkt": "st_astext",
    "st_numinteriorring": "st_numinteriorrings", "st_geomfromwkb": "st_geometryfromwkb",
    "sha1": "sha", "nvl": "ifnull", "json_merge": "json_merge_preserve", "mbrequal": "mbrequals",
}  # fmt: skip
#: Names of functions of shapes that servers print otherwise, each in its own way.
SHAPES = re.compile(
    r"(?!st_|mbr)(?:\w*(?:from|as)(?:text|wkb|wkt|binary)|startpoint|endpoint|(?:ex|in)teriorringn?|num\w+"
    r"|geometry(?:n|type)|pointn|pointonsurface|area|boundary|buffer|centroid|convexhull|crosses|dimension"
    r"|disjoint|envelope|glength|intersects|is(?:closed|empty|ring|simple)|overlaps|srid|touches|x|y)\Z",
    re.ASCII,
)

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
BETWEEN_ARGUMENTS = frozenset(("returning", "using", "null", "error", "default"))
#: Words that stand alone and are no columns.
STANDING_ALONE = frozenset(("null", "true", "false", "unknown", "default", "maxvalue", "on", "off", "array"))


PREDICATES = ("like", "in", "between", "regexp", "rlike")

#: A number without a sign; one that is of the same type with either sign (`- -18446744073709551615` is not).
NUMBER = re.compile(r"(?!0x)[0-9.]")
SHORT_NUMBER = re.compile(r"-?(?:[0-9]{1,18}|[0-9]*\.[0-9]*|[0-9.]+e[-+]?[0-9]+)\Z")
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


_LOGIC = frozenset(("and", "or"))
_NUMBERS = {"true": "1", "false": "0"}
_TURNED_BOOL = {"true": "false", "false": "true", "1": "0", "0": "1"}


def truth(node: Node) -> Node:
    """An operand of which only the truth counts: without the servers' `0 <>`, TRUE and FALSE as numbers."""
    if node.root == "bool":
        return Node(_NUMBERS.get(node.text, node.text), root="bool")
    return Node(*node.truth) if node.truth is not None and node.root != "not" else node


def negated(node: Node, *, mysql: bool) -> Node:
    """NOT as servers print it. Of AND, OR and XOR it is not followed: raises Unreadable."""
    if node.root in (*_LOGIC, "xor"):
        raise Unreadable
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


def is_condition(node: Node) -> bool:
    """Whether it is true, false or NULL by its own form."""
    return node.root in BOOLEAN or node.root == "bool"


def tested(node: Node, asked: str, level: int, *, mysql: bool) -> Node:
    """IS `asked`, which may begin with `not `. What IS gives is never NULL, so that its truth is itself."""
    if asked.endswith("null"):
        return Node(f"{wrap(node)} is {asked}", level, "is")
    if node.root == "is":
        return node if asked in ("true", "not false") else negated(node, mysql=mysql)
    return Node(f"{wrap(truth(node))} is {asked}", level, "is")


def compared(word: str, ends: tuple[str, ...], level: int, *, mysql: bool) -> Node:
    """A comparison of two operands; one with 0 asks for the other's truth."""
    left, right = ends
    other = left if right == "0" else right
    if word in ("=", "!=") and "0" in ends and (mysql or _COLUMN.match(other)):
        plain = other[1:-1] if other.startswith("(") else other
        result = (plain, 99 if plain == other else 0)
        if word == "=":
            return Node(f"not({plain})", 5, "not", (other,), result)
        return Node(f"{other}!=0", level, "!=", (other, "0"), result)
    gap = " " if word.isalpha() else ""
    return Node(f"{left}{gap}{word}{gap}{right}", level, word, ends)


def join(word: str, left: Node | None, right: Node, level: int = 5, *, mysql: bool = False) -> Node:
    """`left word right`; chains of AND and of OR are one."""
    if left is None:
        return negated(right, mysql=mysql)
    if word in _LOGIC:
        left, right = truth(left), truth(right)
    if word in _LOGIC:
        texts = [node.text if node.root == word else wrap(node) for node in (left, right)]
        return Node(f" {word} ".join(texts), level, word)
    if word in _OPPOSITE:
        return compared(word, (wrap(left), wrap(right)), level, mysql=mysql)
    if word == "xor":
        raise Unreadable
    gap = " " if word.isalpha() else ""
    return Node(f"{wrap(left)}{gap}{word}{gap}{wrap(right)}", level, word)
