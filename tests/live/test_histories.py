"""Migration histories run on a real MariaDB as their tools run them: what they lead to is what we say."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from dataclasses import replace

import pytest

from schemacheck import check
from schemacheck.inputs import open_schema
from schemacheck.inputs.endpoint import PASSWORD_VARIABLE
from schemacheck.inputs.histories import opened
from schemacheck.inputs.piece import HistoryOptions
from schemacheck.model import TableKind
from tests.history.test_kinds import KINDS, written

pymysql = pytest.importorskip("pymysql", reason="PyMySQL is not installed: pip install 'schemacheck[live]'")

pytestmark = pytest.mark.server

#: What real histories do: keys and tables renamed, columns moved, parents changed, rows in between.
LIFE = {
    "1_shop.up.sql": """CREATE TABLE IF NOT EXISTS flag (
  `key` VARCHAR(190) UNIQUE NOT NULL, name VARCHAR(255) NOT NULL, enabled BOOLEAN DEFAULT FALSE NOT NULL,
  made TIMESTAMP(2) DEFAULT NOW(2) NOT NULL, changed TIMESTAMP(2) DEFAULT NOW(2) ON UPDATE NOW(2) NOT NULL,
  PRIMARY KEY (`key`)
);
CREATE TABLE IF NOT EXISTS variant (
  id VARCHAR(190) UNIQUE NOT NULL, flag_key VARCHAR(190) NOT NULL, `key` VARCHAR(190) NOT NULL,
  PRIMARY KEY (id), FOREIGN KEY (flag_key) REFERENCES flag (`key`) ON DELETE CASCADE,
  CONSTRAINT flag_and_key UNIQUE (flag_key, `key`)
);
""",
    "1_shop.down.sql": "DROP TABLE variant; DROP TABLE flag;",
    "2_space.up.sql": """CREATE TABLE space (`key` VARCHAR(190) NOT NULL PRIMARY KEY, locked BOOL DEFAULT 0
    NOT NULL);
INSERT INTO space (`key`, locked) VALUES ('default', TRUE);
ALTER TABLE flag ADD COLUMN space_key VARCHAR(190) NOT NULL DEFAULT 'default';
ALTER TABLE variant DROP FOREIGN KEY `variant_ibfk_1`; /* named by the server */
ALTER TABLE flag DROP INDEX `key`, ADD INDEX `key` (`key`) USING BTREE;
ALTER TABLE flag ADD FOREIGN KEY (space_key) REFERENCES space (`key`) ON DELETE CASCADE;
ALTER TABLE flag DROP PRIMARY KEY, ADD PRIMARY KEY (space_key, `key`);
""",
    "10_rule.up.sql": """CREATE TABLE rule (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, flag_key VARCHAR(190), `rank` INT DEFAULT 1 NOT
  NULL,
  state ENUM('new', 'done') NOT NULL DEFAULT 'new', note TEXT, share DECIMAL(5,2) CHECK (share >= 0)
) ENGINE=InnoDB DEFAULT CHARSET=latin1;
CREATE INDEX by_state ON rule (state, flag_key(20));
""",
    "11_rule.up.sql": """ALTER TABLE rule MODIFY state ENUM('new', 'open', 'done') NOT NULL DEFAULT 'open'
    AFTER id;
ALTER TABLE rule CHANGE note remark MEDIUMTEXT CHARACTER SET utf8mb4, ADD COLUMN at DATETIME(3) FIRST;
UPDATE rule SET state = 'open' WHERE state = 'new';
RENAME TABLE rule TO rules;
ALTER TABLE rules DROP INDEX by_state, ADD KEY by_rank (`rank` DESC);
""",
}  # fmt: skip
HISTORIES = {"life": LIFE, **{kind: files for kind, (files, _, _) in KINDS.items()}}


@pytest.mark.parametrize("name", HISTORIES)
def test_what_a_history_leads_to_is_what_the_server_has(name, mariadb, tmp_path, monkeypatch):
    monkeypatch.setenv(PASSWORD_VARIABLE, mariadb.password)
    folder = written(tmp_path / "m", HISTORIES[name])
    database = f"h_{name.replace('-', '_')}"
    mariadb.run(f"CREATE DATABASE {database}")
    server = open_schema(f"mysql://root@127.0.0.1:{mariadb.port}/{database}", allow_empty=True).server
    assert server is not None
    for one in opened.read(str(folder), HistoryOptions()).history.migrations:
        if not one.families or server.family in one.families:
            for part in one.parts:
                sent(mariadb, database, one.text[part.start : part.end], part.delimiter)
    there = open_schema(f"mysql://root@127.0.0.1:{mariadb.port}/{database}")
    ours = open_schema(str(folder), server=server, database=database)
    assert [p.message for p in ours.problems if not p.skipped] == []
    report = check(replace(ours, server=server), there)
    # Views are compared as they are written, and the server writes them anew.
    tables = [table.name for table in there.tables if table.kind is not TableKind.VIEW]
    found = {pair.table: pair.verdict.value for pair in report.pairs if pair.table in tables}
    assert found == dict.fromkeys(tables, "identical")
    assert {one.name for one in ours.tables} == {one.name for one in there.tables}
    mariadb.run(f"DROP DATABASE {database}")


def sent(instance, database: str, text: str, delimiter: str | None) -> None:
    """Run a text as the tool does: at once, or cut by the client."""
    if delimiter is None:
        flags = pymysql.constants.CLIENT.MULTI_STATEMENTS
        connection = pymysql.connect(
            host="127.0.0.1", port=instance.port, user="root", password=instance.password, database=database,
            client_flag=flags, autocommit=True,
        )  # fmt: skip
        with contextlib.closing(connection), connection.cursor() as cursor:
            cursor.execute(text)
            while cursor.nextset():
                pass
        return
    client = shutil.which("mariadb") or shutil.which("mysql")
    if client is None:
        pytest.skip("no mariadb client here: apt-get install mariadb-client-core")
    place = [f"--port={instance.port}", "--protocol=tcp", "--host=127.0.0.1", "--user=root", "--skip-ssl"]
    command = [client, "--no-defaults", *place, f"--delimiter={delimiter}", database]
    subprocess.run(
        command, input=text, text=True, check=True, capture_output=True, env={"MYSQL_PWD": instance.password}
    )
