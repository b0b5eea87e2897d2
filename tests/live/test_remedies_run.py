"""The statements of findings run on the MariaDB that they are for, whatever server the source is."""

from __future__ import annotations

import pytest

from schemacheck.errors import SchemacheckError
from schemacheck.inputs.connection import connected
from schemacheck.inputs.endpoint import Access, Endpoint
from schemacheck.model import Server
from tests.live.conftest import PASSWORD
from tests.live.remedies import Answer, ask, cases

pytest.importorskip("pymysql", reason="PyMySQL is not installed: pip install 'schemacheck[live]'")
pytestmark = pytest.mark.server


@pytest.mark.parametrize("source", ["mysql-5.6.24", "mysql-9.7.4", "mariadb-11.8.6"])
def test_no_statement_is_refused(mariadb, source: str, monkeypatch) -> None:
    monkeypatch.setenv("SCHEMACHECK_PASSWORD", PASSWORD)
    answers: list[Answer] = []
    with connected(Endpoint.parse(f"mysql://root@127.0.0.1:{mariadb.port}", Access()), 300) as session:
        replica = Server.told(str(session.query("SELECT VERSION()", "")[1][0][0]))
        for case in cases([]):
            try:
                answers += ask(
                    case, Server.parse(source), replica, lambda sql: session.query(sql, "") and None
                )
            except SchemacheckError:
                continue  # a setting that one of the two does not have
        session.query("DROP DATABASE IF EXISTS remedies", "")
    assert len(answers) > 100
    assert [one for one in answers if one.error] == []
