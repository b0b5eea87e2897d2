"""Processes that work side by side, where the engine runs Python in one process under one interpreter lock.

Each is an isolated interpreter (see `child`) that runs `main`: it reads frames from its standard input (the
name of a function of `task`, then a batch as an Arrow stream) and writes each answer as it is made, an Arrow
stream too. Nothing of the caller's program is imported, and nothing that arrives can be code.
"""

from __future__ import annotations

import contextlib
import gc
import os
import queue
import signal
import struct
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import MetaPathFinder
from typing import IO, TYPE_CHECKING, TypeVar

from schemacheck.fleet import timings
from schemacheck.system import child, interrupt, leftovers

if TYPE_CHECKING:
    import pyarrow as pa

    Batches = Callable[[Iterable["pa.RecordBatch"]], Iterator["pa.RecordBatch"]]

T = TypeVar("T")
U = TypeVar("U")
Answer = Callable[["pa.RecordBatch"], Iterable["pa.RecordBatch"]]
#: Bytes that a pipe holds: an answer waits there, and not its process.
_PIPE = 1 << 20


def spread(answer: Answer, count: int) -> Batches:
    """A function over batches that answers each of their rows, in up to `count` processes, of which this is
    one: all here, where no pool is open. `answer` is a function of `task`.
    """

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows = (batch.slice(at, 1) for batch in batches for at in range(batch.num_rows))
        pool = WorkerPool.opened
        if count < 2 or pool is None:
            for row in rows:
                yield from answer(row)
            return
        waiting: deque[Future[list[pa.RecordBatch]]] = deque()
        for row in rows:
            # (Another thread may be here with a part of its own.)
            if len(waiting) < 2 * count - 2 or not pool.here.acquire(blocking=False):
                waiting.append(pool.send(answer, row))
            else:
                try:
                    made = list(answer(row))
                finally:
                    pool.here.release()
                yield from made
            while waiting and (waiting[0].done() or len(waiting) > 4 * count):
                yield from waiting.popleft().result()
        for future in waiting:
            yield from future.result()

    return run


def whole(answer: Answer) -> Callable[[pa.Table], pa.Table]:
    """A function over tables that answers each, in one of the processes that are open, if any are."""

    def run(table: pa.Table) -> pa.Table:
        import pyarrow as pa

        (batch,) = table.combine_chunks().to_batches()
        pool = WorkerPool.opened
        return pa.Table.from_batches(answer(batch) if pool is None else pool.send(answer, batch).result())

    return run


class WorkerPool:
    """Running processes, for all stages. What one has read and decided it remembers until it is closed."""

    #: The pool that every stage of this run works with.
    opened: WorkerPool | None = None
    #: CPU seconds of the processes of the last one that was closed.
    spent: float | None = None

    def __init__(self, count: int) -> None:
        #: Held by who works in this process: two at once would wait for each other.
        self.here = threading.Lock()
        #: They load what they need while the caller does something else.
        self._started = [_Worker() for _ in range(count)]
        if count:
            WorkerPool.opened = self

    def close(self) -> None:
        """End all processes, if there are any left."""
        if WorkerPool.opened is self:
            WorkerPool.opened = None
            WorkerPool.spent = timings.cpu([worker.process.pid for worker in self._started])
        while self._started:
            self._started.pop().close()

    def send(self, answer: Answer, batch: pa.RecordBatch) -> Future[list[pa.RecordBatch]]:
        """The future answer to a batch."""
        return min(self._started, key=lambda worker: len(worker.waiting)).send(answer, batch)


class _Worker:
    """A process, which is sent the next batch while it is at one, and a thread that takes its answers."""

    def __init__(self) -> None:
        command = child.command(__name__)
        with interrupt.held():
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pipesize=_PIPE
            )
            leftovers.started(self.process)
        self.waiting: deque[Future[list[pa.RecordBatch]]] = deque()
        self._sending = threading.Lock()
        self._thread = threading.Thread(target=self._take, daemon=True)
        self._thread.start()

    def send(self, answer: Answer, batch: pa.RecordBatch) -> Future[list[pa.RecordBatch]]:
        future: Future[list[pa.RecordBatch]] = Future()
        stream = self.process.stdin
        assert stream is not None
        with self._sending:
            self.waiting.append(future)
            try:
                _send(stream, answer.__name__.encode())
                _send(stream, _packed([batch]))
                stream.flush()
            except OSError:
                self._fail()
        return future

    def _take(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        with contextlib.suppress(OSError, EOFError):
            while True:
                made = _unpacked(_receive(stream))
                self.waiting.popleft().set_result(made)
        self._fail()

    def _fail(self) -> None:
        """Nobody answers any more."""
        with contextlib.suppress(IndexError):
            while True:
                future, status = self.waiting.popleft(), self.process.wait(10)
                text = f"a process that works for this run ended (exit status {status})"
                future.set_exception(RuntimeError(text))

    def close(self) -> None:
        with self.process:
            assert self.process.stdin is not None
            with contextlib.suppress(OSError):
                self.process.stdin.close()
            self._thread.join()
        leftovers.finished(self.process)


def _send(stream: IO[bytes], data: bytes) -> None:
    """One frame: eight bytes of length, then as many."""
    stream.write(struct.pack(">Q", len(data)))
    stream.write(data)


def _receive(stream: IO[bytes]) -> bytes:
    """The next frame. Raises EOFError where there is none."""
    head = stream.read(8)
    if len(head) < 8:
        raise EOFError
    (length,) = struct.unpack(">Q", head)
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return data


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
    # An interrupt reaches the caller too, which then closes our input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The pipe is for answers: whatever else is printed goes to standard error.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.meta_path.insert(0, _NoPandas())
    for module in ("pyarrow.compute", "schemacheck.engine"):
        import_module(module)  # every batch needs them
    task, given = import_module("schemacheck.fleet.task"), _asked()
    while True:
        name, data = given.get()
        answer: Answer = getattr(task, name.decode())
        (batch,) = _unpacked(data)
        made = _packed(list(answer(batch)))
        try:
            _send(answers, made)
            answers.flush()
        except BrokenPipeError:
            os._exit(1)


def _asked() -> queue.SimpleQueue[tuple[bytes, bytes]]:
    """What comes from the process that started this one, read beside the work: when that one is gone, work
    ends too.
    """
    simple_queue: queue.SimpleQueue[tuple[bytes, bytes]] = queue.SimpleQueue()

    def read() -> None:
        stream = os.fdopen(0, "rb", closefd=False)
        try:
            while True:
                simple_queue.put((_receive(stream), _receive(stream)))
        except (EOFError, OSError):
            # Nothing is left to do, and taking all that was remembered apart takes a second.
            os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    return simple_queue


def ahead(function: Callable[[T], U], items: Iterable[T], threads: int) -> Iterator[U]:
    """The function's results, in order, which threads work out before they are asked for."""
    pool, waiting = ThreadPoolExecutor(threads), deque[Future[U]]()
    try:
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) > threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def without_pandas() -> Iterator[None]:
    """Arrow would load pandas (half a second) to see whether the first list that it is given is of it."""
    finder = _NoPandas()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _NoPandas(MetaPathFinder):
    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        if name == "pandas":
            raise ImportError(name)
