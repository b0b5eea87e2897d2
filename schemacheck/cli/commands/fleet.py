"""Check a whole fleet from information_schema snapshots, on Spark.

It needs the fleet extra: pip install 'schemacheck[fleet]'. `fleet what-if`, `fleet upgrade` and `fleet diff`
have help of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.fleet import command

if TYPE_CHECKING:
    import argparse

WORDS = {
    "what-if": "Check a fleet as it would be with replicas at another version, or with other settings.",
    "upgrade": "Say in which order a fleet's servers are upgraded, and which tables are in the way.",
    "diff": "Say what is new, fixed, worse or better in the second of two finished runs.",
}
EPILOG = command.EPILOG


def add_arguments(parser: argparse.ArgumentParser, word: str = "") -> None:
    """The fleet command's own arguments, or those behind one of WORDS."""
    command.add_arguments(parser, word)


def run(args: argparse.Namespace) -> int:
    """Run the fleet command."""
    return int(command.run(args))
