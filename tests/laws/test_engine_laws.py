"""Laws that hold for every pair of tables, every link and every setting."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from strategies import CONVERTING, MODES, SERVERS, changed, known_modes, links, servers, tables, types

from schemacheck.alignment.match import equal_tables_may_differ
from schemacheck.alignment.pair import Pair
from schemacheck.alignment.terms import terms
from schemacheck.conversion import Kind, classify, conversion, outcome, permitted
from schemacheck.conversion.setting import candidates, column_effect
from schemacheck.engine import check, check_pair
from schemacheck.engine.pairing import Matcher
from schemacheck.model import Column, ColumnType, Default, DefaultKind, Effect, Link, PairState, Server, Table
from schemacheck.outputs import render
from schemacheck.rules import About, all_rules, find, pair_subjects

FORMATS = ("ROW", "STATEMENT", "MIXED")
QUICK = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
NULL = Default(DefaultKind.NULL)


@st.composite
def pairs(draw, formats=FORMATS, names=SERVERS, *, same=False):
    link = draw(links(names, formats=formats, same=same))
    source = draw(tables())
    return source, draw(st.one_of(changed(source), tables())), link


@QUICK
@given(types(), servers())
def test_a_type_to_itself_is_exact_and_unchanged(kind, server):
    assert classify(kind, kind, server, server) is Kind.EXACT
    link = Link(server, server)
    assert permitted(Kind.EXACT, frozenset(), server)
    assert not outcome(kind, kind, Kind.EXACT, link).changed
    assert column_effect(kind, kind, link)[0] is Effect.IDENTICAL


@QUICK
@given(types(), types(), links(), st.sampled_from(MODES))
def test_a_conversion_is_the_same_whether_or_not_it_was_worked_out_for_another_setting(
    here, there, link, word
):
    under = link.with_modes(word)
    kind, out = conversion(here, there, under)
    assert kind is classify(here, there, under.source, under.replica)
    assert out == (None if kind in (Kind.IMPOSSIBLE, Kind.UNREADABLE) else outcome(here, there, kind, under))


@QUICK
@given(pairs())
def test_a_rule_has_nothing_to_say_of_a_pair_that_shows_none_of_its_subjects(pair):
    try:
        seen = Pair.of(*pair)
    except KeyError:
        return
    about_pairs = set(list(About)[: list(About).index(About.MATCH)])
    subjects = set(pair_subjects(seen))
    assert subjects <= about_pairs
    for rule in all_rules():
        if subjects.isdisjoint(rule.about) and about_pairs.issuperset(rule.about):
            assert list(rule.check(seen)) == [], rule.name


@QUICK
@given(tables(), links(formats=FORMATS, same=True))
def test_equal_tables_are_identical(table, link):
    assume(not equal_tables_may_differ(table, table, terms(link)))
    report = check_pair(table, replace(table), link)
    assert (report.verdict, report.findings, report.state) == (Effect.IDENTICAL, (), PairState.COMPARED)
    assert report.smallest.modes == ""


@QUICK
@given(types(), types(), links(CONVERTING), st.sampled_from(MODES))
def test_permitting_more_never_forbids(here, there, link, word):
    """A word added to slave_type_conversions never turns an applied column into a refused one."""
    wider = link.with_modes(",".join(sorted(link.type_conversions | {word})))
    kind = classify(here, there, link.source, link.replica)
    assert not permitted(kind, link.type_conversions, link.replica) or permitted(
        kind, wider.type_conversions, wider.replica
    )


@QUICK
@given(pairs(formats=("ROW",), names=CONVERTING), st.sampled_from(MODES))
def test_permitting_more_never_refuses_a_table(pair, word):
    source, replica, link = pair
    wider = link.with_modes(",".join(sorted(link.type_conversions | {word})))
    refusals = [
        {f.column for f in check_pair(source, replica, one).findings if f.code in ("SC201", "SC202", "SC203")}
        for one in (link, wider)
    ]
    assert refusals[1] <= refusals[0]


@QUICK
@given(pairs(formats=("ROW",)))
def test_the_smallest_setting_works_and_no_smaller_one_does(pair):
    source, replica, link = pair
    report = check_pair(source, replica, link)
    assume(report.smallest is not None)
    tried = candidates(link.replica)
    assert [modes for modes, _ in report.smallest.outcomes] == list(tried)
    # What stops the link as a whole leaves no setting that works, whatever the columns need.

    def works(modes):
        cells = Pair.of(source, replica, link.with_modes(modes)).cells
        return all(
            column_effect(c.source.type, c.replica.type, link.with_modes(modes))[0] <= Effect.COMPATIBLE
            for c in cells
        )

    best = report.smallest.modes
    if best is None:
        assert not any(works(modes) for modes in tried)
        assert report.smallest.reason
    else:
        assert works(best)
        words = {word for word in best.split(",") if word}
        smaller = [modes for modes in tried if {word for word in modes.split(",") if word} < words]
        assert not any(works(modes) for modes in smaller)


@QUICK
@given(pairs(formats=("ROW",)))
def test_the_smallest_setting_helps_the_columns_that_a_check_sees(pair):
    """Under the smallest setting no finding about a type is worse than compatible."""
    source, replica, link = pair
    best = check_pair(source, replica, link).smallest
    assume(best is not None and best.modes is not None)
    again = check_pair(source, replica, link.with_modes(best.modes))
    about_types = [
        f for f in again.findings if f.code.startswith(("SC2", "SC3")) and f.effect > Effect.COMPATIBLE
    ]
    assert about_types == []


@QUICK
@given(tables(most=6), links(formats=FORMATS, same=True), st.randoms())
def test_permuting_columns_is_never_identical(table, link, random):
    shuffled = list(table.columns)
    random.shuffle(shuffled)
    assume([c.name for c in shuffled] != [c.name for c in table.columns])
    report = check_pair(table, replace(table, columns=tuple(shuffled)), link)
    by_name = Pair.of(table, table, link).by_name
    if by_name and link.binlog_format == "ROW":
        assert report.verdict is Effect.IDENTICAL
    else:
        assert report.verdict > Effect.COMPATIBLE


@QUICK
@given(pairs())
def test_checking_is_deterministic_and_its_result_a_value(pair):
    source, replica, link = pair
    report = check_pair(source, replica, link)
    assert check_pair(source, replica, link) == report
    assert hash(report) == hash(pickle.loads(pickle.dumps(report)))
    assert pickle.loads(pickle.dumps(report)) == report


@QUICK
@given(pairs(), types(), types())
def test_one_more_difference_never_makes_it_better(pair, here, there):
    """A column added at both ends' end, with differing types, cannot improve a verdict."""
    source, replica, link = pair
    assume(len(source.columns) == len(replica.columns))
    before = check_pair(source, replica, link)
    wider = [
        replace(t, columns=(*t.columns, Column("last", kind, default=NULL)))
        for t, kind in ((source, here), (replica, there))
    ]
    after = check_pair(*wider, link)
    codes = {(f.code, f.column, f.effect) for f in before.findings}
    kept = {(f.code, f.column, f.effect) for f in after.findings}
    assert after.verdict >= before.verdict, codes - kept


