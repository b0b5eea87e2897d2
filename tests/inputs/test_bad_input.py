"""Broken input: a clear error with its place, in bounded time and memory."""

from __future__ import annotations

import gzip
import json
import time
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemacheck import engine
from schemacheck.engine import gate
from schemacheck.errors import InputError, SchemacheckError
from schemacheck.inputs import open_schema
from schemacheck.inputs.bundle import assemble
from schemacheck.inputs.endpoint import PASSWORD_VARIABLE, Access, Endpoint
from schemacheck.inputs.formats import formats, recognise
from schemacheck.inputs.piece import Options
from schemacheck.inputs.source import Source, decompress, read_source
from schemacheck.model import Effect, Link, Server

zstandard = pytest.importorskip("zstandard")
SERVER = Server.parse("mysql-8.0")
HEADING = "TABLE_SCHEMA\tTABLE_NAME\tCOLUMN_NAME\tORDINAL_POSITION\tCOLUMN_TYPE\tIS_NULLABLE\tCOLUMN_DEFAULT\tEXTRA\tCHARACTER_SET_NAME\tCOLLATION_NAME\n"  # noqa: E501


VERTICAL = b"""*************************** 1. row ***************************
      TABLE_SCHEMA: d
        TABLE_NAME: t
       COLUMN_NAME: a
  ORDINAL_POSITION: 1
       COLUMN_TYPE: int(11)
       IS_NULLABLE: YES
    COLUMN_DEFAULT: NULL
             EXTRA:
CHARACTER_SET_NAME: NULL
    COLLATION_NAME: NULL
"""


#: Several blocks, so that the beginning alone has whole statements.
SQL_ZST = zstandard.ZstdCompressor().compress(
    "".join(f"CREATE TABLE t{n} (a INT COMMENT '{n**99}');\n" for n in range(2000)).encode()
)


def schema_of(data: bytes, tmp_path, **more):
    file = tmp_path / "input"
    file.write_bytes(data)
    return open_schema(str(file), server=SERVER, **more)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "the file is empty"), (b"\n \n", "the file is empty"), (bytes(range(256)) * 20,
        "not recognised|binary data"),
        (gzip.compress(b"CREATE TABLE t (a INT);" * 100, mtime=0)[:-30], "truncated"),
        (b"\x1f\x8b\x08" + b"\xff" * 40, "broken gzip data"),
        *((SQL_ZST[:cut], "zstd data ends too early") for cut in (5, 9, len(SQL_ZST) // 2, len(SQL_ZST) - 1)),
        (SQL_ZST + SQL_ZST[:20], "zstd data ends too early"),
        (b"\x28\xb5\x2f\xfd" + b"\xff" * 40, "broken zstd data"),
        (b"PAR1" + b"\0" * 40 + b"PAR1", "broken Parquet"), (b'{"a": 1}\n', "row of no view"),
        (b'{"TABLE_NAME": \n', "not JSON"), (b"[[1, 2]]", "got list"),
        ("".join(f'{{"view": "COLUMNS", "k{n}": 1}}\n' for n in range(501)).encode(),
        "more than 500 different columns"),
        (b"*************************** 1. row ***************************\nfoo: 1\n",
        "rows with foo are of no view"),
        (("TABLE_SCHEMA\tTABLE_NAME\tCOLUMN_NAME\tCOLUMN_TYPE\n" + "a\tb\tc\tint\n").encode(),
        "need the column ORDINAL_POSITION"),
        (HEADING.encode() + "shop\tt\tgr\u00f6\u00dfe\t1\tint\tYES\tNULL\t\tNULL\tNULL\n".encode("latin1"),
        r":2: byte 0xf6 is not UTF-8"),
        (gzip.compress(b"CREATE TABLE a (x INT);\n", mtime=0) + b"CREATE TABLE b (x INT);\n",
        "24 bytes behind the gzip data"),
        (b'{"view": "SHOW_CREATE", "x": 1}\n', "need the column Create Table; found X"),
        (b'{"view": "APPLIER_FILTERS", "x": 1}\n', "need the columns FILTER_NAME, FILTER_RULE"),
        (b'{"view": "SNAPSHOT", "changed": ["a"]}\n{"view": "SNAPSHOT_END"}\n', "changed holds pairs"),
        # Of two keys of one object, JSON readers take one or the other.
        (b'{"TABLE_NAME": "t", "COLUMN_TYPE": "int", "COLUMN_TYPE": 1}\n', ":1: .*'COLUMN_TYPE' is there"),
        (b'[{"TABLE_NAME": "t",\n"COLUMN_TYPE" : "int", "COLUMN_TYPE" : "bigint"}]', "_TYPE' is there twice"),
        (b'{"columns": [],\n"columns": []}', "'columns' is there twice"),
        (HEADING.replace("EXTRA", "column_type").encode() +
        b"d\tt\ta\t1\tint\tYES\tNULL\tbigint\tNULL\tNULL\n",
        "the column COLUMN_TYPE twice"),
        # Where the file ends in the middle of a row.
        (VERTICAL + VERTICAL.replace(b"1. r", b"2. r")[:-70], ":12: this row has not all"),
        (VERTICAL + VERTICAL.split(b"\n")[0].replace(b"1. r", b"2. r"), ":12: this row has not all"),
        (VERTICAL + VERTICAL[:30], "the last line begins another row"),
        (VERTICAL + VERTICAL[:15], "the last line begins another row"),
        (b"def\tx\ty\n", "fields that fit no view"), (b'{"view": "SNAPSHOT", "schemacheck_snapshot": 1}\n',
        "truncated"),
    ],
)  # fmt: skip
def test_unreadable_input_is_one_clear_error(data, says, tmp_path):
    with pytest.raises(InputError, match=says):
        schema_of(data, tmp_path)


