"""Every reader of input that others write, as a function of bytes that raises nothing but our own errors; and
what to begin with.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import tarfile
import tempfile
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from schemacheck import catalog
from schemacheck.binlog.listing import event_lines
from schemacheck.config import reader as configuration
from schemacheck.errors import SchemacheckError
from schemacheck.filters import read as filters
from schemacheck.inputs import option_file
from schemacheck.inputs.bundle import assemble
from schemacheck.inputs.formats import formats
from schemacheck.inputs.piece import Options
from schemacheck.inputs.source import Source, decompress
from schemacheck.model import Server, transport
from schemacheck.policy import baseline
from tests.binlog.logs import NAMES, log
from tests.fuzz import deep
from tests.fuzz.mutate import mutated

Reader = Callable[[bytes], None]
DATA = Path(__file__).parents[1] / "inputs" / "data"
SERVERS = tuple(
    Server.parse(name) for name in ("mysql-5.6", "mysql-8.0", "mysql-9.7", "mariadb-10.11", "mariadb-11.8")
)

DDL = (
    (b"CREATE TABLE `shop`.`t` (id INT UNSIGNED NOT NULL AUTO_INCREMENT, a VARCHAR(20) CHARACTER "
     b"SET latin1 DEFAULT 'x''y', b DECIMAL(10,2), c ENUM('a','b'),"
    b" d TIMESTAMP(6) DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6), e INT AS (a + 1) "
    b"STORED, PRIMARY KEY (id), UNIQUE KEY u (a(10) DESC), CHECK (b > 0),"
    b" FOREIGN KEY (id) REFERENCES u (x) ON DELETE CASCADE) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 "
    b"PARTITION BY HASH (id) PARTITIONS 4;\n"),
    (b"/*!40101 SET NAMES utf8 */;\nDELIMITER //\nCREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW "
    b"BEGIN SET NEW.a = 1; END //\nDELIMITER ;\n"),
    (b"ALTER TABLE t ADD COLUMN x BIGINT AFTER a, DROP KEY u, MODIFY b TEXT, RENAME TO v; RENAME "
    b"TABLE v TO w; DROP TABLE IF EXISTS w;\n"),
    (b"CREATE TABLE q LIKE t; CREATE TABLE r AS SELECT id, CONCAT(a, 'x') AS y FROM t WHERE b IN (1, "
    b"2) UNION SELECT 1, 'z'; -- schemacheck: ignore[SC204] known\n"),
    (b"/*M!100203 CREATE SEQUENCE s START WITH 1 */; CREATE OR REPLACE VIEW v AS SELECT * FROM t; "
    b"USE `a``b`; SET sql_mode='ANSI_QUOTES';\n"),
    (b"CREATE TABLE t (a INT, b VARCHAR(10), KEY k (a)); CREATE VIEW v (x) AS WITH c AS (SELECT t.a AS q, "
    b"CASE WHEN b LIKE 'x%' ESCAPE '!' THEN 1 ELSE -2.5 END AS y FROM t LEFT JOIN t AS u USING (a) WHERE "
    b"u.b IN (SELECT b FROM t) GROUP BY b HAVING COUNT(DISTINCT a) > 1) SELECT q FROM c UNION ALL (SELECT "
    b"ROW_NUMBER() OVER (PARTITION BY a ORDER BY b DESC) FROM t) ORDER BY 1 LIMIT 3; DROP TABLE t;\n"),
    (b"CREATE TABLE s AS SELECT CONCAT('a', 1.5) AS x, IF(1, 'b', NULL), CAST('12' AS DECIMAL(10,2)) AS y, "
    b"COALESCE(NULL, 1e3, 0x41), DATE_ADD('2020-01-01', INTERVAL 3 DAY), LEFT('abc', 2) COLLATE "
    b"utf8mb4_bin, ROUND(2.567, 1) + 3 DIV 2, JSON_OBJECT('k', 1), GREATEST(1, '2'), REPEAT('x', 300);\n"),
    (b"CREATE TABLE g (a INT UNSIGNED, b DECIMAL(12,3), t TIMESTAMP, c DOUBLE AS (a * b / 3 - YEAR(t)) "
    b"STORED, d VARCHAR(20) AS (IF(a REGEXP '^[0-9]', DATE_FORMAT(t, '%Y'), HEX(b))) VIRTUAL, "
    b"CHECK (a BETWEEN 1 AND TIME'00:00:05'), KEY f ((a DIV 2))) ROW_FORMAT=COMPRESSED;\n"),
)  # fmt: skip
OPTIONS = (
    (
        b"[mysqld]\nserver-id=1\nbinlog_format = ROW\nreplicate-do-db = 'shop' # "
        b'only\nloose-sql_mode="STRICT_TRANS_TABLES"\n[client]\nuser=x\\sy\n'
    ),
    b"[mariadb-10.11]\nreplicate_wild_do_table=a%.b\\_c\n[mysqld]\nskip-name-resolve\n",
)
FILTERS = (
    b"--replicate-do-db=shop --replicate-rewrite-db='a->b' --replicate-wild-ignore-table=x%.y\n", *OPTIONS,
    (b"CHANGE REPLICATION FILTER REPLICATE_DO_DB = (shop, `a b`), REPLICATE_REWRITE_DB = ((a, b)) "
    b"FOR CHANNEL 'x';\n"),
    b"             Replicate_Do_DB: shop,crm\n         Replicate_Ignore_DB: \n",
)  # fmt: skip
CONFIG = (
    (
        b"source: a.sql\nreplica: b.sql\nlinks:\n  main: {source: mysql-8.0, replica: mariadb-10.11, "
        b"type-conversions: ALL_LOSSY, source-set: {sql_mode: ANSI}}\n"
        b"tolerate:\n  - {rule: SC204, tables: [shop.*], reason: known, expires: 2027-01-31}\nfail-on: "
        b"lossy\nignore: SC1\n"
    ),
    b"links:\n  test: &x {source: mysql-8.0}\n  more: *x\n",
)
BASELINE = (
    (
        b'{"schemacheck_baseline": 1, "findings": [{"fingerprint": "ab", "code": "SC1", "subject": "t", '
        b'"effect": "stops", "message": "m"}]}'
    ),
)


@cache
def dumps() -> dict[str, tuple[bytes, ...]]:
    """Recorded dumps by the format that reads them, cut to what a mutation can still cover."""
    out: dict[str, list[bytes]] = {name: [] for name in formats()}
    for path in sorted(DATA.glob("*.tar.gz")):
        with tarfile.open(path) as archive:
            for member in archive.getmembers():
                stream = archive.extractfile(member)
                if stream is None:
                    continue
                content = decompress(stream.read(), member.name)
                source = Source(member.name, content)
                best = max(formats().values(), key=lambda one: one.sniff(source))
                if best.sniff(source) and len(out[best.NAME]) < 12:
                    out[best.NAME].append(_cut(best.NAME, content))
    return {name: tuple(found) for name, found in out.items() if found}


def _cut(name: str, content: bytes) -> bytes:
    """The beginning, still a whole document."""
    begin = content[:6000]
    if name == "parquet" or len(content) == len(begin):
        return content
    if name == "json":
        array = content.startswith(b"[")
        return begin[: begin.rindex(b"\n  }") + 4] + b"\n]" if array else begin[: begin.rindex(b"\n")]
    return begin


@cache
def parquet() -> tuple[bytes, ...]:
    """Parquet files of the views of information_schema, as Spark writes them (plain and dictionary pages)."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    tables = pa.table(
        {
            "TABLE_SCHEMA": ["d", "d"],
            "TABLE_NAME": ["t", "u"],
            "TABLE_TYPE": ["BASE TABLE", "BASE TABLE"],
            "ENGINE": ["InnoDB", None],
            "TABLE_COLLATION": ["utf8mb4_general_ci", "latin1_bin"],
        }
    )
    columns = pa.table(
        {
            "TABLE_SCHEMA": ["d", "d", "d"],
            "TABLE_NAME": ["t", "t", "u"],
            "COLUMN_NAME": ["a", "b", "a"],
            "ORDINAL_POSITION": [1, 2, 1],
            "COLUMN_DEFAULT": [None, "x", "0"],
            "IS_NULLABLE": ["NO", "YES", "YES"],
            "DATA_TYPE": ["int", "varchar", "decimal"],
            "CHARACTER_MAXIMUM_LENGTH": pa.array([None, 20, None], pa.int64()),
            "CHARACTER_SET_NAME": [None, "utf8mb4", None],
            "COLLATION_NAME": [None, "utf8mb4_bin", None],
            "COLUMN_TYPE": ["int(11)", "varchar(20)", "decimal(5,2)"],
            "COLUMN_KEY": ["PRI", "", ""],
            "EXTRA": ["auto_increment", "", ""],
        }
    )
    out = []
    for table in (tables, columns):
        for options in ({"compression": "none", "use_dictionary": False}, {"compression": "snappy"}):
            buffer = io.BytesIO()
            pq.write_table(table, buffer, **options)
            out.append(buffer.getvalue())
    return tuple(out)


