from __future__ import annotations

import csv
import dataclasses
import email
import io
import json
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest
import sample
import schemas

from schemacheck import cli, outputs
from schemacheck.engine.gate import annotated, blocking, entries, exit_status
from schemacheck.model import Effect, Location, Side
from schemacheck.model.fingerprint import fingerprints
from schemacheck.outputs import sarif


def loaded(name: str):
    return json.loads(outputs.render(sample.report(), name))


@pytest.mark.parametrize("report", [sample.report(), sample.empty()])
def test_json_is_valid_against_its_published_schema(report):
    schema = schemas.own("report-1.schema.json")
    jsonschema.Draft202012Validator.check_schema(schema)
    document = json.loads(outputs.render(report, "json"))
    jsonschema.Draft202012Validator(schema, format_checker=jsonschema.FormatChecker()).validate(document)
    assert document["exit_status"] == exit_status(report)


def test_the_schema_refuses_another_shape():
    document = loaded("json")
    document["tables"][0]["findings"][0]["effect"] = "fine"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schemas.own("report-1.schema.json"))


def test_json_lists_every_finding_once():
    document = loaded("json")
    listed = [f for table in document["tables"] for f in table["findings"]]
    assert [f["code"] for f in listed] == [f.code for f in sample.report().findings]
    assert len({f["fingerprint"] for f in listed}) == len(listed)
    assert sum(f["blocks"] for f in listed) + document["summary"]["not_understood"] == len(
        blocking(sample.report())
    )


@pytest.mark.parametrize("report", [sample.report(), sample.empty()])
def test_sarif_is_valid_against_the_official_schema(report):
    log = json.loads(outputs.render(report, "sarif"))
    jsonschema.Draft7Validator(schemas.schemastore("sarif-2.1.0.json")).validate(log)


def test_sarif_tells_both_places_levels_and_suppressions():
    (run,) = loaded("sarif")["runs"]
    results = {r["ruleId"]: r for r in run["results"]}
    sign = results["SC204"]
    region = sign["locations"][0]["physicalLocation"]
    assert region["artifactLocation"] == {"uri": "schema/replica/orders.sql", "uriBaseId": "%SRCROOT%"}
    assert region["region"] == {"startLine": 3, "startColumn": 3, "endColumn": 15}
    assert (
        sign["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        == "schema/source/orders.sql"
    )
    assert "[source definition](1)" in sign["message"]["text"]
    assert {code: r["level"] for code, r in results.items()} == {
        "SC204": "error", "SC202": "error", "SC206": "warning", "SC105": "note",
        "SC109": "error", "SC001": "error", "SC090": "warning",
        "SC101": "none",
    }  # fmt: skip
    assert results["SC105"]["suppressions"] == [
        {"kind": "external", "status": "accepted", "justification": "old <reports> read it"}
    ]
    assert "physicalLocation" not in results["SC105"]["locations"][0]
    assert (
        results["SC109"]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        == "schema/source/audit%20log.sql"
    )
    assert results["SC101"]["baselineState"] == "absent"
    assert results["SC204"]["baselineState"] == "new"
    rules = run["tool"]["driver"]["rules"]
    assert all(run["tool"]["driver"]["rules"][r["ruleIndex"]]["id"] == r["ruleId"] for r in run["results"])
    pages = [Path(__file__).parents[2] / r["helpUri"] for r in rules if "helpUri" in r]
    assert len(pages) > 5
    assert all(page.is_file() for page in pages)
    syntax = next(r for r in rules if r["id"] == "SC001")
    assert "## Fix" in syntax["help"]["markdown"]


@pytest.mark.parametrize("form", ["sarif", "junit", "gitlab", "github", "html", "markdown"])
def test_a_file_of_a_commit_is_named_as_it_is_in_the_repository(form, tmp_path, monkeypatch, capsys):
    """No temporary path, and no place `REF%3AFILE` which nobody can open; sentences are told apart."""
    monkeypatch.chdir(tmp_path)
    schema = Path("schema.sql")
    schema.write_text("CREATE TABLE t (id int NOT NULL,\n  qty int unsigned NOT NULL)", "utf-8")
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "a"],
    ):
        subprocess.run(["git", *words], check=True)
    schema.write_text("CREATE TABLE t (id int NOT NULL,\n  qty bigint NOT NULL)", "utf-8")
    given = ["check", "--against", "HEAD", "schema.sql", "--source-version", "mysql-8.0", "--unlogged"]
    assert cli.main([*given, "--format", form]) == 1
    text = capsys.readouterr().out
    assert "schemacheck-" not in text
    assert "HEAD%3A" not in text
    if form == "sarif":
        (run,) = json.loads(text)["runs"]
        (result,) = run["results"]
        for place in (*result["locations"], *result["relatedLocations"]):
            assert Path(place["physicalLocation"]["artifactLocation"]["uri"]).is_file()
        assert re.search(
            r"stops the applier\. Error 13146: .*'bigint'\. This change needs .*\. See the",
            result["message"]["text"],
        )


