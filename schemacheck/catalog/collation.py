"""Which collation several values have together: `DTCollation::aggregate` of both families."""

from __future__ import annotations

from typing import NamedTuple

#: How weak a collation is (`Derivation`; MariaDB's numbers, which have a place for CAST).
EXPLICIT, NONE, IMPLICIT, SYSCONST, CAST, COERCIBLE, NUMERIC, IGNORABLE = 0, 1, 2, 3, 4, 6, 7, 8
_UNICODE = frozenset(("utf8mb3", "utf8mb4", "ucs2", "utf16", "utf16le", "utf32"))
#: Which of two Unicode character sets holds the other: MySQL 8.0 and later (asked of 9.7.4), and the others.
_RANKS = {"utf8mb4": 2, "utf32": 1}


class Mixed(Exception):
    """Collations that have none together (1267, 1270, 1271)."""


class Collation(NamedTuple):
    """A value's collation: its name, character set and derivation, and whether the value has ASCII alone
    (`repertoire`).
    """

    name: str
    charset: str
    derivation: int
    ascii: bool = False


class Value(NamedTuple):
    """What an item gives. `kind`: "text", "number", "moment", "json", "shape", "other" or "null"; without a
    collation where nobody knows.
    """

    kind: str
    collation: Collation | None
    constant: bool = False


BINARY = Collation("binary", "binary", COERCIBLE)
#: Numbers and moments in a string context.
NUMBER = Collation("latin1_swedish_ci", "latin1", NUMERIC, ascii=True)
#: NULL.
NULL = Collation("binary", "binary", IGNORABLE, ascii=True)


def is_unicode(charset: str) -> bool:
    """Whether a character set has (nearly) all characters (MY_CS_UNICODE)."""
    return charset in _UNICODE


def _holds(left: str, right: str, *, ranked: bool) -> bool:
    """Whether one of two Unicode character sets is taken for a superset of the other."""
    if ranked:
        return _RANKS.get(left, 0) > _RANKS.get(right, 0)
    return (left, right) == ("utf8mb4", "utf8mb3")


def _superset(left: Collation, right: Collation, *, ranked: bool) -> bool:
    """`left_is_superset`: the right one may be converted without losing characters."""
    weaker = left.derivation < right.derivation
    same = left.derivation == right.derivation
    if is_unicode(left.charset) and (
        weaker
        or (same and (not is_unicode(right.charset) or _holds(left.charset, right.charset, ranked=ranked)))
    ):
        return True
    return right.ascii and (weaker or (same and not left.ascii))


def _both(left: Collation, right: Collation, *, ranked: bool) -> Collation:
    """Raises Mixed."""
    if left.charset != right.charset:
        if "binary" in (left.charset, right.charset):
            binary, other = (left, right) if left.charset == "binary" else (right, left)
            return binary if binary.derivation <= other.derivation else other
        if _superset(left, right, ranked=ranked):
            return left
        if _superset(right, left, ranked=ranked):
            return right
        if left.derivation < right.derivation and right.derivation >= SYSCONST:
            return left
        if right.derivation < left.derivation and left.derivation >= SYSCONST:
            return right
        raise Mixed
    if left.derivation != right.derivation:
        return left if left.derivation < right.derivation else right
    if left.name == right.name:
        return left
    if left.derivation == EXPLICIT:
        raise Mixed
    for one in (left, right):
        if one.name.endswith("_bin"):
            return one
    # What MySQL 8 joins further keeps its strength: bytes and columns beside it decide (asked of 9.7).
    return Collation(f"{left.charset}_bin", left.charset, left.derivation if ranked else NONE)


def together(given: list[Collation], *, comparing: bool, connection: Collation, ranked: bool) -> Collation:
    """The collation of several values: of what they give, or of their comparison, where an undecided one is
    refused. Numbers alone have the connection's. `ranked`: utf8mb4 holds every Unicode character set, utf32
    all but it. Raises Mixed.
    """
    found = given[0]
    undecided = tied = False
    for one in given[1:]:
        try:
            both = _both(found, one, ranked=ranked)
            kept = (
                tied and both.derivation == found.derivation and (comparing or both.charset == found.charset)
            )
            tied = kept or both.name not in (found.name, one.name)
            found = both._replace(ascii=found.ascii and one.ascii)
        except Mixed:
            if EXPLICIT in (found.derivation, one.derivation) and found.derivation == one.derivation:
                raise
            undecided = True
            found = Collation("binary", "binary", NONE)
    if tied:
        found = found._replace(derivation=NONE)
    if (undecided and found.derivation != EXPLICIT) or (comparing and found.derivation == NONE):
        raise Mixed
    if found.derivation == NUMERIC:
        return connection._replace(ascii=True)
    return found
