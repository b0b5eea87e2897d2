"""What is sent to a scratch server."""

from __future__ import annotations

from schemacheck.errors import InputError
from schemacheck.model import Server
from schemacheck.sql.asked import asked
from schemacheck.sql.lexer import Refused

#: Bytes of a statement: what every server takes.
LONGEST = 1 << 20


class NoAnswer(InputError):
    """A scratch server has not answered, or was not asked: nothing is known."""


def sent(statement: str, server: Server) -> str:
    """The statement as this version's server is sent it (`sql.asked`). Raises NoAnswer."""
    if len(statement.encode("utf-8", "surrogatepass")) > LONGEST:
        raise NoAnswer(f"not asked: the statement has more than {LONGEST >> 20} MiB")
    try:
        return asked(statement, server)
    except Refused as refused:
        raise NoAnswer(f"not asked: {refused.message}") from None