def test_encoding_can_be_said(tmp_path):
    data = HEADING.encode() + "shop\tt\tgr\u00f6\u00dfe\t1\tint\tYES\tNULL\t\tNULL\tNULL\n".encode("latin1")
    assert schema_of(data, tmp_path, encoding="latin1").tables[0].columns[0].name == "größe"
    text = "CREATE TABLE t (größe INT);"
    assert schema_of(text.encode("utf-16"), tmp_path).tables[0].columns[0].name == "größe"
    assert schema_of(b"\xef\xbb\xbf" + text.encode(), tmp_path).tables[0].columns[0].name == "größe"
    for encoding, says in (
        ("klingon", "no such encoding"),
        ("base64", "no such encoding"),
        ("idna", "no such encoding"),
        ("undefined", "no such encoding"),
    ):
        with pytest.raises(InputError, match=says):
            schema_of(b"CREATE TABLE t (a.. INT \xff)", tmp_path, encoding=encoding)


def test_a_path_that_is_none():
    with pytest.raises(InputError, match="null byte"):
        open_schema("a\0b.sql", server=SERVER)


@pytest.mark.parametrize("rows", ["shop\n", "shop\tlatin1\tNULL\n", "shop\tNULL\tNULL\n"])
def test_schemata_beside_ddl(rows, tmp_path):
    (tmp_path / "1.sql").write_text(
        "CREATE DATABASE other CHARACTER SET latin1; CREATE TABLE shop.t (a VARCHAR(3));"
    )
    (tmp_path / "2.tsv").write_text(
        "SCHEMA_NAME\tDEFAULT_CHARACTER_SET_NAME\tDEFAULT_COLLATION_NAME\n" + rows
    )
    schema = open_schema(str(tmp_path), server=SERVER)
    assert [t.columns[0].type.charset for t in schema.tables] == ["utf8mb4"]
    assert [p.skipped for p in schema.problems if "SCHEMATA" in p.message] == (
        [False] if rows == "shop\n" else []
    )
    (tmp_path / "2.tsv").write_text("SCHEMA_NAME\tDEFAULT_CHARACTER_SET_NAME\nshop\tlatin1\n")
    with pytest.raises(InputError, match="DEFAULT_COLLATION_NAME"):
        open_schema(str(tmp_path), server=SERVER)


def test_a_truncated_dump_is_told(tmp_path):
    rows = HEADING + "shop\tt\ta\t1\tint\tYES\tNULL\t\tNULL\tNULL\nshop\tu\ta\t1\tin"
    schema = schema_of(rows.encode(), tmp_path)
    assert [t.name for t in schema.tables] == ["t"]
    assert [str(p.location).rsplit(":", 1)[1] for p in schema.problems if not p.skipped] == ["3", "3"]
    whole = HEADING + "shop\tt\ta\t1\tint\tYES\tNULL\t\tNULL\tNULL"
    cut_off = schema_of(whole.encode(), tmp_path)
    assert cut_off.tables == ()
    assert [(p.table, p.skipped) for p in cut_off.problems] == [(None, False), ("t", False), (None, True)]
    other = schema_of(f"{whole}\n".encode(), tmp_path)
    report = engine.check(other.tables, cut_off.tables, Link(SERVER, SERVER), (), cut_off.problems)
    assert [pair.verdict for pair in report.pairs] == [Effect.UNKNOWN]
    assert ["the file is cut off" in one.message for one in gate.unread(report)] == [True]
    assert [p.skipped for p in schema_of(whole.replace("\t", ",").encode(), tmp_path).problems] == [
        True,
        True,
    ]
    lines = [
        json.dumps(
            dict(
                zip(
                    HEADING.rstrip().split("\t"),
                    ("shop", "t", f"c{n}", n, "int", "YES", None, "", None, None),
                    strict=True,
                )
            )
        )
        for n in (1, 2)
    ]
    with pytest.raises(InputError, match=r":2: not JSON \(the last line: is the file truncated\?\)"):
        schema_of("\n".join(lines).encode()[:-20], tmp_path)


