"""The fleet job against its floor: `python benchmarks/fleet.py --pairs 1000 10000 --kind diverse sharded
--format tsv parquet`.

For every fleet, in one run: DuckDB's bare scan and join of the same files on (database, table, column) (the
floor), plain Python pair by pair (`open_schema` and `check_pair`), and `schemacheck fleet` on Sail and on
Apache Spark, start to report. Each is a process of its own, sampled five times a second: wall and CPU seconds
and peak memory of its whole process tree. `spark-warm` runs twice on one engine: `job` in what
it tells is the second run; `spark-url` reads by Spark's own file systems (a file:// address), `spark-one`
and `sail-one` have one core. `sail-unchanged` and `sail-nightly` (or `spark-`) come after `sail`: runs of the
next night, with that one's as `--previous`, in which no dump has changed, or only TABLES' estimates have (the
dumps are read again). Prints one JSON line per measurement.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

_FLOOR = """
import duckdb, sys
folder, form = sys.argv[1:3]
read = ("read_csv('%s', delim='\\t', quote='', escape='', header=true, all_varchar=true, filename=true)" if form == "tsv" else "read_parquet('%s', filename=true)")
con = duckdb.connect()
con.execute("set enable_progress_bar=false")
sides = [read % f"{folder}/snapshots/*{end}/columns.{form}" for end in "ab"]
print(con.execute(f'''select count(*), count(*) filter (where s.COLUMN_TYPE <> r.COLUMN_TYPE) from
  (select *, regexp_extract(filename, '(db[0-9]+)[ab]/', 1) as k from {sides[0]}) s join (select *, regexp_extract(filename, '(db[0-9]+)[ab]/', 1) as k from {sides[1]}) r
  on s.k = r.k and s.TABLE_SCHEMA = r.TABLE_SCHEMA and s.TABLE_NAME = r.TABLE_NAME and s.COLUMN_NAME = r.COLUMN_NAME''').fetchone())
"""  # noqa: E501
_PLAIN = """
import sys
from pathlib import Path
from schemacheck import engine
from schemacheck.fleet import profiles, snapshots, topology
from schemacheck.inputs import open_schema
fleet = topology.read(Path(sys.argv[1]) / "fleet.yaml")
dumps = snapshots.find(fleet, ())
resolved = profiles.resolve(fleet, dumps)
places = {d.instance: next(f.path for f in d.native if f.view == "columns") for d in dumps}
verdicts = {}
for link in fleet.links:
    profile = resolved.links[resolved.of[link.number]]
    theirs = {(t.database, t.name): t for t in open_schema(places[link.replica], server=profile.replica).tables}
    for table in open_schema(places[link.source], server=profile.source).tables:
        verdict = engine.check_pair(table, theirs.get((table.database, table.name)), profile).verdict.value
        verdicts[verdict] = verdicts.get(verdict, 0) + 1
print(verdicts)
"""  # noqa: E501
_JOB = """
import gc, json, sys, time
from pathlib import Path
from schemacheck.fleet.job import Options
from schemacheck.fleet.run import run
folder, name, out, before = sys.argv[1:5]
name, _, how = name.partition("-")
if how == "warm":
    # A run before the one that is measured, on the same engine.
    from dataclasses import replace
    from schemacheck.fleet import session
    engine = session.start(name, size=sum(p.stat().st_size for p in Path(folder).rglob("*.*")))
    session.start = lambda *_, **__: replace(engine, stop=lambda: None)
    run(Options(Path(folder) / "fleet.yaml", out, engine=name), lambda _: None)
stages, last = [], time.monotonic()
began = last
def say(text):
    global last
    now = time.monotonic(); stages.append((text, now)); last = now
