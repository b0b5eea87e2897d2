"""Snapshots of a real MariaDB: what is read, what is promised, what goes wrong."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import threading
import time
import traceback
from pathlib import Path

import pytest

from schemacheck.errors import InputError
from schemacheck.inputs import live, open_schema
from schemacheck.inputs.endpoint import PASSWORD_VARIABLE, Endpoint
from schemacheck.model import KeyKind, TableKind

pymysql = pytest.importorskip("pymysql", reason="PyMySQL is not installed: pip install 'schemacheck[live]'")

pytestmark = pytest.mark.server

SHOP = [
    "CREATE DATABASE shop CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci",
    """CREATE TABLE shop.customer (
      id bigint unsigned NOT NULL AUTO_INCREMENT, email varchar(190) NOT NULL DEFAULT 'it''s', born date, extra json,
      changed timestamp(3) NOT NULL DEFAULT current_timestamp(3) ON UPDATE current_timestamp(3), kind enum('a','b''c') DEFAULT 'a',
      name_length int GENERATED ALWAYS AS (char_length(`email`)) VIRTUAL, secret varbinary(8) DEFAULT x'6162' INVISIBLE,
      PRIMARY KEY (id), UNIQUE KEY mail (email), KEY born (born), CONSTRAINT adult CHECK (born > '1900-01-01')) ENGINE=InnoDB""",  # noqa: E501
    """CREATE TABLE shop.orders (id int PRIMARY KEY, customer bigint unsigned NOT NULL, note text, UNIQUE KEY n (note),
      CONSTRAINT of_customer FOREIGN KEY (customer) REFERENCES customer (id) ON DELETE CASCADE)""",  # noqa: E501
    "CREATE TABLE shop.history (id int PRIMARY KEY) WITH SYSTEM VERSIONING",
    "CREATE SEQUENCE shop.numbers",
    "CREATE VIEW shop.names AS SELECT email FROM shop.customer",
]


@pytest.fixture(scope="module")
def shop(mariadb):
    mariadb.run(*SHOP)
    yield mariadb
    mariadb.run("DROP DATABASE shop")


@pytest.fixture
def password(monkeypatch, mariadb):
    monkeypatch.setenv(PASSWORD_VARIABLE, mariadb.password)
    return mariadb.password


def dsn(instance, database="shop", user="root") -> str:
    return f"mysql://{user}@127.0.0.1:{instance.port}/{database}"


def test_snapshot_is_the_schema(shop, password, tmp_path):
    steps: list[str] = []
    snapshot = live.take(Endpoint.parse(dsn(shop)), progress=lambda _, step: steps.append(step))
    assert steps[0] == "connect"
    assert (snapshot.passes, snapshot.changed) == (2, ())
    assert snapshot.write(str(tmp_path / "s.jsonl.gz")) > 0
    snapshot.write(str(tmp_path / "s.jsonl.zst"))
    snapshot.write(str(tmp_path / "s.jsonl"))
    lines = (tmp_path / "s.jsonl").read_text("utf-8").splitlines()
    for view in ("COLUMNS", "STATISTICS", "TABLES"):
        lost = next(at for at, line in enumerate(lines) if f'"view": "{view}"' in line)
        (tmp_path / "lost.jsonl").write_text("\n".join([*lines[:lost], *lines[lost + 1 :]]), "utf-8")
        problems = [p.message for p in open_schema(str(tmp_path / "lost.jsonl")).problems if not p.skipped]
        assert any(f"rows of {view}, and its last line counts" in message for message in problems)
    schemas = [open_schema(str(tmp_path / f"s.jsonl{end}")) for end in ("", ".gz", ".zst")] + [
        open_schema(dsn(shop))
    ]
    assert all(s.tables == schemas[0].tables and s.server == schemas[0].server for s in schemas)
    assert [p for p in schemas[0].problems if not p.skipped] == []
    assert schemas[0].server is not None
    assert schemas[0].server.flavor == "mariadb"
    assert schemas[0].server.given("binlog_format")
    tables = {t.name: t for t in schemas[0].tables}
    assert {n: t.kind for n, t in tables.items() if t.kind is not TableKind.TABLE} == {
        "numbers": TableKind.SEQUENCE,
        "names": TableKind.VIEW,
    }
    customer = tables["customer"]
    assert [k.name for k in customer.keys] == ["PRIMARY", "mail", "born"]
    assert [c.name for c in customer.checks] == ["adult", "extra"]
    assert customer.columns[-1].invisible
    assert customer.columns[1].default is not None
    assert customer.columns[1].default.text == "it's"
    assert [c.name for c in tables["orders"].columns] == ["id", "customer", "note", "DB_ROW_HASH_1"]
    assert tables["orders"].foreign_keys[0].on_delete == "CASCADE"
    assert tables["history"].system_versioned
    assert [c.name for c in tables["history"].columns] == ["id", "row_start", "row_end"]
    assert {k.kind for k in tables["orders"].keys} == {KeyKind.PRIMARY, KeyKind.UNIQUE, KeyKind.INDEX}


def test_snapshot_agrees_with_the_servers_own_ddl(shop, password, tmp_path):
    rows = open_schema(dsn(shop))
    script = ["USE shop;"]
    connection = pymysql.connect(
        host="127.0.0.1", port=shop.port, user="root", password=password, charset="utf8mb4"
    )
    with contextlib.closing(connection), connection.cursor() as cursor:
        for name in ("customer", "orders", "history"):
            cursor.execute(f"SHOW CREATE TABLE shop.{name}")
            script.append(cursor.fetchone()[1] + ";")
    file = tmp_path / "shop.sql"
    file.write_text("\n".join(script), "utf-8")
    ddl = open_schema(str(file), server=rows.server)
    assert [p for p in ddl.problems if not p.skipped] == []
    found = {t.name: t for t in rows.tables}
    assert {t.name: t for t in ddl.tables} == {
        name: found[name] for name in ("customer", "orders", "history")
    }


def test_statements_for_a_client_give_the_same_snapshot(shop, password, tmp_path):
    """What `mysql -N --raw` prints of print_sql is a snapshot: run through the driver here, row by row as the
    client writes it.
    """
    for flavor in ("mariadb-10.11", "mysql-5.6"):
        lines = []
        connection = pymysql.connect(
            host="127.0.0.1", port=shop.port, user="root", password=password, charset="utf8mb4"
        )
        with contextlib.closing(connection), connection.cursor() as cursor:
            for statement in live.print_sql(flavor, ["shop"]).split(";\n"):
                if statement.strip():
                    cursor.execute(statement)
                    lines += [row[0] for row in cursor.fetchall()]
        file = tmp_path / f"{flavor}.jsonl"
        file.write_text("\n".join(lines) + "\n", "utf-8")
        assert all(isinstance(json.loads(line), dict) for line in lines)
        found = {t.name: t for t in open_schema(str(file)).tables}
        expected = {t.name: t for t in open_schema(dsn(shop)).tables}
        if flavor == "mariadb-10.11":
            assert found == expected
        else:
            # A 5.6 server has no generated columns and no CHECKs to tell of.
            # Its generated column has no expression there: the table is unknown.
            assert found.keys() | {"customer"} == expected.keys()


def test_two_live_servers_differ(shop, mariadb, password):
    mariadb.run("CREATE DATABASE other", "CREATE TABLE other.orders (id bigint PRIMARY KEY)")
    try:
        first, second = open_schema(dsn(shop)), open_schema(dsn(shop, "other"))
        assert {t.name for t in second.tables} == {"orders"}
        assert {t.name: t for t in first.tables}["orders"] != second.tables[0]
    finally:
        mariadb.run("DROP DATABASE other")


def told(error: BaseException) -> str:
    return "".join(traceback.format_exception(error)) + repr(error) + str(vars(error))


def test_what_show_create_alone_tells(mariadb, password):
    """The order of unique keys, and CYCLE: information_schema has neither."""
    orders = ("UNIQUE KEY x (a), UNIQUE KEY y (b)", "UNIQUE KEY y (b), UNIQUE KEY x (a)")
    for name, order, cycle in zip(("one", "two"), orders, ("CYCLE", "NOCYCLE"), strict=True):
        mariadb.run(
            f"CREATE DATABASE {name}", f"CREATE TABLE {name}.t (a INT, b INT, {order})",
            f"CREATE SEQUENCE {name}.s MAXVALUE 9 {cycle}",
        )  # fmt: skip
    source, replica = (open_schema(dsn(mariadb, name)) for name in ("one", "two"))
    assert [table.query for table in source.tables if table.kind is TableKind.SEQUENCE] == ["CYCLE"]
    assert [table.query for table in replica.tables if table.kind is TableKind.SEQUENCE] == [""]
    assert [table.key_order for table in source.tables if table.keys] == [("x", "y")]
    assert [table.key_order for table in replica.tables if table.keys] == [("y", "x")]
    mariadb.run("DROP DATABASE one", "DROP DATABASE two")


def test_a_foreign_key_of_a_database_that_is_not_read_is_no_pass(mariadb, password):
    mariadb.run(
        "CREATE DATABASE parents",
        "CREATE DATABASE children",
        "CREATE TABLE parents.p (id INT PRIMARY KEY)",
        "CREATE TABLE children.c (p INT, FOREIGN KEY (p) REFERENCES parents.p (id))",
    )
    schema = open_schema(dsn(mariadb, "parents"))
    assert [p.message.partition(":")[0] for p in schema.problems] == [
        "a foreign key of children.c leads to p, and children is not read"
    ]
    mariadb.run("DROP DATABASE children", "DROP DATABASE parents")


def test_wrong_password_is_told_without_the_password(shop, monkeypatch):
    monkeypatch.setenv(PASSWORD_VARIABLE, "wr0ng-secret")
    endpoint = Endpoint.parse(dsn(shop))
    assert "wr0ng" not in repr(endpoint)
    with pytest.raises(
        InputError, match=r"127\.0\.0\.1:\d+: cannot connect: Access denied .* \(error 1045\)"
    ) as caught:
        live.take(endpoint)
    assert "wr0ng" not in told(caught.value)


def test_nobody_listens():
    with pytest.raises(InputError, match=r"127\.0\.0\.1:1: cannot connect"):
        live.take(Endpoint.parse("mysql://root@127.0.0.1:1/"))


def test_a_database_that_is_not_there_is_named(shop, password):
    """An empty schema would look like a server without tables."""
    with pytest.raises(InputError, match="there is no database 'nowhere' that this account may see"):
        live.take(Endpoint.parse(dsn(shop, database="nowhere")))


def test_tls_that_the_server_does_not_offer_is_an_error(shop, password):
    with pytest.raises(InputError, match="cannot connect"):
        live.take(Endpoint.parse(dsn(shop) + "?ssl-mode=REQUIRED"))


def test_a_user_who_sees_little_gets_little(shop, monkeypatch):
    """information_schema shows what a user may see: fewer tables, never a wrong one."""
    shop.run(
        "CREATE USER guest@'127.0.0.1' IDENTIFIED BY 'g'",
        "GRANT SELECT (id, note) ON shop.orders TO guest@'127.0.0.1'",
    )
    try:
        monkeypatch.setenv(PASSWORD_VARIABLE, "g")
        schema = open_schema(dsn(shop, user="guest"))
        assert schema.tables == ()
        (problem,) = [p for p in schema.problems if not p.skipped]
        assert (problem.table, "ordinal position 2" in problem.message) == ("orders", True)
    finally:
        shop.run("DROP USER guest@'127.0.0.1'")


def test_server_gone_in_mid_run(password, start_server, tmp_path):
    instance = start_server(tmp_path, "--log-bin=bin", "--binlog-ignore-db=d", "--binlog-ignore-db=e")
    try:
        instance.run("CREATE DATABASE d", "CREATE TABLE d.t (a int)")
        # No variable of 10.11 tells which databases the log leaves out.
        server = open_schema(dsn(instance, "d")).server
        assert server.setting("binlog_ignore_db") == "d,e"
        assert server.setting("time_zone_names") == "0"

        def kill(_, step):
            if step == "STATISTICS":
                instance.stop(hard=True)

        with pytest.raises(InputError, match=r"reading information_schema\.STATISTICS failed: ") as caught:
            live.take(Endpoint.parse(dsn(instance, "")), progress=kill)
        assert password not in told(caught.value)
    finally:
        instance.stop(hard=True)


def test_an_unreachable_host_does_not_stop_the_fleet(shop, password):
    seen: list[tuple[str, str]] = []
    hosts = [
        Endpoint.parse(dsn(shop)),
        Endpoint.parse("mysql://root@127.0.0.1:1/"),
        Endpoint.parse(dsn(shop)),
    ]
    outcomes = live.take_all(hosts, progress=lambda *told: seen.append(told))
    assert [o.error is None for o in outcomes] == [True, False, True]
    assert outcomes[0].snapshot is not None
    assert "cannot connect" in (outcomes[1].error or "")
    assert [step for _, step in seen].count("") == 3


def test_tables_that_change_meanwhile_are_unknown(shop, password, tmp_path):
    """DDL between the passes: read again until two passes agree; what never settles is reported."""
    mariadb = shop
    mariadb.run(
        "CREATE DATABASE moving", "CREATE TABLE moving.restless (a int)", "CREATE TABLE moving.still (a int)"
    )
    passes = count = 0

    def alter(step, most):
        nonlocal passes, count
        passes += step == "SCHEMATA"
        if step == "SCHEMATA" and 1 < passes <= most:
            count += 1
            mariadb.run(f"ALTER TABLE moving.restless ADD COLUMN c{count} int")

    try:
        snapshot = live.take(
            Endpoint.parse(dsn(mariadb, "moving")), passes=3, progress=lambda _, step: alter(step, 3)
        )
        assert snapshot.changed == (("moving", "restless"),)
        snapshot.write(str(tmp_path / "m.jsonl.gz"))
        for schema in (open_schema(str(tmp_path / "m.jsonl.gz")),):
            assert [t.name for t in schema.tables] == ["still"]
            assert [(p.table, p.skipped) for p in schema.problems] == [("restless", False)]
        passes = 0
        settled = live.take(Endpoint.parse(dsn(mariadb, "moving")), progress=lambda _, step: alter(step, 2))
        assert (settled.changed, settled.passes) == ((), 3)
    finally:
        mariadb.run("DROP DATABASE moving")


def test_under_constant_ddl_every_table_is_whole_or_reported(shop, password):
    mariadb = shop
    mariadb.run("CREATE DATABASE busy", *(f"CREATE TABLE busy.t{n} (a int, b int)" for n in range(20)))
    stop = threading.Event()

    def work():
        number = 0
        while not stop.is_set():
            number += 1
            table = f"busy.t{number % 5}"
            mariadb.run(
                f"ALTER TABLE {table} ADD COLUMN x int, ADD KEY x (x)", f"ALTER TABLE {table} DROP COLUMN x"
            )

    worker = threading.Thread(target=work)
    worker.start()
    try:
        snapshot = live.take(Endpoint.parse(dsn(mariadb, "busy")), passes=3)
    finally:
        stop.set()
        worker.join()
        mariadb.run("DROP DATABASE busy")
    from schemacheck.inputs.bundle import assemble

    schema = assemble(snapshot.pieces(), server=None, name="busy")
    for table in schema.tables:
        assert {p.column for k in table.keys for p in k.parts} <= {c.name for c in table.columns}
    assert {t.name for t in schema.tables} | {t for _, t in snapshot.changed} == {f"t{n}" for n in range(20)}


@pytest.mark.skipif(
    not shutil.which("mariadb") and not shutil.which("mysql"), reason="no mysql or mariadb client here"
)
def test_through_the_real_client(shop, password, tmp_path):
    client = shutil.which("mariadb") or shutil.which("mysql")
    options = tmp_path / "my.cnf"
    options.write_text(
        f"[client]\nuser=root\nhost=127.0.0.1\nport={shop.port}\npassword='{password}'\n", "utf-8"
    )
    done = subprocess.run(
        [str(client), f"--defaults-file={options}", "-N", "--raw", "--default-character-set=utf8mb4"],
        input=live.print_sql("mariadb-10.11", ["shop"]).encode(),
        capture_output=True, check=True,
    )  # fmt: skip
    file = tmp_path / "s.jsonl"
    file.write_bytes(done.stdout)
    assert {t.name: t for t in open_schema(str(file)).tables} == {
        t.name: t for t in open_schema(dsn(shop)).tables
    }
    # A statement that the account may not run would end the client: it asks for no table of mysql.
    told = open_schema(str(Path(file))).server.with_told({"time_zone_names": "0"})
    assert told == open_schema(dsn(shop)).server


def test_two_thousand_tables(mariadb, password, tmp_path):
    # The last one: its database goes with the server.
    count = 2000
    mariadb.run("CREATE DATABASE big")
    mariadb.run(
        *(
            (
                f"CREATE TABLE big.t{n} (id bigint NOT NULL PRIMARY KEY, a varchar({n % 90 + 1}), b "
                "datetime(6), KEY (a)) ENGINE=MEMORY"
            )
            for n in range(count)
        )
    )
    started = time.monotonic()
    snapshot = live.take(Endpoint.parse(dsn(mariadb, "big")), passes=2)
    size = snapshot.write(str(tmp_path / "big.jsonl.gz"))
    schema = open_schema(str(tmp_path / "big.jsonl.gz"))
    assert len(schema.tables) == count
    assert all(len(t.columns) == 3 and len(t.keys) == 2 for t in schema.tables)
    assert size < 1 << 19
    assert time.monotonic() - started < 60
