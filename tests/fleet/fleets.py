"""Small random fleets, how the job is run on one, and what pair-by-pair checking says of it."""

from __future__ import annotations

import datetime as dt
import os
import random
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from schemacheck import engine as core
from schemacheck.engine.pairing import Matcher, Router
from schemacheck.fleet import columns, pairs, profiles, snapshots, topology
from schemacheck.fleet.decide import plain
from schemacheck.fleet.definition import encode
from schemacheck.inputs import open_schema
from schemacheck.model import InputProblem, PairState, Schema, Table, transport, with_incoming

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))


def small(folder: Path, seed: int, *, tables: int = 14, form: str = "tsv", logged: str = "ROW") -> Path:
    """Three instances: a sharded copy, a drifted one; odd names, a missing and a surplus table; its
    fleet.yaml.
    """
    import fleet_generate as generator

    rng = random.Random(seed)
    writer = generator.Writer(folder, form)
    ours = [generator.any_table(rng) for _ in range(tables)]
    drift: Any = __import__("collections").Counter()
    writer.write("a", "app", ours, rng)
    writer.write("b", "app", [generator.drifted(rng, t, 0.05, drift) for t in ours[: tables - 2]], rng)
    writer.write("c", "app", [*ours, generator.any_table(rng)], rng)
    (folder / "fleet.yaml").write_text(
        f"snapshots: snapshots\ndefaults: {{server: mysql-8.0.36, settings: {{binlog_format: {logged}}}}}\n"
        "instances:\n  c: {server: mariadb-10.11.8}\n"
        "links:\n  - {source: a, replica: b}\n  - {source: b, replica: c, settings: "
        "{slave_type_conversions: 'ALL_NON_LOSSY,ALL_LOSSY'}}\n"
        "  - {source: a, replica: c, channel: x, filters: {replicate-wild-ignore-table: ['app.t000%']}}\n",
        "utf-8",
    )
    return folder / "fleet.yaml"


def run_job(
    engine: Any,
    path: Path,
    folder: Path,
    *,
    partitions: int | None = None,
    order: int = 0,
    evidence: Any = None,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[dict[str, Any]]]:
    """Tables, findings and problems of the job on a running engine. `order` shuffles files and has Spark read
    and move them, `partitions` cuts the work.
    """
    from schemacheck.fleet import frames, group
    from schemacheck.fleet.checked import Checked
    from schemacheck.fleet.trend import Run

    fleet = topology.read(path)
    dumps = snapshots.find(fleet, ())
    if order:
        rng = random.Random(order)
        for dump in dumps:
            rng.shuffle(dump.native)
    # pyspark takes one kind of session per process; tests have both.
    os.environ.pop("SPARK_CONNECT_MODE_ENABLED", None)
    if engine.name != "spark":
        os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        limit = 0 if partitions else group.LIMIT
        groups = group.plan(fleet, profiles.resolve(fleet, dumps), dumps, limit=limit, evidence=evidence)
        contents = frames.contents(frames.Files(engine.spark), dumps, ()) if order else None
        tasks = partitions or engine.tasks
        asked = frames.of_files(engine.spark, groups, contents, tasks=tasks, processes=engine.processes)
        checked = Checked(frames.named(asked, Run.of()))
        return tuple(
            frame.toArrow().to_pylist() for frame in (checked.tables, checked.findings, checked.problems)
        )


