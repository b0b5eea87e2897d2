"""Constructs of real schema files, in small statements of our own: what the table is."""

from __future__ import annotations

import pytest

from schemacheck.catalog import read
from schemacheck.model import Column, ColumnType, Default, DefaultKind, KeyKind, Server, Table

MYSQL = Server.parse("mysql-8.4")
MARIADB = Server.parse("mariadb-11.8")
LITERAL, NULL = DefaultKind.LITERAL, Default(DefaultKind.NULL)


def table(text: str, server: Server = MYSQL, **settings: str) -> Table:
    schema = read(
        text, server.with_settings(settings), database="d", charsets={"d": ("utf8mb4", "utf8mb4_general_ci")}
    )
    assert schema.problems == ()
    return schema.tables[-1]


def column(definition: str, server: Server = MYSQL, **settings: str) -> Column:
    return table(f"CREATE TABLE t (c {definition})", server, **settings).columns[0]


@pytest.mark.parametrize(
    ("written", "means"),
    [
        ("INT8", "bigint"), ("INT3 UNSIGNED", "mediumint unsigned"), ("MIDDLEINT", "mediumint"), ("INTEGER",
        "int"), ("BOOL", "tinyint"),
        ("REAL", "double"), ("DOUBLE PRECISION", "double"), ("FLOAT(24)", "float"), ("FLOAT(25)", "double"),
        ("FLOAT(7,4)", "float(7,4)"), ("FLOAT4", "float"),
        ("DEC", "decimal(10,0)"), ("NUMERIC(5)", "decimal(5,0)"), ("FIXED(7,2) UNSIGNED",
        "decimal(7,2) unsigned"),
        ("LONG", "mediumtext"), ("LONG VARBINARY", "mediumblob"), ("LONG VARCHAR", "mediumtext"),
        ("CHARACTER VARYING(7)", "varchar(7)"),
        ("NCHAR VARCHAR(3)", "varchar(3)"), ("NATIONAL CHARACTER(3)", "char(3)"), ("CHAR BYTE", "binary(1)"),
        ("VARCHAR(9) CHARACTER SET binary", "varbinary(9)"),
        ("TEXT CHARSET binary", "blob"), ("TEXT(63)", "tinytext"), ("TEXT(64)", "text"),
        ("TEXT(64) CHARACTER SET latin1", "tinytext"), ("TEXT(20000)", "mediumtext"),
        ("BLOB(256)", "blob"), ("BLOB(65536)", "mediumblob"), ("BIT", "bit(1)"), ("CHAR", "char(1)"),
        ("YEAR(4)", "year"), ("TIMESTAMP(3) NULL", "timestamp(3)"),
        ("DATETIME(0)", "datetime"), ("POINT SRID 4326", "point"), ("GEOMCOLLECTION", "geometrycollection"),
        ("JSON", "json"), ("ENUM('a' , \"b\")", "enum('a','b')"),
        ("INT/* c */UNSIGNED", "int unsigned"), ("INT ZEROFILL",
        "int unsigned zerofill"),
    ],
)  # fmt: skip
def test_types(written: str, means: str) -> None:
    kind = column(written).type
    assert (
        kind == ColumnType.parse(means, charset=kind.charset, collation=kind.collation)
        or kind.plain() == means
    )


@pytest.mark.parametrize(
    ("definition", "charset", "collation"),
    [
        ("CHAR(5)", "utf8mb4", "utf8mb4_general_ci"),
        ("CHAR(5) BINARY", "utf8mb4", "utf8mb4_bin"),
        ("CHAR(5) ASCII", "latin1", "latin1_swedish_ci"),
        ("CHAR(5) UNICODE", "ucs2", "ucs2_general_ci"),
        ("CHAR(5) CHARSET utf8", "utf8mb3", "utf8mb3_general_ci"),
        ("CHAR(5) CHARACTER SET utf8mb4", "utf8mb4", "utf8mb4_0900_ai_ci"),
        ("CHAR(5) COLLATE latin1_bin", "latin1", "latin1_bin"),
        ("NCHAR(5)", "utf8mb3", "utf8mb3_general_ci"),
        ("CHAR(5) CHARACTER SET latin1 COLLATE 'latin1_german1_ci'", "latin1", "latin1_german1_ci"),
    ],
)
def test_charsets(definition: str, charset: str, collation: str) -> None:
    kind = column(definition).type
    assert (kind.charset, kind.collation) == (charset, collation)


