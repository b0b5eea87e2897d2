"""What profiles make of findings: bites, could, none today, cannot."""

from __future__ import annotations

import inspect
from decimal import Decimal

import pytest

from schemacheck import catalog, engine
from schemacheck.dataclass import replace
from schemacheck.engine.gate import exit_status
from schemacheck.errors import InputError
from schemacheck.evidence.decide import with_evidence
from schemacheck.model import Link, Report, Server
from schemacheck.model.difference import FOLLOWS
from schemacheck.model.evidence import Bite, Evidence
from schemacheck.profile.document import (
    ColumnProfile,
    Duplicates,
    Log,
    Profile,
    ServerOf,
    StatementProfile,
    TableProfile,
    Writes,
    definition_of,
)
from schemacheck.rules import Rule, all_rules
from tests.evidence.recorded import TAKEN, profile, table_profile

SERVER = Server.parse("mysql-8.0.36", {"binlog_format": "ROW", "slave_type_conversions": "ALL_LOSSY"})
SOURCE = "CREATE TABLE t (id INT PRIMARY KEY, n INT, s VARCHAR(40) CHARACTER SET latin1)"
REPLICA = "CREATE TABLE t (id INT PRIMARY KEY, n TINYINT, s VARCHAR(20) CHARACTER SET latin1)"
NAMES = ["id", "n", "s"]


def report(source: str = SOURCE, replica: str = REPLICA, **settings: str) -> Report:
    ends = Server.parse("mysql-8.0.36", {**dict(SERVER.settings), **settings})
    ours, theirs = (catalog.read(text, ends, database="test").tables for text in (source, replica))
    return engine.check(ours, theirs, Link(ends, ends))


def rows(found: Report, *values: list[str | None]) -> TableProfile:
    table = found.pairs[0].source
    assert table is not None
    return table_profile(table, NAMES, values)


def states(checked: Report, *given: Profile) -> dict[str, Evidence]:
    """By rule, the worst; without what follows from others."""
    told = with_evidence(checked, given)
    found = [(f.code, f.evidence) for f in told.findings if f.evidence and f.statements != FOLLOWS]
    return dict(sorted(found, key=lambda one: -one[1].rank))


def logged(found: Report, writes: Writes, **columns: ColumnProfile) -> Profile:
    table = found.pairs[0].source
    assert table is not None
    count = writes.inserts + writes.updates + writes.deletes
    held = TableProfile(
        "test", "t", TAKEN, columns, definition_of(table), complete=True, rows=count, writes=writes
    )
    return Profile(
        "binlog", ServerOf("mysql", "8.0.36"), TAKEN, TAKEN, (held,), log=Log(("row",), complete=True)
    )


def test_a_bound_tells_what_bites_and_what_does_not() -> None:
    found = report()
    told = states(found, profile(rows(found, ["1", "300", "short"], ["2", None, "short"])))
    assert told["SC213"].word == "bites (at least 1 row)"
    assert told["SC205"].word == "none today"


def test_rows_and_writes_together_rule_it_out() -> None:
    found = report()
    small = {"n": ColumnProfile("int", 0, Decimal(1), Decimal(9)), "s": ColumnProfile("varchar(40)", 9)}
    log = logged(found, Writes(inserts=9), **small)
    data = profile(rows(found, ["1", "5", "short"]))
    told = states(found, data, log)
    assert told["SC213"].bite is Bite.CANNOT
    assert told["SC205"].bite is Bite.CANNOT
    assert states(found, data)["SC213"].word == states(found, log)["SC213"].word == "none today"


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"definition": "0" * 16}, "of another definition than the source now has"),
        ({"complete": False}, "nothing that was measured tells"),
        ({"name": "u"}, "not in the evidence"),
    ],
)
def test_what_proves_nothing_is_could(broken: dict[str, object], said: str) -> None:
    found = report()
    table = replace(rows(found, ["1", "5", "short"]), **broken)
    told = states(found, profile(table))["SC213"]
    assert (told.word, told.of) == ("could", said)


def test_a_collation_alone_is_no_other_definition_and_the_report_names_tables_that_have_one() -> None:
    found = report()
    held = rows(report(SOURCE + " COLLATE latin1_bin"), ["1", "5", "short"])
    assert states(found, profile(held))["SC213"].word == "none today"
    other = with_evidence(found, [profile(replace(held, definition="0" * 16))]).evidence
    assert other is not None
    assert other.sources[1] == "of another definition than the source now has: test.t"


