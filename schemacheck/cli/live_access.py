"""How live servers may be asked: option files and passwords by side, a deadline, and whether a DSN may come
from a configuration.

A configuration can be written by whoever opens a pull request: a server that it names would get a login
attempt with the password of the one who runs the check. So its DSNs are followed on request only, and never
with the password that is meant for the command line's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from schemacheck.errors import UsageError
from schemacheck.inputs import is_dsn

if TYPE_CHECKING:
    import argparse

    from schemacheck.inputs.endpoint import Access

#: The variables that hold the password of one side's server; $SCHEMACHECK_PASSWORD is for any DSN of the
#: command line.
VARIABLES = {"source": "SCHEMACHECK_SOURCE_PASSWORD", "replica": "SCHEMACHECK_REPLICA_PASSWORD"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of every command that reads live servers."""
    group = parser.add_argument_group(
        "live servers",
        "A password comes from an option file, from $SCHEMACHECK_SOURCE_PASSWORD or\n"
        "$SCHEMACHECK_REPLICA_PASSWORD, or from $SCHEMACHECK_PASSWORD for DSNs of the command line.",
    )
    group.add_argument(
        "--source-defaults-file", metavar="FILE", help="option file ([client]) for the source's server"
    )
    group.add_argument(
        "--replica-defaults-file", metavar="FILE", help="option file ([client]) for the replica's server"
    )
    group.add_argument(
        "--defaults-file",
        metavar="FILE",
        help="option file for both, where their DSNs are on the command line",
    )
    group.add_argument(
        "--allow-dsn", action="store_true", help="follow DSNs that the configuration gives, to whatever host"
    )
    group.add_argument(
        "--allow-dsn-host",
        action="append",
        default=[],
        metavar="HOST",
        help="follow DSNs that the configuration gives to this host; may be repeated",
    )
    add_timeout(group)


def seconds(text: str) -> float:
    """A time that ends: neither 0 nor infinite."""
    import argparse
    import math

    try:
        result = float(text)
    except ValueError:
        result = math.nan
    if not 0 < result < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r}: give a number of seconds, more than 0")
    return result


def add_timeout(group: argparse._ArgumentGroup | argparse.ArgumentParser, default: float = 300.0) -> None:
    """Add --timeout alone."""
    group.add_argument(
        "--timeout",
        type=seconds,
        default=default,
        metavar="SECONDS",
        help=f"for all work with one server; of `prove` for one case (default: {default:g})",
    )


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
