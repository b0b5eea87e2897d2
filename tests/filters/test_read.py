"""Readers of filters, and the words of servers that refuse a value."""

from pathlib import Path

import pytest

from schemacheck.errors import BadSetting, InputError
from schemacheck.filters.read import parse, read
from schemacheck.model import Server
from schemacheck.model.filters import FilterSet

MYSQL = Server.parse("mysql-8.0.36")
OLD = Server.parse("mysql-5.6")
MARIADB = Server.parse("mariadb-10.11")


def test_a_command_line_is_not_read() -> None:
    with pytest.raises(InputError, match="options of a command line are not read"):
        parse("--replicate-do-db=a")


def test_channels_and_connections() -> None:
    default, channel = parse(
        "[mysqld]\nreplicate-do-db=a\nreplicate-do-db=c1:b\nreplicate-ignore-table=x.y\n", MYSQL
    ).filters
    assert (default.channel, default.do_db, default.ignore_table) == ("", ("a",), ("x.y",))
    assert (channel.channel, channel.do_db, channel.ignore_table) == ("c1", ("b",), ("x.y",))
    default, connection = parse("[mysqld]\nreplicate-do-db=a\nc1.replicate-ignore-db=b\n", MARIADB).filters
    assert (connection.channel, connection.do_db, connection.ignore_db) == ("c1", ("a",), ("b",))
    assert default.ignore_db == ()


def test_option_file_with_groups_and_includes(tmp_path: Path) -> None:
    (tmp_path / "conf.d").mkdir()
    (tmp_path / "conf.d" / "b.cnf").write_text("[mysqld]\nreplicate-do-db = two # why\n")
    (tmp_path / "conf.d" / "ignored.txt").write_text("[mysqld]\nreplicate-do-db=never\n")
    (tmp_path / "extra.cnf").write_text(
        "[mysqld-8.0]\nreplicate-wild-do-table='a\\_b.%'\n[mysqld-5.7]\nreplicate-do-db=old\n"
    )
    main = tmp_path / "my.cnf"
    main.write_text(
        "# c\n[client]\nreplicate-do-db=client\n[mysqld]\nreplicate_do_db=one\nserver-id=7\nskip-log-slave-updates\n!include "  # noqa: E501
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        ""
        "extra.cnf\n!includedir conf.d\n"
    )
    found = read(main, MYSQL)
    assert found.channel() == FilterSet(do_db=("one", "two"), wild_do_table=("a\\_b.%",))
    assert dict(found.settings) == {"server_id": "7", "log_slave_updates": "OFF"}
    assert found.channel().origin("replicate-do-db", "two") == f"{tmp_path / 'conf.d' / 'b.cnf'}:2"
    assert found.channel().origin("replicate-do-db", "one") == f"{main}:5"


def test_option_files_that_cannot_be_read(tmp_path: Path) -> None:
    ring = tmp_path / "ring.cnf"
    ring.write_text(f"[mysqld]\n!include {ring}\n")
    with pytest.raises(InputError, match="more than 10 deep"):
        read(ring)
    lost = tmp_path / "lost.cnf"
    lost.write_text("[mysqld]\n!include nowhere.cnf\n")
    with pytest.raises(InputError, match=r"lost.cnf:2: cannot include .*nowhere.cnf"):
        read(lost)
    with pytest.raises(InputError, match="no such directory"):
        parse_includedir(tmp_path)


def parse_includedir(folder: Path) -> None:
    file = folder / "dir.cnf"
    file.write_text("[mysqld]\n!includedir nowhere\n")
    read(file)


