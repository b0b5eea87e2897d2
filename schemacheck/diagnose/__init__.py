"""Why a replica has stopped: its status, read and explained, with both definitions where they are given."""

from schemacheck.diagnose.cause import Diagnosis, diagnose
from schemacheck.diagnose.known import Known, known
from schemacheck.diagnose.status import Status, statuses

__all__ = ["Diagnosis", "Known", "Status", "diagnose", "known", "statuses"]
