"""List all rules: code, name, what they find."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.cli import output_arguments
from schemacheck.cli.options import declare
from schemacheck.text.printable import as_json

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--format."""
    declare(parser, output_arguments.TEXT_OR_JSON)


def run(args: argparse.Namespace) -> int:
    """Print the list."""
    from schemacheck import rules

    all_rules = rules.all_rules()
    if args.format == "json":
        text = as_json([{"code": r.code, "name": r.name, "title": r.title} for r in all_rules])
    else:
        room = max((len(r.name) for r in all_rules), default=0)
        text = "".join(f"{r.code}  {r.name:{room}}  {r.title}\n" for r in all_rules)
    output_arguments.write(text, None)
    return 0
