"""What only a server can tell: a definition with all that its meaning depends on, and what a server made of
it.
"""

from __future__ import annotations

from typing import Any

from schemacheck.dataclass import dataclass, field
from schemacheck.model.problem import Refusal
from schemacheck.model.server import Server
from schemacheck.model.table import Table


@dataclass(frozen=True, slots=True)
class Question:
    """What does `server` make of `statement`?

    `settings` are the variables that matter, sorted; `databases` are (name, character set, collation),
    `before` the definitions that run before it and `database` the default one, None where none is named.
    """

    server: Server
    settings: tuple[tuple[str, str], ...]
    databases: tuple[tuple[str | None, str, str], ...]
    before: tuple[tuple[str | None, str], ...]
    database: str | None
    statement: str

    @property
    def ends(self) -> tuple[Server, ...]:
        """The servers that are asked."""
        return (self.server,)


@dataclass(frozen=True, slots=True)
class PairQuestion:
    """What becomes of rows between two servers? `text` is JSON; `about` is for those who ask."""

    source: Server
    replica: Server
    text: str
    about: Any = field(compare=False, default=None)

    @property
    def ends(self) -> tuple[Server, ...]:
        """The servers that are asked."""
        return self.source, self.replica


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server, named in `by`, made of a question on that day (`when`): tables, or its refusal."""

    by: str
    when: str
    tables: tuple[Table, ...] = ()
    refusal: Refusal | None = None

    @property
    def source(self) -> str:
        """`asked MySQL 8.0.36 (2026-11-26)`."""
        return f"asked {self.by} ({self.when})"
