"""Where the snapshots lie: which file holds which view of which instance."""

from __future__ import annotations

import glob
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from schemacheck.dataclass import dataclass, field, replace
from schemacheck.errors import UsageError
from schemacheck.fleet.definition import BY_NAME
from schemacheck.fleet.topology import Topology
from schemacheck.inputs import program_rows
from schemacheck.model.quantity import plural

#: `db1.columns.batch.tsv.gz`, `columns.tsv`, `columns.parquet`: the instance (else the folder names it), the
#: view, the kind of file.
_NAME = re.compile(
    r"(?:(?P<instance>.+)\.)?(?P<view>"
    + "|".join(BY_NAME)
    + r")(?:\.batch)?(?:\.(?P<kind>tsv|parquet)(?:\.gz)?)?\Z",
    re.IGNORECASE,
)
#: The same with any ending.
_ANY_VIEW = re.compile(
    r"(?:(?P<instance>.+)\.)?(?:" + "|".join(BY_NAME) + r")(?:\.[\w.-]*)?\Z", re.IGNORECASE
)
_PART = re.compile(r"part-[^/]*\.parquet\Z")
_ABOUT_SERVER = re.compile(r"(?:.+\.)?(variables|filters|replica_status|my)\.[\w.]+\Z", re.IGNORECASE)
#: Files that other formats are read from, by their endings (`schemacheck.inputs` decides what they are).
_OTHER = re.compile(r"\.(sql|xml|jsonl?|ndjson|csv|txt|tsv)(\.(gz|zst))?\Z", re.IGNORECASE)

