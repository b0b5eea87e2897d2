"""A dump that is cut into parts says what the whole one says."""

from __future__ import annotations

import json
import random
from pathlib import Path

import fleets
import pytest
from test_partitions import PARTS, fleet, instance

from schemacheck.fleet import dump_file, group, part, profiles, snapshots, topology

HEADING = ("TABLE_CATALOG", "TABLE_SCHEMA", "TABLE_NAME", "COLUMN_NAME")
NAMES = ["t", "T", "order\\tline", "x_1", "y", "", "Ω"]


def told(path: Path, buckets: int) -> tuple[dict, list[str]]:
    tables, findings, problems, _ = fleets.of_task(path, buckets=buckets)
    assert len(tables) == len({row["pair"] for row in tables})
    return fleets.of_job(tables, findings), sorted(problems)


def broken(path: Path) -> Path:
    """Lines that are no rows, the server's own tables, and a dump that was put behind another."""
    columns = path.parent / "snapshots" / "a" / "columns.tsv"
    text = columns.read_text("utf-8")
    heading, row = text.splitlines()[:2]
    system = row.replace("\tapp\t", "\tmysql\t")
    columns.write_text("\n".join((text, "app\tshort", heading, system, row + "\tmore\r", "", row)) + "\n")
    keys = path.parent / "snapshots" / "a" / "statistics.tsv"
    names = ["TABLE_SCHEMA", "TABLE_NAME", "INDEX_NAME", "SEQ_IN_INDEX", "NON_UNIQUE", "COLUMN_NAME"]
    rows = [["app", "nobody", "k", "1", "1", "x"], ["elsewhere", "nobody", "k", "1", "1", "x"]]
    keys.write_text("".join("\t".join(one) + "\n" for one in (names, *rows)))
    return path


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("harm", [False, True])
def test_parts_together_are_the_whole(tmp_path: Path, seed: int, *, harm: bool) -> None:
    path = fleets.small(tmp_path / "fleet", seed)
    whole = told(broken(path) if harm else path, 1)
    assert bool(whole[1]) is harm
    for buckets in (2, 7):
        assert told(path, buckets) == whole
    assert whole[0] == fleets.pair_by_pair(path) or harm


def test_so_are_those_of_tables_that_hang_on_others(tmp_path: Path) -> None:
    path = fleets.around(tmp_path / "fleet")
    assert told(path, 3) == told(path, 1)
    instance(tmp_path / "snapshots" / "a", PARTS)
    instance(tmp_path / "snapshots" / "b", {**PARTS, "by_range": PARTS["by_range"][:1]})
    assert told(fleet(tmp_path), 2) == told(fleet(tmp_path), 1)


def test_a_dump_of_the_servers_own_tables_alone_is_no_pass(tmp_path: Path) -> None:
    path = fleets.small(tmp_path / "fleet", 1)
    for file in (path.parent / "snapshots").rglob("*.tsv"):
        file.write_text(file.read_text("utf-8").replace("\tapp\t", "\tmysql\t"))
    for buckets in (1, 2):
        problems = [json.loads(one) for one in told(path, buckets)[1]]
        assert {one["instance"] for one in problems if not one["skipped"]} == {"a", "b", "c"}
        assert {one["code"] for one in problems if not one["skipped"]} == {"SC003"}


def test_every_line_is_in_its_part_where_it_was(tmp_path: Path) -> None:
    rng = random.Random(5)
    rows = [["def", rng.choice(("d", "e", "mysql")), rng.choice(NAMES), f"c{n}"] for n in range(300)]
    rows = [row[: rng.choice((2, *[4] * 20))] for row in rows] + [[""]]
    for end in ("", "\n", "\r\n"):
        data = "\n".join("\t".join(row) for row in ([*HEADING], *rows)).encode() + end.encode()
        cut = part.lines(data, HEADING, 3, range(3))
        assert [part.lines(data, HEADING, 3, (n,)) for n in range(3)] == [[one] for one in cut]
        given = data.split(b"\n")
        seen: set[str] = set()
        for line, *found in zip(given, *(one.split(b"\n") for one in cut), strict=True):
            fields = line.decode().rstrip("\r").split("\t")
            name = dump_file.unescaped(fields[2]) if len(fields) > 2 else ""
            number = part.bucket_of(name, 3)
            assert found[number] == line
            assert set(found) <= {b"", line}
            if line != given[0] and (not name or fields[1:2] == ["mysql"] or not {*fields[1:2]} <= seen):
                assert found == [line] * 3
            seen.update(fields[1:2] if line != given[0] else ())
        # Of a line that is whole and of one table, two parts have nothing.
        assert sum(map(len, cut)) < 2.2 * len(data)


def test_large_dumps_of_lines_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = fleets.small(tmp_path / "fleet", 1)
    whole = topology.read(path)
    dumps = snapshots.find(whole, ())
    (one,) = group.plan(whole, profiles.resolve(whole, dumps), dumps)
    assert one.buckets(8) == 1
    monkeypatch.setattr(group, "LIMIT", 1 << 14)
    assert 1 < one.buckets(8) <= 8
    assert one.buckets(2) == 2
    (tmp_path / "fleet" / "snapshots" / "a" / "more.sql").write_text("CREATE TABLE t (a INT);")
    dumps = snapshots.find(whole, ())
    assert [one.buckets(8) for one in group.plan(whole, profiles.resolve(whole, dumps), dumps)] == [1] * len(
        group.plan(whole, profiles.resolve(whole, dumps), dumps)
    )
