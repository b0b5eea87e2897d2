from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemacheck import catalog, engine, library
from schemacheck.config.model import Tolerated
from schemacheck.engine.gate import exit_status
from schemacheck.errors import InputError, UsageError
from schemacheck.model import Effect, KnownFinding, Link, Location, Server, ToleratedBy
from schemacheck.model.fingerprint import fingerprints
from schemacheck.policy import Policy, apply, baseline, comments

LINK = Link.of("mysql-8.0.36", slave_type_conversions="ALL_NON_LOSSY")
TODAY = dt.date(2026, 11, 21)

SOURCE = """\
{before}
CREATE TABLE shop.orders (
  id int unsigned NOT NULL,{on_id}
{above_qty}
  qty int unsigned,{on_qty}
  note varchar(20)
){on_close}
CREATE TABLE shop.other (
  id int unsigned NOT NULL
);
"""
DEFAULTS = {"on_close": ";"}
PLACES = ("before", "on_id", "above_qty", "on_qty", "on_close")
REPLICA = """\
CREATE TABLE shop.orders (
  id bigint NOT NULL,
  qty bigint,
  note varchar(20)
);
CREATE TABLE shop.other (
  id bigint NOT NULL
);
"""


def checked(texts=None, policy=None, **places):
    source = SOURCE.format(**{name: places.get(name, DEFAULTS.get(name, "")) for name in PLACES})
    a, b = (
        library.parse(source, LINK.source, file="a.sql"),
        library.parse(REPLICA, LINK.replica, file="b.sql"),
    )
    report = library.check(a, b, LINK)
    return apply(
        report, policy or Policy(), texts if texts is not None else {"a.sql": source, "b.sql": REPLICA}, TODAY
    )


def tolerated(report):
    return {f.subject for f in report.findings if f.tolerated}


ALL = {"shop.orders.id", "shop.orders.qty", "shop.other.id"}


def test_without_policy_nothing_is_tolerated():
    report = checked()
    assert tolerated(report) == set()
    assert {f.subject for f in report.findings} == ALL
    assert exit_status(report) == 1


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ({"on_id": " -- schemacheck: ignore[SC204] small ids"}, {"shop.orders.id"}),
        ({"on_id": " # schemacheck: ignore[SC204]"}, {"shop.orders.id"}),
        ({"on_id": " /* schemacheck: ignore[signedness] small */"}, {"shop.orders.id"}),
        ({"above_qty": "  -- schemacheck: ignore[SC2] x"}, {"shop.orders.qty"}),
        ({"above_qty": "  -- schemacheck: ignore[SC204] x\n\n  -- another comment"}, {"shop.orders.qty"}),
        ({"before": "-- schemacheck: ignore[SC204] the whole table"}, {"shop.orders.id", "shop.orders.qty"}),
        (
            {"on_close": "; -- schemacheck: ignore[SC204] the whole table"},
            {"shop.orders.id", "shop.orders.qty"},
        ),
        ({"before": "-- schemacheck: ignore-file[SC204] all of it"}, ALL),
        ({"on_id": " -- schemacheck: ignore[SC301] another rule"}, set()),
        ({"on_id": " -- schemacheck ignore[SC204] no colon"}, set()),
    ],
)
def test_comments_speak_for_what_they_stand_at(places, expected):
    report = checked(**places)
    assert tolerated(report) == expected
    for finding in report.findings:
        if finding.tolerated:
            assert finding.tolerated.by is ToleratedBy.COMMENT
            assert finding.tolerated.location.file == "a.sql"


def test_the_reason_is_kept():
    report = checked(on_id=" -- schemacheck: ignore[SC204] small   ids")
    assert next(f.tolerated.reason for f in report.findings if f.tolerated) == "small ids"


def test_a_comment_of_the_replicas_file_counts_too():
    text = REPLICA.replace("qty bigint,", "qty bigint, -- schemacheck: ignore[SC204] x")
    a, b = (
        library.parse(SOURCE.format(**dict.fromkeys(PLACES, "") | DEFAULTS), LINK.source, file="a.sql"),
        library.parse(text, LINK.replica, file="b.sql"),
    )
    assert tolerated(apply(library.check(a, b, LINK), Policy(), {"b.sql": text}, TODAY)) == {
        "shop.orders.qty"
    }


@pytest.mark.parametrize(
    ("comment", "code"),
    [
        ("-- schemacheck: ignore[SC301] nothing there", "SC090"),
        ("-- schemacheck: ignore everything", "SC092"),
        ("-- schemacheck: ignore[] x", "SC092"),
        ("-- schemacheck: silence[SC204]", "SC092"),
    ],
)
def test_comments_that_mean_nothing_are_remarked_on(comment, code):
    report = checked(on_id=f" {comment}")
    assert [f.code for f in report.remarks] == [code]
    assert report.remarks[0].source.location == Location("a.sql", 3, 29)
    assert tolerated(report) == set()


