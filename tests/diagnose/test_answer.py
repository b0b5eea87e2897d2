"""What a person is told to do: from the error's text, the definitions and the log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schemacheck.binlog import ABSENT
from schemacheck.catalog import read
from schemacheck.cli import main
from schemacheck.diagnose import Answer, diagnose, statuses, table_of
from schemacheck.diagnose.row import condition, insert
from schemacheck.model import Link, Server

ORDERS = "CREATE TABLE orders (id int PRIMARY KEY, note varchar(40), qty bigint NOT NULL)"


COUNTER = "SET GLOBAL sql_slave_skip_counter = 1;"
QUERY = "on query. Default database: 'shop'. Query: "


def answered(
    message: str, source: str = "", replica: str = "", version: str = "mysql-8.0.36", **status: str
) -> Answer:
    """The answer for an applier that stopped with a message."""
    server = Server.parse(version)
    row = {"Last_SQL_Errno": "0", "Last_SQL_Error": message, "Replica_SQL_Running": "No", **status}
    (stopped,) = statuses(json.dumps(row))
    ends = [read(text, server, database="shop").tables for text in (source, replica)]
    (found,) = diagnose(stopped, *ends, Link(server, server) if source else None)
    assert found.answer is not None
    return found.answer


def fix(answer: Answer) -> list[str]:
    return [line for step in answer.fix for line in step.lines]


def conversion(sent: str, held: str) -> str:
    types = f"cannot be converted from type '{sent}' to type '{held}'"
    return f"Column 1 of table 'shop.orders' {types}, Error_code: 13146"


def test_the_logged_row_is_of_another_definition() -> None:
    """No ALTER to the source's type of today: the row in the log has another one."""
    answer = answered(conversion("int", "bigint"), ORDERS, ORDERS)
    assert answer.advice.startswith("The logged row has int, the given definition varchar(40)")
    assert not answer.equal
    assert answer.fix == ()


def test_a_replica_that_was_altered_since_is_started() -> None:
    answer = answered(conversion("varchar(160(bytes))", "int"), ORDERS, ORDERS)
    assert answer.equal
    assert answer.advice.endswith(
        "was int when it stopped, the given definition has varchar(40) character set utf8mb4."
    )
    assert fix(answer) == ["START REPLICA;"]


def test_a_replica_of_5_1_names_types_by_number() -> None:
    message = (
        "Table definition on master and slave does not match: Column 1 type mismatch - received type 15, "
        "shop.orders has type 3 (INT), Error_code: 1535"
    )
    answer = answered(message, ORDERS, ORDERS, "mysql-5.1.73")
    assert "The replica's column was type 3 when it stopped" in answer.advice


def test_a_column_that_others_lack_moves_back() -> None:
    """The columns behind it have no fix of their own; the way back is to its old place."""
    ours, theirs = "id int PRIMARY KEY, a varchar(9)", "x int, id int PRIMARY KEY, a varchar(9)"
    message = conversion("varchar(36(bytes))", "int")
    answer = answered(message, f"CREATE TABLE orders ({ours})", f"CREATE TABLE orders ({theirs})")
    assert "MODIFY COLUMN `x` int NULL DEFAULT NULL AFTER `a`;" in fix(answer)[1]
    assert answer.back[0].lines == (
        "ALTER TABLE `shop`.`orders` MODIFY COLUMN `x` int NULL DEFAULT NULL FIRST;",
    )


def test_a_table_that_the_statement_does_not_name() -> None:
    message = f"Error 'Table 'shop.log' doesn't exist' {QUERY}'INSERT INTO orders VALUES (1)'"
    answer = answered(message, ORDERS, ORDERS, Last_SQL_Errno="1146")
    assert "by a trigger, view or routine" in answer.happened
    assert answer.advice.startswith("Drop on the replica what names shop.log")
    answer = answered(message.replace("orders", "log"), ORDERS, ORDERS, Last_SQL_Errno="1146")
    assert answer.happened == "A change of shop.log arrived, and the replica had no such table."


