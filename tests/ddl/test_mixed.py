"""Random tables, mixed of the recorded columns, keys and options, as four servers took or refused them."""

from __future__ import annotations

from collections import Counter

import pytest

from schemacheck.catalog import read
from schemacheck.model import Schema, Server
from tests.ddl.recorded import read as recorded
from tests.facts.ddl import compare

#: Refused for what the instance lacked: a parent table, a keyring, a spatial reference system, a plug-in engine.
ENVIRONMENT = {1005, 1824, 3185, 3548, 1286}
#: ARCHIVE's own rule of keys is not known here.
ARCHIVE = 1121

HEADS, *LINES = list(recorded("mixed.jsonl.xz"))


def run(text: str, server: Server) -> Schema:
    return read(text, server, database="d", charsets={"d": ("utf8mb4", "utf8mb4_general_ci")})


@pytest.mark.parametrize("number", range(len(HEADS)), ids=[head["server"] for head in HEADS])
def test_mixed_tables(number: int) -> None:
    head = HEADS[number]
    settings = {
        "sql_mode": head["sql_mode"],
        "explicit_defaults_for_timestamp": str(head["edft"]),
        "character_set_server": head["cs"],
        "collation_server": head["coll"],
    }
    server = Server.parse(f"{head['server'].rsplit('-', 1)[0]}-{head['version']}", settings)
    wrong: list[object] = []
    counts: Counter[str] = Counter()
    for which, ddl, errno, shown in LINES:
        if which != number:
            continue
        ours = run(ddl, server)
        if errno:
            counts["refused"] += 1
            if not ours.problems and errno not in ENVIRONMENT and errno != ARCHIVE:
                wrong.append(("taken", errno, ddl))
        elif ours.problems:
            if "SELECT" not in ours.problems[0].message:
                wrong.append(("not understood", ours.problems[0].message, ddl))
        else:
            counts["same"] += 1
            (theirs,) = run("SET foreign_key_checks = 0;" + shown, server).tables
            wrong += [(difference, ddl) for difference in compare(ours.tables[0], theirs, "show")]
    assert wrong == []
    assert min(counts.values()) > 200
