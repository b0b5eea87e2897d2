"""Definitions of somebody who means harm: none reaches beyond the scratch server, none leaves a trace for the
next question, be it sent through the door or behind it.

`SCHEMACHECK_SCRATCH='local:PATH mysql-9.7.4'` asks another server.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from schemacheck.errors import InputError, UsageError
from schemacheck.inputs.connection import Refused, connected
from schemacheck.model import Server
from schemacheck.scratch import Limits, NoAnswer, Question, ScratchServer, open_server, program

pytestmark = [pytest.mark.server, pytest.mark.slow]

#: Statements that are not of a kind that is asked; FOLDER is one that anybody may write to.
NOT_SENT = """
LOAD DATA INFILE '/etc/passwd' INTO TABLE t
LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE t
CREATE TABLE x (a int) DATA DIRECTORY = 'FOLDER'
CREATE TABLE x (a int) ENGINE=MyISAM DATA DIRECTORY = 'FOLDER' INDEX DIRECTORY = 'FOLDER'
CREATE TABLE x (a int) PARTITION BY HASH (a) (PARTITION p DATA DIRECTORY = 'FOLDER')
CREATE TABLE x (a int) /*!99999 DATA DIRECTORY = 'FOLDER' */
CREATE TABLE x (a int) data/**/directory='FOLDER'
LOAD XML INFILE '/etc/passwd' INTO TABLE t
IMPORT TABLE FROM 'FOLDER/*.sdi'
CREATE TABLESPACE ts ADD DATAFILE 'FOLDER/ts.ibd'
CREATE LOGFILE GROUP g ADD UNDOFILE 'FOLDER/u' ENGINE=NDB
CREATE SERVER s FOREIGN DATA WRAPPER mysql OPTIONS (HOST '127.0.0.1', DATABASE 'mysql')
CREATE FUNCTION sys_exec RETURNS STRING SONAME 'lib_mysqludf_sys.so'
CREATE AGGREGATE FUNCTION f RETURNS STRING SONAME 'FOLDER/x.so'
CREATE FUNCTION f() RETURNS int DETERMINISTIC RETURN 1
CREATE DEFINER=root@localhost PROCEDURE p() SET GLOBAL max_connections = 1
CREATE EVENT e ON SCHEDULE EVERY 1 SECOND DO SET GLOBAL max_connections = 1
CREATE USER evil IDENTIFIED BY 'x'
CREATE ROLE evil
ALTER USER schemacheck@localhost IDENTIFIED BY 'x'
DROP USER schemacheck@localhost
RENAME USER schemacheck@localhost TO evil@localhost
GRANT ALL ON *.* TO schemacheck_ask@localhost
SET PASSWORD = ''
SET GLOBAL general_log_file = 'FOLDER/x.php'
SET GLOBAL general_log = 1
SET PERSIST max_connections = 1
SET STATEMENT max_statement_time = 0 FOR SELECT SLEEP(100)
INSTALL PLUGIN federated SONAME 'ha_federatedx.so'
INSTALL SONAME 'ha_connect'
INSTALL COMPONENT 'file://component_validate_password'
UNINSTALL PLUGIN ARCHIVE
SHUTDOWN
RESTART
KILL 1
RESET MASTER
CHANGE MASTER TO MASTER_HOST='127.0.0.1'
START SLAVE
PURGE BINARY LOGS BEFORE NOW()
BINLOG 'AAAA'
XA START 'x'
XA COMMIT 'x'
START TRANSACTION
LOCK TABLES t WRITE
FLUSH TABLES WITH READ LOCK
FLUSH PRIVILEGES
HANDLER mysql.user OPEN
CALL sys.create_synonym_db('mysql', 'm')
DO GET_LOCK('evil', 0)
PREPARE s FROM 'SHUTDOWN'
EXECUTE IMMEDIATE 'SHUTDOWN'
CLONE LOCAL DATA DIRECTORY = 'FOLDER/clone'
BACKUP STAGE START
CACHE INDEX t IN evil
USE mysql
BEGIN NOT ATOMIC SHUTDOWN; END
\\! touch FOLDER/x
system touch FOLDER/x
source FOLDER/x
SELECT 1; DROP DATABASE mysql
CREATE TABLE x (a int); SET GLOBAL max_connections = 1
/*!50000 SET GLOBAL max_connections = 1 */
/*M!100000 SET GLOBAL max_connections = 1 */ -- CREATE TABLE x (a int)
CREATE /*!50000 USER evil */
CREATE /*!50000 FUNCTION f RETURNS STRING SONAME 'x.so' */ -- TABLE
-- CREATE TABLE\nSHUTDOWN
""".strip().splitlines()
#: Statements that are sent: what becomes of them is the server's business alone.
SENT = r"""
SELECT * FROM t INTO OUTFILE 'FOLDER/x'
SELECT 'x' INTO DUMPFILE 'FOLDER/x'
SELECT LOAD_FILE('/etc/passwd')
CREATE TABLE x AS SELECT LOAD_FILE('/etc/hostname') AS f
CREATE TABLE x (a int) ENGINE=MERGE UNION=(mysql.user)
CREATE TABLE x LIKE mysql.user
CREATE TABLE x (a int) ENGINE=CONNECT TABLE_TYPE=CSV FILE_NAME='/etc/passwd'
CREATE TABLE x (a int) ENGINE=FEDERATED CONNECTION='mysql://root@127.0.0.1/mysql/user'
CREATE TABLE `../../x` (a int)
CREATE TABLE `../mysql/x` (a int) ENGINE=MyISAM
CREATE TABLE `/etc/x` (a int)
CREATE TABLE mysql.x (a int)
CREATE DATABASE `../x`
CREATE DATABASE evil
DROP DATABASE mysql
ALTER DATABASE mysql CHARACTER SET latin1
RENAME TABLE t TO mysql.t
ALTER TABLE t RENAME mysql.t
ALTER TABLE t DISCARD TABLESPACE
ALTER TABLE t IMPORT TABLESPACE
DROP TABLE mysql.user
TRUNCATE mysql.user
INSERT INTO mysql.user (User, Host) VALUES ('evil', '%')
INSERT INTO mysql.func VALUES ('sys_exec', 0, 'x.so', 'function')
DELETE FROM mysql.user
UPDATE mysql.user SET Host = '%'
SELECT * FROM mysql.user
CREATE DEFINER=root@localhost VIEW v AS SELECT * FROM mysql.user
CREATE DEFINER=schemacheck@localhost SQL SECURITY DEFINER VIEW v AS SELECT CURRENT_USER()
CREATE DEFINER=root@localhost TRIGGER r BEFORE INSERT ON t FOR EACH ROW SET GLOBAL max_connections = 1
CREATE TRIGGER r BEFORE INSERT ON t FOR EACH ROW BEGIN SELECT 1 INTO OUTFILE 'FOLDER/x'; END
CREATE TABLE x (a int, b int AS (SLEEP(100)) STORED)
CREATE TABLE x (a int DEFAULT (SLEEP(100)))
CREATE TABLE x (a int, CHECK (BENCHMARK(1000000000, SHA2(a, 512)) = 0))
SELECT SLEEP(100)
SELECT BENCHMARK(10000000000, SHA2('x', 512))
SELECT REPEAT('ab', 100000) REGEXP '(((a|b)*)*)*c'
SELECT GET_LOCK('evil', 0)
WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r
INSERT INTO t SELECT a.a + b.a FROM t a, t b, t c, t d, t e, t f, t g, t h
SELECT REPEAT('a', 4294967295)
CREATE TABLE x (a bigint unsigned AUTO_INCREMENT PRIMARY KEY) AUTO_INCREMENT = 18446744073709551615
CREATE TABLE x (a int) AUTOEXTEND_SIZE = 4G
CREATE TABLE x (a int) ENGINE=MEMORY MAX_ROWS = 4294967295 AVG_ROW_LENGTH = 4294967295
CREATE TABLE x (a int) TABLESPACE innodb_system
CREATE TABLE x (a int) PARTITION BY HASH (a) PARTITIONS 8192
CREATE TEMPORARY TABLE x (a int)
CREATE SEQUENCE x START WITH 9223372036854775806
SELECT 1 INTO @evil
CREATE VIEW v AS SELECT * FROM t; -- \! touch FOLDER/x
ALTER TABLE t ADD COLUMN `b``; SHUTDOWN; --` int
SHOW CREATE TABLE mysql.user
""".strip().splitlines()
#: What differs from one moment to the next.
_VOLATILE = re.compile(
    r"timestamp|gtid|pseudo|rand_seed|insert_id|error_count|warning_count|last_|innodb_buffer_pool_(?:load|dump)"
    r"|_pid|in_transaction|identity|session|thread_id|external_user|proxy_user|statement_id|log_bin_pos|server_uuid"
)


@pytest.fixture(scope="module")
def scratch() -> Iterator[ScratchServer]:
    where, _, version = os.environ.get("SCHEMACHECK_SCRATCH", "").partition(" ")
    if not where:
        try:
            server = program.any_of_them()
        except UsageError as error:
            pytest.skip(str(error))
        where, asked = f"local:{server.path}", server.server
    else:
        asked = Server.parse(version)
    with open_server(where, asked, limits=Limits(seconds=1, folder=700 << 20)) as opened:
        yield opened


@pytest.fixture(scope="module")
def outside() -> Iterator[Path]:
    """A folder that any user of the machine may write to."""
    with tempfile.TemporaryDirectory(prefix="p") as name:
        Path(name).chmod(0o777)
        yield Path(name)


def batches(statements: Sequence[str]) -> list[Sequence[str]]:
    """Ten by ten: looking at all that a server has takes longer than a statement."""
    return [statements[at : at + 10] for at in range(0, len(statements), 10)]


@pytest.mark.parametrize("statements", batches(NOT_SENT), ids=lambda texts: texts[0])
def test_what_is_no_definition_is_not_sent(statements, scratch, outside):
    with unchanged(scratch):
        for statement in statements:
            with put(scratch, outside, statement) as question, pytest.raises(NoAnswer, match="not asked"):
                question.run(plain(statement, outside), database="shop")


@pytest.mark.parametrize("statements", batches([*SENT, *NOT_SENT]), ids=lambda texts: texts[0])
def test_what_is_sent_stays_there(statements, scratch, outside):
    """Past the door too: the account has rights on its question's databases alone."""
    with unchanged(scratch):
        for statement in statements:
            send(statement, scratch, outside)


