"""A statement as the binary log carries it: its text, and what of its session comes along."""

from __future__ import annotations

from schemacheck import knowledge
from schemacheck.dataclass import dataclass, replace
from schemacheck.knowledge import characters
from schemacheck.model import Server, ServerError

#: Words of sql_mode that change how a definition is read.
SQL_MODES = (
    "REAL_AS_FLOAT", "ANSI_QUOTES", "IGNORE_SPACE", "NO_BACKSLASH_ESCAPES", "STRICT_TRANS_TABLES",
    "STRICT_ALL_TABLES",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Logged:
    """A statement. `database` is the default one ('': none), `sql_mode` has those of SQL_MODES that hold
    (None: not said), `explicit_defaults` is explicit_defaults_for_timestamp, `charset` the character set of
    the default database, `made` character set and collation of a database whose definition names none (an
    event carries its session's collation_server).
    """

    query: str
    database: str = ""
    sql_mode: tuple[str, ...] | None = None
    explicit_defaults: bool | None = None
    checks_foreign_keys: bool = True
    charset: str | None = None
    made: tuple[str, str] | None = None

    def on(self, server: Server) -> Server:
        """The server with the variables that come along."""
        settings = {"collation_connection": "?"}  # its number is not looked up
        if self.sql_mode is not None:
            settings["sql_mode"] = ",".join(self.sql_mode)
        if self.explicit_defaults is not None:
            settings["explicit_defaults_for_timestamp"] = "ON" if self.explicit_defaults else "OFF"
        if not self.checks_foreign_keys:
            settings["foreign_key_checks"] = "OFF"
        return server.with_told(settings)

    def stops(self, error: ServerError) -> ServerError:
        """The error as the applier prints it for this statement."""
        text = knowledge.load("binlog")["query-error"].format(
            error=error.message, database=self.database, query=self.query
        )
        return replace(error, message=text)

    @property
    def short(self) -> str:
        """The statement in one line of at most 120 characters."""
        text = " ".join(characters.split(self.query))
        return text if len(text) <= 120 else text[:117] + "..."


def bare(message: str) -> str:
    """An error without the words that an applier puts around it: so it reports one that it did not expect."""
    return message.partition("' on query. Default database: '")[0].removeprefix("Error '")