def _dump(name: str) -> Reader:
    def read(data: bytes) -> None:
        for server in (None, SERVERS[len(data) % len(SERVERS)]):
            assemble(
                formats()[name].read(Source("x", data), Options()), server=server, name="x", database="d"
            )

    return read


def _file(read: Callable[[Path], object]) -> Reader:
    """A reader of paths."""

    def through(data: bytes) -> None:
        with tempfile.NamedTemporaryFile(prefix="fuzz-", suffix=".tmp") as file:
            file.write(data)
            file.flush()
            read(Path(file.name))

    return through


def _ddl(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    catalog.read(text, SERVERS[len(text) % len(SERVERS)], file="x.sql", database="d")


def _binlog(data: bytes) -> None:
    with tempfile.NamedTemporaryFile(prefix="fuzz-") as file:
        file.write(data)
        file.flush()
        for form in ("text", "jsonl"):
            for _ in event_lines([file.name], form=form):
                pass


def _transport(data: bytes) -> None:
    with contextlib.suppress(ValueError):
        transport.unpack(data)


def _options(data: bytes) -> None:
    option_file.read_options(data.decode("utf-8", "replace").replace("!include", "include"), "my.cnf")


def _filters(data: bytes) -> None:
    filters.parse(
        data.decode("utf-8", "replace").replace("!include", "include"), SERVERS[len(data) % len(SERVERS)]
    )


@cache
def readers() -> dict[str, tuple[Reader, tuple[bytes, ...], deep.Mutate]]:
    """Name -> the reader, its seeds, and what changes them: bytes and words, and (`...-values`,
    `...-events`) what stands inside of documents and events that stay whole.
    """
    plain = _plain()
    out = {name: (read, seeds, mutated) for name, (read, seeds) in plain.items()}
    for name, change in _DEEP.items():
        if name.rpartition("-")[0] in plain:
            out[name] = (*plain[name.rpartition("-")[0]], change)
    return out


_DEEP: dict[str, deep.Mutate] = {
    "json-values": deep.json_values,
    "baseline-values": deep.json_values,
    "transport-values": deep.json_values,
    "configuration-values": deep.yaml_values,
    "compressed-values": deep.gzip_inside,
    "parquet-values": deep.parquet_values,
    "binlog-events": deep.log_events,
}


def _plain() -> dict[str, tuple[Reader, tuple[bytes, ...]]]:
    out: dict[str, tuple[Reader, tuple[bytes, ...]]] = {
        "ddl": (_ddl, DDL),
        "binlog": (_binlog, tuple(log(name)[:4000] for name in NAMES)),
        "options": (_options, OPTIONS),
        "filters": (_filters, FILTERS),
        "configuration": (
            lambda data: _none(configuration.parse(data.decode("utf-8", "replace"), "c.yaml")),
            CONFIG,
        ),
        "baseline": (_file(baseline.load), BASELINE),
        "compressed": (
            lambda data: _none(decompress(data, "x")),
            (gzip.compress(DDL[0]), gzip.compress(gzip.compress(DDL[1])) + gzip.compress(b"")),
        ),
        "transport": (_transport, (transport.pack(catalog.read(DDL[0].decode(), SERVERS[1], file="a.sql")),)),
    }
    others = {"parquet": parquet()} if find_spec("pyarrow") else {}
    for name, seeds in (dumps() | others).items():
        out[name if name not in out else f"dump-{name}"] = (_dump(name), seeds)
    return out


def _none(value: object) -> None:
    del value


#: What a reader may raise: each names what is wrong.
TYPED = (SchemacheckError,)
__all__ = ["TYPED", "readers"]
