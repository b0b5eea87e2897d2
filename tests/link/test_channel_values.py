"""Values of CHANGE REPLICATION SOURCE options against what five servers said to each
(`facts/data/channel_values.jsonl.xz`: by server, gtid_mode and option the values, by error; 0: taken; no
file and position was given).
"""

from __future__ import annotations

import json
import lzma
from functools import cache
from pathlib import Path

import pytest

from schemacheck.link import Channel, Ends, Kind, literal
from schemacheck.link.change import change
from schemacheck.model import Link
from tests.facts.links import server_of

ASKED = Path(__file__).parents[1] / "facts" / "data" / "channel_values.jsonl.xz"
EVERY = 5


@cache
def lines() -> list[dict[str, object]]:
    with lzma.open(ASKED, "rt") as stream:
        return [json.loads(line) for line in stream]


@pytest.mark.parametrize(
    "server", ["mysql-5.6", "mysql-9.7", "mariadb-10.5", "mariadb-10.11", "mariadb-11.8"]
)
def test_every_value_is_refused_with_the_server_s_number(server: str) -> None:
    """Or undecided: of most values nothing is said."""
    taken = 0
    wrong: list[tuple[object, ...]] = []
    for line in lines():
        if line["server"] != server:
            continue
        settings = {"gtid_mode": line["gtid_mode"]} if line["gtid_mode"] else {}
        end = server_of(server, {"server_id": 2, **settings})
        name, errors = str(line["option"]), line["errors"]
        assert isinstance(errors, dict)
        asked = [(value, int(number)) for number, values in errors.items() for value in values]
        for value, number in asked[::EVERY]:
            if value[:1] not in "'\"" and not value.isdigit():
                continue  # a shell takes the quotes away; the servers want them
            said = change(Ends(Link(end, end), Channel({name: value}, "none")))
            if said is None:
                taken += 1
                wrong += [(name, value, number)] if number else []
            elif said.kind is not Kind.UNKNOWN and said.number != number:
                wrong.append((name, value, said.number, number))
    assert not wrong
    assert taken > 15


@pytest.mark.parametrize("text", ["plain", "it's", "a\\b", "'", "", "näme", 'x"y'])
def test_a_written_string_is_read_back(text: str) -> None:
    """Quotes and backslashes included."""
    assert literal.text(literal.written(text)) == text
