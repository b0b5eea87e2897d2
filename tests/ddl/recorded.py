"""The recorded answers about definition statements (tests/facts/README.md): one a line, each server's behind
its header.
"""

from __future__ import annotations

import json
import lzma
import os
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
#: Whose answers every file has: tests name them, so that a process reads the files of its own tests alone.
SERVERS = ("mariadb-10.11", "mariadb-11.8", "mysql-5.6", "mysql-9.7")
#: `make test` judges each n-th case; `make facts-all`, and whoever runs a test by its name, judges all.
EVERY = int(os.environ.get("FACTS_EVERY", "1"))


def read(name: str) -> Iterator[dict[str, Any]]:
    """The JSON lines of a compressed file."""
    with lzma.open(DATA / name, "rt", encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)


def settings_of(head: Mapping[str, str]) -> dict[str, str]:
    """The variables that a header names."""
    names = ("character_set_server", "collation_server", "sql_mode", "explicit_defaults_for_timestamp")
    return {name: head[name] for name in names}


@cache
def load(name: str = "recorded.jsonl.xz") -> dict[str, tuple[dict[str, Any], list[dict[str, Any]]]]:
    """(header, cases) of every server, as `tests.facts.ddl` judges them; read once in a process."""
    found: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {}
    cases: list[dict[str, Any]] = []
    for line in read(name):
        if "id" in line:
            cases.append(line)
        else:
            cases = []
            found[line["server"]] = (line, cases)
    assert set(found) == {*SERVERS}
    return found
