"""The names, the order and the additional keys that the server chooses."""

from __future__ import annotations

from dataclasses import replace

from schemacheck.inputs.ddl.context import Context
from schemacheck.model.table import Check, ForeignKey

_ENGINES = {
    name.lower(): name
    for name in ("InnoDB", "MyISAM", "MEMORY", "CSV", "ARCHIVE", "BLACKHOLE", "MRG_MyISAM", "Aria", "FEDERATED", "SEQUENCE", "ndbcluster", "TokuDB", "ROCKSDB", "SPIDER", "CONNECT", "ColumnStore", "S3", "Mroonga", "OQGRAPH")
} | {"innobase": "InnoDB", "heap": "MEMORY", "merge": "MRG_MyISAM", "ndb": "ndbcluster", "maria": "Aria"}  # fmt: skip


def engine(name: str | None, context: Context) -> str | None:
    """The engine as the server spells it."""
    written = name or context.server.setting("default_storage_engine")
    return _ENGINES.get(written.lower(), written) or None


def checks(table: str, found: list[Check], context: Context) -> list[Check]:
    """CHECKs with the server's names."""
    return _named(found, "CONSTRAINT_" if context.server.mariadb else f"{table}_chk_")


def _named(found: list[Check], prefix: str) -> list[Check]:
    taken = {one.name.casefold() for one in found}
    out: list[Check] = []
    number = 0
    for one in found:
        if not one.name:
            number += 1
            while f"{prefix}{number}".casefold() in taken:
                number += 1
            one = replace(one, name=f"{prefix}{number}")
        out.append(one)
    return sorted(out, key=lambda c: c.name.casefold())


def foreign_keys(table: str, found: list[ForeignKey], context: Context) -> list[ForeignKey]:
    """Foreign keys with the server's names."""
    del context
    out = []
    number = 0
    for one in found:
        if not one.name:
            number += 1
            one = replace(one, name=f"{table}_ibfk_{number}")
        out.append(one)
    return sorted(out, key=lambda f: f.name.casefold())
