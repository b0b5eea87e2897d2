"""One run from arguments to a finished folder: results appear in place only when all of them are there."""

from __future__ import annotations

import contextlib
import datetime as dt
import glob
import json
import os
import platform
import re
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from schemacheck import leftovers
from schemacheck.errors import InputError, UsageError
from schemacheck.fleet import (
    fetch,
    previous,
    problems,
    profiles,
    report,
    routes,
    session,
    snapshots,
    summary,
    topology,
    whatif,
    whole_links,
    workers,
)
from schemacheck.fleet.results import Results


@dataclass(frozen=True, slots=True)
class Options:
    """What a person asks for. `what_if` is the number of distinct pairs to ask about other settings and
    versions (0: all).
    """

    topology: Path
    out: Path
    snapshots: Sequence[str] = ()
    engine: str = "auto"
    master: str | None = None
    remote: str | None = None
    previous: Path | None = None
    memory: str = "3g"
    cores: int | None = None
    what_if: int = 120
    work: Path | None = None
    archive: Path | None = None


def run(options: Options, say: Callable[[str], None]) -> dict[str, Any]:
    """Do it all; the summary. Raises UsageError and InputError before anything is written in place of an
    earlier run.
    """
    started = time.monotonic()
    _free(options.out)
    before = previous.load(options.previous) if options.previous else None
    fleet = topology.read(options.topology)
    if not fleet.links:
        message = f"{options.topology}: no links; nothing to check"
        raise UsageError(message)
    places = list(options.snapshots or fleet.snapshots)
    urls = [place for place in places if snapshots.is_url(place)]
    say("looking for snapshots")
    dumps = snapshots.find(fleet, places)
    resolved = _resolved(fleet, dumps, places) if not urls else None
    work = _work(options)
    with leftovers.kept(work):
        return _finished(options, fleet, dumps, resolved, before, work, started, say)


