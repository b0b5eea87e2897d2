"""`check` of two dumps in one process and in two: wall and CPU time, medians, and the ratio of the wall
times.

    python benchmarks/jobs.py [TABLES [ROUNDS]]

10,000 tables of 21 columns on each side without a number; one table in fifty differs. `alike`: the other
tables have the same text on both sides, and are read once in one process; `unlike`: none has, as in dumps of
two server versions. Two processors without other work are needed for the ratios to mean something.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from startup import COLUMNS, definition, measure


def main() -> None:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    changed = COLUMNS.replace("`c0` int", "`c0` bigint")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        new = [definition(n, COLUMNS if n % 50 else changed) for n in range(tables)]
        (folder / "old.sql").write_text("".join(definition(n) for n in range(tables)))
        (folder / "alike.sql").write_text("".join(new))
        (folder / "unlike.sql").write_text("".join(new).replace("` int ", "` int(11) "))
        command = ["-m", "schemacheck", "check", "--no-config", "--source-version", "8.0.36", "old.sql"]
        runs = {
            f"{kind:6} --jobs {jobs}": [*command, f"{kind}.sql", "--jobs", str(jobs)]
            for kind in ("alike", "unlike")
            for jobs in (1, 2)
        }
        found = measure(runs, rounds, folder)
    for label, (wall, cpu) in found.items():
        print(f"{label}  {wall:6.2f} s wall  {cpu:6.2f} s cpu  {2 * tables / wall:6,.0f} tables/s")
    for kind in ("alike", "unlike"):
        print(
            f"{kind:6} ratio of wall times: "
            f"{found[f'{kind:6} --jobs 1'][0] / found[f'{kind:6} --jobs 2'][0]:.2f}"
        )


if __name__ == "__main__":
    main()
