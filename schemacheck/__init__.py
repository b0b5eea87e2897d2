"""schemacheck: will replication survive a differing table definition?

The public door. Importing it costs next to nothing: every name is loaded when it is first used.

    report = schemacheck.check(source_ddl, replica_ddl, schemacheck.Link.of("mysql-8.0.36"))
    report.verdict, report.findings
"""

import sys

if sys.argv[:1] == ["-m"]:
    # `python -m schemacheck`: the working directory comes first on sys.path, and nothing was imported from
    # it yet.
    from schemacheck.system.child import drop_working_directory

    drop_working_directory()

from typing import TYPE_CHECKING

from schemacheck.version import __version__ as __version__

if TYPE_CHECKING:
    from schemacheck.errors import BadSetting, InputError, SchemacheckError, UnknownServer, UsageError
    from schemacheck.inputs import open_schema
    from schemacheck.inputs.endpoint import Access
    from schemacheck.inputs.piece import HistoryOptions
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
        Affected,
        Column,
        ColumnType,
        Difference,
        Effect,
        Example,
        Finding,
        InputProblem,
        Link,
        Location,
        PairReport,
        PairState,
        Report,
        Schema,
        Server,
        ServerError,
        Side,
        SmallestSetting,
        Table,
        Tolerance,
    )
    from schemacheck.model.evidence import Bite, Evidence
    from schemacheck.model.report import EvidenceOfReport

#: Where names are that are neither functions of the library nor values of the model.
_HOME = {
    **dict.fromkeys(
        ("BadSetting", "InputError", "SchemacheckError", "UnknownServer", "UsageError"), "schemacheck.errors"
    ),
    **dict.fromkeys(("Bite", "Evidence"), "schemacheck.model.evidence"),
    "EvidenceOfReport": "schemacheck.model.report",
    "Access": "schemacheck.inputs.endpoint",
    "Conversion": "schemacheck.library",
    "HistoryOptions": "schemacheck.inputs.piece",
    "open_schema": "schemacheck.inputs",
}

__all__ = [
    "Access",
    "Affected",
    "BadSetting",
    "Bite",
    "Column",
    "ColumnType",
    "Conversion",
    "Difference",
    "Effect",
    "Evidence",
    "EvidenceOfReport",
    "Example",
    "Finding",
    "HistoryOptions",
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
    "ServerError",
    "Side",
    "SmallestSetting",
    "Table",
    "Tolerance",
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

    home = _HOME.get(name, "schemacheck.library" if name.islower() else "schemacheck.model")
    value: object = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