@pytest.mark.parametrize(
    ("number", "error", "statement"),
    [
        (1091, "Can't DROP 'note'; check that column/key exists", "alter table orders drop note"),
        (1060, "Duplicate column name 'qty'", "ALTER TABLE orders ADD qty int"),
        (1054, "Unknown column 'amount' in 'orders'", "ALTER TABLE orders CHANGE amount qty int"),
        (1146, "Table 'shop.old' doesn't exist", "RENAME TABLE old TO orders"),
        (1050, "Table 'orders' already exists", "RENAME TABLE old TO orders"),
        (1050, "Table 'orders' already exists", "CREATE TABLE orders LIKE x"),
        (1050, "Table 'orders' already exists", "CREATE TABLE orders (id int) START TRANSACTION"),
        (1051, "Unknown table 'shop.items'", "DROP TABLE items"),
    ],
)
def test_what_happened_already_is_skipped_and_not_started_again(
    number: int, error: str, statement: str
) -> None:
    message = f"Error '{error}' {QUERY}'{statement}'"
    there = "LIKE" not in statement and "TRANSACTION" not in statement
    answer = answered(message, ORDERS, ORDERS, Last_SQL_Errno=str(number))
    assert not answer.equal
    assert answer.happened.startswith("The replica has the statement's change already") is there
    assert (answer.fix == answer.skip_sql) is there
    other = answered(message, ORDERS, ORDERS.replace("qty", "quantity"), Last_SQL_Errno=str(number))
    assert other.fix != other.skip_sql or statement == "DROP TABLE items"
    cut = answered(message[:-1], ORDERS, ORDERS, Last_SQL_Errno=str(number))
    assert cut.fix != cut.skip_sql


def test_a_good_transaction_is_run_again() -> None:
    message = "Could not execute Update_rows event on table shop.orders; Lock wait timeout exceeded"
    place = {"Relay_Source_Log_File": "bin.000007", "Exec_Source_Log_Pos": "421"}
    answer = answered(message, ORDERS, ORDERS, Last_SQL_Errno="1205", **place)
    assert [step.on for step in answer.look] == ["replica"]
    assert (answer.fix[0].lines, answer.skip_sql) == (("START REPLICA;",), ())


@pytest.mark.parametrize(
    ("status", "lines"),
    [
        ({"Auto_Position": "1"}, "STOP REPLICA; RESET REPLICA; START REPLICA;"),
        (
            {"Auto_Position": "0", "Channel_Name": "b"},
            (
                "STOP REPLICA FOR CHANNEL 'b'; CHANGE REPLICATION SOURCE TO SOURCE_LOG_FILE = 'bin.000007', "
                "SOURCE_LOG_POS = 421 FOR CHANNEL 'b'; START REPLICA FOR CHANNEL 'b';"
            ),
        ),
        ({"Using_Gtid": "Slave_Pos"}, "STOP SLAVE; START SLAVE;"),
        (
            {"Using_Gtid": "No", "Connection_name": "b"},
            (
                "STOP SLAVE 'b'; CHANGE MASTER 'b' TO MASTER_LOG_FILE = 'bin.000007', MASTER_LOG_POS = 421; "
                "START SLAVE 'b';"
            ),
        ),
    ],
)
def test_a_damaged_relay_log_is_fetched_again(status: dict[str, str], lines: str) -> None:
    place = {"Relay_Source_Log_File": "bin.000007", "Exec_Source_Log_Pos": "421"}
    answer = answered("Relay log read failure", Last_SQL_Errno="1594", **place, **status)
    assert lines in answer.advice


