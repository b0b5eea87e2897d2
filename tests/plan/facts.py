"""The recorded rollouts: what real servers did with each change in both orders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from schemacheck import catalog
from schemacheck.model import Link, Schema, Server
from schemacheck.prove.judging import NOTHING
from tests.facts.definitions import read_facts, server_of
from tests.plan.changes import CHANGES, Change

DATA = Path(__file__).parent / "data" / "rollouts.jsonl.xz"
BY_NAME = {change.name: change for change in CHANGES}
ARRIVED = ("exact", "numeric", "float32", "bytes", "padded")
#: The settings of the servers that were asked: a link from a server without GTIDs to one with them would
#: stop.
_SETTINGS = (
    ("binlog_format", "ROW"), ("explicit_defaults_for_timestamp", "ON"), ("gtid_mode", "OFF"),
    ("enforce_gtid_consistency", "OFF"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fact:
    """One change in one order under one setting, on one pair of servers."""

    servers: str
    source: Server
    replica: Server
    change: Change
    order: str
    modes: str
    outcome: str
    errno: int | None
    preserved: str | None
    final: str | None

    @property
    def answered(self) -> bool:
        """Whether the servers took the definitions, the rows and the setting."""
        return self.outcome not in NOTHING

    @property
    def good(self) -> bool:
        """Nothing stopped, every value arrived, and the ends are equal when the rollout is done. Where the
        second ALTER is refused (`error`: rows that a new CHECK forbids), the ends hold the same rows too."""
        return self.outcome == "applied" and self.preserved in ARRIVED and self.final in ("equal", "error")

    def link(self, modes: str | None = None) -> Link:
        return Link(
            self.source,
            self.replica.with_settings({"slave_type_conversions": self.modes if modes is None else modes}),
        )

    def old(self) -> Schema:
        return catalog.read(
            self.change.create,
            self.source,
            database="test",
            charsets={"test": ("utf8mb4", "utf8mb4_general_ci")},
        )


def records() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """(header, record) of all, in order."""
    header, found = read_facts(DATA)
    for record in found:
        if "server" in record:
            header = record
        else:
            yield header, record


@cache
def facts() -> tuple[Fact, ...]:
    """All of them, those without an answer too."""
    out = []
    for header, record in records():
        source, replica = (
            server_of(header[f"{side}"], header[f"{end}_version"], _SETTINGS)
            for side, end in (("server", "source"), ("replica", "replica"))
        )
        name = (
            header["server"]
            if header["server"] == header["replica"]
            else f"{header['server']} to {header['replica']}"
        )
        out.append(
            Fact(
                name, source, replica, BY_NAME[record["change"]], record["order"], record.get("modes", ""),
                record["outcome"], record.get("errno"),
                record.get("preserved"), record.get("final"),
            )
        )  # fmt: skip
    return tuple(out)
