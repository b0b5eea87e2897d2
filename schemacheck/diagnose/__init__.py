"""Why a replica has stopped: its status, read and explained, with both definitions where they are given."""

from schemacheck.diagnose.answer import Answer, Step
from schemacheck.diagnose.cause import Diagnosis, diagnose
from schemacheck.diagnose.known import Known, known
from schemacheck.diagnose.live import NOT_LIVE, Live
from schemacheck.diagnose.names import table_of
from schemacheck.diagnose.status import Status, statuses

__all__ = [
    "NOT_LIVE",
    "Answer",
    "Diagnosis",
    "Known",
    "Live",
    "Status",
    "Step",
    "diagnose",
    "known",
    "statuses",
    "table_of",
]
