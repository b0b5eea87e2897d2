"""What two nodes of a real cluster did, against what the engine says. `record.py` asked them."""

from __future__ import annotations

import json
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import pytest

import schemacheck
from schemacheck.errors import BadSetting
from schemacheck.model import Effect, Link, LinkKind

DATA = Path(__file__).parent / "data"
FACTS = [
    json.loads(line)
    for kind in ("galera", "group")
    for line in (DATA / f"{kind}.jsonl").read_text("utf-8").splitlines()
]
ROWS = [fact for fact in FACTS if not fact["id"].startswith(("ddl-", "statement-", "beside-"))]
#: What hangs on rows that only one node has, on triggers, or on statements: definitions say nothing of it.
NOT_OF_DEFINITIONS = {"row-missing-update", "row-missing-delete"}


def name(fact: dict[str, Any]) -> str:
    return f"{fact['kind']}-{fact['id']}"


def link(fact: dict[str, Any]) -> Link:
    server = ("mariadb-" if fact["kind"] == "galera" else "mysql-") + fact["version"]
    return Link.of(server, slave_type_conversions=fact.get("modes", "")).as_kind(LinkKind(fact["kind"]))


def value(text: str | None) -> object:
    try:
        return Decimal(text) if text is not None else None
    except InvalidOperation:
        return text


def changed(fact: dict[str, Any]) -> bool:
    """Whether a common column (by name) of a row holds another value, or a row is not there."""
    for table, (columns, rows) in fact["first_rows"].items():
        there, found = fact["second_rows"].get(table, [[], []])
        common = [c for c in columns if c in there]
        mine = [{c: value(row[columns.index(c)]) for c in common} for row in rows]
        other = [{c: value(row[there.index(c)]) for c in common} for row in found]
        if any(row not in other for row in mine):
            return True
    return False


@pytest.mark.parametrize("fact", [f for f in ROWS if f["id"] not in NOT_OF_DEFINITIONS], ids=name)
def test_rows_between_nodes(fact: dict[str, Any]) -> None:
    second = ";".join(fact.get("second", ())) or "CREATE TABLE elsewhere (a INT PRIMARY KEY)"
    report = schemacheck.check(";".join(fact["first"]), second, link(fact))
    # What the second node would write is not in these facts.
    findings = [f for f in report.findings if f.code != "SC953"]
    stops = {n for f in findings if f.error for n in (f.error.number, *f.also)}
    if fact["outcome"] in ("leaves", "refused"):
        assert fact["errno"] in stops, report.findings
    elif changed(fact):
        assert any(f.effect in (Effect.DIVERGES, Effect.LOSSY) for f in findings), report.findings
    else:
        assert not any(f.effect is Effect.STOPS and not f.depends_on_rows for f in findings)


def test_both_kinds_were_asked_enough() -> None:
    counts = {kind: sum(f["kind"] == kind for f in FACTS) for kind in ("galera", "group")}
    assert all(count >= 60 for count in counts.values()), counts


#: They change no definition: the simulation does not run a TRUNCATE, and keeps a view without looking up its
#: tables.
NOT_SIMULATED = ("ddl-truncate-missing", "ddl-view-missing-table")
LEAVES = [
    f
    for f in FACTS
    if f["id"].startswith("ddl-") and not f["id"].startswith(NOT_SIMULATED) and f["outcome"] == "leaves"
]


@pytest.mark.parametrize("fact", LEAVES, ids=name)
def test_ddl_that_makes_a_node_leave_is_refused_by_our_simulation_too(fact: dict[str, Any]) -> None:
    from schemacheck import catalog

    server = link(fact).replica
    before = "".join(f"{ddl};" for ddl in fact.get("second", ()))
    problems = catalog.read(before + fact["statements"][0], server, database="d").problems
    assert problems
    unknown = "added and changed is not known"
    assert any(str(fact["errno"]) in p.message or unknown in p.message for p in problems), problems


