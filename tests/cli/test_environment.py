"""What the environment says: secrets, never options."""

from __future__ import annotations

import pytest

V = ("--source-version", "8.0.36", "--no-config")


@pytest.mark.parametrize("name", ["FAIL_ON", "CONFIG", "SOURCE", "PASSWORT"])
def test_a_variable_that_is_not_read_is_refused(run, files, monkeypatch, name):
    monkeypatch.setenv(f"SCHEMACHECK_{name}", "lossy")
    done = run("check", "same.sql", "same2.sql", *V)
    assert (done.status, done.out) == (2, "")
    assert f"SCHEMACHECK_{name}, which is not read" in done.err


@pytest.mark.parametrize("name", ["PASSWORD", "SOURCE_PASSWORD", "REPLICA_PASSWORD", "FLEET_KEY"])
def test_secrets_are_read(run, files, monkeypatch, name):
    monkeypatch.setenv(f"SCHEMACHECK_{name}", "x")
    assert run("check", "same.sql", "same2.sql", *V).status == 0