def test_members_of_a_gzip_file_are_one_text(tmp_path):
    data = (
        gzip.compress(b"CREATE TABLE a (x INT);\n")
        + gzip.compress(b"CREATE TABLE b (x INT);\n")
        + b"\0" * 100
    )
    assert [t.name for t in schema_of(data, tmp_path).tables] == ["a", "b"]


@pytest.mark.parametrize("separator", "\t,;")
def test_a_shifted_row_is_no_column(separator, tmp_path):
    """A default with the separator in it, unquoted: one field too many."""
    rows = (
        HEADING
        + "shop\tt\ta\t1\tint\tYES\tNULL\t\tNULL\tNULL\nshop\tu\tb\t1\tvarchar(3)\tYES\tx\ty\t\tlatin1\tlatin1_bin\n"  # noqa: E501
    )
    schema = schema_of(rows.replace("\t", separator).encode(), tmp_path)
    assert [t.name for t in schema.tables] == ["t"]
    assert [(p.table, str(p.location).rsplit(":", 1)[1]) for p in schema.problems if not p.skipped] == [
        ("u", "3")
    ]


def _seconds(write, tmp_path, *sizes):
    """The time that an input takes, for each size."""
    out = []
    for size in sizes:
        path = write(size)
        begin = time.process_time()
        open_schema(str(path), server=SERVER)
        out.append(time.process_time() - begin)
    return out


def test_a_value_of_many_lines_costs_its_length(tmp_path):
    def vertical(size):
        (tmp_path / "v.txt").write_text(
            "*" * 27
            + " 1. row "
            + "*" * 27
            + "\n       Table: t\nCreate Table: CREATE TABLE `t` (\n  `a` int\n)\n/* "
            + ("x" * 100 + "\n") * size
            + "*/\n"
        )
        return tmp_path / "v.txt"

    def raw(size):
        heading = "TABLE_CATALOG\t" + HEADING.rstrip() + "\tPRIVILEGES\tCOLUMN_COMMENT\n"
        (tmp_path / "c.tsv").write_text(
            heading + "def\tshop\tt\ta\t1\tint\tYES\tNULL\t\tNULL\tNULL\tselect\t" + ("x" * 100 + "\n") * size
        )
        return tmp_path / "c.tsv"

    for write in (vertical, raw):
        (seconds,) = _seconds(write, tmp_path, 80_000)
        assert seconds < 3


def test_files_of_one_directory_are_read_once(tmp_path):
    names = (
        "TABLE_SCHEMA",
        "TABLE_NAME",
        "NON_UNIQUE",
        "INDEX_NAME",
        "SEQ_IN_INDEX",
        "COLUMN_NAME",
        "SUB_PART",
        "COLLATION",
        "INDEX_TYPE",
    )
    for number in range(200):
        columns = [
            dict(
                zip(
                    HEADING.split(),
                    (f"d{number}", f"t{n}", "a", 1, "int", "YES", None, "", None, None),
                    strict=True,
                )
            )
            for n in range(20)
        ]
        keys = [
            dict(zip(names, (f"d{number}", f"t{n}", 0, "PRIMARY", 1, "a", None, "A", "BTREE"), strict=True))
            for n in range(20)
        ]
        broken = [dict(zip(names, (f"d{number}", "t0", 0, "k", "x", "a", None, "A", "BTREE"), strict=True))]
        (tmp_path / f"c{number}.jsonl").write_text(
            "".join(json.dumps(one) + "\n" for one in columns + keys + broken)
        )
    begin = time.process_time()
    schema = open_schema(str(tmp_path), server=SERVER)
    assert time.process_time() - begin < 3
    assert len(schema.tables) == 4000
    assert len([p for p in schema.problems if not p.skipped]) == 200


