"""What a rule is: a code, a name, a page of documentation and one function."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from schemacheck.model import Finding
from schemacheck.rules.pair import Pair

#: Headings that every rule's documentation has, in this order.
HEADINGS = ("What it finds", "What the replica does", "Example", "Remedy", "References")


class About(enum.Enum):
    """What a rule speaks of. A rule is asked about pairs that show one of its subjects (see `shown`)."""

    PAIR = "any pair"
    COLUMNS = "a common column differs"
    VALUES = "a value is changed by its conversion"
    REFUSALS = "a conversion is refused"
    PLACES = "a column has another name, or is on one side only"
    UNREADABLE = "the replica does not know a type"
    STATEMENTS = "statements are logged"
    CONSTRAINTS = "a CHECK or FOREIGN KEY holds, here or in a table that references this one"


def shown(pair: Pair) -> tuple[bool, ...]:
    """For every member of About, in their order, whether the pair shows it."""
    differing = pair.differing
    source, replica = pair.source, pair.replica
    changed = refused = renamed = False
    for cell in differing:
        if not cell.allowed:
            refused = True
        elif cell.outcome.changed:
            changed = True
        renamed = renamed or not cell.same_name
    return (
        True, bool(differing), changed, refused, renamed or bool(pair.extra_source or pair.extra_replica), bool(pair.unreadable), pair.terms.statement_format,
        bool(source.foreign_keys or replica.foreign_keys or replica.checks or replica.incoming),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    `code` is SC and three digits, `name` kebab case and equal to the file's name, `title` one
    line, `doc` the page (Markdown, with all of HEADINGS as `## ` headings), `check` the logic:
    it yields findings without code and name, which the engine fills in. Rules that another part
    raises (SC0xx about input, SC7xx about missing tables) have no `check`. `about` are its subjects:
    of a pair that shows none of them it has nothing to say.
    """

    code: str
    name: str
    title: str
    doc: str
    check: Callable[[Pair], Iterator[Finding]] | None = None
    about: tuple[About, ...] = (About.PAIR,)
