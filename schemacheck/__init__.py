"""schemacheck: will replication survive a differing table definition?

The public door. Importing it costs next to nothing: every name is loaded when it is first used.

    report = schemacheck.check(source_ddl, replica_ddl, schemacheck.Link.of("mysql-8.0.36"))
    report.verdict, report.findings
"""

import sys

if sys.argv[:1] == ["-m"]:
    # `python -m schemacheck`: the working directory comes first on sys.path, and nothing was imported from
    # it yet.
    from schemacheck.child import drop_working_directory

    drop_working_directory()

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from schemacheck.errors import BadSetting, InputError, SchemacheckError, UnknownServer, UsageError
    from schemacheck.inputs import open_schema
    from schemacheck.library import (
        Conversion,
        assumptions,
        check,
        convert,
        exit_status,
        fingerprints,
        parse,
        render,
        rows,
        to_pandas,
    )
    from schemacheck.model import (
        Column,
        ColumnType,
        Effect,
        Finding,
        InputProblem,
        Link,
        Location,
        PairReport,
        PairState,
        Report,
        Schema,
        Server,
        SmallestSetting,
        Table,
    )

_HOME = {
    **dict.fromkeys(
        ("BadSetting", "InputError", "SchemacheckError", "UnknownServer", "UsageError"), "schemacheck.errors"
    ),
    **dict.fromkeys(
        (
            "assumptions",
            "check",
            "convert",
            "exit_status",
            "fingerprints",
            "parse",
            "render",
            "rows",
            "to_pandas",
            "Conversion",
        ),
        "schemacheck.library",
    ),
    "open_schema": "schemacheck.inputs",
}

__all__ = [
    "BadSetting",
    "Column",
    "ColumnType",
    "Conversion",
    "Effect",
    "Finding",
    "InputError",
    "InputProblem",
    "Link",
    "Location",
    "PairReport",
    "PairState",
    "Report",
    "Schema",
    "SchemacheckError",
    "Server",
    "SmallestSetting",
    "Table",
    "UnknownServer",
    "UsageError",
    "assumptions",
    "check",
    "convert",
    "exit_status",
    "fingerprints",
    "open_schema",
    "parse",
    "render",
    "rows",
    "to_pandas",
]


def __getattr__(name: str) -> object:
    """Load a public name from its module on first use (PEP 562)."""
    if name not in __all__:
        raise AttributeError(f"module 'schemacheck' has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(_HOME.get(name, "schemacheck.model")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
