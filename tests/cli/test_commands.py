from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from schemacheck.cli import dispatch
from schemacheck.cli.options import declare

ROOT = Path(__file__).parents[2]


def test_the_overview_names_every_command_and_the_exit_statuses(run):
    result = run("--help")
    assert result.status == 0
    for name in dispatch.names():
        assert re.search(rf"^  {name} +\S", result.out, re.MULTILINE)
    assert re.search(r"0 .*\n.*1 .*\n.*2 .*\n.*3 ", result.out)
    assert run("help").out == result.out
    assert run().status == 2


@pytest.mark.parametrize("name", dispatch.names())
def test_every_command_has_a_manual(run, name):
    result = run(name, "--help")
    assert result.status == 0
    assert dispatch.summary(name) in result.out
    assert run("help", name).out == result.out
    assert all(len(line) <= 120 for line in result.out.splitlines())


def test_check_documents_effects_statuses_and_suppressions(run):
    out = run("check", "--help-all").out
    for word in ("exit status:", "suppressions", "diverges", "schemacheck: ignore[SC204]", "examples:"):
        assert word in out


@pytest.mark.parametrize("name", dispatch.names())
def test_help_fits_a_screen_and_the_whole_is_asked_for(run, name):
    short, whole = run(name, "--help").out, run(name, "--help-all").out
    assert len(short.splitlines()) <= 60
    assert max(map(len, short.splitlines())) <= 110
    assert ("--help-all: " in short) is (len(whole.splitlines()) > len(short.splitlines()))
    assert "--master-version" not in whole
    assert "--mode " not in whole


def test_a_wrong_option_is_told_with_what_is_near(run):
    assert (
        "no option --sorce-version; did you mean '--source-version'?" in run("check", "--sorce-version=8").err
    )
    assert (
        "no option --nothing-like-it (schemacheck plan --help)" in run("plan", "a", "--nothing-like-it").err
    )
    assert "'c.sql' is one input too many" in run("check", "a.sql", "b.sql", "c.sql").err


def test_options_stand_between_the_inputs(run, tmp_path):
    (tmp_path / "a.sql").write_text("CREATE TABLE t (a int);")
    assert run("check", "a.sql", "--source-version", "8.0", "a.sql", "-q").status == 0
    assert run("baseline", "write", "--source-version", "8.0", "a.sql", "a.sql").status == 0


def test_version_and_unknown_commands(run):
    assert re.fullmatch(r"schemacheck \d+\.\d+\.\d+\S*\n", run("--version").out)
    result = run("chek")
    assert result.status == 2
    assert "did you mean 'check'?" in result.err


