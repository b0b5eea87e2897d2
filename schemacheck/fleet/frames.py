"""`check`: a fleet's dumps and links to DataFrames of pairs, findings and problems, on any Spark session.

Spark reads and moves, `task` decides: both ends of a link come to one task, and nothing is written.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F  # noqa: N812 the name that every Spark program uses

from schemacheck.dataclass import replace
from schemacheck.errors import UsageError
from schemacheck.fleet import columns as names
from schemacheck.fleet import group, pairs, profiles, snapshots, task, topology, workers
from schemacheck.fleet.checked import Checked, small
from schemacheck.fleet.dump_file import WANTED
from schemacheck.fleet.rows import complete
from schemacheck.fleet.snapshots import Dump
from schemacheck.fleet.trend import Run
from schemacheck.inputs.rows import not_dumped
from schemacheck.model import InputProblem, transport

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from schemacheck.fleet.group import Group

#: The columns of a group itself.
_SPEC = task.asked("grp", "spec", "home")


def check(
    spark: SparkSession,
    *,
    links: Any,
    columns: DataFrame | None = None,
    tables: DataFrame | None = None,
    statistics: DataFrame | None = None,
    table_constraints: DataFrame | None = None,
    check_constraints: DataFrame | None = None,
    key_column_usage: DataFrame | None = None,
    referential_constraints: DataFrame | None = None,
    partitions: DataFrame | None = None,
    snapshots: str | Sequence[str] = (),
    settings: DataFrame | Mapping[str, Mapping[str, str]] | None = None,
    run_id: str | None = None,
    snapshot_date: dt.date | str | None = None,
) -> Checked:
    """Check every table of every link.

    `links` is a topology: a file of one, its document as a mapping, or rows with the columns of a table of
    links, also as a DataFrame (docs/fleet.md describes both). What was dumped comes as rows of
    information_schema, a DataFrame per view with the column `instance` and the view's own, or as files below
    the URLs `snapshots`. `settings` are global variables by instance (a DataFrame: `instance`,
    `variable_name`, `variable_value`), among them `version`, where the links do not name the servers.

    The session is neither changed nor stopped, and nothing is run before a DataFrame of the result is asked
    for, but: `links` and `settings` that are DataFrames are collected, and URLs are listed. Raises UsageError
    and InputError.
    """
    views = {
        "columns": columns, "tables": tables, "statistics": statistics,
        "table_constraints": table_constraints, "check_constraints": check_constraints,
        "key_column_usage": key_column_usage, "referential_constraints": referential_constraints,
        "partitions": partitions,
    }  # fmt: skip
    given = {name: frame for name, frame in views.items() if frame is not None}
    fleet = _topology(links, settings)
    if not fleet.links:
        raise UsageError("links: there is none; nothing to check")
    run = Run.of(run_id, snapshot_date)
    if given:
        if columns is None:
            raise UsageError("rows of COLUMNS are needed: columns=DataFrame")
        return Checked(named(of_rows(spark, fleet, given), run))
    places = [snapshots] if isinstance(snapshots, str) else list(snapshots)
    files = Files(spark)
    dumps = below(files, fleet, places)
    resolved = profiles.resolve(fleet, dumps)
    bytes_ = contents(files, dumps, urls(fleet, places))
    return Checked(named(of_files(spark, group.plan(fleet, resolved, dumps), bytes_), run))


def _topology(links: Any, settings: Any) -> topology.Topology:
    if isinstance(links, topology.Topology):
        fleet = links
    elif isinstance(links, str | Path):
        fleet = topology.read(Path(links))
    elif isinstance(links, Mapping):
        fleet = topology.of_document(links, "links")
    else:
        rows = [row.asDict() for row in links.collect()] if hasattr(links, "collect") else list(links)
        if not all(isinstance(row, Mapping) for row in rows):
            raise UsageError("links: every row is a mapping of column names to values: {'source': 'a', ...}")
        fleet = topology.of_rows(rows, "links")
    if settings is None:
        return fleet
    record: dict[str, dict[str, str]] = {}
    if hasattr(settings, "collect"):
        for row in settings.select("instance", "variable_name", "variable_value").collect():
            record.setdefault(row[0], {})[str(row[1]).lower()] = row[2] or ""
    else:
        record = {name: {k.lower(): str(v) for k, v in values.items()} for name, values in settings.items()}
    return replace(fleet, told=record)


def named(pairs: DataFrame, run: Run) -> DataFrame:
    """The rows with the run that they are of."""
    day = F.lit(run.snapshot_date.isoformat()).cast("date")
    return pairs.select(F.lit(run.run_id).alias("run_id"), day.alias("snapshot_date"), "*")


def urls(fleet: topology.Topology, places: Sequence[str]) -> list[str]:
    """The URLs among the places that a fleet's dumps lie at."""
    every = [*(places or fleet.snapshots), *(i.snapshot for i in fleet.instances.values() if i.snapshot)]
    return list(dict.fromkeys(place for place in every if snapshots.is_url(place)))


