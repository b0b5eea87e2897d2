"""What a rule is: a code, a name, a page of documentation and one function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from schemacheck.model import Finding
from schemacheck.rules.pair import Pair

#: Headings that every rule's documentation has, in this order.
HEADINGS = ("What it finds", "What the replica does", "Example", "Remedy", "References")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    `code` is SC and three digits, `name` kebab case and equal to the file's name, `title` one
    line, `doc` the page (Markdown, with all of HEADINGS as `## ` headings), `check` the logic:
    it yields findings without code and name, which the engine fills in. Rules that another part
    raises (SC0xx about input, SC7xx about missing tables) have no `check`.
    """

    code: str
    name: str
    title: str
    doc: str
    check: Callable[[Pair], Iterator[Finding]] | None = None
