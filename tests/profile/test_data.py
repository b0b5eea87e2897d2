"""Profiles of real tables: every count is what the rows themselves tell."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from schemacheck.dataclass import replace
from schemacheck.errors import UsageError
from schemacheck.inputs.connection import connected
from schemacheck.inputs.endpoint import Endpoint
from schemacheck.profile import data
from schemacheck.profile.data import Options, take
from schemacheck.profile.document import (
    ColumnProfile,
    Duplicates,
    Log,
    Profile,
    ServerOf,
    Skipped,
    definition_of,
    dump,
)
from schemacheck.profile.log import read as read_log
from schemacheck.profile.part import Part
from schemacheck.profile.reader import load
from schemacheck.profile.wanted import WantedTable, from_report
from schemacheck.scratch import program, start
from schemacheck.scratch.where import program_maker
from tests.profile.random_tables import expected, make

pytestmark = pytest.mark.server
#: A server that may be lost, in place of a MariaDB of this machine: mysql://root@127.0.0.1:3306
GIVEN = os.environ.get("PROFILED_SERVER")


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    if GIVEN:
        yield Endpoint.parse(GIVEN)
        return
    try:
        maker = program_maker(program.any_of_them())
    except UsageError as error:
        pytest.skip(str(error))
    with start.pair(maker, maker) as (source, _):
        yield source


class Database:
    """A database of its own."""

    def __init__(self, endpoint: Endpoint) -> None:
        import pymysql

        self.endpoint = endpoint
        self.connection = pymysql.connect(
            host=endpoint.host, port=endpoint.port, user=endpoint.user, password=endpoint.password or "",
            unix_socket=endpoint.socket, charset="utf8mb4", autocommit=True,
        )  # fmt: skip
        for statement in (
            "SET SESSION sql_mode = '', time_zone = '+00:00'",
            "DROP DATABASE IF EXISTS profiled",
            "CREATE DATABASE profiled CHARACTER SET utf8mb4",
            "USE profiled",
        ):
            self(statement)

    def __call__(self, statement: str) -> Sequence[Sequence[Any]]:
        with self.connection.cursor() as cursor:
            cursor.execute(statement)
            return list(cursor.fetchall())


@pytest.fixture
def database(endpoint: Endpoint) -> Iterator[Database]:
    made = Database(endpoint)
    with closing(made.connection):
        yield made


SEEDS = range(int(os.environ.get("PROFILED_SEEDS", "12")))


@pytest.mark.parametrize("seed", SEEDS)
def test_counts_are_what_the_rows_tell(database, monkeypatch, seed):
    monkeypatch.setattr(data, "FIRST", 40)
    r = random.Random(seed)
    make(database, "t", r, r.choice([0, 1, 30, 400]))
    schema = data._schema(database.endpoint, Options(("profiled",)))
    profile = take(database.endpoint, Options(("profiled",)))
    assert profile.skipped == ()
    (table,) = profile.tables
    rows, columns = expected(database, schema.tables[0])
    assert table.rows == rows
    assert table.complete
    for name, column in columns.items():
        assert table.columns[name] == column, name


def some_rows(database: Database) -> None:
    """Rows with 3 of a kind each: too large for an INT, NULL, alike without case."""
    database(
        "CREATE TABLE orders (id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, amount BIGINT NOT NULL, "
        "email VARCHAR(50) COLLATE utf8mb4_bin, state ENUM('a', 'b', 'c'), KEY (amount))"
    )
    for n in range(300):
        amount = 3_000_000_000 if n % 100 == 7 else n
        email = "NULL" if n % 100 == 8 else f"'{'A' if n % 100 == 9 else 'a' if n % 100 == 10 else n}'"
        database(f"INSERT INTO orders (amount, email, state) VALUES ({amount}, {email}, {n % 2 + 1})")


def test_a_run_that_is_killed_goes_on_where_it_was(database, monkeypatch, tmp_path):
    some_rows(database)
    monkeypatch.setattr(data, "FIRST", 20)
    monkeypatch.setattr(data, "UNLIMITED", 20)  # pieces do not grow
    options = Options(("profiled",))
    whole = take(database.endpoint, options)
    places = []

    def opened(server: ServerOf) -> Part:
        file = Part(tmp_path / "p.part", {"server": repr(server), "from": data.now()})
        places.append(file.table("profiled", "orders")[1])
        return file

    def killed(text: str) -> None:
        if "%" in text and len(places) < 4:
            raise KeyboardInterrupt

    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            take(database.endpoint, options, part=opened, progress=killed)
    with (tmp_path / "p.part").open("ab") as stream:
        stream.write(b'{"table": {"schema": "prof')  # the line in which it was killed
    again = take(database.endpoint, options, part=opened)
    assert places[0] is None
    assert 0 < places[1] < places[2] < places[3]
    assert clean(again) == clean(whole)


def clean(profile: Profile) -> object:
    """All but the times."""
    return [replace(table, taken="") for table in profile.tables], profile.skipped, profile.server


def report_of(database: Database, tmp_path: Path, run: Any) -> Path:
    """What `check` says of the table and a replica whose columns are narrower and whose key is stricter."""
    replica = (
        "CREATE DATABASE profiled; USE profiled; CREATE TABLE orders (id INT NOT NULL AUTO_INCREMENT PRIMARY "
        "KEY, amount INT NOT NULL, email VARCHAR(50) COLLATE utf8mb4_general_ci, state ENUM('a', 'c'), "
        "KEY (amount), UNIQUE KEY (email));"
    )
    source = str(database("SHOW CREATE TABLE orders")[0][1])
    (tmp_path / "s.sql").write_text(f"CREATE DATABASE profiled; USE profiled; {source};")
    (tmp_path / "r.sql").write_text(replica)
    server = data._schema(database.endpoint, Options(("profiled",))).server
    version = f"{server.flavor}-{server.version_text}"
    versions = ("--source-version", version, "--replica-version", version)
    options = ("--format", "json", "--type-conversions", "ALL_LOSSY", "--binlog-format", "ROW", *versions)
    result = run("check", tmp_path / "s.sql", tmp_path / "r.sql", *options)
    assert result.status == 1, result.err
    (tmp_path / "report.json").write_text(result.out)
    return tmp_path / "report.json"


def test_what_a_report_is_about_is_counted(database, tmp_path, run):
    some_rows(database)
    wanted = from_report(str(report_of(database, tmp_path, run)))
    (table,) = take(database.endpoint, Options(("profiled",), wanted)).tables
    assert table.columns["amount"].counted == {"`amount` < -2147483648 OR `amount` > 2147483647": 3}
    assert table.columns["state"].counted == {"`state` + 0 IN (2, 3)": 150}
    assert table.duplicates == (Duplicates(("email",), 1, 6, "utf8mb4_general_ci"),)


def test_indexes_answer_where_they_can(database, monkeypatch):
    some_rows(database)
    database("ANALYZE TABLE orders")
    condition = "`amount` > 2147483647"
    wanted = {("profiled", "orders"): WantedTable({"id", "amount"}, {"amount": [condition]})}
    without = take(database.endpoint, Options(("profiled",)))
    (counted,) = take(database.endpoint, Options(("profiled",), wanted)).tables
    assert counted.rows == 300
    monkeypatch.setattr(data, "UNLIMITED", 100)
    before = rows_read(database)
    (table,) = take(database.endpoint, Options(("profiled",), wanted)).tables
    between = rows_read(database)
    assert clean(take(database.endpoint, Options(("profiled",)))) == clean(without)
    assert rows_read(database) - between > between - before + 250, "no row but those that are counted"
    assert table.columns == {
        "id": ColumnProfile("int unsigned", 0, Decimal(1), Decimal(300), zero=0),
        "amount": ColumnProfile(
            "bigint", 0, Decimal(0), Decimal(3_000_000_000), zero=1, counted={condition: 3}
        ),
    }
    assert table.complete
    assert table.rows is None, "an estimate is no number of rows"
    assert table.auto_increment == 301


def rows_read(database: Database) -> int:
    return sum(int(value) for _, value in database("SHOW GLOBAL STATUS LIKE 'Handler_read%'"))


def test_a_sample_says_so(database, monkeypatch):
    some_rows(database)
    monkeypatch.setattr(data, "FIRST", 10)
    monkeypatch.setattr(data, "UNLIMITED", 10)
    profile = take(database.endpoint, Options(("profiled",), sample=5))
    (table,) = profile.tables
    assert profile.sample == 5
    assert not table.complete
    assert not table.complete
    assert 10 <= table.rows <= 120


def test_bounds_stay_on_the_server(database):
    some_rows(database)
    profile = take(database.endpoint, Options(("profiled",), bounds=False))
    assert not profile.bounds
    assert "3000000000" not in dump(profile, "schemacheck")
    assert profile.tables[0].columns["amount"] == ColumnProfile("bigint", 0, zero=1)


def test_what_cannot_be_read_is_named(database):
    some_rows(database)
    database("CREATE TABLE nothing (a INT) ENGINE=BLACKHOLE") if blackhole(database) else None
    database("CREATE VIEW v AS SELECT * FROM orders")
    profile = take(database.endpoint, Options(("profiled",)))
    assert {table.name for table in profile.tables} == {"orders"}
    assert [s.place for s in profile.skipped] == ["profiled.nothing"] * blackhole(database)


def blackhole(database: Database) -> bool:
    return any(row[0] == "BLACKHOLE" and row[1] in ("YES", "DEFAULT") for row in database("SHOW ENGINES"))


def test_a_definition_that_changes_meanwhile(database):
    some_rows(database)

    def change(text: str) -> None:
        if text.endswith("rows"):
            database("ALTER TABLE orders MODIFY amount DECIMAL(20) NOT NULL")

    profile = take(database.endpoint, Options(("profiled",)), progress=change)
    assert not profile.tables[0].complete
    assert profile.skipped == (Skipped("profiled.orders", "its definition changed while it was read"),)


def test_the_command_writes_the_file_and_removes_its_part(database, tmp_path, run, monkeypatch):
    some_rows(database)
    monkeypatch.setenv("SCHEMACHECK_PASSWORD", database.endpoint.password or "")
    end = database.endpoint
    dsn = f"mysql://{end.user}@{end.host}:{end.port}/profiled"
    result = run("profile", dsn, "-o", "p.json")
    assert (result.status, result.out, result.err) == (0, "", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.json"]
    assert load("p.json").tables[0].rows == 300
    (tmp_path / "p.json.part").write_text('{"server": "another", "asked": "", "from": "x"}\n')
    result = run("profile", dsn, "-o", "p.json")
    assert result.status == 2
    assert "p.json.part: it is of another run" in result.err
    for line in ("[]\n", "{}\n", '{"table": 1, "from": null, "next": null}\n', '{"x":\n'):
        (tmp_path / "p.json.part").unlink()
        assert run("profile", dsn, "-o", "q.json", "--timeout", "0.001").status == 2
        result = run("profile", dsn, "-o", "p.json")
        assert result.status == 0
        (tmp_path / "p.json.part").write_text(line)
        result = run("profile", dsn, "-o", "p.json")
        assert result.status == 2
        assert "p.json.part" in result.err


@pytest.mark.parametrize("seed", SEEDS)
def test_a_log_s_values_are_those_of_the_rows(database, tmp_path, seed):
    r = random.Random(seed)
    database("SET SESSION binlog_format = ROW")
    database("FLUSH BINARY LOGS")
    make(database, "t", r, r.choice([1, 30, 400]))
    schema = data._schema(database.endpoint, Options(("profiled",)))
    profile = read_log([last_log(database, tmp_path)], schema=schema)
    assert profile.skipped == ()
    (table,) = profile.tables
    rows, columns = expected(database, schema.tables[0])
    assert table.writes.inserts == table.rows == rows
    assert table.definition == definition_of(schema.tables[0])
    measured = set()
    for name, column in columns.items():
        for field in ColumnProfile.__match_args__:
            value, right = getattr(table.columns[name], field), getattr(column, field)
            if isinstance(right, dict):
                right = {key: count for key, count in right.items() if count}
                value = value and {key: count for key, count in value.items() if count}
            if value is not None:
                measured.add(field)
                assert value == right or (value == {} and not right), (name, field)
    assert {"type", "nulls", "zero", "minimum", "maximum"} <= measured


def last_log(database: Database, folder: Path) -> str:
    """The server's last log as a file."""
    name = str(database("SHOW BINARY LOGS")[-1][0])
    with connected(database.endpoint, 60) as session:
        (folder / name).write_bytes(b"\xfebin" + b"".join(session.log(name, 4)))
    return str(folder / name)