def test_change_replication_filter() -> None:
    text = """
        CHANGE REPLICATION FILTER REPLICATE_DO_DB = (d1, `d 2`), REPLICATE_IGNORE_TABLE = (db1.t1, `db`.`t`);
        change replication filter replicate_wild_do_table = ('a\\_b.%', 'c.d'), REPLICATE_REWRITE_DB = ((a, b), (c, d)) FOR CHANNEL 'x';
        CHANGE REPLICATION FILTER REPLICATE_DO_DB = (d3)"""  # noqa: E501
    default, channel = parse(text, MYSQL).filters
    assert default == FilterSet(do_db=("d3",), ignore_table=("db1.t1", "db.t"))
    assert (channel.wild_do_table, channel.rewrite_db, channel.channel) == (
        ("a\\_b.%", "c.d"),
        (("a", "b"), ("c", "d")),
        "x",
    )


def test_mariadb_statements() -> None:
    found = parse(
        "SET GLOBAL replicate_do_db='a,b'; SET GLOBAL c1.replicate_rewrite_db = 'a->b'; CHANGE MASTER 'c1' "
        "TO IGNORE_DOMAIN_IDS=(1,2)",
        MARIADB,
    )
    assert found.channel() == FilterSet(do_db=("a", "b"))
    assert found.channel("c1") == FilterSet(rewrite_db=(("a", "b"),), ignore_domain_ids=(1, 2), channel="c1")


VERTICAL = """*************************** 1. row ***************************
             Replica_IO_State: Waiting for source to send event
              Replicate_Do_DB: a,b
      Replicate_Wild_Do_Table: x\\_y.%
         Replicate_Rewrite_DB: (a,b),(c,d)
                 Channel_Name: one
*************************** 2. row ***************************
          Replicate_Ignore_DB: z
                 Channel_Name:
"""


def test_status_vertical() -> None:
    found = parse(VERTICAL, MYSQL)
    assert found.channel("one") == FilterSet(
        do_db=("a", "b"), wild_do_table=("x\\_y.%",), rewrite_db=(("a", "b"), ("c", "d")), channel="one"
    )
    assert found.channel() == FilterSet(ignore_db=("z",))


@pytest.mark.parametrize(
    "text",
    [
        "Slave_IO_State\tReplicate_Do_DB\tReplicate_Wild_Ignore_Table\nx\ta,b\tx\\\\_y.%\n",
        "CHANNEL_NAME\tFILTER_NAME\tFILTER_RULE\tCONFIGURED_BY\n\tREPLICATE_DO_DB\ta,b\tX\n\tREPLICATE_WILD_IGNORE_TABLE\tx\\\\_y.%\tX\n",
        "Variable_name\tValue\nreplicate_do_db\ta,b\nreplicate_wild_ignore_table\tx\\\\_y.%\n",
        "replicate_do_db\ta,b\nreplicate_wild_ignore_table\tx\\\\_y.%\n",
        (
            "+---+---+\n| Variable_name | Value |\n+---+---+\n| replicate_do_db | a,b |\n| "
            "replicate_wild_ignore_table | x\\_y.% |\n+---+---+\n"
        ),
        (
            '{"FILTER_NAME": "REPLICATE_DO_DB", "FILTER_RULE": "a, b"}\n{"FILTER_NAME": '
            '"REPLICATE_WILD_IGNORE_TABLE", "FILTER_RULE": "x\\\\_y.%", "CHANNEL_NAME": ""}\n'
        ),
        "[mysqld]\nreplicate-do-db=a\nreplicate-do-db=b\nreplicate-wild-ignore-table=x\\_y.%\n",
        "CHANGE REPLICATION FILTER REPLICATE_DO_DB=(a,b), REPLICATE_WILD_IGNORE_TABLE=('x\\_y.%')",
    ],
)
def test_every_layout_is_one_value(text: str) -> None:
    assert parse(text).channel() == FilterSet(do_db=("a", "b"), wild_ignore_table=("x\\_y.%",))


def test_source_status() -> None:
    found = parse("File\tPosition\tBinlog_Do_DB\tBinlog_Ignore_DB\nb.1\t4\ta,b\tc\n")
    assert found.channel() == FilterSet(binlog_do_db=("a", "b"), binlog_ignore_db=("c",))


@pytest.mark.parametrize("text", ["", "hello", "a\tb\n1\t2\n", "{not json"])
def test_nothing_understood_is_an_error(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)


