"""Pairs that stay unknown, by the channel of two servers of this machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schemacheck.model import Server
from tests.ask.test_local import schemacheck

pytestmark = pytest.mark.server

TABLE = "CREATE TABLE {} (id int NOT NULL, a varchar(20), KEY (id)) ENGINE={};\n"


def test_a_pair_is_asked_once_and_its_answer_is_kept(tmp_path: Path, server: Server) -> None:
    if not server.mariadb:
        pytest.skip("MariaDB's MERGE refuses rows")
    (tmp_path / "s.sql").write_text(TABLE.format("t", "InnoDB"))
    (tmp_path / "r.sql").write_text(TABLE.format("t", "MRG_MyISAM"))
    check = ("check", "s.sql", "r.sql", "--source-version", f"mariadb-{server.version_text}")
    check += ("--binlog-format", "ROW", "--format", "json")
    before = schemacheck(tmp_path, *check)
    assert before.returncode == 3
    assert before.stderr == "schemacheck: note: 1 pair not decided: --ask local runs its rows\n"
    asked = schemacheck(tmp_path, *check, "--ask", "local")
    assert (asked.returncode, asked.stderr) == (1, "")
    offline = schemacheck(tmp_path, *check)
    assert (offline.returncode, offline.stdout) == (1, asked.stdout)
    [one] = json.loads(asked.stdout)["tables"]
    assert one["verdict"] == "stops"
    assert one["findings"][0]["error"]["number"] == 1036
    fact = json.loads((tmp_path / ".schemacheck/facts.jsonl").read_text())
    assert (fact["fact"], fact["answer"]["errno"]) == ("pair", 1036)
    # What is asked of a server beside others is asked of local ones alone.
    (tmp_path / "r.sql").write_text(TABLE.format("t", "MRG_MyISAM MAX_ROWS=7"))
    elsewhere = schemacheck(tmp_path, *check, "--ask", "docker:mariadb")
    assert elsewhere.returncode == 3
    assert "no answer to t: pairs are asked of servers that --ask local starts" in elsewhere.stderr