def send(statement: str, scratch: ScratchServer, outside: Path) -> None:
    """Through the door, then past it; MySQL 5.6 asks for no right before it writes: only the door is
    in front of it.
    """
    text = plain(statement, outside)
    if scratch.server.series == "5.6" and "directory" in text.lower():
        return
    with put(scratch, outside, statement) as question:
        with contextlib.suppress(Refused, NoAnswer):
            question.run(text, database="shop")
        with contextlib.suppress(Refused, NoAnswer):
            question.run("INSERT INTO x (a) VALUES (1)")
        with contextlib.suppress(Refused, NoAnswer):
            question.run("INSERT INTO t (a) VALUES (1)")
        if statement in NOT_SENT:
            question._session.renew()
            try:
                question._session.query(text, "")
            except Refused:
                pass
            except InputError:
                question.lost = True


def plain(statement: str, outside: Path) -> str:
    return statement.replace("FOLDER", str(outside)).replace("\\n", "\n")


@contextlib.contextmanager
def unchanged(scratch: ScratchServer) -> Iterator[None]:
    """Behind the block the server is as it was."""
    with scratch.question({}):
        pass  # the server is there
    before = state(scratch)
    yield
    assert state(scratch) == before


@contextlib.contextmanager
def put(scratch: ScratchServer, outside: Path, statement: str) -> Iterator[Question]:
    """A question, behind which the next one is answered as if there had been none."""
    try:
        with scratch.question({"shop": ""}) as question:
            question.run("CREATE TABLE t (a int)", database="shop")
            for _ in range(4):
                question.run("INSERT INTO t VALUES (1), (2), (3), (4)")
            yield question
            assert list(outside.iterdir()) == []
        with scratch.question({"shop": ""}) as again:
            assert again.run("SELECT @evil, IS_FREE_LOCK('evil')")[1] == [(None, 1)]
            again.run("CREATE TABLE t (a int)", database="shop")
            assert again.run("SELECT COUNT(*) FROM t")[1] == [(0,)]
        assert list(outside.iterdir()) == []
    except BaseException as error:
        error.add_note(statement)
        raise


