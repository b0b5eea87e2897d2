"""Serve check, link, plan, explain and diagnose to agents and editors (Model Context Protocol).

Speaks over standard input and output until the client closes them. The tools read and never write; files are
read only below the folders that --root names, live servers are never asked.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemacheck.cli.options import declare
from schemacheck.errors import SchemacheckError, UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

EPILOG = """\
examples:
  schemacheck mcp --root schema
  pip install 'schemacheck[mcp]'
"""


OPTIONS = """
--root DIR ...  a folder whose files the tools may read; repeatable (default: none, definitions come as text)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The folders that may be read."""
    declare(parser, OPTIONS)


def run(args: argparse.Namespace) -> int:
    """Serve until the client goes."""
    roots = [Path(name).resolve() for name in args.root]
    for root in roots:
        if not root.is_dir():
            raise UsageError(f"--root {root}: no such folder")
    try:
        import anyio
        import mcp  # noqa: F401 told here, before anything is served
    except ImportError:
        raise UsageError(
            "mcp needs the Model Context Protocol's library: pip install 'schemacheck[mcp]'"
        ) from None
    anyio.run(_serve, roots)
    return 0


async def _serve(roots: Sequence[Path]) -> None:
    import json

    import anyio
    import jsonschema
    import mcp_types as types
    from mcp.server.lowlevel import Server
    from mcp.server.stdio import stdio_server

    import schemacheck
    from schemacheck.cli.agent_tools import tools

    offered = {tool.name: tool for tool in tools()}

    async def list_tools(_context: Any, _parameters: Any) -> types.ListToolsResult:
        harmless = types.ToolAnnotations(
            read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
        )
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=tool.name,
                    description=tool.about,
                    input_schema=tool.takes,
                    output_schema=tool.gives,
                    annotations=harmless,
                )
                for tool in offered.values()
            ]
        )

    async def call_tool(_context: Any, asked: types.CallToolRequestParams) -> types.CallToolResult:
        tool = offered.get(asked.name)
        arguments = asked.arguments or {}
        try:
            if tool is None:
                raise UsageError(f"there is no tool {asked.name!r}; there are {', '.join(offered)}")
            jsonschema.validate(arguments, tool.takes)
            result = await anyio.to_thread.run_sync(tool.run, arguments, roots)
        except (SchemacheckError, jsonschema.ValidationError) as error:
            sentence = error.message if isinstance(error, jsonschema.ValidationError) else str(error)
            return types.CallToolResult(
                content=[types.TextContent(type="text", text=sentence)], is_error=True
            )
        text = json.dumps(result, ensure_ascii=False)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)], structured_content=result
        )

    server = Server(
        "schemacheck", version=schemacheck.__version__, on_list_tools=list_tools, on_call_tool=call_tool
    )
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
