"""How a program of this machine is started in a folder."""

from __future__ import annotations

import os
from pathlib import Path

from schemacheck.scratch.process import Limits, Work
from schemacheck.scratch.program import Program
from schemacheck.scratch.start import ALONE, Maker


def maker(program: Program, settings: tuple[str, ...] = ()) -> Maker:
    """What starts this program (`start.Maker`) with these options from its system tables on, which raises
    UsageError where its share files are missing.
    """

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
