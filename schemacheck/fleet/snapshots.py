"""Where the snapshots lie: which file holds which view of which instance."""

from __future__ import annotations

import glob
import gzip
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from schemacheck.errors import InputError, UsageError
from schemacheck.fleet.definition import BY_NAME
from schemacheck.fleet.topology import Topology

#: `db1.columns.batch.tsv.gz`, `columns.tsv`, `columns.parquet`: the instance (else the folder names it), the
#: view, the kind of file.
_NAME = re.compile(
    r"(?:(?P<instance>.+)\.)?(?P<view>"
    + "|".join(BY_NAME)
    + r")(?:\.batch)?(?:\.(?P<kind>tsv|parquet)(?:\.gz)?)?\Z",
    re.IGNORECASE,
)
_PART = re.compile(r"part-[^/]*\.parquet\Z")
_ABOUT_SERVER = re.compile(r"(?:.+\.)?(variables|filters|replica_status|my)\.[\w.]+\Z", re.IGNORECASE)
#: Files that other formats are read from, by their endings (`schemacheck.inputs` decides what they are).
_OTHER = re.compile(r"\.(sql|xml|jsonl?|ndjson|csv|txt|tsv)(\.(gz|zst))?\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class File:
    """One file of a native view: `heading` is the TSV heading, upper case, () for Parquet."""

    path: str
    view: str
    heading: tuple[str, ...] = ()
    size: int = 0


@dataclass(slots=True)
class Dump:
    """What was dumped of one instance in one go. `native` files are read by rows.py, `other` by
    `schemacheck.inputs`; `unused` are of other formats beside native ones, which tell the same.
    """

    origin: int
    instance: str
    place: str
    native: list[File] = field(default_factory=list)
    other: list[str] = field(default_factory=list)
    about: list[str] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Bytes of the native files."""
        return sum(file.size for file in self.native)


def is_url(place: str) -> bool:
    """Whether a place is for the engine's file systems (s3a://, hdfs://, gs://, file://) and not a local
    path.
    """
    return re.match(r"[a-z][a-z0-9+.-]*://", place) is not None


def find(topology: Topology, given: Iterable[str]) -> list[Dump]:
    """All local dumps of the fleet: below the places given (else the topology's), and where an instance names
    its own.

    Raises UsageError for a place that is not there, InputError for a file that cannot be opened.
    """
    found: dict[tuple[str, str], Dump] = {}
    for place in [p for p in (list(given) or list(topology.snapshots)) if not is_url(p)]:
        for root in _roots(place, topology.folder):
            for path in _files(root):
                _add(found, path, root, None)
    for instance in topology.instances.values():
        if instance.snapshot and not is_url(instance.snapshot):
            for root in _roots(instance.snapshot, topology.folder):
                for path in _files(root):
                    _add(found, path, root, instance.name)
    dumps = [dump for dump in found.values() if dump.native or dump.other]
    for number, dump in enumerate(sorted(dumps, key=lambda d: (d.instance, d.place))):
        dump.origin = number
        if any(file.view == "columns" for file in dump.native):
            dump.unused, dump.other = dump.other, []
        else:
            dump.other += [file.path for file in dump.native]
            dump.native.clear()
    about = {(d.instance, d.place): d.about for d in found.values()}
    for dump in dumps:
        dump.about = sorted({*dump.about, *about.get((dump.instance, dump.place), ())})
    return sorted(dumps, key=lambda d: d.origin)


def _roots(place: str, folder: Path) -> Iterator[Path]:
    """A path, or every path that a glob matches; relative ones from the working folder, else from the
    topology's.
    """
    if any(c in place for c in "*?["):
        # a whole path is the pattern
        matches = sorted(glob.glob(place)) or sorted(glob.glob(str(folder / place)))  # noqa: PTH207
        if not matches:
            message = f"{place}: no snapshot matches"
            raise UsageError(message)
        yield from map(Path, matches)
        return
    for path in (folder / place, Path(place)):
        if path.exists():
            yield path
            return
    message = f"{place}: no such snapshot folder or file (looked in {folder.resolve()} and {Path.cwd()})"
    raise UsageError(message)


def _files(root: Path) -> Iterator[Path]:
    if root.is_file():
        yield root
        return
    for path in sorted(root.rglob("*")):
        if path.is_file() and not path.name.startswith((".", "_")):
            yield path


def _add(found: dict[tuple[str, str], Dump], path: Path, root: Path, instance: str | None) -> None:
    """Put a file where it belongs."""
    name, folder = path.name, path.parent
    if _PART.match(name) and (match := _NAME.match(folder.name)):
        # A data set that Spark wrote: a folder of parts stands for the file.
        owner = instance or match["instance"] or _owner(folder.parent)
        _dump(found, owner, folder.parent).native.append(
            File(str(path), match["view"].lower(), size=path.stat().st_size)
        )
        return
    match = _NAME.match(name)
    about = _ABOUT_SERVER.match(name)
    if match and match["kind"] and _native(path, match["kind"].lower()):
        view = match["view"].lower()
        owner = instance or match["instance"] or (_owner(folder) if path != root else path.stem)
        heading = () if match["kind"].lower() == "parquet" else heading_of(path)
        _dump(found, owner, folder).native.append(File(str(path), view, heading, path.stat().st_size))
    elif about:
        prefix = (
            name[: -len(name.split(".", name.count(".") - 1)[-1])].rstrip(".")
            if name.count(".") > 1 and not name.lower().startswith(about[1].lower())
            else ""
        )
        _dump(found, instance or prefix or _owner(folder), folder).about.append(str(path))
    elif _OTHER.search(name) and name.lower().rpartition(".")[0] != "fleet":
        owner = instance or (_owner(folder) if path != root else path.name.split(".")[0])
        _dump(found, owner, folder).other.append(str(path))


def _owner(folder: Path) -> str:
    """The instance that a folder stands for: its name, or the value of `instance=NAME`."""
    return unquote(folder.name.partition("=")[2]) if folder.name.startswith("instance=") else folder.name


def _dump(found: dict[tuple[str, str], Dump], instance: str, folder: Path) -> Dump:
    key = (instance, str(folder))
    if key not in found:
        found[key] = Dump(-1, instance, str(folder))
    return found[key]


def _native(path: Path, kind: str) -> bool:
    """Parquet, or a tab-separated file with a heading: what the engine reads itself."""
    return kind == "parquet" or bool(heading_of(path))


def heading_of(path: Path) -> tuple[str, ...]:
    """The upper-case heading of a tab-separated dump, () where the first line is none."""
    try:
        with gzip.open(path, "rb") if path.name.endswith(".gz") else path.open("rb") as stream:
            line = stream.readline(65_536)
    except OSError as error:
        message = f"{path}: {error.strerror or error}"
        raise InputError(message) from None
    return heading(line.decode("utf-8-sig", "replace"))


def heading(line: str) -> tuple[str, ...]:
    """The names in a heading line, () where it is a row."""
    names = tuple(name.strip().upper() for name in line.rstrip("\r\n").split("\t"))
    return names if "TABLE_NAME" in names or "CONSTRAINT_NAME" in names else ()
