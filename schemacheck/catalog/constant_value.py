"""The value of an expression of constants, which MariaDB computes when a column has it as its DEFAULT
(`make_empty_rec`): what does not fit the column, or is NULL where NOT NULL is, refuses the table.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from schemacheck.catalog.constant_functions import (
    KNOWN,
    NotComputed,
    Value,
    arithmetic,
    bits,
    both,
    call,
    compared_of,
    logic,
    negated,
    number_of,
    text_of,
    truth_of,
    whole_of,
)
from schemacheck.model.expression_text import BANG, BETWEEN, BINARY, NEGATED, PREDICATE, SAME, SIGN
from schemacheck.model.quote import unquote
from schemacheck.model.words import is_introducer, tokens

_ALL = 2**64
_COMPARED = frozenset(("=", "!=", "<", ">", "<=", ">=", "<=>"))


def compute(text: str, modes: frozenset[str]) -> Value:
    """The value of an expression. Raises NotComputed."""
    reader = _Reader([*tokens(text, modes), ("end", "")])
    try:
        found = reader.expression(0)
    except (InvalidOperation, OverflowError, ValueError, ZeroDivisionError, IndexError):
        raise NotComputed from None
    if reader.tokens[reader.at][0] != "end" or (isinstance(found, str) and len(found) > 1000):
        raise NotComputed
    return found


def _null_of(*given: Value) -> Value:
    """NULL of a NULL. Raises NotComputed for anything else."""
    if None not in given:
        raise NotComputed
    return None


class _Reader:
    def __init__(self, found: list[tuple[str, str]]) -> None:
        self.tokens, self.at, self.depth = found, 0, 0

    def peek(self) -> str:
        kind, value = self.tokens[self.at]
        return value if kind in ("word", "operator") else ""

    def take(self, word: str) -> bool:
        if self.peek() == word:
            self.at += 1
            return True
        return False

    def need(self, word: str) -> None:
        if not self.take(word):
            raise NotComputed

    def expression(self, least: int) -> Value:
        self.depth += 1
        if self.depth > 40:
            raise NotComputed
        left = self.prefix()
        while (level := BINARY.get(self.peek())) is not None and level >= least:
            left = self.infix(left, self.peek(), level)
        self.depth -= 1
        return left

    def infix(self, left: Value, word: str, level: int) -> Value:
        self.at += 1
        word = SAME.get(word, word)
        if word == "not":
            operator = self.peek()
            return negated(self.infix(left, operator, PREDICATE))
        if word == "is":
            turned = self.take("not")
            asked = self.peek()
            self.at += 1
            truth = truth_of(left)
            if asked not in ("null", "true", "false"):
                raise NotComputed
            holds = left is None if asked == "null" else truth is not None and truth == (asked == "true")
            return int(holds != turned)
        if word == "collate":
            self.at += 1
            return left
        if word in ("+", "-") and self.take("interval"):
            amount = self.expression(0)
            self.at += 1
            return _null_of(left, amount)
        if word == "in":
            self.need("(")
            others = self.arguments()
            found = [compared_of("=", left, one) for one in others]
            return 1 if 1 in found else None if None in found else 0
        if word == "between":
            low = self.expression(PREDICATE)
            self.need("and")
            return both(compared_of(">=", left, low), compared_of("<=", left, self.expression(BETWEEN)))
        right = self.expression(level + 1)
        if word in _COMPARED:
            return compared_of(word, left, right)
        if word in ("and", "or", "xor"):
            return logic(word, truth_of(left), truth_of(right))
        if left is None or right is None:
            return None
        if word in ("|", "&", "^", "<<", ">>"):
            return bits(word, whole_of(left), whole_of(right))
        if word in ("+", "-", "*", "/", "%", "div"):
            return arithmetic(word, number_of(left), number_of(right))
        raise NotComputed

    def prefix(self) -> Value:
        if self.take("not") or self.peek() == "!":
            before = self.tokens[self.at - 1][1]
            if before != "not":
                self.at += 1
            return negated(self.expression(NEGATED if before == "not" else BANG))
        if self.take("-"):
            inner = self.expression(SIGN)
            return None if inner is None else -number_of(inner)
        if self.take("~"):
            inner = self.expression(SIGN)
            return None if inner is None else _ALL - 1 - whole_of(inner)
        return self.atom()

    def arguments(self) -> list[Value]:
        found: list[Value] = []
        while not self.take(")"):
            if found:
                self.need(",")
            found.append(self.expression(0))
        return found

    def atom(self) -> Value:
        kind, value = self.tokens[self.at]
        self.at += 1
        if kind == "string":
            return unquote(value)
        if kind == "bits" and value.startswith("x'"):
            return bytes.fromhex(value[2:-1]).decode("ascii", "replace")
        if kind == "number":
            return float(value) if "e" in value else Decimal(value) if "." in value else int(value)
        if value == "(":
            inner = self.expression(0)
            self.need(")")
            return inner
        if kind != "word":
            raise NotComputed
        if value in ("null", "true", "false"):
            return None if value == "null" else int(value == "true")
        if is_introducer(value) and self.tokens[self.at][0] == "string":
            text = unquote(self.tokens[self.at][1])
            self.at += 1
            if not text.isascii():
                raise NotComputed
            return text
        if value in ("date", "timestamp") and self.tokens[self.at][0] == "string":
            return self.atom()
        if value == "case":
            return self.case()
        self.need("(")
        if value in ("cast", "convert"):
            return self.cast()
        if value in ("extract", "timestampdiff", "timestampadd"):
            self.at += 1
            self.need("from" if value == "extract" else ",")
            return _null_of(*self.arguments())
        if value == "trim" and self.peek() in ("both", "leading", "trailing"):
            self.at += 1
            parts = [] if self.take("from") else [self.expression(0)]
            self.take("from")
            return _null_of(*parts, *self.arguments())
        given = self.arguments()
        if value not in KNOWN:
            raise NotComputed
        return call(value, given)

    def case(self) -> Value:
        compared = self.peek() != "when"
        base = self.expression(0) if compared else None
        found: Value = None
        chosen = False
        while self.take("when"):
            asked = self.expression(0)
            self.need("then")
            value = self.expression(0)
            if not chosen and (compared_of("=", base, asked) if compared else truth_of(asked)):
                found, chosen = value, True
        if self.take("else"):
            value = self.expression(0)
            found = found if chosen else value
        self.need("end")
        return found

    def cast(self) -> Value:
        inner = self.expression(0)
        words = []
        depth = 0
        while depth or self.peek() != ")":
            word = self.tokens[self.at][1]
            if self.tokens[self.at][0] == "end":
                raise NotComputed
            depth += (word == "(") - (word == ")")
            words.append(word)
            self.at += 1
        self.at += 1
        if inner is None:
            return None
        if words[:1] == ["as"] and words[1] in ("signed", "unsigned"):
            whole = whole_of(inner)
            return whole if words[1] == "signed" else whole % _ALL
        if words[:1] == ["as"] and words[1] == "char":
            return text_of(inner)[: int(words[3]) if "(" in words else None]
        if words[0] == "using" or (words[:2] in (["as", "binary"], [",", "char"]) and "(" not in words):
            return text_of(inner)
        raise NotComputed
