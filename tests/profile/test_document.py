"""The profile's document: what is written is read again; hostile files are refused at their place."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemacheck import Table
from schemacheck.errors import InputError
from schemacheck.evidence.given import Given
from schemacheck.inputs import open_schema
from schemacheck.profile import document as d
from schemacheck.profile.reader import load, loads
from schemacheck.sql.statements.features import FEATURES

MOMENT = "2026-01-31T12:00:00+00:00"
SCHEMA = json.loads(Path("schemacheck/schemas/profile-1.schema.json").read_text("utf-8"))

_counts = st.integers(0, 1 << 64)
_some = st.one_of(st.none(), _counts)
#: Bounds by the type of a column.
_bounds = {
    "bigint": st.integers(-(1 << 63), (1 << 64) - 1).map(Decimal),
    "decimal(65,30)": st.decimals(
        allow_nan=False, allow_infinity=False, places=30, min_value=-(10**35), max_value=10**35
    ),
    "double unsigned": st.floats(allow_nan=False, allow_infinity=False).map(lambda n: Decimal(repr(n))),
    "datetime(6)": st.datetimes().map(lambda moment: moment.isoformat(" ", "microseconds")),
    "date": st.one_of(st.dates().map(str), st.just("0000-00-00")),
    "time": st.sampled_from(["-838:59:59.000001", "12:00:00"]),
}
_tallies = st.one_of(st.none(), st.dictionaries(st.text(max_size=8), _counts, max_size=3))
_columns = st.sampled_from(sorted(_bounds)).flatmap(
    lambda kind: st.builds(
        d.ColumnProfile, st.just(kind), _some, st.one_of(st.none(), _bounds[kind]),
        st.one_of(st.none(), _bounds[kind]), _some, _some, _some, _some, _some,
        _some, _tallies, st.one_of(st.none(), st.dictionaries(st.integers(0, 65535), _counts, max_size=3)),
        _tallies,
    )
)  # fmt: skip
_names = st.lists(st.text(max_size=8), max_size=3).map(tuple)
_word = st.one_of(st.none(), st.text(max_size=8))
_writes = st.builds(d.Writes, _counts, _counts, _counts, _counts, st.just(("full",)), _tallies)
_tables = st.builds(
    d.TableProfile, st.text(max_size=8), st.text(max_size=8), st.just(MOMENT),
    st.dictionaries(st.text(max_size=8), _columns, max_size=3), st.one_of(st.none(), st.text(max_size=8)),
    st.booleans(), _some, _some,
    st.lists(
        st.builds(d.Duplicates, _names, _counts, _counts, _word), max_size=2
    ).map(tuple), st.one_of(st.none(), _writes),
)  # fmt: skip
_statements = st.builds(
    d.StatementProfile, st.text(max_size=8), _names, _counts, st.just(("insert", "many-rows")),
    st.one_of(st.none(), _names), st.one_of(st.none(), _names),
    st.one_of(st.none(), _names),
)  # fmt: skip
PROFILES = st.builds(
    d.Profile, st.sampled_from(["data", "binlog"]),
    st.builds(d.ServerOf, st.text(max_size=8), st.text(max_size=8)), st.just(MOMENT), st.just(MOMENT),
    st.lists(_tables, max_size=2, unique_by=lambda table: (table.schema, table.name)).map(tuple),
    st.lists(_statements, max_size=2).map(tuple),
    st.lists(st.builds(d.Skipped, st.text(max_size=8), st.text(max_size=8)), max_size=2).map(tuple),
    st.one_of(st.none(), st.integers(1, 1 << 40)), st.booleans(),
    st.one_of(st.none(), st.builds(d.Log, st.just(("row",)), st.booleans())),
)  # fmt: skip


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(PROFILES)
def test_what_is_written_is_read_again_and_fits_the_schema(profile):
    text = d.dump(profile, "schemacheck")
    assert loads(text) == profile
    jsonschema.validate(json.loads(text), SCHEMA)


WHOLE = d.Profile(
    "data",
    d.ServerOf("mysql", "9.7.4", "u", 1),
    MOMENT,
    MOMENT,
    (
        d.TableProfile(
            "shop",
            "orders",
            MOMENT,
            {
                "id": d.ColumnProfile(
                    "bigint", 0, Decimal(1), Decimal(1 << 63), members={3: 4}, counted={"x": 1}
                )
            },
            "ab",
            complete=True,
            rows=3,
        ),
    ),
)
TEXT = d.dump(WHOLE, "schemacheck")
AT = "tables[0].columns.id"
HOSTILE = [
    ("", "not a profile: Expecting value"),
    ("[]", "not a profile of schemacheck: the key schemacheck_profile is missing"),
    ('{"view": "SNAPSHOT"}', "the key schemacheck_profile is missing"),
    ('{"schemacheck_profile": 2}', "version 2 is not known; this reads 1"),
    ('{"schemacheck_profile": true}', "the key 'kind' is missing"),
    ('{"a": 1, "a": 2}', "the key 'a' is there twice"),
    ("[" * 100_000, "nested too deeply"),
    ('{"a": NaN}', "NaN is no number"),
    ('{"a": ' + "9" * 5000 + "}", "not a profile: "),
    (b"\xff{}", "not a profile: "),
    (TEXT[: len(TEXT) // 2], "not a profile: "),
    (TEXT.replace('"nulls": 0', '"nulls": -1'), f"{AT}.nulls: -1 is not a count"),
    (TEXT.replace('"nulls": 0', '"nulls": 0.0'), f"{AT}.nulls: "),
    (TEXT.replace('"nulls": 0', '"nulls": false'), f"{AT}.nulls: false is not a count"),
    (TEXT.replace('"nulls": 0', '"nullz": 0'), 'the key "nullz" is of another version'),
    (TEXT.replace('"minimum": 1', '"minimum": "1; DROP"'), f"{AT}.minimum: "),
    (TEXT.replace('"minimum": 1', '"minimum": 1e999999999'), f"{AT}.minimum: "),
    (TEXT.replace('"minimum": 1', '"minimum": true'), f"{AT}.minimum: true"),
    (TEXT.replace('"minimum": 1', '"minimum": "2026-01-31"'), '"2026-01-31" is no bound of "bigint"'),
    (TEXT.replace('"bigint"', '"time(3)"'), f'{AT}.minimum: 1 is no bound of "time(3)"'),
    (TEXT.replace('"3": 4', '"٣": 4'), f"{AT}.members: "),
    (TEXT.replace('"type": "bigint", ', ""), f"{AT}: the key 'type' is missing"),
    (TEXT.replace(MOMENT, "yesterday"), 'taken_from: "yesterday" is not a time'),
    (TEXT.replace('"data"', '"date"'), "kind: \"date\" is neither 'data' nor 'binlog'"),
    (TEXT.replace('"complete": true', '"complete": "yes"'), "tables[0].complete: "),
]  # fmt: skip


@pytest.mark.parametrize(("content", "told"), HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_or_broken_file_is_refused_at_its_place(content, told, tmp_path):
    file = tmp_path / "p.json"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as raised:
        load(file)
    message = str(raised.value)
    assert message.startswith(f"{file}: ")
    assert told in message
    assert len(message) < 500
    assert message.isprintable()


def test_a_table_is_in_a_file_once():
    twice = d.dump(d.Profile("data", WHOLE.server, MOMENT, MOMENT, WHOLE.tables * 2), "x")
    with pytest.raises(InputError, match=r"tables\[1\]: shop.orders is there twice"):
        loads(twice)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        load(tmp_path / "none.json")


def of(table_ddl: str, tmp_path: Path) -> Table:
    file = tmp_path / "t.sql"
    file.write_text(table_ddl)
    return open_schema(file).tables[0]


def test_a_definition_s_mark_is_of_its_columns_alone(tmp_path):
    def mark(ddl: str) -> str:
        return d.definition_of(of(ddl, tmp_path))

    base = mark("CREATE TABLE t (id int NOT NULL PRIMARY KEY, v varchar(9) COLLATE utf8mb4_bin);")
    assert base == mark("CREATE TABLE t (ID integer NOT NULL, v varchar(9) COLLATE utf8mb4_bin DEFAULT 'x');")
    members = "CREATE TABLE t (e enum('a', 'b') {0});"
    assert mark(members.format("CHARACTER SET latin1")) == mark(members.format("CHARACTER SET utf8mb4"))
    assert mark(members.format("")) != mark(members.format("").replace("enum", "set"))
    for other in (
        "CREATE TABLE t (id int unsigned NOT NULL, v varchar(9) COLLATE utf8mb4_bin);",
        "CREATE TABLE t (id int, v varchar(9) COLLATE utf8mb4_bin);",
        "CREATE TABLE t (id int NOT NULL, v varchar(8) COLLATE utf8mb4_bin);",
        "CREATE TABLE t (id int NOT NULL, v varchar(9) CHARACTER SET utf8mb3);",
        "CREATE TABLE t (v varchar(9) COLLATE utf8mb4_bin, id int NOT NULL);",
    ):
        assert mark(other) != base


def taken(day: int, **changes: object) -> d.Profile:
    moment = MOMENT.replace("31", f"{day:02}")
    table = d.TableProfile("shop", "t", moment, {}, **changes)  # type: ignore[arg-type]
    return d.Profile("data", WHOLE.server, moment, moment, (table,))


def test_the_latest_data_counts_and_the_one_before_it_gives_the_rate(tmp_path):
    old, new, middle = taken(1, auto_increment=10), taken(9, auto_increment=90), taken(5, auto_increment=50)
    made = of("CREATE TABLE t (id int);", tmp_path)
    seen = Given([new, old, middle]).of(made)
    assert seen.rows is None, "it is of another definition"
    assert seen.before.auto_increment == 50
    other = d.Profile("data", d.ServerOf("mysql", "9.7.4", "another"), MOMENT, MOMENT, taken(20).tables)
    assert Given([old, other]).of(made).before is None


def log(day: int, definition: str = "ab", **column: object) -> d.Profile:
    moment = MOMENT.replace("31", f"{day:02}")
    columns = {"id": d.ColumnProfile("int", **column)}  # type: ignore[arg-type]
    writes = d.Writes(1, 2, 3, 4, ("full",), {"id": 5})
    table = d.TableProfile("s", "t", moment, columns, definition, complete=True, rows=9, writes=writes)
    return d.Profile("binlog", WHOLE.server, moment, moment, (table,))


def test_what_several_logs_write_is_added_up():
    first = log(1, nulls=1, minimum=Decimal(-5), maximum=Decimal(7), members={1: 1})
    second = log(2, nulls=0, minimum=Decimal(-4), maximum=Decimal(9), members={2: 1})
    table = Given([second, first]).written["s", "t"]
    assert table.rows == 18
    assert table.complete
    assert table.writes == d.Writes(2, 4, 6, 8, ("full",), {"id": 10})
    assert table.columns["id"] == d.ColumnProfile(
        "int", 1, Decimal(-5), Decimal(9), members={1: 1, 2: 1}
    )  # fmt: skip


def test_values_without_bounds_leave_the_sum_without_bounds():
    known = log(1, nulls=0, minimum=Decimal(1), maximum=Decimal(2))
    nothing, unknown = log(2, nulls=9), log(2, nulls=0)
    assert Given([known, nothing]).written["s", "t"].columns["id"].maximum == 2
    assert Given([known, unknown]).written["s", "t"].columns["id"].maximum is None


def test_a_log_of_another_definition_is_not_added_to_the_columns():
    table = Given([log(1, "old", maximum=Decimal(300)), log(2, "new", maximum=Decimal(9))]).written["s", "t"]
    assert not table.complete
    assert table.columns["id"].maximum == 9
    assert table.writes.inserts == 4


@pytest.mark.parametrize(
    ("low", "high"), [("-100:00:00", "-09:00:00"), ("-00:00:00.5", "00:00:00"), ("99:00:00", "838:59:59")]
)
def test_times_are_ordered_by_their_seconds(low, high):
    first, second = log(1, nulls=0, minimum=high, maximum=high), log(2, nulls=0, minimum=low, maximum=low)
    column = Given([first, second]).written["s", "t"].columns["id"]
    assert (column.minimum, column.maximum) == (low, high)


def test_the_schema_lists_the_features_of_statements():
    listed = SCHEMA["$defs"]["statement"]["properties"]["features"]["items"]["enum"]
    assert set(listed) == set(FEATURES)