AUDITED = f"{ORDERS}; CREATE TABLE audit (id int PRIMARY KEY, note varchar(9)); "
IN_TRIGGER = (
    "Could not execute Update_rows_v1 event on table shop.orders; Unknown column 'x' in 'NEW', Error_code: "
    "1054; At line 1 in shop.ai, Error_code: 4094; handler error HA_ERR_GENERIC"
)
AUDITED += "CREATE TRIGGER ai AFTER INSERT ON orders FOR EACH ROW INSERT INTO audit VALUES (NEW.id, '')"


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (
            "1062",
            f"Error 'Duplicate entry '7' for key 'PRIMARY'' {QUERY}'INSERT INTO orders VALUES (7, '', 1)'",
        ),
        (
            "1364",
            f"Error 'Field 'note' doesn't have a default value' {QUERY}'REPLACE orders VALUES (7, '', 1)'",
        ),
        ("1054", IN_TRIGGER),
    ],
)
def test_an_error_out_of_a_trigger_says_nothing_of_the_statements_table(number: str, message: str) -> None:
    answer = answered(message, ORDERS, AUDITED, "mariadb-10.11", Last_SQL_Errno=number)
    assert (answer.fix, answer.equal) == ((), False)
    assert "ai) run with the change" in answer.advice
    assert answer.look[0].lines == ("SHOW TRIGGERS FROM `shop` LIKE 'orders';",)


def test_a_key_that_names_its_table_is_of_that_one() -> None:
    message = f"Error 'Duplicate entry '7' for key 'audit.PRIMARY'' {QUERY}'INSERT INTO orders VALUES (7)'"
    assert table_of(message) == "shop.audit"
    answer = answered(message, AUDITED, AUDITED, Last_SQL_Errno="1062")
    assert "DELETE FROM `shop`.`audit` WHERE `id` = '7';" in fix(answer)


def test_a_foreign_key_that_an_alter_adds_is_looked_for_in_the_real_table() -> None:
    refused = "CONSTRAINT `f` FOREIGN KEY (`p`) REFERENCES `parent` (`id`)"
    message = (
        f"Error 'Cannot add or update a child row: a foreign key constraint fails (`shop`.`#sql-7aea_a`, "
        f"{refused})' {QUERY}'ALTER TABLE orders ADD {refused}'"
    )
    answer = answered(message, Last_SQL_Errno="1452")
    look = "SELECT * FROM `shop`.`orders` WHERE (`p`) NOT IN (SELECT `id` FROM `shop`.`parent`);"
    assert look in answer.look[0].lines
    assert answer.fix == ()


def test_a_foreign_key_comes_back_without_a_default_database() -> None:
    """MySQL 5.6 looks for a parent that names no database in the default one: 1046."""
    refused = "CONSTRAINT `f` FOREIGN KEY (`id`) REFERENCES `parent` (`id`)"
    message = (
        "Could not execute Write_rows event on table shop.orders; Cannot add or update a child row: a "
        f"foreign key constraint fails (`shop`.`orders`, {refused}), Error_code: 1452"
    )
    answer = answered(message, ORDERS, ORDERS, "mysql-5.6", Last_SQL_Errno="1452")
    assert "REFERENCES `shop`.`parent` (`id`)" in answer.back[0].lines[0]


def test_an_update_that_meets_a_duplicate_does_not_name_its_old_row() -> None:
    message = (
        "Could not execute Update_rows event on table shop.orders; Duplicate entry '7' for key "
        "'orders.PRIMARY', Error_code: 1062; handler error HA_ERR_FOUND_DUPP_KEY"
    )
    answer = answered(message, ORDERS, ORDERS)
    assert "DELETE FROM `shop`.`orders` WHERE `id` = '7';" in fix(answer)


def test_a_key_of_another_collation_is_no_row_too_much() -> None:
    table = "CREATE TABLE orders (a varchar(9) COLLATE {} PRIMARY KEY)"
    ends = [table.format(f"utf8mb4_{name}") for name in ("bin", "general_ci")]
    message = (
        "Could not execute Write_rows event on table shop.orders; Duplicate entry 'A' for key 'PRIMARY', "
        "Error_code: 1062"
    )
    answer = answered(message, *ends, Last_SQL_Errno="1062")
    assert "COLLATE utf8mb4_bin" in fix(answer)[1]
    assert "COLLATE utf8mb4_general_ci" in answer.back[0].lines[0]


