"""How fast logs are read: a 1 GB row-format log out of a real file's events, checked and listed.

    python benchmarks/binlog.py [--mb 1024] [--log NAME.binlog] [--mysqlbinlog COMMAND]

Two logs are made: `bulk` has statements of many rows, 8 kB of 100-byte rows an event as servers
cut them; `oltp` has transactions of one row (GTID, BEGIN, table map, rows, commit). Each step runs
in a process of its own, whose peak memory is printed beside its speed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shlex
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from schemacheck.binlog.decoder import decode
from schemacheck.binlog.events.control import FormatDescription
from schemacheck.binlog.events.gtid import Gtid
from schemacheck.binlog.events.statement import Query, Xid

DEFAULT = Path(__file__).parent.parent / "tests" / "binlog" / "data" / "mysql-9.7-gtid.binlog.gz"
ROW = 100


def rewritten(raw: bytes) -> bytes:
    """The event with its size set; checksums are off in the logs that are made."""
    return raw[:9] + len(raw).to_bytes(4, "little") + raw[13:]


def parts(log: bytes) -> dict[str, bytes]:
    """Description, GTID, BEGIN and commit of a real file, without checksums."""
    found: dict[str, bytes] = {}
    names = {FormatDescription: "description", Gtid: "gtid", Xid: "commit"}
    for event in decode(log):
        header = event.header
        raw = log[header.position : header.end]
        name = names.get(type(event)) or (
            "begin" if isinstance(event, Query) and event.query == "BEGIN" else ""
        )
        if name == "description":
            raw = raw[:-5] + b"\0" + raw[-4:]
        elif header.checksum is not None:
            raw = raw[:-4]
        if name and name not in found:
            found[name] = rewritten(raw)
    return found


def table_map(real: bytes) -> bytes:
    """A table of a row of 100 bytes: INT, INT, BIGINT, VARCHAR(90)."""
    body = (
        struct.pack("<IHH", 77, 0, 1)
        + b"\x05bench\0\x01t\0"
        + b"\x04\x03\x03\x08\x0f"
        + b"\x02\x5a\x00"
        + b"\x0e"
    )
    return rewritten(real[:4] + bytes([19]) + real[5:19] + body)


def rows(real: bytes, count: int) -> bytes:
    row = b"\0" + struct.pack("<IIQ", 7, 8, 9) + bytes([ROW - 18]) + b"x" * (ROW - 18)
    return rewritten(
        real[:4] + bytes([30]) + real[5:19] + struct.pack("<IHHH", 77, 0, 1, 2) + b"\x04\x0f" + row * count
    )


def make(path: Path, kind: str, size: int, log: bytes) -> int:
    """Write a log of about `size` bytes; the number of its events."""
    p = parts(log)
    real = p["begin"]
    per_statement = 81 if kind == "bulk" else 1
    statements = 40 if kind == "bulk" else 1
    transaction = (
        p["gtid"] + p["begin"] + (table_map(real) + rows(real, per_statement)) * statements + p["commit"]
    )
    repeat = max(1, (size - 200) // len(transaction))
    batch = transaction * max(1, (1 << 20) // len(transaction))
    with path.open("wb") as out:
        out.write(b"\xfebin" + p["description"])
        written = 0
        while written < repeat * len(transaction):
            out.write(batch)
            written += len(batch)
    return 1 + written // len(transaction) * (3 + 2 * statements)


def check(path: str, setting: str) -> None:
    from schemacheck import catalog
    from schemacheck.applier import LogCheck, check_logs
    from schemacheck.model import Link

    link = Link.of("mysql-9.7")
    kind = "INT" if setting == "same" else "INT UNSIGNED"
    replica = catalog.read(
        f"CREATE TABLE t (a INT, b {kind}, c BIGINT, d VARCHAR(90) CHARACTER SET latin1)",
        link.replica,
        database="bench",
    )
    report = check_logs([path], lambda _: LogCheck(replica, link), verify=False)
    print(json.dumps({"events": report.events, "verdict": report.verdict.value}))


def events(path: str, form: str) -> None:
    from schemacheck.binlog.listing import event_lines

    with open("/dev/null", "w") as out:  # noqa: PTH123
        out.writelines(line + "\n" for line in event_lines([path], form=form, rows=False, verify=False))


def step(words: list[str]) -> tuple[float, float, float]:
    """Seconds, seconds of processor time and peak megabytes of a process."""
    began = time.perf_counter()
    code = (
        "import subprocess,resource,sys\n"
        "r = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)\n"
        "u = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(u.ru_maxrss / 1024, u.ru_utime + u.ru_stime)\n"
        "sys.exit(r.returncode)"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    peak, processor = map(float, done.stdout.split())
    return time.perf_counter() - began, processor, peak


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mb", type=int, default=1024)
    parser.add_argument(
        "--log", type=Path, default=DEFAULT, help="a MySQL log with GTID, BEGIN and Xid events"
    )
    parser.add_argument("--folder", type=Path, help="where the logs are made (default: a temporary one)")
    parser.add_argument(
        "--mysqlbinlog", help="the vendor's tool, as a command to which the file's name is added"
    )
    parser.add_argument("--only", choices=("bulk", "oltp"))
    parser.add_argument("step", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        {"check": check, "events": events}[options.step[0]](*options.step[1:])
        return
    raw = options.log.read_bytes()
    raw = gzip.decompress(raw) if options.log.suffix == ".gz" else raw
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        for kind in ("bulk", "oltp"):
            if options.only not in (None, kind):
                continue
            path = Path(folder) / f"{kind}.binlog"
            count = make(path, kind, options.mb << 20, raw)
            size = path.stat().st_size / (1 << 20)
            print(f"{kind}: {size:.0f} MB, {count} events")
            me = [sys.executable, __file__]
            steps = {
                "check": [*me, "check", str(path), "same"],
                "list text": [*me, "events", str(path), "text"],
                "list jsonl": [*me, "events", str(path), "jsonl"],
            }
            if options.mysqlbinlog:
                steps["mysqlbinlog"] = [*shlex.split(options.mysqlbinlog), str(path)]
            for name, words in steps.items():
                seconds, processor, peak = step(words)
                print(
                    f"  {name:12} {seconds:7.2f} s ({processor:.2f} s of one core) {size / seconds:6.0f} "
                    f"MB/s {count / seconds:9.0f} events/s  peak {peak:.0f} MB",
                    flush=True,
                )
            path.unlink()


if __name__ == "__main__":
    main()
