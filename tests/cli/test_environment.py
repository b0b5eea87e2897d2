"""Options from the environment."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import schemacheck
from schemacheck.cli import dispatch, environment

V = ("--source-version", "8.0.36", "--no-config")
PAIR = ("signed.sql", "wider.sql")


def test_every_long_option_of_every_command_has_a_variable():
    for name in dispatch.names():
        parser = dispatch.parser_of(name)
        long = {o for a in parser._actions for o in a.option_strings if o.startswith("--") and o != "--help"}
        assert {environment.variable(one) for one in long} == set(environment.variables(parser)), name
        read = set(environment.variables(parser))
        # `binlog check --replica` is one; the template of a CI service has variables of these names too.
        assert environment.OTHERS & read <= {"SCHEMACHECK_SOURCE", "SCHEMACHECK_REPLICA"}, name


def test_every_variable_that_the_program_and_its_pages_name_is_known():
    root = Path(schemacheck.__file__).parents[1]
    named = {
        found
        for path in (*root.glob("schemacheck/**/*.py"), *root.glob("docs/*.md"), root / "README.md")
        for found in re.findall(r"\bSCHEMACHECK_[A-Z][A-Z_]*[A-Z]\b", path.read_text("utf-8"))
    }
    assert len(named) > 5
    read = [one for name in dispatch.names() for one in environment.variables(dispatch.parser_of(name))]
    # The first line of a snapshot, in capitals, is no variable.
    assert environment.unknown(named - {"SCHEMACHECK_SNAPSHOT"}, (), read) is None


def test_a_variable_is_the_option_and_the_command_line_wins(run, files, monkeypatch):
    monkeypatch.setenv("SCHEMACHECK_SLAVE_TYPE_CONVERSIONS", "ALL_NON_LOSSY,ALL_UNSIGNED")
    assert run("check", *PAIR, *V).status == 0
    for option in ("--type-conversions", "--mode"):
        assert run("check", *PAIR, *V, option, "").status == 1
    monkeypatch.setenv("SCHEMACHECK_FAIL_ON", "compatible")
    assert run("check", *PAIR, *V).status == 1
    assert run("check", *PAIR, *V, "--fail-on=stops").status == 0


def test_repeated_options_take_a_line_each_and_short_spellings_count(run, files, monkeypatch):
    monkeypatch.setenv("SCHEMACHECK_FORMAT", "concise\n\njson=out.json\n")
    done = run("check", *PAIR, *V)
    assert done.out.startswith("wider.sql:2:3: ")
    assert (files / "out.json").is_file()
    (files / "out.json").unlink()
    assert run("check", *PAIR, *V, "-q", "-f", "json").out.startswith("{")
    assert not (files / "out.json").exists()


@pytest.mark.parametrize(("value", "status"), [("1", 0), ("yes", 0), ("0", 1), ("off", 1), ("", 1), ("2", 2)])
def test_switches(run, files, monkeypatch, value, status):
    monkeypatch.setenv("SCHEMACHECK_EXIT_ZERO", value)
    assert run("check", *PAIR, *V).status == status


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("SCHEMACHECK_FAIL_OM", "lossy", "did you mean 'SCHEMACHECK_FAIL_ON'?"),
        ("SCHEMACHECK_FAIL_ON", "lossi", "--fail-on=lossi comes from SCHEMACHECK_FAIL_ON in the environment"),
        ("SCHEMACHECK_FORMAT", "jsn", "did you mean 'json'?"),
    ],
)
def test_what_no_command_reads_or_takes_is_refused(run, files, monkeypatch, name, value, said):
    monkeypatch.setenv(name, value)
    done = run("check", "same.sql", "same2.sql", *V)
    assert (done.status, done.out) == (2, "")
    assert said in done.err


def test_variables_of_other_commands_are_left_alone(run, files, monkeypatch):
    monkeypatch.setenv("SCHEMACHECK_ENGINE", "sail")
    monkeypatch.setenv("SCHEMACHECK_PASSWORD", "x")
    assert run("check", "same.sql", "same2.sql", *V).status == 0
    assert run("explain", "SC101").status == 0
