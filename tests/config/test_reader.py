from __future__ import annotations

import datetime as dt
import json
from importlib import resources

import jsonschema
import pytest
import yaml

from schemacheck.config.discovery import find
from schemacheck.config.document import ConfigError
from schemacheck.config.options import LINK_OPTIONS
from schemacheck.config.reader import LINK_KEYS, TOLERATE_KEYS, TOP_KEYS, load, parse
from schemacheck.errors import InputError
from schemacheck.model import Effect
from schemacheck.outputs import formats

FULL = """\
source: schema/source
replica: schema/replica
links:
  main:
    source: mysql-8.0.36
    replica: mariadb-10.11
    type-conversions: ALL_NON_LOSSY
    binlog-format: row
    lower-case-table-names: 1
    explicit-defaults-for-timestamp: ON
    replica-set:
      sql_mode: ""
      slave_exec_mode: IDEMPOTENT
    filters: my.cnf
fail-on: diverges
format: sarif
select: [SC1, SC2]
ignore: column-order
baseline: known.json
tolerate:
  - rule: SC204
    tables: [shop.orders]
    columns: qty
    effect: diverges
    reason: no value above 2147483647
    expires: 2027-01-31
"""


def schema():
    return json.loads((resources.files("schemacheck.schemas") / "config-1.schema.json").read_text("utf-8"))


def test_everything_is_read_with_its_place():
    config = parse(FULL, "schemacheck.yaml")
    (link,) = config.links
    assert link.name == "main"
    assert link.source.value == "mysql-8.0.36"
    assert str(link.source.location) == "schemacheck.yaml:5:13"
    assert {name: value.value for name, value in link.options} == {
        "type-conversions": "ALL_NON_LOSSY", "binlog-format": "row", "lower-case-table-names": "1",
        "explicit-defaults-for-timestamp": "ON",
    }  # fmt: skip
    assert {name: value.value for name, value in link.replica_set} == {
        "sql_mode": "",
        "slave_exec_mode": "IDEMPOTENT",
    }
    assert link.filters.value == "my.cnf"
    assert config.fail_on.value is Effect.DIVERGES
    assert [s.value for s in config.select] == ["SC1", "SC2"]
    assert [s.value for s in config.ignore] == ["column-order"]
    (entry,) = config.tolerate
    assert (entry.rule, entry.tables, entry.columns, entry.effect) == (
        "SC204",
        ("shop.orders",),
        ("qty",),
        Effect.DIVERGES,
    )
    assert entry.expires == dt.date(2027, 1, 31)
    assert str(entry.location) == "schemacheck.yaml:21:5"


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("versions: 8.0.36\n", ("8.0.36", "8.0.36")),
        ("versions: {source: 8.0.36, replica: mariadb-10.11}\n", ("8.0.36", "mariadb-10.11")),
        ("versions:\n  replica: 8.4\n", (None, "8.4")),
    ],
)
def test_versions_are_of_both_ends(text, ends):
    found = parse(text + "against: origin/main\nask: local\n", "f")
    assert found.ask.value == "local"
    assert tuple(one and one.value for one in (found.versions.source, found.versions.replica)) == ends
    assert found.against.value == "origin/main"
    jsonschema.validate(yaml.safe_load(text), schema())


