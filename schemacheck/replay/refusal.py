"""The server's words for the error with which it refuses a definition (`rules/binlog.yaml`)."""

from __future__ import annotations

from collections import defaultdict

from schemacheck import knowledge
from schemacheck.catalog.references import FOREIGN_KEY
from schemacheck.filters.faults import fault
from schemacheck.model import Refusal, Server, ServerError
from schemacheck.sql.words import Name

#: What the reader of definitions says of a foreign key that does not fit; servers have several words for it.
_BROKEN_FOREIGN_KEY = 3780
#: Errors of foreign keys that MySQL 8 tells apart, with the words for them.
_TOLD = frozenset({1215, 1506, 1822, 1824, 1830, 3734, 3780, 6125})
#: Errors of a CREATE TABLE that an ALTER TABLE ends with under another number: without columns.
_ALTERED = {1113: 1090}


def unworded(refusal: Refusal, server: Server) -> bool:
    """Whether a foreign key is refused with one of several errors that are not told apart."""
    return (
        _about_foreign_key(refusal)
        and refusal.number not in _TOLD
        and fault("broken-foreign-key", server, child="") is None
    )


def _about_foreign_key(refusal: Refusal) -> bool:
    return refusal.kind == FOREIGN_KEY or (refusal.number == _BROKEN_FOREIGN_KEY and not refusal.words)


def error_of(server: Server, refusal: Refusal, key: Name) -> ServerError:
    """The server's words for the error with which it refuses a definition."""
    broken = fault("broken-foreign-key", server, child=quoted(key))
    if broken is not None and _about_foreign_key(refusal):
        return broken
    number = _ALTERED.get(refusal.number, refusal.number)
    texts = knowledge.load("binlog")["definition-errors"].get(str(number), {})
    new = "mysql-data-dictionary" if server.has("data-dictionary") else ""
    template = texts.get(new, texts.get(server.flavor, texts.get("mysql")))
    if template is None:
        return ServerError(number, refusal.message)
    # What names a column that is not there is a clause, or the table.
    clauses = knowledge.load("binlog")["definition-clauses"]["mariadb" if server.mariadb else "mysql"]
    place = clauses.get(refusal.kind, key[1]) if number in (1052, 1054) else key[1]
    words = defaultdict(lambda: "...", refusal.words)
    words |= {"name": refusal.name or "...", "table": place, "kind": refusal.kind or "INDEX"}
    words.setdefault("database", key[0] or "...")
    words.setdefault("to", key[1])
    return ServerError(number, template.format_map(words))


def quoted(key: Name) -> str:
    """A table as errors name it: `db`.`t`."""
    return f"`{key[0]}`.`{key[1]}`"