def of_task(
    path: Path,
    before: dict[str, bytes] | None = None,
    *,
    remembers: bool = False,
    what_if: Any = None,
    changed: Any = None,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[str], dict[str, bytes]]:
    """Tables, findings and problems as tasks answer them without any engine, and what they remember."""
    import pyarrow as pa

    from schemacheck.fleet import group, task

    fleet = topology.read(path)
    fleet = changed(fleet) if changed else fleet
    dumps = snapshots.find(fleet, ())
    schema = task.arrow_schema(task.ASKED)
    rows: list[dict[str, Any]] = []
    kept: dict[str, bytes] = {}
    run = {"run_id": "r", "snapshot_date": dt.date(2026, 11, 21)}
    resolved = profiles.resolve(fleet, dumps, what_if)
    for one in group.plan(fleet, resolved, dumps, key=SECRET if remembers else ""):
        spec = {"spec": transport.pack(one), "home": one.home, "memory": (before or {}).get(one.home)}
        asked = pa.RecordBatch.from_pydict({n: [spec.get(n)] for n in schema.names}, schema=schema)
        if not remembers:
            rows += [row for batch in task.answer(asked) for row in batch.to_pylist()]
            continue
        kinds = task.arrow_schema((*columns.RUN, *columns.GROUPS))
        ((made,),) = (batch.to_pylist() for batch in task.remembered(asked))
        kept[made["home"]] = made["memory"]
        groups = pa.RecordBatch.from_pylist([{**run, **made}], kinds)
        rows += [row for batch in task.unpacked([groups]) for row in batch.to_pylist()]
    tables = [row for row in rows if row["pair"] is not None]
    findings = [{**row, **finding} for row in tables for finding in row["findings"]]
    told = [row["problem"] for row in rows if row["problem"] is not None]
    return tables, findings, told, kept


#: The end that a key stands for, then what must be equal.
SECRET = "of the tests"
KEY = ("source", "replica", "channel", "database", "table")
FINDING = tuple(
    column.name
    for column in columns.FINDING
    if column.name != "fingerprint" and column not in columns.EVIDENCE
)


#: What is said of a table that could not be read: the words name its place, which each side knows otherwise.
UNREADABLE = (PairState.UNREADABLE.value, "unknown")
#: What is said of a table that only the replica has.
SURPLUS = (PairState.SURPLUS.value, "identical", None, None, None, [])


def of_job(tables: list[dict[str, Any]], findings: list[dict[str, Any]]) -> dict[tuple[Any, ...], Any]:
    """What the job says of each pair, by KEY; of tables of the replica alone by one value more."""
    found: dict[str, list[Any]] = {}
    for row in findings:
        found.setdefault(row["pair"], []).append(tuple(row[k] for k in FINDING))
    out: dict[tuple[Any, ...], Any] = {}
    for row in tables:
        key = tuple(row[k] for k in KEY)
        if row["pair"] == pairs.keys(SimpleNamespace(**row))("", "", row["database"], row["table"]):
            key = (*key, "surplus")  # the replica's table, whether or not the source may have it too
        out[key] = (
            UNREADABLE
            if (row["state"], row["verdict"]) == UNREADABLE
            else (
                row["state"],
                row["verdict"],
                row["smallest_setting"],
                row["smallest_reason"],
                row["outcomes"],
                sorted(found.get(row["pair"], ()), key=repr),
            )
        )
    assert len(out) == len(tables)
    return out


def _one(dumped: list[Schema], *, fold: bool) -> Schema:
    """What several dumps of one instance say together: tables that differ between them are unreadable."""
    if len(dumped) == 1:
        return dumped[0]
    found: dict[tuple[str | None, str], Table] = {}
    problems = [problem for schema in dumped for problem in schema.problems]
    differ = set()
    for schema in dumped:
        for table in with_incoming(schema.tables, fold=fold):
            place = (table.database, table.name)
            known = found.setdefault(place, table)
            if (known, known.incoming, encode(known)) != (table, table.incoming, encode(table)):
                differ.add(place)
    message = (
        "this instance was dumped more than once, and the dumps tell different definitions: give one of them"
    )
    problems += [InputProblem("SC001", message, None, *place) for place in differ]
    return Schema(tuple(found.values()), tuple(problems))


def _every(schema: Schema) -> list[Table]:
    """All tables that are there, also those that could not be read."""
    known = {(table.database, table.name) for table in schema.tables}
    unread = {(one.database, one.table) for one in schema.problems if one.table and not one.skipped}
    return [*schema.tables, *(Table(name or "", (), database) for database, name in unread - known)]