class Files:
    """The files below URLs. Spark lists them when a DataFrame of them is made (a job with a task for each
    folder), so the same URLs have one DataFrame.
    """

    def __init__(self, spark: SparkSession) -> None:
        self.spark = spark
        self._of: dict[tuple[str, ...], DataFrame] = {}

    def below(self, urls: Sequence[str]) -> DataFrame:
        """Path, length and content of every file; one that is below two of the URLs comes once."""
        key = tuple(urls)
        if key not in self._of:
            reader = self.spark.read.format("binaryFile").option("recursiveFileLookup", "true")
            self._of[key] = reader.load(list(urls))
        return self._of[key]


def below(files: Files, fleet: topology.Topology, places: Sequence[str]) -> list[Dump]:
    """The dumps below these places (else the topology's), whose files about servers are brought here."""
    listed: set[str] = set()

    def listing(url: str) -> list[tuple[str, int]]:
        rows = files.below([url]).select("path", "length").collect()
        listed.update(row["path"] for row in rows)
        return [(row["path"], row["length"]) for row in rows]

    dumps = snapshots.find(fleet, places, listing)
    wanted = [path for dump in dumps for path in dump.telling if path in listed]
    if not wanted:
        return dumps
    rows = files.below(urls(fleet, places)).filter(F.col("path").isin(wanted)).select("path", "content")
    contents = {row["path"]: bytes(row["content"]) for row in rows.collect()}
    for dump in dumps:
        dump.texts = {path: contents[path] for path in dump.telling if path in contents}
    return dumps


def contents(files: Files, dumps: Sequence[Dump], urls: Sequence[str]) -> DataFrame:
    """The bytes of all files of dumps, by path: those behind URLs as the workers read them, those of this
    machine as this program sends them. Raises UsageError where the latter are too large for that.
    """
    here = [file for dump in dumps for file in dump.files if not file.remote]
    size = sum(file.size for file in here)
    if size > _SENT:
        raise UsageError(
            f"{here[0].path}: {size >> 20} MiB of dumps lie on this machine, which workers elsewhere do not "
            "see; put them where all can read them and give the URL (s3a://, hdfs://, gs://, file:///)"
        )
    parts = []
    if urls:
        parts.append(files.below(urls).select("path", "content"))
    if here or not urls:
        rows = [(file.path, Path(file.path).read_bytes()) for file in here]
        parts.append(files.spark.createDataFrame(rows, "path string, content binary"))
    return parts[0] if len(parts) == 1 else parts[0].unionByName(parts[1])


#: Bytes that this program sends to workers elsewhere.
_SENT = 256 << 20


def of_files(
    spark: SparkSession,
    groups: Sequence[Group],
    contents: DataFrame | None,
    *,
    before: DataFrame | None = None,
    tasks: int = 0,
    processes: int = 1,
    answer: workers.Answer = task.answer,
    kinds: tuple[names.Column, ...] = names.PAIRS,
) -> DataFrame:
    """The pairs of groups, or what else a task's `answer` has in rows of `kinds`.

    `contents` are their files' bytes (`path`, `content`); without them every worker
    opens the files by their paths. `before` is what an earlier run remembers (`home`, `memory`). `tasks`:
    into how many pieces work is cut (0: Spark knows).
    """
    specs = [(item.number, transport.pack(item), item.home) for item in groups]
    asked = spark.createDataFrame(specs, names.ddl(_SPEC))
    if before is not None:
        asked = asked.join(before.dropDuplicates(["home"]), "home", "left")
    if contents is None:
        if processes == 1:
            # A task for each group only where there are few: starting one costs more than most groups.
            asked = asked.repartition(max(1, min(len(specs), 4 * tasks or 1000)))
        return asked.mapInArrow(workers.spread(answer, processes), names.ddl(kinds))
    places = [
        (item.number, dump.origin, file.path) for item in groups for dump in item.dumps for file in dump.files
    ]
    file = names.ddl(task.asked("grp", "origin", "path"))
    bytes_ = contents.join(small(spark.createDataFrame(places, file)), "path")
    return _grouped(_together([asked, bytes_], tasks), answer, kinds)


