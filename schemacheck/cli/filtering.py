"""The replica's filters out of a file that the arguments or the configuration name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacheck.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from schemacheck.cli.linking import Wanted
    from schemacheck.model import Link
    from schemacheck.model.filters import FilterSet


OPTIONS = """
--filters FILE   replication filters: a my.cnf, command-line options, CHANGE REPLICATION FILTER, or the
                 output of SHOW REPLICA STATUS
--channel NAME   replication channel or connection of the filters (default: the default one)
"""


def load(args: argparse.Namespace, wanted: Wanted, link: Link) -> FilterSet | None:
    """The filters; None where nobody named a file. Raises InputError, UsageError."""
    file = args.filters or (wanted.filters[0] if wanted.filters else None)
    if file is None:
        return None
    from schemacheck.filters import read

    try:
        return read.read(file, link.replica).channel(args.channel or "")
    except KeyError as error:
        raise UsageError(f"{file}: {error.args[0]}") from None
