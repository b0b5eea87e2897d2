"""The kind of conversion for all pairs of families, server by server: `can_convert_field_to` and its like as
tables.
"""

from __future__ import annotations

import pytest

from schemacheck.conversion import Kind, classify, needed_mode, permitted
from schemacheck.model import ColumnType, Server

#: `=` as it is, `<` non-lossy, `>` lossy, `.` never.
KINDS = {"=": Kind.EXACT, "<": Kind.NON_LOSSY, ">": Kind.LOSSY, ".": Kind.IMPOSSIBLE}
TYPES = {
    "ti": "tinyint", "sm": "smallint", "me": "mediumint", "in": "int", "bi": "bigint", "de": "decimal(10,2)",
    "fl": "float", "do": "double",
    "b8": "bit(8)", "ch": "char(10)", "vc": "varchar(10)", "tx": "text", "bl": "blob", "bn": "binary(10)",
    "en": "enum('a','b')", "se": "set('a','b')",
    "da": "date", "dt": "datetime", "ts": "timestamp", "tm": "time", "ye": "year", "ge": "geometry",
}  # fmt: skip

#: MySQL since 5.5.3: rows are the source's types, columns the replica's.
MYSQL = """
    ti sm me in bi de fl do b8 ch vc tx bl bn en se da dt ts tm ye ge
ti  =  <  <  <  <  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
sm  >  =  <  <  <  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
me  >  >  =  <  <  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
in  >  >  >  =  <  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
bi  >  >  >  >  =  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
de  .  .  .  .  .  =  >  >  .  .  .  .  .  .  .  .  .  .  .  .  .  .
fl  .  .  .  .  .  >  =  <  .  .  .  .  .  .  .  .  .  .  .  .  .  .
do  .  .  .  .  .  >  >  =  .  .  .  .  .  .  .  .  .  .  .  .  .  .
b8  .  .  .  .  .  .  .  .  =  .  .  .  .  .  .  .  .  .  .  .  .  .
ch  .  .  .  .  .  .  .  .  .  =  <  <  <  =  .  .  .  .  .  .  .  .
vc  .  .  .  .  .  .  .  .  .  <  =  <  <  <  .  .  .  .  .  .  .  .
tx  .  .  .  .  .  .  .  .  .  >  >  =  =  >  .  .  .  .  .  .  .  .
bl  .  .  .  .  .  .  .  .  .  >  >  =  =  >  .  .  .  .  .  .  .  .
bn  .  .  .  .  .  .  .  .  .  =  <  <  <  =  .  .  .  .  .  .  .  .
en  .  .  .  .  .  .  .  .  .  .  .  .  .  .  =  .  .  .  .  .  .  .
se  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  =  .  .  .  .  .  .
da  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  =  .  .  .  .  .
dt  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  =  .  .  .  .
ts  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  =  .  .  .
tm  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  =  .  .
ye  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  =  .
ge  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  =
"""

#: MySQL 5.1: equal type bytes (CHAR, BINARY, ENUM and SET share one), then the source's size at most the
#: replica's.
MYSQL_51 = """
    ti sm me in bi de fl do b8 ch vc tx bl bn en se da dt ts tm ye ge
ti  =  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
sm  .  =  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
me  .  .  =  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
in  .  .  .  =  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
bi  .  .  .  .  =  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
de  .  .  .  .  .  =  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
fl  .  .  .  .  .  .  =  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
do  .  .  .  .  .  .  .  =  .  .  .  .  .  .  .  .  .  .  .  .  .  .
b8  .  .  .  .  .  .  .  .  =  .  .  .  .  .  .  .  .  .  .  .  .  .
ch  .  .  .  .  .  .  .  .  .  =  .  .  .  =  .  .  .  .  .  .  .  .
vc  .  .  .  .  .  .  .  .  .  .  =  .  .  .  .  .  .  .  .  .  .  .
tx  .  .  .  .  .  .  .  .  .  .  .  =  =  .  .  .  .  .  .  .  .  .
bl  .  .  .  .  .  .  .  .  .  .  .  =  =  .  .  .  .  .  .  .  .  .
bn  .  .  .  .  .  .  .  .  .  =  .  .  .  =  .  .  .  .  .  .  .  .
en  .  .  .  .  .  .  .  .  .  =  .  .  .  =  =  =  .  .  .  .  .  .
se  .  .  .  .  .  .  .  .  .  =  .  .  .  =  =  =  .  .  .  .  .  .
da  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  =  .  .  .  .  .
dt  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  =  .  .  .  .
ts  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  =  .  .  .
tm  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  =  .  .
ye  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  =  .
ge  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  =
"""