@QUICK
@given(pairs())
def test_every_finding_says_what_a_reader_needs(pair):
    source, replica, link = pair
    report = check_pair(source, replica, link)
    for finding in report.findings:
        rule = find(finding.code)
        assert rule is not None
        assert finding.rule == rule.name
        assert finding.message
        assert finding.message[-1] not in ".;,"
        assert "None" not in finding.message
        assert finding.remedy
        assert finding.table == "t"
        assert finding.effect is not Effect.STOPS or finding.error is not None, finding
        assert finding.effect not in (Effect.LOSSY, Effect.DIVERGES) or finding.example is not None, finding
        assert not finding.depends_on_rows or finding.error is not None, finding
        assert finding.error is None or (finding.error.message and "{" not in finding.error.message), finding
        assert finding.source.location is None or finding.source.text is not None
        assert finding.remedy_sql is None or "None" not in finding.remedy_sql
    doubles = [f for i, f in enumerate(report.findings) if f in report.findings[:i]]
    assert not doubles
    effects = [f.effect for f in report.findings]
    assert effects == sorted(effects, reverse=True)
    assert len(set(report.findings)) == len(report.findings)


@QUICK
@given(pairs())
def test_a_report_survives_every_output(pair):
    source, replica, link = pair
    report = check((source,), (replica,), link)
    document = json.loads(render(report, "json"))
    assert document["verdict"] == report.verdict.value
    found = report.pairs[0].findings  # the link's own are beside the tables
    assert [f["code"] for f in document["tables"][0]["findings"]] == [f.code for f in found]
    assert [f["effect"] for f in document["tables"][0]["findings"]] == [f.effect.value for f in found]
    assert [f["error"]["number"] if f["error"] else None for f in document["tables"][0]["findings"]] == [
        f.error.number if f.error else None for f in found
    ]
    for name in ("markdown", "sarif"):
        assert report.verdict <= Effect.COMPATIBLE or report.findings[0].code in render(report, name)
    # What is printed in short leaves nothing out: each finding that matters is in one difference.
    printed = [one for each in report.differences for one in (each.finding, *each.more)]
    assert sorted(map(repr, printed)) == sorted(repr(f) for f in report.findings if f.matters)
    for name in ("text", "concise"):
        shown = render(report, name)
        assert all(f"{each.effect.value}[{each.finding.code}]" in shown for each in report.differences)


