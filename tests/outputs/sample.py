"""A report with one of everything, made by hand so that golden files do not depend on the rules' wording."""

from __future__ import annotations

from schemacheck.model import (
    Affected,
    Effect,
    Example,
    Finding,
    InputProblem,
    KnownFinding,
    Link,
    Location,
    PairReport,
    PairState,
    Report,
    ServerError,
    Side,
    SmallestSetting,
    Table,
    Tolerance,
    ToleratedBy,
)

SOURCE_TEXT = """CREATE TABLE `orders` (
  `id` int unsigned NOT NULL,
  `qty` int unsigned NOT NULL,
  `größe` varchar(10) DEFAULT '<b>&"',
  `価格` decimal(10,2) NOT NULL,
  PRIMARY KEY (`id`)
)"""
REPLICA_TEXT = """CREATE TABLE `orders` (
  `id` int unsigned NOT NULL,
  `qty` bigint NOT NULL,
  `größe` varchar(5) DEFAULT '<b>&"',
\t`価格` decimal(8,2) NOT NULL,
  PRIMARY KEY (`id`)
)"""


def place(side: str, line: int, column: int, end: int | None = None) -> Location:
    return Location(f"schema/{side}/orders.sql", line, column, end_column=end)


def table(side: str, text: str) -> Table:
    return Table("orders", (), "shop", location=place(side, 1, 14), text=text)


SIGN = Finding(
    code="SC204", rule="signedness", effect=Effect.DIVERGES,
    message="Values above 2147483647 arrive negative: the binary log does not carry the sign.",
    database="shop", table="orders", column="qty",
    source=Side(place("source", 3, 3, 21), "int unsigned"), replica=Side(place("replica", 3, 3, 15),
    "bigint"),
    also=(1062, 1032), setting="slave_type_conversions = 'ALL_NON_LOSSY'",
    remedy="Make the column BIGINT UNSIGNED on the replica.",
    remedy_sql="ALTER TABLE `shop`.`orders` MODIFY `qty` bigint unsigned NOT NULL",
    example=Example("4294967295", "-1"), reference="measured on MySQL 8.0",
    affected=Affected("SELECT * FROM `shop`.`orders` WHERE `qty` > 2147483647;", None,
    "pt-table-checksum --databases=shop --tables=shop.orders --columns=qty"),
)  # fmt: skip
CUT = Finding(
    code="SC202", rule="needs-all-lossy", effect=Effect.STOPS,
    message="The applier stops: VARCHAR(10) does not fit VARCHAR(5).",
    database="shop", table="orders", column="größe",
    source=Side(place("source", 4, 3, 10), "varchar(10)"), replica=Side(place("replica", 4, 3, 10),
    "varchar(5)"),
    error=ServerError(1677,
    "Column 2 of table 'shop.orders' cannot be converted from type 'varchar(40(bytes))' to type "
    "'varchar(20(bytes) utf8mb4)'", "ER_SLAVE_CONVERSION_FAILED"),
    setting="slave_type_conversions = 'ALL_NON_LOSSY'", remedy="Widen the replica's column to VARCHAR(10).",
)  # fmt: skip
ROUND = Finding(
    code="SC206", rule="decimal-digits", effect=Effect.LOSSY,
    message="Values | of more than six digits\nare clipped.",
    database="shop", table="orders", column="価格",
    source=Side(place("source", 5, 3), "decimal(10,2)"), replica=Side(place("replica", 5, 2), "decimal(8,2)"),
    remedy="Widen the replica's column.",
    depends_on_rows=True, error=ServerError(1264, "Out of range value for column '価格' at row 1",
    "ER_WARN_DATA_OUT_OF_RANGE"),
)  # fmt: skip
KNOWN = Finding(
    code="SC105", rule="renamed-column", effect=Effect.UNSUPPORTED,
    message="=HYPERLINK(\"http://evil\") is @team's column.", database="shop", table="orders",
    column="=cmd()", source=Side(Location("db1:3306", ordinal=6), "int"), replica=Side(Location("db2:3306",
    ordinal=6), "int"), remedy="Rename it.",
    tolerated=Tolerance(ToleratedBy.CONFIG, "old <reports> read it", Location("schemacheck.yaml", 12, 5),
    "2027-01-31"),
)  # fmt: skip
HARMLESS = Finding(
    code="SC502", rule="default-differs", effect=Effect.COMPATIBLE,
    message="The default differs; row events carry every value.", database="shop",
    table="orders", column="id", remedy="Align the default.",
)  # fmt: skip
MISSING = Finding(
    code="SC109", rule="missing-table", effect=Effect.STOPS, message="The replica has no such table.",
    database="shop", table="audit\x1b[31m",
    source=Side(Location("schema/source/audit log.sql", 2, 14), None), error=ServerError(1146,
    "Table 'shop.audit' doesn't exist", "ER_NO_SUCH_TABLE"),
    remedy="Create the table on the replica.",
)  # fmt: skip


def report() -> Report:
    link = Link.of("mysql-8.0.36", "mariadb-10.11.6", slave_type_conversions="ALL_NON_LOSSY")
    outcomes = (
        ("", Effect.STOPS),
        ("ALL_NON_LOSSY", Effect.STOPS),
        ("ALL_LOSSY,ALL_NON_LOSSY", Effect.DIVERGES),
    )
    none = SmallestSetting(None, "`qty` loses its sign under every setting", outcomes)
    return Report(
        link,
        (
            PairReport("shop", "orders", PairState.COMPARED, (SIGN, CUT, ROUND, KNOWN, HARMLESS), none, "",
            table("source", SOURCE_TEXT), table("replica", REPLICA_TEXT)),
            PairReport("shop", "audit\x1b[31m", PairState.MISSING, (MISSING,)),
            PairReport("shop", "same", PairState.COMPARED, smallest=SmallestSetting("")),
            PairReport("mail", "queue", PairState.NOT_REPLICATED, reason="replicate-ignore-db = mail"),
        ),
        (
            InputProblem("SC001", "not understood near 'FOO'", Location("schema/source/bad.sql", 7, 22),
            "shop", "bad"),
            InputProblem("SC002", "a view writes no row events", Location("schema/source/views.sql", 1, 1),
            "shop", "v", skipped=True),
        ),
        ("binlog_format = ROW",
        "sql_mode = ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE (both servers)"),
        none,
        remarks=(
            Finding("SC090", "unused-suppression", Effect.COMPATIBLE,
            "The suppression of SC301 matches no finding.", source=Side(place("source", 2, 40)),
            remedy="Remove the comment."),
        ),
        fixed=(KnownFinding("0" * 32, "SC101", "shop.old.a", "stops", "Columns stood in another order."),),
    )  # fmt: skip


def empty() -> Report:
    return Report(Link.of("mysql-8.4"))
