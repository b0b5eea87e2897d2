"""What could not be read or understood. Never dropped, never a pass."""

from __future__ import annotations

from schemacheck.dataclass import dataclass, field
from schemacheck.model.location import Location


@dataclass(frozen=True, slots=True)
class Refusal:
    """A server refuses a statement: its error's number, what is wrong in our words, and what the error names
    (`kind`: COLUMN, INDEX, ...; `words`: what else, by the names that texts have for it).
    """

    number: int
    message: str
    name: str | None = None
    kind: str = ""
    words: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class InputProblem:
    """A piece of input that did not become a Table.

    `table` is the qualified name where it is known (then that table's pair is `unknown`),
    `message` says what is wrong and what to do, `code` is an SC0xx rule code, `skipped` marks
    something left out on purpose (a view, a trigger): listed and counted, no finding. `refusal` is the
    server's error where a server would refuse the statement. `line` is the definition's own text on the line
    of the place, with blanks for what is before it; '' for statements of data, which reports must not show.
    `empty` says that the input was read and has no table.
    """

    code: str
    message: str
    location: Location | None = None
    database: str | None = None
    table: str | None = None
    skipped: bool = False
    refusal: Refusal | None = None
    line: str = field(default="", compare=False)
    empty: bool = field(default=False, compare=False)

    @property
    def hides_tables(self) -> bool:
        """Whether it may be about tables that it does not name."""
        return not self.skipped and self.table is None and not self.empty
