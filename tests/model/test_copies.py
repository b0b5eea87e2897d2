"""Copies that are spelled out carry every field."""

from __future__ import annotations

from dataclasses import fields, replace

from schemacheck.model import Effect, Finding, Table


def _filled(kind: type) -> dict[str, object]:
    return {f.name: f"<{f.name}>" for f in fields(kind) if f.init}


def test_a_finding_of_a_rule_keeps_every_other_field() -> None:
    finding = Finding(**_filled(Finding))
    made = finding.by("SC1", "r")
    assert made == replace(finding, code="SC1", rule="r") != finding


def test_a_finding_without_a_name_is_given_one() -> None:
    finding = Finding(**_filled(Finding) | {"code": "", "rule": ""})
    as_named = replace(finding, code="SC1", rule="r")
    assert finding.by("SC1", "r") == as_named
    assert finding.by("SC2", "s") == replace(as_named, code="SC2", rule="s")


def test_a_renamed_table_keeps_every_other_field() -> None:
    table = Table(**_filled(Table))
    made = table.named("d", "t")
    assert {name: getattr(made, name) for name in _filled(Table)} == _filled(Table) | {
        "name": "t",
        "database": "d",
    }


def test_effects_are_ordered_as_they_are_written() -> None:
    assert list(Effect) == sorted(Effect) == sorted([*list(Effect)[3:], *list(Effect)[:3]])
    assert [effect.rank for effect in Effect] == list(range(8))
    assert Effect.STOPS >= Effect.STOPS > Effect.DIVERGES <= Effect.DIVERGES < Effect.UNKNOWN
    assert not Effect.STOPS < Effect.STOPS
