"""Files as they are at a commit; nothing that the checkout names is run."""

from __future__ import annotations

import os
import posixpath
from pathlib import Path

from schemacheck.dataclass import dataclass
from schemacheck.errors import InputError, UsageError
from schemacheck.system import child

#: A folder of the checkout can look like a bare repository with settings of its own, which name programs to
#: run.
_CAREFUL = (
    "-c",
    "safe.bareRepository=explicit",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.warnAmbiguousRefs=true",
)
#: Variables by which git takes another repository, index, history or reading of paths than that of the folder
#: in which it runs: a hook of another repository sets them. (`git rev-parse --local-env-vars`, without those
#: of the configuration.)
_ELSEWHERE = frozenset((
    "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_GRAFT_FILE", "GIT_IMPLICIT_WORK_TREE", "GIT_NAMESPACE",
    "GIT_REPLACE_REF_BASE", "GIT_PREFIX", "GIT_SHALLOW_FILE", "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
))  # fmt: skip
#: What a name of a file begins with that lies in git: `git:REF:PATH`.
PREFIX = "git:"
#: The largest file of settings: a baseline of a hundred thousand findings is smaller.
_MOST_BYTES = 64 << 20
#: How many links a path may lead over, as Linux has it.
_MOST_LINKS = 40


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: the root of its work tree (resolved), the name that was given for it, its object id."""

    top: Path
    ref: str
    oid: str

    def files(self, inside: str) -> list[tuple[str, bytes]]:
        """(name, content) of files at or below a path, without links and submodules. Raises UsageError."""
        return self._of_kind(inside, "100")

    def links(self, inside: str) -> list[tuple[str, bytes]]:
        """(name, where it leads) of all symbolic links at or below a path. Raises UsageError as `files`."""
        return self._of_kind(inside, "120")

    def submodules(self, inside: str) -> list[str]:
        """The names of all submodules at or below a path: the commit has none of their files."""
        return [name for name, about in self._entries(inside) if about.startswith("160")]

    def missing_submodules(self, inside: str) -> list[str]:
        """The submodules of the work tree at or below a path that are not checked out: empty folders."""
        listed = _index(self.top, inside)
        return [text for _, kind, text in listed if kind == "160" and not any((self.top / text).glob("*"))]

    def moved(self, inside: str) -> list[tuple[str, str]]:
        """(name in the commit, name in the index) of files that came from elsewhere to a path."""
        listed = _git(self.top, "diff-index", "--cached", "-M", "--diff-filter=R", "--name-status", "-z",
                      self.oid, why=self._lacking())  # fmt: skip
        names = os.fsdecode(listed).split("\0")
        pairs = zip(names[1::3], names[2::3], strict=False)
        root = "" if inside == "." else f"{inside}/"
        return [
            (was, name) for was, name in pairs
            if f"{name}/".startswith(root) and not f"{was}/".startswith(root)
        ]  # fmt: skip

    def changed(self) -> list[str]:
        """The names of files that git follows and that may be others than in the commit."""
        listed = _git(
            self.top, "diff-index", "--name-only", "--no-ext-diff", "-z", self.oid, why=self._lacking()
        )
        return [name for name in os.fsdecode(listed).split("\0") if name]

    def followed(self, path: Path) -> Path:
        """A path of the work tree without links. Raises UsageError where a link of the work tree is none of
        the commit, or leads elsewhere there: the commit has other files under this name.
        """
        full = Path(os.path.abspath(path))  # noqa: PTH100 links are looked at one by one
        for _ in range(_MOST_LINKS):
            link = next((path for path in (*reversed(full.parents), full) if self._linked(path)), None)
            if link is None:
                return full.resolve()
            name = (link.parent.resolve() / link.name).relative_to(self.top).as_posix()
            target = link.readlink()
            if Path(os.fsdecode(dict(self.links(name)).get(name, b""))) != target:
                raise UsageError(
                    f"--against: {path} leads over the symbolic link {name}, which the commit {self.ref!r} "
                    "does not have so: name the path that both have"
                )
            full = Path(os.path.abspath(link.parent.resolve() / target / full.relative_to(link)))  # noqa: PTH100
        raise UsageError(f"--against: {path} leads over too many symbolic links")

    def _linked(self, place: Path) -> bool:
        return place.is_symlink() and place.parent.resolve().is_relative_to(self.top)

    def _of_kind(self, inside: str, mode: str) -> list[tuple[str, bytes]]:
        wanted = [(name, about.split()[2]) for name, about in self._entries(inside) if about.startswith(mode)]
        for name, _ in wanted:
            # git itself checks out no such tree, but stores it.
            if not set(name.split("/")).isdisjoint(("", ".", "..", ".git")):
                raise UsageError(
                    f"{self.ref}: the commit holds the path {name!r}, which leads out of its folder"
                )
        if not wanted:
            return []
        oids = "".join(f"{oid}\n" for _, oid in wanted).encode()
        packed = _git(self.top, "cat-file", "--batch", why=self._lacking(), given=oids)
        out, at = [], 0
        for name, _ in wanted:
            end = packed.index(b"\n", at)
            chunks = packed[at:end].split()
            if chunks[-1] == b"missing":
                raise InputError(f"{name}: this clone lacks it: {self._lacking()}")
            size = int(chunks[2])
            out.append((name, packed[end + 1 : end + 1 + size]))
            at = end + size + 2
        return out

    def _lacking(self) -> str:
        # Without --no-filter a partial clone leaves out the same files again.
        get = f"git fetch --refetch --no-filter origin {self.oid}"
        return f"{self.ref}: its files cannot be read; in a partial or damaged clone get them with `{get}`"

    def _entries(self, inside: str) -> list[tuple[str, str]]:
        """(name, mode and kind and object) of everything at or below a path."""
        listed = _git(self.top, "ls-tree", "-r", "-z", self.oid, "--", inside, why=self._lacking())
        lines = [line.partition("\t") for line in os.fsdecode(listed).split("\0") if line]
        return [(name, about) for about, _, name in lines]

    def file(self, path: str) -> bytes | None:
        """The content of one file, by its path from the root; None where the commit has no such file."""
        return dict(self.files(path)).get(path)

    def inside(self, path: Path) -> str | None:
        """A path of the work tree as the commit names it; None for what lies elsewhere."""
        full = Path(os.path.abspath(path))  # noqa: PTH100 links stay what they are
        for item in (full, full.resolve()):
            if item.is_relative_to(self.top):
                return item.relative_to(self.top).as_posix()
        return None


def _index(where: Path, inside: str) -> list[tuple[str, str, str]]:
    """(tag, kind of file, name from `where`) of the index's entries at or below a path."""
    listed = _git(where, "ls-files", "-s", "-t", "-z", "--", inside, why="git ls-files")
    lines = [text.split("\t", 1) for text in os.fsdecode(listed).split("\0") if text]
    return [(about[:1], about[2:5], name) for about, name in lines]


