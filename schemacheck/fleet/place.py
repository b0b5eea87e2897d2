"""Where a run's results go: a folder of this machine, or a URL of the engine's file systems."""

from __future__ import annotations

import itertools
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemacheck.dataclass import dataclass
from schemacheck.errors import InputError, UsageError
from schemacheck.fleet import columns, data_sets
from schemacheck.fleet.snapshots import is_url
from schemacheck.system import inner_file

if TYPE_CHECKING:
    import pyarrow.dataset as ds
    from pyspark.sql import DataFrame

    from schemacheck.fleet.columns import Column
    from schemacheck.fleet.session import Engine

#: Rows that are fetched together where workers cannot write to this machine.
_FETCHED = 20_000
_PLAIN = frozenset((stat.S_IFREG, stat.S_IFDIR))


@dataclass(frozen=True, slots=True)
class Place:
    """`root` is the folder's path or the URL."""

    engine: Engine
    root: str

    @property
    def here(self) -> Path | None:
        """The folder, where it is one of this machine."""
        return None if is_url(self.root) else Path(self.root).absolute()

    def _address(self, name: str) -> str:
        here = self.here
        if here is None:
            return f"{self.root.rstrip('/')}/{name}"
        # Whatever the engine's default file system is. (Sail takes what stands behind file:// as encoded.)
        return str(here / name) if self.engine.name == "sail" else f"file://{here / name}"

    def save(self, frame: DataFrame, name: str, partition: str = "") -> None:
        """Write a data set: by the engine's own committer, or, where its workers do not see this machine's
        disk, by fetching the rows.
        """
        here = self.here
        if here is not None:
            (here / name).mkdir(parents=True, exist_ok=True)
            if not self.engine.local:
                _fetched(frame, here / name)
                return
        writer = frame.write.mode("overwrite")
        if self.engine.name == "sail":
            # The level that it takes by itself costs a third more for as many bytes.
            writer = writer.option("compression", "zstd(1)")
        (writer.partitionBy(partition) if partition else writer).parquet(self._address(name))

    def dataset(self, name: str, kinds: tuple[Column, ...]) -> ds.Dataset | None:
        """Columns of a data set that was saved, to be read without the engine, which takes five times as long
        to hand rows over; None where it does not lie on this machine.
        """
        import pyarrow.dataset as ds

        from schemacheck.fleet.task import arrow_schema

        if self.here is None:
            return None
        return ds.dataset(self.here / name, arrow_schema(kinds), "parquet")

    def read(self, name: str, kinds: tuple[Column, ...]) -> DataFrame:
        """A data set that was saved; without any file it has no rows."""
        here = self.here
        if here is not None:
            plain(here / name)
            if not any((here / name).rglob("*.parquet")):
                return self.engine.spark.createDataFrame([], columns.ddl(kinds))
        reader = self.engine.spark.read.schema(columns.ddl(kinds))
        return reader.parquet(self._address(name))

    def kept(self, frame: DataFrame, name: str, kinds: tuple[Column, ...]) -> DataFrame:
        """The frame, worked out once."""
        if self.here is not None and not self.engine.local:
            frame = frame.persist()
            self.save(frame, name)
            return frame
        self.save(frame, name)
        return self.read(name, kinds)

    def write(self, name: str, text: str) -> None:
        """A file. Raises UsageError where this session cannot write one there, InputError where it fails."""
        here = self.here
        if here is not None:
            try:
                (here / name).parent.mkdir(parents=True, exist_ok=True)
                (here / name).write_text(text, "utf-8")
            except OSError as error:
                raise InputError(f"{here / name}: cannot be written: {error.strerror or error}") from None
            return
        self.can_write()
        context: Any = self.engine.spark.sparkContext
        path = context._jvm.org.apache.hadoop.fs.Path(self._address(name))  # noqa: SLF001 the only way
        system = path.getFileSystem(context._jsc.hadoopConfiguration())  # noqa: SLF001 the only way
        stream = system.create(path, True)  # noqa: FBT003 overwrite
        try:
            stream.write(bytearray(text, "utf-8"))
        finally:
            stream.close()

    def text(self, name: str) -> str | None:
        """A file's text, None where it is not there."""
        here = self.here
        if here is not None:
            return local_text(here, name)
        try:
            row = self.engine.spark.read.text(self._address(name), wholetext=True).first()
        except Exception as error:
            # Each engine has exceptions of its own for a path that is not there.
            if "PATH_NOT_FOUND" in str(error) or "not found" in str(error).lower():
                return None
            raise
        return None if row is None else str(row[0])

    def can_write(self) -> None:
        """Raises UsageError where files cannot be written there."""
        if is_url(self.root) and self.engine.name != "spark":
            raise UsageError(
                f"--out {self.root}: the page and the summary are written by Spark's driver, which "
                f"{self.engine.label} does not give; use --master or spark-submit, or a local folder"
            )


def local_text(folder: Path, name: str) -> str | None:
    """A file's text, None where it is not there, or no text."""
    try:
        with inner_file.opened(folder / name, folder) as stream:
            return stream.read().decode("utf-8")
    except (OSError, UnicodeError):
        return None


def plain(folder: Path) -> None:
    """Raises InputError for a folder of a run that is, or has in it, anything but files and folders."""
    below = itertools.chain((folder,), () if folder.is_symlink() else folder.rglob("*"))
    for path in filter(os.path.lexists, below):
        if stat.S_IFMT(path.lstat().st_mode) not in _PLAIN:
            raise InputError(f"{path}: a link, a pipe or a device is no part of a run")


def _fetched(frame: DataFrame, folder: Path) -> None:
    """The rows as Parquet files of this machine."""
    import pyarrow as pa

    rows = frame.toLocalIterator(prefetchPartitions=True)
    schema = frame.limit(0).toArrow().schema
    number = itertools.count()
    while some := [row.asDict(recursive=True) for row in itertools.islice(rows, _FETCHED)]:
        data_sets.write(pa.Table.from_pylist(some, schema=schema), folder, next(number))