def _finished(
    options: Options,
    fleet: topology.Topology,
    dumps: list[snapshots.Dump],
    resolved: profiles.Profiles | None,
    before: set[bytes] | None,
    work: Path,
    started: float,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """The run from its engine's start to the folder in place."""
    places = list(options.snapshots or fleet.snapshots)
    urls = [place for place in places if snapshots.is_url(place)]
    engine = ending = None
    try:
        say("starting the engine")
        size = sum(dump.size for dump in dumps) if not urls else session.LEAN_BYTES
        if size < session.LEAN_BYTES:
            _keep_memory()
        engine = session.start(
            options.engine,
            master=options.master,
            remote=options.remote,
            size=size,
            memory=options.memory,
            cores=options.cores,
        )
        say(f"on {engine.label}")
        if options.archive:
            engine.ship(options.archive)
        if resolved is None:
            say("fetching snapshots")
            local = [
                str(fetch.fetch(engine, url, work / "stage" / f"fetched{number}"))
                for number, url in enumerate(urls)
            ]
            dumps = snapshots.find(fleet, [*local, *(place for place in places if place not in urls)])
            resolved = _resolved(fleet, dumps, places)
        from schemacheck.fleet.job import Job

        job = Job(engine, fleet, resolved, dumps, work / "stage", work / "out", say)
        job.run()
        found = problems.collect(dumps, fleet, work / "stage")
        say("summing up")
        if engine.processes == 1:
            # A JVM takes a second to end, and what is left to do needs none. (Processes of our own still
            # help.)
            ending = threading.Thread(target=_stop, args=(engine,))
            ending.start()
        made = _conclude(options, work, fleet, resolved, found, before, engine.label, started)
    except Exception as error:
        shutil.rmtree(work, ignore_errors=True)
        if type(error).__module__.startswith(("pyspark.", "py4j.", "grpc")):
            raise _failed(error) from error
        raise
    except KeyboardInterrupt:
        # Nobody waits for an engine that has to be ended: asking it to stop can take for ever.
        engine = None
        leftovers.remove()
        raise
    finally:
        if ending is not None:
            ending.join()
        elif engine is not None:
            _stop(engine)
    try:
        _move(work / "out", options.out)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return made


def _keep_memory() -> None:
    """Have Arrow keep the memory that it will soon need again, here and in every process that is started (2
    of 19 CPU s at 100,000 pairs; at 1,000,000 it would keep 1.8 GB for 1 % of the time).
    """
    with contextlib.suppress(ImportError):
        import pyarrow as pa

        if "jemalloc" in pa.supported_memory_backends() and "ARROW_DEFAULT_MEMORY_POOL" not in os.environ:
            os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "jemalloc"
            pa.set_memory_pool(pa.jemalloc_memory_pool())


def _resolved(
    fleet: topology.Topology, dumps: list[snapshots.Dump], places: Sequence[str]
) -> profiles.Profiles:
    """The links' profiles. Raises InputError where there is no snapshot at all."""
    if not dumps:
        where = f"no snapshot found: looked in {', '.join(places)}"
        message = (
            f"{where if places else 'no snapshots given: name a folder, or `snapshots:` in the topology'}; "
            "a snapshot is a folder INSTANCE/ with columns.tsv or "
            "columns.parquet, see docs/fleet.md"
        )
        raise InputError(message)
    return profiles.resolve(fleet, dumps)


def _failed(error: Exception) -> InputError:
    """What the engine said, in one line: the rest is for its own log."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 an exception of the JVM cannot be asked once the JVM is gone
        text = type(error).__name__
    first = next((line.strip() for line in text.splitlines() if line.strip()), type(error).__name__)
    return InputError(f"the engine failed, nothing was written: {first[:500]}")


def _stop(engine: session.Engine) -> None:
    """Stop it; an engine that is gone already is no reason to hide what happened before."""
    with contextlib.suppress(Exception):
        engine.stop()


def _conclude(
    options: Options, work: Path, fleet: topology.Topology, resolved: profiles.Profiles, found: list[dict[str,
    Any]], before: set[bytes] | None,
    label: str, started: float,
) -> dict[str, Any]:  # fmt: skip
    from importlib.metadata import PackageNotFoundError, version

    try:
        ours = version("schemacheck")
    except PackageNotFoundError:
        ours = "(from an archive)"
    results = Results(work / "out", work / "stage")
    problems.write(found, work / "out")
    sample, total = results.sample(options.what_if)
    servers = {name: str(server) for name, server in resolved.servers.items()}
    ask = partial(whatif.ask, resolved.links, sample, total)
    # Another process takes half a second to start: a small page is made before it is there.
    with workers.in_subprocess(ask) if results.many else contextlib.nullcontext(ask) as what_if:
        page = report.Page(results, servers, before)
        changes = None
        if before is not None:
            now = previous.fingerprints(results)
            changes = {"new": len(now - before), "fixed": len(before - now), "unchanged": len(now & before)}
        answer = what_if()
    of_links = whole_links.rows(fleet, resolved)
    facts = {
        "version": ours,
        "finished": dt.datetime.now(tz=dt.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "engine": label,
        "links": len(fleet.links),
        "links_by_effect": whole_links.counts(of_links),
        "link_findings": of_links,
        "instances": len({n for link in fleet.links for n in (link.source, link.replica)}),
        "profiles": len(resolved.links),
        "decisions": results.decisions(),
        "seconds": 0.0,
    }
    named = ((row["database"] or "", row["table"]) for row in results.count("database", "table"))
    made = {
        **summary.summarise(results, answer, facts, found, changes),
        "topology": routes.follow(fleet, resolved, named),
    }
    made["seconds"] = round(time.monotonic() - started, 2)
    (work / "out" / "report.html").write_text(page.render(made, found), "utf-8")
    made["seconds"] = round(time.monotonic() - started, 2)
    (work / "out" / "summary.json").write_text(
        json.dumps({**made, "servers": resolved.taken}, indent=1, ensure_ascii=False) + "\n", "utf-8"
    )
    return made


def _work(options: Options) -> Path:
    """A fresh folder beside the output (same file system, so that moving is renaming), or where the caller
    says.
    """
    parent = options.work or options.out.absolute().parent
    parent.mkdir(parents=True, exist_ok=True)
    _sweep(parent, options.out.name)
    work = parent / f".{options.out.name}.{_host()}.{os.getpid()}.tmp"
    shutil.rmtree(work, ignore_errors=True)
    (work / "stage").mkdir(parents=True)
    (work / "out").mkdir()
    return work


def _sweep(parent: Path, name: str) -> None:
    """Remove what killed runs of this machine have left behind; on a shared disk another machine's run may be
    working.
    """
    for left in parent.glob(f".{glob.escape(name)}.{glob.escape(_host())}.*.tmp"):
        pid = left.name.split(".")[-2]
        if pid.isdigit() and not Path(f"/proc/{pid}").exists():
            shutil.rmtree(left, ignore_errors=True)


def _host() -> str:
    """The machine's name as a part of a file's."""
    return re.sub(r"[^A-Za-z0-9-]", "-", platform.node()) or "host"


def _free(out: Path) -> None:
    """Raises UsageError where something stands in the output's place that is not an earlier run."""
    if out.is_file() or (out.exists() and not (out / "summary.json").is_file() and any(out.iterdir())):
        message = f"{out}: not empty and not an earlier run; give another --out"
        raise UsageError(message)


def _move(made: Path, out: Path) -> None:
    """Put the finished folder in place of an earlier one."""
    _free(out)
    mark = f"{_host()}.{os.getpid()}"
    old, new = out.with_name(f".{out.name}.{mark}.old"), out.with_name(f".{out.name}.{mark}.new")
    shutil.rmtree(old, ignore_errors=True)
    with leftovers.kept(new):
        try:
            # Intermediate data may lie on another disk: only what lies beside its place can be put there at
            # once.
            shutil.move(made, new)
            if out.exists():
                out.rename(old)
            new.rename(out)
        except OSError as error:
            shutil.rmtree(new, ignore_errors=True)
            if old.exists() and not out.exists():
                old.rename(out)
            shutil.rmtree(old, ignore_errors=True)
            message = (
                f"{out}: the results could not be put in place ({error.strerror or error}); did "
                "another run end there?"
            )
            raise InputError(message) from None
    shutil.rmtree(old, ignore_errors=True)