places = [(Path(folder) / "snapshots").absolute().as_uri()] if how == "url" else ()
cores = 1 if how == "one" else None
made = run(Options(Path(folder) / "fleet.yaml", out, places, engine=name, cores=cores, previous=before or None), say)
end = time.monotonic()
spans = {text: round(after - at, 2) for (text, at), after in zip(stages, [at for _, at in stages[1:]] + [end])}
print(json.dumps({"verdicts": {k: v for k, v in made["verdicts"].items() if v}, "stages": spans, "job": round(end - began, 2), "decisions": made["decisions"], "by_hash": made["decided_by"].get("hash", 0)}))
gc.freeze()  # as the command ends (`schemacheck.__main__`)
"""  # noqa: E501


def measure(code: str, *arguments: str) -> dict[str, object]:
    """Run it in a process of its own; what it cost, and its last line."""
    started = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    root = psutil.Process(process.pid)
    cpu: dict[int, float] = {}
    peak = 0
    while process.poll() is None:
        total = 0
        try:
            for one in (root, *root.children(recursive=True)):
                try:
                    times = one.cpu_times()
                    cpu[one.pid] = times.user + times.system
                    total += one.memory_info().rss
                except psutil.NoSuchProcess:
                    continue
        except psutil.NoSuchProcess:
            break
        peak = max(peak, total)
        time.sleep(0.2 if time.monotonic() - started > 2 else 0.02)
    text, errors = process.communicate()
    last = text.strip().splitlines()[-1] if text.strip() else errors.strip()[-300:]
    return {
        "wall": round(time.monotonic() - started, 2),
        "cpu": round(sum(cpu.values()), 2),
        "peak_mb": peak >> 20,
        "ok": process.returncode == 0,
        "told": last,
    }


def next_night(folder: Path) -> Path:
    """The same fleet a night later: every table has grown, none is another one."""
    made = folder.with_name(folder.name + "-nightly")
    for home in sorted((folder / "snapshots").iterdir()) if not made.exists() else ():
        other = made / "snapshots" / home.name
        other.mkdir(parents=True)
        for path in home.iterdir():
            if path.name != "tables.tsv":
                (other / path.name).symlink_to(path)
                continue
            heading, *lines = path.read_text("utf-8").splitlines()
            at = heading.split("\t").index("TABLE_ROWS")
            rows = [line.split("\t") for line in lines]
            grown = ["\t".join((*row[:at], row[at] + "1", *row[at + 1 :])) for row in rows]
            (other / path.name).write_text("\n".join((heading, *grown)) + "\n", "utf-8")
    text = (folder / "fleet.yaml").read_text("utf-8")
    (made / "fleet.yaml").write_text(text, "utf-8")
    return made


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, nargs="+", default=[1000, 10000])
    parser.add_argument("--kind", nargs="+", default=["diverse", "sharded"])
    parser.add_argument("--format", nargs="+", default=["tsv"])
    parser.add_argument("--what", nargs="+", default=["duckdb", "python", "sail", "spark"])
    parser.add_argument(
        "--keep", type=Path, help="where fleets are made and kept (default: a temporary folder)"
    )
    chosen = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parent))
    import fleet_generate

    with tempfile.TemporaryDirectory(prefix="schemacheck-fleet-") as name:
        root = chosen.keep or Path(name)
        for pairs in chosen.pairs:
            for kind in chosen.kind:
                for form in chosen.format:
                    folder = root / f"{kind}-{pairs}-{form}"
                    if not (folder / "fleet.yaml").is_file():
                        fleet_generate.generate(folder, pairs, kind, form)
                    for what in chosen.what:
                        load = psutil.getloadavg()[0]
                        if what == "duckdb":
                            told = measure(_FLOOR, str(folder), form)
                        elif what == "python":
                            told = measure(_PLAIN, str(folder))
                        else:
                            engine, _, how = what.partition("-")
                            of = next_night(folder) if how == "nightly" else folder
                            again = how in ("unchanged", "nightly")
                            before = str(Path(name) / engine) if again else ""
                            out = Path(name) / (what if again else engine)
                            told = measure(_JOB, str(of), what, str(out), before)
                        sys.stdout.write(
                            json.dumps(
                                {
                                    "pairs": pairs,
                                    "kind": kind,
                                    "format": form,
                                    "what": what,
                                    "load": round(load, 1),
                                    **told,
                                }
                            )
                            + "\n"
                        )
                        sys.stdout.flush()


if __name__ == "__main__":
    main()
