"""How live servers may be asked: option files and passwords by side, a deadline, and whether a DSN may come
from a configuration.

A configuration can be written by whoever opens a pull request: a server that it names would get a login
attempt with the password of the one who runs the check. So its DSNs are followed on request only, and never
with the password that is meant for the command line's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from schemacheck.cli.options import declare
from schemacheck.errors import UsageError
from schemacheck.inputs import is_dsn

if TYPE_CHECKING:
    import argparse

    from schemacheck.inputs.endpoint import Access

#: The variables that hold the password of one side's server; $SCHEMACHECK_PASSWORD is for any DSN of the
#: command line.
VARIABLES = {"source": "SCHEMACHECK_SOURCE_PASSWORD", "replica": "SCHEMACHECK_REPLICA_PASSWORD"}


TIMEOUT = """
--timeout SECONDS=300  for all work with one server; of `prove` for one case
"""
OPTIONS = """
--source-defaults-file FILE   option file ([client]) for the source's server
--replica-defaults-file FILE  option file ([client]) for the replica's server
--defaults-file FILE          option file for both, where their DSNs are on the command line
--allow-dsn                   follow DSNs that the configuration gives, to whatever host
--allow-dsn-host HOST ...     follow DSNs that the configuration gives to this host; may be repeated
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of every command that reads live servers."""
    group = parser.add_argument_group(
        "live servers",
        "A password comes from an option file, from $SCHEMACHECK_SOURCE_PASSWORD or\n"
        "$SCHEMACHECK_REPLICA_PASSWORD, or from $SCHEMACHECK_PASSWORD for DSNs of the command line.",
    )
    declare(group, OPTIONS + TIMEOUT)


def check_configured(path: str, where: str, args: argparse.Namespace) -> None:
    """Raise UsageError for a DSN of a configuration that nobody has allowed; `where` is its place."""
    if not is_dsn(path) or args.allow_dsn:
        return
    host = urlsplit(path).hostname or "localhost"
    if host not in (name.strip().lower() for name in args.allow_dsn_host):
        raise UsageError(
            f"{where}: a configuration's DSN is followed only on request: give --allow-dsn-host {host} "
            "(or --allow-dsn for any host), or write the DSN on the command line"
        )


def access(args: argparse.Namespace, side: str, *, configured: bool = False) -> Access:
    """How the server of one side is asked; `configured`: its DSN came from a configuration."""
    from schemacheck.inputs.endpoint import PASSWORD_VARIABLE, Access

    own = getattr(args, f"{side}_defaults_file")
    if configured:
        return Access(own, (VARIABLES[side],), None, args.timeout)
    return Access(own or args.defaults_file, (VARIABLES[side], PASSWORD_VARIABLE), None, args.timeout)
