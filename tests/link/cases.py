"""The link cases that this project asked servers itself: combinations and aspects beside the given ones.

`for_pair(source, replica)` gives every case of two of the four recorded servers as a dictionary (settings of
both ends, session, channel, account, tables, statements); what the servers did with them is in
`tests/facts/data/links_asked.jsonl.xz`.
"""

# Statements are one literal each, as the servers were asked.
# ruff: noqa: A002, B007, N802, N806, UP031

import random

M56, M97, D10, D11 = "mysql-5.6", "mysql-9.7", "mariadb-10.11", "mariadb-11.8"
GEN = "utf8mb4_general_ci"
#: The recorder's sources have the number of their port as server id, replicas the next number.
SOURCE_IDS = {M56: "46561", M97: "46971", D10: "46101", D11: "46181", "mariadb-10.5": "46051"}
T = [
    "CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(20), b BLOB) ENGINE=InnoDB CHARSET utf8mb4 COLLATE utf8mb4_general_ci"
]
DML = [
    "INSERT INTO t VALUES (1,'a','x'),(2,'b','y')",
    "UPDATE t SET v='c' WHERE id=1",
    "DELETE FROM t WHERE id=2",
]
JT = ["CREATE TABLE t (id INT PRIMARY KEY, j JSON) CHARSET utf8mb4 COLLATE utf8mb4_general_ci"]


def is_my(s):
    return s.startswith("mysql")


def mend(s, r):
    m = {"source_settings": {}, "replica_settings": {}, "session": [], "channel": {}}
    if s == M97 and r in (M56, D10):
        m["source_settings"] = {"collation_server": GEN, "default_collation_for_utf8mb4": GEN}
        m["session"] = ["SET NAMES utf8mb4 COLLATE " + GEN]
        if r == D10:
            m["channel"] = {"MASTER_SSL": 1}
    if r == D11 and s != D11:
        m["channel"] = {"MASTER_SSL_VERIFY_SERVER_CERT": 0}
    if s == D11 and is_my(r):
        m["source_settings"] = {"collation_server": GEN}
        m["session"] = ["SET NAMES utf8mb4 COLLATE " + GEN]
    if r == M97 and s != M97:
        m["replica_settings"] = {"gtid_mode": "OFF"}
        if s in (M56, D10):
            m["channel"] = {"SOURCE_SSL": 0}
    return m


class Maker:
    def __init__(self, s, r):
        self.s, self.r, self.out, self.base = s, r, [], mend(s, r)

    def case(
        self,
        what,
        id,
        ss=None,
        rs=None,
        session=None,
        rsession=None,
        tables=None,
        st=None,
        ch=None,
        user=None,
        position="file",
        stock=False,
        names=None,
        group="base",
        **more,
    ):
        b = (
            {"source_settings": {}, "replica_settings": {}, "session": [], "channel": {}}
            if stock
            else self.base
        )
        se = list(b["session"]) if names is None else ([names] if names else [])
        c = dict(
            id=f"{what}/{id}",
            what=what,
            source_settings={**b["source_settings"], **(ss or {})},
            replica_settings={**b["replica_settings"], **(rs or {})},
            session=se + (session or []),
            replica_session=rsession or [],
            tables=T if tables is None else tables,
            statements=st or DML,
            channel={k: v for k, v in {**b["channel"], **(ch or {})}.items() if v is not None},
            user=user or {},
            position=position,
            group=group,
            **more,
        )
        self.out.append(c)


def F(f):
    return {"binlog_format": f}


COLL = [
    "latin1_bin",
    "latin1_general_cs",
    "latin2_general_ci",
    "cp1251_general_ci",
    "greek_general_ci",
    "utf8_bin",
    "utf8_unicode_ci",
    "utf8mb4_polish_ci",
    "utf8mb4_croatian_ci",
    "utf8mb4_unicode_520_nopad_ci",
    "utf8mb4_nopad_bin",
    "latin1_swedish_nopad_ci",
    "utf8mb3_unicode_nopad_ci",
    "utf8mb4_0900_as_ci",
    "utf8mb4_0900_as_cs",
    "utf8mb4_nb_0900_ai_ci",
    "utf8mb4_mn_cyrl_0900_as_cs",
    "utf8mb4_sr_latn_0900_ai_ci",
    "utf8mb4_gl_0900_ai_ci",
    "utf8mb4_ru_0900_ai_ci",
    "utf8mb4_vi_0900_as_cs",
    "utf8mb4_uca1400_as_cs",
    "utf8mb4_uca1400_nopad_ai_ci",
    "utf8mb4_uca1400_german2_ai_ci",
    "utf8mb3_uca1400_polish_ai_cs",
    "utf8mb4_ja_0900_as_cs_ks",
    "utf8mb4_zh_0900_as_cs",
    "gb18030_bin",
    "cp932_japanese_ci",
    "ujis_japanese_ci",
    "euckr_korean_ci",
    "tis620_thai_ci",
    "utf8mb4_myanmar_ci",
    "utf8mb4_thai_520_w2",
    "utf8mb3_croatian_mysql561_ci",
    "utf8mb4_vietnamese_ci",
    "binary",
    "armscii8_bin",
    "utf8mb3_general1400_as_ci",
    "utf8mb3_general_mysql500_ci",
    "utf8_tolower_ci",
    "latin7_general_cs",
    "utf8mb4_la_0900_ai_ci",
    "utf8mb4_es_trad_0900_as_cs",
]


def charset(c):
    return c.split("_")[0]