def test_pages_are_at_the_documentation_of_the_package(monkeypatch):
    """The address that a release gives to the package."""
    named = email.message_from_string("Project-URL: Documentation, https://example.com/s/docs\n")
    monkeypatch.setattr("importlib.metadata.metadata", lambda _: named)
    (run,) = loaded("sarif")["runs"]
    uris = {r["id"]: r.get("helpUri") for r in run["tool"]["driver"]["rules"]}
    assert uris["SC001"] == "https://example.com/s/docs/rules/SC001-syntax.md"


def test_sarif_counts_what_does_not_fit(monkeypatch):
    monkeypatch.setattr(sarif, "MOST_RESULTS", 4)
    (run,) = loaded("sarif")["runs"]
    assert len(run["results"]) == 4
    assert "5 further findings" in run["results"][-1]["message"]["text"]
    jsonschema.Draft7Validator(schemas.schemastore("sarif-2.1.0.json")).validate(
        {"version": "2.1.0", "runs": [run]}
    )


def test_junit_counts_agree_and_unknown_is_an_error():
    root = ET.fromstring(outputs.render(sample.report(), "junit"))
    cases = list(root.iter("testcase"))
    assert root.get("tests") == str(len(cases)) == "6"
    assert root.get("failures") == str(len(list(root.iter("failure")))) == "2"
    assert root.get("errors") == str(len(list(root.iter("error")))) == "1"
    failure = next(c for c in cases if c.get("name") == "orders").find("failure")
    assert failure.get("type") == "SC202"
    assert "SC204" in failure.text
    assert "SC105" not in failure.text
    skipped = next(c for c in cases if c.get("name") == "queue").find("skipped")
    assert "replicate-ignore-db" in skipped.get("message")
    assert any("\\x1b" in (c.text or "") or "�" in (c.get("name") or "") for c in cases)


