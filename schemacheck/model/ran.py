"""A definition of a script that ran."""

from __future__ import annotations

from schemacheck.dataclass import dataclass
from schemacheck.model.server import Server


@dataclass(frozen=True, slots=True)
class Ran:
    """Its text, the default database, the server with the session's settings, and the character set and
    collation of the database. A higher `number` ran later.
    """

    number: int
    text: str
    database: str | None
    server: Server
    charset: tuple[str, str]
