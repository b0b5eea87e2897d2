"""Everything that real servers were seen to do with differing definitions, held against the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemacheck.model import Link
from tests.facts.definitions import judge, judge_file, read_facts, server_of, settings_of

DATA = Path(__file__).parent / "data"

#: Cases per file: a fact that gets lost is a failure too.
EXPECTED = {
    "definitions": 186_153,
    "pairs": 62_425,
    "random": 25_790,
    "asked": 117,
    "reviewed": 18_856,
    "foreign_keys": 608,
    "statements": 370,
}


@pytest.mark.parametrize("name", EXPECTED)
def test_engine_agrees_with_every_recorded_fact(name: str) -> None:
    lines: list[str] = []
    counts = judge_file(DATA / f"{name}.jsonl.xz", show=5, out=lines.append)
    assert counts == counts | {
        "agreed": EXPECTED[name],
        "facts": EXPECTED[name],
        "false_safe": 0,
        "false_alarm": 0,
        "unknown": 0,
        "wrong": 0,
    }, "\n".join(lines)


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (
            {
                "outcome": "error",
                "errno": 1677,
                "message": "Column 0 of table 'test.t' cannot be converted from type 'int' to type 'bigint(20)'",
            },
            "agreed",
        ),
        (
            {
                "outcome": "error",
                "errno": 1677,
                "message": "Column 1 of table 'test.t' cannot be converted from type 'int' to type 'bigint(20)'",
            },
            "wrong",
        ),
        ({"outcome": "error", "errno": 1032, "message": "Can't find record"}, "wrong"),
        ({"outcome": "applied", "preserved": "exact"}, "false_alarm"),
        ({"outcome": "ddl_refused"}, "skipped"),
    ],
)
def test_judge_tells_agreement_from_each_kind_of_disagreement(
    outcome: dict[str, object], verdict: str
) -> None:
    header = {"server": "mysql-5.6", "source_version": "5.6.24", "replica_version": "5.6.24"}
    case = {
        "id": "x",
        "source_ddl": "CREATE TABLE t (c int)",
        "replica_ddl": "CREATE TABLE t (c bigint)",
        "modes": "",
    }
    assert judge(case | outcome, header).verdict == verdict


def test_judge_calls_a_pass_of_a_changed_value_false_safe() -> None:
    header = {"server": "mysql-5.6", "source_version": "5.6.24", "replica_version": "5.6.24"}
    case = {
        "id": "x",
        "source_ddl": "CREATE TABLE t (c int)",
        "replica_ddl": "CREATE TABLE t (c int)",
        "outcome": "applied",
        "preserved": "no",
    }
    assert judge(case, header).verdict == "false_safe"


def test_compact_files_hold_what_they_say() -> None:
    header, records = read_facts(DATA / "asked.jsonl.xz")
    assert header["server"]
    assert next(records)["outcome"] in {"applied", "error", "crash"}


def test_words_that_a_replica_refuses_are_those_that_servers_refused() -> None:
    """`mode_unsupported`: the replica would not take the setting at all."""
    seen = {True: 0, False: 0}
    header, records = read_facts(DATA / "definitions.jsonl.xz")
    for record in records:
        if "server" in record:
            header = record
            continue
        refused = record["outcome"] == "mode_unsupported"
        replica = header.get("replica", header["server"])
        server = server_of(replica, header["replica_version"], settings_of(record, source=False))
        assert bool(Link(server, server).refused_modes) is refused, record["id"]
        seen[refused] += 1
    assert seen[True] == 240
    assert seen[False] > 180_000
