"""docs/gate.md says what is so."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from schemacheck import outputs
from schemacheck.config.reader import parse
from schemacheck.policy import comments

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "gate.md").read_text("utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def test_the_configuration_is_read():
    first, whole = (parse(block, "schemacheck.yaml") for block in blocks("yaml")[:2])
    assert (first.versions.source.value, first.against.value) == ("8.0.36", "origin/main")
    config = whole
    assert config.links[0].name == "main"
    assert config.tolerate[0].rule == "SC204"


def test_the_suppression_is_one():
    (found,) = comments.scan(blocks("sql")[0], "a.sql")
    assert (found.codes, found.line, found.wrong) == (("SC204",), 3, "")


def test_every_format_is_named():
    table = PAGE[PAGE.index("## Outputs") : PAGE.index("## pre-commit")]
    named = set(re.findall(r"`([a-z]+)`", table.split("`--format`")[1]))
    assert named == set(outputs.formats()), "docs/gate.md, Outputs: a line of the table says what each is for"


def test_hook_and_action_have_the_names_on_the_page():
    hook, workflow, *_ = (yaml.safe_load(block) for block in blocks("yaml")[2:])
    assert hook["repos"][0]["hooks"][0]["id"] in [
        h["id"] for h in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    ]
    given = workflow["jobs"]["schemacheck"]["steps"][1]["with"]
    assert set(given) <= set(yaml.safe_load((ROOT / "action.yml").read_text())["inputs"])
