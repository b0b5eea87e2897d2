"""What a person types on the way to an end and what is printed: one transcript, compared as a whole.

`UPDATE_GOLDEN=1 .venv/bin/python -m pytest tests/journeys` writes the transcripts anew: read the diff as the
person would whose way it is.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pymysql
from pymysql.cursors import DictCursor

from schemacheck.inputs.endpoint import Endpoint

GOLDEN = Path(__file__).parent / "golden"
SECONDS = 120


@dataclass
class End:
    """A real server of a journey."""

    name: str
    endpoint: Endpoint

    @property
    def dsn(self) -> str:
        """The server as a command takes it; its password is in SCHEMACHECK_PASSWORD."""
        return f"mysql://{self.endpoint.user}@127.0.0.1:{self.endpoint.port}"

    def sql(self, *statements: str, database: str | None = None) -> list[dict[str, Any]]:
        """Run statements; the rows of the last."""
        rows: list[dict[str, Any]] = []
        with (
            closing(
                pymysql.connect(
                    host=self.endpoint.host,
                    port=self.endpoint.port,
                    unix_socket=self.endpoint.socket,
                    user=self.endpoint.user,
                    password=self.endpoint.password or "",
                    database=database,
                    charset="utf8mb4",
                    autocommit=True,
                    cursorclass=DictCursor,
                )
            ) as connection,
            connection.cursor() as cursor,
        ):
            for statement in statements:
                cursor.execute(statement)
                rows = list(cursor.fetchall())
        return rows


@dataclass
class Channel:
    """A source and a replica of one flavour with GTIDs, and the channel between them."""

    source: End
    replica: End

    def start(self) -> None:
        """Replicate from here on."""
        end = self.source.endpoint
        self.replica.sql(
            "STOP SLAVE",
            "RESET SLAVE ALL",
            f"CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT={end.port}, MASTER_USER='{end.user}', "
            f"MASTER_PASSWORD='{end.password}', MASTER_CONNECT_RETRY=1, MASTER_USE_GTID=slave_pos",
            "START SLAVE",
        )

    def status(self) -> dict[str, Any]:
        """SHOW SLAVE STATUS as a row."""
        return self.replica.sql("SHOW SLAVE STATUS")[0]

    def wait(self) -> dict[str, Any]:
        """Until all that the source has logged is applied, or the applier has stopped: the status then."""
        position = self.source.sql("SELECT @@gtid_binlog_pos AS position")[0]["position"]
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            status = self.status()
            if status["Slave_SQL_Running"] == "No" or int(status["Last_IO_Errno"]):
                return status
            applied = self.replica.sql(f"SELECT MASTER_GTID_WAIT('{position}', 1) AS applied")[0]["applied"]
            if applied == 0:
                return self.status()
        raise AssertionError(f"the replica does not reach {position}: {self.status()}")


@dataclass
class Journey:
    """One person's way. `run` prints into the transcript, `end` compares it with the recorded transcript."""

    name: str
    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    _lines: list[str] = field(default_factory=list)
    _hidden: dict[str, str] = field(default_factory=dict)

    def tell(self, text: str) -> None:
        """What the person thinks or does beside the terminal."""
        self._lines.append(f"# {text}")

    def hide(self, value: object, name: str) -> None:
        """A value that is another in every run (a port, a GTID) stands as `name` in the transcript."""
        self._hidden[str(value)] = name

    def write(self, name: str, text: str) -> Path:
        """A file of the person's folder, shown in the transcript."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        self._lines += [f"$ cat {name}", text.rstrip("\n")]
        return path

    def run(self, command: str, *, status: int = 0, give: str | None = None) -> str:
        """Run a command line in the person's folder, with `schemacheck` in PATH; what it printed. Asserts the
        exit status; `give` is standard input."""
        programs = Path(sys.executable).parent
        environment = {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.folder),
            "LANG": "C.UTF-8",
            "COLUMNS": "80",
            "GIT_CONFIG_NOSYSTEM": "1",
            **self.environment,
        }
        done = subprocess.run(
            ["/bin/sh", "-c", command], cwd=self.folder, env=environment, input=give or "", text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS, check=False,
        )  # fmt: skip
        self._lines.append(f"$ {command}")
        if done.stdout:
            self._lines.append(done.stdout.rstrip("\n"))
        if done.returncode:
            self._lines.append(f"[exit status {done.returncode}]")
        assert done.returncode == status, self.text()
        return done.stdout

    def cell(self, code: str, answer: str) -> None:
        """A cell of a notebook and what is shown below it."""
        self._lines += [f">>> {line}" for line in code.split("\n")]
        self._lines += [answer.rstrip("\n")] if answer else []

    def text(self) -> str:
        """The transcript so far."""
        text = "\n".join(self._lines) + "\n"
        for value, name in sorted(self._hidden.items(), key=lambda item: -len(item[0])):
            text = text.replace(value, name)
        return text.replace(str(self.folder), "FOLDER")

    def end(self) -> None:
        """Compare the transcript with the recorded transcript."""
        path = GOLDEN / f"{self.name}.txt"
        if os.environ.get("UPDATE_GOLDEN"):
            path.write_text(self.text(), "utf-8")
        assert self.text() == path.read_text("utf-8")
