"""Server programs of this machine: which there are, of which version, and how each is started."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import chain, product
from pathlib import Path

from schemacheck.dataclass import dataclass
from schemacheck.errors import UnknownServer, UsageError
from schemacheck.model import Server
from schemacheck.system import child

NAMES = ("mariadbd", "mysqld")
#: Where a server is looked for beside PATH: Debian's and the vendors' packages, then unpacked archives.
ROOTS = ("usr", "usr/local", "opt/homebrew", "usr/local/[mp]*", "opt/[mp]*")
#: Where its program is below that.
FOLDERS = ("sbin", "libexec", "bin", "server")
#: Where packages install, and where below it a server has its share files.
_BASES = ("/usr", "/usr/local")
_SHARES = ("share/mysql", "share/mariadb", "share")
#: The files that make system tables, as MySQL and older MariaDB, and newer MariaDB call them.
_TABLES = ("mysql_system_tables.sql", "mariadb_system_tables.sql")
_MORE_TABLES = ("mysql_performance_tables.sql", "mariadb_performance_tables.sql")
_VERSION = re.compile(r"\bVer\s+(?P<version>\d+\.\d+\.\d+\S*)(?P<rest>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Program:
    """A server's program and what it says it is."""

    path: Path
    server: Server

    @property
    def base(self) -> Path:
        """The folder that it is installed in: the one above `bin` or `sbin`, or its own."""
        folder = self.path.resolve().parent
        return folder.parent if folder.name in FOLDERS[:3] else folder

    @property
    def share(self) -> Path | None:
        """The folder of its share files, beside it or where packages put them; None where it has none."""
        for base, share in product((self.base, *map(Path, _BASES)), _SHARES):
            if (base / share / "charsets").is_dir() or (base / share / "english").is_dir():
                return base / share
        return None

    @property
    def libraries(self) -> str:
        """The folders of libraries that an unpacked server brings along, as LD_LIBRARY_PATH; '' for none."""
        if str(self.base) in _BASES:
            return ""
        folders = (self.path.resolve().parent, self.base / "lib", self.base / "lib" / "private")
        return os.pathsep.join(str(folder) for folder in folders if any(folder.glob("*.so*")))

    def login(self) -> Path | None:
        """The plugin by which a replica of MariaDB logs in to MySQL, where it is there."""
        places = ("lib*/plugin", "lib*/*/plugin", "lib*/*/libmariadb3/plugin")
        files = (path for place in places for path in self.base.glob(f"{place}/caching_sha2_password.so"))
        return next(files, None) if self.server.mariadb else None

    def public(self) -> bool:
        """Whether any user may run it."""
        path = self.path.resolve()
        return all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents))

    def script(self) -> bytes | None:
        """What makes its system tables with `--bootstrap`; None where it does. Raises UsageError."""
        if self.server.has("initialize"):
            return None
        share = self.share or self.base
        files = [share / name for name in (*_TABLES, *_MORE_TABLES) if (share / name).is_file()]
        if not files or files[0].name not in _TABLES:
            raise UsageError(f"{self.path}: {_TABLES[0]} is not in {', '.join(_SHARES)} of {self.base}")
        texts = (path.read_bytes() + b"\n" for path in files)
        return b"CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;\n" + b"".join(texts)


def described(path: Path) -> Program | None:
    """The program at a path; None where it names no server. Raises UnknownServer."""
    path = path.absolute()
    libraries = Program(path, Server.parse("mysql")).libraries
    environment = {"PATH": os.defpath, **({"LD_LIBRARY_PATH": libraries} if libraries else {})}
    try:
        done = subprocess.run(
            [str(path), "--no-defaults", "--version"],
            capture_output=True, text=True, errors="replace", check=False, timeout=30, env=environment,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = _VERSION.search(done.stdout)
    if match is None:
        return None
    flavor = "percona-" if "percona" in match["rest"].lower() else ""
    return Program(path, Server.told(flavor + match["version"]))


def named(place: str) -> Program:
    """The program that a person names: a file, a word of PATH, or a folder that has one (itself, or in one of
    FOLDERS, of its `usr` or `usr/local` too). Raises UsageError.
    """
    path = Path(place)
    if path.is_dir():
        below = product(("", "usr", "usr/local"), ("", *FOLDERS), NAMES)
        files = [file for parts in below if (file := path.joinpath(*parts)).is_file()]
    else:
        word = child.program(place)
        files = [Path(word)] if word else []
    if not files:
        raise UsageError(f"there is no program {place}")
    program = described(files[0])
    if program is None:
        raise UsageError(f"{files[0]} --version does not say which server it is")
    return program


def programs() -> Iterator[Program]:
    """Those of this machine, PATH first, each once, of versions that are known."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    roots = (root for place in ROOTS for root in sorted(Path("/").glob(place)))
    folders += (str(root / folder) for root, folder in product(roots, FOLDERS))
    seen = set()
    # A folder of PATH that depends on the working directory may be a checkout's.
    for folder, name in product(filter(os.path.isabs, folders), NAMES):
        path = shutil.which(name, path=folder)
        if path is None or Path(path).resolve() in seen:
            continue
        seen.add(Path(path).resolve())
        try:
            program = described(Path(path))
        except UnknownServer:
            continue
        if program is not None:
            yield program


def any_of_them() -> Program:
    """The first program of this machine. Raises UsageError."""
    for program in programs():
        return program
    raise UsageError(
        "--local: neither mariadbd nor mysqld is on this machine; install one (Debian: mariadb-server-core) "
        "or name it with --local-server PATH"
    )


def fitting(asked: Server, places: str = "") -> Program:
    """The first program of the version, of `places` (as in PATH) or the machine. Raises UsageError."""
    others = []
    for program in chain(map(named, filter(None, places.split(os.pathsep))), programs()):
        if program.server.answers_for(asked):
            return program
        others.append(f"{program.server} ({program.path})")
    there = f"there is {', '.join(others)}" if others else "there is no server program at all"
    raise UsageError(
        f"no program of {asked} is on this machine, {there}; name one with local:PATH, or docker:IMAGE"
    )
