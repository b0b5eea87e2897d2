"""A migration history: the scripts that a migration tool runs, in its order."""

from __future__ import annotations

from collections.abc import Sequence

from schemacheck.dataclass import dataclass, field
from schemacheck.knowledge import characters


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a text, from `start` to before `end`, that is run. `delimiter` ends its statements as the
    mysql client's does; None where all of it is sent to the server at once.
    """

    start: int
    end: int
    delimiter: str | None = ";"


def only(text: str, parts: Sequence[Part] | None) -> str:
    """A text with blanks in place of what is not in these parts (None: all of it is), line by line."""
    if parts is None:
        return text
    out: list[str] = []
    at = 0
    for part in parts:
        out += (characters.blanked(text[at : part.start]), text[part.start : part.end])
        at = part.end
    return "".join((*out, characters.blanked(text[at:])))


@dataclass(frozen=True, slots=True)
class Migration:
    """One migration, as its tool applies it.

    `version` names it within its history, `title` describes it, `line` is where it begins in `file`; `text`
    is the whole file and `parts` what of it applies the migration, `down` how many sections undo it (they are
    not run). `digest` is of what is run. `repeats`: it is run again whenever it changes. `families` are the
    flavours on which it is run (`mysql`, `mariadb`), () for all.
    """

    version: str
    title: str
    file: str
    line: int
    text: str = field(repr=False, compare=False)
    parts: tuple[Part, ...]
    digest: str
    down: int = 0
    repeats: bool = False
    families: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """`2.1 add a column`."""
        return f"{self.version} {self.title}".strip()


@dataclass(frozen=True, slots=True)
class History:
    """The migrations of one tool (`kind`), in the order in which it applies them to an empty server."""

    kind: str
    migrations: tuple[Migration, ...] = ()
