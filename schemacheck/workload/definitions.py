"""The tables of a workload on each end, and whether the replica takes a definition."""

from __future__ import annotations

from schemacheck.catalog import read
from schemacheck.dataclass import dataclass, field, replace
from schemacheck.model import Schema, Server, Table

#: (error number, None where it is not known; message; whether the grammar refuses it)
Trouble = tuple[int | None, str, bool]


@dataclass(slots=True)
class Tables:
    """Definitions on one end, by name (one database); `charset` is that database's character set and
    collation, where somebody says it.
    """

    schema: Schema = field(default_factory=Schema)
    database: str = ""
    charset: tuple[str, str] | None = None

    def table(self, name: str) -> Table | None:
        """The table of this name."""
        return next((t for t in self.schema.tables if t.name.casefold() == name.casefold()), None)

    def take(self, table: Table) -> None:
        """A table as it is elsewhere."""
        rest = tuple(t for t in self.schema.tables if t.name.casefold() != table.name.casefold())
        self.schema = replace(self.schema, tables=(*rest, table))

    def forget_checks(self, name: str) -> None:
        """The table loses its CHECKs."""
        tables = tuple(
            replace(t, checks=()) if t.name.casefold() == name.casefold() else t for t in self.schema.tables
        )
        self.schema = replace(self.schema, tables=tables)

    def run(self, text: str, server: Server) -> Trouble | None:
        """Take a definition. None: done; else what is wrong."""
        charsets = {} if self.charset is None else {self.database: self.charset}
        made = read(text, server, database=self.database or None, base=self.schema, charsets=charsets)
        troubles = [p for p in made.problems if not p.skipped]
        if troubles:
            first = troubles[0]
            number = first.refusal.number if first.refusal is not None else None
            return number, first.message, first.code == "SC001"
        self.schema = made
        return None