def test_a_key_whose_values_changed_may_have_had_duplicates() -> None:
    found = report(
        "CREATE TABLE t (id INT PRIMARY KEY, n INT)", "CREATE TABLE t (id INT PRIMARY KEY, n INT UNIQUE)"
    )
    held = table_profile(found.pairs[0].source, ["id", "n"], [["1", "5"], ["2", "6"]])
    data = profile(replace(held, duplicates=(Duplicates(("n",), 0, 0),)))
    assert states(found, data)["SC401"].word == "none today"
    assert states(found, data, logged(found, Writes(2)))["SC401"].word == "none today"
    changed = logged(found, Writes(inserts=2, updates=3, changed_columns={"id": 0, "n": 3}))
    assert states(found, data, changed)["SC401"].word == "could (3 writes)"


def test_a_profile_of_the_other_flavour_is_an_error() -> None:
    found = report()
    held = replace(profile(rows(found, ["1", "5", "short"])), server=ServerOf("mariadb", "10.11.6"))
    with pytest.raises(InputError, match=r"evidence is of mariadb 10\.11\.6, the source is MySQL 8"):
        with_evidence(found, [held])


def test_a_sample_never_proves_absence() -> None:
    found = report()
    sampled = replace(profile(rows(found, ["1", "5", "x" * 30])), sample=10)
    told = states(found, sampled)
    assert told["SC213"].word == "could"
    assert told["SC205"].word == "bites (at least 1 row)"


def test_statements_and_partial_images_may_not_send_a_value() -> None:
    for setting in ({"binlog_row_image": "MINIMAL"}, {"binlog_format": "MIXED"}):
        found = report(**setting)
        told = states(found, profile(rows(found, ["1", "300", "short"])))["SC213"]
        assert told.word == "could (at least 1 row)", setting


def test_only_what_bites_or_is_not_known_blocks() -> None:
    found = replace(report(), fail_on=report().verdict)
    harmless = profile(rows(found, ["1", "5", "short"]))
    assert exit_status(found) == 1
    assert exit_status(with_evidence(found, [harmless])) == 1
    assert exit_status(with_evidence(found, [harmless], only_biting=True)) == 0
    unknown = replace(harmless, sample=2)
    assert exit_status(with_evidence(found, [unknown], only_biting=True)) == 1


def test_the_smallest_setting_for_the_data_of_today() -> None:
    found = report(slave_type_conversions="")
    assert found.smallest is not None
    assert found.smallest.modes is None
    told = with_evidence(found, [profile(rows(found, ["1", "5", "short"]))]).evidence
    assert told is not None
    assert told.smallest is not None
    assert told.smallest.modes == "ALL_LOSSY"


def test_statements_of_a_log_decide_which_findings_can_be() -> None:
    found = report(
        "CREATE TABLE t (id INT PRIMARY KEY, n INT)",
        "CREATE TABLE t (id INT PRIMARY KEY, n INT, UNIQUE KEY (n), extra INT)",
        binlog_format="STATEMENT",
    )

    def of(*features: str, inserted: tuple[str, ...] | None = ("id", "n")) -> Profile:
        one = StatementProfile("INSERT ...", ("test.t",), 7, features, inserted, (), (), (), ())
        return Profile(
            "binlog",
            ServerOf("mysql", "8.0.36"),
            TAKEN,
            TAKEN,
            (),
            (one,),
            log=Log(("statement",), True),  # noqa: FBT003
        )

    plain = states(found, of("insert"))
    assert plain["SC801"].bite is plain["SC803"].bite is Bite.CANNOT
    assert (
        states(found, of("insert", "no-column-list", inserted=None))["SC801"].word == "bites (7 statements)"
    )
    assert states(found, of("replace"))["SC803"].word == "could (7 statements)"
    assert states(found, of("unread"))["SC803"].word == "could (7 statements)"
    gap = replace(of("insert"), log=Log(("statement",), False))  # noqa: FBT003
    assert states(found, gap)["SC803"].word == "could"


def test_headroom_names_keys_that_are_near_their_end() -> None:
    found = report(
        "CREATE TABLE t (id BIGINT AUTO_INCREMENT PRIMARY KEY)",
        "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY)",
    )
    table = found.pairs[0].source
    assert table is not None
    now = replace(table_profile(table, ["id"], [["2000000000"]]), auto_increment=2_000_000_001)
    before = replace(
        table_profile(table, ["id"], [["1900000000"]]), taken="2026-01-01T12:00:00+00:00", auto_increment=None
    )
    told = with_evidence(found, [profile(before), profile(now)]).evidence
    assert told is not None
    assert told.headroom == (
        "test.t.id: 2,000,000,000 of 2,147,483,647 (int on the replica), full in 44 days at today's rate",
    )


@pytest.mark.parametrize("rule", [one for one in all_rules() if one.evidence], ids=lambda one: one.code)
def test_a_predicate_is_short(rule: Rule[object]) -> None:
    assert rule.evidence is not None
    lines, _ = inspect.getsourcelines(rule.evidence)
    told = (rule.evidence.__doc__ or "").splitlines()
    assert len(lines) - len(told) <= 10