def test_charset_is_inherited() -> None:
    assert table("CREATE TABLE t (c CHAR(5)) CHARSET latin1").columns[0].type.collation == "latin1_swedish_ci"
    assert table("CREATE TABLE t (c CHAR(5)) COLLATE=utf8mb4_bin").columns[0].type.collation == "utf8mb4_bin"
    assert (
        table("CREATE TABLE t (c CHAR(5) COLLATE DEFAULT)", MARIADB).columns[0].type.collation
        == "utf8mb4_uca1400_ai_ci"
    )
    assert (
        table("CREATE TABLE t (c CHAR(5) COLLATE uca1400_as_cs)", MARIADB).columns[0].type.collation
        == "utf8mb4_uca1400_as_cs"
    )
    server = MYSQL.with_settings({"character_set_server": "latin1", "collation_server": "latin1_bin"})
    assert read("CREATE TABLE t (c CHAR(5))", server).tables[0].columns[0].type.collation == "latin1_bin"


@pytest.mark.parametrize(
    ("definition", "default"),
    [
        ("INT", NULL), ("INT NOT NULL", None), ("INT DEFAULT NULL", NULL), ("INT DEFAULT '007'", "7"),
        ("INT DEFAULT TRUE", "1"), ("TINYINT(1) DEFAULT b'0'", "0"), ("INT DEFAULT 1.0", "1"),
        ("INT(5) ZEROFILL DEFAULT 42", "00042"), ("DECIMAL(5,2) DEFAULT 1", "1.00"),
        ("DECIMAL(65,30) DEFAULT 1.5", f"1.5{'0' * 29}"), ("DECIMAL(6,2) ZEROFILL DEFAULT 1", "0001.00"),
        ("FLOAT DEFAULT 1.10", "1.1"), ("DOUBLE DEFAULT '0.00001'", "0.00001"),
        ("DOUBLE DEFAULT -1000.00", "-1000"),
        ("FLOAT DEFAULT '0.0'", "0"), ("FLOAT DEFAULT 0.10000000", "0.1"),
        ("FLOAT(5,2) DEFAULT 0.5", "0.50"), ("BIT(8) DEFAULT b'00000101'", "b'101'"),
        ("YEAR DEFAULT '0'", "2000"), ("DATE DEFAULT '2024-02-29'", "2024-02-29"),
        ("DATETIME(3) DEFAULT '2024-01-02 03:04:05'", "2024-01-02 03:04:05.000"),
        ("TIME DEFAULT '01:02:00'", "01:02:00"),
        ("CHAR(5) DEFAULT 'a  '", "a"), ("VARCHAR(5) DEFAULT 'a  '", "a  "), ("VARCHAR(5) DEFAULT 5", "5"),
        ("VARCHAR(9) DEFAULT 'a' 'b'", "ab"),
        ("BINARY(5) DEFAULT 'ab'", "ab"), ("VARBINARY(5) DEFAULT x'ff00'", "0xff"),
        ("ENUM('a','B') DEFAULT 'b'", "B"), ("SET('a','b','c') DEFAULT 'c,a'", "a,c"),
    ],
)  # fmt: skip
def test_defaults(definition: str, default: Default | str | None) -> None:
    expected = Default(LITERAL, default) if isinstance(default, str) else default
    assert column(definition).default == expected


@pytest.mark.parametrize(
    "definition",
    [
        "INT DEFAULT 0x10", "INT DEFAULT 1.5", "INT DEFAULT 1e2", "INT DEFAULT 'abc'", "INT DEFAULT ''",
        "DECIMAL(5,2) DEFAULT -.005", "DECIMAL(5,2) DEFAULT '1 '", "DECIMAL(3,1) DEFAULT 99.95",
        "DOUBLE DEFAULT 1e20", "FLOAT DEFAULT 1.2345678", "DOUBLE DEFAULT '-0'",
        "FLOAT(5,2) DEFAULT '1000.5'",
        "DOUBLE DEFAULT 123456789012345678", "YEAR DEFAULT 70", "BIT(8) DEFAULT 0.5", "BIT(8) DEFAULT 'a'",
        "VARCHAR(9) DEFAULT _latin1 0xE9", "VARCHAR(9) DEFAULT 007", "VARBINARY(9) DEFAULT 1e2",
    ],
)  # fmt: skip
def test_rare_literals_are_not_followed(definition: str) -> None:
    for server in (MYSQL, MARIADB):
        schema = read(f"CREATE TABLE t (c {definition})", server, database="d")
        assert not schema.tables
        assert schema.problems[0].refusal is None