def pair_by_pair(path: Path) -> dict[tuple[Any, ...], Any]:
    """The same, by reading each snapshot with `open_schema` and letting `check` compare both ends of each
    link.
    """
    fleet = topology.read(path)
    dumps = snapshots.find(fleet, ())
    resolved = profiles.resolve(fleet, dumps)
    read: dict[str, list[Schema]] = {}
    for dump in dumps:
        read.setdefault(dump.instance, []).append(
            open_schema(dump.place, server=resolved.servers[dump.instance])
        )
    schemas = {name: _one(of, fold=resolved.servers[name].folds_names) for name, of in read.items()}
    out: dict[tuple[Any, ...], Any] = {}
    surplus: dict[str, list[set[tuple[Any, ...]]]] = {}
    lacking: dict[str, list[tuple[Any, Any, Router]]] = {}
    for link in fleet.links:
        filters = resolved.filters.get(link.number)
        ours, theirs = schemas[link.source], schemas[link.replica]
        report = core.check(
            ours.tables,
            theirs.tables,
            resolved.links[resolved.of[link.number]],
            ours.problems,
            theirs.problems,
            filters,
        )
        for pair in report.pairs:
            key = (link.source, link.replica, link.channel, pair.database or "", pair.table)
            if pair.state is PairState.SURPLUS or pair.source is None:
                continue
            if pair.state is PairState.UNREADABLE:
                out[key] = UNREADABLE
                continue
            made = plain(pair)
            if pair.state is PairState.NOT_REPLICATED:
                made = {
                    **made,
                    "verdict": "identical",
                    "smallest": None,
                    "smallest_reason": None,
                    "outcomes": None,
                    "findings": [],
                }
            lines = sorted((tuple(f[k] for k in FINDING) for f in made["findings"]), key=repr)
            out[key] = (
                made["state"],
                made["verdict"],
                made["smallest"],
                made["smallest_reason"],
                made["outcomes"],
                lines,
            )
        router = Router(resolved.links[resolved.of[link.number]].of_rows, filters)
        for database, table in {
            (one.database or "", one.table) for one in ours.problems if one.table and not one.skipped
        }:
            key = (link.source, link.replica, link.channel, database, table)
            kept_out = router.route(database, table).kept_out
            state = PairState.NOT_REPLICATED.value
            out.setdefault(key, (state, "identical", None, None, None, []) if kept_out else UNREADABLE)
        matcher = Matcher(_every(theirs), resolved.links[resolved.of[link.number]].of_rows, filters)
        for table in _every(ours):
            matcher.match(table)
        own = {(table.database or "", table.name) for table in matcher.surplus()}
        surplus.setdefault(link.replica, []).append(own)
        if any(problem.hides_tables for problem in ours.problems):
            lacking.setdefault(link.replica, []).append((link, filters, router))
    # A table is surplus where no link brings it; the fleet lists it once, with the replica's first link.
    first = {link.replica: link for link in reversed(fleet.links)}
    for name, found in surplus.items():
        link = first[name]
        for table in set.intersection(*found):
            may = [
                one
                for one, filters, router in lacking.get(name, ())
                if (filters is not None and filters.rewrite_db) or not router.route(*table).kept_out
            ]
            if may:  # what was not read of a source may be this table
                out[(may[0].source, name, may[0].channel, *table, "surplus")] = UNREADABLE
            else:
                out[(link.source, name, link.channel, *table, "surplus")] = SURPLUS
    return out


def compare(got: dict[tuple[Any, ...], Any], wanted: dict[tuple[Any, ...], Any]) -> None:
    """Every pair is there and equal in every field; the first three that are not are shown."""
    names = [
        key for key in {**got, **wanted} if key not in got or key not in wanted or got[key] != wanted[key]
    ]
    shown = {key: (got.get(key), wanted.get(key)) for key in names[:3]}
    assert (len(names), shown) == (0, {})


def chosen(folder: Path) -> Path:
    """The fleet of `around`; with SCHEMACHECK_PAIRS=10000 one of so many, with keys, constraints, CHECKs
    and filters.
    """
    pairs = int(os.environ.get("SCHEMACHECK_PAIRS", "0"))
    if not pairs:
        return around(folder)
    import fleet_generate as generator

    generator.generate(folder, pairs, "keyed", "tsv")
    return folder / "fleet.yaml"


