"""The part of a code host's runner that a composite action sees: workspace, event file, inputs, outputs.

The steps of action.yml are run as they are, each by the shell that it names. The installing step is left out:
it needs a package index (tests/release installs for real).
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@example.invalid", "-c", "commit.gpgsign=false"]


def git(folder: Path, *words: str) -> str:
    """What git prints in a folder."""
    done = subprocess.run([*GIT, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@dataclass
class Result:
    """What a job leaves: exit status, what was shown, outputs, the summary's page."""

    status: int
    shown: str
    outputs: dict[str, str]
    summary: str


@dataclass
class Runner:
    """A runner whose work tree is `repository`; `event` is the event's document."""

    repository: Path
    temp: Path
    event: dict = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The event's name."""
        return next(
            (one for one in ("pull_request", "merge_group", "workflow_run") if one in self.event), "push"
        )

    def run(self, directory: str = ".", **inputs: str) -> Result:
        """Every step as the service runs them: behind a failed one only those that ask for it."""
        action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
        unknown = set(inputs) - {name.replace("-", "_") for name in action["inputs"]}
        assert not unknown
        given = {
            name: inputs.get(name.replace("-", "_"), str(one.get("default", "")))
            for name, one in action["inputs"].items()
        } | {"working-directory": directory, "python": sys.executable}
        outputs: dict[str, dict[str, str]] = {}
        status, shown = 0, ""
        for step in action["runs"]["steps"]:
            if step.get("id") == "install":
                self.schemacheck()
                continue
            if status and not step.get("if"):
                continue
            if step.get("if") and not self._holds(step["if"], given, outputs):
                continue
            done, found = self._step(step, given, outputs)
            outputs[step.get("id", "")] = found
            status = status or done.returncode
            shown += done.stdout + done.stderr
        names = {name: self._value(one["value"], given, outputs) for name, one in action["outputs"].items()}
        page = self.temp / "summary"
        return Result(status, shown, names, page.read_text("utf-8") if page.exists() else "")

    def schemacheck(self) -> Path:
        """The program, where the installing step would put it."""
        folder = self.temp / "schemacheck" / "bin"
        folder.mkdir(parents=True, exist_ok=True)
        program = folder / "schemacheck"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m schemacheck "$@"\n')
        program.chmod(0o755)
        return program

    def _step(
        self, step: dict, given: dict[str, str], outputs: dict[str, dict[str, str]]
    ) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
        event, written = self.temp / "event.json", self.temp / "output"
        event.write_text(json.dumps(self.event))
        written.write_text("")
        inherited = {
            k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "SCHEMACHECK_", "CI"))
        }
        environment = inherited | {
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_EVENT_NAME": self.name,
            "GITHUB_EVENT_PATH": str(event),
            "GITHUB_OUTPUT": str(written),
            "GITHUB_REPOSITORY": "somebody/shop",
            "GITHUB_STEP_SUMMARY": str(self.temp / "summary"),
            "GITHUB_WORKSPACE": str(self.repository),
            "RUNNER_TEMP": str(self.temp),
            **self.environment,
            **{k: self._value(str(v), given, outputs) for k, v in step.get("env", {}).items()},
        }
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.repository / self._value(step.get("working-directory", "."), given, outputs),
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        lines = [line.partition("=") for line in written.read_text("utf-8").splitlines()]
        return done, {name: value for name, _, value in lines}

    def _value(self, text: str, given: dict[str, str], outputs: dict[str, dict[str, str]]) -> str:
        def chosen(found: re.Match[str]) -> str:
            every = (self._expression(name.strip(), given, outputs) for name in found[1].split("||"))
            return next(filter(None, every), "")

        return re.sub(r"\$\{\{ *([^}]+?) *\}\}", chosen, text)

    def _expression(self, name: str, given: dict[str, str], outputs: dict[str, dict[str, str]]) -> str:
        """`inputs.x`, `github.event.a.b`, `github.token`, `steps.x.outputs.y`: what action.yml uses."""
        kind, *parts = name.split(".")
        if kind == "inputs":
            value = given[parts[0]]
            return self._value(value, given, outputs) if "${{" in value else value
        if kind == "steps":
            return outputs.get(parts[0], {}).get(parts[2], "")
        if name in ("github.token", "github.event_name"):
            return "t0ken" if name == "github.token" else self.name
        assert parts[0] == "event", name
        found: object = self.event
        for part in parts[1:]:
            found = found.get(part, {}) if isinstance(found, dict) else {}
        return found if isinstance(found, str) else ""

    def _holds(self, text: str, given: dict[str, str], outputs: dict[str, dict[str, str]]) -> bool:
        """Conditions joined by &&."""
        inner = re.fullmatch(r"\$\{\{ (.*) \}\}", text)
        assert inner
        return all(self._condition(one.strip(), given, outputs) for one in inner[1].split("&&"))

    def _condition(self, text: str, given: dict[str, str], outputs: dict[str, dict[str, str]]) -> bool:
        if text == "always()":
            return True
        name, operator, literal = text.split(" ", 2)
        equal = self._expression(name, given, outputs) == literal.strip("'")
        return equal if operator == "==" else not equal