@pytest.mark.parametrize(
    ("text", "server", "words"),
    [
        ("[mysqld]\nreplicate-do-table=nodot", OLD, "Could not add do table rule 'nodot'!"),
        ("[mysqld]\nreplicate-wild-ignore-table=db1%", OLD, "Could not add ignore table rule 'db1%'!"),
        ("[mysqld]\nreplicate-rewrite-db=a", OLD, "Bad syntax in replicate-rewrite-db - missing '->'!"),
        ("[mysqld]\nreplicate-rewrite-db=->b", OLD, "Bad syntax in replicate-rewrite-db - empty FROM db!"),
        ("[mysqld]\nreplicate-rewrite-db=a->", OLD, "Bad syntax in replicate-rewrite-db - empty TO db!"),
        (
            "CHANGE REPLICATION FILTER REPLICATE_WILD_DO_TABLE=('db1%')",
            MYSQL,
            (
                "Supplied filter list contains a value which is not in the required format "
                "'db_pattern.table_pattern'"
            ),
        ),
    ],
)
def test_refused_in_the_servers_words(text: str, server: Server, words: str) -> None:
    with pytest.raises(BadSetting) as error:
        parse(text, server)
    assert words in str(error.value)


def test_the_place_of_a_refused_value(tmp_path: Path) -> None:
    file = tmp_path / "my.cnf"
    file.write_text("[mysqld]\n\nreplicate-do-table=nodot\n")
    with pytest.raises(BadSetting, match=r"my.cnf:3: --replicate-do-table=nodot: the server refuses it"):
        read(file, OLD)


@pytest.mark.parametrize(
    "text",
    [
        (
            "| CHANNEL_NAME | FILTER_NAME | FILTER_RULE | CONFIGURED_BY |\n| | REPLICATE_DO_DB | other | "
            "CHANGE_REPLICATION_FILTER |"
        ),
        (
            "| Connection_name | Slave_SQL_State | Replicate_Do_DB | Replicate_Ignore_DB |\n|              "
            "   "
            "| x | other |  |"
        ),
        "| Replicate_Do_DB | Replicate_Ignore_DB |\r\n| other |  |\r",
    ],
)
def test_empty_cells_of_an_ascii_table(text: str) -> None:
    assert parse(f"+----+\n{text}\n+----+\n").filters == (FilterSet(do_db=("other",)),)


@pytest.mark.parametrize(
    "text",
    [
        "+--+\n| FILTER_NAME | FILTER_RULE |\n| REPLICATE_DO_DB |\n+--+\n",
        "+--+\n| FILTER_NAME | FILTER_RULE |\n| REPLICATE_DO_DB | a|b |\n+--+\n",
        "FILTER_NAME\tFILTER_RULE\nREPLICATE_DO_DBS\ta\n",
        '[{"FILTER_NAME": "REPLICATE_DO_DB", "FILTER_RULE": "a"}, 3]',
        "CHANGE REPLICATION FILTER REPLICATE_DO_DB=(db1), REPLICATE_IGNORE_TABLE=(db1.t",
        "CHANGE REPLICATION FILTER REPLICATE_REWRITE_DB=((a,b)",
        "CHANGE REPLICATION FILTER REPLICATE_REWRITE_DB=((a,b) (c,d)",
        "CHANGE MASTER TO IGNORE_DOMAIN_IDS=(1,2",
        "CHANGE MASTER TO IGNORE_DOMAIN_IDS=1",
        "SET GLOBAL replicate_do_db='a'; SET GLOBAL replicate_ignore_db=CONCAT('a', 'b')",
        "SET GLOBAL replicate_do_db='a', replicate_ignore_db=@x",
        "SET GLOBAL replicate_do_db='a', replicate_ignore_table=db1.t",
        "SET GLOBAL replicate_do_db='a'; SET @@session.replicate_do_db='b'",
        "SET GLOBAL replicate_do_db=",
    ],
)
def test_what_is_not_understood_is_an_error(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)