def around(folder: Path, form: str = "tsv") -> Path:
    """Tables whose verdict hangs on others: foreign keys from and to them, filters, names that differ by
    case, databases that become one.
    """
    import fleet_generate as generator

    def column(name: str, kind: str = "int", nullable: str = "NO") -> Any:
        return (name, kind, nullable, "NULL", "", "")

    plain = [column("id"), column("ref", nullable="YES")]
    key = ["def", "app", "{name}", "def", "app", "{child}", "ref", "1", "1", "app", "parent", "id"]
    usage = ["CONSTRAINT_CATALOG", "CONSTRAINT_SCHEMA", "CONSTRAINT_NAME", "TABLE_CATALOG", "TABLE_SCHEMA",
    "TABLE_NAME", "COLUMN_NAME", "ORDINAL_POSITION",
             "POSITION_IN_UNIQUE_CONSTRAINT", "REFERENCED_TABLE_SCHEMA", "REFERENCED_TABLE_NAME",
             "REFERENCED_COLUMN_NAME"]  # fmt: skip
    rules = [
        "CONSTRAINT_CATALOG",
        "CONSTRAINT_SCHEMA",
        "CONSTRAINT_NAME",
        "UPDATE_RULE",
        "DELETE_RULE",
        "TABLE_NAME",
        "REFERENCED_TABLE_NAME",
    ]

    def instance(name: str, tables: dict[tuple[str, str], list[Any]], children: dict[str, str]) -> None:
        home = folder / "snapshots" / name
        home.mkdir(parents=True, exist_ok=True)
        # As docs/fleet.md takes a dump: what tells of the server lies beside its rows.
        (home / "variables.tsv").write_text(
            "Variable_name\tValue\nversion\t8.0.36\nbinlog_format\tROW\n", "utf-8"
        )
        rows = [
            generator.row(db, table, n, c)
            for (db, table), columns in sorted(tables.items())
            for n, c in enumerate(columns, 1)
        ]
        write(home, "columns", generator.COLUMNS, rows)
        write(
            home,
            "key_column_usage",
            usage,
            [[part.format(name=f"fk_{child}", child=child) for part in key] for child in sorted(children)],
        )
        write(
            home,
            "referential_constraints",
            rules,
            [
                ["def", "app", f"fk_{child}", "RESTRICT", children[child], child, "parent"]
                for child in sorted(children)
            ],
        )

    def write(home: Path, view: str, heading: list[str], rows: list[list[str]]) -> None:
        home.mkdir(parents=True, exist_ok=True)
        if form == "tsv":
            (home / f"{view}.tsv").write_text(
                "\n".join("\t".join(row) for row in (heading, *rows)) + "\n", "utf-8"
            )
            return
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(
            pa.table(
                {
                    name: [None if row[i] == "NULL" else row[i] for row in rows]
                    for i, name in enumerate(heading)
                }
            ),
            home / f"{view}.parquet",
        )

    names = [
        ("app", "parent"),
        ("app", "child"),
        ("app", "T"),
        ("app", "t"),
        ("app", "Only"),
        ("log", "parent"),
        ("log", "hits"),
        ("app", "ΟΔΟΣ"),
    ]
    instance("a", {name: list(plain) for name in names}, {"child": "CASCADE"})
    theirs = {name: list(plain) for name in names if name[1] != "Only"} | {
        ("app", "only"): list(plain),
        ("app", "extra"): list(plain),
    }
    instance("b", theirs, {"child": "CASCADE", "extra": "RESTRICT"})
    folded = {
        ("app", name): list(plain) for name in ("parent", "child", "t", "only", "hits", "οδοσ")
    }  # servers know no final sigma
    instance("c", folded, {"child": "CASCADE"})
    (folder / "fleet.yaml").write_text(
        "snapshots: snapshots\ndefaults: {server: mysql-8.0.36}\ninstances:\n  c: {settings: "
        "{lower_case_table_names: '1'}}\n"
        "links:\n  - {source: a, replica: b}\n"
        "  - {source: a, replica: b, channel: mixed, settings: {binlog_format: MIXED}, filters: "
        "{replicate-do-db: [app]}}\n"
        "  - {source: a, replica: b, channel: kept, filters: {replicate-ignore-table: [app.parent]}}\n"
        "  - {source: a, replica: c}\n"
        "  - {source: a, replica: c, channel: one, rewrite: {log: app}}\n"
        "  - {source: c, replica: b, channel: back}\n",
        "utf-8",
    )
    return folder / "fleet.yaml"
