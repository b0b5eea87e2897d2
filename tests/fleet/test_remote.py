"""A run on a Spark server that is reached through Spark Connect says what an embedded one says."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import fleets
import pytest

pytestmark = pytest.mark.spark


@pytest.fixture
def address(tmp_path: Path):
    """A Spark Connect server on loopback, of the same pyspark."""
    pyspark = pytest.importorskip("pyspark")
    from schemacheck.errors import UsageError
    from schemacheck.fleet import java

    jars = Path(pyspark.__file__).parent / "jars"
    if not list(jars.glob("spark-connect_*.jar")):
        pytest.skip("this pyspark has no Spark Connect server")
    try:
        runtime = java.find()
    except UsageError as error:
        pytest.skip(str(error))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = {
        "spark.master": "local[2]", "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": port, "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": 2,
        "spark.sql.warehouse.dir": tmp_path / "warehouse",
    }  # fmt: skip
    command = [
        str(runtime), "-Xmx1g", "-XX:TieredStopAtLevel=1", *java.FLAGS,
        *(f"--add-opens={name}=ALL-UNNAMED" for name in java.OPENS),
        *(f"-D{name}={value}" for name, value in settings.items()), "-cp", f"{jars}/*",
        "org.apache.spark.sql.connect.service.SparkConnectServer",
    ]  # fmt: skip
    log = tmp_path / "server.log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            command,
            stdout=output,
            stderr=output,
            start_new_session=True,
            env={**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"},
        )
    try:
        deadline = time.monotonic() + 120
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert server.poll() is None, log.read_text()[-2000:]
            assert time.monotonic() < deadline, log.read_text()[-2000:]
            time.sleep(0.2)
        yield f"sc://127.0.0.1:{port}"
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def test_spark_connect(address: str, tmp_path: Path) -> None:
    import pyarrow.dataset as ds

    path = fleets.chosen(tmp_path / "fleet")
    # The server runs in another folder, where these places are nothing.
    command = [
        sys.executable,
        "-c",
        "import sys; from schemacheck.cli import main; sys.exit(main(['fleet', *sys.argv[1:]]))",
        "fleet/fleet.yaml",
        "--out",
        "run",
        "--remote",
        address,
        "--exit-zero",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    assert address in done.stdout
    parts = ds.partitioning(flavor="hive")
    tables, findings = (
        ds.dataset(tmp_path / "run" / name, partitioning=parts).to_table().to_pylist()
        for name in ("tables", "findings")
    )
    fleets.compare(fleets.of_job(tables, findings), fleets.pair_by_pair(path))