@pytest.mark.parametrize(
    ("number", "message", "happened"),
    [
        (
            "1062",
            f"Error 'Duplicate entry 'a' for key 'ua'' {QUERY}'alter table orders ADD UNIQUE (a)'",
            "ALTER met",
        ),
        (
            "1265",
            f"Error 'Data truncated for column 'a' at row 2' {QUERY}'ALTER TABLE orders MODIFY a INT'",
            "ALTER met",
        ),
        (
            "1048",
            f"Error 'Column 'a' cannot be null' {QUERY}'INSERT INTO orders VALUES (NULL)'",
            "strict mode",
        ),
        ("1050", f"Error 'Table 'b' already exists' {QUERY}'RENAME TABLE a TO b'", "is renamed"),
        (
            "1410",
            f"Error 'You are not allowed to create a user with GRANT' {QUERY}'GRANT ALL ON x.* TO y'",
            "account",
        ),
        ("1050", f"Error 'Table 'b' already exists' {QUERY}'CREATE TABLE b (a INT)'", "A table to create"),
    ],
)
def test_the_servers_words_mean_another_cause(number: str, message: str, happened: str) -> None:
    answer = answered(message, Last_SQL_Errno=number)
    assert happened in answer.happened
    assert answer.fix == ()


def test_a_replica_that_has_more_than_its_source() -> None:
    message = (
        "Error: connecting slave requested to start from GTID 0-1-9, which is not in the master's binlog"
    )
    row = {
        "Last_IO_Errno": "1236",
        "Last_IO_Error": f"Got fatal error 1236: '{message}'",
        "Last_SQL_Errno": "0",
    }
    (status,) = statuses(json.dumps(row))
    (cause,) = diagnose(status)
    assert cause.answer is not None
    assert "has transactions that the source does not have" in cause.answer.happened


def test_keys_of_several_columns_and_bytes() -> None:
    table = "CREATE TABLE orders (a varchar(9), b binary(2), UNIQUE KEY ab (a, b))"
    message = f"Error 'Duplicate entry '{{}}' for key 'ab'' {QUERY}'INSERT INTO orders'"
    answer = answered(message.format("it's-x"), table, table, Last_SQL_Errno="1062")
    assert answer.look[0].lines == (
        "SELECT * FROM `shop`.`orders` WHERE CONCAT_WS('-', `a`, `b`) = 'it''s-x';",
    )
    answer = answered(message.format("x-\\x00\\x01"), table, table, Last_SQL_Errno="1062")
    assert answer.fix == ()


@pytest.mark.parametrize(
    ("fields", "start", "skip"),
    [
        ({}, "START REPLICA;", COUNTER),
        ({"Channel_Name": "o'x"}, "START REPLICA FOR CHANNEL 'o''x';", COUNTER),
        ({"Connection_name": "e"}, "START SLAVE 'e';", "SET SESSION default_master_connection = 'e';"),
        (
            {"Retrieved_Gtid_Set": "03f31ab5-e91f-11f1-a538-02fc00000001:1-7",
             "Executed_Gtid_Set": "03f31ab5-e91f-11f1-a538-02fc00000001:1-4"},
            "START REPLICA;",
            "SET SESSION gtid_next = '03f31ab5-e91f-11f1-a538-02fc00000001:5'; BEGIN; COMMIT;",
        ),
    ],
)  # fmt: skip
def test_each_server_is_started_and_skipped_in_its_words(
    fields: dict[str, str], start: str, skip: str
) -> None:
    answer = answered(
        conversion("varchar(160(bytes))", "int"), ORDERS, ORDERS.replace("varchar(40)", "int"), **fields
    )
    assert fix(answer)[0] == "SET SESSION sql_log_bin = 0;"
    assert fix(answer)[-2:] == ["SET SESSION sql_log_bin = 1;", start]
    assert answer.skip_sql[0].lines[0] == skip