@pytest.mark.parametrize(
    ("text", "filters"),
    [
        (
            "SET @@GLOBAL.replicate_ignore_table='db1.t'; SET GLOBAL replicate_do_db=db1;",
            FilterSet(ignore_table=("db1.t",), do_db=("db1",)),
        ),
        (
            "SET GLOBAL replicate_do_db := `db2`, @@global.replicate_ignore_db = 'a' 'b'",
            FilterSet(do_db=("db2",), ignore_db=("ab",)),
        ),
        ("SET GLOBAL replicate_do_db='a'; SET GLOBAL replicate_do_db=DEFAULT", FilterSet()),
        (
            "SET GLOBAL replicate_do_db='a'; SET GLOBAL replicate_do_db=NULL, sql_mode=CONCAT('a', 'b')",
            FilterSet(),
        ),
        (
            "SET GLOBAL replicate_annotate_row_events=ON; SET GLOBAL replicate_wild_ignore_table='a\\_b.%'",
            FilterSet(wild_ignore_table=("a\\_b.%",)),
        ),
    ],
)
def test_variables_as_mariadb_takes_them(text: str, filters: FilterSet) -> None:
    """Asked of MariaDB 10.11.19 and 11.8.6."""
    assert parse(text, MARIADB).channel() == filters


def test_a_filter_without_a_value() -> None:
    """Asked of 9.7 and 11.8: one behind `=` may be empty."""
    with pytest.raises(BadSetting, match="requires an argument"):
        parse("[mysqld]\nreplicate-do-db\n", OLD)
    assert parse("[mysqld]\nreplicate-do-db=\n", OLD).channel() == FilterSet(do_db=("",))


GROUPS = (
    "client-server", "galera", "mysqld", "server", "mariadb", "mariadbd", "mariadb-server", "mysqld-10.11", "server-10.11", "mariadb-10.11", "mariadbd-10.11",  # noqa: E501
    "mysqld-11.8", "mariadb_server", "client", "mysqld_safe", "galera-10.11", "client-mariadb", "embedded", "mysqld-10", "mariadb-10", "mysqld-9.7", " mysqld ",  # noqa: E501
)  # fmt: skip


@pytest.mark.parametrize(
    ("server", "read"),
    [
        (
            "mariadb-10.11",
            (
                "client-server",
                "galera",
                "mysqld",
                "server",
                "mariadb",
                "mariadbd",
                "mysqld-10.11",
                "mariadb-10.11",
                "mariadbd-10.11",
            ),
        ),
        (
            "mariadb-11.8",
            ("client-server", "galera", "mysqld", "server", "mariadb", "mariadbd", "mysqld-11.8"),
        ),
        ("mysql-9.7", ("mysqld", "server", "mysqld-9.7")),
    ],
)
def test_the_groups_that_a_server_reads(server: str, read: tuple[str, ...]) -> None:
    """Asked with --print-defaults."""
    text = "".join(f"[{group}]\nreplicate-do-db={group}\n" for group in GROUPS)
    assert parse(text, Server.parse(server)).channel().do_db == read


def test_values_of_an_option_file() -> None:
    """Asked of 10.11 and 9.7 with --print-defaults."""
    written = [
        "a#b",
        '"a#b"',
        "'q1' # c",
        '"open',
        '"a" b "c"',
        r"a\sb\_c\%d\\e\"f\'g",
        r"'a\sb\nc'",
        "x y  ",
        "z ;c",
        "'it''s'",
        "'mixed\"",
        "a'b#c'd#e",
    ]
    taken = [
        "a",
        "a#b",
        "q1",
        '"open',
        'a" b "c',
        "a b\\_c\\%d\\e\"f'g",
        "a b\nc",
        "x y",
        "z ;c",
        "it''s",
        "'mixed\"",
        "a'b#c'd",
    ]
    found = parse("[mysqld]\n" + "".join(f"replicate-do-db = {value}\n" for value in written), OLD)
    assert [text for _, text, _ in found.channel().origins] == taken
