"""The ways to operate a fleet's job that docs/fleet.md shows: what each hands to schemacheck is taken."""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import shlex
from pathlib import Path

import pytest

from schemacheck.cli.commands import fleet as command

TEXT = (Path(__file__).parents[2] / "docs" / "fleet.md").read_text("utf-8")
MAIN = "schemacheck-fleet.py"


def blocks(language: str) -> list[str]:
    """The code of docs/fleet.md in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def parsed(arguments: list[str]) -> argparse.Namespace:
    """Arguments as the archive's main file takes them."""
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return parser.parse_args(arguments)


def submitted() -> dict[str, list[str]]:
    """The arguments behind the main file of every command for a cluster, by its first words."""
    found = {}
    for block in blocks("bash"):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] == ["aws"]:
                (given,) = re.findall(r"Args=\[(.*)\]", line)
                words = ["aws", *given.strip("'").split(",")]
            at = next((n for n, word in enumerate(words) if word.endswith(MAIN)), None)
            if at is not None:
                found[" ".join(words[:3])] = words[at + 1 :]
    return found


def test_every_cluster_has_an_example_that_is_taken() -> None:
    examples = submitted()
    assert len(examples) >= 4
    for arguments in examples.values():
        options = parsed(arguments)
        assert str(options.topology) == "fleet.yaml"
        assert len(options.snapshots) == 1
        assert "://" in options.out


@pytest.mark.parametrize("code", blocks("python"))
def test_python_is_python_and_names_what_there_is(code: str) -> None:
    from schemacheck import fleet

    known = set(inspect.signature(fleet.check).parameters)
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "fleet.check":
            assert {keyword.arg for keyword in node.keywords} <= known


def test_the_operator_of_airflow_hands_over_what_is_taken() -> None:
    calls = [
        node
        for code in blocks("python")
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "SparkSubmitOperator"
    ]
    (given,) = ({one.arg: one.value for one in call.keywords} for call in calls)
    assert ast.literal_eval(given["application"]) == MAIN
    arguments = ast.literal_eval(given["application_args"])
    options = parsed([re.sub(r"\{\{ (?:prev_)?ds \}\}", "2026-11-21", one) for one in arguments])
    assert options.previous.endswith("/2026-11-21")
    assert options.snapshot_date.isoformat() == "2026-11-21"
