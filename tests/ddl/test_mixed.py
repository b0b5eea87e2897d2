"""Random tables, mixed of the recorded columns, keys and options, as four servers took or refused them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from schemacheck.catalog import read
from schemacheck.model import Schema, Server
from tests.ddl.recorded import EVERY, settings_of
from tests.ddl.recorded import read as recorded
from tests.facts.ddl import compare

pytestmark = pytest.mark.recorded

#: Refused for what the instance lacked: a parent table, a keyring, a spatial reference system, a plug-in
#: engine.
ENVIRONMENT = {1005, 1824, 3185, 3548, 1286}
#: ARCHIVE's own rule of keys is not known here.
ARCHIVE = 1121

CASES: dict[str, tuple[dict[str, str], list[dict[str, Any]]]] = {}
for line in recorded("mixed.jsonl.xz"):
    if "version" in line:
        CASES[line["server"]] = (line, [])
    else:
        CASES[list(CASES)[-1]][1].append(line)


def run(text: str, server: Server) -> Schema:
    return read(text, server, database="d", charsets={"d": ("utf8mb4", "utf8mb4_general_ci")})


@pytest.mark.parametrize("name", CASES)
def test_mixed_tables(name: str) -> None:
    head, lines = CASES[name]
    server = Server.parse(f"{name.rsplit('-', 1)[0]}-{head['version']}", settings_of(head))
    wrong: list[object] = []
    counts: Counter[str] = Counter()
    for case in lines[::EVERY]:
        ddl, errno = case["ddl"], case.get("errno")
        ours = run(ddl, server)
        if errno:
            counts["refused"] += 1
            if not ours.problems and errno not in ENVIRONMENT and errno != ARCHIVE:
                wrong.append(("taken", errno, ddl))
        elif ours.problems:
            counts["unknown"] += 1
            if ours.problems[0].refusal is not None:
                wrong.append(("not understood", ours.problems[0].message, ddl))
        else:
            counts["same"] += 1
            (theirs,) = run("SET foreign_key_checks = 0;" + case["show_create"], server).tables
            wrong += [(difference, ddl) for difference in compare(ours.tables[0], theirs, "show")]
    assert wrong == []
    assert min(counts["refused"], counts["same"]) > 200 // EVERY
    assert counts["unknown"] * 8 < counts["same"]
