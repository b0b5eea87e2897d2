"""Values of CHANGE REPLICATION SOURCE options against what five servers said to each
(`facts/data/channel_values.jsonl.xz`: by server, gtid_mode and option the values, by error; 0: taken; no
file and position was given).
"""

from __future__ import annotations

import json
import lzma
import re
from functools import cache
from pathlib import Path

import pytest

from schemacheck import knowledge
from schemacheck.link import Channel, Ends, Kind, literal
from schemacheck.link.change import change
from schemacheck.link.ends import bare
from schemacheck.model import Link
from tests.facts.links import server_of

ASKED = Path(__file__).parents[1] / "facts" / "data" / "channel_values.jsonl.xz"
#: Words that stand for a string here, as a shell takes the quotes away; the servers want them.
BARE = re.compile(r"[A-Za-z_]\w*")
#: What the grammar cuts in two is 1064 here whatever the server says of the first part.
CUT = re.compile(r"'.*'@\w+|3e11fa47-.*")
EVERY = 5


@cache
def lines() -> list[dict[str, object]]:
    with lzma.open(ASKED, "rt") as stream:
        return [json.loads(line) for line in stream]


@pytest.mark.parametrize(
    "server", ["mysql-5.6", "mysql-9.7", "mariadb-10.5", "mariadb-10.11", "mariadb-11.8"]
)
def test_every_value_is_refused_with_the_server_s_number(server: str) -> None:
    """Or undecided, where only the replica's host shows it."""
    options = knowledge.load("channel")["options"]
    judged, undecided, wrong = 0, 0, []
    for line in lines():
        if line["server"] != server:
            continue
        settings = {"gtid_mode": line["gtid_mode"]} if line["gtid_mode"] else {}
        end = server_of(server, {"server_id": 2, **settings})
        name, errors = str(line["option"]), line["errors"]
        assert isinstance(errors, dict)
        about = options.get(bare(name), {"kind": ""})
        asked = [(value, int(number)) for number, values in errors.items() for value in values]
        for value, number in asked[::EVERY]:
            shell = about["kind"] in ("text", "account", "uuid") and BARE.fullmatch(value)
            if shell or CUT.fullmatch(value):
                continue
            said = change(Ends(Link(end, end), Channel({name: value}, "none")))
            judged += 1
            undecided += said is not None and said.kind is Kind.UNKNOWN
            if said is not None and said.kind is Kind.UNKNOWN:
                continue
            if (said.number if said is not None else 0) != number:
                wrong.append((name, value, said, number))
    assert not wrong
    assert judged > 700
    assert undecided < judged / 50


@pytest.mark.parametrize(
    ("text", "value"),
    [("5", 5), ("1.5", 1), ("1e3", 1), (".5", 0), ("0x10", 16), ("x'10'", 16), ("-1", None), ("²", None),
     ("'5'", None), ("b'1'", None), ("1+1", None), ("", None), ("1" * 400, 2**64 - 1)],
)  # fmt: skip
def test_a_number_is_what_stands_before_the_point(text: str, value: int | None) -> None:
    """strtoull on a numeric literal."""
    assert literal.number(text) == value


@pytest.mark.parametrize("text", ["plain", "it's", "a\\b", "'", "", "näme", 'x"y'])
def test_a_written_string_is_read_back(text: str) -> None:
    """Quotes and backslashes included."""
    assert literal.text(literal.written(text)) == text
    assert literal.is_text(literal.written(text))
