"""Whatever names, defaults and messages hold, every format stays readable by its reader."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import jsonschema
import sample
import schemas
from hypothesis import given, settings
from hypothesis import strategies as st

import schemacheck
from schemacheck import outputs
from schemacheck.model import (
    Example,
    Location,
    PairReport,
    PairState,
    ServerError,
    Side,
    Table,
    Tolerance,
    ToleratedBy,
)
from schemacheck.outputs import text as _text  # noqa: F401 loads outputs.text
from schemacheck.outputs._style import Style

HOSTILE = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        [
            "</pre><script>alert(1)</script>",
            "]]>",
            "::error::x",
            "=1+1",
            "a\nb",
            "a|b",
            "```",
            "\x00\x1b[2J",
            "\u202egnp.exe",
            "%0A",
            "@all",
            '"',
            "\\",
            "\ufffe",
            "價格",
            "\t",
            "a\n::stop-commands::b",
            "::stop-commands::b",
            "##[stop-commands]b",
            "t\nDROP DATABASE prod; -- x",
            "\x85DROP DATABASE prod; -- x",
            "\u2028DROP DATABASE prod; -- x",
            "\x9b2J",
        ]
    ),
)
PLACES = st.one_of(
    st.none(),
    st.builds(
        Location,
        st.one_of(HOSTILE.filter(bool), st.just("s\udcff.sql")),
        st.integers(1, 9),
        st.one_of(st.none(), st.integers(1, 60)),
        st.none(),
        st.none(),
    ),
    st.builds(Location, HOSTILE.filter(bool), ordinal=st.integers(1, 9)),
)


@st.composite
def reports(draw):
    base = sample.report()
    findings = tuple(
        dataclasses.replace(
            draw(st.sampled_from([sample.SIGN, sample.CUT, sample.ROUND])),
            message=draw(HOSTILE),
            database=draw(st.one_of(st.none(), HOSTILE)),
            table=draw(HOSTILE),
            column=draw(st.one_of(st.none(), HOSTILE)),
            source=Side(draw(PLACES), draw(st.one_of(st.none(), HOSTILE))),
            replica=Side(draw(PLACES), draw(st.one_of(st.none(), HOSTILE))),
            error=draw(st.one_of(st.none(), st.builds(ServerError, st.just(1677), HOSTILE))),
            remedy=draw(HOSTILE),
            example=draw(st.one_of(st.none(), st.builds(Example, HOSTILE, HOSTILE))),
            tolerated=draw(st.one_of(st.none(), st.builds(Tolerance, st.sampled_from(ToleratedBy), HOSTILE))),
        )
        for _ in range(draw(st.integers(0, 3)))
    )
    text = draw(HOSTILE)
    table = Table(draw(HOSTILE), (), location=Location("a.sql", 1, draw(st.integers(1, 5))), text=text)
    pair = PairReport(
        draw(HOSTILE),
        draw(HOSTILE),
        PairState.COMPARED,
        findings,
        reason=draw(HOSTILE),
        source=table,
        replica=table,
    )
    return dataclasses.replace(base, pairs=(pair,), assumptions=(draw(HOSTILE),))


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag if all(name != "onclick" for name, _ in attrs) else f"{tag} onclick")


KNOWN_TAGS = {
    "html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "p", "ul", "li", "b",
    "article", "span", "code", "pre", "dl", "dt", "dd",
    "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "footer",
}  # fmt: skip
REPORT = jsonschema.Draft202012Validator(schemas.own("report-1.schema.json"))


@given(reports())
@settings(max_examples=60, deadline=None)
def test_every_format_survives(report):
    out = {name: outputs.render(report, name) for name in outputs.formats()}
    for text in out.values():
        text.encode("utf-8", "surrogatepass")
    REPORT.validate(json.loads(out["json"]))
    jsonschema.Draft7Validator(schemas.schemastore("sarif-2.1.0.json")).validate(json.loads(out["sarif"]))
    assert isinstance(json.loads(out["gitlab"]), list)
    ET.fromstring(out["junit"])
    listed = len(report.findings) + 2
    assert len(list(csv.DictReader(io.StringIO(out["csv"], newline="")))) == listed
    page = Tags()
    page.feed(out["html"])
    assert page.seen <= KNOWN_TAGS
    annotations = [line for line in out["github"].splitlines() if line.startswith("::")]
    assert len(annotations) == listed - sum(f.tolerated is not None for f in report.findings)
    for name, text in out.items():
        assert not set("\x1b\x9b\u2028\u202e\x85") & set(text), name
    for name in ("text", "concise", "github", "csv", "markdown"):
        lines = [line.strip() for line in out[name].splitlines()]
        assert not any(line.startswith(("::stop", "DROP")) for line in lines), name
        assert "##[" not in out[name]
    assert len(out["csv"].splitlines()) == listed + 1
    assert len(out["concise"].splitlines()) <= listed + 1


def test_a_member_steers_no_terminal_in_the_long_report() -> None:
    member = "a\x1b[31mred"
    source = f"CREATE TABLE t (id INT PRIMARY KEY, e ENUM('{member}'))"
    replica = f"CREATE TABLE t (id INT PRIMARY KEY, e ENUM('z', '{member}'))"
    report = schemacheck.check(source, replica, schemacheck.Link.of("mysql-8.0.36"))
    assert "\x1b" not in outputs.text.render_styled(report, Style(verbosity=1))
