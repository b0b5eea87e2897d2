"""Findings by their cause: one rule with one pair of types is one cause, however many tables have it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from schemacheck.engine.gate import urgency
from schemacheck.model import Effect
from schemacheck.model.difference import PLACES
from schemacheck.model.quantity import plural
from schemacheck.outputs import sql

if TYPE_CHECKING:
    import pyarrow as pa

#: The folder of the scripts.
FOLDER = "fixes"
#: What is told of a cause by its first finding, and of that finding's place.
_TOLD = ("effect", "code", "rule", "message", "remedy")
_PLACE = ("source", "replica", "database", "table", "column")
_HARMLESS = [effect.value for effect in Effect if effect <= Effect.COMPATIBLE]

Row = dict[str, Any]


def of(
    result: pa.Table, servers: Mapping[str, str], most: int, listed: int
) -> tuple[list[Row], int, dict[str, str]]:
    """(the first causes, how many there are, scripts by name) of findings: what stops or diverges first, then
    by the number of tables. The first `most` causes have a script for each replica that a statement mends;
    `servers` names the servers of all instances.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    rows = without_moved(result.filter(pc.invert(pc.is_in(result.column("effect"), pa.array(_HARMLESS)))))
    ends = [rows.column(name) for name in ("source", "replica", "channel")]
    named = pc.is_valid(rows.column("column"))
    of_types = [pc.if_else(named, rows.column(f"{end}_type"), None) for end in ("source", "replica")]
    counted = {
        "row": pa.array(range(rows.num_rows), pa.int64()),
        "tables": pc.binary_join_element_wise(*ends, rows.column("database"), rows.column("table"), "\x1f"),
        "links": pc.binary_join_element_wise(*ends, "\x1f"),
        "bites": pc.equal(pc.fill_null(rows.column("bite"), ""), "bites").cast(pa.int64()),
        "absent": pc.fill_null(rows.column("bite_absent"), fill_value=False).cast(pa.int64()),
        "mended": pc.is_valid(rows.column("remedy_sql")).cast(pa.int64()),
    }
    by = {"effect": rows.column("effect"), "code": rows.column("code")}
    by |= {"source_type": of_types[0], "replica_type": of_types[1]}
    groups = pa.table({**by, **counted}).group_by(list(by), use_threads=False).aggregate([
        ("row", "list"), ("tables", "count_distinct"), ("links", "count_distinct"), ("bites", "sum"),
        ("absent", "sum"), ("mended", "sum"),
    ]).rename_columns([*by, "rows", *list(counted)[1:]])  # fmt: skip
    ranked = sorted(groups.to_pylist(), key=lambda group: _urgent(group, list(by)))
    causes: list[Row] = []
    scripts: dict[str, str] = {}
    for number, group in enumerate(ranked[:listed], 1):
        places = group.pop("rows")
        (first,) = rows.slice(places[0], 1).to_pylist()
        own: dict[str, str] = {}
        if number <= most:
            tables = plural(group["tables"], "table")
            heading = f"{first['code']} {first['rule']}: {tables} of the whole fleet"
            own = _scripts(rows.take(places), f"{FOLDER}/{number}-{first['code']}", heading, servers)
        scripts |= own
        record = {name: first[name] for name in _TOLD}
        place = {name: first[name] for name in _PLACE}
        causes.append({**record, **group, "findings": len(places), "first": place, "scripts": list(own)})
    return causes, len(ranked), scripts


def without_moved(rows: pa.Table) -> pa.Table:
    """The findings without those about columns that another finding of their table moves: it stands for them,
    with the worst effect among them.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    names = ("source", "replica", "channel", "database", "table", "remedy")
    named = [rows.column(name) for name in names if name in rows.column_names]
    keys = pc.binary_join_element_wise(*(pc.fill_null(name, "") for name in named), "\x1f")
    places = pc.is_in(rows.column("code"), pa.array(sorted(PLACES)))
    moved = pc.is_in(keys, keys.filter(places))
    if not pc.any(moved).as_py():
        return rows
    worst: dict[str, str] = {}
    for key, effect in zip(
        keys.filter(moved).to_pylist(), rows.column("effect").filter(moved).to_pylist(), strict=True
    ):
        worst[key] = max(worst.get(key, effect), effect, key=Effect)
    effects = [
        worst[key] if place else effect
        for key, place, effect in zip(
            keys.to_pylist(), places.to_pylist(), rows.column("effect").to_pylist(), strict=True
        )
    ]
    at = rows.column_names.index("effect")
    return rows.set_column(at, "effect", pa.array(effects, pa.string())).filter(
        pc.or_(places, pc.invert(moved))
    )


def _urgent(group: Row, by: list[str]) -> tuple[object, ...]:
    """What orders causes: where evidence says whether they bite, what nothing is there for comes last."""
    bite = 0 if group["bites"] else 2 if group["absent"] == len(group["rows"]) else 1
    return bite, urgency(Effect(group["effect"])), -group["tables"], str(tuple(group[name] for name in by))


def _scripts(rows: pa.Table, folder: str, heading: str, servers: Mapping[str, str]) -> dict[str, str]:
    """The scripts of a cause's findings, by name."""
    statements: dict[str, dict[str, list[str]]] = {}
    for row in rows.select(["source", "replica", "database", "table", "remedy_sql"]).to_pylist():
        if row["remedy_sql"]:
            table = f"{row['source']} to {row['replica']}: {row['database']}.{row['table']}"
            by_statement = statements.setdefault(row["replica"], {})
            by_statement.setdefault(sql.ended(row["remedy_sql"]), []).append(table)
    made = {}
    for server, tables in sorted(statements.items()):
        lines = sql.script(heading, f"{server} ({servers.get(server, '')})", tables)
        made[f"{folder}/{quote(server, safe='')}.sql"] = "\n".join(lines) + "\n"
    return made
