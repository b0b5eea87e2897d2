"""One instance's dump without an engine: what of it is not read is a problem, and what is read is right."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemacheck.errors import InputError
from schemacheck.fleet import definition, dump, profiles, snapshots, task, topology
from schemacheck.fleet.definition import FIELD, LINE, NULL
from schemacheck.model import InputProblem, Server, Table

SERVER = Server.parse("mysql-8.0.36")
NAMES = ("TABLE_SCHEMA", "TABLE_NAME", "COLUMN_NAME", "ORDINAL_POSITION", "COLUMN_DEFAULT", "IS_NULLABLE",
         "COLUMN_TYPE", "EXTRA", "CHARACTER_SET_NAME", "COLLATION_NAME")  # fmt: skip
HEADING = "\t".join(NAMES) + "\n"
ROW = "d\tt\tx\t1\tNULL\tYES\tint\t\tNULL\tNULL\n"


def of(folder: Path, **files: str | bytes) -> dump.Known:
    """What is known of an instance with these files, `__` in a name for a dot."""
    home = folder / "a"
    home.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = home / name.replace("__", ".")
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    found = snapshots.find(topology.Topology({}, (), (str(folder),)), ())
    return dump.read("a", [(one, {}) for one in found], SERVER)


def said(known: dump.Known) -> list[tuple[bool, str]]:
    return [(problem.skipped, problem.message) for problem in known.problems]


def test_a_row_may_be_longer_than_a_block(tmp_path: Path) -> None:
    long = f"d\tu\tx\t1\t{'y' * (5 << 20)}\tYES\tlongtext\t\tutf8mb4\tutf8mb4_bin\n"
    known = of(tmp_path, columns__tsv=HEADING + ROW + long)
    assert sorted(name for _, name in known.tables) == ["t", "u"]
    assert not known.problems


def test_a_table_called_null_is_not_lost(tmp_path: Path) -> None:
    known = of(tmp_path, columns__tsv=HEADING + ROW + ROW.replace("\tt\t", "\tNULL\t"))
    assert [name for _, name in known.tables] == ["t"]
    assert [skipped for skipped, message in said(known) if "a table called NULL" in message] == [False]


@pytest.mark.parametrize("byte", ["\x1e", "\x1f", "\x01"])
def test_a_byte_that_separates_fields_is_never_part_of_one(tmp_path: Path, byte: str) -> None:
    """Else a default could bring columns with it that the table has not."""
    values = ["d", "t", "x", "1", f"7{byte}C000002{byte}y", "YES", "int", "", None, None]
    (tmp_path / "a").mkdir()
    rows = {name: [value, other] for name, value, other in zip(NAMES, values, ROW.split("\t"), strict=True)}
    rows["TABLE_NAME"][1] = "u"
    pq.write_table(pa.table(rows), tmp_path / "a" / "columns.parquet")
    known = of(tmp_path)
    given = dump.read("a", [(snapshots.Dump(0, "a", "a"), {"columns": [pa.table(rows)]})], SERVER)
    for current in (known, given):
        tables = {name: definition.decode(one.text) for (_, name), one in current.tables.items()}
        assert {name: [column.name for column in one.columns] for name, one in tables.items()} == {
            "t": ["x"], "u": ["x"],
        }  # fmt: skip


def test_rows_of_a_view_without_their_heading_are_missed(tmp_path: Path) -> None:
    known = of(tmp_path, columns__tsv=HEADING + ROW, statistics__tsv="d\tt\tPRIMARY\t1\n", tables__tsv="")
    assert ["no heading" in message for skipped, message in said(known) if not skipped] == [True]
    assert not known.whole


def test_files_that_nobody_reads_are_listed(tmp_path: Path) -> None:
    known = of(tmp_path, columns__tsv=HEADING + ROW, README="read me", notes__docx="")
    ((skipped, message),) = said(known)
    assert (skipped, "2 files not read" in message) == (True, True)
    known = of(tmp_path, statistics__tsv__xz=b"\xfd7zXZ")
    ((skipped, message),) = said(known)
    assert (skipped, "3 files not read" in message, "statistics.tsv.xz" in message) == (False, True, True)


def test_a_snapshot_without_tables_is_no_pass(tmp_path: Path) -> None:
    assert [message for skipped, message in said(of(tmp_path, columns__tsv=HEADING)) if not skipped] == [
        "there is no table in the snapshot of a, so nothing is compared"
    ]


def test_a_file_whose_bytes_did_not_arrive_is_not_an_empty_one() -> None:
    with pytest.raises(InputError, match="gone when they were read"):
        task._arrived(snapshots.File("s3a://x/statistics.tsv", "statistics"), {"s3a://x/columns.tsv": b""})


@pytest.mark.parametrize("place", ["", "link", "replica", "source"])
def test_clusters_of_a_fleet_are_those_of_its_links(place: str) -> None:
    named = {"cluster": "c1"}
    fleet = topology.of_document(
        {
            "instances": {"a": named if place == "source" else {}, "b": named if place == "replica" else {}},
            "links": [{"source": "a", "replica": "b", **(named if place == "link" else {})}],
        },
        "links",
    )
    assert fleet.clusters == ("c1" if place else topology.NO_CLUSTER,)


def test_rows_in_a_folder_where_nothing_is_read_are_missed(tmp_path: Path) -> None:
    for name in ("a/columns.tsv", "b/columns.tsv", "more/b.columns.csv.bz2"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("TABLE_SCHEMA\tTABLE_NAME\tCOLUMN_NAME\n")
    links = {"links": [{"source": "a", "replica": "b"}]}
    found = snapshots.find(topology.of_document(links, "x"), [str(tmp_path)])
    dumps = [(one, {}) for one in found if one.instance == "b"]
    known = dump.read("b", dumps, Server.parse("mysql-8.0.36"))
    assert not known.whole
    assert any("csv.bz2" in one.message and not one.skipped for one in known.problems)
    (tmp_path / "a" / "tables.tsv").symlink_to("nowhere")
    lost = [
        why
        for one in snapshots.find(topology.of_document(links, "x"), [str(tmp_path)])
        for _, why in one.lost
    ]
    assert [why.endswith("neither a file nor a folder, so its rows cannot be read") for why in lost] == [True]


@pytest.mark.parametrize(
    ("form", "place"), [("names", "folders"), ("columns", "folders"), ("names", "names")]
)
def test_a_snapshots_own_settings_are_those_of_its_links(tmp_path: Path, form: str, place: str) -> None:
    """A link is judged under what its servers say, whichever kind of file says it: in a folder for each
    instance, or as `snapshot --directory` names files after servers.
    """
    row = {
        "view": "COLUMNS",
        **dict(zip(NAMES, ("d", "t", "x", 1, None, "YES", "int", "", None, None), strict=True)),
    }
    for name, version, image in (("a", "8.0.36", "MINIMAL"), ("b", "10.11.6-MariaDB", "FULL")):
        told = {"version": version, "binlog_row_image": image, "hostname": name}
        views = (
            [{"VARIABLE_NAME": key, "VARIABLE_VALUE": value} for key, value in told.items()]
            if form == "names"
            else [{f"@@{key}": value for key, value in told.items()}]
        )
        lines = [
            {"view": "SNAPSHOT", "schemacheck_snapshot": 1, "views": []},
            *({"view": "VARIABLES", **one} for one in views),
            row,
            {"view": "SNAPSHOT_END"},
        ]
        text = "".join(json.dumps(one) + "\n" for one in lines)
        (tmp_path / f"{name}.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    document = {"links": [{"source": "a", "replica": "b"}]}
    for file in list(tmp_path.iterdir()):
        if place == "names":
            file.rename(tmp_path / f"{file.name.partition('.')[0]}-3306.jsonl.gz")
            continue
        home = tmp_path / file.name.partition(".")[0]
        home.mkdir()
        file.rename(home / "snapshot.jsonl.gz")
    fleet = topology.of_document(document, "x")
    found = profiles.resolve(fleet, snapshots.find(fleet, [str(tmp_path)]))
    (link,) = found.links
    assert (str(link.source), str(link.replica)) == ("MySQL 8.0.36", "MariaDB 10.11.6")
    assert link.source.setting("binlog_row_image") == "MINIMAL"
    # The topology's word is the last one.
    document = {"instances": {"a": {"settings": {"binlog_row_image": "NOBLOB"}}}, **document}
    fleet = topology.of_document(document, "x")
    (link,) = profiles.resolve(fleet, snapshots.find(fleet, [str(tmp_path)])).links
    assert link.source.setting("binlog_row_image") == "NOBLOB"


def test_the_commands_of_the_page_dump_every_view():
    page = (Path(__file__).parents[2] / "docs" / "fleet.md").read_text("utf-8")
    loop = re.search(r"^for view in (.*); do$", page, re.MULTILINE)
    assert loop is not None
    assert set(loop[1].split()) == set(definition.BY_NAME)


@pytest.mark.parametrize("view", ["columns", "statistics"])
def test_a_file_that_ends_in_the_middle_of_a_line_is_cut_off(tmp_path: Path, view: str) -> None:
    statistics = "TABLE_SCHEMA\tTABLE_NAME\tINDEX_NAME\tSEQ_IN_INDEX\tCOLUMN_NAME\tNON_UNIQUE\tSUB_PART\n"
    files = {"columns": HEADING + ROW + ROW.replace("\tt\t", "\tu\t"), "statistics": statistics}
    files[view] = files[view].removesuffix("\n")
    (tmp_path / "a").mkdir()
    for name, text in files.items():
        (tmp_path / "a" / f"{name}.tsv").write_text(text)
    found = snapshots.find(topology.Topology({}, (), (str(tmp_path),)), ())
    known = dump.read("a", [(one, {}) for one in found], SERVER)
    assert not known.whole
    assert [skipped for skipped, message in said(known) if "the file is cut off" in message] == [False]


@pytest.mark.parametrize("text", [HEADING.removesuffix("\n"), HEADING + "d\tt", HEADING + "\r"])
def test_a_file_of_no_whole_line_is_read(tmp_path: Path, text: str) -> None:
    assert all(
        "a row of this table is broken" in one.text for one in of(tmp_path, columns__tsv=text).tables.values()
    )


def test_an_empty_view_beside_rows_is_no_other_format(tmp_path: Path) -> None:
    assert not of(tmp_path, columns__tsv=HEADING + ROW, table_constraints__tsv="").problems


def test_columns_that_were_not_dumped_are_unknown(tmp_path: Path) -> None:
    lines = [line.rsplit("\t", 3)[0] + "\n" for line in (HEADING, ROW)]
    ((skipped, message),) = said(of(tmp_path, columns__tsv="".join(lines)))
    assert (skipped, "EXTRA, CHARACTER_SET_NAME, COLLATION_NAME" in message) == (False, True)


@pytest.mark.parametrize("owner", ["", "TABLE_CONSTRAINTS"])
def test_a_check_of_no_table_is_missed(tmp_path: Path, owner: str) -> None:
    checks = "CONSTRAINT_SCHEMA\tCONSTRAINT_NAME\tCHECK_CLAUSE\nd\tpositive\tx > 0\n"
    owners = "CONSTRAINT_SCHEMA\tCONSTRAINT_NAME\tTABLE_SCHEMA\tTABLE_NAME\tCONSTRAINT_TYPE\n"
    files = {"table_constraints__tsv": owners + "d\tpositive\td\tt\tCHECK\n"} if owner else {}
    known = of(tmp_path, columns__tsv=HEADING + ROW, check_constraints__tsv=checks, **files)
    assert [skipped for skipped, message in said(known) if "constraint positive" in message] == (
        [] if owner else [False]
    )
    assert ("x > 0" in known.tables["d", "t"].text) == bool(owner)


@pytest.mark.parametrize("view", [True, False], ids=["lost row", "no view"])
def test_a_check_whose_own_row_is_lost_is_told(tmp_path: Path, view: bool) -> None:
    owners = "CONSTRAINT_SCHEMA\tCONSTRAINT_NAME\tTABLE_SCHEMA\tTABLE_NAME\tCONSTRAINT_TYPE\n"
    checks = "CONSTRAINT_SCHEMA\tCONSTRAINT_NAME\tCHECK_CLAUSE\n"
    files = {"check_constraints__tsv": checks} if view else {}
    known = of(
        tmp_path,
        columns__tsv=HEADING + ROW,
        table_constraints__tsv=owners + "d\tpositive\td\tt\tCHECK\n",
        **files,
    )
    (made,) = definition.tables([known.tables["d", "t"].text], SERVER)
    assert "constraint positive" in made.message


def test_numbers_of_data_frames_keep_their_fractions(tmp_path: Path) -> None:
    texts = []
    for default in (1.5, 1.7, 2.0):
        values = {name: [value] for name, value in zip(NAMES, ROW.rstrip("\n").split("\t"), strict=True)}
        values.update(ORDINAL_POSITION=[1.0], COLUMN_DEFAULT=[default])
        (tmp_path / "a").mkdir(exist_ok=True)
        pq.write_table(pa.table(values), tmp_path / "a" / "columns.parquet")
        texts.append(of(tmp_path).tables["d", "t"].text)
    assert ["\x1f1.5\x1f" in texts[0], "\x1f1.7\x1f" in texts[1], "\x1f2\x1f" in texts[2]] == [True] * 3


@pytest.mark.parametrize("views", ["csv", "tsv"])
def test_files_of_any_format_are_one_dump(tmp_path: Path, views: str) -> None:
    heading = "TABLE_SCHEMA,TABLE_NAME,NON_UNIQUE,INDEX_NAME,SEQ_IN_INDEX,COLUMN_NAME,SUB_PART\n"
    keys = heading + "d,t,0,once,1,x,NULL\n"
    columns = HEADING + ROW
    files = {
        f"columns__{views}": columns.replace("\t", ",") if views == "csv" else columns,
        "statistics__csv": keys,
        "tables__csv": "",
    }
    known = of(tmp_path, **files)
    assert not [one for one in said(known) if not one[0]]
    ((_, table),) = known.tables.items()
    assert definition.decode(table.text).keys[0].name == "once"


def test_scripts_of_a_dump_run_one_after_the_other(tmp_path: Path) -> None:
    files = {"V2__create__sql": "CREATE TABLE d.t (x INT);", "V10__alter__sql": "ALTER TABLE d.t ADD y INT;"}
    known = of(tmp_path, **files)
    assert not known.problems
    assert [c.name for c in definition.decode(known.tables["d", "t"].text).columns] == ["x", "y"]


def test_the_instance_stands_before_the_view_whatever_the_format(tmp_path: Path) -> None:
    for name in ("one.columns.csv", "two.columns.jsonl", "three.columns.tsv"):
        (tmp_path / name).write_text("")
    found = snapshots.find(topology.Topology({}, (), (str(tmp_path),)), ())
    assert sorted(dump.instance for dump in found) == ["one", "three", "two"]


def test_a_key_whose_row_came_twice_leaves_the_table_unknown() -> None:
    column = FIELD.join(("C000001", "id", "int", "NO", NULL, "", NULL, NULL, "", "", NULL, NULL))
    row = FIELD.join(("Sk_id", "000001", "1", "id", NULL, "A", "BTREE", *[NULL] * 3))
    whole, twice = (definition.tables(["w" + LINE.join(lines)], SERVER)[0]
                    for lines in ((column, row), (column, row, row)))  # fmt: skip
    assert isinstance(whole, Table)
    assert [key.name for key in whole.keys] == ["k_id"]
    assert isinstance(twice, InputProblem)
    assert "does not count from 1" in twice.message


@pytest.mark.parametrize(("counted", "unknown"), [(1, False), (2, True)])
def test_a_snapshot_that_lost_rows_says_nothing_of_its_tables(
    tmp_path: Path, counted: int, unknown: bool
) -> None:
    values = dict(zip(NAMES, ROW.rstrip("\n").split("\t"), strict=True)) | {"COLUMN_DEFAULT": None}
    lines = (
        {"view": "SNAPSHOT", "schemacheck_snapshot": 1},
        {"view": "COLUMNS", **values, "CHARACTER_SET_NAME": None, "COLLATION_NAME": None},
        {"view": "SNAPSHOT_END", "rows": {"COLUMNS": counted}},
    )
    known = of(tmp_path, snapshot__jsonl="".join(f"{json.dumps(line)}\n" for line in lines))
    (table,) = definition.tables([known.tables["d", "t"].text], SERVER)
    assert isinstance(table, InputProblem) is unknown, said(known)


@pytest.mark.parametrize("kind", ["PRIMARY KEY", "UNIQUE", "FOREIGN KEY"])
def test_a_constraint_that_no_other_view_describes_leaves_the_table_unknown(
    tmp_path: Path, kind: str
) -> None:
    heading = "CONSTRAINT_SCHEMA\tCONSTRAINT_NAME\tTABLE_SCHEMA\tTABLE_NAME\tCONSTRAINT_TYPE\n"
    keys = "TABLE_SCHEMA\tTABLE_NAME\tINDEX_NAME\tSEQ_IN_INDEX\tCOLUMN_NAME\tNON_UNIQUE\tSUB_PART\n"
    keys += "d\tt\tk\t1\tx\t1\tNULL\n"
    files = {"columns__tsv": HEADING + ROW, "statistics__tsv": keys}
    (whole,) = of(tmp_path / "one", **files).tables.values()
    assert "TABLE_CONSTRAINTS" not in whole.text
    rows = f"{heading}d\tx\td\tt\t{kind}\n"
    (table,) = of(tmp_path / "two", **files, table_constraints__tsv=rows).tables.values()
    assert "TABLE_CONSTRAINTS names the constraint x" in table.text
    assert table.odd
