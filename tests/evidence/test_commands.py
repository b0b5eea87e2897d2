"""Commands with --evidence: what they print, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import schemacheck
from schemacheck.cli import main
from schemacheck.profile.document import Log, Profile, ServerOf, TableProfile, Writes, dump
from tests.evidence.recorded import TAKEN, profile
from tests.evidence.test_states import REPLICA, SOURCE, report, rows

SCHEMA = Path(schemacheck.__file__).parent / "schemas" / "report-1.schema.json"
SERVERS = ("--source-version", "8.0.36", "--database", "test", "--no-config")
STATUS = """Last_SQL_Errno: 13146
Last_SQL_Error: Column 1 of table 'test.t' cannot be converted from type 'int' to type 'tinyint'
Last_IO_Errno: 0
Last_IO_Error:
"""


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Two files of definitions, a profile of the first, and a status."""
    held = dump(profile(rows(report(), ["1", "300", "short"], ["2", None, "short"])), "schemacheck")
    texts = {"old.sql": SOURCE, "new.sql": REPLICA, "profile.json": held, "status.txt": STATUS}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return {name: str(tmp_path / name) for name in texts}


def test_the_json_has_the_states(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    given = ("--evidence", files["profile.json"], "--type-conversions", "ALL_LOSSY", "--format", "json")
    assert main(["check", files["old.sql"], files["new.sql"], *SERVERS, *given]) == 0
    told = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8"))).validate(told)
    states = {f["code"]: f["evidence"] for f in told["tables"][0]["findings"]}
    assert states["SC213"]["state"] == "bites"
    assert (states["SC205"]["state"], states["SC205"]["absent"]) == ("could", True)
    assert told["evidence"]["by_state"] == {"bites": 1, "none today": 1}


def test_a_headline_has_its_own_state_and_a_worse_one_of_what_ends_with_it(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path(files["new.sql"]).write_text(REPLICA.replace("n TINYINT", "n TINYINT UNIQUE"))
    given = ("--evidence", files["profile.json"], "--type-conversions", "ALL_LOSSY", "--format", "concise")
    main(["check", files["old.sql"], files["new.sql"], *SERVERS, *given])
    assert "unsupported[SC401] could, SC213 bites (at least 1 row) test.t.n" in capsys.readouterr().out


def test_the_cause_of_a_stop_bites(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    given = (files["status.txt"], files["old.sql"], files["new.sql"], "--evidence", files["profile.json"])
    assert main(["diagnose", *given, *SERVERS]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert "Evidence, test.t.n (SC202): bites (2 rows), looked at 2 rows" in told


@pytest.mark.parametrize(("rows_there", "word"), [(3, "bites (3 writes)"), (0, "none today")])
def test_findings_of_a_link_have_states(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows_there: int, word: str
) -> None:
    """Rows of MariaDB stop MySQL 9.7 under MIXED; what a session's collation does nothing tells."""
    table = TableProfile("s", "t", TAKEN, {}, complete=True, writes=Writes(2, rows_there))
    log = Log(("row", "statement"), complete=True)
    held = Profile("binlog", ServerOf("mariadb", "11.8.9"), TAKEN, TAKEN, (table,), log=log)
    (tmp_path / "p.json").write_text(dump(held, "schemacheck"))
    given = ("--binlog-format", "MIXED", "--evidence", str(tmp_path / "p.json"), "--no-config")
    assert main(["link", "mariadb-11.8", "mysql-9.7", *given, "--format", "json"]) == 1
    states = {f["code"]: f.get("evidence", "") for f in json.loads(capsys.readouterr().out)["findings"]}
    assert states["SC924"].startswith(word)
    assert states["SC911"].startswith("could: ")


def test_only_biting_needs_evidence(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", files["old.sql"], files["new.sql"], *SERVERS, "--only-biting"]) == 2
    assert "--only-biting needs --evidence" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "not a profile"), ("[]", "not a profile"), ('{"schemacheck_profile": 99}', "version 99")],
)
def test_a_broken_profile_is_a_clear_error(
    files: dict[str, str], capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    Path(files["profile.json"]).write_text(text)
    given = ("--evidence", files["profile.json"])
    assert main(["check", files["old.sql"], files["new.sql"], *SERVERS, *given]) == 2
    assert said in capsys.readouterr().err