@QUICK
@given(pairs(formats=("ROW",)))
def test_a_refused_column_is_named_in_the_error(pair):
    """The first refused column's error is the server's: number by version, and its position."""
    source, replica, link = pair
    refused = [f for f in check_pair(source, replica, link).findings if f.code in ("SC201", "SC202", "SC203")]
    first = Pair.of(source, replica, link).refused
    assert bool(refused) == (first is not None and first.kind is not Kind.UNREADABLE)
    for finding in refused:
        number = (
            1535 if link.replica.has("applier-5.1") else 13146 if link.replica.has("message-bytes") else 1677
        )
        assert finding.error.number == number
    if refused:
        counted = first.source_index + (1 if "counting the first column" in refused[0].error.message else 0)
        assert f"Column {counted} " in refused[0].error.message


@QUICK
@given(st.lists(tables(), min_size=1, max_size=3), links(formats=FORMATS, same=True))
def test_no_source_table_is_lost(found, link):
    sources = tuple(replace(t, name=f"t{i}") for i, t in enumerate(found))
    report = check(sources, sources[1:], link)
    assert [p.table for p in report.pairs if p.source is not None] == [t.name for t in sources]
    assert report.pairs[0].state is PairState.MISSING
    assert report.verdict is Effect.STOPS


@QUICK
@given(st.lists(tables(), min_size=2, max_size=3), links(same=True))
def test_the_verdict_is_the_worst_of_the_tables(found, link):
    sources = tuple(replace(t, name=f"t{i}") for i, t in enumerate(found))
    replicas = (*sources[1:], replace(sources[0], columns=sources[0].columns[:1]))
    report = check(sources, replicas, link)
    assert report.verdict == max(p.verdict for p in report.pairs)
    alone = Matcher(replicas, link)
    assert [alone.match(t).replica for t in sources] == [p.replica for p in report.pairs if p.source]


@QUICK
@given(tables(), servers())
def test_a_missing_table_stops(table, server):
    report = check_pair(table, None, Link(server, server))
    assert report.verdict is Effect.STOPS
    assert report.findings[0].error.number == 1146


def _one(kind: str) -> Table:
    return Table("t", (Column("c", ColumnType.parse(kind, charset="utf8mb4")),), "shop")


@QUICK
@example("int unsigned", "bigint unsigned", "mysql-8.0.36", "ALL_NON_LOSSY")
@given(
    *[st.sampled_from(["tinyint", "smallint unsigned", "int", "int unsigned", "bigint", "bigint unsigned"])]
    * 2,
    st.sampled_from(CONVERTING),
    st.sampled_from(["", *MODES]),
)
def test_integers_that_are_said_to_arrive_do(here, there, server, modes):
    """What is called compatible has room for both ends of the source's range."""
    assume(not modes or modes in known_modes(Server.parse(server)))
    link = Link.of(server, binlog_format="ROW", slave_type_conversions=modes)
    report = check_pair(_one(here), _one(there), link)
    if report.verdict > Effect.COMPATIBLE:
        return
    bits = {"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64}
    width, signed = bits[here.split()[0]], "unsigned" not in here
    low, high = (-(2 ** (width - 1)), 2 ** (width - 1) - 1) if signed else (0, 2**width - 1)
    wide, holds = bits[there.split()[0]], "unsigned" not in there
    bottom, top = (-(2 ** (wide - 1)), 2 ** (wide - 1) - 1) if holds else (0, 2**wide - 1)
    assert bottom <= low
    assert high <= top


def test_same_servers_with_other_settings_are_still_alike():
    server = Server.parse("mysql-8.0.36")
    link = Link(server, server.with_told({"slave_type_conversions": "ALL_LOSSY", "max_connections": "7"}))
    assert check_pair(_one("int"), _one("int"), link).verdict is Effect.IDENTICAL