def test_one_code_of_two_unused():
    report = checked(on_id=" -- schemacheck: ignore[SC204, SC301] x")
    assert tolerated(report) == {"shop.orders.id"}
    assert [f.message for f in report.remarks] == ["The suppression of SC301 matches no finding."]


def test_deselected_rules_do_not_make_suppressions_unused():
    report = checked(on_id=" -- schemacheck: ignore[SC301] x", policy=Policy(select=("SC204",)))
    assert report.remarks == ()


@given(st.text(alphabet="ab'`\"\\-# /*\n", max_size=40))
def test_text_inside_of_strings_is_no_comment(junk):
    quoted = "'" + junk.replace("\\", "\\\\").replace("'", "''") + " -- schemacheck: ignore[SC204] x'"
    assert comments.scan(f"SELECT {quoted};\n", "f") == ()
    found = comments.scan(f"SELECT {quoted}; -- schemacheck: ignore[SC204] x\n", "f")
    assert len(found) == 1


def entry(**changes):
    return Tolerated(
        **{"reason": "agreed", "location": Location("schemacheck.yaml", 3, 5), "rule": "SC204"} | changes
    )


@pytest.mark.parametrize(
    ("entries", "expected", "remarks"),
    [
        ([entry()], ALL, []),
        ([entry(tables=("shop.orders",))], {"shop.orders.id", "shop.orders.qty"}, []),
        ([entry(tables=("ORDERS",), columns=("q*",))], {"shop.orders.qty"}, []),
        ([entry(tables=("*.o*",), columns=("id",))], {"shop.orders.id", "shop.other.id"}, []),
        ([entry(rule=None, tables=("shop.other",))], {"shop.other.id"}, []),
        ([entry(rule="signedness", effect=Effect.LOSSY)], set(), ["SC090"]),
        ([entry(effect=Effect.DIVERGES)], ALL, []),
        ([entry(tables=("mail.*",))], set(), ["SC090"]),
        ([entry(expires=dt.date(2026, 11, 22))], ALL, []),
        ([entry(expires=dt.date(2026, 11, 21))], set(), ["SC091"]),
        ([entry(expires=dt.date(2020, 1, 1)), entry()], ALL, ["SC091"]),
    ],
)
def test_configured_tolerances(entries, expected, remarks):
    report = checked(policy=Policy(tolerate=tuple(entries)))
    assert tolerated(report) == expected
    assert [f.code for f in report.remarks] == remarks
    assert exit_status(report) == (0 if expected == ALL else 1)


def unread(policy):
    a, b = (
        library.parse("CREATE TABLE shop.bad (a int,,);", file="a.sql"),
        library.parse("CREATE TABLE shop.bad (a int);", file="b.sql"),
    )
    return apply(library.check(a, b, LINK), policy, {}, TODAY)


@pytest.mark.parametrize(
    ("policy", "status"),
    [
        (Policy(), 3),
        (Policy(ignore=("SC001",)), 3),
        (Policy(tolerate=(entry(rule=None, tables=("*",)),)), 3),
        (Policy(tolerate=(entry(rule=None, tables=("*",), effect=Effect.UNKNOWN),)), 3),
        (Policy(tolerate=(entry(rule="", effect=Effect.UNKNOWN),)), 3),
        (Policy(tolerate=(entry(rule="SC0"),)), 3),
        (Policy(tolerate=(entry(rule="syntax"),)), 0),
        (Policy(tolerate=(entry(rule="SC001", tables=("shop.bad",)),)), 0),
        (Policy(tolerate=(entry(rule="SC001", tables=("shop.good",)),)), 3),
    ],
)
def test_unknown_is_a_pass_only_where_the_rule_is_named_with_a_reason(policy, status):
    report = unread(policy)
    assert exit_status(report) == status
    if status == 0:
        assert any(p.skipped and "left out: agreed" in p.message for p in report.problems)


@pytest.mark.parametrize(("codes", "status"), [("ALL", 3), ("SC0", 3), ("SC004", 0), ("undecided", 0)])
def test_a_comment_accepts_what_is_unknown_only_by_its_rule(codes, status):
    text = f"CREATE TABLE shop.t ( -- schemacheck: ignore[{codes}] agreed\n  a int,\n  g point\n);\n"
    source = library.parse(text, file="a.sql")
    (table,) = source.tables
    odd = replace(
        table,
        columns=(
            table.columns[0],
            replace(table.columns[1], type=replace(table.columns[1].type, base="mystery", text="mystery")),
        ),
    )
    report = library.check(odd, library.parse("CREATE TABLE shop.t (a int, g point)", file="b.sql"), LINK)
    assert {f.code for f in report.findings if f.effect is Effect.UNKNOWN} == {"SC004"}
    assert exit_status(apply(report, Policy(), {"a.sql": text}, TODAY)) == status


@pytest.mark.parametrize(
    ("policy", "counting"),
    [
        (Policy(select=("SC1",)), set()),
        (Policy(select=("SC204",)), ALL),
        (Policy(ignore=("signedness",)), set()),
        (Policy(ignore=("ALL",)), set()),
    ],
)
def test_select_and_ignore_mark_and_drop_nothing(policy, counting):
    report = checked(policy=policy)
    assert {f.subject for f in report.findings} == ALL
    assert ALL - tolerated(report) == counting


