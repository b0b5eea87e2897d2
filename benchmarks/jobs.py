"""`check` of two dumps in one process and in two: wall and CPU time, medians, and the ratio of the wall times.

    python benchmarks/jobs.py [TABLES [ROUNDS]]

10,000 tables of 21 columns on each side without a number; one table in fifty differs. Two processors without other
work are needed for the ratio to mean something.
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
        (folder / "old.sql").write_text("".join(definition(n) for n in range(tables)))
        (folder / "new.sql").write_text("".join(definition(n, COLUMNS if n % 50 else changed) for n in range(tables)))
        command = ["-m", "schemacheck", "check", "old.sql", "new.sql", "--no-config", "--source-version", "8.0.36", "--jobs"]
        found = measure({f"--jobs {jobs}": [*command, str(jobs)] for jobs in (1, 2)}, rounds, folder)
    for label, (wall, cpu) in found.items():
        print(f"{label}  {wall:6.2f} s wall  {cpu:6.2f} s cpu  {2 * tables / wall:6,.0f} tables/s")
    print(f"ratio of wall times: {found['--jobs 1'][0] / found['--jobs 2'][0]:.2f}")


if __name__ == "__main__":
    main()
