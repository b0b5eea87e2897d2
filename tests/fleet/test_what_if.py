"""What if is the same job with other versions and settings: it says what `check` says of those."""

from __future__ import annotations

from pathlib import Path

import fleets
import pytest

from schemacheck.errors import UsageError
from schemacheck.fleet import topology
from schemacheck.fleet.whatif import WhatIf


@pytest.mark.parametrize("version", ["mysql-8.4.9", "mysql-5.7.44"])
def test_another_version_and_setting(tmp_path: Path, version: str) -> None:
    path = fleets.small(tmp_path, 8, tables=30)
    asked = WhatIf.of_words(version, ["slave_type_conversions=ALL_NON_LOSSY"], ["replica=b"])
    tables, findings, _, _ = fleets.of_task(path, what_if=asked)
    text = path.read_text("utf-8")
    text = text.replace("instances:\n", f"instances:\n  b: {{server: {version}}}\n")
    changed = "{source: a, replica: b, settings: {slave_type_conversions: ALL_NON_LOSSY}}"
    path.write_text(text.replace("{source: a, replica: b}", changed), "utf-8")
    wanted = fleets.pair_by_pair(path)
    assert changed in path.read_text("utf-8")
    fleets.compare(fleets.of_job(tables, findings), wanted)


def test_dumps_are_read_as_they_were_written(tmp_path: Path) -> None:
    """MariaDB writes texts of defaults in quotes since 10.2.7: another version changes no definition."""
    path = tmp_path / "fleet.yaml"
    heading = "TABLE_CATALOG TABLE_SCHEMA TABLE_NAME COLUMN_NAME ORDINAL_POSITION COLUMN_DEFAULT IS_NULLABLE "
    heading += "COLUMN_TYPE CHARACTER_SET_NAME COLLATION_NAME COLUMN_KEY EXTRA"
    rows = [
        "def d t id 1 NULL NO int(11) NULL NULL PRI ",
        "def d t a 2 abc NO varchar(9) latin1 latin1_swedish_ci  ",
    ]
    for name in "ab":
        home = tmp_path / "snapshots" / name
        home.mkdir(parents=True)
        text = "".join("\t".join(line.split(" ")) + "\n" for line in (heading, *rows))
        (home / "columns.tsv").write_text(text, "utf-8")
    path.write_text(
        "snapshots: snapshots\ndefaults: {server: mariadb-10.1.48}\nlinks: [{source: a, replica: b}]\n",
        "utf-8",
    )
    for version in (None, "mariadb-10.11.19"):
        asked = version and WhatIf.of_words(version, [], [])
        tables, _, _, _ = fleets.of_task(path, what_if=asked)
        assert [(row["state"], row["verdict"]) for row in tables] == [("compared", "identical")]


def test_what_is_no_question_is_refused() -> None:
    fleet = topology.of_document({"links": [{"source": "a", "replica": "b"}]}, "links")
    for version, settings, of, message in (
        (None, [], [], "--replica-version"),
        (None, ["x"], [], "--set x"),
        ("mysql-8.4", [], ["b"], "--of b"),
        ("mysql-8.4", [], ["table=b"], "--of table="),
    ):
        with pytest.raises(UsageError, match=message):
            WhatIf.of_words(version, settings, of)
    with pytest.raises(UsageError, match="--of replica=c: no link"):
        WhatIf.of_words("mysql-8.4", [], ["replica=c"]).links(fleet)
    asked = WhatIf.of_words("mysql-8.4", ["binlog_row_image=MINIMAL"], ["replica=b", "cluster=none"])
    assert str(asked).endswith("binlog_row_image=MINIMAL, on links of replica=b, cluster=none")