def cells(grid: str) -> dict[tuple[str, str], Kind]:
    head, *rows = [line.split() for line in grid.strip().splitlines()]
    return {(row[0], column): KINDS[mark] for row in rows for column, mark in zip(head, row[1:], strict=True)}


#: MariaDB since 10.3.10 knows DATE <-> DATETIME (MDEV-17098).
MARIADB = cells(MYSQL) | {("da", "dt"): Kind.NON_LOSSY, ("dt", "da"): Kind.LOSSY}
GRIDS = {
    "mysql-5.1.73": cells(MYSQL_51), "mysql-5.5.2": cells(MYSQL_51),
    **dict.fromkeys(("mysql-5.5.3", "mysql-5.5.68", "mysql-5.6.51", "mysql-5.7.44", "mysql-8.0.36",
    "mysql-8.4.9", "mysql-9.7.4", "percona-8.0.36"), cells(MYSQL)),
    **dict.fromkeys(("mariadb-5.5.68", "mariadb-10.2.44"), cells(MYSQL)),
    **dict.fromkeys(("mariadb-10.4.34", "mariadb-10.11.19", "mariadb-11.8.6"), MARIADB),
}  # fmt: skip


def kind(source: str, replica: str, server: str, other: str | None = None, charset: str = "latin1") -> Kind:
    """From a column of `server` to one of `other` (the same where it is not given)."""
    first, second = Server.parse(server), Server.parse(other or server)
    return classify(
        ColumnType.parse(source, charset=charset), ColumnType.parse(replica, charset=charset), first, second
    )


@pytest.mark.parametrize("server", GRIDS)
def test_families(server: str) -> None:
    grid = GRIDS[server]
    assert len(grid) == len(TYPES) ** 2
    wrong = {
        pair: (found, wanted)
        for pair, wanted in grid.items()
        if (found := kind(TYPES[pair[0]], TYPES[pair[1]], server)) is not wanted
    }
    assert wrong == {}


#: Sizes of one family, from the source's type to the replica's, by all servers since 5.5.3.
SIZES = """
char(10)            char(20)                <
char(20)            char(10)                >
varchar(10)         varchar(300)            <
varchar(300)        varchar(10)             >
varchar(0)          varchar(10)             =
char(10)            varchar(9)              >
varchar(255)        tinytext                <
varchar(256)        tinytext                >
tinytext            text                    <
longtext            mediumtext              >
tinyblob            varbinary(255)          <
tinyblob            varbinary(254)          >
longblob            longtext                =
decimal(10,2)       decimal(12,2)           <
decimal(10,2)       decimal(9,2)            >
decimal(10,2)       decimal(10,3)           <
decimal(10,3)       decimal(10,2)           >
decimal(10,4)       decimal(12,2)           <
decimal(12,2)       decimal(10,4)           >
decimal(10,2)       float                   >
float               decimal(10,2)           >
float               double(10,2)            >
double              float(30,2)             <
float(7,3)          float                   =
bit(8)              bit(9)                  <
bit(9)              bit(8)                  >
enum('a')           enum('x','y','z')       =
set('a')            set('a','b','c','d','e','f','g','h','i')    <
int                 int unsigned            =
int unsigned        bigint                  <
bigint              int unsigned            >
year                year                    =
point               polygon                 =
"""


@pytest.mark.parametrize("line", SIZES.strip().splitlines(), ids=lambda line: "-".join(line.split()[:2]))
@pytest.mark.parametrize(
    "server",
    [
        "mysql-5.5.68",
        "mysql-5.6.51",
        "mysql-8.0.36",
        "mysql-9.7.4",
        "mariadb-5.5.68",
        "mariadb-10.11.19",
        "mariadb-11.8.6",
    ],
)
def test_sizes(line: str, server: str) -> None:
    source, replica = (part.strip() for part in line[:-1].split("  ", 1))
    assert kind(source, replica, server) is KINDS[line[-1]]


