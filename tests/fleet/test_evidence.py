"""A fleet with evidence says of every finding what `check --evidence` says."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import fleets
import pytest

from schemacheck import engine as core
from schemacheck.errors import InputError
from schemacheck.evidence.decide import with_evidence
from schemacheck.fleet import bites, profiles, snapshots, topology
from schemacheck.inputs import open_schema
from schemacheck.model import Effect, Report, Server, Table
from schemacheck.profile.document import ColumnProfile, Profile, ServerOf, TableProfile, definition_of, dump
from schemacheck.profile.reader import load

TAKEN = "2026-11-01T00:00:00+00:00"


def _table(table: Table, rng: random.Random) -> TableProfile:
    """A profile of a table with one of three numbers of rows, whose texts are short or long."""
    rows = rng.choice((0, 1, 1000))
    columns = {
        one.name: ColumnProfile(
            one.type.sql(), nulls=rng.choice((0, rows)), longest_characters=(size := rng.choice((1, 500))),
            longest_bytes=size, blanks=rows,
            outside={"ascii": rng.choice((0, rows)), "utf8mb3": 0},
        )
        for one in table.columns
    }  # fmt: skip
    mark = definition_of(table)
    return TableProfile(table.database or "", table.name, TAKEN, columns, mark, complete=True, rows=rows)


def _reports(path: Path) -> list[tuple[topology.FleetLink, Report]]:
    """Every link, and what `check` says of it."""
    fleet = topology.read(path)
    dumps = snapshots.find(fleet, ())
    resolved = profiles.resolve(fleet, dumps)
    read = {one.instance: open_schema(one.place, server=resolved.servers[one.instance]) for one in dumps}
    out = []
    for link in fleet.links:
        ours, theirs = read[link.source], read[link.replica]
        filters = resolved.filters.get(link.number)
        about = resolved.links[resolved.of[link.number]]
        out.append(
            (link, core.check(ours.tables, theirs.tables, about, ours.problems, theirs.problems, filters))
        )
    return out


@pytest.mark.spark
def test_states_are_those_of_check(sail: object, tmp_path: Path) -> None:
    path = fleets.small(tmp_path / "fleet", 2, tables=30)
    reports, rng = _reports(path), random.Random(1)
    for name in ("a", "b"):
        tables = {
            p.table: p.source for link, r in reports if link.source == name for p in r.pairs if p.source
        }
        held = tuple(_table(one, rng) for one in tables.values())
        text = dump(Profile("data", ServerOf("mysql", "8.0.36"), TAKEN, TAKEN, held), "tests")
        (tmp_path / f"{name}.json").write_text(text)
    places = [str(tmp_path / "a.json"), str(tmp_path / "b.json")]
    evidence = bites.read(places, {"a": None, "b": None})
    wanted: Counter[tuple[object, ...]] = Counter()
    for link, report in reports:
        told = with_evidence(report, [load(tmp_path / f"{link.source}.json")])
        for pair in told.pairs:
            ends = (link.source, link.replica, pair.database, pair.table)
            for f in pair.findings if pair.state.value != "not-replicated" else ():
                wanted[(*ends, f.code, f.column, f.evidence.word if f.evidence else None)] += 1
    told_tables, findings, _ = fleets.run_job(sail, path, tmp_path / "job", evidence=evidence)
    names = ("source", "replica", "database", "table", "code", "column")
    states = [(one["evidence"] or "").partition(":")[0] or None for one in findings]  # behind it: why not
    stated = [(*(one[n] for n in names), state) for one, state in zip(findings, states, strict=True)]
    assert Counter(stated) == wanted
    # What fails a run is a finding, of which a state is known.
    effects = {(*[one[name] for name in names[:4]], one["effect"]) for one in findings}
    harmed = [one for one in told_tables if Effect(one["verdict"]) > Effect.COMPATIBLE]
    assert harmed
    for one in harmed:
        place = [one[name] for name in names[:4]]
        assert one["verdict"] == "unknown" or (*place, one["verdict"]) in effects
    assert {"bites", "could", "cannot"} & {one["bite"] for one in findings} >= {"bites", "could"}


def test_a_broken_profile_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    with pytest.raises(InputError, match=r"a\.json: "):
        bites.read([str(tmp_path)], {"a": None})
    with pytest.raises(InputError, match=r"a\.json: no link of the fleet has a source a"):
        bites.read([str(tmp_path / "a.json")], {"b": None})


def test_a_profile_of_another_flavor_is_named(tmp_path: Path) -> None:
    text = dump(Profile("data", ServerOf("mysql", "8.0.36"), TAKEN, TAKEN, ()), "tests")
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(InputError, match=r"a\.json: the evidence is of mysql 8\.0\.36, the source is"):
        bites.read([str(tmp_path)], {"a": Server.parse("mariadb-11.8")})
