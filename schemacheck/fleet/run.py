"""One run from arguments to a finished folder: results appear in place only when all of them are there."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemacheck.dataclass import replace
from schemacheck.errors import InputError
from schemacheck.fleet import (
    bites,
    columns,
    group,
    profiles,
    secret,
    session,
    snapshots,
    task,
    trend,
    work_folder,
)
from schemacheck.fleet.job import Job, Options, prepared, resolved_of
from schemacheck.fleet.place import Place
from schemacheck.fleet.trend import Run
from schemacheck.fleet.unchanged import Asked
from schemacheck.fleet.workers import WorkerPool, without_pandas
from schemacheck.system import interrupt, leftovers
from schemacheck.system.collector import collector_paused

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from schemacheck.fleet import frames
    from schemacheck.fleet.results import Results

#: Changes that the summary lists.
_LISTED = 500
#: What of an earlier run's groups is read again.
_MEMORY = tuple(column for column in columns.GROUPS if column.name in ("home", "memory"))


def run(options: Options, say: Callable[[str], None]) -> dict[str, Any]:
    """Do it all; the summary. Raises UsageError and InputError before anything is written in place of an
    earlier run.
    """
    if snapshots.is_url(options.out):
        return with_engine(prepared(options, say), lambda engine, job: _on(engine, job, options.out))
    work_folder.free(Path(options.out))
    job = prepared(options, say)
    with work_folder.beside(Path(options.out)) as work:
        made = with_engine(_compared(job), lambda engine, job: _on(engine, job, str(work)))
        work_folder.put(work, Path(options.out))
    return made


def with_engine(job: Job, do: Callable[[session.Engine, Job], dict[str, Any]]) -> dict[str, Any]:
    """What is done on the job's engine, from its start to its end. Raises UsageError and InputError."""
    options, tell, engine, doing = job.options, job.say, None, ""

    def say(text: str) -> None:
        nonlocal doing
        doing = text
        tell(text)

    job = replace(job, say=say)
    try:
        size = job.size if job.dumps is not None else session.LEAN_BYTES
        if size < session.LEAN_BYTES:
            _keep_memory()
        engine = session.NONE
        if not job.is_told:
            job.say("starting the engine")
            job.stages.begin("start")
            engine = session.start(
                options.engine,
                master=options.master,
                remote=options.remote,
                size=size,
                memory=options.memory,
                cores=options.cores,
                conf=options.conf,
            )
            if options.archive:
                engine.ship(options.archive)
        job.say(f"on {engine.label}")
        with collector_paused():
            return do(engine, job)
    except Exception as error:
        if (ended := interrupt.behind(error)) is not None:
            engine = None
            leftovers.remove()
            raise ended from None
        if type(error).__module__.startswith(("pyspark.", "py4j.", "grpc")):
            raise _failed(error, doing) from error
        raise
    except KeyboardInterrupt:
        # Nobody waits for an engine that has to be ended: asking it to stop can take for ever.
        engine = None
        leftovers.remove()
        raise
    finally:
        if engine is not None:
            with contextlib.suppress(Exception):
                engine.stop()


def located(
    engine: session.Engine, job: Job, files: frames.Files
) -> tuple[list[snapshots.Dump], profiles.Profiles, DataFrame | None]:
    """The dumps, the links' profiles, and the dumps' bytes where the tasks do not open the files."""
    from schemacheck.fleet import frames

    dumps, resolved = job.dumps, job.resolved
    if dumps is None or resolved is None:
        job.stages.begin("listing")
        job.say(f"listing snapshots: {', '.join(job.places)[:200]}")
        dumps = frames.below(files, job.fleet, job.places)
        resolved = resolved_of(job.options, job.fleet, dumps, job.places)
    urls = frames.urls(job.fleet, job.places)
    return dumps, resolved, None if engine.local and not urls else frames.contents(files, dumps, urls)


def _on(engine: session.Engine, job: Job, out: str) -> dict[str, Any]:
    """The run on an engine; the results are below `out`."""
    from schemacheck.fleet import finish
    from schemacheck.fleet.results import Results

    options, place = job.options, Place(engine, out)
    place.can_write()
    run_ = Run.of(options.run_id, options.snapshot_date)
    if engine is not session.NONE:
        job, results, changes = _decided(engine, job, place, run_)
        return finish.told(job, place, run_, results, changes)
    assert place.here is not None
    assert job.asked is not None
    job.say("writing tables and findings")
    job.stages.begin("writing")
    with without_pandas():
        job.asked.save(run_, place.here / "memory")
        (place.here / "changes").mkdir()
        return finish.told(job, place, run_, Results.of(None, place), trend.Changes())


