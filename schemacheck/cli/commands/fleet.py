"""Check a whole fleet from information_schema snapshots, on Spark.

It needs the fleet extra: pip install 'schemacheck[fleet]'.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The fleet command's own arguments."""
    from schemacheck.fleet import command

    command.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Run the fleet command."""
    from schemacheck.fleet import command

    return int(command.run(args))