_SNAPSHOT = re.compile(r"\.(jsonl?|ndjson)(\.(gz|zst))?\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class File:
    """One file of a native view. `size` is -1 of what cannot be opened; `data` are its bytes where they came
    with it, else `path` is opened; `remote`: the engine's file systems know it under this path.
    """

    path: str
    view: str
    size: int = 0
    data: bytes | None = None
    remote: bool = False


@dataclass(slots=True)
class Dump:
    """What was dumped of one instance in one go. `native` files are rows of a view by their names, `other`
    are read by `schemacheck.inputs`, and then native ones are, too; `about`
    tells of the server, and `texts` are the bytes of those among it that lie behind a URL; `unknown` are
    files that nobody here reads, `lost` what cannot be opened: its place, and why.
    """

    origin: int
    instance: str
    place: str
    native: list[File] = field(default_factory=list)
    other: list[File] = field(default_factory=list)
    about: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    lost: list[tuple[str, str]] = field(default_factory=list)
    texts: dict[str, bytes] = field(default_factory=dict)

    @property
    def files(self) -> list[File]:
        """All files but those about the server."""
        return [*self.native, *self.other]

    @property
    def telling(self) -> list[str]:
        """The files that tell of the server: those about it, and snapshots, which hold its settings."""
        return [*self.about, *(file.path for file in self.other if is_snapshot(file.path))]

    @property
    def size(self) -> int:
        """Bytes of the files."""
        return sum(file.size for file in self.files)


#: The files below a URL: their paths and sizes.
Listing = Callable[[str], Iterable[tuple[str, int]]]


def is_url(place: str) -> bool:
    """Whether a place is for the engine's file systems (s3a://, hdfs://, gs://, file://) and not a local
    path.
    """
    return re.match(r"[a-z][a-z0-9+.-]*:/", place) is not None


def find(topology: Topology, given: Iterable[str], listing: Listing | None = None) -> list[Dump]:
    """All dumps of the fleet: below the places given (else the topology's), and where an instance names its
    own. `listing` tells what is below a URL; without it, places behind URLs are left out.

    Raises UsageError for a place that is not there. What is not there of one instance, or is no file, hides
    the tables of that instance.
    """
    result: dict[tuple[str, str], Dump] = {}
    by_name = topology.instances
    for place in list(given) or list(topology.snapshots):
        for file, root in _below(place, topology.folder, listing):
            _add(result, file, None, by_name, root=root)
    for instance in topology.instances.values():
        if instance.snapshot:
            try:
                for file, root in _below(instance.snapshot, topology.folder, listing):
                    _add(result, file, instance.name, by_name, root=root)
            except UsageError as error:
                _dump(result, instance.name, PurePosixPath(instance.snapshot)).lost.append(("", str(error)))
    listed = (
        dump for dump in result.values() if dump.files or dump.lost or any(map(names_view, dump.unknown))
    )
    dumps = sorted(listed, key=lambda d: (d.instance, d.place))
    for number, dump in enumerate(dumps):
        dump.origin = number
        dump.about.sort()
        dump.unknown.sort()
    return dumps


def _below(place: str, folder: Path, listing: Listing | None) -> Iterator[tuple[File, bool]]:
    """The files of a place, and whether the file is the place itself."""
    if is_url(place):
        for name, size in sorted(listing(place)) if listing else ():
            file = File(name, "", size=size, remote=True)
            yield file, PurePosixPath(name).name == PurePosixPath(place).name
        return
    for root in _roots(place, folder):
        for path in [root] if root.is_file() else sorted(root.rglob("*")):
            if path.is_file():
                yield File(str(path), "", size=path.stat().st_size), path == root
            elif names_view(path.name) and not path.is_dir():
                yield File(str(path), "", size=-1), path == root


def _roots(place: str, folder: Path) -> Iterator[Path]:
    """A path, or every path that a glob matches; relative ones from the working folder, else from the
    topology's.
    """
    if any(c in place for c in "*?["):
        # a whole path is the pattern
        matches = sorted(glob.glob(place)) or sorted(glob.glob(str(folder / place)))  # noqa: PTH207
        if not matches:
            raise UsageError(f"{place}: no snapshot matches")
        yield from map(Path, matches)
        return
    for path in (folder / place, Path(place)):
        if path.exists():
            yield path
            return
    raise UsageError(
        f"{place}: no such snapshot folder or file (looked in {folder.resolve()} and {Path.cwd()})"
    )


def _add(
    result: dict[tuple[str, str], Dump],
    file: File,
    instance: str | None,
    current: Collection[str],
    *,
    root: bool,
) -> None:
    """Put a file where it belongs; `known` are the instances of the topology."""
    path = PurePosixPath(file.path)
    name, folder = path.name, path.parent
    if name.startswith((".", "_")):
        return
    if file.size < 0:
        view = _ANY_VIEW.match(name)
        owner = instance or (view and view["instance"]) or _owner(folder)
        why = f"{file.path}: neither a file nor a folder, so its rows cannot be read"
        _dump(result, owner, folder).lost.append((file.path, why))
        return
    if _PART.match(name) and (match := _NAME.match(folder.name)):
        # A data set that Spark wrote: a folder of parts stands for the file.
        owner = instance or match["instance"] or _owner(folder.parent)
        _dump(result, owner, folder.parent).native.append(replace(file, view=match["view"].lower()))
        return
    match = _NAME.match(name)
    about = _ABOUT_SERVER.match(name)
    if match and match["kind"]:
        owner = instance or match["instance"] or (path.stem if root else _owner(folder))
        _dump(result, owner, folder).native.append(replace(file, view=match["view"].lower()))
    elif about:
        prefix = (
            name[: -len(name.split(".", name.count(".") - 1)[-1])].rstrip(".")
            if name.count(".") > 1 and not name.lower().startswith(about[1].lower())
            else ""
        )
        _dump(result, instance or prefix or _owner(folder), folder).about.append(file.path)
    elif _OTHER.search(name) and name.lower().rpartition(".")[0] != "fleet":
        view = _ANY_VIEW.match(name)
        named = _server_of(name, current) or (view and view["instance"])
        owner = instance or named or (name.split(".")[0] if root and not view else _owner(folder))
        _dump(result, owner, folder).other.append(file)
    else:
        view = _ANY_VIEW.match(name)
        owner = instance or (view["instance"] if view else "") or _owner(folder)
        _dump(result, owner, folder).unknown.append(file.path)


def _server_of(name: str, current: Collection[str]) -> str:
    """The instance after which `schemacheck snapshot --directory` named a file (`db1-3306.jsonl.gz`, with or
    without the port in the instance's name); '' where it is no snapshot, or none of the topology's.
    """
    if not is_snapshot(name):
        return ""
    stem = _SNAPSHOT.sub("", name)
    return next((text for text in (stem, re.sub(r"-[0-9]+\Z", "", stem)) if text in current), "")


def _owner(folder: PurePosixPath) -> str:
    """The instance that a folder stands for: its name, or the value of `instance=NAME`."""
    return unquote(folder.name.partition("=")[2]) if folder.name.startswith("instance=") else folder.name


def _dump(result: dict[tuple[str, str], Dump], instance: str, folder: PurePosixPath) -> Dump:
    key = (instance, str(folder))
    if key not in result:
        result[key] = Dump(-1, instance, str(folder))
    return result[key]


def not_looked_at(dumps: Iterable[Dump]) -> list[str]:
    """What rows of information_schema, as they are read here, do not tell of instances: sentences."""
    result: dict[tuple[str, ...], set[str]] = {}
    for dump in dumps:
        views = {file.view.upper() for file in dump.native}
        if "COLUMNS" in views:
            words = tuple(program_rows.unseen(views).values())
            result.setdefault(words, set()).add(dump.instance)
    return [
        f"{program_rows.listed(words)} were not looked at on {plural(len(names), 'instance')}, of which "
        "there are only rows of tables, columns and keys; `schemacheck snapshot` takes all of them"
        for words, names in sorted(result.items())
    ]


def names_view(path: str) -> bool:
    """Whether a file's name begins as that of a view's rows does, whatever its end."""
    return _ANY_VIEW.match(PurePosixPath(path).name) is not None


def is_snapshot(path: str) -> bool:
    """Whether a file may be one that `schemacheck snapshot` writes, by its name."""
    return _SNAPSHOT.search(PurePosixPath(path).name) is not None


def about_variables(path: str) -> bool:
    """Whether a file about a server holds its variables, by its name."""
    match = _ABOUT_SERVER.match(PurePosixPath(path).name)
    return match is not None and match[1].lower() == "variables"