def is_sparse(folder: Path) -> bool:
    """Whether the work tree of a folder may leave out files of its commit (`git sparse-checkout`)."""
    for path in (folder, *folder.resolve().parents):
        place = path / ".git"
        try:
            if place.is_file():
                # A further work tree, or a submodule: the file names the repository.
                data = place.read_bytes()[:4096].partition(b"gitdir:")[2].strip()
                place = path / os.fsdecode(data.partition(b"\n")[0].replace(b"\0", b""))
                if not place.exists():
                    # The work tree alone was copied or mounted.
                    return True
            if place.exists():
                return (place / "info" / "sparse-checkout").exists()
        except OSError:
            # Not readable, or too long a name.
            return True
    return False


def tracked(folder: Path) -> tuple[str, ...] | str:
    """The files at or below a folder that git follows; the reason where git cannot say."""
    if not any((parent / ".git").exists() for parent in folder.resolve().parents):
        return ()
    try:
        return tuple(name for _, _, name in _index(folder.parent, folder.name))
    except (InputError, UsageError) as error:
        return " ".join(str(error).split())


def not_checked_out(folder: Path) -> tuple[list[Path], list[Path]] | str:
    """(submodules, sparse files) below a folder that are not on disk; or why git cannot say."""
    if not any((path / ".git").exists() for path in (folder, *folder.resolve().parents)):
        return [], []
    try:
        listed = _index(folder, ".")
    except (InputError, UsageError) as error:
        return " ".join(str(error).split())
    sparse = [folder / name for tag, _, name in listed if tag == "S"]
    return [folder / name for _, kind, name in listed if kind == "160"], sparse