def test_unknown_selectors_are_refused():
    for selector in ("SC999", "S", "s", ""):
        with pytest.raises(UsageError, match=f"no rule '{selector}'"):
            checked(policy=Policy(select=(selector,)))


def test_baseline_quietens_the_old_and_shows_the_new_and_the_fixed(tmp_path):
    file = tmp_path / "known.json"
    file.write_text(baseline.dump(baseline.collect(checked())), "utf-8")
    known = baseline.load(file)
    assert len(known) == 3
    again = checked(policy=Policy(known=known, baseline_file="known.json"))
    assert tolerated(again) == ALL
    assert again.fixed == ()
    assert exit_status(again) == 0
    assert baseline.collect(again) == known

    narrower = checked(policy=Policy(known=known[1:]))
    assert len(ALL - tolerated(narrower)) == 1
    assert exit_status(narrower) == 1

    gone = library.check("CREATE TABLE shop.t (a int)", "CREATE TABLE shop.t (a int)", LINK)
    assert apply(gone, Policy(known=known), {}, TODAY).fixed == known


def test_a_known_finding_that_got_worse_is_new():
    known = baseline.collect(checked())
    milder = tuple(type(k)(k.fingerprint, k.code, k.subject, "lossy", k.message) for k in known)
    assert tolerated(checked(policy=Policy(known=milder))) == set()


def test_a_baseline_covers_the_body_of_a_trigger_that_it_saw():
    def report(value, spaces=" "):
        made = "CREATE TABLE d.t (a INT PRIMARY KEY, b INT);"
        body = f"{made} CREATE TRIGGER d.r BEFORE INSERT ON d.t FOR EACH ROW{spaces}SET NEW.b = {value}"
        link = Link(*2 * (Server.parse("mysql-8.0.36", {"binlog_format": "STATEMENT"}),))
        ends = (catalog.read(text, link.source).tables for text in (made, body))
        return engine.check(*ends, link)

    known = baseline.collect(report(1))
    codes = {"SC804"}
    for value, spaces, fresh in ((1, "\n  ", False), (2, " ", True)):
        after = baseline.apply(report(value, spaces), known)
        left = {f.code for f in after.findings if f.tolerated is None and f.effect >= Effect.UNSUPPORTED}
        assert (codes <= left) is fresh


def test_unknown_never_enters_a_baseline():
    assert baseline.collect(unread(Policy())) == ()


def test_a_planted_entry_makes_nothing_unknown_known():
    a, b = (
        library.parse(f"CREATE TABLE t (a INT); CREATE TABLE u (a {kind};", file=f"{kind[0]}.sql")
        for kind in ("INT)", "NONSENSE(")
    )
    found = library.check(a, b, LINK)
    marks = fingerprints(found.findings)
    assert marks
    for effect in ("unknown", "stops"):
        known = tuple(KnownFinding(mark, "SC001", "u", effect, "m") for mark in marks)
        assert exit_status(apply(found, Policy(known=known), {}, TODAY)) == 3


def written(**values):
    one = {"fingerprint": "", "code": "", "subject": "", "effect": "stops", "message": ""} | values
    return json.dumps({"schemacheck_baseline": 1, "findings": [one]})


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"schemacheck_baseline": 2, "findings": []}',
    '{"schemacheck_baseline": 1, "findings": [{}]}', '{"schemacheck_baseline": true, "findings": []}',
    '{"schemacheck_baseline": 1.0, "findings": []}', '{"schemacheck_baseline": 1, "findings": {}}',
    '{"schemacheck_baseline": 1, "findings": "", "findings": []}', written(effect="fine"),
    written(effect="unknown"), written(subject=None), written(fingerprint=["a"]), "[" * 100_000],
)  # fmt: skip
def test_a_broken_baseline_is_refused(tmp_path, text):
    file = tmp_path / "known.json"
    file.write_text(text)
    with pytest.raises(InputError, match="baseline write"):
        baseline.load(file)


def test_the_baseline_file_is_sorted_and_stable():
    text = baseline.dump(baseline.collect(checked()))
    subjects = [f["subject"] for f in json.loads(text)["findings"]]
    assert subjects == sorted(subjects)


def test_names_of_tables_that_differ_in_case_are_two():
    """One is mended while the other breaks: that is new."""

    def report(first: str, second: str):
        text = "CREATE TABLE {} (a {});"
        sides = [
            library.parse(text.format("T", one) + text.format("t", other), LINK.source)
            for one, other in (("int unsigned", "int unsigned"), (first, second))
        ]
        return library.check(*sides, LINK)

    known = baseline.collect(report("bigint", "int unsigned"))
    found = [
        exit_status(apply(report(*types), Policy(known=known), {}, TODAY))
        for types in (("bigint", "int unsigned"), ("int unsigned", "bigint"))
    ]
    assert found == [0, 1]
