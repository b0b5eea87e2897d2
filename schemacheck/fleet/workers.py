"""Processes that work side by side, where the engine runs Python in one process under one interpreter lock.

Each is `python -m schemacheck.fleet.workers`: it reads pickles from its standard input (the function, then batches as
Arrow streams) and writes each answer as it is made. Nothing of the caller's program is imported.
"""

from __future__ import annotations

import gc
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    import pyarrow as pa

    Batches = Callable[[Iterable["pa.RecordBatch"]], Iterator["pa.RecordBatch"]]

Answer = Callable[["pa.RecordBatch"], Iterable["pa.RecordBatch"]]


def spread(answer: Answer, count: int, errand: int) -> Batches:
    """A function over batches that answers each, `errand` rows at a time, in up to `count` processes.

    `answer` is pickled: a function of a module, or a `partial` of one. One errand alone is done here, since a process
    takes half a second to start.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        errands = (batch.slice(at, errand) for batch in batches for at in range(0, batch.num_rows, errand))
        first = [one for _, one in zip(range(2), errands, strict=False)]
        if count < 2 or len(first) < 2:
            for one in (*first, *errands):
                yield from answer(one)
            return
        with _Crew(answer, count) as crew:
            waiting: queue.SimpleQueue[Future[list[pa.RecordBatch]]] = queue.SimpleQueue()
            sent = 0
            for one in (*first, *errands):
                waiting.put(crew.send(one))
                sent += 1
                if sent > 4 * count:
                    yield from waiting.get().result()
                    sent -= 1
            for _ in range(sent):
                yield from waiting.get().result()

    return run


def arrow_schema(sql: str) -> pa.Schema:
    """The Arrow schema of flat columns as Spark SQL writes them: `origin int, db string`."""
    import pyarrow as pa

    kinds = {"int": pa.int32(), "bigint": pa.int64(), "string": pa.string(), "boolean": pa.bool_()}
    return pa.schema([(name, kinds[kind]) for name, kind in (part.split() for part in sql.split(", "))])


class _Crew:
    """The running processes, each with a thread that talks to it."""

    def __init__(self, answer: Answer, count: int) -> None:
        self._answer = answer
        self._local = threading.local()
        self._started: list[subprocess.Popen[bytes]] = []
        self._threads = ThreadPoolExecutor(count)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(cancel_futures=True)
        for process in self._started:
            process.communicate()

    def send(self, batch: pa.RecordBatch) -> Future[list[pa.RecordBatch]]:
        return self._threads.submit(self._ask, batch)

    def _ask(self, batch: pa.RecordBatch) -> list[pa.RecordBatch]:
        if not hasattr(self._local, "process"):
            self._local.process = self._start()
        process = self._local.process
        try:
            pickle.dump(_packed([batch]), process.stdin)
            process.stdin.flush()
            return _unpacked(pickle.load(process.stdout))  # noqa: S301 our own process
        except (OSError, EOFError) as error:
            message = f"a process that works for this run ended (exit status {process.wait(10)})"
            raise RuntimeError(message) from error

    def _start(self) -> subprocess.Popen[bytes]:
        import schemacheck

        # The package may lie in an archive, or in a folder that only the caller's sys.path knows.
        home = str(Path(schemacheck.__file__).parents[1])
        path = os.pathsep.join([home, *filter(None, [os.environ.get("PYTHONPATH")])])
        process = subprocess.Popen(
            [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}
        )  # fmt: skip
        self._started.append(process)
        assert process.stdin is not None
        pickle.dump(self._answer, process.stdin)
        return process


def _packed(batches: Sequence[pa.RecordBatch]) -> bytes:
    import pyarrow as pa

    if not batches:
        return b""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batches[0].schema) as stream:
        for batch in batches:
            stream.write_batch(batch)
    return bytes(sink.getvalue())


def _unpacked(data: bytes) -> list[pa.RecordBatch]:
    import pyarrow as pa

    if not data:
        return []
    with pa.ipc.open_stream(data) as stream:
        return list(stream)


def main() -> None:
    """Serve until the input ends."""
    # What is made here forms no cycles, and the collector would walk all of it again and again.
    gc.disable()
    # The pipe is for answers: whatever else is printed goes to standard error.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    answer: Answer = pickle.load(sys.stdin.buffer)  # noqa: S301 from our own parent
    while True:
        try:
            (batch,) = _unpacked(pickle.load(sys.stdin.buffer))  # noqa: S301 from our own parent
        except EOFError:
            return
        pickle.dump(_packed(list(answer(batch))), answers)
        answers.flush()


if __name__ == "__main__":
    main()