def test_a_heading_that_only_resembles_one(tmp_path):
    """Found by fuzzing: rows that need repair under a name that ends like COLUMN_COMMENT's."""
    heading = "TABLE_CATALOG\t" + HEADING.rstrip() + "\tPRIVILEGES\tCOLUMN_COMMENTS\n"
    schema = schema_of((heading + "def\tshop\tt\n").encode(), tmp_path)
    assert schema.tables == ()
    assert any("dump without --raw" in p.message for p in schema.problems)


def bounded(seconds: float, megabytes: float, work):
    """Run it, and hold it to its time and to its memory."""
    tracemalloc.start()
    start = time.process_time()
    try:
        return work()
    finally:
        used = time.process_time() - start
        peak = tracemalloc.get_traced_memory()[1] / (1 << 20)
        tracemalloc.stop()
        assert used < seconds
        assert peak < megabytes


@pytest.mark.parametrize("pack", ["gzip", "zstd"])
def test_compression_bombs_are_refused(pack):
    zeros = b"\0" * (8 << 20)
    if pack == "gzip":
        import zlib

        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        bomb = b"".join(packer.compress(zeros) for _ in range(40)) + packer.flush()
    else:
        packer = zstandard.ZstdCompressor(level=1).compressobj()
        bomb = b"".join(packer.compress(zeros) for _ in range(40)) + packer.flush()
    with pytest.raises(InputError, match="decompress it first"):
        bounded(10, 200, lambda: decompress(bomb, "bomb"))


def test_ten_thousand_columns(tmp_path):
    rows = "".join(f"shop\twide\tc{n}\t{n}\tint\tYES\tNULL\t\tNULL\tNULL\n" for n in range(1, 10_001))
    schema = bounded(10, 120, lambda: schema_of((HEADING + rows).encode(), tmp_path))
    assert len(schema.tables[0].columns) == 10_000


LONG = 3 << 20


