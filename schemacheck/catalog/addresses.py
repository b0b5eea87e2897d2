"""Texts of UUIDs and network addresses as MariaDB reads and prints them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.model.server import Server

if TYPE_CHECKING:
    from ipaddress import IPv4Address

#: Four numbers of up to three digits, which may begin with zeros (asked of 10.11 and 11.8).
_QUADS = re.compile(r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}\Z")


def printed(text: str, base: str, server: Server) -> str | None:
    """A UUID, an INET4 or an INET6 as the server prints it; None for what is none."""
    import uuid
    from ipaddress import IPv6Address

    try:
        if base == "uuid":
            return str(uuid.UUID(text)) if len(text) >= 32 else None
        if base == "inet4":
            return str(_quads(text))
        front, colon, last = text.rpartition(":")
        if not colon and server.has("inet6-takes-inet4"):
            return f"::ffff:{_quads(text)}"
        found = IPv6Address(f"{front}{colon}{_quads(last)}" if "." in last else text)
    except ValueError:
        return None
    return f"::ffff:{found.ipv4_mapped}" if found.ipv4_mapped is not None else str(found)


def _quads(text: str) -> IPv4Address:
    """An address of four numbers. Raises ValueError."""
    from ipaddress import IPv4Address

    if _QUADS.match(text) is None:
        raise ValueError(text)
    return IPv4Address(".".join(str(int(one)) for one in text.split(".")))
