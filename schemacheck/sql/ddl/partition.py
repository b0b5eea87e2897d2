"""The grammar of PARTITION BY and of the partitions that ALTER TABLE makes (`partition_clause` of the
servers)."""

from __future__ import annotations

from schemacheck.sql.ddl.draft import Expr, MethodDraft, PartitionDraft, PartitioningDraft
from schemacheck.sql.ddl.literal import literal_of
from schemacheck.sql.flavor import Flavor
from schemacheck.sql.lexer import Refused, Tokens, unasked

#: Characters of a comment; without strict mode servers cut it, which is not followed.
_COMMENT = 1024

_RARE = ("TABLESPACE", "NODEGROUP", "DATA", "INDEX")

#: What stands in a bound beside values.
MAXVALUE, DEFAULT = "MAXVALUE", "DEFAULT"


def partitioning(t: Tokens, flavor: Flavor) -> PartitioningDraft | None:
    """`PARTITION BY ...`; None where something else comes. Raises Refused."""
    at = t.offset()
    if not t.take("PARTITION"):
        return None
    t.need("BY")
    begin = t.at
    out = PartitioningDraft(_method(t, flavor), at)
    if t.take("PARTITIONS"):
        out.count = _count(t)
    if t.peek() == "SUBPARTITION":
        raise _unknown(t)
    if t.peek() == "(":
        out.parts = partitions(t, flavor)
    words = [t.raw(index) for index in range(begin, t.at)]
    out.written = " ".join(words).replace("( ", "(").replace(" )", ")").replace(" ,", ",")
    return out


def _unknown(t: Tokens) -> Refused:
    return Refused("subpartitions and partitions of SYSTEM_TIME are not followed", t.offset())


def _count(t: Tokens) -> int:
    at = t.offset()
    number = t.integer()
    if not 0 < number <= 8192:
        raise unasked(f"{number} partitions", at)
    return number


def _method(t: Tokens, flavor: Flavor) -> MethodDraft:
    at = t.offset()
    linear = t.take("LINEAR")
    word = t.take_any(*(("HASH", "KEY") if linear else ("HASH", "KEY", "RANGE", "LIST")))
    if word is None:
        raise _unknown(t) if t.peek() == "SYSTEM_TIME" else t.fail("a partitioning method is expected")
    out = MethodDraft(word, at, linear)
    if word == "KEY" and t.take("ALGORITHM"):
        t.need("=")
        if t.integer() not in (1, 2):
            raise t.fail("ALGORITHM is 1 or 2")
    if word == "KEY" or t.take("COLUMNS"):
        out.columns = _names(t, empty=word == "KEY")
        return out
    begin = t.at
    first, last = t.skip_parentheses()
    if first == last:
        raise t.fail("an expression is expected")
    flavor.check_expression(t, first, last)
    out.expression = Expr(t.slice(first, last), t.offset(begin))
    return out


def _names(t: Tokens, *, empty: bool) -> list[str]:
    t.need("(")
    if empty and t.take(")"):
        return []
    names = [t.name()]
    while t.take(","):
        names.append(t.name())
    t.need(")")
    return names


def partitions(t: Tokens, flavor: Flavor) -> list[PartitionDraft]:
    """`(PARTITION name ..., ...)`. Raises Refused."""
    t.need("(")
    partition_drafts: list[PartitionDraft] = []
    while not partition_drafts or t.take(","):
        t.need("PARTITION")
        partition_drafts.append(_partition(t, flavor))
    t.need(")")
    return partition_drafts


def _partition(t: Tokens, flavor: Flavor) -> PartitionDraft:
    at = t.offset()
    out = PartitionDraft(t.name(), at)
    if t.take("VALUES", "LESS", "THAN"):
        out.bound = "LESS THAN"
        if t.take("MAXVALUE"):
            out.values = [[MAXVALUE]]
        else:
            out.values = [_row(t)]
    elif t.take("VALUES", "IN"):
        out.bound = "IN"
        _list(t, out)
    elif flavor.list_default_partition and t.take("DEFAULT"):
        out.bound = DEFAULT
    _options(t, out)
    if t.peek() == "(" or t.peek() in ("HISTORY", "CURRENT"):
        raise _unknown(t)
    return out


def _row(t: Tokens) -> list[str]:
    """Values in parentheses as texts."""
    first, last = t.skip_parentheses()
    result, depth, begin = [], 0, first
    for index in range(first, last + 1):
        word = t.words[index] if index < last else ","
        if word == "," and depth == 0:
            if index == begin:
                raise t.fail("a value is expected")
            result.append(t.slice(begin, index))
            begin = index + 1
        depth += (word == "(") - (word == ")")
    return [MAXVALUE if text.upper() == MAXVALUE else text for text in result]


def _list(t: Tokens, out: PartitionDraft) -> None:
    at = t.offset()
    _values_in(t, out)
    if any(MAXVALUE in row for row in out.values):
        raise Refused("VALUES IN has no MAXVALUE", at, code="SC001")


def _values_in(t: Tokens, out: PartitionDraft) -> None:
    if t.peek(1) == "(":
        t.need("(")
        while not out.values or t.take(","):
            out.values.append(_row(t))
        t.need(")")
        return
    values = _row(t)
    if len(values) == 1 and values[0].upper() == DEFAULT:
        raise t.fail("a DEFAULT partition is written without VALUES IN")
    out.values = [[value] for value in values]


def _options(t: Tokens, out: PartitionDraft) -> None:
    while True:
        t.take("STORAGE")
        at = t.offset()
        word = t.take_any("ENGINE", "COMMENT", "MAX_ROWS", "MIN_ROWS", *_RARE)
        if word is None:
            return
        if word in _RARE:
            raise Refused(f"what the server makes of a partition's {word} is not known", at)
        t.take("=")
        if word == "ENGINE":
            out.engine = t.string() if t.is_string() else t.name()
        elif word == "COMMENT":
            if len(t.string()) > _COMMENT:
                raise unasked("so long a comment of a partition", out.at)
        else:
            t.integer()


def reread(text: str, flavor: Flavor) -> PartitioningDraft:
    """The draft of what stands behind PARTITION BY in a finished table. Raises Refused."""
    partitioning_draft = partitioning(Tokens(f"PARTITION BY {text}"), flavor)
    assert partitioning_draft is not None
    return partitioning_draft


def string_of(text: str) -> str | None:
    """The value of a string literal, with an introducer or DATE before it or not; None for anything else."""
    default = literal_of(text)
    return default.text if default is not None and default.kind in ("string", "temporal") else None
