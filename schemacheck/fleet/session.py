"""Engines: which one runs the job, and how it is started and stopped."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from schemacheck.dataclass import dataclass
from schemacheck.errors import UsageError
from schemacheck.fleet import java
from schemacheck.fleet.workers import WorkerPool
from schemacheck.system import interrupt

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Above this much input (bytes as they lie on disk) the lean JVM flags no longer pay (they do at 100,000
#: pairs, 540 MB: 53 CPU s against 69).
LEAN_BYTES = 1 << 30
#: Below this much Spark's generated code costs more than it saves (at 10,000 pairs, 54 MB, as much; at
#: 100,000 it saves 1 of 32 CPU s).
CODEGEN_BYTES = 128 << 20
#: Below this much one task does everything.
ONE_BYTES = 12 << 20

#: How long a Spark Connect server is waited for.
_REACHED_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Engine:
    """A running engine. `label` is what the summary prints, `local` whether its workers see this machine's
    files, `processes` how many of our own must decide because the engine runs Python under one interpreter
    lock, `tasks` into how many pieces work is cut (0: the cluster knows).
    """

    spark: SparkSession
    name: str
    label: str
    local: bool
    stop: Callable[[], None]
    processes: int = 1
    tasks: int = 0

    def ship(self, archive: Path) -> None:
        """Send the package to workers on other machines."""
        if self.name == "spark":
            self.spark.sparkContext.addPyFile(str(archive))
        else:
            self.spark.addArtifacts(str(archive), pyfile=True)


#: Where nothing is to be asked.
NONE = Engine(
    cast("SparkSession", None),
    "none",
    "this machine alone (nothing has changed)",
    local=True,
    stop=lambda: None,
)


def is_local(engine: str, *, master: str | None, remote: str | None) -> bool:
    """Whether an engine's workers are on this machine."""
    name, _ = choose(engine, master=master, remote=remote)
    return name == "sail" or (name == "spark" and _embedded(master))


def _embedded(master: str | None) -> bool:
    return not _submitted() and (not master or master.startswith("local"))


def choose(engine: str, *, master: str | None, remote: str | None) -> tuple[str, str]:
    """The engine to use and why: (`spark`, `sail` or `connect`, a phrase for the summary with a place for the
    version).
    """
    if remote:
        return "connect", f"Spark Connect at {remote}"
    if master or _submitted():
        return "spark", f"Apache Spark {{version}}, {master or 'as submitted'}"
    if engine == "auto":
        if find_spec("pysail") and find_spec("grpc"):
            return "sail", "Sail {version} (chosen: it is installed, and faster than a JVM on one machine)"
        return "spark", "Apache Spark {version}, embedded (chosen: Sail is not installed)"
    return engine, {"spark": "Apache Spark {version}, embedded", "sail": "Sail {version}"}[engine]


def _submitted() -> bool:
    """Whether spark-submit started this process."""
    return "PYSPARK_GATEWAY_PORT" in os.environ


def start(
    engine: str,
    *,
    master: str | None = None,
    remote: str | None = None,
    size: int = 0,
    memory: str = "2g",
    cores: int | None = None,
    conf: Sequence[tuple[str, str]] = (),
) -> Engine:
    """Start or reach the engine. `size` is the input in bytes, `memory` the embedded JVM's heap,
    `conf` settings of Spark.

    Raises UsageError where a package or Java is missing, or the cluster cannot be reached.
    """
    name, label = choose(engine, master=master, remote=remote)
    if cores is not None and cores < 0:
        raise UsageError(f"--cores {cores}: give a number of cores")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        if conf and name != "spark":
            raise UsageError(f"--conf is Spark's own; this run is on {name} (--engine spark)")
        if name == "sail":
            return _sail(label, cores or os.cpu_count() or 1, size)
        if name == "connect":
            return _connect(remote or "", label)
        return _spark(master, label, size, memory, cores, dict(conf))
    except ImportError as error:
        raise UsageError(
            f"the fleet needs more packages ({error}): pip install "
            f"'schemacheck[{'sail' if name == 'sail' else 'fleet'}]'"
        ) from None