def test_help_imports_neither_commands_nor_anything_heavy(process):
    code = (
        "import sys; from schemacheck.cli import main; main(['--help']);bad = [m for m in sys.modules if "
        "m.split('.')[0] in ('sqlglot', 'yaml', 'pyspark', 'pymysql', 'jinja2', 'pyarrow') or "
        "m.startswith(('schemacheck.cli.commands.', 'schemacheck.model', 'schemacheck.rules', "
        "'schemacheck.inputs'))];assert not bad, bad"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_importing_the_package_is_light():
    code = (
        "import sys; before = set(sys.modules); import schemacheck; new = {m for m in "
        "set(sys.modules) - before if m.startswith('schemacheck')}; "
        "assert new <= {'schemacheck', 'schemacheck.version'}, new"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_defect_is_status_4_and_asks_for_a_report(run, monkeypatch):
    monkeypatch.setattr(dispatch, "names", lambda: 1 / 0)
    result = run("rules")
    assert result.status == 4
    assert "internal error: this is a defect of schemacheck" in result.err


def test_a_closed_pipe_is_no_traceback():
    command = f"{sys.executable} -m schemacheck explain --all | head -1"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert result.stderr == ""
    assert result.stdout.startswith("# SC001")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize(
    "arguments",
    [
        "--help",
        "rules",
        "check same.sql wider.sql --no-config",
        "plan same.sql wider.sql --no-config",
        "check same.sql wider.sql --no-config -o /dev/full",
    ],
)
def test_a_full_disk_is_no_traceback(files, arguments):
    redirected = "" if "-o" in arguments else " > /dev/full"
    result = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m schemacheck {arguments}{redirected}"],
        capture_output=True,
        text=True,
        cwd=files,
        check=False,
    )
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("schemacheck: error: ")
    assert "No space left" in result.stderr


def test_rules_and_explain(run):
    listed = json.loads(run("rules", "--format", "json").out)
    codes = [entry["code"] for entry in listed]
    assert codes == sorted(codes)
    assert {"SC001", "SC002", "SC090", "SC091", "SC092"} <= set(codes)
    text = run("rules").out
    assert len(text.splitlines()) == len(listed)
    page = run("explain", "signedness").out
    assert page.startswith("# SC204 signedness")
    assert "schemacheck: ignore[SC204]" in page
    assert run("explain", "sc204").out == page
    assert run("explain", "--all").out.count("\n# SC") == len(listed) - 1
    wrong = run("explain", "signednes")
    assert (wrong.status, "did you mean 'signedness'?" in wrong.err) == (2, True)
    assert run("explain").status == 2
    assert run("explain", "SC204", "--directory", "x").status == 2


def test_rule_pages_on_disk_are_what_the_code_says(run, tmp_path):
    assert run("explain", "--all", "--directory", "pages").status == 0
    fresh = {f.name: f.read_text("utf-8") for f in (tmp_path / "pages").iterdir()}
    disk = {f.name: f.read_text("utf-8") for f in (ROOT / "docs" / "rules").iterdir()}
    assert fresh == disk, "run `schemacheck explain --all --directory docs/rules`"


def test_stale_rule_pages_are_removed(run, tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "SC999-gone.md").write_text("old")
    mine = ("notes.txt", "design.md", "CHANGELOG.md", "SC999.md", "my-SC999-gone.md")
    for name in mine:
        (tmp_path / "pages" / name).write_text("mine")
    assert run("explain", "--all", "--directory", "pages").status == 0
    assert not (tmp_path / "pages" / "SC999-gone.md").exists()
    assert all((tmp_path / "pages" / name).read_text() == "mine" for name in mine)


def test_a_folder_of_somebody_else_gets_no_rule_pages(run, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "README.md").write_text("# Our handbook\n")
    (tmp_path / "docs" / "SC999-gone.md").write_text("mine")
    refused = run("explain", "--all", "--directory", "docs")
    assert (refused.status, "README.md was not written by schemacheck" in refused.err) == (2, True)
    assert {f.name: f.read_text() for f in (tmp_path / "docs").iterdir()} == {
        "README.md": "# Our handbook\n",
        "SC999-gone.md": "mine",
    }
    (tmp_path / "file").write_text("")
    refused = run("explain", "--all", "--directory", "file")
    assert (refused.status, "cannot write the pages" in refused.err) == (2, True)


def test_matrix_of_one_pair(run):
    out = run("matrix", "--from", "int unsigned", "--to", "bigint", "--server", "mysql-8.0").out
    assert "conversion: non-lossy" in out
    assert re.search(r"^  '' +stops: error \d+: Column ", out, re.MULTILINE)
    assert re.search(r"^  ALL_NON_LOSSY +diverges: 4294967295 becomes -1$", out, re.MULTILINE)
    assert re.search(r"^  ALL_NON_LOSSY,ALL_UNSIGNED +compatible$", out, re.MULTILINE)
    assert (
        "ALL_UNSIGNED"
        not in run("matrix", "--from", "int unsigned", "--to", "bigint", "--server", "mysql-5.5").out
    )


def test_matrix_wants_two_types_that_are_some(run):
    assert "give both types" in run("matrix", "--from", "int", "--server", "mysql-8.0").err
    assert run("matrix", "--from", "varchar", "--to", "int").status == 2


def test_a_table_declares_options():
    parser = argparse.ArgumentParser()
    declare(
        parser,
        """
SOURCE               the source
[REPLICA]            the replica
logs: [FILE ...]     logs
kind: --as {a,b}=b   what it is
-o, --output FILE    where it goes,
                     in 100 % of cases
--set NAME=VALUE ...
    a setting
--files FILE...      some
--looks N=3          how often
--quiet              nothing
--fail-on EFFECT     from which
""",
    )
    assert vars(parser.parse_args(["s", "r", "l", "--set", "a=1", "--files", "x", "y", "-o", "z"])) == {
        "source": "s", "replica": "r", "logs": ["l"], "kind": "b", "output": "z", "set": ["a=1"],
        "files": ["x", "y"], "looks": 3, "quiet": False, "fail_on": None,
    }  # fmt: skip
    shown = " ".join(parser.format_help().split())
    assert "where it goes, in 100 % of cases" in shown
    assert "--as {a,b} what it is (default: b)" in shown
    with pytest.raises(SystemExit):
        parser.parse_args(["s", "--fail-on", "much"])
