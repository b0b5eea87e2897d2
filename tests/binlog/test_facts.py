"""The recorded logs, with all that is known of them."""

from __future__ import annotations

import pytest

from tests.binlog.logs import DATA, NAMES
from tests.facts.binlog import judge_file

pytestmark = pytest.mark.recorded
#: Formats of servers before 5.0, built by hand: known to be unknown.
UNREAD = ("old-v1", "old-v3")


@pytest.mark.parametrize("name", NAMES)
def test_every_event_and_row_is_the_recorded_one(name, capsys):
    counts = judge_file(DATA / f"{name}.truth.json.gz", show=5)
    assert counts["wrong"] == 0, capsys.readouterr().out
    assert counts["facts"] >= 1
    assert counts["unknown" if name in UNREAD else "agreed"] == counts["facts"]


def test_the_judge_sees_a_difference(tmp_path):
    """A judge that agrees with everything proves nothing."""
    import gzip
    import json

    truth = json.loads(gzip.decompress((DATA / "mariadb-11.8-stopped.truth.json.gz").read_bytes()))
    changes = {
        "size": lambda e: e | {"size": e["size"] + 1},
        "label": lambda e: e | {"label": "Stop it"},
        "rows": lambda e: (
            e
            | {
                "rows": [
                    row | {"after": [cell | {"value": "2"} for cell in row["after"]]} for row in e["rows"]
                ]
            }
            if "rows" in e
            else e
        ),
        "crc32": lambda e: e | {"crc32": "0x00000000"} if "crc32" in e else e,
    }
    (tmp_path / "mariadb-11.8-stopped.binlog.gz").write_bytes(
        (DATA / "mariadb-11.8-stopped.binlog.gz").read_bytes()
    )
    for what, change in changes.items():
        wrong = dict(truth, events=[change(e) for e in truth["events"]])
        path = tmp_path / "mariadb-11.8-stopped.truth.json"
        path.write_text(json.dumps(wrong))
        assert judge_file(path)["wrong"] >= 1, what
