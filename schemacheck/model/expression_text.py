"""Operators and synonyms of expressions, and how operations are printed."""

from __future__ import annotations

#: (text, precedence); an atom's precedence is 99.
Node = tuple[str, int]

BINARY = {
    "or": 1, "xor": 2, "and": 3, "&&": 3,
    "=": 6, "<=>": 6, ">=": 6, ">": 6, "<=": 6, "<": 6, "!=": 6, "<>": 6, "like": 6, "regexp": 6, "rlike": 6,
    "is": 6, "in": 6, "between": 6, "member": 6,
    "sounds": 6, "not": 6, "|": 7, "&": 8, "<<": 9, ">>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11,
    "div": 11, "mod": 11, "^": 12, "||": 13, "collate": 16,
}  # fmt: skip
SAME = {"&&": "and", "<>": "!=", "mod": "%", "rlike": "regexp"}
FUNCTIONS = {
    "substring": "substr", "mid": "substr", "lcase": "lower", "ucase": "upper", "ceil": "ceiling",
    "power": "pow", "character_length": "char_length",
    "current_timestamp": "now", "localtime": "now", "localtimestamp": "now", "current_date": "curdate",
    "current_time": "curtime", "day": "dayofmonth",
    "schema": "database", "session_user": "user", "system_user": "user", "octet_length": "length",
    "st_geomfromtext": "st_geometryfromtext",
}  # fmt: skip


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
    return node[0] if node[1] == 99 else f"({node[0]})"


_CHAINS = frozenset(("and", "or"))


def join(word: str, left: Node | None, right: Node, level: int = 5) -> Node:
    """`left word right`; chains of AND and of OR are one."""
    if left is None:
        return f"not({right[0]})", 5
    if word in _CHAINS:
        parts = [
            node[0] if node[1] == level and word != "xor" and _is_chain(node, word) else wrap(node)
            for node in (left, right)
        ]
        return f" {word} ".join(parts), level
    gap = " " if word.isalpha() else ""
    return f"{wrap(left)}{gap}{word}{gap}{wrap(right)}", level


def _is_chain(node: Node, word: str) -> bool:
    return node[1] == BINARY[word]
