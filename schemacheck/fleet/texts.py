"""Definition texts by signature, as files beside the job's data sets: workers write and read them, the engine
moves signatures only.

One file per dump (`ORIGIN.parquet`), in a folder that every worker sees. A file appears whole, so that a task
that runs twice does no harm.
"""

from __future__ import annotations

import hashlib
import uuid
from collections import OrderedDict
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.fleet.definition import BROKEN

if TYPE_CHECKING:
    import pyarrow as pa

#: Texts that are kept in memory at most.
_KEPT = 50_000
#: What stands for a table of which two dumps tell different definitions.
TWICE = (
    "w"
    + BROKEN
    + "this instance was dumped more than once, and the dumps tell different definitions: give one of them"
)


def signature(text: str) -> str:
    """128 bits that stand for a definition, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def write(table: pa.Table, path: Path, *, plain: bool = False) -> None:
    """One Parquet file, which appears whole. `plain`: no value comes twice."""
    import pyarrow.parquet as pq

    path.parent.mkdir(parents=True, exist_ok=True)
    made = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    pq.write_table(
        table, made, compression="zstd", compression_level=1, use_dictionary=not plain, write_statistics=False
    )
    made.replace(path)


@lru_cache(maxsize=1)
def texts(folder: str) -> Texts:
    """The texts below a folder; a process that answers batch by batch remembers some of them."""
    return Texts(folder)


class Texts:
    """The texts below a folder, of which the last few dumps are remembered."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._dumps: OrderedDict[int, dict[str, str]] = OrderedDict()
        self._always = {signature(TWICE): TWICE}

    def write(self, origin: int, found: Mapping[str, str]) -> None:
        """Keep one dump's texts, by signature."""
        import pyarrow as pa

        table = pa.table(
            {"sig": pa.array(found, pa.string()), "definition": pa.array(found.values(), pa.string())}
        )
        write(table, self._folder / f"{origin}.parquet", plain=True)

    def get(self, origin: int, wanted: str) -> str:
        """The text of a signature that this dump has. Raises KeyError where it has none."""
        known = self._dumps.get(origin)
        if known is None or wanted not in known:
            # (Also where an earlier run of this process had another dump of this number in a folder of this
            # name.)
            known = self._dumps[origin] = self._read(origin)
            while sum(map(len, self._dumps.values())) > _KEPT and len(self._dumps) > 2:
                self._dumps.popitem(last=False)
        else:
            self._dumps.move_to_end(origin)
        return known[wanted] if wanted in known else self._always[wanted]

    def _read(self, origin: int) -> dict[str, str]:
        import pyarrow.parquet as pq

        path = self._folder / f"{origin}.parquet"
        found = pq.ParquetFile(path).read(use_threads=False) if path.is_file() else None
        return (
            dict(zip(found.column("sig").to_pylist(), found.column("definition").to_pylist(), strict=True))
            if found
            else {}
        )

    def all(self, wanted: pa.Array) -> pa.Array:
        """The texts of these signatures, of any dump (large_string: together they may pass 2 GiB). Raises
        KeyError where one is missing.
        """
        import pyarrow as pa
        import pyarrow.compute as pc
        import pyarrow.dataset as ds

        files = sorted(str(path) for path in self._folder.glob("*.parquet"))
        always = pa.table(
            {
                "sig": pa.array(self._always, pa.string()),
                "definition": pa.array(self._always.values(), pa.string()),
            }
        )
        dumped = (
            [ds.dataset(files, format="parquet").to_table(filter=ds.field("sig").isin(wanted))]
            if files
            else []
        )
        found = pa.concat_tables([always, *dumped])
        places = pc.index_in(wanted, found.column("sig"))
        if places.null_count:
            raise KeyError(wanted.filter(pc.is_null(places))[0].as_py())
        return found.column("definition").cast(pa.large_string()).take(places).combine_chunks()
