"""The names, the order and the additional keys that the server chooses."""

from __future__ import annotations

from dataclasses import replace

from schemacheck.inputs.ddl.context import Context
from schemacheck.inputs.ddl.draft import ForeignDraft, KeyDraft, PartDraft
from schemacheck.inputs.ddl.lexer import Refused
from schemacheck.model.table import Check, ForeignKey

_ENGINES = {
    name.lower(): name
    for name in ("InnoDB", "MyISAM", "MEMORY", "CSV", "ARCHIVE", "BLACKHOLE", "MRG_MyISAM", "Aria", "FEDERATED", "SEQUENCE", "ndbcluster", "TokuDB", "ROCKSDB", "SPIDER", "CONNECT", "ColumnStore", "S3", "Mroonga", "OQGRAPH")
} | {"innobase": "InnoDB", "heap": "MEMORY", "merge": "MRG_MyISAM", "ndb": "ndbcluster", "maria": "Aria"}  # fmt: skip


def engine(name: str | None, context: Context) -> str | None:
    """The engine as the server spells it."""
    written = name or context.server.setting("default_storage_engine")
    return _ENGINES.get(written.lower(), written) or None


def keys(drafts: list[KeyDraft], foreign: list[ForeignDraft], context: Context) -> list[KeyDraft]:
    """All keys, named, with those that foreign keys need, in canonical order."""
    found = list(drafts)
    for reference in foreign:
        wanted = [name.casefold() for name in reference.columns]
        if any(_covers(key, wanted) for key in found):
            continue
        name = reference.name or reference.index_name
        found.append(KeyDraft("index", [PartDraft(column) for column in reference.columns], name, generated=True, span=reference.span))
    taken: set[str] = set()
    for key in found:
        if key.kind == "primary":
            key.name = "PRIMARY"
        elif not key.name:
            base = key.parts[0].column or "functional_index"
            key.name = base
            number = 2
            if base.casefold() == "primary":
                key.name = f"{base}_2"
                number = 3
            while key.name.casefold() in taken:
                key.name = f"{base}_{number}"
                number += 1
        if key.name.casefold() in taken:
            raise Refused(f"key {key.name!r} is defined twice", key.span[0], "SC002", 1061)
        taken.add(key.name.casefold())
    return sorted(found, key=_order)


_RANK = {"primary": 0, "unique": 1, "index": 2, "vector": 2, "spatial": 3, "fulltext": 4}


def _order(key: KeyDraft) -> tuple[int, str]:
    return _RANK[key.kind], (key.name or "").casefold()


def _covers(key: KeyDraft, wanted: list[str]) -> bool:
    """Whether a key begins with these columns, whole."""
    if key.kind not in ("primary", "unique", "index") or len(key.parts) < len(wanted):
        return False
    return all(part.length is None and (part.column or "").casefold() == name for part, name in zip(key.parts, wanted, strict=False))


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
