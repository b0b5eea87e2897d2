"""A standalone Spark cluster on this machine, for a benchmark and for tests: a master and workers of one
core, if wanted each in a mount namespace of its own.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pyspark

from schemacheck.fleet import java

_LOGGING = """rootLogger.level=info
rootLogger.appenderRef.e.ref=e
appender.e.type=Console
appender.e.name=e
appender.e.target=SYSTEM_ERR
appender.e.layout.type=PatternLayout
appender.e.layout.pattern=%p %c: %m%n
"""


class Cluster:
    """A master, the first of `processes`, and its workers, with their logs below `folder`. In place of the
    folder `hidden` every worker has one of its own (needs `unshare -m`). Raises TimeoutError where they do
    not come up.
    """

    def __init__(self, folder: Path, workers: int, *, memory: str, hidden: Path | None = None) -> None:
        self.folder, self.hidden = folder, hidden
        self.processes: list[subprocess.Popen[bytes]] = []
        (folder / "conf").mkdir(parents=True)
        (folder / "conf" / "log4j2.properties").write_text(_LOGGING)
        home = Path(pyspark.__file__).parent
        self.java = [
            str(java.find()), "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
            *(f"--add-opens={name}=ALL-UNNAMED" for name in java.OPENS),
            "-cp", f"{folder / 'conf'}:{home}/jars/*",
        ]  # fmt: skip
        self.environment = {
            **os.environ,
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_HOME": str(home),
            "SPARK_SCALA_VERSION": "2.13",
        }
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = str(probe.getsockname()[1])
        self.url = f"spark://127.0.0.1:{port}"
        names = [f"worker{number}" for number in range(workers)]
        try:
            self._start("master", "master.Master", "--port", port)
            self._wait("master", "New state: ALIVE")
            for name in names:
                where = str((hidden or folder) / name)
                self._start(name, "worker.Worker", "-c", "1", "-m", memory, "-d", where, self.url)
            for name in names:
                self._wait(name, "Successfully registered with master")
        except BaseException:
            self.stop()
            raise

    def _start(self, name: str, main: str, *arguments: str) -> None:
        own = ["--host", "127.0.0.1", "--webui-port", "0"]
        command = [*self.java, f"org.apache.spark.deploy.{main}", *own, *arguments]
        if self.hidden is not None and name != "master":
            script = f'mount -t tmpfs tmpfs "{self.hidden}" && exec "$@"'
            command = ["unshare", "-m", "--propagation", "private", "sh", "-c", script, "sh", *command]
        with (self.folder / f"{name}.log").open("wb") as log:
            self.processes.append(
                subprocess.Popen(
                    command, stdout=log, stderr=log, start_new_session=True, env=self.environment
                )
            )

    def _wait(self, name: str, text: str) -> None:
        log = self.folder / f"{name}.log"
        deadline = time.monotonic() + 180
        while text not in log.read_text("utf-8", "replace"):
            if time.monotonic() > deadline:
                raise TimeoutError(log.read_text("utf-8", "replace")[-2000:])
            time.sleep(0.2)

    def kill_a_worker(self) -> None:
        """The worker and its executor, without a chance to say goodbye."""
        os.killpg(self.processes[1].pid, signal.SIGKILL)

    def stop(self) -> None:
        """End all processes."""
        for process in reversed(self.processes):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
