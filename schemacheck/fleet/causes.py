"""Findings by their cause: one rule with one pair of types is one cause, however many tables have it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from schemacheck.engine.gate import urgency
from schemacheck.model import Effect
from schemacheck.model.quantity import plural
from schemacheck.outputs import sql

if TYPE_CHECKING:
    import pyarrow as pa

#: The folder of the scripts.
FOLDER = "fixes"
_READ = ("effect", "code", "rule", "source", "replica", "channel", "database", "table", "column",
         "source_type", "replica_type", "message", "remedy", "remedy_sql", "bite", "bite_absent")  # fmt: skip
_HARMLESS = [effect.value for effect in Effect if effect <= Effect.COMPATIBLE]

Row = dict[str, Any]


def of(found: pa.Table, servers: Mapping[str, str], most: int) -> tuple[list[Row], dict[str, str]]:
    """(causes, scripts by name) of findings: what stops or diverges first, then by the number of tables. The
    first `most` causes have a script for each replica that a statement mends; `servers` names the servers of
    all instances.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    harmless = pc.is_in(found.column("effect").cast(pa.string()), pa.array(_HARMLESS))
    changing = found.select(_READ).filter(pc.invert(harmless))
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in changing.to_pylist():
        types = (row["source_type"], row["replica_type"]) if row["column"] else (None, None)
        groups.setdefault((row["effect"], row["code"], *types), []).append(row)
    ranked = sorted(
        groups.items(),
        key=lambda group: (_bite(group[1]), urgency(Effect(group[0][0])), -_tables(group[1]), str(group[0])),
    )
    causes, scripts = [], {}
    for number, ((_, code, source, replica), rows) in enumerate(ranked, 1):
        first, tables = rows[0], _tables(rows)
        statements: dict[str, dict[str, list[str]]] = {}
        for row in rows if number <= most else ():
            if row["remedy_sql"]:
                table = f"{row['source']} to {row['replica']}: {row['database']}.{row['table']}"
                by_statement = statements.setdefault(row["replica"], {})
                by_statement.setdefault(sql.ended(row["remedy_sql"]), []).append(table)
        names = {
            statement: f"{FOLDER}/{number}-{code}/{quote(statement, safe='')}.sql"
            for statement in sorted(statements)
        }
        for server, name in names.items():
            heading = f"{code} {first['rule']}: {plural(tables, 'table')} of the whole fleet"
            lines = sql.script(heading, f"{server} ({servers.get(server, '')})", statements[server])
            scripts[name] = "\n".join(lines) + "\n"
        causes.append(
            {
                **{name: first[name] for name in ("effect", "code", "rule", "message", "remedy")},
                "source_type": source, "replica_type": replica, "findings": len(rows), "tables": tables,
                "bites": sum(row["bite"] == "bites" for row in rows),
                "absent": sum(bool(row["bite_absent"]) for row in rows),
                "links": len({(row["source"], row["replica"], row["channel"]) for row in rows}),
                "first": {name: first[name] for name in ("source", "replica", "database", "table", "column")},
                "mended": sum(bool(row["remedy_sql"]) for row in rows), "scripts": list(names.values()),
            }
        )  # fmt: skip
    return causes, scripts


def _bite(rows: list[Row]) -> int:
    """The place of a cause where evidence says whether it bites: what nothing is there for comes last."""
    absent = all(row["bite_absent"] for row in rows)
    return 0 if any(row["bite"] == "bites" for row in rows) else 2 if absent else 1


def _tables(rows: list[Row]) -> int:
    return len(
        {(row["source"], row["replica"], row["channel"], row["database"], row["table"]) for row in rows}
    )
