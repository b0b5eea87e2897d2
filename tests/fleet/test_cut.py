"""What is answered about definitions that were cut down is what is answered about the whole tables."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import fleets
import pytest
import random_fleets
from random_fleets import generator

from schemacheck.fleet import cut

#: Ends and settings of links: one version, later and earlier ones, what keeps tables from being cut.
_LINKS = (
    ("mysql-8.0.36", "mysql-8.0.36", "{}"),
    ("mysql-9.7.4", "mysql-9.7.4", "{slave_type_conversions: 'ALL_LOSSY,ALL_NON_LOSSY'}"),
    ("mariadb-11.8.6", "mariadb-11.8.6", "{slave_type_conversions: ALL_NON_LOSSY}"),
    ("mysql-5.7.44", "mysql-8.4.9", "{slave_type_conversions: ALL_NON_LOSSY}"),
    ("mysql-8.0.36", "mysql-5.7.44", "{slave_type_conversions: ALL_LOSSY}"),
    ("mysql-5.6.51", "mysql-5.7.44", "{}"),
    ("mysql-8.4.9", "mariadb-11.8.6", "{slave_exec_mode: IDEMPOTENT}"),
    ("mariadb-11.8.6", "mariadb-10.6.22", "{slave_type_conversions: 'ALL_LOSSY,ALL_NON_LOSSY'}"),
    ("mariadb-10.11.19", "mariadb-11.8.6", "{slave_exec_mode: IDEMPOTENT}"),
    ("mariadb-10.3.39", "mysql-8.0.36", "{}"),
    ("mysql-8.0.36", "mysql-8.0.36", "{binlog_row_image: MINIMAL}"),
    ("mysql-8.0.36", "mysql-9.7.4", "{binlog_format: MIXED}"),
)


def fleet(folder: Path, seed: int, tables: int) -> Path:
    """Two dumps whose tables differ in one column or a few, and links of many kinds between them."""
    rng, drift = random.Random(seed), Counter[str]()
    writer = generator.Writer(folder, "tsv")
    ours = [generator.any_table(rng) for _ in range(tables)]
    theirs = [generator.drifted(rng, table, rng.choice((0.02, 0.1, 0.3)), drift) for table in ours]
    writer.write("a", "app", ours, rng)
    writer.write("b", "app", theirs, rng)
    instances, links = [], []
    for number, (source, replica, settings) in enumerate(_LINKS):
        for end, server, dump in (("s", source, "a"), ("r", replica, "b")):
            place = (folder / "snapshots" / dump).as_posix()
            instances.append(f"  {end}{number}: {{server: {server}, snapshot: {place}}}\n")
        links.append(f"  - {{source: s{number}, replica: r{number}, settings: {settings}}}\n")
    path = folder / "fleet.yaml"
    path.write_text(f"instances:\n{''.join(instances)}links:\n{''.join(links)}", "utf-8")
    return path


def answers(path: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """All tables and findings, without the key of the answer."""
    tables, findings, _, _ = fleets.of_task(path)
    return tables, [{name: value for name, value in row.items() if name != "decision"} for row in findings]


def test_composed_answers_are_those_about_whole_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = fleet(tmp_path, 1, 50)
    tables, findings = answers(path)
    asked = Counter(row["profile"] for row in tables if row["decided_by"] == "engine")
    with monkeypatch.context() as patch:
        patch.setattr(cut, "of", lambda *_, **__: [])
        whole, wanted = answers(path)
    shared = {row["pair"] for row in tables} - {
        row["pair"] for row in tables if row["decision"] in {other["decision"] for other in whole}
    }
    assert len(shared) > 0.3 * sum(asked.values())
    assert len({row["code"] for row in findings}) > 10
    mine = [{name: row[name] for name in row if name != "decision"} for row in tables]
    assert mine == [{name: row[name] for name in row if name != "decision"} for row in whole]
    assert findings == wanted


@pytest.mark.parametrize("seed", range(900, 903))
def test_random_fleets(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    path = random_fleets.write(tmp_path, seed, tables=14)
    _, findings = answers(path)
    monkeypatch.setattr(cut, "of", lambda *_, **__: [])
    assert findings == answers(path)[1]
