"""Rows of PARTITIONS in a fleet's dumps say of a partitioned table what `check` says of it."""

from __future__ import annotations

from pathlib import Path

import fleets
import pytest

from schemacheck.fleet import definition, dump, snapshots, topology
from schemacheck.model import Server
from schemacheck.model.partitioning import UNKNOWN

SERVER = Server.parse("mysql-8.0.36")
COLUMNS = ["TABLE_SCHEMA", "TABLE_NAME", "COLUMN_NAME", "ORDINAL_POSITION", "IS_NULLABLE", "COLUMN_TYPE",
           "COLUMN_KEY", "COLUMN_DEFAULT", "EXTRA", "COLLATION_NAME"]  # fmt: skip
TABLES = ["TABLE_SCHEMA", "TABLE_NAME", "TABLE_TYPE", "ENGINE", "CREATE_OPTIONS"]
PARTITIONS = [
    "TABLE_SCHEMA", "TABLE_NAME", "PARTITION_NAME", "SUBPARTITION_NAME", "PARTITION_ORDINAL_POSITION",
    "SUBPARTITION_ORDINAL_POSITION", "PARTITION_METHOD", "SUBPARTITION_METHOD", "PARTITION_EXPRESSION",
    "SUBPARTITION_EXPRESSION", "PARTITION_DESCRIPTION",
]  # fmt: skip
#: Each table's rows behind its names, from PARTITION_NAME on.
PARTS = {
    "plain": ["NULL\t" * 8 + "NULL"],
    "by_range": [
        f"p{n}\tNULL\t{n}\tNULL\tRANGE\tNULL\t`id`\tNULL\t{bound}"
        for n, bound in ((2, "MAXVALUE"), (1, "100"))
    ],
    "by_list": [r"p1	NULL	1	NULL	LIST COLUMNS	NULL	`name`	NULL	'a\\nb','c'"],
    "by_hash": [f"p{n}\tNULL\t{n + 1}\tNULL\tHASH\tNULL\t`id`\tNULL\tNULL" for n in range(3)],
    "below": [f"p{n}\tp{n}s{m}\t{n}\t{m}\tRANGE\tHASH\t`id`\t`id`\t{n}00" for n in (1, 2) for m in (1, 2)],
    "odd": ["p1\tNULL\t1\tNULL\tNO METHOD\tNULL\t`id`\tNULL\tNULL"],
    "untold": [],
}


def instance(home: Path, parts: dict[str, list[str]], *, view: bool = True, plain: str = "") -> None:
    home.mkdir(parents=True)
    names = sorted(parts)
    called = {name: "" if name in ("plain", plain) else "partitioned" for name in names}
    views = {
        "columns": [COLUMNS]
        + [["d", n, c, str(at), "NO", kind, "PRI", "NULL", "", "NULL"]
           for n in names for at, (c, kind) in enumerate((("id", "int"), ("name", "varbinary(9)")), 1)],
        "tables": [TABLES, *(["d", name, "BASE TABLE", "InnoDB", called[name]] for name in names)],
        "partitions": [PARTITIONS, *(["d", name, row] for name in names for row in parts[name])],
    }  # fmt: skip
    for name in views if view else ("columns", "tables"):
        (home / f"{name}.tsv").write_text("".join("\t".join(row) + "\n" for row in views[name]))


def fleet(folder: Path, replica: str = "mysql-8.0.36") -> Path:
    (folder / "fleet.yaml").write_text(
        f"snapshots: snapshots\ndefaults: {{server: mysql-8.0.36}}\ninstances: {{b: {{server: {replica}}}}}\n"
        "links: [{source: a, replica: b}]\n"
    )
    return folder / "fleet.yaml"


@pytest.mark.parametrize("replica", ["mysql-8.0.36", "mariadb-10.11.8"])
@pytest.mark.parametrize("other", ["same", "moved", "without", "called plain"])
def test_partitions_are_read_as_check_reads_them(tmp_path: Path, other: str, replica: str) -> None:
    instance(tmp_path / "snapshots" / "a", PARTS)
    moved = {name: [row.replace("100", "50") for row in some] for name, some in PARTS.items()}
    theirs = moved if other == "moved" else PARTS
    plain = "by_hash" if other == "called plain" else ""
    instance(tmp_path / "snapshots" / "b", theirs, view=other != "without", plain=plain)
    path = fleet(tmp_path, replica)
    found = fleets.of_job(*fleets.of_task(path)[:2])
    assert found == fleets.pair_by_pair(path)
    verdicts = {key[-1]: value[1] for key, value in found.items()}
    assert {verdicts[name] for name in ("odd", "below", "untold")} == {"unknown"}
    if other == "same" and replica.startswith("mysql"):
        assert {name for name, verdict in verdicts.items() if verdict == "identical"} == {
            "plain", "by_range", "by_list", "by_hash"
        }  # fmt: skip


def test_a_partitioned_table_is_the_one_that_its_rows_say(tmp_path: Path) -> None:
    instance(tmp_path / "a", PARTS)
    (found,) = snapshots.find(topology.Topology({}, (), (str(tmp_path),)), ())
    known = dump.read("a", [(found, {})], SERVER)
    assert all(problem.skipped for problem in known.problems)
    made = {
        table.table: one.partitioning
        for table, one in zip(
            known.tables.values(),
            definition.tables([one.text for one in known.tables.values()], SERVER),
            strict=True,
        )
    }
    assert made["plain"] is None
    assert made["untold"] == made["odd"] == made["below"] == UNKNOWN
    assert made["by_range"].index("p1") < made["by_range"].index("p2")
    assert r"'a\nb'" in made["by_list"]
    assert all(made[name] not in (None, UNKNOWN) for name in ("by_range", "by_list", "by_hash"))
