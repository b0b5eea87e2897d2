"""Sets of GTIDs as servers print them: MySQL's `uuid[:tag]:1-5:7`, MariaDB's positions `0-1-5,1-1-7`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from schemacheck.model import Server

#: By UUID (with its tag): first and last numbers, in order.
GtidSet = Mapping[str, tuple[tuple[int, int], ...]]
_RANGE = re.compile(r"(\d+)(?:-(\d+))?")


def parse(text: str) -> GtidSet:
    """The set of `gtid_executed` or `gtid_purged`. Raises ValueError for what is none."""
    out: dict[str, list[tuple[int, int]]] = {}
    for piece in filter(None, ("".join(text.split()) for text in text.split(","))):
        name, *parts = piece.lower().split(":")
        if not re.fullmatch(r"[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}", name) or not parts:
            raise ValueError(f"{piece!r} is no GTID set")
        key = name
        for part in parts:
            match = _RANGE.fullmatch(part)
            if match is None:
                key = f"{name}:{part}"
                continue
            out.setdefault(key, []).append((int(match.group(1)), int(match.group(2) or match.group(1))))
    return {key: tuple(sorted(spans)) for key, spans in out.items()}


def missing(wanted: GtidSet, held: GtidSet) -> GtidSet:
    """What of `wanted` is not in `held`."""
    out: dict[str, tuple[tuple[int, int], ...]] = {}
    for key, spans in wanted.items():
        left = list(spans)
        for low, high in held.get(key, ()):
            left = [
                piece
                for first, last in left
                for piece in ((first, min(last, low - 1)), (max(first, high + 1), last))
                if piece[0] <= piece[1]
            ]
        if left:
            out[key] = tuple(left)
    return out


def written(gtids: GtidSet) -> str:
    """The set as servers print it."""
    spans = {key: ":".join(str(a) if a == b else f"{a}-{b}" for a, b in of) for key, of in gtids.items()}
    return ",".join(f"{key}:{text}" for key, text in sorted(spans.items()))


def domains(position: str) -> dict[int, tuple[int, int]]:
    """MariaDB's position: the server and the number of each domain. Raises ValueError for what is none."""
    out: dict[int, tuple[int, int]] = {}
    for piece in filter(None, (text.strip() for text in position.split(","))):
        domain, server, number = (int(part) for part in piece.split("-"))
        out[domain] = (server, number)
    return out


#: Modes in which a source writes anonymous transactions.
ANONYMOUS = ("OFF", "OFF_PERMISSIVE")
_BY_NUMBER = {"0": "OFF", "1": "OFF_PERMISSIVE", "2": "ON_PERMISSIVE", "3": "ON"}


def gtid_mode(server: Server) -> str:
    """OFF, OFF_PERMISSIVE, ON_PERMISSIVE or ON; a server without the variable writes anonymous
    transactions.
    """
    if not server.has("gtid-modes"):
        return "OFF"
    value = server.setting("gtid_mode").upper() or "OFF"
    return _BY_NUMBER.get(value, value)
