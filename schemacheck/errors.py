"""Exceptions of schemacheck.

    SchemacheckError
    ├── UsageError        the call itself makes no sense (exit status 2)
    │   ├── UnknownServer    no such flavour or version
    │   └── BadSetting       a setting's value that the server would refuse
    └── InputError        a file, dump or connection that cannot be read at all (exit status 2)

Bad DDL inside readable input is not an exception: it is an `InputProblem` in the report.
"""

from __future__ import annotations


class SchemacheckError(Exception):
    """Base of all errors raised on purpose; `exit_status` is what the command line returns."""

    exit_status = 2


class UsageError(SchemacheckError):
    """The call makes no sense: an unknown option value, a missing argument."""


class UnknownServer(UsageError):
    """No facts are known for this flavour or version."""


class BadSetting(UsageError):
    """A setting's value that the server would refuse."""


class InputError(SchemacheckError):
    """Input that cannot be read at all; the message names file, line and what to do."""
