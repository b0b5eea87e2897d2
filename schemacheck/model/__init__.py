"""The model: frozen, hashable, picklable values. Imports nothing of ours but itself, the facts, the
errors and `knowledge.characters`.
"""

from schemacheck.model.column_type import BadType, ColumnType
from schemacheck.model.difference import Difference
from schemacheck.model.finding import (
    Affected,
    Effect,
    Example,
    Finding,
    PairReport,
    PairState,
    ServerError,
    Side,
    SmallestSetting,
)
from schemacheck.model.link import CONVERSION_MODES, Link, LinkKind, parse_modes
from schemacheck.model.location import Location
from schemacheck.model.policy import KnownFinding, Tolerance, ToleratedBy
from schemacheck.model.problem import InputProblem, Refusal
from schemacheck.model.program import Event, Trigger
from schemacheck.model.report import Report
from schemacheck.model.schema import Schema, with_incoming
from schemacheck.model.server import Server
from schemacheck.model.table import (
    Check,
    Column,
    Default,
    DefaultKind,
    ForeignKey,
    Key,
    KeyKind,
    KeyPart,
    Size,
    Table,
    TableKind,
)

__all__ = [
    "CONVERSION_MODES",
    "Affected",
    "BadType",
    "Check",
    "Column",
    "ColumnType",
    "Default",
    "DefaultKind",
    "Difference",
    "Effect",
    "Event",
    "Example",
    "Finding",
    "ForeignKey",
    "InputProblem",
    "Key",
    "KeyKind",
    "KeyPart",
    "KnownFinding",
    "Link",
    "LinkKind",
    "Location",
    "PairReport",
    "PairState",
    "Refusal",
    "Report",
    "Schema",
    "Server",
    "ServerError",
    "Side",
    "Size",
    "SmallestSetting",
    "Table",
    "TableKind",
    "Tolerance",
    "ToleratedBy",
    "Trigger",
    "parse_modes",
    "with_incoming",
]
