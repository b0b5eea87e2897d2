"""The pipeline: definitions -> pairs -> distinct pairs -> the engine's decisions -> all pairs and findings.

Each step is a data set in the staging folder, so that what is read once is not computed twice, on
any engine. Nothing here knows a rule of replication.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F  # noqa: N812 the name that every Spark program uses

from schemacheck.fleet import decide, reader
from schemacheck.fleet import pair_columns as columns
from schemacheck.fleet.workers import spread
from schemacheck.pairing import sends_folded

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from schemacheck.fleet.profiles import Profiles
    from schemacheck.fleet.session import Engine
    from schemacheck.fleet.snapshots import Dump
    from schemacheck.fleet.topology import Topology

#: What a link says beside its names.
_OF_LINK = "replica string, sent_folded boolean, fold boolean, filter int, settles boolean, dumped boolean"
#: Pairs that a process takes in one batch.
_PAIRS = 1500
#: Tasks that read on a cluster, whatever its size.
_TASKS = 1000
#: What names a pair in the results.
_KEYS = (
    "link", "cluster", "source", "replica", "channel", "database", "table", "replica_database",
    "replica_table",
)  # fmt: skip
#: Fields of a finding that may name a table.
_TEXTS = ("message", "remedy", "remedy_sql", "error")


@dataclass(frozen=True, slots=True)
class Job:
    """One run. `stage` holds intermediate data sets, `out` takes the results; `say` is told what begins."""

    engine: Engine
    topology: Topology
    profiles: Profiles
    dumps: list[Dump]
    stage: Path
    out: Path
    say: Callable[[str], None]

    def run(self) -> None:
        """Write `tables` and `findings` below `out`, and `definitions`, `texts`, `pairs` and `decisions`
        below `stage`.
        """
        self.say("reading snapshots")
        self._definitions()
        self.say("pairing tables")
        self._pairs()
        self.say("deciding distinct pairs")
        self._decisions()
        self.say("writing tables and findings")
        self._results()

    def _save(self, frame: DataFrame, name: str) -> None:
        frame.write.mode("overwrite").parquet(str(self.stage / name))

    def _read(self, name: str, schema: str = "") -> DataFrame:
        """A saved data set. With its `schema` also one without any row, of which an engine may
        write no file.
        """
        if schema and not any((self.stage / name).glob("*.parquet")):
            return self.engine.spark.createDataFrame([], schema)
        return self.engine.spark.read.parquet(str(self.stage / name))

    def _definitions(self) -> None:
        """`definitions`: one row per instance and table, with its signature; and one per problem of the
        input. The workers write it as they read.
        """
        twice = len({dump.instance for dump in self.dumps}) < len(self.dumps)
        batches = reader.batches(self.dumps)
        asked = self.engine.spark.createDataFrame(batches, reader.ASKED)
        if self.engine.processes == 1:
            # A batch is done by one task; on one machine more tasks than keep its cores busy only cost
            # their start.
            asked = asked.repartition(min(len(batches), 4 * self.engine.tasks or _TASKS))
        answer = partial(
            reader.answers, self.profiles.servers, str(self.stage), "read" if twice else "definitions"
        )
        asked.mapInArrow(spread(answer, self.engine.processes, 1), reader.ANSWERED).collect()
        if twice:
            read = self._read("read")
            kept = (
                "origin", "instance", "db", "tbl", "low_db", "low_tbl", "sig", "odd", "refs", "repeated",
                "n_rows", "n_bytes", "problem",
            )  # fmt: skip
            tables = columns.once(read.filter(F.col("sig").isNotNull()).drop("problem"))
            problems = read.filter(F.col("sig").isNull())
            self._save(
                tables.withColumn("problem", F.lit(None).cast("string"))
                .select(*kept)
                .unionByName(problems.select(*kept)),
                "definitions",
            )

    def _partly_read(self) -> set[str]:
        """Instances whose tables may not all be known: something of their dumps that belongs to no table
        could not be read.
        """
        import pyarrow.dataset as ds

        frame = ds.dataset(self.stage / "definitions", exclude_invalid_files=False).to_table(
            columns=["instance", "problem"], filter=ds.field("problem").is_valid()
        )
        told = [(row["instance"], json.loads(row["problem"])) for row in frame.to_pylist()]
        return {instance for instance, problem in told if not problem["skipped"] and not problem["table"]}

    def _links(self) -> tuple[DataFrame, DataFrame]:
        """The links, and their replicas: how each looks names up, and the first of its links, on which what
        it has alone is told.
        """
        having = {dump.instance for dump in self.dumps} - self._partly_read()
        fold = [link.replica.folds_names for link in self.profiles.links]
        sent = [sends_folded(link) for link in self.profiles.links]
        links: list[tuple[object, ...]] = []
        folds: dict[str, bool] = {}
        firsts: dict[str, tuple[object, ...]] = {}
        for link in self.topology.links:
            profile = self.profiles.of[link.number]
            cluster = (
                link.cluster
                or self.topology.instance(link.replica).cluster
                or self.topology.instance(link.source).cluster
                or ""
            )
            own = (link.number, link.source, link.channel, cluster, profile)
            filtered, settles = self.profiles.filter_of[link.number], profile in self.profiles.settled
            names = (link.replica, sent[profile], fold[profile])
            links.append((*own, *names, filtered, settles, link.replica in having))
            folds[link.replica] = folds.get(link.replica, False) or fold[profile]
            firsts.setdefault(link.replica, own)
        named = "link int, source string, channel string, cluster string, profile int"
        named_first = ", ".join(f"first_{part}" for part in named.split(", "))
        make = self.engine.spark.createDataFrame
        return (
            F.broadcast(make(links, f"{named}, {_OF_LINK}")),
            F.broadcast(
                make(
                    [(name, folds[name], *first) for name, first in firsts.items()],
                    f"replica string, fold boolean, {named_first}",
                )
            ),
        )

    def _pairs(self) -> None:
        """`pairs`: one row per table of a source on each of its links, and one per table that only a replica
        has.
        """
        links, replicas = self._links()
        tables = (
            self._read("definitions")
            .filter(F.col("sig").isNotNull() & (F.col("tbl") != ""))
            .drop("repeated", "problem")
        )
        of_source = ("origin", "db", "tbl", "sig", "odd", "low_db", "low_tbl")
        ours = tables.withColumnsRenamed({"instance": "source"} | {name: f"s_{name}" for name in of_source})
        ours = ours.join(links, "source")
        if self.profiles.filters:
            ours = self._routed(ours)
        else:
            nothing = [F.lit(None).cast("string").alias(name) for name in ("kept_out", "partly")]
            ours = ours.select(
                "*",
                *nothing,
                *columns.sent_names(),
                F.col("s_low_db").alias("to_low_db"),
                F.col("s_low_tbl").alias("to_low_tbl"),
            )
        ours = ours.withColumns(
            {f"key_{part}": columns.looked_up(f"to_{part}", f"to_low_{part}") for part in ("db", "tbl")}
        ).drop("s_low_db", "s_low_tbl")
        of_replica = ("origin", "db", "tbl", "sig", "odd")
        theirs = tables.withColumnsRenamed(
            {"instance": "replica", "n_rows": "r_rows", "n_bytes": "r_bytes"}
            | {name: f"r_{name}" for name in of_replica}
        )
        theirs = (
            theirs.drop("refs")
            .join(replicas, "replica")
            .withColumns(
                {f"key_{part}": columns.looked_up(f"r_{part}", f"low_{part}") for part in ("db", "tbl")}
            )
            .drop("fold", "low_db", "low_tbl")
        )
        pairs = ours.join(theirs.hint("shuffle_hash"), ["replica", "key_db", "key_tbl"], "full")
        # What has no partner on any link is the replica's alone.
        only = F.col("link").isNull()
        told = {name: F.coalesce(name, F.col(f"first_{name}")) for name in columns.LINK}
        sizes = {
            f"n_{name}": F.when(only, F.col(f"r_{name}")).otherwise(F.col(f"n_{name}"))
            for name in ("rows", "bytes")
        }
        pairs = self._twins(pairs.withColumn("surplus", only)).withColumns({**told, **sizes})
        same = (
            (F.col("s_sig") == F.col("r_sig"))
            & (F.col("s_db") == F.col("r_db"))
            & (F.col("s_tbl") == F.col("r_tbl"))
        )
        alone = F.col("partly").isNull() & F.col("twin_tbl").isNull()
        no = F.lit(False)  # noqa: FBT003 a literal
        state = (
            F.when(F.col("surplus"), "surplus")
            .when(F.col("kept_out").isNotNull(), "not-replicated")
            .when(~F.col("dumped") & F.col("r_tbl").isNull(), "unreadable")
            .when(F.coalesce(same & alone & (F.col("s_odd") == 0) & F.col("settles"), no), "settled")
            .otherwise("open")
        )
        self._save(
            pairs.withColumn("state", state)
            .withColumn("shared", columns.shared())
            .withColumn("plain", columns.plain())
            .select(*columns.PAIR, columns.decision_key().alias("decision")),
            "pairs",
        )

    def _routed(self, ours: DataFrame) -> DataFrame:
        """Each table's way through the filters of its link; distinct names are asked once."""
        asked = (
            ours.filter(F.col("filter").isNotNull())
            .select("filter", F.col("s_db").alias("db"), F.col("s_tbl").alias("tbl"))
            .distinct()
        )
        routes = asked.mapInArrow(
            spread(partial(decide.routes, self.profiles.filters), 1, _PAIRS), decide.ROUTE_SQL
        )
        routes = routes.withColumnsRenamed({"db": "s_db", "tbl": "s_tbl"})
        joined = ours.join(routes, ["filter", "s_db", "s_tbl"], "left")
        unrouted = dict(
            zip(
                ("to_db", "to_tbl", "to_low_db", "to_low_tbl"),
                (*columns.sent_names(), F.col("s_low_db"), F.col("s_low_tbl")),
                strict=True,
            )
        )
        return joined.select(
            *ours.columns,
            "kept_out",
            "partly",
            *[F.coalesce(name, own).alias(name) for name, own in unrouted.items()],
        )

    def _twins(self, pairs: DataFrame) -> DataFrame:
        """`twin_db` and `twin_tbl`: another table of the source that changes the same table of
        the replica.
        """
        if not (self.profiles.filters or any(link.replica.folds_names for link in self.profiles.links)):
            return pairs.select(
                "*", *[F.lit(None).cast("string").alias(name) for name in ("twin_db", "twin_tbl")]
            )
        order = Window.partitionBy("replica", "key_db", "key_tbl", "link").orderBy(
            F.col("kept_out").isNotNull(), "s_db", "s_tbl"
        )
        first = {name: F.first(f"s_{name}").over(order) for name in ("db", "tbl")}
        numbered = pairs.select("*", *[column.alias(f"first_{name}") for name, column in first.items()])
        other = (
            F.col("r_origin").isNotNull()
            & F.col("kept_out").isNull()
            & ((F.col("first_db") != F.col("s_db")) | (F.col("first_tbl") != F.col("s_tbl")))
        )
        return numbered.select(
            *pairs.columns, *[F.when(other, F.col(f"first_{name}")).alias(f"twin_{name}") for name in first]
        )

    def _decisions(self) -> None:
        """`decisions`: the engine's answer for every distinct open pair."""
        open_ = self._read("pairs").filter(F.col("state") == "open")
        distinct = open_.select(
            "decision", "profile", "filter", "replica", "s_origin", "s_sig", "s_db", "s_tbl", "r_origin",
            "r_sig", "r_db", "r_tbl", "to_db", "to_tbl", "to_low_db",
            "to_low_tbl", "shared", "plain", "partly", "twin_db", "twin_tbl",
        ).dropDuplicates(["decision"])  # fmt: skip
        asked = distinct.withColumnRenamed("replica", "instance")
        near = self._near(asked)
        if near is None:
            asked = asked.select(
                "*", *[F.lit(None).cast("string").alias(name) for name in ("near_db", "near_tbl")]
            )
        else:
            asked = asked.join(F.broadcast(near), ["instance", "to_db", "to_tbl"], "left")
            asked = asked.withColumns(
                {name: F.when(F.col("r_origin").isNull(), F.col(name)) for name in ("near_db", "near_tbl")}
            )
        places = ("s_origin", "s_sig", "r_origin", "r_sig")
        asked = asked.select(
            "decision", "profile", "filter", *places, *columns.names(),
            "plain", "partly", "near_db", "near_tbl", "twin_db", "twin_tbl",
        )  # fmt: skip
        if self.engine.name != "sail":
            asked = (
                asked.repartition(self.engine.tasks, "decision")
                if self.engine.tasks
                else asked.repartition("decision")
            )
        # Texts are read by the dump: its pairs stand together.
        asked = asked.sortWithinPartitions("s_origin")
        answer = partial(
            decide.answers, self.profiles.links, self.profiles.filters, str(self.stage / "texts")
        )
        self._save(
            asked.mapInArrow(spread(answer, self.engine.processes, _PAIRS), decide.DECISION_SQL), "decisions"
        )

    def _near(self, asked: DataFrame) -> DataFrame | None:
        """For names that no table of the replica has: one that differs by case only (`instance`, `to_db`,
        `to_tbl`, `near_db`, `near_tbl`).
        """
        low = {"to_low_db": "low_db", "to_low_tbl": "low_tbl"}
        missing = (
            asked.filter(F.col("r_origin").isNull()).select("instance", "to_db", "to_tbl", *low).distinct()
        )
        if not missing.limit(1).count():
            return None
        tables = (
            self._read("definitions")
            .filter(F.col("sig").isNotNull() & (F.col("tbl") != ""))
            .select("instance", F.col("db").alias("near_db"), F.col("tbl").alias("near_tbl"), *low.values())
        )
        found = tables.join(F.broadcast(missing.withColumnsRenamed(low)), ["instance", *low.values()])
        return (
            found.groupBy("instance", "to_db", "to_tbl")
            .agg(F.max(F.struct("near_db", "near_tbl")).alias("near"))
            .select("instance", "to_db", "to_tbl", "near.near_db", "near.near_tbl")
        )

    def _results(self) -> None:
        """`tables` and `findings`: every pair with its decision, names put back."""
        pairs = self._read("pairs")
        decisions = self._read("decisions", decide.DECISION_SQL).withColumnRenamed("state", "decided")
        joined = pairs.join(decisions, "decision", "left")
        settled = self.profiles.settled
        by_hash = F.col("state") == "settled"
        unread = F.col("state") == "unreadable"
        answers = {number: decide.plain(report) for number, report in settled.items()}
        verdict = (
            F.when(by_hash, "identical")
            .when(unread, "unknown")
            .otherwise(F.coalesce("verdict", F.lit("identical")))
        )
        reason = (
            F.when(unread, F.concat(F.lit("no complete snapshot of the replica "), F.col("replica")))
            .when(F.col("state") == "not-replicated", F.col("kept_out"))
            .when(F.col("state") == "surplus", "only the replica has it")
            .otherwise(columns.put_back(F.col("reason")))
        )

        def by_state(settled: Column | str, decided: Column, other: Column | None = None) -> Column:
            """The value of a pair that was settled by its hash, of one that the engine decided,
            of any other.
            """
            return (
                F.when(by_hash, settled)
                .when(F.col("state") == "open", decided)
                .otherwise(decided if other is None else other)
            )

        tables = joined.select(
            *columns.keys(), "n_rows", "n_bytes", F.col("s_sig").alias("source_signature"),
            F.col("r_sig").alias("replica_signature"), "profile", "decision",
            by_state("compared", F.col("decided"), F.col("state")).alias("state"),
            reason.alias("reason"),
            by_state(columns.by_profile(answers, "smallest"), F.col("smallest")).alias("smallest_setting"),
            columns.put_back(F.col("smallest_reason")).alias("smallest_reason"),
            by_state(columns.by_profile(answers, "outcomes"), F.col("outcomes")).alias("outcomes"),
            by_state("hash", F.lit("engine"), F.lit("state")).alias("decided_by"),
            F.coalesce(F.size("findings"), F.lit(0)).alias("findings"), verdict.alias("verdict"),
        )  # fmt: skip
        for name in ("tables", "findings"):
            (self.out / name).mkdir(parents=True, exist_ok=True)
        tables.write.mode("overwrite").partitionBy("verdict").parquet(str(self.out / "tables"))
        found = joined.filter(F.size("findings") > 0).select(
            *columns.keys(), "decision", "s_sig", "r_sig", "shared", "s_db", "s_tbl", "r_db", "r_tbl",
            F.explode("findings").alias("f"),
        )  # fmt: skip
        fields = [
            (columns.put_back(F.col(f"f.{name}")) if name in _TEXTS else F.col(f"f.{name}")).alias(name)
            for name, _ in decide.FINDING
            if name != "effect"
        ]
        keys = [F.col(name) for name in _KEYS]
        signatures = [F.col("s_sig").alias("source_signature"), F.col("r_sig").alias("replica_signature")]
        findings = found.select(*keys, *signatures, "decision", *fields, F.col("f.effect").alias("effect"))
        findings.write.mode("overwrite").partitionBy("effect").parquet(str(self.out / "findings"))
