"""How long small commands take, against what cannot be avoided: `python -c pass` and `import sqlglot`.

    python benchmarks/startup.py [ROUNDS]

Prints medians of wall and CPU time, and ratios of one interleaved run: single figures of a shared
machine mean little, ratios do. Wanted: `--help` at most 5x `python -c pass` and 0.15 s of CPU;
`check a.sql b.sql` at most 1.5x `python -c 'import sqlglot'` of the same installation;
1,000 tables with two changed ones in under 3 s.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TABLE = """CREATE TABLE `shop`.`orders{n}` (
  `id` bigint unsigned NOT NULL AUTO_INCREMENT,
{columns}
  `created` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  PRIMARY KEY (`id`),
  KEY `by_created` (`created`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
"""
COLUMNS = "".join(
    f"  `c{n}` {('int', 'varchar(40)', 'decimal(12,2)')[n % 3]} DEFAULT NULL,\n" for n in range(18)
).rstrip("\n")


def definition(number: int | str = "", columns: str = COLUMNS) -> str:
    return TABLE.format(n=number, columns=columns)


def measure(commands: dict[str, list[str]], rounds: int, folder: Path) -> dict[str, tuple[float, float]]:
    """Median wall and CPU seconds of each command, all commands once per round."""
    wall: dict[str, list[float]] = {name: [] for name in commands}
    cpu: dict[str, list[float]] = {name: [] for name in commands}
    # Byte code is there, as after an installation: the first round writes it and does not count.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for counted in range(rounds + 1):
        for name, arguments in commands.items():
            before, began = os.times(), time.perf_counter()
            done = subprocess.run(
                [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, check=False
            )
            after = os.times()
            if counted:
                wall[name].append(time.perf_counter() - began)
                cpu[name].append(
                    after.children_user
                    + after.children_system
                    - before.children_user
                    - before.children_system
                )
            if done.returncode not in (0, 1):
                sys.exit(f"{name}: {done.stderr.decode()}")
    return {name: (statistics.median(wall[name]), statistics.median(cpu[name])) for name in commands}


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "a.sql").write_text(definition())
        (folder / "b.sql").write_text(definition(columns=COLUMNS.replace("`c0` int", "`c0` bigint")))
        (folder / "old.sql").write_text("".join(definition(n) for n in range(1000)))
        changed = COLUMNS.replace("`c0` int", "`c0` bigint")
        (folder / "new.sql").write_text(
            "".join(definition(n, changed if n in (17, 640) else COLUMNS) for n in range(1000))
        )
        small = measure(
            {
                "python -c pass": ["-c", "pass"],
                "import sqlglot": ["-c", "import sqlglot"],
                "import schemacheck": ["-c", "import schemacheck"],
                "schemacheck --help": ["-m", "schemacheck", "--help"],
                "schemacheck check a.sql b.sql": [
                    "-m",
                    "schemacheck",
                    "check",
                    "a.sql",
                    "b.sql",
                    "--source-version",
                    "8.0.36",
                ],
            },
            rounds,
            folder,
        )
        large = measure(
            {
                "check, 1,000 tables": [
                    "-m",
                    "schemacheck",
                    "check",
                    "old.sql",
                    "new.sql",
                    "--source-version",
                    "8.0.36",
                ]
            },
            max(3, rounds // 5),
            folder,
        )
    for label, (wall, cpu) in {**small, **large}.items():
        print(f"{label:32} {wall * 1000:8.1f} ms wall {cpu * 1000:8.1f} ms cpu")
    print(
        f"--help / python -c pass:  {small['schemacheck --help'][0] / small['python -c pass'][0]:.2f} "
        "(wanted: at most 5)"
    )
    print(
        "check / import sqlglot:   "
        f"{small['schemacheck check a.sql b.sql'][0] / small['import sqlglot'][0]:.2f} (wanted: at most 1.5)"
    )


if __name__ == "__main__":
    main()
