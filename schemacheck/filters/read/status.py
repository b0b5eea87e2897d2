"""Filters out of what a server shows. A comma separates values there, also inside a name."""

from __future__ import annotations

import re
from collections.abc import Iterable

from schemacheck.errors import InputError
from schemacheck.filters.read.options import Collector, FilterInput, Given, canonical
from schemacheck.model import Server
from schemacheck.model.filters import OPTIONS
from schemacheck.text.status_rows import rows

_STATUS = {
    "replicate_do_domain_ids": "do-domain-ids", "replicate_ignore_domain_ids": "ignore-domain-ids",
    "do_domain_ids": "do-domain-ids",
    "ignore_domain_ids": "ignore-domain-ids", "binlog_do_db": "binlog-do-db",
    "binlog_ignore_db": "binlog-ignore-db",
} | {option.replace("-", "_"): option for option in OPTIONS if option.startswith("replicate")}  # fmt: skip


def parse(text: str, server: Server | None = None) -> FilterInput:
    r"""Filters from SHOW REPLICA|SLAVE STATUS, SHOW MASTER STATUS, replication_applier_filters or variables,
    in any layout of `status_rows`. Raises InputError.
    """
    collector = Collector(server, Given.STATEMENT)
    hit = False
    settings: dict[str, str] = {}
    for row in rows(text, named=_STATUS):
        channel = row.get("channel_name", row.get("connection_name", ""))
        if "filter_name" in row:
            hit = True
            if row["filter_name"].strip().lower() not in _STATUS:
                raise InputError(f"FILTER_NAME {row['filter_name']!r} is not a known filter")
            _add(collector, row["filter_name"], row.get("filter_rule", ""), channel)
        elif "variable_name" in row:
            name = row["variable_name"].lower()
            connection, dot, plain = name.rpartition(".")
            if plain in _STATUS:
                hit = True
                _add(
                    collector,
                    plain,
                    row.get("value", row.get("variable_value", "")),
                    connection if dot else "",
                )
            else:
                settings[name] = row.get("value", row.get("variable_value", ""))
        else:
            for name, value in row.items():
                if name in _STATUS:
                    hit = True
                    _add(collector, name, value, channel)
    if not hit:
        raise InputError(
            "no filters found: give SHOW REPLICA STATUS (\\G or TSV with its heading), "
            "replication_applier_filters or SHOW VARIABLES LIKE 'replicate%'"
        )
    return FilterInput(collector.result(inherit=False), tuple(sorted(settings.items())))


def _add(collector: Collector, name: str, value: str, channel: str) -> None:
    option = _STATUS.get(name.strip().lower()) or canonical(name)
    if option is None or value.strip() in ("", "NULL", "\\N"):
        return
    for item in values(option, value):
        collector.add(option, item, channel=channel)


def values(option: str, text: str) -> Iterable[str]:
    """The values in one shown text: `a,b`; `(a,b),(c,d)` or `a->b,c->d` for rewrite-db."""
    if option == "replicate-rewrite-db" and "->" not in text:
        return [f"{a.strip()}->{b.strip()}" for a, b in re.findall(r"\(([^,()]++),([^()]++)\)", text)]
    return [
        item.strip().strip("`") if option.endswith("-db") else item.strip()
        for item in text.split(",")
        if item.strip()
    ]
