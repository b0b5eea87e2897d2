"""A real cluster: a standalone master and two workers on loopback, one worker killed in mid-run.

`python benchmarks/fleet_cluster.py FLEET_FOLDER`: runs the fleet on embedded Spark, then on the cluster
through `--master`, once undisturbed and once with a worker killed while decisions are made, and compares the
results. All of it from the one archive that `--make-zip` writes, which is shipped to the workers.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(text: str, log: Path, seconds: float = 90) -> None:
    deadline = time.monotonic() + seconds
    while text not in log.read_text("utf-8", "replace"):
        if time.monotonic() > deadline:
            raise SystemExit(f"{text!r} did not come:\n{log.read_text()[-2000:]}")
        time.sleep(0.2)


class Cluster:
    """Master and workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        import pyspark

        from schemacheck.fleet import java

        self.folder = folder
        self.port, self.java = free_port(), str(java.find())
        self.jars = f"{Path(pyspark.__file__).parent}/jars/*"
        self.opens = [f"--add-opens={name}=ALL-UNNAMED" for name in java.OPENS]
        self.master = self._start(
            "master",
            "org.apache.spark.deploy.master.Master",
            "--host",
            "127.0.0.1",
            "--port",
            str(self.port),
            "--webui-port",
            "0",
        )
        wait_for("New state: ALIVE", folder / "master.log")
        self.workers = [
            self._start(
                f"worker{n}",
                "org.apache.spark.deploy.worker.Worker",
                "--host",
                "127.0.0.1",
                "--webui-port",
                "0",
                "-c",
                "1",
                "-m",
                "1g",
                "-d",
                str(folder / f"w{n}"),
                self.url,
            )
            for n in (1, 2)
        ]
        for n in (1, 2):
            wait_for("Successfully registered with master", folder / f"worker{n}.log")

    @property
    def url(self) -> str:
        return f"spark://127.0.0.1:{self.port}"

    def _start(self, name: str, main: str, *arguments: str) -> subprocess.Popen[bytes]:
        conf = self.folder / "conf"
        conf.mkdir(exist_ok=True)
        (conf / "log4j2.properties").write_text(
            "rootLogger.level=info\nrootLogger.appenderRef.e.ref=e\nappender.e.type=Console\nappender.e.name=e\nappender.e.target=SYSTEM_ERR\nappender.e.layout.type=PatternLayout\nappender.e.layout.pattern=%p "  # noqa: E501
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            ""
            "%c: %m%n\n"
        )
        with (self.folder / f"{name}.log").open("wb") as log:
            return subprocess.Popen(
                [self.java, "-Xmx512m", *self.opens, "-cp", f"{conf}:{self.jars}", main, *arguments],
                stdout=log,
                stderr=log,
                start_new_session=True,
                env={
                    **os.environ,
                    "PYSPARK_PYTHON": sys.executable,
                    "SPARK_LOCAL_IP": "127.0.0.1",
                    "SPARK_HOME": str(Path(self.jars).parent.parent),
                    "SPARK_SCALA_VERSION": "2.13",
                },
            )

    def kill_a_worker(self) -> None:
        """The worker's whole process group: the worker and its executor. No chance to say goodbye."""
        os.killpg(self.workers[0].pid, signal.SIGKILL)

    def stop(self) -> None:
        for process in (*self.workers, self.master):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def run(fleet: Path, out: Path, *arguments: str, python: list[str] | None = None) -> subprocess.Popen[str]:
    code = ["-c", "import sys; from schemacheck.fleet.command import main; sys.exit(main())"]
    return subprocess.Popen(
        [
            *(python or [sys.executable, *code]),
            str(fleet),
            "--out",
            str(out),
            "--exit-zero",
            "--what-if",
            "1",
            *arguments,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def result(out: Path) -> tuple[object, ...]:
    """What must be equal: every pair's verdict, and every finding."""
    from schemacheck.fleet.results import Results

    results = Results(out, out)
    tables = results.tables.to_table(
        columns=["link", "database", "table", "state", "verdict", "smallest_setting"]
    ).to_pylist()
    findings = results.findings.to_table(
        columns=["link", "database", "table", "code", "effect", "column", "message"]
    ).to_pylist()
    return tuple(sorted(map(repr, tables))), tuple(sorted(map(repr, findings)))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("fleet", type=Path, help="a folder that fleet_generate.py made")
    parser.add_argument(
        "--only-killed", action="store_true", help="leave out the undisturbed run on the cluster"
    )
    chosen = parser.parse_args()
    fleet = chosen.fleet / "fleet.yaml"
    with tempfile.TemporaryDirectory(prefix="schemacheck-cluster-") as name:
        folder = Path(name)
        told = {}

        def timed(label: str, process: subprocess.Popen[str], disturb: Cluster | None = None) -> None:
            started = time.monotonic()
            stage = folder / f".{label}.{process.pid}.tmp" / "stage" / "decisions"
            if disturb:
                while process.poll() is None and not stage.exists():
                    time.sleep(0.05)
                disturb.kill_a_worker()
            text, _ = process.communicate()
            if process.returncode != 0:
                raise SystemExit(f"{label}: {text}")
            told[label] = round(time.monotonic() - started, 1)

        from schemacheck.fleet import archive

        # Everything runs from one archive: no run sees another state of the code.
        archive.make(folder / "fleet.zip")
        bare = [sys.executable, str(folder / "fleet.zip")]
        shipped = ("--archive", str(folder / "fleet.zip"), "--memory", "1g")
        timed("embedded", run(fleet, folder / "embedded", "--engine", "spark", python=bare))
        wanted = result(folder / "embedded")
        cluster = Cluster(folder)
        try:
            if not chosen.only_killed:
                timed(
                    "cluster", run(fleet, folder / "cluster", "--master", cluster.url, *shipped, python=bare)
                )
            timed(
                "killed",
                run(fleet, folder / "killed", "--master", cluster.url, *shipped, python=bare),
                cluster,
            )
        finally:
            cluster.stop()
        same = {label: result(folder / label) == wanted for label in told if label != "embedded"}
        left = sorted(p.name for p in folder.iterdir() if p.name.endswith((".tmp", ".old")))
        sys.stdout.write(
            json.dumps(
                {
                    "seconds": told,
                    "equal to embedded": same,
                    "pairs": len(wanted[0]),
                    "findings": len(wanted[1]),
                    "left behind": left,
                }
            )
            + "\n"
        )
        if not all(same.values()) or left:
            raise SystemExit(1)


if __name__ == "__main__":
    main()
