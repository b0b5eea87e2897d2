"""Snapshots behind a URL (s3a://, hdfs://, gs://, file://), brought beside the job by the engine's own file
systems.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote

from schemacheck.errors import InputError

if TYPE_CHECKING:
    from schemacheck.fleet.session import Engine


def fetch(engine: Engine, url: str, folder: Path) -> Path:
    """Copy every file below `url` into `folder`, keeping the last folders of its path; the folder that stands
    for the URL.

    File by file, through the driver: dumps of information_schema are small beside what they describe.
    Raises InputError where nothing is there.
    """
    frame = (
        engine.spark.read.format("binaryFile")
        .option("recursiveFileLookup", "true")
        .load(url)
        .select("path", "content")
    )
    base = _depth(url)
    count = 0
    for row in frame.toLocalIterator():
        parts = [
            part
            for part in PurePosixPath(
                unquote(row["path"].partition("://")[2] or row["path"].partition(":")[2] or row["path"])
            ).parts
            if part != "/"
        ]
        target = folder.joinpath(*parts[max(0, min(base, len(parts) - 2)) :])
        if ".." in parts:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(bytes(row["content"]))
        count += 1
    if not count:
        message = f"{url}: the engine finds no file there"
        raise InputError(message)
    return folder


def _depth(url: str) -> int:
    """How many folders of a path the URL itself names, up to its first wildcard."""
    parts = [part for part in PurePosixPath(url.partition("://")[2]).parts if part != "/"]
    return next((n for n, part in enumerate(parts) if any(c in part for c in "*?[{")), len(parts))