@pytest.mark.parametrize(
    "definition",
    [
        "INT NOT NULL DEFAULT NULL", "TINYINT DEFAULT 128", "INT UNSIGNED DEFAULT -1",
        "DATE DEFAULT '2024-02-30'", "DATETIME DEFAULT 0",
        "CHAR(2) DEFAULT 'abc'", "ENUM('a') DEFAULT 'b'", "BIT(2) DEFAULT 7", "TEXT DEFAULT 'x'",
        "INT DEFAULT NOW()", "TIMESTAMP(3) DEFAULT NOW(6)", "YEAR DEFAULT 1900",
        "DECIMAL(3,1) DEFAULT 100", "INT AUTO_INCREMENT PRIMARY KEY DEFAULT 1",
        "VARCHAR(5) CHARACTER SET latin1 DEFAULT '日'",
    ],
)  # fmt: skip
def test_invalid_defaults(definition: str) -> None:
    schema = read(f"CREATE TABLE t (c {definition})", MYSQL)
    assert schema.tables == ()
    assert any(number in schema.problems[0].message for number in ("1067", "1101"))


def test_expressions_as_defaults() -> None:
    assert column("VARCHAR(40) DEFAULT (UUID())").default == Default(DefaultKind.EXPRESSION, "uuid()")
    assert column("VARCHAR(40) DEFAULT UUID()", MARIADB).default == Default(DefaultKind.EXPRESSION, "uuid()")
    assert column("INT DEFAULT (1)", MARIADB).default == Default(LITERAL, "1")
    assert column("INT DEFAULT (1)").default == Default(DefaultKind.EXPRESSION, "1")
    assert column("DATETIME DEFAULT (NOW())", MARIADB).default == Default(DefaultKind.CURRENT_TIMESTAMP)
    assert read("CREATE TABLE t (c INT DEFAULT (1))", Server.parse("mysql-5.7")).problems[0].code == "SC001"


def test_generated_and_invisible() -> None:
    columns = table(
        "CREATE TABLE t (a INT, b INT AS (a + 1), c INT GENERATED ALWAYS AS ((`a`) * 2) STORED NOT NULL "
        "INVISIBLE)"
    ).columns
    assert [(c.generated, c.expression, c.invisible, c.nullable) for c in columns[1:]] == [
        ("virtual", "a+1", False, True),
        ("stored", "a*2", True, False),
    ]


def test_keys_and_their_names() -> None:
    keys = table(
        """CREATE TABLE t (id INT, a INT UNIQUE, b VARCHAR(99), c TEXT, g POINT NOT NULL, KEY (a, b(5) DESC), INDEX USING HASH (a), UNIQUE KEY (b),
        CONSTRAINT u1 UNIQUE (a, b), CONSTRAINT x UNIQUE KEY u2 (id), FULLTEXT INDEX ft (b, c) WITH PARSER ngram, SPATIAL KEY (g), KEY e ((a + id)),
        KEY i (a) INVISIBLE COMMENT 'x', CONSTRAINT pk PRIMARY KEY USING BTREE (id))"""  # noqa: E501
    ).keys
    assert [
        (
            k.kind.value,
            k.name,
            [(p.column or p.expression, p.length, p.descending) for p in k.parts],
            k.visible,
        )
        for k in keys
    ] == [
        ("primary", "PRIMARY", [("id", None, False)], True),
        ("unique", "a", [("a", None, False)], True),
        ("unique", "b", [("b", None, False)], True),
        ("unique", "u1", [("a", None, False), ("b", None, False)], True),
        ("unique", "u2", [("id", None, False)], True),
        ("index", "a_2", [("a", None, False), ("b", 5, True)], True),
        ("index", "a_3", [("a", None, False)], True),
        ("index", "e", [("a+id", None, False)], True),
        ("index", "i", [("a", None, False)], False),
        ("spatial", "g", [("g", None, False)], True),
        ("fulltext", "ft", [("b", None, False), ("c", None, False)], True),
    ]


def test_foreign_keys_and_the_keys_they_need() -> None:
    made = table(
        """CREATE TABLE p (id INT PRIMARY KEY); CREATE TABLE c (a INT, b INT, d INT, KEY (b, a), FOREIGN KEY (a) REFERENCES p (id) ON DELETE SET NULL ON UPDATE NO ACTION,
        CONSTRAINT f FOREIGN KEY (b) REFERENCES p (id), CONSTRAINT g FOREIGN KEY h (d) REFERENCES other.p (id) MATCH SIMPLE ON UPDATE CASCADE)"""  # noqa: E501
    )
    assert [(f.name, f.columns, f.ref_database, f.ref_table, f.on_delete,
        f.on_update) for f in made.foreign_keys] == [
        ("c_ibfk_1", ("a",), None, "p", "SET NULL", "RESTRICT"), ("f", ("b",), None, "p", "RESTRICT",
        "RESTRICT"), ("g", ("d",), "other", "p", "RESTRICT", "CASCADE"),
    ]  # fmt: skip
    assert [key.name for key in made.keys] == ["a", "b", "g"]


