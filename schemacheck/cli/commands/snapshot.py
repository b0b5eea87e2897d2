"""Take a snapshot of live servers' definitions and settings.

Reads information_schema and variables of each server and writes one file per server, which
`schemacheck check` and `schemacheck fleet` read. Nothing is written on the server. A password
comes from an option file (--defaults-file), from $SCHEMACHECK_PASSWORD, or is asked for on
a terminal; never from the command line. --print-sql prints the statements instead, for a
server that schemacheck cannot reach itself.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.cli import live_access, output_arguments, progress
from schemacheck.cli.options import declare
from schemacheck.errors import InputError, UsageError
from schemacheck.model.quantity import plural
from schemacheck.text.printable import one_line

if TYPE_CHECKING:
    import argparse

    from schemacheck.inputs.endpoint import Endpoint
    from schemacheck.inputs.live import Outcome

USAGE = "[OPTION]... DSN..."

OPTIONS = """
servers: [DSN ...]    mysql://user@host:port/database?ssl-mode=REQUIRED
-o, --output FILE     the file of a single server; .gz and .zst compress, `-` is standard output
--directory DIR       where files go, named after the servers (default: the working directory)
--databases NAMES ...
    read only these databases, comma-separated
--defaults-file FILE  option file with user, password, TLS files ([client])
--print-sql           print the statements and connect to nothing
--flavor SERVER=mysql-8.0
    with --print-sql: for which server, as mariadb-10.11
"""
EPILOG = """\
TLS, in the DSN or in the option file (ssl-mode=, ssl-ca=, ssl-cert=, ssl-key=):
  DISABLED         no TLS
  PREFERRED        where the server offers it (the default)
  REQUIRED         TLS, the server's certificate is not checked
  VERIFY_CA        the certificate has to be signed by ssl-ca (the default with ssl-ca)
  VERIFY_IDENTITY  and has to be that host's

exit status:
  0  all servers were read
  1  tables kept changing while they were read: they stand in the file as changed
  2  wrong usage, or a server that cannot be read (the other servers' files are written)

examples:
  schemacheck snapshot mysql://dba@db1/ -o db1.jsonl.gz
  schemacheck snapshot mysql://dba@db1/shop mysql://dba@db2:3307/shop --directory snapshots/
  schemacheck snapshot 'mysql://dba@db1/?ssl-mode=VERIFY_IDENTITY&ssl-ca=ca.pem' -o db1.jsonl.gz
  schemacheck snapshot --print-sql --flavor mariadb-10.11 | mysql -N --raw | gzip > db3.jsonl.gz
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Servers, where the files go, and how a server is asked."""
    declare(parser, OPTIONS + live_access.TIMEOUT)


def run(args: argparse.Namespace) -> int:
    """Read the servers; write the files."""
    databases = [name.strip() for text in args.databases or () for name in text.split(",") if name.strip()]
    if args.print_sql:
        from schemacheck.inputs.snapshot_queries import print_sql

        output_arguments.write(print_sql(args.flavor, databases), args.output)
        return 0
    if not args.servers:
        raise UsageError("name a server: mysql://user@host/; or give --print-sql")
    if args.output and (len(args.servers) > 1 or args.directory):
        raise UsageError("--output is for one server; use --directory for several")
    from schemacheck.inputs.endpoint import Access, Endpoint
    from schemacheck.inputs.live import take_all

    access = Access(args.defaults_file, prompt=_ask if sys.stdin.isatty() else None, seconds=args.timeout)
    endpoints = [Endpoint.parse(dsn, access) for dsn in args.servers]
    files = [_file(endpoint, args) for endpoint in endpoints]
    if len(set(files)) < len(files):
        raise UsageError("two of the servers are the same one")
    outcomes = take_all(endpoints, databases=databases, progress=_progress, seconds=args.timeout)
    return _write(outcomes, files)


def _ask(question: str) -> str:
    import getpass

    return getpass.getpass(question)


def _file(endpoint: Endpoint, args: argparse.Namespace) -> str:
    """`db1-3306.jsonl.gz` in the directory, or what --output says."""
    if args.output:
        return str(args.output)
    name = "".join(c if c.isalnum() or c in "._-" else "-" for c in endpoint.name).strip("-")
    return str(Path(args.directory or ".") / f"{name}.jsonl.gz")


def _write(outcomes: list[Outcome], files: list[str]) -> int:
    status, failed = 0, []
    for outcome, file in zip(outcomes, files, strict=True):
        if outcome.snapshot is None:
            failed.append(outcome.error or outcome.instance)
            continue
        try:
            if file != "-":
                Path(file).parent.mkdir(parents=True, exist_ok=True)
            size = outcome.snapshot.write(file)
        except (OSError, InputError) as error:
            failed.append(str(error))
            continue
        changed = outcome.snapshot.changed
        tables = f", {plural(len(changed), 'table')} kept changing" if changed else ""
        text = f"{outcome.instance}: {file}, {size:,} bytes{tables}"
        print(one_line(text), file=sys.stderr if file == "-" else sys.stdout)
        status = max(status, int(bool(changed)))
    if failed:
        raise InputError("; ".join(failed))
    return status


def _progress(instance: str, step: str) -> None:
    progress.line(step and f"{instance}: {step}")