@pytest.mark.parametrize(
    "data",
    [
        (HEADING + "shop\tt\ta\t1\t" + "x" * LONG + "\tYES\tNULL\t\tNULL\tNULL\n").encode(),
        ('"' + "x" * LONG).encode(),
        ("TABLE_SCHEMA,TABLE_NAME,COLUMN_NAME,ORDINAL_POSITION,COLUMN_TYPE\n" + '"' * LONG).encode(),
        ("TABLE_SCHEMA,TABLE_NAME,COLUMN_NAME,ORDINAL_POSITION,COLUMN_TYPE\n" + '"a\n' * (LONG // 40)).encode(),  # noqa: E501
        ('{"view": "COLUMNS", "x": "' + "y" * LONG).encode(), ("[" * 200_000).encode(),
        ('{"a":' * 100_000).encode(),
        ("\t" * LONG).encode(),
        ("*" * LONG + "\n").encode(),
        b"-- \n" * 3000 + b"/* */" * 3000 + b"/*", (b"#\n" + b" " * 50 + b"/**/;\n") * 2000,
        (HEADING + "\\" * LONG).encode(), (HEADING + "\t\\N" * (LONG // 10)).encode(),
    ],
    ids=["long type", "open quote", "many quotes", "quotes open on every line", "long json", "deep array",
    "deep object", "tabs", "stars", "comments", "more comments", "backslashes", "nulls"],
)  # fmt: skip
def test_long_lines_and_deep_nesting(data, tmp_path):
    def work():
        try:
            schema = schema_of(data, tmp_path)
        except SchemacheckError:
            return
        assert schema.tables == ()
        assert schema.problems

    bounded(30, 1500, work)


@pytest.mark.parametrize("name", sorted(formats()))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_mutated_dumps_never_crash(name, data, dumps):
    """Every format on a dump with bytes removed, repeated or replaced: tables, problems or InputError."""
    samples = {
        "csv": "columns.null.csv", "tsv": "columns.outfile.txt", "json": "columns.jsonl",
        "vertical": "show_create.vertical.txt",
        "sql": "dump.skip-opt.sql", "option-file": "filters.cnf",
    }  # fmt: skip
    # A format without a dump of its own reads bytes of another one: it must not crash on those either.
    raw = (dumps / "mysql-9.7" / samples.get(name, "columns.csv")).read_bytes()
    start = data.draw(st.integers(0, max(len(raw) - 2000, 0)))
    raw = raw[:300] + raw[start : start + data.draw(st.integers(0, 2000))]
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(raw)))
        raw = (
            raw[:at]
            + data.draw(
                st.sampled_from(
                    [b"", b'"', b"\\", b"\t", b"\n", b",", b"\0", b"NULL", b"'", b"\xff", b"<", b"{", b"\r"]
                )
            )
            + raw[at + data.draw(st.integers(0, 9)) :]
        )
    source = Source("input", raw)
    try:
        chosen = formats()[name] if data.draw(st.booleans()) else recognise(source)
        assemble(chosen.read(source, Options()), server=SERVER, name="input")
    except SchemacheckError as error:
        assert str(error)  # noqa: PT017 any error of ours will do, with words


DSNS = [
    ("mysql://root:geheim@db1/", "a password in the DSN"), ("mysql://db1:99999/", "cannot be read"),
    ("mysql://db1/?frob=1", "parameter 'frob' is not known"),
    ("mysql://db1/?ssl-mode=MAYBE", "ssl-mode is 'MAYBE'"),
]  # fmt: skip


@pytest.mark.parametrize(("dsn", "says"), DSNS)
def test_bad_dsns(dsn, says):
    with pytest.raises(SchemacheckError, match=says) as caught:
        Endpoint.parse(dsn)
    assert "geheim" not in str(caught.value)


def test_passwords_come_from_file_environment_or_prompt(tmp_path, monkeypatch):
    monkeypatch.delenv(PASSWORD_VARIABLE, raising=False)
    options = tmp_path / "my.cnf"
    options.write_text(
        "[client]\nuser=ann\npassword='a#b'\nhost=db9\nport=3307\nssl-mode=REQUIRED\n[mysqld]\nport=1\n",
        "utf-8",
    )
    found = Endpoint.parse(access=Access(str(options)))
    assert (found.user, found.password, found.name, found.ssl_mode) == ("ann", "a#b", "db9:3307", "REQUIRED")
    assert "a#b" not in repr(found)
    assert Endpoint.parse("mysql://bob@db1/shop", Access(str(options))).user == "bob"
    asked: list[str] = []
    ask = Access(prompt=lambda q: asked.append(q) or "typed")
    assert Endpoint.parse("mysql://bob@db1/", ask).password == "typed"
    assert asked == ["Password of bob on db1:3306: "]
    monkeypatch.setenv(PASSWORD_VARIABLE, "env")
    assert Endpoint.parse("mysql://bob@db1/").password == "env"
    with pytest.raises(InputError, match=r"nothing\.cnf"):
        Endpoint.parse(access=Access(str(tmp_path / "nothing.cnf")))


def test_who_names_an_authority_wants_it_asked() -> None:
    modes = {
        query: Endpoint.parse(f"mysql://db1/{query}").ssl_mode
        for query in ("", "?ssl-ca=ca.pem", "?ssl-ca=ca.pem&ssl-mode=required", "?ssl-mode=VERIFY_IDENTITY")
    }
    assert list(modes.values()) == ["PREFERRED", "VERIFY_CA", "REQUIRED", "VERIFY_IDENTITY"]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (b"CREATE TABLE t (a BLOB);\nINSERT INTO `t` VALUES (_binary '\xf0\\'\xff;'),('\xc3');\n", True),
        (b"CREATE TABLE t (a BLOB);\nREPLACE INTO `t` VALUES\n(_binary 'x'),\n(_binary '\xf0');\n", True),
        (b"CREATE TABLE t\n(a INT DEFAULT '\xf0');\n", False),
        (b"CREATE TABLE t (a BLOB); -- \xf0\nINSERT INTO `t` VALUES (_binary '\xf0');\n", False),
        (b"CREATE TABLE t (a BLOB);\nSELECT '\xf0';\n", False),
    ],
)
def test_bytes_in_the_rows_of_a_dump_are_none_of_its_definitions(tmp_path, text, read):
    (tmp_path / "dump.sql").write_bytes(text)
    if not read:
        with pytest.raises(InputError, match="byte 0xf0 is not UTF-8"):
            open_schema(str(tmp_path / "dump.sql"))
        return
    schema = open_schema(str(tmp_path / "dump.sql"))
    assert (len(schema.tables), schema.problems) == (1, ())
    # A migration is none: with flyway.encoding=GBK the backslash belongs to a letter, and the quote ends.
    with pytest.raises(InputError, match="is not UTF-8"):
        _ = read_source(str(tmp_path / "dump.sql")).text
    changed = text.replace(b"INSERT", b"SET NAMES gbk;\nINSERT").replace(
        b"REPLACE", b"SET NAMES gbk;\nREPLACE"
    )
    (tmp_path / "dump.sql").write_bytes(changed)
    assert open_schema(str(tmp_path / "dump.sql")).problems