@pytest.mark.parametrize(
    ("source", "replica", "charset", "wanted"),
    [
        ("varchar(10) character set utf8mb4", "varchar(40) character set latin1", "latin1", "="),
        ("varchar(75) character set utf8mb4", "varchar(100) character set utf8mb3", "latin1", "="),
        ("varchar(255) character set utf8mb3", "varchar(255) character set utf8mb4", "latin1", "<"),
        ("varchar(300)", "tinytext character set utf8mb4", "latin1", "<"),  # 300 against 255 times 4
        ("char(63) character set utf8mb4", "char(64) character set utf8mb4", "latin1", "<"),
        ("char(10) character set ucs2", "binary(20)", "latin1", "="),
    ],
)
@pytest.mark.parametrize("server", ["mysql-5.6.51", "mysql-8.0.36", "mariadb-10.11.19"])
def test_lengths_count_bytes(source: str, replica: str, charset: str, wanted: str, server: str) -> None:
    assert kind(source, replica, server, charset=charset) is KINDS[wanted]


#: MySQL 5.1's size rule; a CHAR of the replica counts one byte more (server source,
#: tabledef::compatible_with).
SIZES_51 = [
    ("char(10)", "char(20)", "="),
    ("char(10)", "char(9)", "="),
    ("char(10)", "char(8)", "."),
    ("char(10)", "binary(10)", "="),
    ("char(10)", "binary(25)", "="),
    ("char(10)", "binary(5)", "."),
    ("varchar(10)", "varchar(11)", "="),
    ("varchar(10)", "varchar(9)", "."),
    ("decimal(5,4)", "decimal(6,4)", "="),
    ("decimal(5,4)", "decimal(5,3)", "."),
    ("decimal(5,4)", "decimal(4,4)", "."),
    ("tinyblob", "blob", "="),
    ("blob", "tinyblob", "."),
    ("bit(8)", "bit(9)", "="),
    ("bit(9)", "bit(8)", "."),
    ("int", "int unsigned", "="),
]


@pytest.mark.parametrize(("source", "replica", "mark"), SIZES_51, ids=lambda value: value)
def test_sizes_before_5_5_3(source: str, replica: str, mark: str) -> None:
    assert kind(source, replica, "mysql-5.1.73") is KINDS[mark]
    assert kind(source, replica, "mysql-5.5.2") is KINDS[mark]


def test_5_1_is_looser_than_5_5_about_widening() -> None:
    assert kind("varchar(10)", "varchar(20)", "mysql-5.1.73") is Kind.EXACT
    assert kind("varchar(10)", "varchar(20)", "mysql-5.5.68") is Kind.NON_LOSSY


#: Fractions of a second: (from, to) -> kind. A column without fraction sends nothing, so nothing is compared.
FRACTIONS = {
    (0, 0): "=",
    (0, 6): "=",
    (1, 2): "=",
    (3, 4): "=",
    (5, 6): "=",
    (1, 3): "<",
    (2, 6): "<",
    (3, 0): ">",
    (6, 3): ">",
    (4, 3): "=",
}


@pytest.mark.parametrize(("digits", "mark"), FRACTIONS.items(), ids=str)
@pytest.mark.parametrize("word", ["time", "datetime", "timestamp"])
@pytest.mark.parametrize("server", ["mysql-5.6.51", "mysql-9.7.4", "mariadb-10.11.19"])
def test_fractions_are_compared_by_stored_size(
    digits: tuple[int, int], mark: str, word: str, server: str
) -> None:
    assert kind(f"{word}({digits[0]})", f"{word}({digits[1]})", server) is KINDS[mark]


@pytest.mark.parametrize("word", ["time", "datetime", "timestamp"])
@pytest.mark.parametrize(
    ("replica", "wanted"),
    [
        ("mysql-5.6.4", Kind.IMPOSSIBLE), ("mysql-5.6.19", Kind.IMPOSSIBLE), ("mysql-5.6.20", Kind.VARIANT),
        ("mysql-5.6.51", Kind.VARIANT),
        ("mysql-5.7.4", Kind.IMPOSSIBLE), ("mysql-5.7.5", Kind.VARIANT), ("mysql-8.0.36", Kind.VARIANT),
        ("mariadb-10.11.19", Kind.VARIANT),
    ],
)  # fmt: skip
def test_old_temporals_into_new_ones(word: str, replica: str, wanted: Kind) -> None:
    """Bug#17532932: 5.6.20 and 5.7.5 take what 5.5 sends, whatever the setting."""
    found = kind(word, word, "mysql-5.5.68", replica)
    assert found is wanted
    assert permitted(found, frozenset(), Server.parse(replica)) is (wanted is Kind.VARIANT)