def _decided(
    engine: session.Engine, job: Job, place: Place, run_: Run
) -> tuple[Job, Results, trend.Changes | None]:
    """The job with all that was found only now, what its pairs tell, and what has changed since an earlier
    run.
    """
    from schemacheck.fleet import frames, previous
    from schemacheck.fleet.checked import Checked, Written
    from schemacheck.fleet.results import Results

    options, fleet = job.options, job.fleet
    dumps, resolved, contents = located(engine, job, frames.Files(engine.spark))
    job.say("reading and deciding")
    job.stages.begin("deciding")
    earlier = Place(engine, options.previous) if options.previous else None
    given, remembered = job.given, None
    asked = job.asked or _asked(job, resolved, dumps)
    if earlier is not None:
        given = given or trend.earlier(earlier.text("summary.json"), earlier.root)
        if given.get("memory_key") == secret.name(asked.key):
            remembered = earlier.read("memory", _MEMORY).filter("memory IS NOT NULL")
        else:
            job.say(f"{options.previous} is of another version or key: everything is decided again")
    job = replace(job, dumps=dumps, resolved=resolved, given=given, asked=asked)
    rows = frames.of_files(
        engine.spark, asked.groups, contents, before=remembered, tasks=engine.tasks,
        processes=engine.processes, answer=task.remembered, kinds=columns.GROUPS,
    )  # fmt: skip
    kept = place.kept(frames.named(rows, run_), "memory", (*columns.RUN, *columns.GROUPS))
    if asked.told:
        assert place.here is not None
        asked.save(run_, place.here / "memory")
    if WorkerPool.opened is not None:
        WorkerPool.opened.close()  # what its processes remember is asked for no more
    job.say("writing tables and findings")
    job.stages.begin("writing")
    checked: Checked | Written = Checked(frames.unpacked(kept))
    if place.here is None:
        place.save(checked.tables, "tables", "verdict")
        place.save(checked.findings, "findings", "effect")
        place.save(checked.problems, "input_problems")
    results = Results.of(kept, place)
    if place.here is None or engine.local:
        checked = Written.of(place)
    changes = None
    if earlier is not None:
        ends = [(link.source, link.replica, link.channel) for link in fleet.links]
        alike = [ends[number] for number in results.remembered()]
        changed = engine.spark.createDataFrame([], columns.ddl(columns.CHANGES))
        if not len(alike) == len(ends) == (given or {}).get("links"):  # else all rows are those of before
            findings = earlier.read("findings", columns.FINDINGS)
            changed = frames.named(previous.changes(checked, findings, ends, alike), run_)
        changes = previous.summed(place.kept(changed, "changes", columns.CHANGES), _LISTED)
    return job, results, changes


def _asked(job: Job, resolved: profiles.Profiles, dumps: list[snapshots.Dump]) -> Asked:
    """What is to be asked of these dumps."""
    key = secret.key(job.say)
    sources = {link.source: resolved.servers.get(link.source) for link in job.fleet.links}
    evidence = bites.read(job.options.evidence, sources)
    return Asked(evidence, group.plan(job.fleet, resolved, dumps, key=key, evidence=evidence), key=key)


def _compared(job: Job) -> Job:
    """The job of which is known what an earlier run has told, where all lies on this machine."""
    options = job.options
    if job.given is None or job.dumps is None or job.resolved is None or options.previous is None:
        return job
    if not session.is_local(options.engine, master=options.master, remote=options.remote):
        return job
    job.say("comparing with the previous run")
    job.stages.begin("digest")
    with collector_paused(), without_pandas():
        asked = _asked(job, job.resolved, job.dumps)
        cores = max(1, options.cores or os.cpu_count() or 1)
        return replace(job, asked=asked.compared(Path(options.previous), job.given, cores))


def _keep_memory() -> None:
    """Have Arrow keep the memory that it will soon need again, here and in every process that is started (2
    of 19 CPU s at 100,000 pairs; at 1,000,000 it would keep 1.8 GB for 1 % of the time).
    """
    with contextlib.suppress(ImportError):
        import pyarrow as pa

        if "jemalloc" in pa.supported_memory_backends() and "ARROW_DEFAULT_MEMORY_POOL" not in os.environ:
            os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "jemalloc"
            pa.set_memory_pool(pa.jemalloc_memory_pool())


def _failed(error: Exception, doing: str) -> InputError:
    """What the engine said, in one line, and at what: the rest is for its own log."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 an exception of the JVM cannot be asked once the JVM is gone
        text = type(error).__name__
    lines = [line.strip() for line in text.splitlines() if line.strip()] or [type(error).__name__]
    # py4j says on a second line what happened.
    first = " ".join(lines[:2]) if len(lines) > 1 and lines[1].startswith(":") else lines[0]
    if re.search(r"No FileSystem for scheme|ClassNotFoundException: .*FileSystem not found", first):
        first += "; --conf spark.jars.packages=... loads file systems (s3a: org.apache.hadoop:hadoop-aws)"
    return InputError(f"the engine failed ({doing}), nothing was written: {first[:600]}")