REFUSED = [
    ("versions: postgres-16\n", "f:1:11: "),
    ("versions: {sources: 8.0}\n", "f:1:12: 'versions' has no key 'sources'; did you mean 'source'?"),
    ("sources: a\n", "f:1:1: the configuration has no key 'sources'; did you mean 'source'?"),
    ("fail_on: stops\n", "f:1:1: the configuration has no key 'fail_on'; did you mean 'fail-on'?"),
    (
        "links:\n  a:\n    binlog_format: ROW\n",
        "f:3:5: link 'a' has no key 'binlog_format'; did you mean 'binlog-format'?",
    ),
    (
        "links:\n  a:\n    binlog-format: ROWS\n",
        "f:3:20: binlog_format cannot be 'ROWS'; did you mean 'ROW'?",
    ),
    ("links:\n  a:\n    source: oracle\n", "f:3:13: 'oracle' is not a known server"),
    ("links:\n  a:\n    source: mysql-4.0\n", "f:3:13: no mysql 4.0 is known; did you mean"),
    ("links: [a]\n", "f:1:8: 'links' must be a mapping"),
    ("source:\n", "f:1:8: 'source' has no value"),
    ("source: {a: b}\n", "f:1:9: 'source' must be a single value"),
    ("source: a\nsource: b\n", "f:2:1: 'source' is given twice"),
    ("fail-on: broken\n", "f:1:10: 'fail-on' cannot be 'broken'"),
    ("format: pdf\n", "f:1:9: 'format' cannot be 'pdf'"),
    ("- a\n", "f:1:1: the configuration must be a mapping"),
    ("source: 'a\n", "f:2:1: this is not YAML"),
    ("tolerate:\n  rule: SC204\n", "f:2:3: 'tolerate' must be a list"),
    ("tolerate:\n  - rule: SC204\n", "f:2:5: an entry of 'tolerate' needs a 'reason'"),
    ("tolerate:\n  - reason: because\n", "f:2:5: an entry of 'tolerate' needs a 'rule' or 'tables'"),
    ("tolerate:\n  - rule: SC204\n    reason: ' '\n", "f:2:5: an entry of 'tolerate' needs a 'reason'"),
    (
        "tolerate:\n  - rule: signednes\n    reason: x\n",
        "f:2:11: there is no rule 'signednes'; did you mean 'signedness'?",
    ),
    ("tolerate:\n  - rule: ''\n    reason: x\n", "f:2:11: 'rule' is empty: name a rule"),
    ("tolerate:\n  - rule: ' '\n    tables: [a]\n    reason: x\n", "f:2:11: 'rule' is empty: name a rule"),
    ("tolerate:\n  - rule: SC204\n    reason: x\n    expires: soon\n", "f:4:14: 'expires' must be a date"),
    (
        "tolerate:\n  - rule: SC204\n    reason: x\n    until: 2027-01-01\n",
        "f:4:5: an entry of 'tolerate' has no key 'until'",
    ),
    ("[" * 100_000 + "]" * 100_000, "f:1:51: this is not YAML: nested too deeply"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_nonsense_is_refused_with_its_place(text, message):
    with pytest.raises(ConfigError) as caught:
        parse(text, "f")
    assert str(caught.value).startswith(message), caught.value


def test_an_empty_file_is_an_empty_configuration():
    assert parse("# nothing yet\n", "f").links == ()


def test_the_published_schema_and_the_reader_know_the_same_keys():
    published = schema()
    jsonschema.Draft202012Validator.check_schema(published)
    assert tuple(published["properties"]) == TOP_KEYS
    assert tuple(published["$defs"]["link"]["properties"]) == LINK_KEYS
    assert tuple(published["$defs"]["tolerated"]["properties"]) == TOLERATE_KEYS
    file = "schemacheck/schemas/config-1.schema.json"
    assert published["properties"]["format"]["enum"] == list(formats()), f"list it as `format` in {file}"
    assert published["properties"]["fail-on"]["enum"] == [e.value for e in Effect]
    assert {o.name for o in LINK_OPTIONS} < set(LINK_KEYS)


def test_the_published_schema_accepts_what_the_reader_reads():
    # Editors read dates as text.
    content = yaml.load(FULL, yaml.BaseLoader)
    jsonschema.validate(content, schema())


@pytest.mark.parametrize("text", [t for t, m in REFUSED if "key" in m or ("needs" in m and "' '" not in t)])
def test_the_published_schema_refuses_unknown_keys_too(text):
    content = yaml.load(text, yaml.BaseLoader)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(content, schema())


def test_the_nearest_file_upwards_is_found_inside_the_work_tree(tmp_path):
    deep = tmp_path / "repo" / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / "schemacheck.yaml").write_text("source: outside\n")
    (tmp_path / "repo" / "schemacheck.yaml").write_text("source: inside\n")
    assert find(deep) == tmp_path / "repo" / "schemacheck.yaml"
    (tmp_path / "repo" / "schemacheck.yaml").unlink()
    assert find(deep) == tmp_path / "schemacheck.yaml"
    (tmp_path / "repo" / ".git").mkdir()
    assert find(deep) is None


def test_unreadable_files_are_input_errors(tmp_path):
    with pytest.raises(InputError, match="cannot read the configuration"):
        load(tmp_path / "none.yaml")
    (tmp_path / "bad.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot read the configuration"):
        load(tmp_path / "bad.yaml")