def for_pair(s, r):
    k = Maker(s, r)
    rnd = random.Random("own" + s + r)
    for c in COLL:
        for f in rnd.sample(["ROW", "STATEMENT", "MIXED"], 2):
            k.case("names", c + " " + f, ss=F(f), names=f"SET NAMES {charset(c)} COLLATE {c}")
        k.case("server collation", c, ss={"collation_server": c})
        k.case(
            "database collation",
            c,
            ss=F(rnd.choice(["ROW", "STATEMENT"])),
            st=[
                f"CREATE DATABASE d3 CHARACTER SET {charset(c)} COLLATE {c}",
                "USE d3",
                "CREATE TABLE x (a INT PRIMARY KEY, v VARCHAR(9))",
                "INSERT INTO x VALUES (1,'a')",
            ],
        )
        k.case(
            "column collation",
            c,
            st=[
                f"CREATE TABLE n (id INT PRIMARY KEY, v VARCHAR(9) CHARACTER SET {charset(c)} COLLATE {c})",
                "INSERT INTO n VALUES (1,'a')",
            ],
        )
        if charset(c) != "binary":
            k.case(
                "variable collation",
                c,
                ss=F("STATEMENT"),
                session=[f"SET @v=CONVERT('a' USING {charset(c)}) COLLATE {c}"],
                st=["INSERT INTO t VALUES (1,@v,'x')"],
            )
            k.case(
                "variable collation",
                c + " in session",
                ss=F("MIXED"),
                session=[f"SET collation_connection={c}"],
                st=["INSERT INTO t VALUES (1,'a','x')", "UPDATE t SET v='ä' WHERE v='A'"],
            )
    for f in ("ROW", "STATEMENT", "MIXED"):
        for name, st in (
            (
                "commit then more",
                [
                    "XA START 'x1'",
                    "INSERT INTO t VALUES (7,'x','y')",
                    "XA END 'x1'",
                    "XA PREPARE 'x1'",
                    "XA COMMIT 'x1'",
                    "INSERT INTO t VALUES (8,'x','y')",
                ],
            ),
            (
                "one phase two rows",
                [
                    "XA BEGIN 'x1','b',1",
                    "INSERT INTO t VALUES (7,'x','y')",
                    "INSERT INTO t VALUES (9,'x','y')",
                    "XA END 'x1','b',1",
                    "XA COMMIT 'x1','b',1 ONE PHASE",
                ],
            ),
            (
                "empty",
                [
                    "XA START 'x1'",
                    "XA END 'x1'",
                    "XA PREPARE 'x1'",
                    "XA ROLLBACK 'x1'",
                    "INSERT INTO t VALUES (8,'x','y')",
                ],
            ),
        ):
            k.case("xa", name + " " + f, ss=F(f), st=st)
        for i, st in enumerate(
            (
                ["INSERT INTO t VALUES (1, NULL)", "INSERT INTO t VALUES (2, '[]')"],
                ["INSERT INTO t (id) VALUES (1)", "DELETE FROM t"],
                ["INSERT INTO t VALUES (1, '{\"k\":1}')", "UPDATE t SET j=JSON_SET(j,'$.k',2)"],
            )
        ):
            k.case("json", "%d %s" % (i, f), ss=F(f), tables=JT, st=st)
        for v, val, st in (
            ("default_week_format", "3", "INSERT INTO t VALUES (1, WEEK('2008-02-20'), 'x')"),
            ("div_precision_increment", "9", "INSERT INTO t VALUES (1, 1/7, 'x')"),
            (
                "group_concat_max_len",
                "4",
                "INSERT INTO t SELECT 1, GROUP_CONCAT(x), 'x' FROM (SELECT 'aaaa' x UNION SELECT 'bbbb') q",
            ),
            ("sql_select_limit", "1", "INSERT INTO t SELECT 1,'a','b' UNION SELECT 2,'c','d'"),
            ("lc_time_names", "'fr_FR'", "INSERT INTO t VALUES (1, MONTHNAME('2020-01-01'), 'x')"),
            ("time_zone", "'+05:45'", "INSERT INTO t VALUES (1, FROM_UNIXTIME(0), 'x')"),
            ("time_zone", "'+14:00'", "INSERT INTO t VALUES (1, FROM_UNIXTIME(0), 'x')"),
            ("time_zone", "'-13:59'", "INSERT INTO t VALUES (1, FROM_UNIXTIME(0), 'x')"),
            ("time_zone", "'-12:59'", "INSERT INTO t VALUES (1, FROM_UNIXTIME(0), 'x')"),
            ("time_zone", "'+13:00'", "INSERT INTO t VALUES (1, FROM_UNIXTIME(0), 'x')"),
            ("time_zone", "'+13:01'", "INSERT INTO t VALUES (1, FROM_UNIXTIME(0), 'x')"),
            ("unique_checks", "0", "INSERT INTO t VALUES (1,'a','b')"),
            ("sql_safe_updates", "1", "UPDATE t SET v='k' WHERE id=1"),
            ("max_sort_length", "64", "INSERT INTO t SELECT 1,'a','b' ORDER BY 2"),
            ("sql_warnings", "1", "INSERT INTO t VALUES (1,'a','b')"),
            ("character_set_filesystem", "latin1", "INSERT INTO t VALUES (1,'a','b')"),
            ("default_tmp_storage_engine", "MyISAM", "CREATE TEMPORARY TABLE z (a INT)"),
            ("innodb_lock_wait_timeout", "3", "INSERT INTO t VALUES (1,'a','b')"),
            ("old_alter_table", "1", "ALTER TABLE t ADD k INT"),
            ("sql_quote_show_create", "0", "CREATE TABLE n (a INT PRIMARY KEY)"),
            (
                "explicit_defaults_for_timestamp",
                "0",
                "CREATE TABLE n (id INT PRIMARY KEY, a TIMESTAMP, b INT)",
            ),
            (
                "explicit_defaults_for_timestamp",
                "1",
                "CREATE TABLE n (id INT PRIMARY KEY, a TIMESTAMP, b INT)",
            ),
            ("default_storage_engine", "MyISAM", "CREATE TABLE n (id INT PRIMARY KEY, b INT)"),
            ("sql_auto_is_null", "1", "INSERT INTO t VALUES (1,'a','b')"),
            (
                "foreign_key_checks",
                "0",
                "CREATE TABLE n (id INT PRIMARY KEY, b INT, FOREIGN KEY (b) REFERENCES nn (b))",
            ),
        ):
            k.case("session value", f"{v}={val} {f}", ss=F(f), session=[f"SET SESSION {v}={val}"], st=[st])
        for m in (
            "TIME_ROUND_FRACTIONAL",
            "ANSI_QUOTES,PIPES_AS_CONCAT",
            "NO_UNSIGNED_SUBTRACTION",
            "NO_BACKSLASH_ESCAPES",
            "DB2",
            "POSTGRESQL",
            "MAXDB",
            "MYSQL323",
            "NO_TABLE_OPTIONS,NO_KEY_OPTIONS",
            "ALLOW_INVALID_DATES",
            "NO_ENGINE_SUBSTITUTION",
            "REAL_AS_FLOAT",
            "ONLY_FULL_GROUP_BY",
            "TIME_TRUNCATE_FRACTIONAL",
            "NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO",
            "ORACLE",
            "MSSQL",
            "MYSQL40",
            "SIMULTANEOUS_ASSIGNMENT",
            "EMPTY_STRING_IS_NULL",
            "IGNORE_SPACE",
        ):
            k.case(
                "mode",
                m + " " + f,
                ss=F(f),
                session=[f"SET SESSION sql_mode='{m}'"],
                st=[
                    "INSERT INTO t VALUES (1,'a','x'),(2,'b','y')",
                    "UPDATE t SET v=CONCAT(v,'\\\\') WHERE id=1",
                    "DELETE FROM t WHERE id=2",
                ],
            )
        k.case(
            "mode",
            "NO_AUTO_VALUE_ON_ZERO " + f,
            ss=F(f),
            session=["SET SESSION sql_mode='NO_AUTO_VALUE_ON_ZERO'"],
            tables=["CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v INT)"],
            st=["INSERT INTO t VALUES (0,1)", "INSERT INTO t (v) VALUES (2)"],
        )
        k.case(
            "auto_increment",
            "replica step " + f,
            ss=F(f),
            rs={"auto_increment_increment": 5},
            tables=["CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v INT)"],
            st=["INSERT INTO t (v) VALUES (1),(2)", "INSERT INTO t (v) VALUES (3)"],
        )
        k.case(
            "load",
            "plain " + f,
            ss={"local_infile": 1, **F(f)},
            st=[
                "LOAD DATA LOCAL INFILE 'links-load.txt' IGNORE INTO TABLE t (id, v, b)",
                "DELETE FROM t WHERE id=5",
            ],
        )
        k.case(
            "temporary",
            "create drop " + f,
            ss=F(f),
            st=[
                "CREATE TEMPORARY TABLE z (a INT) ENGINE=MEMORY",
                "INSERT INTO z VALUES (1)",
                "INSERT INTO t SELECT a,'t','t' FROM z",
            ],
        )
        k.case(
            "ctas",
            "types " + f,
            ss=F(f),
            st=[
                "CREATE TABLE n AS SELECT id, v, NOW() AS d, 1.5 AS e FROM t",
                "INSERT INTO t VALUES (1,'a','b')",
            ],
        )
        k.case(
            "ctas",
            "key " + f,
            ss=F(f),
            st=[
                "CREATE TABLE n (id INT PRIMARY KEY) SELECT 5 AS id, 'x' AS w",
                "INSERT INTO n (id) VALUES (6)",
            ],
        )
        k.case("ctas", "like " + f, ss=F(f), st=["CREATE TABLE n LIKE t", "INSERT INTO n SELECT 1,'a','b'"])
        k.case(
            "ctas",
            "temporary " + f,
            ss=F(f),
            st=["CREATE TEMPORARY TABLE n AS SELECT 1 AS a", "INSERT INTO t SELECT a,'x','y' FROM n"],
        )
        k.case(
            "nondeterministic", "uuid " + f, ss=F(f), st=["INSERT INTO t VALUES (1, LEFT(UUID(),18), 'x')"]
        )
        k.case("nondeterministic", "rand " + f, ss=F(f), st=["INSERT INTO t VALUES (1, RAND(), 'x')"])
        k.case(
            "nondeterministic", "now6 " + f, ss=F(f), st=["INSERT INTO t VALUES (1, RIGHT(NOW(6),8), 'x')"]
        )
        k.case(
            "nondeterministic",
            "sysdate " + f,
            ss=F(f),
            st=["INSERT INTO t VALUES (1, SLEEP(0.01), SYSDATE(6))"],
        )
        k.case(
            "nondeterministic",
            "user " + f,
            ss=F(f),
            st=["INSERT INTO t VALUES (1, LEFT(USER(),20), CURRENT_USER())"],
        )
        k.case(
            "nondeterministic",
            "version " + f,
            ss=F(f),
            st=["INSERT INTO t VALUES (1, LEFT(VERSION(),12), @@server_id)"],
        )
        k.case(
            "nondeterministic",
            "connection_id " + f,
            ss=F(f),
            st=["INSERT INTO t VALUES (1, CONNECTION_ID(), 'x')"],
        )
        k.case(
            "nondeterministic",
            "last_insert_id " + f,
            ss=F(f),
            tables=["CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v INT)"],
            st=["INSERT INTO t (v) VALUES (5)", "INSERT INTO t (v) VALUES (LAST_INSERT_ID())"],
        )
        k.case(
            "routine",
            "procedure " + f,
            ss=F(f),
            st=[
                "CREATE PROCEDURE p(IN a INT) MODIFIES SQL DATA INSERT INTO t VALUES (a, 'p', NOW())",
                "CALL p(3)",
                "DROP PROCEDURE p",
            ],
        )
        k.case(
            "routine",
            "trigger ts " + f,
            ss=F(f),
            st=[
                "CREATE TRIGGER tr AFTER INSERT ON t FOR EACH ROW SET @x=NEW.id",
                "INSERT INTO t VALUES (1,'a','b')",
                "DROP TRIGGER tr",
            ],
        )
        k.case(
            "engine",
            "myisam transaction " + f,
            ss=F(f),
            tables=[T[0].replace("InnoDB", "MyISAM")],
            st=["BEGIN", "INSERT INTO t VALUES (1,'a','b')", "ROLLBACK"],
        )
        k.case(
            "engine",
            "truncate " + f,
            ss=F(f),
            st=["INSERT INTO t VALUES (1,'a','b')", "TRUNCATE TABLE t", "INSERT INTO t VALUES (2,'a','b')"],
        )
        for im in ("FULL", "MINIMAL", "NOBLOB", "FULL_NODUP"):
            k.case(
                "image",
                im + " no key " + f,
                ss={**F(f), "binlog_row_image": im},
                tables=["CREATE TABLE t (id INT, v VARCHAR(20), b BLOB)"],
            )
        for md in ("FULL", "MINIMAL", "NO_LOG"):
            k.case(
                "metadata",
                md + " json " + f,
                ss={**F(f), "binlog_row_metadata": md},
                tables=[
                    "CREATE TABLE t (id INT PRIMARY KEY, e ENUM('a','b'), s SET('x','y'), g GEOMETRY, d DECIMAL(8,2))"
                ],
                st=["INSERT INTO t VALUES (1,'b','x,y',NULL,1.5)", "UPDATE t SET e='a'"],
            )
        k.case(
            "compress",
            "zstd " + f,
            ss={**F(f), "binlog_transaction_compression": 1},
            st=["BEGIN", "INSERT INTO t VALUES (1,'a','x')", "COMMIT", "CREATE TABLE n (a INT PRIMARY KEY)"],
        )
        k.case(
            "compress", "session zstd " + f, ss=F(f), session=["SET SESSION binlog_transaction_compression=1"]
        )
        k.case(
            "compress",
            "short " + f,
            ss={**F(f), "log_bin_compress": 1},
            st=["INSERT INTO t VALUES (1,'a','x')"],
        )
        k.case(
            "compress",
            "long " + f,
            ss={**F(f), "log_bin_compress": 1},
            st=["INSERT INTO t VALUES (1,'a','%s')" % ("y" * 400)],
        )
        k.case(
            "compress",
            "both slaves " + f,
            ss=F(f),
            rs={"log_bin_compress": 1, "log_bin_compress_min_len": 10},
        )
        k.case(
            "partial",
            "session " + f,
            ss=F(f),
            session=["SET SESSION binlog_row_value_options='PARTIAL_JSON'"],
        )
        k.case(
            "checksum",
            "none both " + f,
            ss={**F(f), "binlog_checksum": "NONE"},
            rs={"binlog_checksum": "NONE"},
        )
        k.case(
            "checksum",
            "none to crc verify " + f,
            ss={**F(f), "binlog_checksum": "NONE", "master_verify_checksum": 1},
            rs={"slave_sql_verify_checksum": 1},
        )
        k.case(
            "packet",
            "receiver " + f,
            ss=F(f),
            rs={"slave_max_allowed_packet": 1048576},
            tables=["CREATE TABLE t (id INT PRIMARY KEY, b LONGBLOB)"],
            st=[
                "INSERT INTO t VALUES (1, REPEAT('x', 1500000))",
                "INSERT INTO t VALUES (2, '%s')" % ("z" * 1400000),
            ],
        )
        k.case(
            "packet",
            "applier " + f,
            ss=F(f),
            rs={"max_allowed_packet": 1048576},
            tables=["CREATE TABLE t (id INT PRIMARY KEY, b LONGBLOB)"],
            st=["INSERT INTO t VALUES (2, '%s')" % ("z" * 1400000)],
        )
        k.case(
            "skip",
            "row missing " + f,
            ss=F(f),
            session=[
                "SET SESSION sql_log_bin=0",
                "INSERT INTO t VALUES (9,'old','z')",
                "SET SESSION sql_log_bin=1",
            ],
            st=["UPDATE t SET v='new' WHERE id=9", "DELETE FROM t WHERE id=9"],
        )
        k.case(
            "skip",
            "slave_exec_mode update missing " + f,
            ss=F(f),
            rs={"slave_exec_mode": "IDEMPOTENT"},
            session=[
                "SET SESSION sql_log_bin=0",
                "INSERT INTO t VALUES (9,'old','z')",
                "SET SESSION sql_log_bin=1",
            ],
            st=["UPDATE t SET v='new' WHERE id=9"],
        )
        k.case(
            "skip",
            "duplicate idempotent " + f,
            ss=F(f),
            rs={"slave_exec_mode": "IDEMPOTENT"},
            rsession=["INSERT INTO d.t VALUES (1,'old','z')"],
            st=["INSERT INTO t VALUES (1,'a','x')"],
        )
        k.case(
            "skip",
            "duplicate " + f,
            ss=F(f),
            rsession=["INSERT INTO d.t VALUES (1,'old','z')"],
            st=["INSERT INTO t VALUES (1,'a','x')"],
        )
        k.case("skip", "missing database " + f, ss=F(f), rsession=["DROP DATABASE d"])
        k.case(
            "replica trigger",
            f,
            ss=F(f),
            rsession=["CREATE TRIGGER d.tr BEFORE INSERT ON d.t FOR EACH ROW SET NEW.v='z'"],
        )
        k.case(
            "replica extra",
            "unique " + f,
            ss=F(f),
            rsession=["ALTER TABLE d.t ADD UNIQUE (v)"],
            st=["INSERT INTO t VALUES (1,'a','b')", "INSERT INTO t VALUES (2,'a','b')"],
        )
        k.case("read only", "replica " + f, ss=F(f), rs={"read_only": 1})
        k.case("replica format", "STATEMENT " + f, ss=F(f), rs={"binlog_format": "STATEMENT"})
        k.case("replica format", "ROW " + f, ss=F(f), rs={"binlog_format": "ROW"})
        k.case(
            "same id", f, ss=F(f), rs={"server_id": {M56: 46560, M97: 46970, D10: 46100, D11: 46180}[s] + 1}
        )
    DDL = [
        "CREATE TABLE n (id INT PRIMARY KEY, a TIMESTAMP NOT NULL, b TIMESTAMP NULL, c TIMESTAMP)",
        "CREATE TABLE n (id INT PRIMARY KEY, a DATETIME DEFAULT NOW() ON UPDATE NOW())",
        "CREATE TABLE n (id INT PRIMARY KEY, a VARCHAR(100) CHARACTER SET latin1)",
        "CREATE TABLE n (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, a FLOAT(7,3), b DOUBLE, c DECIMAL(60,2))",
        "CREATE TABLE n (id INT PRIMARY KEY, a BIT(5), b YEAR, c TIME(3), d ENUM('x','y'))",
        "CREATE TABLE n (a INT, b INT, PRIMARY KEY (a), KEY k (b) COMMENT 'c')",
        "CREATE TABLE n (a INT PRIMARY KEY, b TEXT, FULLTEXT KEY f (b))",
        "CREATE TABLE n (a INT PRIMARY KEY, g GEOMETRY NOT NULL, SPATIAL KEY s (g)) ENGINE=MyISAM",
        "CREATE TABLE n (a INT PRIMARY KEY, b INT INVISIBLE)",
        "CREATE TABLE n (a INT PRIMARY KEY, b INT, CHECK (b > a))",
        "CREATE TABLE n (a INT PRIMARY KEY, b INT CHECK (b > 0) NOT ENFORCED)",
        "CREATE TABLE n (a INT PRIMARY KEY, b INT, KEY k (b) INVISIBLE)",
        "CREATE TABLE n (a INT PRIMARY KEY, b VARCHAR(9), KEY k ((UPPER(b))))",
        "CREATE TABLE n (a INT PRIMARY KEY) ENCRYPTION='N'",
        "CREATE TABLE n (a INT PRIMARY KEY) COMPRESSION='zlib'",
        "CREATE TABLE n (a INT PRIMARY KEY) ENGINE=InnoDB ENCRYPTED=NO",
        "CREATE TABLE n (a INT PRIMARY KEY, b INET6)",
        "CREATE TABLE n (a INT PRIMARY KEY, b UUID)",
        "CREATE TABLE n (a INT PRIMARY KEY, b VARCHAR(20) COMPRESSED)",
        "CREATE SEQUENCE sq START WITH 5",
        "CREATE TABLE n (a INT PRIMARY KEY, b INT WITHOUT SYSTEM VERSIONING) WITH SYSTEM VERSIONING",
        "CREATE TABLE n (a INT PRIMARY KEY, b DATE GENERATED ALWAYS AS ('2020-01-01') VIRTUAL)",
        "CREATE TABLE n (a INT PRIMARY KEY, b XMLTYPE)",
        "CREATE TABLE n (a NUMBER(5) PRIMARY KEY)",
        "CREATE TABLE n (a INT PRIMARY KEY, b RAW(5))",
        "CREATE TABLE n (a INT PRIMARY KEY) TRANSACTIONAL=1",
        "CREATE TABLE n (a INT PRIMARY KEY) PAGE_CHECKSUM=1",
        "CREATE TABLE n (a INT PRIMARY KEY) ENGINE=MyISAM DELAY_KEY_WRITE=1 CHECKSUM=1",
        "CREATE TABLE n (a INT PRIMARY KEY) ENGINE=BLACKHOLE",
        "CREATE TABLE n (a INT PRIMARY KEY) ENGINE=MRG_MyISAM UNION=()",
        "CREATE TABLE n (a INT PRIMARY KEY) ENGINE=FEDERATED CONNECTION='mysql://u@127.0.0.1/x/y'",
        "CREATE TABLE n (a INT PRIMARY KEY) ENGINE=NOSUCH",
        "CREATE TABLE n (a INT PRIMARY KEY) PARTITION BY HASH (a) PARTITIONS 3",
        "CREATE TABLE n (a INT PRIMARY KEY) PARTITION BY RANGE COLUMNS (a) (PARTITION p VALUES LESS THAN (5))",
        "CREATE TABLE n (a INT NOT NULL, b INT) PARTITION BY RANGE (a) SUBPARTITION BY HASH (b) (PARTITION p VALUES LESS THAN (5) (SUBPARTITION s1, SUBPARTITION s2))",
        "CREATE TABLE n (a INT PRIMARY KEY) PARTITION BY LIST (a) (PARTITION p VALUES IN (1), PARTITION q DEFAULT)",
        "CREATE TABLE n (a INT PRIMARY KEY, row_number INT)",
        "CREATE TABLE n (a INT PRIMARY KEY, lateral INT)",
        "CREATE TABLE n (a INT PRIMARY KEY, except INT)",
        "CREATE TABLE n (a INT PRIMARY KEY, returning INT)",
        "CREATE TABLE n (a INT PRIMARY KEY, `system` INT, cube INT)",
        "CREATE TABLE n (a INT PRIMARY KEY, manual INT, qualify INT, library INT)",
        "CREATE TABLE n (a INT PRIMARY KEY, v VARCHAR(20) DEFAULT (UUID()))",
        "CREATE TABLE n (a INT PRIMARY KEY, v BLOB DEFAULT ('x'))",
        "CREATE TABLE n (a INT PRIMARY KEY, v INT DEFAULT (a+1))",
        "CREATE TABLE n (a INT PRIMARY KEY, v DATE DEFAULT (CURRENT_DATE))",
        "CREATE TABLE n (a INT PRIMARY KEY, v GEOMETRY REF_SYSTEM_ID=0)",
        "CREATE TABLE n (a INT PRIMARY KEY, v POINT SRID 4326)",
        "CREATE TABLE n (a INT PRIMARY KEY, v VARCHAR(16383)) CHARSET utf8mb4",
        "CREATE TABLE n (a VARCHAR(768) PRIMARY KEY) CHARSET utf8mb4",
        "CREATE TABLE n (a VARCHAR(191) PRIMARY KEY, b VARCHAR(300), KEY (b)) CHARSET utf8mb4",
        "CREATE TABLE n (a INT PRIMARY KEY, b INT(3) ZEROFILL UNSIGNED)",
        "CREATE TABLE n (a INT PRIMARY KEY, b TINYINT(1), c BOOL, d SERIAL DEFAULT VALUE)",
        "CREATE TABLE n (a INT PRIMARY KEY, b CHAR(0), c NATIONAL VARCHAR(5))",
        "CREATE TABLE n (a INT PRIMARY KEY, b DATE NOT NULL DEFAULT '0000-00-00')",
        "CREATE TABLE n (a INT PRIMARY KEY) AUTO_INCREMENT=5 MAX_ROWS=9 AVG_ROW_LENGTH=5",
        "CREATE TABLE n (a INT PRIMARY KEY) COMMENT='x' INSERT_METHOD=LAST",
        "CREATE TABLE n (a INT PRIMARY KEY) NOSUCHOPTION=1",
        "CREATE TABLE n (a INT PRIMARY KEY) START TRANSACTION",
        "CREATE TABLE n (a INT PRIMARY KEY, b INT STORAGE DISK)",
        "CREATE TABLE n (a INT PRIMARY KEY, b INT COLUMN_FORMAT DYNAMIC)",
        "CREATE TABLE n (a INT PRIMARY KEY, b INT ENGINE_ATTRIBUTE='{}')",
        "CREATE TABLE n (a INT PRIMARY KEY) ENGINE_ATTRIBUTE=''",
        "ALTER TABLE t ADD w INT AFTER id",
        "ALTER TABLE t MODIFY v VARCHAR(40) FIRST",
        "ALTER TABLE t RENAME COLUMN v TO w",
        "ALTER TABLE t ALTER v SET DEFAULT 'q'",
        "ALTER TABLE t ALTER v SET DEFAULT (UUID())",
        "ALTER TABLE t DROP COLUMN IF EXISTS zz",
        "ALTER TABLE t ADD INDEX IF NOT EXISTS k (v)",
        "ALTER TABLE t ADD INDEX k (v), ALTER INDEX k INVISIBLE",
        "ALTER TABLE t ADD INDEX k (v), ALTER INDEX k NOT IGNORED",
        "ALTER TABLE t ADD UNIQUE u (v), LOCK=SHARED",
        "ALTER TABLE t DROP PRIMARY KEY, ADD PRIMARY KEY (id, v)",
        "ALTER TABLE t ADD PERIOD FOR SYSTEM_TIME (a,b)",
        "ALTER TABLE t FORCE",
        "ALTER TABLE t ROW_FORMAT=COMPRESSED",
        "ALTER TABLE t ROW_FORMAT=REDUNDANT",
        "ALTER TABLE t COMMENT='y', ALGORITHM=COPY",
        "ALTER TABLE t ENABLE KEYS",
        "ALTER TABLE t DISCARD TABLESPACE",
        "ALTER TABLE t PARTITION BY HASH (id) PARTITIONS 2",
        "ALTER TABLE t ADD FOREIGN KEY (id) REFERENCES t (id)",
        "ALTER TABLE t ADD CONSTRAINT CHECK (id < 100)",
        "ALTER TABLE t DEFAULT CHARACTER SET latin1",
        "ALTER TABLE t RENAME TO t9",
        "ALTER TABLE t RENAME KEY a TO b",
        "ALTER TABLE t MODIFY b JSON",
        "ALTER TABLE t ADD j JSON DEFAULT '{}'",
        "ALTER TABLE t ADD u UUID",
        "ALTER TABLE t ADD v6 VECTOR(4)",
        "ALTER TABLE t CHANGE IF EXISTS v w INT",
        "ALTER TABLE t NOWAIT ADD w INT",
        "ALTER ONLINE TABLE t ADD w INT",
        "ALTER IGNORE TABLE t ADD UNIQUE (v)",
        "CREATE INDEX k ON t (v)",
        "CREATE INDEX IF NOT EXISTS k ON t (v)",
        "CREATE OR REPLACE INDEX k ON t (v)",
        "CREATE INDEX k ON t (v DESC) ALGORITHM=INPLACE LOCK=NONE",
        "CREATE UNIQUE INDEX k USING BTREE ON t (id, v)",
        "CREATE FULLTEXT INDEX k ON t (v)",
        "DROP INDEX IF EXISTS k ON t",
        "DROP TABLE IF EXISTS zz",
        "DROP TABLE t CASCADE",
        "DROP DATABASE IF EXISTS zz",
        "DROP VIEW IF EXISTS zz",
        "DROP FUNCTION IF EXISTS zz",
        "DROP TRIGGER IF EXISTS zz",
        "DROP EVENT IF EXISTS zz",
        "DROP SEQUENCE IF EXISTS zz",
        "CREATE VIEW n AS SELECT * FROM t",
        "CREATE OR REPLACE VIEW n AS SELECT id+1 x FROM t",
        "CREATE VIEW n AS WITH q AS (SELECT 1 a) SELECT * FROM q",
        "CREATE VIEW n AS SELECT JSON_VALUE('{}','$.a') x",
        "CREATE VIEW n AS SELECT id FROM t EXCEPT SELECT 2",
        "CREATE VIEW n AS SELECT 1 FROM DUAL WHERE 1 IN (SELECT 1)",
        "CREATE VIEW n AS SELECT * FROM JSON_TABLE('[1]','$[*]' COLUMNS (a INT PATH '$')) q",
        "CREATE VIEW n AS SELECT LAG(id) OVER (ORDER BY id) FROM t",
        "CREATE VIEW n AS SELECT q.* FROM t, LATERAL (SELECT t.id) q",
        "CREATE FUNCTION f(a INT) RETURNS INT DETERMINISTIC RETURN a+1",
        "CREATE FUNCTION IF NOT EXISTS f(a INT) RETURNS INT DETERMINISTIC RETURN a+1",
        "CREATE OR REPLACE FUNCTION f(a INT) RETURNS INT DETERMINISTIC RETURN a+1",
        "CREATE AGGREGATE FUNCTION f(a INT) RETURNS INT BEGIN FETCH GROUP NEXT ROW; RETURN 1; END",
        "CREATE PROCEDURE p() BEGIN DECLARE a INT DEFAULT 1; FOR i IN 1..3 DO SET a=a+1; END FOR; END",
        "CREATE PROCEDURE p() BEGIN END",
        "CREATE PROCEDURE p() SELECT 1 INTERSECT SELECT 1",
        "CREATE PROCEDURE p(a INT DEFAULT 5) SELECT 1",
        "CREATE PROCEDURE IF NOT EXISTS p() SELECT 1",
        "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.v=UPPER(NEW.v)",
        "CREATE OR REPLACE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.v='1'",
        "CREATE TRIGGER tr BEFORE UPDATE OF v ON t FOR EACH ROW SET NEW.v='1'",
        "CREATE EVENT IF NOT EXISTS e ON SCHEDULE AT '2035-01-01' DO DELETE FROM t",
        "CREATE SERVER s9 FOREIGN DATA WRAPPER mysql OPTIONS (HOST '127.0.0.1')",
        "CREATE DATABASE IF NOT EXISTS d4",
        "CREATE DATABASE d4 CHARACTER SET = utf8mb4",
        "ALTER DATABASE d CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci",
        "ALTER DATABASE d READ ONLY=0",
        "ALTER DATABASE d COMMENT 'x'",
        "CREATE USER IF NOT EXISTS u7@localhost",
        "CREATE USER u7@localhost IDENTIFIED BY 'x' WITH MAX_QUERIES_PER_HOUR 5",
        "CREATE USER u7@localhost IDENTIFIED WITH mysql_native_password",
        "CREATE USER u7@localhost IDENTIFIED VIA unix_socket",
        "CREATE USER u7@localhost IDENTIFIED WITH caching_sha2_password BY 'x'",
        "CREATE USER u7@localhost COMMENT 'x'",
        "CREATE USER u7@localhost IDENTIFIED BY PASSWORD '*94BDCEBE19083CE2A1F959FD02F964C7AF4CFC29'",
        "CREATE USER u7@localhost PASSWORD EXPIRE INTERVAL 5 DAY",
        "CREATE ROLE rr",
        "CREATE ROLE IF NOT EXISTS rr",
        "DROP ROLE IF EXISTS rr",
        "GRANT SELECT ON d.* TO root@localhost",
        "GRANT PROXY ON root@localhost TO root@127.0.0.1",
        "GRANT RELOAD, PROCESS ON *.* TO root@localhost",
        "GRANT BACKUP_ADMIN ON *.* TO root@localhost",
        "GRANT SLAVE MONITOR ON *.* TO root@localhost",
        "REVOKE DELETE ON d.* FROM root@localhost",
        "ANALYZE TABLE t",
        "ANALYZE TABLE t UPDATE HISTOGRAM ON v",
        "OPTIMIZE NO_WRITE_TO_BINLOG TABLE t",
        "FLUSH TABLES",
        "FLUSH LOCAL PRIVILEGES",
        "FLUSH STATUS",
        "REPAIR TABLE t USE_FRM",
        "INSTALL SONAME 'nosuch'",
        "SET PASSWORD FOR root@localhost = ''",
        "RENAME TABLE t TO t1, t1 TO t",
        "TRUNCATE t",
        "SAVEPOINT x",
        "KILL QUERY 0",
    ]
    for i, q in enumerate(DDL):
        st = [q]
        if q.startswith("CREATE TABLE n"):
            st.append("INSERT INTO n () VALUES ()")
        k.case(
            "statement",
            q[:120],
            ss=rnd.choice([F("ROW"), F("STATEMENT"), F("MIXED"), {}]),
            st=[*st, "CREATE TABLE zlast (a INT PRIMARY KEY)"],
            needs_all=False,
        )
    DQ = [
        "INSERT INTO t VALUES (1, 1 <=> NULL, 'x')",
        "INSERT INTO t (id) SELECT 1 FROM DUAL WHERE EXISTS (SELECT 1)",
        "REPLACE INTO t SET id=1, v='x'",
        "INSERT INTO t VALUES (1,'a','b') ON DUPLICATE KEY UPDATE v=VALUES(v)",
        "INSERT INTO t VALUES (1,'a','b') AS new ON DUPLICATE KEY UPDATE v=new.v",
        "UPDATE t, (SELECT 1 a) q SET v='x' WHERE id=q.a",
        "DELETE FROM t ORDER BY id LIMIT 1",
        "DELETE FROM t AS x WHERE x.id=1",
        "DELETE FROM t RETURNING id",
        "REPLACE INTO t VALUES (1,'a','b') RETURNING *",
        "INSERT INTO t SELECT id+5, v, b FROM t UNION ALL SELECT 77,'a','b'",
        "INSERT INTO t VALUES (1, ADD_MONTHS('2020-01-01',1), 'x')",
        "INSERT INTO t VALUES (1, TO_CHAR(NOW(),'YYYY'), 'x')",
        "INSERT INTO t VALUES (1, SFORMAT('{}',5), 'x')",
        "INSERT INTO t VALUES (1, UUID_TO_BIN('6ccd780c-baba-1026-9564-5b8c656024db'), 'x')",
        "INSERT INTO t VALUES (1, BIN_TO_UUID(UUID_TO_BIN('6ccd780c-baba-1026-9564-5b8c656024db')), 'x')",
        "INSERT INTO t VALUES (1, JSON_ARRAYAGG(1), 'x')",
        "INSERT INTO t VALUES (1, CAST('5' AS JSON), 'x')",
        "INSERT INTO t VALUES (1, JSON_DETAILED('{}'), 'x')",
        "INSERT INTO t VALUES (1, REGEXP_SUBSTR('abc','b.'), 'x')",
        "INSERT INTO t VALUES (1, ST_AsText(POINT(1,2)), 'x')",
        "INSERT INTO t VALUES (1, AsText(POINT(1,2)), 'x')",
        "INSERT INTO t VALUES (1, CRC32C('x'), 'x')",
        "INSERT INTO t VALUES (1, NATURAL_SORT_KEY('a1'), 'x')",
        "INSERT INTO t VALUES (1, RANDOM_BYTES(4), 'x')",
        "INSERT INTO t VALUES (1, STATEMENT_DIGEST('SELECT 1'), 'x')",
        "INSERT INTO t VALUES (1, LENGTH(OLD_PASSWORD('x')), 'x')",
        "INSERT INTO t VALUES (1, ENCRYPT('x','ab'), 'x')",
        "INSERT INTO t VALUES (1, LENGTH(DES_ENCRYPT('x')), 'x')",
        "INSERT INTO t VALUES (1, LENGTH(AES_ENCRYPT('a','b')), 'x')",
        "INSERT INTO t VALUES (1, ANY_VALUE(5), 'x')",
        "INSERT INTO t VALUES (1, IS_UUID('x'), 'x')",
        "INSERT INTO t VALUES (1, GREATEST('a',5), 'x')",
        "INSERT INTO t SELECT 1, ROW_NUMBER() OVER (), 'x'",
        "INSERT INTO t VALUES (DEFAULT(id)+1,'a','b')",
        "INSERT INTO t TABLE t",
        "UPDATE t SET v='x' WHERE id IN (SELECT * FROM (SELECT 1) q) AND v MEMBER OF ('[1]')",
        "INSERT INTO t WITH RECURSIVE q AS (SELECT 1 n UNION ALL SELECT n+1 FROM q WHERE n<3) SELECT n,'a','b' FROM q",
        "WITH q AS (SELECT 1 n) DELETE t FROM t, q WHERE t.id=q.n",
        "INSERT DELAYED INTO t VALUES (1,'a','b')",
        "INSERT INTO t PARTITION (p0) VALUES (1,'a','b')",
        "SELECT * INTO @z FROM t LIMIT 1",
        "DO RELEASE_LOCK('x')",
        "HANDLER t OPEN",
        "SET STATEMENT sort_buffer_size=100000 FOR UPDATE t SET v='w'",
    ]
    for q in DQ:
        k.case(
            "query",
            q[:120],
            ss=rnd.choice([F("ROW"), F("STATEMENT"), F("STATEMENT"), F("MIXED"), {}]),
            session=["SET SESSION sql_mode=''"],
            st=["INSERT INTO t VALUES (3,'q','r')", q, "UPDATE t SET b='end'"],
            needs_all=False,
        )
    for pl in (
        None,
        "mysql_native_password",
        "caching_sha2_password",
        "sha256_password",
        "ed25519",
        "parsec",
    ):
        for tls in (None, 0, 1):
            for ver in (None, 0):
                ch = {
                    ("SOURCE" if r == M97 else "MASTER") + "_SSL": tls,
                    ("SOURCE" if r == M97 else "MASTER") + "_SSL_VERIFY_SERVER_CERT": ver,
                }
                k.case("login", f"{pl} {tls} {ver}", user={"plugin": pl} if pl else {}, ch=ch)
                k.case(
                    "login",
                    f"{pl} {tls} {ver} nopw",
                    user={"plugin": pl, "password": ""} if pl else {"password": ""},
                    ch=ch,
                )
                k.case(
                    "login",
                    f"{pl} {tls} {ver} before",
                    user={"plugin": pl, "logged_in_before": True} if pl else {"logged_in_before": True},
                    ch=ch,
                )
    for req in ("SSL", "X509", "ISSUER '/CN=x'", "CIPHER 'x'"):
        for tls in (0, 1):
            k.case(
                "login",
                f"require {req} {tls}",
                user={"require": req},
                ch={("SOURCE" if r == M97 else "MASTER") + "_SSL": tls},
            )
    for pw in ("x" * 31, "x" * 32, "x" * 33, "p@ss'w", "日本", " "):
        k.case("login", f"password {pw}", user={"password": pw})
    for g in ("REPLICATION SLAVE, SELECT", "SELECT", "SUPER", "RELOAD"):
        k.case("login", "grant " + g, user={"grant": g})
    for i, p in enumerate(("file", "gtid", "none")):
        for ugt in (None, "no", "slave_pos", "current_pos") if not is_my(r) else (None,):
            for f in ("ROW", "STATEMENT"):
                k.case("start", f"{p} {ugt} {f}", position=p, ss=F(f), ch={"MASTER_USE_GTID": ugt})
    modes = ("OFF", "OFF_PERMISSIVE", "ON_PERMISSIVE", "ON")
    for a in modes if s == M97 else (None,):
        for b in modes if r == M97 else (None,):
            for p in ("file", "gtid", "none"):
                k.case(
                    "gtids",
                    f"{a} {b} {p}",
                    ss={**({"gtid_mode": a} if a else {})},
                    rs={**({"gtid_mode": b} if b else {})},
                    position=p,
                )
    if r == M97:
        for a in ("OFF", "LOCAL"):
            for b in modes:
                k.case(
                    "gtids",
                    f"assign {a} {b}",
                    rs={"gtid_mode": b},
                    ch={"ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS": a},
                    ss=F("STATEMENT"),
                )
        for v in (0, 1):
            k.case("requirements", "row format %d" % v, ch={"REQUIRE_ROW_FORMAT": v}, ss=F("STATEMENT"))
            k.case(
                "requirements",
                "row format ddl %d" % v,
                ch={"REQUIRE_ROW_FORMAT": v},
                ss=F("ROW"),
                st=["CREATE TABLE n (a INT PRIMARY KEY)", "CREATE TABLE n2 (a INT PRIMARY KEY)"],
            )
        for v in ("ON", "OFF", "STREAM", "GENERATE"):
            k.case(
                "requirements",
                "pk " + v,
                ch={"REQUIRE_TABLE_PRIMARY_KEY_CHECK": v},
                st=[
                    "CREATE TABLE n (a INT)",
                    "INSERT INTO n VALUES (1)",
                    "CREATE TABLE n2 (a INT PRIMARY KEY)",
                ],
                ss=F("STATEMENT"),
            )
    for a in (0, 1):
        for b in (0, 1):
            for f in ("ROW", "STATEMENT"):
                k.case(
                    "gipk",
                    "%d %d %s" % (a, b, f),
                    ss={"sql_generate_invisible_primary_key": a, **F(f)} if s == M97 else F(f),
                    rs={"sql_generate_invisible_primary_key": b} if r == M97 else {},
                    st=["CREATE TABLE n (a INT)", "INSERT INTO n VALUES (1)", "UPDATE n SET a=2"],
                )
            k.case(
                "gipk",
                "require %d %d" % (a, b),
                ss={"sql_require_primary_key": a} if s == M97 else {},
                rs={"sql_require_primary_key": b} if r == M97 else {},
                st=["CREATE TABLE n (a INT)", "INSERT INTO n VALUES (1)"],
            )
        k.case(
            "timestamp",
            "global %d" % a,
            rs={"explicit_defaults_for_timestamp": a},
            st=[
                "CREATE TABLE n (id INT PRIMARY KEY, a TIMESTAMP, b INT)",
                "INSERT INTO n (id,b) VALUES (1,2)",
            ],
        )
        k.case(
            "timestamp",
            "source %d" % a,
            ss={"explicit_defaults_for_timestamp": a},
            session=["SET SESSION explicit_defaults_for_timestamp=%d" % a],
            st=[
                "CREATE TABLE n (id INT PRIMARY KEY, a TIMESTAMP, b INT)",
                "INSERT INTO n (id,b) VALUES (1,2)",
            ],
        )
        k.case(
            "strict",
            "replica innodb %d" % a,
            rs={"innodb_strict_mode": a},
            session=["SET SESSION innodb_strict_mode=0"],
            st=["CREATE TABLE n (a INT PRIMARY KEY) ROW_FORMAT=COMPRESSED KEY_BLOCK_SIZE=3"],
        )
        k.case(
            "strict",
            "replica wide %d" % a,
            rs={"innodb_strict_mode": a},
            session=["SET SESSION innodb_strict_mode=0"],
            st=[
                "CREATE TABLE n (a INT PRIMARY KEY, {}) ROW_FORMAT=COMPACT".format(
                    ",".join("c%d CHAR(255)" % i for i in range(40))
                )
            ],
        )
    for e in ("MyISAM", "MEMORY", "InnoDB", "Aria"):
        k.case(
            "engine default",
            "replica " + e,
            rs={"default_storage_engine": e},
            st=["CREATE TABLE n (a INT PRIMARY KEY)", "BEGIN", "INSERT INTO n VALUES (1)", "ROLLBACK"],
        )
        k.case(
            "engine default",
            "source " + e,
            ss={"default_storage_engine": e},
            session=[f"SET SESSION default_storage_engine={e}"],
            st=["CREATE TABLE n (a INT PRIMARY KEY)", "INSERT INTO n VALUES (1)"],
        )
    for m in (
        "STRICT_ALL_TABLES",
        "",
        "ANSI",
        "ORACLE",
        "NO_ENGINE_SUBSTITUTION",
        "TIME_TRUNCATE_FRACTIONAL",
    ):
        k.case(
            "replica mode",
            m,
            rs={"sql_mode": m},
            session=["SET SESSION sql_mode=''"],
            st=[
                "INSERT INTO t VALUES (1, REPEAT('x',30), 'y')",
                "CREATE TABLE n (a INT PRIMARY KEY) ENGINE=NOSUCH",
                "INSERT INTO n VALUES (0)",
            ],
        )
    return k.out
