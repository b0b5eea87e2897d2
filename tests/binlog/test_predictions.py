"""Where real replicas stopped: for each log the position, the error number and the message are the predicted
ones.

`predictions.jsonl.gz` was recorded on MySQL 5.6.24, 9.7.4 and MariaDB 10.11.19, 11.8.6: a replica
with other definitions was pointed at the log, and asked where it stands. MySQL 9.7 applies with a
worker thread, which tells end_log_pos of the failed event; the others tell where its transaction begins
(not compared from MySQL to MariaDB: whether its position has passed PREVIOUS_GTIDS is chance). `mixed`
cases are random tables and statements. Where NULL meets NOT NULL while a row is misread, the server puts
the number of such warnings before its message, which depends on the garbage read: number and place count.
"""

from __future__ import annotations

import base64
import gzip
import json
import zlib
from collections import Counter

import pytest

from schemacheck import catalog
from schemacheck.applier import LogCheck
from schemacheck.binlog.decoder import Decoder
from schemacheck.model import Effect, Link
from schemacheck.model.filters import FilterSet
from tests.binlog.logs import DATA

pytestmark = pytest.mark.recorded
#: Before what is predicted the applier ran past the end of an event whose values it reads by its own column.
BEFORE = {
    "mysql-5.6-mysql-5.6-mixed-10", "mysql-9.7-mysql-9.7-mixed2-30", "mysql-9.7-mysql-9.7-mixed2-60",
    "mysql-9.7-mariadb-11.8-mixed2-30", "mysql-9.7-mariadb-11.8-mixed2-60",
}  # fmt: skip

#: A definition that is not followed: a column that is added and changed by one ALTER TABLE.
UNKNOWN = {
    f"{server}-{server}-ddl-modify-missing-column" for server in ("mariadb-10.11", "mariadb-11.8")
}  # fmt: skip

CASES = [
    json.loads(line) for line in gzip.decompress((DATA / "predictions.jsonl.gz").read_bytes()).splitlines()
]


def predicted(case):
    link = Link.of(case["server"], case["replica_server"], slave_type_conversions=case["modes"])
    database = case["database"]
    schema = catalog.read(
        ";\n".join(case["replica"]),
        link.replica,
        database=database,
        charsets={database: ("utf8mb4", "utf8mb4_general_ci")},
    )
    assert not schema.problems
    filters = FilterSet(
        **{name: (value.replace("$", database),) for name, value in case.get("filters", {}).items()}
    )
    check = LogCheck(schema, link, filters=filters)
    decoder = Decoder()
    decoder.feed(zlib.decompress(base64.b64decode(case["log"])))
    for event in decoder.events():
        check.take(case["file"], event)
    decoder.close()
    assert list(decoder.events()) == []
    return check.finish()


@pytest.mark.parametrize(
    "case", CASES, ids=[f"{c['server']}-{c['replica_server']}-{c['name']}" for c in CASES]
)
def test_the_replica_stopped_there(case):
    report = predicted(case)
    name = f"{case['server']}-{case['replica_server']}-{case['name']}"
    if name in UNKNOWN:
        assert report.problems
        assert report.verdict is Effect.UNKNOWN
        return
    assert report.problems == []
    if name in BEFORE:
        assert report.verdict in (Effect.STOPS, Effect.UNKNOWN)
        return
    if not case["errno"]:
        assert report.stop is None
        return
    stop = report.stop
    assert stop is not None
    assert stop.error.number == case["errno"]
    if "end_log_pos" in case:
        assert stop.place.end_position == case["end_log_pos"]
    elif "exec_pos" in case:
        assert stop.place.transaction == case["exec_pos"]
    if "words_differ" not in case:
        assert stop.error.message.replace("\n", " ") == case.get("log_message", case["message"]).replace(
            "\n", " "
        )


def test_there_are_enough_differing_schemas():
    differing = Counter(case["replica_server"] for case in CASES if case["source"] != case["replica"])
    assert min(differing[name] for name in ("mysql-5.6", "mysql-9.7", "mariadb-11.8")) >= 20
    assert Counter(bool(case["errno"]) for case in CASES)[False] > 20
