"""Small random fleets, how the job is run on one, and what pair-by-pair checking says of it."""

from __future__ import annotations

import os
import random
import sys
import warnings
from pathlib import Path
from typing import Any

from schemacheck import engine as core
from schemacheck.filters import ReplicaRules, SourceRules
from schemacheck.fleet import profiles, snapshots, topology
from schemacheck.fleet.decide import plain
from schemacheck.inputs import open_schema
from schemacheck.model import PairState

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))


def small(folder: Path, seed: int, *, tables: int = 14, form: str = "tsv") -> Path:
    """Three instances: a sharded copy, a drifted one; odd names, a missing and a surplus table; its fleet.yaml."""
    import fleet_generate as generator

    rng = random.Random(seed)
    writer = generator.Writer(folder, form)
    ours = [generator.any_table(rng) for _ in range(tables)]
    drift: Any = __import__("collections").Counter()
    writer.write("a", "app", ours, rng)
    writer.write("b", "app", [generator.drifted(rng, t, 0.05, drift) for t in ours[: tables - 2]], rng)
    writer.write("c", "app", [*ours, generator.any_table(rng)], rng)
    (folder / "fleet.yaml").write_text(
        "snapshots: snapshots\ndefaults: {server: mysql-8.0.36}\ninstances:\n  c: {server: mariadb-10.11.8}\n"
        "links:\n  - {source: a, replica: b}\n  - {source: b, replica: c, settings: {slave_type_conversions: 'ALL_NON_LOSSY,ALL_LOSSY'}}\n"
        "  - {source: a, replica: c, channel: x, filters: {replicate-wild-ignore-table: ['app.t000%']}}\n",
        "utf-8",
    )
    return folder / "fleet.yaml"


def run_job(engine: Any, path: Path, folder: Path, *, partitions: int | None = None, order: int = 0) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[dict[str, Any]]]:
    """Tables, findings and problems of the job on a running engine. `order` shuffles dumps and files."""
    from schemacheck.fleet import problems
    from schemacheck.fleet.job import Job
    from schemacheck.fleet.results import Results

    fleet = topology.read(path)
    dumps = snapshots.find(fleet, ())
    if order:
        rng = random.Random(order)
        numbers = [dump.origin for dump in dumps]
        rng.shuffle(numbers)
        for dump, number in zip(dumps, numbers, strict=True):
            dump.origin = number
            rng.shuffle(dump.native)
        rng.shuffle(dumps)
    (folder / "stage").mkdir(parents=True)
    # pyspark takes one kind of session per process; tests have both.
    os.environ.pop("SPARK_CONNECT_MODE_ENABLED", None)
    if engine.name != "spark":
        os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"
    before = engine.spark.conf.get("spark.sql.shuffle.partitions")
    if partitions:
        engine.spark.conf.set("spark.sql.shuffle.partitions", str(partitions))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        broken = Job(engine, fleet, profiles.resolve(fleet, dumps), dumps, folder / "stage", folder / "out", lambda _: None).run()
        found = problems.collect(broken, dumps, fleet, folder / "stage")
    engine.spark.conf.set("spark.sql.shuffle.partitions", str(before))
    results = Results(folder / "out", folder / "stage")
    findings = results.findings.to_table().to_pylist() if results.findings.files and "code" in results.findings.schema.names else []
    return results.tables.to_table().to_pylist(), findings, found


#: The end that a key stands for, then what must be equal.
KEY = ("source", "replica", "channel", "database", "table")
FINDING = ("code", "effect", "message", "column", "source_type", "replica_type", "source_ordinal", "replica_ordinal", "errno", "error", "remedy_sql", "depends_on_rows")


def of_job(tables: list[dict[str, Any]], findings: list[dict[str, Any]]) -> dict[tuple[Any, ...], Any]:
    found: dict[tuple[Any, ...], list[Any]] = {}
    for row in findings:
        found.setdefault(tuple(row[k] for k in KEY), []).append(tuple(row[k] for k in FINDING))
    return {
        tuple(row[k] for k in KEY): (row["state"], row["verdict"], row["smallest_setting"], row["outcomes"], sorted(found.get(tuple(row[k] for k in KEY), ()), key=repr))
        for row in tables
    }


def pair_by_pair(path: Path) -> dict[tuple[Any, ...], Any]:
    """The same, by reading each snapshot with `open_schema` and asking the engine for each pair."""
    fleet = topology.read(path)
    dumps = snapshots.find(fleet, ())
    resolved = profiles.resolve(fleet, dumps)
    places = {dump.instance: dump.place for dump in dumps}
    schemas = {name: open_schema(place, server=resolved.servers[name]) for name, place in places.items()}
    out: dict[tuple[Any, ...], Any] = {}
    matched: dict[str, set[tuple[str | None, str]]] = {}
    for link in fleet.links:
        profile = resolved.links[resolved.of[link.number]]
        number = resolved.filter_of[link.number]
        theirs = {(t.database, t.name): t for t in schemas[link.replica].tables}
        for table in schemas[link.source].tables:
            key = (link.source, link.replica, link.channel, table.database, table.name)
            target = (table.database, table.name)
            passes = True
            if number is not None:
                chosen, where = resolved.filters[number]
                logged, _ = SourceRules(chosen, where.source).logs(table.database)
                done, _, *names = ReplicaRules(chosen, where.replica).row(table.database or "", table.name)
                passes, target = logged and done, (names[0], names[1])
            replica = theirs.get(target)
            if replica is not None:
                matched.setdefault(link.replica, set()).add(target)
            if not passes:
                out[key] = (PairState.NOT_REPLICATED.value, "identical", None, None, [])
                continue
            made = plain(core.check_pair(table, replica, profile))
            lines = sorted((tuple(f[k] for k in FINDING) for f in made["findings"]), key=repr)
            out[key] = (made["state"], made["verdict"], made["smallest"], made["outcomes"], lines)
    first = {link.replica: link for link in reversed(fleet.links)}
    for name, link in first.items():
        for table in schemas[name].tables:
            if (table.database, table.name) not in matched.get(name, ()):
                out[(link.source, name, link.channel, table.database, table.name)] = ("surplus", "identical", None, None, [])
    return out

