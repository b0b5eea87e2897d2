"""A real channel between two scratch servers."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import Any

from schemacheck.dataclass import dataclass
from schemacheck.errors import InputError
from schemacheck.inputs.connection import Refused
from schemacheck.model.quote import string
from schemacheck.prove.scratch import Scratch

#: Seconds without any progress after which a channel counts as stuck.
PATIENCE = 60.0
#: What a worker writes before the error itself.
_WORKER = re.compile(r"\AWorker \d+ failed executing transaction '[^']*' at [^;]*; ", re.ASCII)


#: What an applier that has nothing to do says.
_IDLE = re.compile(r"has read all relay log", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stopped:
    """The error of a replica's thread: the applier's, or with `receiver` that of the other one."""

    number: int
    message: str
    receiver: bool = False


class Channel:
    """Replicates from one scratch server to the other, from where the source's log ends now."""

    def __init__(self, source: Scratch, replica: Scratch) -> None:
        self.source, self.replica = source, replica
        replica.replicates = True
        self._start()

    def _start(self) -> None:
        for statement in ("STOP SLAVE", "RESET SLAVE ALL"):
            self.replica.ask(self.replica.word(statement))
        file, position = self.source.position()
        end = self.source.endpoint
        change = (
            f"CHANGE MASTER TO MASTER_HOST={string(end.host)}, MASTER_PORT={end.port}, "
            f"MASTER_USER={string(end.user)}, MASTER_PASSWORD={string(self.source.password or '')}, "
            f"MASTER_LOG_FILE={string(file)}, MASTER_LOG_POS={position}, MASTER_CONNECT_RETRY=1"
        )
        if self.replica.server.mariadb:
            change += ", MASTER_USE_GTID=no"
            # 11.3 and later ask for a certificate that can be verified, older ones do not know the word.
            try:
                self.replica.ask(f"{change}, MASTER_SSL=0, MASTER_SSL_VERIFY_SERVER_CERT=0")
            except Refused:
                self.replica.ask(change)
        else:
            more = ", MASTER_AUTO_POSITION=0" if self.replica.server.has("channel-auto-position") else ""
            more += ", GET_MASTER_PUBLIC_KEY=1" if self.replica.server.has("channel-public-key") else ""
            # MySQL's replicas ask for TLS by themselves; MariaDB and MySQL 5.6 may have none.
            bare = self.source.server.mariadb or self.source.variables.get("have_ssl") in ("DISABLED", "NO")
            more += ", MASTER_SSL=0" if bare else ""
            self.replica.ask(self.replica.word(change + more))
        self.replica.ask(self.replica.word("START SLAVE"))

    def restart_applier(self) -> None:
        """What is set globally holds for the applier from its start on."""
        for statement in ("STOP SLAVE SQL_THREAD", "START SLAVE SQL_THREAD"):
            self.replica.ask(self.replica.word(statement))

    def wait(self) -> Stopped | None:
        """Until all is applied: None, or the applier's error. Raises InputError if it does not move."""
        file, end = self.source.position()
        since, reached = time.monotonic(), ""
        while time.monotonic() - since < PATIENCE:
            asked = self.replica.word(f"SELECT MASTER_POS_WAIT({string(file)}, {end}, 1)")
            done = self.replica.ask(asked)[0][0]
            if done is not None and int(done) >= 0:
                return None
            status = self.replica.status()
            for thread in ("SQL", "IO"):
                if int(status.get(f"Last_{thread}_Errno") or 0):
                    number, message = status[f"Last_{thread}_Errno"], status[f"Last_{thread}_Error"]
                    if thread == "IO":
                        return Stopped(int(number), str(message), receiver=True)
                    return self._workers_error() or Stopped(int(number), str(message))
            if status.get("Slave_SQL_Running") == "No":
                return Stopped(0, "the applier stopped without an error")
            position = f"{status.get('Relay_Master_Log_File')} {status.get('Exec_Master_Log_Pos')}"
            if position != reached:
                since, reached = time.monotonic(), position
            elif not _has_workers(self.replica.variables) and _all_read(status, file, end):
                self.begin_again()
                return None
        raise InputError(f"{self.replica.name}: the channel does not move for {PATIENCE:g} seconds")

    def skip(self) -> None:
        """Go on behind the event group that stopped the applier."""
        self.replica.ask(self.replica.word("STOP SLAVE SQL_THREAD"))
        self.replica.ask(self.replica.word("SET GLOBAL sql_slave_skip_counter = 1"))
        self.replica.ask(self.replica.word("START SLAVE SQL_THREAD"))

    def _workers_error(self) -> Stopped | None:
        """What the worker of a parallel applier says itself; the channel's status wraps it."""
        try:
            rows = self.replica.ask(
                "SELECT LAST_ERROR_NUMBER, LAST_ERROR_MESSAGE FROM "
                "performance_schema.replication_applier_status_by_worker WHERE LAST_ERROR_NUMBER <> 0"
            )
        except Refused:
            return None
        return Stopped(int(rows[0][0]), _WORKER.sub("", str(rows[0][1]))) if rows else None

    def begin_again(self) -> None:
        """Behind everything that is logged: what stopped the applier is left out."""
        self._start()


def _has_workers(variables: Mapping[str, str]) -> bool:
    """Whether an applier hands events on to workers: it waits for more while they still run what it has."""
    names = ("replica_parallel_workers", "slave_parallel_workers", "slave_parallel_threads")
    return any(variables.get(name, "0") != "0" for name in names)


def _all_read(status: Mapping[str, Any], file: str, end: int) -> bool:
    """Whether the applier waits for more; MySQL 5.6 does not count all events of MariaDB."""
    read = (status.get("Master_Log_File"), int(status.get("Read_Master_Log_Pos") or 0))
    return _IDLE.search(str(status.get("Slave_SQL_Running_State"))) is not None and read == (file, end)
