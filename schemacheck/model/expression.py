"""Expressions in one spelling, whoever wrote them: a person, SHOW CREATE TABLE, information_schema.

A reader by operator precedence (manual, "Operator Precedence") and a printer that puts a
parenthesis around every operand that is itself an operation; what the servers add for print
(character set introducers, quotes, synonyms of functions) is taken off. Nothing is computed or
reordered. What the reader does not know stays as its words, which is good enough to compare.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from schemacheck.model.expression_reader import Reader
from schemacheck.model.expression_text import Unreadable
from schemacheck.model.expression_text import is_condition as is_condition_node
from schemacheck.model.words import PLAIN


class Reading(NamedTuple):
    """An expression's one spelling, whether it is a condition by its form, its columns."""

    text: str
    is_condition: bool
    columns: frozenset[str]


@lru_cache(maxsize=16_384)
def read(text: str, modes: frozenset[str] = PLAIN) -> Reading | None:
    """An expression that was written under this sql_mode; None where it is not understood."""
    try:
        reader = Reader(text, modes)
        node = reader.expression(0)
    except Unreadable:
        return None
    if reader.kind() != "end":
        return None
    condition = is_condition_node(node) or node.root == "strcmp"
    return Reading(node.text, condition, frozenset(reader.names))


def canonical(text: str, modes: frozenset[str] = PLAIN) -> str | None:
    """The expression's one spelling, None where it is not understood (its words then have to do)."""
    reading = read(text, modes)
    return reading.text if reading is not None else None


def columns(text: str, modes: frozenset[str] = PLAIN) -> frozenset[str]:
    """The names that stand for columns in an expression, lower case; none where it is not understood."""
    reading = read(text, modes)
    return reading.columns if reading is not None else frozenset()
