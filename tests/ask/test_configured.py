"""Whom a configuration may let ask: a checkout chooses no program."""

from __future__ import annotations

import sys

import pytest

from schemacheck.cli import main

UNSURE = "CREATE TABLE t (d date DEFAULT (TIMESTAMP('2020-01-01')));\n"


@pytest.mark.parametrize(
    "where", ["local:./mysqld", "local:mysqld", "local:.", "docker:evil", "docker:mysql"]
)
@pytest.mark.parametrize("named", [(), ("--config", "schemacheck.yaml")])
def test_a_configuration_names_no_program(where, named, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.sql").write_text(UNSURE)
    (tmp_path / "r.sql").write_text(UNSURE + "\n")
    (tmp_path / "schemacheck.yaml").write_text(f"ask: {where}\n")
    (tmp_path / "mysqld").write_text(f"#!{sys.executable}\nopen('ran', 'w')\n")
    (tmp_path / "mysqld").chmod(0o755)
    monkeypatch.setenv("PATH", f".:{tmp_path}")
    assert main(["check", "s.sql", "r.sql", "--source-version", "mysql-8.0.36", *named]) == 2
    said = capsys.readouterr().err
    assert "schemacheck.yaml:1:6: a configuration asks `local` or a DSN" in said
    assert not (tmp_path / "ran").exists()
