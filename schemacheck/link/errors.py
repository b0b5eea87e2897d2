"""The number that a replica of this kind prints for an error of `rules/links.yaml`."""

from __future__ import annotations

from schemacheck import knowledge
from schemacheck.link.outcome import Kind, Outcome
from schemacheck.model import Server


def number(key: str, replica: Server) -> int:
    """The error number of `key` on this replica. Raises KeyError where that server does not have
    the error.
    """
    entry = knowledge.load("links")["errors"][key]
    if replica.mariadb:
        return int(entry["mariadb"])
    numbered = replica.has("error-log-messages-have-numbers")
    return int(entry["numbered" if numbered else "mysql"])


def fails(
    kind: Kind, rule: str, key: str, replica: Server, why: str, *, change: str = "", depends: str = ""
) -> Outcome:
    """An outcome with the replica's number."""
    return Outcome(kind, rule, number(key, replica), why, change, depends)
