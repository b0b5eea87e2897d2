"""The README shows what really happens."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import schemacheck

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def test_the_example_prints_what_the_readme_shows() -> None:
    block = next(
        text
        for text in re.findall(r"```console\n(.*?)```", README, re.DOTALL)
        if "$ schemacheck check" in text
    )
    command, _, shown = block.partition("ALL_NON_LOSSY\n")
    expected, _, status = shown.partition("$ echo $?\n")
    words = shlex.split((command + "ALL_NON_LOSSY").replace("\\\n", " "))[2:]
    done = subprocess.run(
        [sys.executable, "-m", "schemacheck", *words],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "80"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stdout == expected
    assert done.returncode == int(status)


def test_the_library_example_says_what_its_comment_says() -> None:
    code = next(text for text in re.findall(r"```python\n(.*?)```", README, re.DOTALL))
    said: list[str] = []
    exec(compile(code, "README.md", "exec"), {"print": lambda *words: said.append(" ".join(map(str, words)))})
    assert said == [re.search(r"# (.*)", code).group(1)]  # type: ignore[union-attr]


def test_linked_pages_exist() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        if "://" not in target:
            assert (ROOT / target).exists(), target


def test_commands_of_the_table_exist() -> None:
    listed = subprocess.run(
        [sys.executable, "-m", "schemacheck", "--help"], capture_output=True, text=True, check=True
    ).stdout
    for name in re.findall(r"\| `schemacheck (\w+)", README):
        assert re.search(rf"^  {name}\b", listed, re.MULTILINE), name


def test_version_is_told() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", schemacheck.__version__)
