"""What a person names as WHERE, and the servers that it means."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from schemacheck.errors import UsageError
from schemacheck.inputs.connection import connected
from schemacheck.inputs.endpoint import Access, Endpoint
from schemacheck.model import Server
from schemacheck.model.quote import string
from schemacheck.scratch import container, start
from schemacheck.scratch.process import Limits, Work
from schemacheck.scratch.program import Program, fitting
from schemacheck.scratch.server import MARKER, ScratchServer, tables_of_others
from schemacheck.scratch.start import ALONE, Maker


def program_maker(program: Program, settings: tuple[str, ...] = ()) -> Maker:
    """What starts this program (`start.Maker`). Raises UsageError without its share files."""

    def work(folder: Path, limits: Limits, options: tuple[str, ...]) -> Work:
        for name in ("data", "tmp", "files", "plugins"):
            (folder / name).mkdir()
        if (login := program.login()) is not None:
            (folder / "plugins" / login.name).symlink_to(login)
        own = [
            str(program.path),
            "--no-defaults",
            f"--datadir={folder / 'data'}",
            f"--tmpdir={folder / 'tmp'}",
        ]
        unprivileged = program.public()
        if os.geteuid() == 0 and not unprivileged:
            own.append("--user=root")
        if program.share is not None:
            own += [
                f"--basedir={program.base}", f"--lc-messages-dir={program.share}",
                f"--character-sets-dir={program.share / 'charsets'}",
            ]  # fmt: skip
        own += [*ALONE, *settings]
        given, install = None, "--initialize-insecure"
        if (script := program.script()) is not None:
            (folder / "system.sql").write_bytes(script)
            given, install = str(folder / "system.sql"), "--bootstrap"
        server = [
            *own, *options, f"--socket={folder / 's'}", f"--pid-file={folder / 'pid'}",
            f"--init-file={folder / 'init.sql'}", f"--secure-file-priv={folder / 'files'}",
            f"--plugin-dir={folder / 'plugins'}",
        ]  # fmt: skip
        environment = {"PATH": os.defpath, "TZ": "UTC"}
        if program.libraries:
            environment["LD_LIBRARY_PATH"] = program.libraries
        return Work((([*own, install], given),), server, limits, unprivileged, environment)

    return work


_WORDS = "local, local:PATH, docker:IMAGE or mysql://user@host:port/"


@contextlib.contextmanager
def open_server(
    where: str, server: Server, *, limits: Limits | None = None, access: Access | None = None
) -> Iterator[ScratchServer]:
    """A scratch server for `server`: `local`, `local:PATH`, `docker:IMAGE`, or a DSN that may be lost. Raises
    UsageError, InputError where it does not start.
    """
    limits = limits or Limits()

    def begin() -> AbstractContextManager[Endpoint]:
        if "://" in where:
            return _living(where, access or Access())
        return start.started(maker_of(where, server), limits)

    scratch = ScratchServer(begin, server, limits.seconds)
    try:
        yield scratch
    finally:
        scratch.end()


def maker_of(where: str, server: Server) -> Maker:
    """What starts the server that `local`, `local:PATH`, `docker:IMAGE` means. Raises UsageError."""
    kind, _, place = where.partition(":")
    if kind == "docker" and place:
        return container.maker(place, server)
    if kind != "local" or where == "local:":
        raise UsageError(f"{where!r} is no place of a scratch server; write {_WORDS}")
    return program_maker(fitting(server, place), start.given(server))


@contextlib.contextmanager
def _living(dsn: str, access: Access) -> Iterator[Endpoint]:
    """A server that lives on: one that has the marker, and no table of others."""
    endpoint = Endpoint.parse(dsn, access)
    with connected(endpoint, access.seconds) as session:
        if not session.query(f"SHOW DATABASES LIKE {string(MARKER)}", "its databases cannot be listed")[1]:
            raise UsageError(
                f"{endpoint.name}: nothing says that this server may be lost; if it may: CREATE DATABASE "
                f"{MARKER}"
            )
        if full := tables_of_others(session):
            raise UsageError(f"{endpoint.name}: this server holds tables: {full}; nothing is asked of it")
    yield endpoint
