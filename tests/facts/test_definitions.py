"""Everything that real servers were seen to do with differing definitions, held against the engine."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from schemacheck.model import Link
from schemacheck.prove.arrived import plain
from tests.facts import compact
from tests.facts.definitions import Wanted, judge, judge_file, read_facts, server_of, settings_of
from tests.facts.test_links import DECIDED

pytestmark = pytest.mark.recorded

DATA = Path(__file__).parent / "data"

#: The largest files by their lines, of which a fact that gets lost is a failure. A part of their cases
#: (EVERY) is judged here, all of them by `make facts FACTS='tests/facts/data/definitions.jsonl.xz ...'`.
LINES = {"definitions": 186_708, "pairs": 62_631, "random": 26_011, "reviewed": 18_893}
#: Cases that say something, per file.
EXPECTED = {
    "definitions": 10_348,
    "pairs": 3_470,
    "random": 1_428,
    "asked": 117,
    "reviewed": 1_048,
    "foreign_keys": 608,
    "statements": 370,
    "rows": 688,
    "keys": 368,
    "fresh_statements": 300,
    "changes": 262,
    "fresh_changes": 301,
    "fresh_shapes": 144,
    "fresh_features": 543,
    "computed": 251,
    "row_images": 581,
    "interactions": 605,
    "scenarios": 235,
    "workloads": 356,
}
#: Of which each n-th case is judged here.
EVERY = dict.fromkeys(LINES, 18) | {
    **dict.fromkeys(("changes", "fresh_changes", "interactions", "scenarios"), 3), "fresh_statements": 4,
    "computed": 2,
}  # fmt: skip

#: What the strict count still finds: a changed value or an error of row events that no finding names; and
#: cases that are unknown since rare forms of expressions (defaults of functions) are not computed.
OPEN: dict[str, dict[str, int]] = {
    "definitions": {"unknown": 1}, "reviewed": {"unknown": 7},
    "fresh_shapes": {"unknown": 4}, "rows": {"unknown": 2},
    "fresh_statements": {"wrong": 1, "unknown": 3}, "fresh_features": {"unknown": 10},
    "computed": {"unknown": 73}, "interactions": {"unknown": 3}, "row_images": {"unknown": 4},
    "changes": {"unknown": 9}, "fresh_changes": {"unknown": 57},
}  # fmt: skip


@pytest.mark.parametrize("name", EXPECTED)
def test_engine_agrees_with_every_recorded_fact(name: str) -> None:
    lines: list[str] = []
    wanted = Wanted(EVERY.get(name, 1))
    counts = judge_file(DATA / f"{name}.jsonl.xz", show=5, out=lines.append, wanted=wanted)
    known = OPEN.get(name, {})
    zeros = {"false_safe": 0, "weak": 0, "false_alarm": 0, "unknown": 0, "wrong": 0}
    agreed = EXPECTED[name] - sum(known.values())
    assert counts == counts | zeros | known | {"facts": EXPECTED[name], "agreed": agreed}, "\n".join(lines)


def test_every_file_of_facts_is_judged() -> None:
    elsewhere = {*DECIDED, "channel_values.jsonl.xz"}
    found = {path.name for path in DATA.iterdir()} - elsewhere
    assert found == {f"{name}.jsonl.xz" for name in EXPECTED}, "give EXPECTED the number of its facts"


def test_facts_are_added_to_a_file_that_has_some(tmp_path: Path) -> None:
    given = tmp_path / "given.jsonl"
    fact = {"id": "1", "source_ddl": "a", "replica_ddl": "b", "outcome": "error", "errno": 1677, "more": 1}
    given.write_text(json.dumps({"server": "mysql-5.6", "more": 2}) + "\n" + json.dumps(fact) + "\n")
    kept = tmp_path / "kept.jsonl.xz"
    for _ in range(2):
        compact.main(str(kept), 1, [str(given)])
    del fact["more"]
    with lzma.open(kept, "rt") as lines:
        assert [json.loads(line) for line in lines] == [{"server": "mysql-5.6"}, fact] * 2


@pytest.mark.parametrize("name", LINES)
def test_no_recorded_fact_is_lost(name: str) -> None:
    with lzma.open(DATA / f"{name}.jsonl.xz") as lines:
        assert sum(1 for _ in lines) == LINES[name]


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (
            {
                "outcome": "error",
                "errno": 1677,
                "message": (
                    "Column 0 of table 'test.t' cannot be converted from type 'int' to type 'bigint(20)'"
                ),
            },
            "agreed",
        ),
        (
            {
                "outcome": "error",
                "errno": 1677,
                "message": (
                    "Column 1 of table 'test.t' cannot be converted from type 'int' to type 'bigint(20)'"
                ),
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


HEADER = {"source": "mysql-5.6", "replica": "mysql-5.6"}
CASE = {
    "id": "x", "source_ddl": ["CREATE TABLE t (a int primary key, b int, c int)"],
    "replica_ddl": ["CREATE TABLE t (a int primary key, b tinyint, c int)"], "modes": "ALL_LOSSY",
    "outcome": "applied",
}  # fmt: skip


@pytest.mark.parametrize(
    ("arrived", "verdict"),
    [
        (["1", "300", "2"], "agreed"),
        (["1", "127", "2"], "agreed"),
        (["1", "127", "3"], "false_safe"),
        (None, "false_safe"),
    ],
)
def test_a_finding_excuses_its_column_only(arrived: list[str] | None, verdict: str) -> None:
    columns = ["a", "b", "c"]
    rows = {
        "source": {"t": [columns, [["1", "300", "2"]]]},
        "replica": {"t": [columns, [arrived] if arrived else []]},
    }
    assert judge(CASE | rows, HEADER).verdict == verdict


def test_bytes_are_compared_with_their_zeros() -> None:
    assert plain("0x1000") != plain("0x01")
    assert plain("0x61") == plain("a")
    assert plain("2.50") == plain("2.5")


def test_the_message_of_every_error_is_compared() -> None:
    case = {
        "id": "x", "source_ddl": ["CREATE TABLE t (a int)"], "replica_ddl": ["CREATE TABLE u (a int)"],
        "outcome": "error", "errno": 1146,
    }  # fmt: skip
    right = case | {"message": "Error executing row event: 'Table 'test.t' doesn't exist'"}
    other = case | {"message": "Error executing row event: 'Table 'test.u' doesn't exist'"}
    assert [judge(c, HEADER).verdict for c in (right, other)] == ["agreed", "wrong"]


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