def test_transactions_of_several_sources_have_no_first() -> None:
    """Which of them stopped is not told: nothing is skipped by a guess."""
    names = [f"03f31ab5-e91f-11f1-a538-02fc0000000{n}:1-7" for n in (1, 2)]
    answer = answered(conversion("int", "int"), Retrieved_Gtid_Set=",".join(names))
    assert answer.skip_sql == ()


def test_the_log_is_read_at_the_place_of_the_status() -> None:
    answer = answered(
        conversion("int", "int"), Relay_Source_Log_File="bin log.7", Exec_Source_Log_Pos="157",
        Source_Host="db1; rm", Source_Port="3307", Source_User="repl",
    )  # fmt: skip
    (shell,) = [step for step in answer.look if step.on == "shell"]
    assert shell.lines[0].startswith("mysqlbinlog -R -h 'db1; rm' -P 3307 -u repl -p ")
    assert shell.lines[0].endswith("--start-position=157 'bin log.7'")


def test_a_definition_without_its_database_is_used_in_the_errors_one(tmp_path: Path, capsys) -> None:
    for name, text in (("s.sql", ORDERS), ("r.sql", ORDERS.replace("bigint", "int"))):
        (tmp_path / name).write_text(text + ";\n")
    message = conversion("bigint", "int(11)").replace("Column 1", "Column 2")
    (tmp_path / "status").write_text(f"Last_SQL_Errno: 1677\nLast_SQL_Error: {message}\n")
    files = [str(tmp_path / name) for name in ("status", "s.sql", "r.sql")]
    versions = ["--replica-version", "mysql-5.7.44", "--source-version", "mysql-5.7.44"]
    assert main(["diagnose", *files, *versions, "--format", "json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert found["fix"] == [
        {"on": "replica", "lines": [
            "SET SESSION sql_log_bin = 0;", "USE `shop`;",
            "ALTER TABLE `orders` MODIFY COLUMN `qty` bigint NOT NULL;",
            "SET SESSION sql_log_bin = 1;", "START SLAVE;",
        ]}
    ]  # fmt: skip
    assert found["back"][0]["lines"][-1] == "ALTER TABLE `orders` MODIFY COLUMN `qty` int NOT NULL;"
    assert found["happened"].startswith("The column qty of shop.orders arrived as bigint")
    assert found["look"]
    assert found["skip"]


def test_a_coordinator_names_its_workers_table_and_the_transaction() -> None:
    """MySQL 9.7.4's own text, pasted: the GTID is in it, the table is not."""
    message = (
        "Coordinator stopped because there were error(s) in the worker(s). The most recent failure being: "
        "Worker 1 failed executing transaction '03f31ab5-e91f-11f1-a538-02fc00000001:3' at source log "
        "bin.000001, end_log_pos 939. See error log and/or "
        "performance_schema.replication_applier_status_by_worker table for more details about this failure "
        "or others, if any."
    )
    answer = answered(message, Last_SQL_Errno="13146")
    assert "replication_applier_status_by_worker" in answer.look[0].lines[0]
    assert answer.skip_sql[0].lines[0].endswith("02fc00000001:3'; BEGIN; COMMIT;")


def test_rows_of_an_event_as_statements() -> None:
    """Several rows: those that are there stay, and going back would delete them too."""
    server = Server.parse("mysql-8.0.36")
    text = (
        "CREATE TABLE t (a int, b varchar(9) charset latin1, c timestamp(3), d blob, e double, g int as (a), "
    )
    (table,) = read(f"{text} PRIMARY KEY (a, b));", server, database="shop").tables
    rows = (
        (1, b"it's", "2026-01-01 00:00:00.500", b"\x00'", 0.1, 1),
        (-2, "\u00e9".encode("latin1"), None, None, None, -2),
    )
    zone, statement = insert(rows, table)
    assert zone == "SET SESSION time_zone = '+00:00';"
    first = "(1, 'it''s', '2026-01-01 00:00:00.500', X'0027', 0.1)"
    names = "INSERT IGNORE INTO `shop`.`t` (`a`, `b`, `c`, `d`, `e`)"
    assert statement == f"{names} VALUES {first}, (-2, _latin1 X'E9', NULL, NULL, NULL);"
    assert condition(rows[:1], table) == "`a` = 1 AND `b` = 'it''s'"
    (keyless,) = read("CREATE TABLE t (a int, b varchar(9));", server, database="shop").tables
    assert condition([(1, None)], keyless) == "`a` = 1 AND `b` IS NULL"
    assert insert(((1, None), (1, None)), keyless) == ()
    assert insert(((1, ABSENT),), keyless) == ()


@pytest.mark.parametrize(
    ("query", "table"),
    [
        ("UPDATE `orders` SET a = 'x.y'", "shop.orders"),
        ("insert into other.orders values (1)", "other.orders"),
        ("ALTER TABLE orders ADD x int", "shop.orders"),
        ("FLUSH STATUS", ""),
    ],
)
def test_the_table_of_a_statement(query: str, table: str) -> None:
    assert table_of(f"Error 'x' on query. Default database: 'shop'. Query: '{query}'") == table


def test_a_nullable_column_that_lost_its_default() -> None:
    """information_schema shows DEFAULT NULL and none alike (asked of 9.7.4)."""
    message = f"Error 'Field 'note' doesn't have a default value' {QUERY}'INSERT INTO orders (id) VALUES (1)'"
    answer = answered(message, ORDERS, ORDERS, "mysql-9.7", Last_SQL_Errno="1364")
    assert "run first: ALTER TABLE `shop`.`orders` ALTER COLUMN `note` SET DEFAULT NULL" in answer.advice


def test_the_fix_mends_what_would_harm_the_next_rows_too() -> None:
    """A column that is gone before common ones: its values would go on into its neighbour."""
    source = ORDERS.replace("qty", "author varchar(40), editor varchar(40), qty")
    replica = ORDERS.replace("varchar(40)", "varchar(20)").replace("qty", "editor varchar(40), qty")
    answer = answered(conversion("varchar(160(bytes))", "varchar(80(bytes))"), source, replica)
    modified, added = [line for line in fix(answer) if line.startswith("ALTER")]
    assert "MODIFY COLUMN `note` varchar(40)" in modified
    assert "ADD COLUMN `author` varchar(40)" in added
    assert answer.back[0].lines[-1] == "ALTER TABLE `shop`.`orders` DROP COLUMN `author`;"


def test_what_harms_later_rows_and_is_not_mended_is_shown(tmp_path, capsys) -> None:
    files = {
        "status": "Last_SQL_Errno: 1032\nLast_SQL_Error: "
        "Could not execute Update_rows event on table shop.orders; Can't find record, Error_code: 1032\n",
        "source": f"USE shop; {ORDERS};",
        "replica": f"USE shop; {ORDERS.replace('varchar(40)', 'varchar(20)')};",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.sql").write_text(text, "utf-8")
    paths = [str(tmp_path / f"{name}.sql") for name in files]
    assert main(["diagnose", *paths, "--source-version", "mysql-8.0.36"]) == 1
    out = capsys.readouterr().out
    assert "Mend this too before the applier is started" in out
    assert "MODIFY COLUMN `note` varchar(40)" in out
    assert main(["diagnose", *paths, "--source-version", "mysql-8.0.36", "--format", "json"]) == 1
    (stopped,) = json.loads(capsys.readouterr().out)
    assert [entry["code"] for entry in stopped["beside"]] == ["SC202"]
