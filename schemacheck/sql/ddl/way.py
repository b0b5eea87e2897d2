"""How a server shall alter a table: ONLINE, ALGORITHM and LOCK."""

from __future__ import annotations

from schemacheck.sql.ddl.actions import Other
from schemacheck.sql.flavor import Flavor
from schemacheck.sql.lexer import Refused, Tokens

WAYS = {
    "ALGORITHM": ("DEFAULT", "INPLACE", "COPY", "INSTANT", "NOCOPY"),
    "LOCK": ("DEFAULT", "NONE", "SHARED", "EXCLUSIVE"),
}


def online(t: Tokens, flavor: Flavor) -> tuple[Other, ...]:
    """ONLINE, which is LOCK=NONE on MariaDB; few servers know it otherwise, or OFFLINE. Raises Refused."""
    at = t.offset()
    if t.take("OFFLINE") or (t.peek() == "ONLINE" and not flavor.mariadb):
        raise Refused(
            "whether this server knows ONLINE and OFFLINE is not known: leave them out", at, code="SC001"
        )
    return (Other(at, ("LOCK", "NONE")),) if t.take("ONLINE") else ()


def ways(t: Tokens) -> list[Other]:
    """ALGORITHM and LOCK behind an index. Raises Refused."""
    others: list[Other] = []
    while (word := t.take_any("ALGORITHM", "LOCK")) is not None:
        t.take("=")
        at, text = t.offset(), t.name().upper()
        if text not in WAYS[word]:
            raise Refused(f"{word} is none of {', '.join(WAYS[word])}", at, 1800)
        others.append(Other(at, (word, text)))
    return others
