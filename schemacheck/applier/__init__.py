"""Will this log apply to that replica? `check_logs` reads files, `LogCheck` takes events one by one."""

from schemacheck.applier.log import LogCheck
from schemacheck.applier.report import LogReport, Stop
from schemacheck.applier.run import check_logs

__all__ = ["LogCheck", "LogReport", "Stop", "check_logs"]
