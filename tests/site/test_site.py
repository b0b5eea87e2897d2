"""The documentation: what its console blocks print, that the site builds, that each error has its page."""

from __future__ import annotations

import importlib.util
import json
import lzma
import re
import shutil
from pathlib import Path

import pytest

from tests.site import console

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "docs/index.md",
    ROOT / "docs/tutorial.md",
    ROOT / "docs/link.md",
    *sorted((ROOT / "docs/howto").glob("*.md")),
]


def site():
    spec = importlib.util.spec_from_file_location("site_builder", ROOT / ".ci" / "site.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_console_blocks_print_what_the_page_shows(page, tmp_path):
    if "git init" in page.read_text() and shutil.which("git") is None:
        pytest.skip("git is not installed")
    for block in console.BLOCK.findall(page.read_text("utf-8")):
        assert console.run(tmp_path, block) == block


def test_commands_of_a_block_are_cut_as_a_shell_reads_them():
    block = "$ cat > a <<'SQL'\n$ no command\nSQL\n$ echo 1\n1\n2\n"
    assert console.commands(block) == [("cat > a <<'SQL'\n$ no command\nSQL", ""), ("echo 1", "1\n2\n")]


def test_every_command_has_its_help():
    from schemacheck.cli import dispatch

    page = site().commands()
    assert all(f"## {name}\n" in page for name in dispatch.names())
    assert "--fail-on" in page


@pytest.mark.recorded
def test_each_error_of_the_facts_has_a_page():
    met = set()
    for path in (ROOT / "tests/facts/data").glob("*.jsonl.xz"):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                if '"outcome":"error"' in line and (number := json.loads(line).get("errno")):
                    met.add(str(number))
    assert len(met) > 40
    assert met <= site().errors().keys()


def test_the_page_of_an_error_is_what_explain_prints(capsys):
    from schemacheck.cli import dispatch
    from schemacheck.cli.commands import explain

    assert explain.run(dispatch.parser_of("explain").parse_args(["1677"])) == 0
    printed = capsys.readouterr().out
    page = site().errors()["1677"]
    assert re.sub(r"\[(SC\d+)\]\([^)]+\)", r"\1", page).strip() == printed.strip()


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path):
    pytest.importorskip("mkdocs", reason="mkdocs is not installed")
    builder = site()
    assert builder.main(str(tmp_path)) == 0
    built = {path.relative_to(tmp_path / "site").as_posix() for path in (tmp_path / "site").rglob("*.html")}
    assert {"index.html", "tutorial.html", "reference/commands.html", "reference/errors/1677.html"} <= built
    first = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert first.count(">The gate") == 1
    pictures = re.findall(r'<img[^>]+src="([^"]+)"', first)
    assert len(pictures) == 3
    # They are small, and there.
    assert all((tmp_path / "site" / name).stat().st_size < 150_000 for name in pictures)
    # Nothing is loaded from elsewhere.
    for name in ("index.html", "reference/errors/1677.html"):
        page = (tmp_path / "site" / name).read_text("utf-8")
        assert not re.search(r'<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?//', page)
