"""The command line. One file per sub-command in `cli/commands/`; only the one that is called is
imported, and `--help` imports none."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from typing import TYPE_CHECKING

from schemacheck.cli import dispatch
from schemacheck.cli.streams import abandon_output, complain
from schemacheck.errors import DEFECTS, SchemacheckError

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Exit statuses where the command itself is broken: usage or unreadable input; a defect of ours.
BROKEN, DEFECT = 2, 4
#: Tracebacks that are printed.
_SHOWN = 3


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status. Never raises but SystemExit from argparse."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        os.getcwd()  # noqa: PTH109 a missing working directory is told before anything looks for it
    except OSError as error:
        complain(f"error: the working directory is not there: {error.strerror}")
        return BROKEN
    try:
        DEFECTS.clear()
        status = dispatch.run(arguments)
        sys.stdout.flush()
        if DEFECTS:
            complain(*(line for text in DEFECTS[:_SHOWN] for line in text.splitlines()))
            complain(
                f"internal error: {len(DEFECTS)} times a defect of schemacheck: what it met is undecided, "
                "the rest is decided (exit status 4); please report it with the lines above"
            )
            return DEFECT
    except SchemacheckError as error:
        complain(f"error: {error}")
        return error.exit_status
    except BrokenPipeError:
        # The reader has gone (`| head`): nothing is left to say, and Python must not complain at exit.
        abandon_output()
        return BROKEN
    except KeyboardInterrupt as error:
        return 128 + int(getattr(error, "number", 2))
    except Exception as error:  # noqa: BLE001 a defect must not look like "findings" (status 1)
        if isinstance(error.__cause__, KeyboardInterrupt):
            return 130  # Python 3.11 wraps what is raised while a class is made (__set_name__)
        if isinstance(error, OSError) and error.errno in (
            errno.ENOSPC,
            errno.EDQUOT,
            errno.EFBIG,
            errno.EBADF,
        ):
            abandon_output()
            complain(f"error: {error.strerror}")
            return BROKEN
        import traceback

        with contextlib.suppress(Exception):
            complain(*traceback.format_exc().splitlines())
        complain(
            "internal error: this is a defect of schemacheck, nothing was decided (exit status 4); "
            "please report it with the lines above"
        )
        return DEFECT
    return status
