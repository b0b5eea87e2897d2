"""The default character sets of one end's databases, while a log is held against it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from schemacheck.model.charset import default_collation
from schemacheck.model.server import Server
from schemacheck.replay.logged import Logged
from schemacheck.sql.statements import Statement
from schemacheck.sql.statements.value import DATABASE

#: Character set and collation.
Pair = tuple[str, str]


class DatabaseCharsets:
    """By database, as the server compares names. `told` is what a schema says of databases."""

    def __init__(self, record: Mapping[str, Pair]) -> None:
        self._told = dict(record)
        #: Of the tables of each database, those assumed not counted.
        self._tables: dict[str, Counter[Pair]] = {}

    def count(self, database: str, pair: Pair, step: int) -> None:
        """A table of this character set comes (1) or goes (-1)."""
        self._tables.setdefault(database, Counter())[pair] += step

    def of(self, database: str, logged: Logged, server: Server) -> Pair | None:
        """What the schema or the log says of a database; else that of all its tables, else what the event
        says of the source's; None where nobody says it.
        """
        if database in self._told:
            return self._told[database]
        result = [pair for pair, count in self._tables.get(database, Counter()).items() if count]
        if len(result) == 1:
            return result[0]
        named = logged.charset
        return (named, default_collation(named, server.flavor, server.version)) if named else None

    def run(self, statement: Statement, database: str, named: Mapping[str, Pair], made: Pair | None) -> None:
        """A statement about this database has run, and `named` is what it names, `made` what its session
        makes of one that names nothing. What IF NOT EXISTS meets is not known.
        """
        if statement.verb not in DATABASE or (statement.conditional and statement.verb != "drop-database"):
            return
        if database in named:
            self._told[database] = named[database]
        elif statement.verb == "create-database" and made is not None:
            self._told[database] = made
        elif statement.verb != "alter-database":
            self._told.pop(database, None)