def _partitions(size: int, cores: int) -> int:
    """Shuffle partitions: two per core, more where a partition would stand for more than 256 MiB of dumps;
    one where starting a second worker costs more than its work.
    """
    return 1 if 0 < size < ONE_BYTES else max(2 * cores if size > LEAN_BYTES else cores, size // (256 << 20))


def _spark(
    master: str | None, label: str, size: int, memory: str, cores: int | None, conf: dict[str, str]
) -> Engine:
    import pyspark
    from pyspark.conf import SparkConf
    from pyspark.sql import SparkSession

    for name in ("SPARK_CONNECT_MODE_ENABLED", "SPARK_REMOTE"):
        # A classic session is wanted, whatever the shell that started us is set up for.
        os.environ.pop(name, None)
    count = cores or os.cpu_count() or 1
    embedded = _embedded(master)
    process = None
    settings = {
        "spark.app.name": "schemacheck fleet",
        "spark.sql.adaptive.enabled": "true",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "20000",
        "spark.sql.files.maxPartitionBytes": str(32 << 20),
        "spark.sql.files.openCostInBytes": str(256 << 10),
        "spark.sql.session.timeZone": "UTC",
        # A worker imports nothing of the folder that it happens to run in.
        "spark.executorEnv.PYTHONSAFEPATH": "1",
    }
    if embedded:
        settings["spark.sql.shuffle.partitions"] = str(_partitions(size, count))
    if not _submitted() and not SparkSession.getActiveSession():
        lean = size < LEAN_BYTES and not master
        submit = [] if embedded and not conf else ["--master", master or f"local[{cores or '*'}]"]
        for name in conf if submit else ():
            submit += ["--conf", f"{name}={conf[name]}"]
        jars = Path(pyspark.__file__).parent / "jars"
        # (A cluster's driver only plans, whatever the size.)
        port, secret, process, folder = java.start(jars, memory, lean=lean or not embedded, submit=submit)
        os.environ["PYSPARK_GATEWAY_PORT"], os.environ["PYSPARK_GATEWAY_SECRET"] = str(port), secret
        settings |= {
            "spark.master": master or f"local[{cores or '*'}]",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.memory": memory,
            "spark.sql.catalogImplementation": "in-memory",
        }
        if lean and size < CODEGEN_BYTES:
            # Generated code would be compiled for every stage and run for milliseconds.
            settings["spark.sql.codegen.wholeStage"] = "false"
        if lean:
            # Planning again after every stage costs more than these stages.
            settings["spark.sql.adaptive.enabled"] = "false"
        if not embedded:
            del settings["spark.driver.host"], settings["spark.driver.bindAddress"]
    settings |= conf
    try:
        spark = SparkSession.builder.config(conf=SparkConf().setAll(list(settings.items()))).getOrCreate()
    except BaseException as error:
        if not process:
            raise
        text = (
            f"localhost, or the name of this machine, has no address ({error.strerror}): see /etc/hosts"
            if isinstance(error, socket.gaierror)
            else java.cause((folder / java.LOG).read_text("utf-8", "replace"))
        )
        _forget_gateway()
        java.end(process, folder)
        if not isinstance(error, Exception):
            raise
        raise UsageError(f"{f'--master {master}: ' if master else ''}Spark did not start: {text}") from error
    finally:
        if process:
            del os.environ["PYSPARK_GATEWAY_PORT"], os.environ["PYSPARK_GATEWAY_SECRET"]
    # pyspark has put a handler of its own on SIGINT, which asks a JVM that may be answering. What py4j and
    # the accumulators' server print of a JVM that was ended is for nobody.
    interrupt.restore()
    logging.getLogger().addHandler(logging.NullHandler())
    server: Any = spark.sparkContext._accumulatorServer  # noqa: SLF001
    server.handle_error = lambda *_: None

    def stop() -> None:
        spark.stop()
        if process:
            _forget_gateway()
            if process.stdin:
                process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(120)
            java.end(process, folder)

    return Engine(
        spark,
        "spark",
        label.replace("{version}", spark.version),
        embedded,
        stop,
        tasks=_partitions(size, count) if embedded else 0,
    )


def _forget_gateway() -> None:
    """Part from a JVM that ends: pyspark would ask it again in this process."""
    from pyspark import SparkContext

    gateway = SparkContext._gateway  # noqa: SLF001
    if gateway:
        with contextlib.suppress(Exception):  # the JVM may be gone
            gateway.shutdown()
    SparkContext._gateway = SparkContext._jvm = None  # noqa: SLF001


def _connect(url: str, label: str) -> Engine:
    import grpc
    from pyspark.sql import SparkSession
    from pyspark.sql.connect.client import DefaultChannelBuilder

    if not url.startswith("sc://"):
        raise UsageError(f"--remote takes a Spark Connect address, sc://host:port, not {url!r}")
    # The client itself would try for more than ten minutes.
    with DefaultChannelBuilder(url).toChannel() as channel:
        try:
            grpc.channel_ready_future(channel).result(timeout=_REACHED_SECONDS)
        except grpc.FutureTimeoutError:
            raise UsageError(
                f"--remote {url}: no Spark Connect server answers there (tried for {_REACHED_SECONDS} s)"
            ) from None
    spark = SparkSession.builder.remote(url).getOrCreate()
    # (A server at this machine's address may run in another folder, or in a container.)
    return Engine(spark, "connect", label, local=False, stop=spark.stop)


def _sail(label: str, cores: int, size: int) -> Engine:
    os.environ.setdefault("RUST_LOG", "error")
    # Its allocator gives back at once what it does not need: else it keeps 260 MB of the first stage of
    # 100,000 pairs (now 97 MB, in as much time).
    os.environ.setdefault("MIMALLOC_PURGE_DELAY", "0")
    import pysail
    import pyspark
    from pysail.spark import SparkConnectServer

    if not sail_serves(pyspark.__version__):
        raise UsageError(
            f"Sail {pysail.__version__} does not work with pyspark {pyspark.__version__}: pip install "
            "'schemacheck[sail]' (pyspark below 4.3)"
        )
    pool = WorkerPool(cores - 1 if size >= ONE_BYTES else 0)
    from pyspark.sql import SparkSession

    server = SparkConnectServer("127.0.0.1", 0)
    server.start(background=True)
    _, port = server.listening_address
    spark = SparkSession.builder.remote(f"sc://127.0.0.1:{port}/;user_id=schemacheck").create()
    # Sail's server has put a handler of its own on SIGINT.
    interrupt.restore()

    def stop() -> None:
        pool.close()
        spark.stop()
        server.stop()

    return Engine(
        spark, "sail", label.replace("{version}", pysail.__version__), local=True, stop=stop, processes=cores
    )


def sail_serves(pyspark_version: str) -> bool:
    """Sail 0.7 refuses every session when it finds pyspark 4.3 beside it (`session is not running`)."""
    major, minor = (int(part) for part in pyspark_version.split(".")[:2])
    return (major, minor) < (4, 3)
