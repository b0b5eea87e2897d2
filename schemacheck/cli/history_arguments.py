"""Options about migration histories, the same for every command that reads definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from schemacheck.inputs.piece import HistoryOptions


OPTIONS = """
--history KIND                the migration tool whose files these are, where they do not show it, or `none`:
                              a directory is read file by file then (see `schemacheck lint-history --help`)
--placeholder NAME=VALUE ...  the value of a placeholder ${NAME} in migrations; may be repeated
--contexts NAMES              the contexts that Liquibase is run with ('' for none)
--labels EXPRESSION           the label filter that Liquibase is run with ('' for none)
"""


def said(args: argparse.Namespace) -> HistoryOptions:
    """What the options say. Raises UsageError."""
    from schemacheck.cli import link_arguments
    from schemacheck.inputs import histories
    from schemacheck.inputs.piece import HistoryOptions

    values = link_arguments.pairs(args.placeholder, "--placeholder")
    if any("\n" in value for _, value in values):
        raise UsageError("--placeholder: a value is one line")
    kind = histories.checked(args.history) if args.history else ""
    return HistoryOptions(kind, tuple(values), args.contexts, args.labels)
