"""Will this log apply to that replica? Every event is held against the replica's definitions and filters.

`check_logs` reads files, `LogCheck` takes events one by one; `text` and `record` show the answer.
"""

from schemacheck.binlog.check.log import LogCheck, check_logs
from schemacheck.binlog.check.report import Change, LogReport, Stop, TableReport

__all__ = ["Change", "LogCheck", "LogReport", "Stop", "TableReport", "check_logs"]