def test_github_annotations_cannot_be_broken_out_of(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("x,y:z%.sql").touch()
    report = sample.report()
    bad = dataclasses.replace(
        sample.SIGN, message="a\n::error::b\r100%", replica=Side(Location("x,y:z%.sql", 1, 1), "int")
    )
    pair = dataclasses.replace(report.pairs[0], findings=(bad,))
    text = outputs.render(dataclasses.replace(report, pairs=(pair,), problems=(), remarks=()), "github")
    lines = text.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(
        "::error file=x%2Cy%3Az%25.sql,line=1,col=1,title=SC204 signedness%3A diverges::"
    )
    assert "a%0A::error::b\\x0d100%25" in lines[0]


@pytest.mark.parametrize("name", ["text", "concise", "github", "markdown"])
def test_the_summary_stays_one_line_without_control_characters(name):
    trap = dataclasses.replace(
        sample.report().smallest, reason="enum('a\\n::error::b\x1b[31m') to x\n::error::c"
    )
    text = outputs.render(dataclasses.replace(sample.report(), smallest=trap), name)
    assert "\x1b" not in text
    assert not any(line.startswith("::error::") for line in text.splitlines())


def test_github_leaves_tolerated_findings_out_and_grades_the_rest():
    lines = outputs.render(sample.report(), "github").splitlines()
    assert not any("SC105" in line for line in lines)
    assert sum(line.startswith("::error") for line in lines) == len(blocking(sample.report()))
    assert not any("SC502" in line for line in lines)


def test_gitlab_entries_have_the_keys_that_gitlab_reads():
    found = loaded("gitlab")
    assert len(found) == len([f for f in annotated(sample.report()) if f.tolerated is None])
    assert not any("SC502" in entry["check_name"] for entry in found)
    for entry in found:
        assert set(entry) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert entry["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert entry["location"]["lines"]["begin"] >= 1
        assert not entry["location"]["path"].startswith("./")
    assert len({e["fingerprint"] for e in found}) == len(found)


def test_csv_has_no_formula_and_reads_back():
    rows = list(csv.DictReader(io.StringIO(outputs.render(sample.report(), "csv"))))
    assert len(rows) == len(entries(sample.report()))
    assert not any(
        value.startswith(("=", "+", "-", "@", "\t", "\r")) for row in rows for value in row.values()
    )
    assert (
        next(r for r in rows if r["code"] == "SC105")["message"]
        == "'=HYPERLINK(\"http://evil\") is @team's column."
    )


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_html_is_self_contained_escaped_and_well_formed():
    text = outputs.render(sample.report(), "html")
    page = Page()
    page.feed(text)
    assert page.open == []
    assert page.links == []
    assert "script" not in page.tags
    assert "url(" not in text
    assert "b" not in page.tags[page.tags.index("article") :]
    assert "&lt;b&gt;&amp;" in text
    assert "\x1b" not in text
    for finding in entries(sample.report()):
        assert finding.code in text


def test_html_tells_effects_by_words_not_by_colour_alone():
    text = outputs.render(sample.report(), "html")
    for effect in (Effect.STOPS, Effect.DIVERGES, Effect.LOSSY, Effect.UNKNOWN):
        assert re.search(rf'class="badge">[✗△?] {effect.value}<', text)
    assert "@media print" in text


def test_markdown_does_not_notify_or_break_its_table():
    text = outputs.render(sample.report(), "markdown")
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 5 for line in table)
    assert "@team" not in text
    assert "<reports>" not in text


def test_markdown_stays_below_the_limit_and_says_what_it_left_out():
    report = sample.report()
    many = tuple(dataclasses.replace(sample.SIGN, column=f"c{n}") for n in range(3000))
    big = dataclasses.replace(report, pairs=(dataclasses.replace(report.pairs[0], findings=many),))
    text = outputs.render(big, "markdown")
    assert len(text) < 65_536
    assert re.search(r"and [\d,]+ more findings", text)
    assert re.search(r"\.\.\. and [\d,]+ more", text)


def test_fingerprints_see_the_case_of_members():
    texts = ("ENUM('a','b')", "enum('a','b')", "enum('A','b')", "enum('a ','b')")
    sides = [Side(sample.SIGN.source.location, text) for text in texts]
    first, again, other, blank = (
        fingerprints([dataclasses.replace(sample.SIGN, source=side)])[0] for side in sides
    )
    assert first == again
    assert len({first, other, blank}) == 3


def test_fingerprints_survive_reformatting_and_see_a_changed_type():
    sign = sample.SIGN
    moved = dataclasses.replace(
        sign, source=Side(Location("elsewhere.sql", 99, 1), "INT   UNSIGNED"), message="other words"
    )
    changed = dataclasses.replace(sign, replica=Side(sign.replica.location, "mediumint"))
    first, second, third, twice = fingerprints([sign, moved, changed, sign])
    assert fingerprints([moved]) == [first]
    assert len({first, second, third, twice}) == 4


def test_sarif_messages_hold_no_link_but_ours():
    """SARIF 2.1.0, 3.11.6: `[text](target)` is a link; a backslash takes its meaning from a bracket and from
    itself.
    """
    odd = dataclasses.replace(sample.SIGN, message="see [here](https://example.com) or C:\\x", column="a[1]")
    base = sample.report()
    report = dataclasses.replace(base, pairs=(dataclasses.replace(base.pairs[0], findings=(odd,)),))
    result = next(
        r
        for r in json.loads(outputs.render(report, "sarif"))["runs"][0]["results"]
        if r["ruleId"] == odd.code
    )
    text = result["message"]["text"]
    assert r"a\[1\]: see \[here\](https://example.com) or C:\\x" in text
    assert text.endswith(". See the [source definition](1).")