def test_what_statements_write_is_told_by_their_texts(database, tmp_path):
    some_rows(database)
    database("SET SESSION binlog_format = STATEMENT, sql_mode = 'STRICT_TRANS_TABLES'")
    database("FLUSH BINARY LOGS")
    for n in range(3):
        database(f"INSERT INTO orders (amount, email) VALUES ({n}, 'x{n}')")
        change = f"UPDATE orders SET amount = amount + {n}, email = 'it''s \\' {n}'"
        database(f"{change} WHERE id IN ({n}, 7) LIMIT 1")
    database("SET SESSION sql_mode = ''")
    database("SET @email = 'me'")
    database("INSERT IGNORE INTO orders VALUES (900, 1, @email, 1), (901, 2, UPPER('x'), NULL)")
    database("ALTER TABLE orders COMMENT 'x'")
    profile = read_log([last_log(database, tmp_path)])
    assert profile.log == Log(("statement",), complete=True)
    assert [(s.text, s.count, " ".join(s.features), s.inserted) for s in profile.statements] == [
        ("INSERT INTO orders (amount, email) VALUES (?, ?)", 3, "insert", ("amount", "email")),
        (
            "UPDATE orders SET amount = amount + ?, email = ? WHERE id IN (...) LIMIT ?", 3, "update limit",
            (),
        ),
        (
            "INSERT IGNORE INTO orders VALUES (?, ?, @email, ?), (?, ?, UPPER(?), NULL)", 1,
            "insert no-column-list many-rows ignore user-variable function not-strict", None,
        ),
        ("ALTER TABLE orders COMMENT ?", 1, "definition", None),
    ]  # fmt: skip
    assert profile.statements[1].updated == ("amount", "email")
    assert profile.statements[1].read == ("orders", "amount", "id")
    assert [(t.schema, t.name, t.writes.statements) for t in profile.tables] == [("profiled", "orders", 8)]


def test_updates_and_deletes_of_a_log(database, tmp_path):
    some_rows(database)
    database("SET SESSION binlog_format = ROW")
    database("FLUSH BINARY LOGS")
    database("UPDATE orders SET amount = 5000000000 WHERE id BETWEEN 1 AND 10")
    database("DELETE FROM orders WHERE id < 3")
    schema = data._schema(database.endpoint, Options(("profiled",)))
    (table,) = read_log([last_log(database, tmp_path)], schema=schema).tables
    assert (table.writes.inserts, table.writes.updates, table.writes.deletes) == (0, 10, 2)
    assert table.writes.changed_columns == {"amount": 10}
    assert table.rows == 22
    assert table.columns["amount"].maximum == 5_000_000_000
    assert table.columns["id"].minimum == 1
