"""The command line. One file per sub-command in `cli/commands/`; only the one that is called is
imported, and `--help` imports none."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING

from schemacheck.cli import dispatch
from schemacheck.errors import SchemacheckError

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Exit status where the command itself is broken: usage, unreadable input, a defect of ours.
BROKEN = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status. Never raises but SystemExit from argparse."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        status = dispatch.run(arguments)
        sys.stdout.flush()
    except SchemacheckError as error:
        print(f"schemacheck: error: {error}", file=sys.stderr)  # noqa: T201
        return error.exit_status
    except BrokenPipeError:
        # The reader has gone (`| head`): nothing is left to say, and Python must not complain at exit.
        abandon_output()
        return BROKEN
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001 a defect must not look like "findings" (status 1)
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            abandon_output()
            print(f"schemacheck: error: {error.strerror}", file=sys.stderr)  # noqa: T201
            return BROKEN
        import traceback

        traceback.print_exc()
        print("schemacheck: internal error; please report it with the lines above", file=sys.stderr)  # noqa: T201
        return BROKEN
    return status


def abandon_output() -> None:
    """Let what is still to be printed go nowhere: it cannot be written, and Python tries it once more at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError:  # a stream that is no file
        return
