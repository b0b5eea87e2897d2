"""What comes from files, names and servers never begins a line of its own on a terminal or in a log."""

from __future__ import annotations

import subprocess

import pytest

from schemacheck.inputs import live
from schemacheck.text.printable import one_line, statement_lines

EVIL = "x\n::stop-commands::y\n\x1b[2Jz\u2028DROP DATABASE prod; -- x"


def harmless(text: str) -> None:
    assert not set("\x1b\u2028\x9b") & set(text), text
    for line in text.splitlines():
        assert not line.strip().startswith(("::", "DROP DATABASE")), text
        assert "##[" not in line


def test_words_that_a_runner_obeys() -> None:
    assert one_line("  ::error::x") == "  \\x3a:error::x"
    assert one_line("a::b") == "a::b"
    assert one_line("x ##[add-mask]a") == "x \\x23#[add-mask]a"
    assert one_line("a\r\nb\tc") == "a\\x0d\\nb    c"


def test_a_statement_is_shown_on_one_line_where_a_name_has_several() -> None:
    assert statement_lines("ALTER TABLE t\n  ADD a int") == ["ALTER TABLE t", "  ADD a int"]
    assert statement_lines("ALTER TABLE `t\nDROP TABLE u; -- ` ADD a int") == [
        "ALTER TABLE `t\\nDROP TABLE u; -- ` ADD a int"
    ]


@pytest.mark.parametrize("form", ["text", "concise", "github", "csv", "markdown"])
def test_names_in_a_check(run, tmp_path, form) -> None:
    name = EVIL.replace("`", "")
    (tmp_path / "a.sql").write_text(
        f"CREATE TABLE `{name}` (`c\n::add-mask::q` int unsigned, d int);\nCREATE TABLE `::group::g` (a "
        "int);\nCREATE TABLE broken\n::x",
        "utf-8",
    )
    (tmp_path / "b.sql").write_text(f"CREATE TABLE `{name}` (`c\n::add-mask::q` int, d bigint);\n", "utf-8")
    for more in ((), ("-v",)):
        done = run("check", "a.sql", "b.sql", "--no-config", "-f", form, *more)
        assert done.status == 1
        text = "\n".join(
            line
            for line in done.out.splitlines()
            if form != "github" or not line.startswith(("::error ", "::warning ", "::notice "))
        )
        harmless(text)


def test_names_in_a_plan(run, tmp_path) -> None:
    (tmp_path / "a.sql").write_text("CREATE TABLE a (a int);\n", "utf-8")
    (tmp_path / "b.sql").write_text(f"CREATE TABLE a (a int);\nCREATE TABLE `{EVIL}` (a int);\n", "utf-8")
    (tmp_path / "c.sql").write_text(f"CREATE TABLE a (a int, `{EVIL}` varchar(20));\n", "utf-8")
    for change in ("b.sql", "c.sql"):
        done = run("plan", "a.sql", change, "--source-version", "8.0", "--no-config", "-v", "--as", "schema")
        assert done.status in (0, 1)
        harmless(done.out)


def test_errors(run, tmp_path, monkeypatch) -> None:
    harmless(run("check", EVIL, "b.sql", "--no-config").err)
    harmless(run("check", f"mysql://{EVIL}/", "b.sql", "--no-config").err)
    harmless(run("check", "a.sql", "b.sql", f"--{EVIL}").err)
    harmless(run(EVIL).err)
    harmless(run("plan", "--against", EVIL, "b.sql").err)
    (tmp_path / "known.json").write_text(
        '{"schemacheck_baseline": 1, "findings": [{"fingerprint": "a", "code": "SC1", "subject": '
        '"::x\\n::y", "effect": "stops", "message": "\\u001b[2J"}]}'
    )
    found = run("baseline", "show", "--baseline", "known.json", "--no-config")
    assert found.status == 0
    harmless(found.out)


def test_what_a_server_says(run, monkeypatch) -> None:
    from schemacheck.errors import InputError

    def refuse(*_: object, **__: object) -> object:
        raise InputError(f"db1: {EVIL}")

    monkeypatch.setattr(live, "take", refuse)
    done = run("snapshot", "mysql://root@db1/", "-o", "x.jsonl")
    assert done.status == 2
    harmless(done.err)


def test_a_tree_of_git_is_told_on_one_line(run, tmp_path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    harmless(run("plan", "--against", "a\n::b", "b.sql").err)