def test_checks() -> None:
    text = (
        "CREATE TABLE t (a INT CHECK (a>0), b INT CONSTRAINT nn CHECK (b IS NOT NULL) NOT ENFORCED, "
        "CHECK (a < b), CONSTRAINT c CHECK (a <> 5))"
    )
    assert [(c.name, c.expression, c.enforced) for c in table(text).checks] == [
        ("c", "a!=5", True), ("nn", "b is not null", False), ("t_chk_1", "a>0", True), ("t_chk_2", "a<b",
        True),
    ]  # fmt: skip
    assert table("CREATE TABLE t (a INT, CHECK (a > 0))", Server.parse("mysql-5.7")).checks == ()
    assert [
        c.name for c in table("CREATE TABLE t (a INT CHECK (a>0), CHECK (a < 9), j JSON)", MARIADB).checks
    ] == ["a", "CONSTRAINT_1", "j"]


def test_serial() -> None:
    made = table("CREATE TABLE t (id SERIAL)")
    assert made.columns[0] == Column(
        "id", ColumnType("bigint", unsigned=True), nullable=False, auto_increment=True
    )
    assert [(key.kind, key.name) for key in made.keys] == [(KeyKind.UNIQUE, "id")]


@pytest.mark.parametrize(
    "column", ["SERIAL NULL", "SERIAL DEFAULT 5", "SERIAL AS (1)", "INT SERIAL DEFAULT VALUE",
               "INT COLUMN_FORMAT FIXED", "INT STORAGE DISK", "INT ENGINE_ATTRIBUTE '{}'"],
)  # fmt: skip
def test_rare_attributes_are_not_followed(column: str) -> None:
    schema = read(f"CREATE TABLE t (c {column}, a INT)", MYSQL, database="d")
    assert not schema.tables
    assert schema.problems[0].refusal is None


def test_system_versioning() -> None:
    made = table("CREATE TABLE t (a INT) WITH SYSTEM VERSIONING", MARIADB)
    assert made.system_versioned
    assert [(c.name, c.invisible) for c in made.columns] == [
        ("a", False),
        ("row_start", True),
        ("row_end", True),
    ]


def test_hash_of_a_long_unique_key() -> None:
    made = table("CREATE TABLE t (a BLOB UNIQUE, b INT)", MARIADB)
    assert [c.name for c in made.columns] == ["a", "b", "DB_ROW_HASH_1"]
    assert "1170" in read("CREATE TABLE t (a BLOB UNIQUE)", MYSQL).problems[0].message


def test_old_temporal_format() -> None:
    text = (
        "SET GLOBAL mysql56_temporal_format=OFF; CREATE TABLE t (a DATETIME); SET GLOBAL "
        "mysql56_temporal_format=ON; CREATE TABLE u (a DATETIME)"
    )
    assert [t.columns[0].type.old_format for t in read(text, MARIADB).tables] == [True, False]


def test_options_and_partitions_in_one_tail() -> None:
    made = table(
        """CREATE TABLE t (a INT, d DATE NOT NULL) ENGINE = myisam, AUTO_INCREMENT=5 AVG_ROW_LENGTH 10 DEFAULT CHARACTER SET latin1 COLLATE latin1_bin COMMENT='c'
        CHECKSUM=1 ROW_FORMAT=DYNAMIC""", Server.parse("mysql-5.7")  # noqa: E501
    )  # fmt: skip
    assert (made.engine, made.charset, made.collation) == ("MyISAM", "latin1", "latin1_bin")


@pytest.mark.parametrize(
    "partitions",
    [
        "BY RANGE (a) SUBPARTITION BY HASH (a) SUBPARTITIONS 2 (PARTITION p VALUES LESS THAN (9))",
        "BY RANGE (a) (PARTITION p VALUES LESS THAN (9) (SUBPARTITION s))",
        "BY SYSTEM_TIME (PARTITION p HISTORY, PARTITION n CURRENT)",
        "BY SYSTEM_TIME INTERVAL 1 DAY PARTITIONS 3",
    ],
)  # fmt: skip
def test_rare_partitions_are_not_followed(partitions: str) -> None:
    text = f"CREATE TABLE t (a INT) WITH SYSTEM VERSIONING PARTITION {partitions}"
    schema = read(text, MARIADB, database="d")
    assert not schema.tables
    assert schema.problems[0].refusal is None