def state(scratch: ScratchServer) -> dict[str, Any]:
    """What one question could leave for the next: databases, accounts, programs, variables, files."""
    folder = Path(scratch.endpoint.socket or "").parent
    out: dict[str, Any] = {
        "files": sorted(path.name for path in (folder / "files").iterdir()),
        "programs": sorted(path.name for path in (folder / "plugins").iterdir()),
        "folder": sorted(path.name for path in folder.iterdir()),
    }
    with connected(scratch.endpoint, 20) as session:

        def rows(statement: str) -> list[tuple[Any, ...]]:
            try:
                return sorted(session.query(statement, "")[1], key=str)
            except Refused as error:
                return [(error.number,)]

        for statement in (
            "SHOW DATABASES",
            "SELECT User, Host FROM mysql.user",
            "SELECT Db, User FROM mysql.db",
            "SHOW PLUGINS",
            "SELECT * FROM mysql.servers",
            "SELECT * FROM mysql.func",
            "SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA <> 'shop'",
            "SELECT ROUTINE_SCHEMA, ROUTINE_NAME FROM information_schema.ROUTINES",
            "SELECT EVENT_NAME FROM information_schema.EVENTS",
            "SELECT TRIGGER_NAME FROM information_schema.TRIGGERS",
            "SELECT SPACE_NAME FROM information_schema.INNODB_TABLESPACES WHERE SPACE_NAME LIKE 'ts%'",
            "XA RECOVER",
            "SHOW SLAVE STATUS",
        ):
            out[statement] = rows(statement)
        out["variables"] = {
            name: value for name, value in rows("SHOW GLOBAL VARIABLES") if not _VOLATILE.search(name)
        }
    for name, value in out["variables"].items():
        out["variables"][name] = str(value).replace(str(folder), "")
    return out
