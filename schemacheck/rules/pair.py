"""A source table and a replica table on a link, aligned as the applier aligns them."""

from __future__ import annotations

from dataclasses import dataclass

from schemacheck.model import Link, Table


@dataclass(frozen=True, slots=True)
class Pair:
    """What a rule sees."""

    source: Table
    replica: Table
    link: Link