def test_ansi_quotes_and_reserved_words() -> None:
    assert (
        table('CREATE TABLE "t" ("select" INT, KEY "k" ("select"))', sql_mode="ANSI").columns[0].name
        == "select"
    )
    assert read("CREATE TABLE t (rank INT)", MYSQL).problems[0].code == "SC001"
    assert table("CREATE TABLE t (rank INT)", Server.parse("mysql-5.7")).columns[0].name == "rank"
    assert (
        table("CREATE TABLE `select` (`from` INT, `a``b` INT, `é` INT, 1a INT, $x INT)").columns[1].name
        == "a`b"
    )


def test_text_and_locations() -> None:
    schema = read("-- é\n\n  CREATE TABLE d.t (\n  a INT, /* x */ b\n  TEXT\n);", MYSQL, file="f.sql")
    made = schema.tables[0]
    assert made.text == "CREATE TABLE d.t (\n  a INT, /* x */ b\n  TEXT\n)"
    assert str(made.location) == "f.sql:3:16"
    assert made.location is not None
    assert made.location.end_column == 19
    assert [str(c.location) for c in made.columns] == ["f.sql:4:3", "f.sql:4:18"]
    assert made.columns[0].location is not None
    assert made.columns[0].location.end_column == 8


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("VALUES IN ('a')", "VALUES IN ('A')", False),
        ("VALUES IN ('a')", 'values in ("a")', True),
        ("VALUES IN ('a', 'engine = x')", "VALUES IN ('a','engine = x') ENGINE = InnoDB", True),
        ("VALUES IN ('a  b')", "VALUES IN ('a b')", False),
        ("VALUES IN ('`a`')", "VALUES IN ('a')", False),
        ("VALUES IN ('it''s')", r"VALUES IN ('it\'s')", True),
    ],
)
def test_partitioning_strings_stay_as_they_are(one: str, other: str, *, same: bool) -> None:
    texts = [
        f"CREATE TABLE t (a VARCHAR(20)) PARTITION BY LIST COLUMNS (a) (PARTITION p0 {values})"
        for values in (one, other)
    ]
    found = [read(text, Server.parse("mysql-8.0")).tables[0].partitioning for text in texts]
    assert (found[0] == found[1]) is same


def test_hash_columns_are_numbered_in_the_order_of_the_keys():
    """Rows of STATISTICS do not tell in which order the keys were written."""
    written = "CREATE TABLE t (a TEXT, b TEXT, UNIQUE KEY z (a), UNIQUE KEY y (b))"
    schema = read(written, Server.parse("mariadb-11.8.6"))
    hidden = [(one.name, one.expression) for one in schema.tables[0].columns[2:]]
    assert hidden == [("DB_ROW_HASH_1", "hash(`b`)"), ("DB_ROW_HASH_2", "hash(`a`)")]


@pytest.mark.parametrize(
    ("condition", "printed"),
    [
        ("ts > '2000-01-01'", "`ts` > TIMESTAMP/*WITH LOCAL TIME ZONE*/'2000-01-01 00:00:00'"),
        ("'2000-01-01 10:00:00' < ts", "TIMESTAMP/*WITH LOCAL TIME ZONE*/'2000-01-01 10:00:00' < `ts`"),
        ("ts between '2000-01-01' and '2030-01-01'", "`ts` between '2000-01-01' and '2030-01-01'"),
    ],
)
def test_moments_that_a_timestamp_is_compared_with(condition: str, printed: str) -> None:
    """MariaDB 11.8 prints them with a comment, 10.11 as they were written (asked of both)."""
    text = "CREATE TABLE t (ts TIMESTAMP NOT NULL, CHECK ({}))"
    written = {
        table(text.format(condition), server).checks for server in (MARIADB, Server.parse("mariadb-10.11"))
    }
    assert written == {table(text.format(printed), MARIADB).checks}
    assert len(written) == 1


def test_midnight_that_mariadb_writes_by_itself_is_unknown() -> None:
    text = "CREATE TABLE t (ts TIMESTAMP NOT NULL, CHECK (ts > '2000-01-01 00:00:00'))"
    assert read(text, MARIADB).problems
    assert not read(text, Server.parse("mariadb-10.11")).problems
