"""`schemacheck mcp`, asked by the protocol's own client over standard input and output."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from schemacheck.cli import agent_tools
from schemacheck.errors import InputError, SchemacheckError, UsageError
from tests.outputs import schemas

OURS = "CREATE TABLE shop.t (id int PRIMARY KEY, qty int unsigned)"
THEIRS = "CREATE TABLE shop.t (id int PRIMARY KEY, qty int)"
STATUS = (
    "Last_SQL_Errno: 1677\n"
    "Last_SQL_Error: Column 1 of table 'shop.t' cannot be converted from type 'int' to type 'bigint(20)'\n"
)
ARGUMENTS = {
    "check": {"source_sql": OURS, "replica_sql": THEIRS, "source_version": "mysql-8.0.36"},
    "link": {"source_version": "mysql-9.7", "replica_version": "mariadb-10.11"},
    "plan": {"current_sql": OURS, "migration_sql": "ALTER TABLE shop.t ADD COLUMN note text"},
    "explain": {"code": "SC204"},
    "diagnose": {"status": STATUS, "source_sql": OURS, "replica_sql": THEIRS},
}


def named(name: str) -> agent_tools.Tool:
    return next(tool for tool in agent_tools.tools() if tool.name == name)


@pytest.mark.parametrize("tool", agent_tools.tools(), ids=lambda tool: tool.name)
def test_what_goes_in_and_out_fits_the_schemas(tool):
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(tool.takes)
    jsonschema.Draft202012Validator.check_schema(tool.gives)
    assert tool.takes["type"] == tool.gives["type"] == "object"
    jsonschema.validate(ARGUMENTS[tool.name], tool.takes)
    found = tool.run(ARGUMENTS[tool.name], ())
    jsonschema.validate(found, tool.gives)
    assert json.loads(json.dumps(found)) == found


def test_the_answers():
    said = {name: named(name).run(arguments, ()) for name, arguments in ARGUMENTS.items()}
    assert (said["check"]["verdict"], said["check"]["exit_status"]) == ("diverges", 1)
    assert said["link"]["runs"] is False
    assert said["plan"]["order"] == "replica-first"
    assert "sign" in said["explain"]["page"]
    assert said["diagnose"]["errors"][0]["number"] == 1677
    assert named("explain").run({"code": "1677"}, ())["title"] == "error 1677"
    assert schemas.own("report-1.schema.json") == named("check").gives


def test_only_what_lies_below_a_root_is_read(tmp_path):
    root, outside = tmp_path / "root", tmp_path / "outside"
    for folder in (root, outside):
        folder.mkdir()
        (folder / "a.sql").write_text(OURS)
    (root / "out.sql").symlink_to(outside / "a.sql")
    check = named("check")

    def ask(path: str, roots: list[Path]) -> dict:
        return check.run({"source_path": path, "replica_sql": THEIRS}, roots)

    assert ask("a.sql", [root])["verdict"] == "diverges"
    assert ask(str(root / "a.sql"), [root])["verdict"] == "diverges"
    for path in (
        "../outside/a.sql",
        str(outside / "a.sql"),
        "out.sql",
        "/etc/passwd",
        "mysql://root@127.0.0.1/",
        "a\0",
    ):
        with pytest.raises(InputError, match="below the roots"):
            ask(path, [root])
    with pytest.raises(InputError, match="none was given"):
        ask("a.sql", [])
    (outside / "more.cnf").write_text("[mysqld]\nbinlog_format=ROW\n")
    (root / "my.cnf").write_text(f"!include {outside / 'more.cnf'}\n")
    with pytest.raises(InputError, match=r"my\.cnf:1"):
        ask("my.cnf", [root])


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("check", {"source_sql": OURS}, "give either replica_sql or replica_path"),
        ("check", {"source_sql": OURS, "source_path": "a", "replica_sql": THEIRS}, "give either source_sql"),
        ("check", {"source_sql": OURS, "replica_sql": THEIRS, "source_version": "oracle-9"}, "oracle"),
        ("explain", {"code": "signednes"}, "'signedness'"),
        ("diagnose", {"status": "nothing"}, "Last_SQL_Errno is missing"),
        ("plan", {"current_sql": OURS, "next_sql": THEIRS, "migration_sql": "DROP TABLE t"}, "give either"),
        ("plan", {"current_sql": OURS, "next_sql": ""}, "no table in what"),
    ],
)
def test_misuse_is_an_error_that_says_what_to_do(name, arguments, said):
    with pytest.raises(SchemacheckError, match=said):
        named(name).run(arguments, ())


def test_diagnose_says_what_it_could_not_read():
    found = named("diagnose").run(
        {"status": "Last_SQL_Errno: 1677", "source_sql": "x", "replica_sql": OURS}, ()
    )
    assert [one.partition(": ")[0] for one in found["not_understood"]] == ["source:1:1"]


def test_without_the_library_the_extra_is_named(monkeypatch, tmp_path):
    from schemacheck.cli import dispatch

    monkeypatch.setitem(sys.modules, "mcp", None)
    args = dispatch.parser_of("mcp").parse_args(["--root", str(tmp_path)])
    from schemacheck.cli.commands import mcp

    with pytest.raises(UsageError, match=r"schemacheck\[mcp\]"):
        mcp.run(args)


def test_a_client_over_stdio(tmp_path):
    mcp = pytest.importorskip(
        "mcp", reason="the protocol's library is not installed: pip install 'schemacheck[mcp]'"
    )
    import anyio
    from mcp.client.stdio import StdioServerParameters

    (tmp_path / "a.sql").write_text(OURS)
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "schemacheck", "mcp", "--root", str(tmp_path)]
    )

    async def talk() -> None:
        async with mcp.Client(command) as client:
            listed = (await client.list_tools()).tools
            assert [tool.name for tool in listed] == [tool.name for tool in agent_tools.tools()]
            assert all(tool.annotations.read_only_hint for tool in listed)
            for name, arguments in ARGUMENTS.items():
                answer = await client.call_tool(name, arguments)
                assert not answer.is_error, (name, answer.content)
                assert answer.structured_content == json.loads(json.dumps(named(name).run(arguments, ())))
            read = await client.call_tool("check", {"source_path": "a.sql", "replica_sql": THEIRS})
            assert read.structured_content["verdict"] == "diverges"
            for wrong in ({"source_path": "/etc/passwd", "replica_sql": THEIRS}, {"nonsense": 1}):
                answer = await client.call_tool("check", wrong)
                assert answer.is_error
                assert "Traceback" not in answer.content[0].text
            again = await client.call_tool("explain", {"code": "SC101"})
            assert not again.is_error

    anyio.run(talk)