def test_float_to_double_by_display_length() -> None:
    """(M,D) replaces the width of the replica's type; where it comes out equal nothing is converted."""
    assert kind("float", "double(11,2)", "mysql-8.0.36") is Kind.LOSSY
    assert kind("float", "double(12,2)", "mysql-8.0.36") is Kind.UNCHECKED
    assert kind("float", "double(13,2)", "mysql-8.0.36") is Kind.NON_LOSSY
    assert kind("double", "float(22,2)", "mysql-8.0.36") is Kind.UNCHECKED
    assert not permitted(Kind.UNCHECKED, frozenset(), Server.parse("mysql-8.0.36"))
    assert permitted(Kind.UNCHECKED, frozenset({"ALL_LOSSY"}), Server.parse("mysql-8.0.36"))
    assert permitted(Kind.UNCHECKED, frozenset(), Server.parse("mariadb-10.11.19"))


@pytest.mark.parametrize(
    ("source", "replica", "ends", "wanted"),
    [
        ("json", "json", ("mysql-8.0.36", "mysql-8.0.36"), Kind.EXACT),
        ("json", "longtext", ("mysql-8.0.36", "mysql-8.0.36"), Kind.IMPOSSIBLE),
        ("json", "longtext", ("mysql-8.0.36", "mariadb-10.11.19"), Kind.UNREADABLE),
        ("json", "longtext", ("mysql-5.7.44", "mysql-5.6.51"), Kind.IMPOSSIBLE),
        ("json", "json", ("mysql-8.0.36", "mariadb-10.11.19"), Kind.UNREADABLE),
        ("json", "longtext", ("mariadb-10.11.19", "mariadb-10.11.19"), Kind.EXACT),
        ("json", "longtext", ("mariadb-10.11.19", "mysql-8.0.36"), Kind.EXACT),
        ("json", "json", ("mariadb-10.11.19", "mysql-8.0.36"), Kind.IMPOSSIBLE),
        ("vector(3)", "vector(3)", ("mysql-9.7.4", "mysql-9.7.4"), Kind.EXACT),
        ("vector(3)", "vector(4)", ("mysql-9.7.4", "mysql-9.7.4"), Kind.IMPOSSIBLE),
        ("vector(3)", "blob", ("mysql-9.7.4", "mysql-9.7.4"), Kind.IMPOSSIBLE),
        ("vector(3)", "varbinary(12)", ("mysql-9.7.4", "mysql-8.0.36"), Kind.IMPOSSIBLE),
        ("vector(3)", "varbinary(12)", ("mariadb-11.8.6", "mariadb-11.8.6"), Kind.EXACT),
        ("varbinary(16)", "vector(3)", ("mariadb-11.8.6", "mariadb-11.8.6"), Kind.IMPOSSIBLE),
        ("uuid", "binary(16)", ("mariadb-10.11.19", "mariadb-10.11.19"), Kind.EXACT),
        ("binary(16)", "uuid", ("mariadb-10.11.19", "mariadb-10.11.19"), Kind.EXACT),
        ("char(36)", "uuid", ("mariadb-10.11.19", "mariadb-10.11.19"), Kind.IMPOSSIBLE),
        ("inet6", "inet4", ("mariadb-10.11.19", "mariadb-10.11.19"), Kind.IMPOSSIBLE),
        ("inet4", "binary(4)", ("mariadb-10.11.19", "mariadb-10.11.19"), Kind.EXACT),
    ],
)  # fmt: skip
def test_types_that_not_every_server_has(
    source: str, replica: str, ends: tuple[str, str], wanted: Kind
) -> None:
    assert kind(source, replica, *ends) is wanted


@pytest.mark.parametrize(
    ("found", "word"),
    [(Kind.EXACT, None), (Kind.VARIANT, None), (Kind.UNCHECKED, None), (Kind.NON_LOSSY, "ALL_NON_LOSSY"),
    (Kind.LOSSY, "ALL_LOSSY"), (Kind.IMPOSSIBLE, None), (Kind.UNREADABLE, None)],
)  # fmt: skip
def test_each_kind_needs_its_word_alone(found: Kind, word: str | None) -> None:
    server = Server.parse("mysql-8.0.36")
    every = {"ALL_LOSSY", "ALL_NON_LOSSY", "ALL_SIGNED", "ALL_UNSIGNED"}
    assert needed_mode(found) == word
    assert permitted(found, frozenset(every), server) is (found not in (Kind.IMPOSSIBLE, Kind.UNREADABLE))
    if word:
        assert permitted(found, frozenset({word}), server)
        assert not permitted(found, frozenset(every - {word}), server)
        assert not permitted(found, frozenset(), server)