@pytest.mark.parametrize(
    ("server", "kind"), [("mysql-8.0.36", LinkKind.GALERA), ("mariadb-10.11", LinkKind.GROUP)]
)
def test_a_server_that_cannot_be_a_node_is_refused(server: str, kind: LinkKind) -> None:
    with pytest.raises(BadSetting, match="cannot be a node"):
        Link.of(server).as_kind(kind)


def test_a_plan_for_nodes_calls_no_order_safe_that_makes_one_leave() -> None:
    from schemacheck import catalog
    from schemacheck.plan import Order, plan_change

    replication = Link.of("mariadb-11.8.6", slave_type_conversions="ALL_NON_LOSSY", binlog_format="ROW")
    schema = catalog.read("CREATE TABLE t (a INT PRIMARY KEY, b INT)", replication.source, database="d")
    sql = "ALTER TABLE t MODIFY b BIGINT"
    nodes = replication.as_kind(LinkKind.GALERA)
    assert plan_change(schema, sql, replication, database="d").order is Order.REPLICA_FIRST
    found = plan_change(schema, sql, nodes, database="d")
    assert found.order is Order.LOCK_STEP
    assert any("total order" in note for t in found.tables for note in t.notes)
    later = plan_change(schema, "ALTER TABLE t ADD KEY (b)", nodes, database="d")
    assert later.order is Order.ANY


#: Two primaries of one group: a transaction is open on the first while the second runs a statement.
ASKED = [json.loads(line) for line in (DATA / "group-multi.jsonl").read_text("utf-8").splitlines()]
BOTH = [fact for fact in ASKED if "-- second" in fact["statements"]]


def beside(fact: dict[str, Any]) -> str:
    """The statement of the second node."""
    statements = fact["statements"]
    return str(statements[statements.index("-- second") + 1])


def test_two_primaries_take_no_cascades_and_no_serializable_transactions() -> None:
    """group_replication_enforce_update_everywhere_checks."""
    alone = {f["id"]: f["errno"] for f in ASKED if "-- second" not in f["statements"]}
    assert alone == {"beside-cascade": 3098, "beside-serializable": 3098}


def test_two_primaries_refuse_the_same_row() -> None:
    twice = {"beside-same-row-update", "beside-same-key-insert", "beside-delete-update"}
    refused = {fact["id"] for fact in BOTH if fact.get("statements_refused")}
    assert refused == twice
    assert all(f["outcome"] == "applied" for f in BOTH if f["id"] in twice)


@pytest.mark.parametrize(
    "fact", [f for f in BOTH if beside(f).startswith(("ALTER", "RENAME", "DROP"))], ids=name
)
def test_no_order_is_free_for_ddl_that_breaks_a_group_of_two_primaries(fact: dict[str, Any]) -> None:
    from schemacheck import catalog
    from schemacheck.plan import Order, plan_change

    nodes = Link.of(f"mysql-{fact['version']}").as_kind(LinkKind.GROUP)
    schema = catalog.read(fact["first"][0], nodes.source, database="d")
    order = plan_change(schema, beside(fact), nodes, database="d").order
    broken = fact["outcome"] == "leaves" or changed(fact)
    assert not (broken and order is Order.ANY)
    assert fact["errno"] in ((13146, 1146) if broken else (0,))


def test_a_galera_node_refuses_what_ddl_of_the_other_overtook() -> None:
    """TOI ends an open transaction of the same table (1213); the nodes stay equal."""
    asked = [f for f in FACTS if f["kind"] == "galera" and "-- second" in f["statements"]]
    assert len(asked) == 30
    assert not [f["id"] for f in asked if f["outcome"] != "applied" or f["first_rows"] != f["second_rows"]]
    of_the_table = [f for f in asked if beside(f).startswith(("ALTER", "RENAME", "DROP", "TRUNCATE"))]
    assert {tuple(f["statements_refused"]) for f in of_the_table} == {("1: COMMIT: 1213",)}