def commit(ref: str, near: Path, what: str) -> Commit:
    """The commit that a name means in the repository at or above `near`. Raises UsageError, with `what`, for
    an unknown name, an option's, or one of a branch and a tag.
    """
    if not ref or ref.startswith("-"):
        raise UsageError(f"{what}: {ref!r} is not a git ref")
    start = next(p for p in (near if near.is_dir() else near.parent, *near.parents) if p.is_dir())
    shown = _git(start, "rev-parse", "--show-toplevel", why=f"{what} needs a git repository")
    top = Path(shown.decode("utf-8", "surrogateescape").removesuffix("\n")).resolve()
    here = Path.cwd().resolve()
    if (top / ".git").is_file() and here != top and top.is_relative_to(here):
        above = _git(top, "rev-parse", "--show-superproject-working-tree", why=what)
        if above.strip():
            raise UsageError(f"{what}: {top} is a submodule, whose commits are others: run this in it")
    if not start.resolve().is_relative_to(top):
        raise UsageError(f"{what}: git takes {top} for the work tree of {start}, which is not in it")
    data = _git(
        top, "rev-parse", "--verify", "--end-of-options", f"{ref}^{{commit}}",
        why=f"{what}: git knows no commit {ref!r}", remark=b"is ambiguous",
    )  # fmt: skip
    return Commit(top, ref, data.decode().strip().splitlines()[-1])


def located(name: str) -> tuple[Commit, str]:
    """The commit and the path from the root ('' for none) of `git:REF:PATH`. Raises UsageError."""
    ref, _, path = name.removeprefix(PREFIX).partition(":")
    result = commit(ref, Path.cwd(), f"git:{ref}")
    if path.startswith("./"):
        path = f"{result.inside(Path.cwd()) or '.'}/{path}"
    plain = posixpath.normpath(path) if path else ""
    if plain.startswith(("../", "/")) or plain == "..":
        raise UsageError(f"{name}: the path leads out of the repository")
    return result, plain


def is_located(name: str) -> bool:
    """Whether a file's name means one of a commit."""
    return name.startswith(PREFIX)


def read(name: str) -> bytes:
    """A file's content: `git:REF:PATH`, or a path. Raises InputError, UsageError."""
    if is_located(name):
        result, path = located(name)
        content = result.file(path)
        if content is None:
            raise InputError(f"{name}: the commit has no such file")
        return content
    return read_bounded(name)


def read_bounded(name: str | Path) -> bytes:
    """The content of a file of settings on this disk, which a link may lead to a device without an end.
    Raises InputError where it cannot be read, or is larger than any such file.
    """
    try:
        with Path(name).open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(content) > _MOST_BYTES:
        raise InputError(f"{name}: larger than {_MOST_BYTES >> 20} MiB")
    return content


def beside(name: str, other: str) -> str:
    """The name of a file that lies relative to another one: of the same commit, or of the same disk."""
    if not is_located(name):
        return str(Path(name).parent / other)
    ref, _, path = name.removeprefix(PREFIX).partition(":")
    return f"{PREFIX}{ref}:{posixpath.normpath(posixpath.join(posixpath.dirname(path), other))}"


def _git(where: Path, *arguments: str, why: str, given: bytes = b"", remark: bytes = b"") -> bytes:
    """What git prints. Raises UsageError with `why` where it fails, or makes a remark that holds `remark`."""
    import subprocess

    program = child.program("git")
    if program is None:
        raise InputError("git cannot be run: it is not on PATH")
    try:
        done = subprocess.run(
            [program, *_CAREFUL, "-C", str(where), *arguments],
            input=given,
            capture_output=True,
            check=False,
            timeout=60,
            env={
                **{name: value for name, value in os.environ.items() if name not in _ELSEWHERE},
                # No transport, and no program that a repository's settings name for one: what a partial clone
                # lacks is an error.
                "GIT_ALLOW_PROTOCOL": "none",
                "GIT_LITERAL_PATHSPECS": "1",
                "GIT_NO_LAZY_FETCH": "1",
                "GIT_NO_REPLACE_OBJECTS": "1",
                "GIT_OPTIONAL_LOCKS": "0",
                "GIT_TERMINAL_PROMPT": "0",
                "LC_ALL": "C",
            },
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"git cannot be run: {error}") from None
    if done.returncode or (remark and remark in done.stderr):
        text = done.stderr.decode("utf-8", "replace").strip()
        raise UsageError(why + (f" ({text})" if text else ""))
    return done.stdout