def unpacked(groups: DataFrame) -> DataFrame:
    """Rows of GROUPS behind the columns of RUN as rows of PAIRS behind these."""
    return groups.mapInArrow(task.unpacked, names.ddl((*names.RUN, *names.PAIRS)))


def of_rows(spark: SparkSession, fleet: topology.Topology, given: Mapping[str, DataFrame]) -> DataFrame:
    """The pairs of a fleet whose dumps are rows, a DataFrame per view."""
    for view, frame in given.items():
        if not hasattr(frame, "columns"):
            raise UsageError(f"{view} is a DataFrame of rows, not {type(frame).__name__}")
        complete(view, [name.upper() for name in frame.columns], f"{view}=...")
    linked = dict.fromkeys(name for link in fleet.links for name in (link.source, link.replica))
    dumps = [Dump(number, name, name) for number, name in enumerate(linked)]
    resolved = profiles.resolve(fleet, dumps)
    groups = group.plan(fleet, resolved, dumps, limit=0)
    specs = [(item.number, transport.pack(item), "") for item in groups]
    homes = [(item.number, dump.origin, dump.instance) for item in groups for dump in item.dumps]
    kinds = f"{names.ddl(task.asked('grp', 'origin'))}, instance string"
    home = small(spark.createDataFrame(homes, kinds))
    rows = [_rows(view, frame).join(home, "instance").drop("instance") for view, frame in given.items()]
    every = _together([spark.createDataFrame(specs, names.ddl(_SPEC)), *rows], 0)
    asked = _grouped(every, task.answer, names.PAIRS)
    return asked.unionByName(_of_none(spark, given["columns"], linked))


def _of_none(spark: SparkSession, columns: DataFrame, linked: Iterable[str]) -> DataFrame:
    """Problems of the rows of COLUMNS: what they lack, and instances that no link names."""
    lacks = not_dumped([name.upper() for name in columns.columns])
    rows = [(pairs.problem("", InputProblem("SC001", lacks)),)] if lacks else []
    by_name = {name.upper(): name for name in columns.columns}
    name = F.coalesce(F.col(f"`{by_name['INSTANCE']}`").cast("string"), F.lit(""))
    ours = spark.createDataFrame([(text,) for text in linked], "instance string")
    others = columns.select(name.alias("instance")).distinct().join(small(ours), "instance", "left_anti")
    message = F.concat(F.col("instance"), F.lit(pairs.UNLINKED)).alias("message")
    skipped = (F.lit(1) == F.lit(1)).alias("skipped")
    problem = F.to_json(F.struct(F.lit("SC001").alias("code"), message, F.col("instance"), skipped))
    every = others.select(problem.alias("problem")).unionByName(spark.createDataFrame(rows, "problem string"))
    lacking = [F.lit(None).cast(kind.kind).alias(kind.name) for kind in names.PAIRS if kind.name != "problem"]
    return every.select(*lacking, "problem")


def _rows(view: str, frame: DataFrame) -> DataFrame:
    """A view's rows as `task.ASKED` has them, with `instance`."""
    by_name = {name.upper(): name for name in frame.columns}
    if "INSTANCE" not in by_name:
        raise UsageError(f"rows of {view.upper()} need the column instance; found {', '.join(frame.columns)}")
    wanted = [name for name in by_name if name in WANTED]
    values = [F.col(f"`{by_name[name]}`").cast("string") for name in wanted]
    return frame.select(
        F.col(f"`{by_name['INSTANCE']}`").cast("string").alias("instance"),
        F.lit(view).alias("view"),
        F.lit("\t".join(wanted)).alias("heading"),
        F.array(*values).alias("fields"),
    )


def _together(parts: Iterable[DataFrame], tasks: int) -> DataFrame:
    """All rows of a group in one task, one after the other."""
    whole: DataFrame | None = None
    for part in parts:
        here = part.select(
            *[
                (F.col(c.name) if c.name in part.columns else F.lit(None)).cast(c.kind).alias(c.name)
                for c in task.ASKED
            ]
        )
        whole = here if whole is None else whole.unionByName(here)
    assert whole is not None
    return whole.repartition(tasks, "grp") if tasks else whole


def _grouped(asked: DataFrame, answer: workers.Answer, kinds: tuple[names.Column, ...]) -> DataFrame:
    return asked.groupBy("grp").applyInArrow(workers.whole(answer), names.ddl(kinds))
