"""Every recorded rollout held against the engine and against the plan, in both orders and as a replicated
statement.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from schemacheck.model import Effect
from schemacheck.plan import Action, Order, Plan, plan_change
from tests.facts.definitions import judge
from tests.plan.changes import CHANGES
from tests.plan.facts import DATA, Fact, facts, records

pytestmark = pytest.mark.recorded

SERVERS = tuple(dict.fromkeys(f.servers for f in facts()))

#: A generated column that takes a sent value: MariaDB 10.11 keeps the value of an INSERT, the other
#: servers compute it anew. The engine says for all that the value is lost.
ALARMS = {("mariadb-10.11", "generated-stored-to-plain", "source-first")}

#: Equal by luck: the day did not end, the database was the same, no row changed the column that is read, no
#: statement changed one row twice.
LUCK = frozenset(
    (
        "add-curdate",
        "add-curdate-not-null",
        "add-database-default",
        "add-from-unixtime",
        "add-default-of-column",
        # No REPLACE wrote several rows while one end had the key and the other none (SC411; 1032, recorded
        # in channel facts).
        "add-primary-key",
        "drop-primary-key",
    )
)

#: Changes that take rows away by themselves: the definitions are not to blame.
TAKEN = frozenset(("replace-table", "replace-table-wider", "ignore-unique"))

#: New columns that a replicated ALTER fills with values of every server's own.
OWN = frozenset(("add-uuid-default", "add-user-default"))


def servers(name: str) -> list[Fact]:
    return [f for f in facts() if f.servers == name]


@cache
def planned(name: str, change: str) -> Plan:
    """The plan without any conversion permitted."""
    fact = next(f for f in servers(name) if f.change.name == change)
    return plan_change(fact.old(), fact.change.statement, fact.link(""), database="test")


#: Changes with a default of a form that is not known.
UNKNOWN = ("add-point-expression", "add-varchar-concat")


def test_there_are_enough_facts() -> None:
    assert len(SERVERS) == 7
    assert len(CHANGES) >= 40
    answered = Counter(f.servers for f in facts() if f.answered)
    assert all(answered[name] > 500 for name in SERVERS), answered
    assert DATA.stat().st_size < 50_000


def test_the_engine_agrees_with_every_rollout() -> None:
    counts: Counter[str] = Counter()
    wrong = []
    for header, record in records():
        if record["order"] == "replicated" or record["change"] in TAKEN:
            continue
        change = next(c for c in CHANGES if c.name == record["change"])
        old = [change.create]
        new = [*old, change.statement]
        ends = (old, new) if record["order"] == "replica-first" else (new, old)
        found = judge(
            record | {"source_ddl": ends[0], "replica_ddl": ends[1], "modes": record.get("modes", "")}, header
        )
        counts[found.verdict] += 1
        if found.verdict == "unknown" and change.name in UNKNOWN:
            continue
        if found.verdict not in ("agreed", "skipped"):
            wrong.append(
                (
                    header["server"],
                    header["replica"],
                    record["change"],
                    record["order"],
                    record.get("modes"),
                    found,
                )
            )
    assert not wrong, wrong[:5]
    assert counts["agreed"] > 4000


@pytest.mark.parametrize("name", SERVERS)
def test_the_plan_says_in_both_orders_what_the_servers_did(name: str) -> None:
    wrong, counts = [], Counter()
    by: dict[tuple[str, str], dict[str, Fact]] = {}
    for fact in servers(name):
        if fact.order != "replicated":
            by.setdefault((fact.change.name, fact.order), {})[fact.modes] = fact
    for (change, order), found in by.items():
        plan = planned(name, change)
        if plan.problems:
            # The source's version does not take the statement; the replica alone may.
            assert change in UNKNOWN or not by[change, "source-first"][""].answered, change
            counts["refused"] += 1
            continue
        if not found[""].answered:
            counts["no answer"] += 1
            continue
        good = {modes for modes, fact in found.items() if fact.answered and fact.good}
        if not plan.tables:
            says, modes = True, ""  # nothing changes on any end
        else:
            (table,) = plan.tables
            passage = table.replica_first if order == "replica-first" else table.source_first
            if table.action is Action.DATA:
                assert not good or table.order is Order.IMPOSSIBLE
                continue
            if not passage and change in OWN:
                assert table.order is Order.IMPOSSIBLE
                assert not good
                continue
            if not passage:
                assert table.order is Order.IMPOSSIBLE
                if "up to 2106" in (table.blocked or ""):
                    # A TIMESTAMP whose later values 10.11 refuses; no recorded row has one.
                    assert name == "mariadb-11.8 to mariadb-10.11"
                    continue
                # MySQL 5.6 takes a CHECK and forgets it; a later replica keeps it for good.
                assert (name, change) == ("mysql-5.6 to mysql-9.7", "add-check")
                assert not by[change, "replica-first"][""].good
                continue
            says, modes = passage.safe, passage.modes or ""
        counts["safe" if says else "not safe"] += 1
        if says and modes not in good:
            wrong.append(("false safe", change, order, modes, found[modes]))
        elif (
            not says
            and good
            and change not in LUCK
            and (name.rsplit(" to ", 1)[-1], change, order) not in ALARMS
        ):
            wrong.append(("false alarm", change, order, sorted(good)))
    assert not wrong, wrong
    assert counts["safe"] >= 50
    assert counts["not safe"] > 60


@pytest.mark.parametrize("name", SERVERS)
def test_the_setting_is_the_smallest_that_works(name: str) -> None:
    for change in CHANGES:
        plan = planned(name, change.name)
        for table in plan.tables:
            for order, passage in (
                ("replica-first", table.replica_first),
                ("source-first", table.source_first),
            ):
                if passage and passage.safe and passage.modes is not None:
                    none = next(
                        f
                        for f in servers(name)
                        if (f.change.name, f.order, f.modes) == (change.name, order, "")
                    )
                    assert not none.answered or not none.good, (change.name, order)


@pytest.mark.parametrize("name", SERVERS)
def test_a_replicated_statement_is_always_an_order(name: str) -> None:
    seen = 0
    for fact in servers(name):
        if fact.order != "replicated" or not fact.answered:
            continue
        plan = planned(name, fact.change.name)
        if (name, fact.change.name) == ("mysql-5.6 to mysql-9.7", "ignore-unique"):
            # MySQL 9.7 knows no ALTER IGNORE TABLE.
            (table,) = plan.tables
            assert (fact.errno, table.order, table.replicates) == (1064, Order.IMPOSSIBLE, False)
            continue
        if fact.final != "equal":
            # A replicated ALTER that fills every server's rows with values of its own: the plan offers no
            # order.
            assert (fact.outcome, fact.final) == ("applied", "differs")
            assert fact.change.name in OWN
            (table,) = plan.tables
            assert (table.order, table.replicates) == (Order.IMPOSSIBLE, False)
            continue
        for table in plan.tables:
            if table.blocked:
                assert table.order is Order.IMPOSSIBLE
                if "up to 2106" in table.blocked:
                    assert name == "mariadb-11.8 to mariadb-10.11"
                else:
                    assert (name, fact.change.name) == ("mysql-5.6 to mysql-9.7", "add-check")
                continue
            assert table.replicates
            assert table.order is not Order.UNKNOWN, fact.change.name
        seen += 1
    assert seen > 55


@pytest.mark.parametrize("name", SERVERS)
def test_the_error_is_the_servers_own(name: str) -> None:
    seen = 0
    for fact in servers(name):
        if fact.modes or fact.outcome != "error" or fact.order == "replicated":
            continue
        plan = planned(name, fact.change.name)
        if plan.problems:
            continue
        (table,) = plan.tables
        if table.blocked or table.action is Action.DATA:
            continue
        passage = table.replica_first if fact.order == "replica-first" else table.source_first
        findings = passage.report.findings if passage.report else ()
        if passage.modes is not None:
            continue  # the passage tells what happens under the setting that it needs
        numbers = {n for o in findings if o.error for n in (o.error.number, *o.also)} | {
            n for o in findings for n in o.also
        }
        assert fact.errno in numbers, (fact, [o.text for o in passage.obstacles])
        seen += 1
    assert seen > 15


def test_effects_that_are_not_safe_are_told() -> None:
    for name in SERVERS:
        for change in CHANGES:
            for table in planned(name, change.name).tables:
                for passage in table.passages:
                    for obstacle in passage.obstacles:
                        assert obstacle.text
                        assert obstacle.effect > Effect.COMPATIBLE
                        assert (
                            obstacle.error
                            or obstacle.example
                            or obstacle.rows
                            or obstacle.effect is Effect.STOPS
                        ), (change.name, obstacle)
