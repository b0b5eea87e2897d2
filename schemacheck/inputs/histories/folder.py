"""The files among which a history is looked for, and what was found."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from schemacheck import knowledge
from schemacheck.dataclass import dataclass, field, replace
from schemacheck.errors import InputError
from schemacheck.inputs.piece import DdlPiece, FilePiece, HistoryPiece, NotePiece
from schemacheck.inputs.source import Source, read_source
from schemacheck.inputs.walk import SQL, unpacked
from schemacheck.model.account import FileAccount
from schemacheck.model.history import History, Migration, Part
from schemacheck.system import inner_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from schemacheck.inputs.piece import HistoryOptions, Piece
    from schemacheck.inputs.walk import Seen

_CHUNK = 1 << 20


@dataclass(slots=True, eq=False)
class Script:
    """One SQL file. `path` is its name as messages have it."""

    path: str
    _source: Source | None = None
    encoding: str | None = None
    #: The folder that it lies in, with others.
    root: Path | None = None
    _text: str | None = field(default=None, repr=False)
    _starts: list[int] | None = field(default=None, repr=False)
    _marks: frozenset[str] | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """The file's own name."""
        return Path(self.path).name

    @property
    def source(self) -> Source:
        """Its bytes. Raises InputError."""
        if self._source is None:
            self._source = read_source(self.path, encoding=self.encoding, within=self.root)
        return self._source

    @property
    def marks(self) -> frozenset[str]:
        """The tools whose marks are in the text, which is not kept. Raises InputError."""
        if self._marks is None:
            wanted = {
                mark: kind for kind, item in knowledge.load("histories").items() for mark in item["marks"]
            }
            if self._source is None and self.encoding is None and not _packed(self.path, self.root):
                chunks = _in_file(self.path, self.root, [mark.encode() for mark in wanted])
                self._marks = frozenset(wanted[mark.decode()] for mark in chunks)
            else:
                source = self._source or read_source(self.path, encoding=self.encoding, within=self.root)
                text = source.text
                self._marks = frozenset(kind for mark, kind in wanted.items() if mark in text)
        return self._marks

    @property
    def text(self) -> str:
        """Its text with line feeds alone at the lines' ends. Raises InputError."""
        if self._text is None:
            self._text = self.source.text.replace("\r\n", "\n")
        return self._text

    def replace(self, text: str) -> None:
        """Read another text in place of the file's."""
        self._text, self._starts = text, None

    def lines(self) -> Iterator[tuple[int, int, str]]:
        """(number, where it begins, the line without its end) of every line."""
        at = 0
        for number, line in enumerate(self.text.split("\n"), 1):
            yield number, at, line
            at += len(line) + 1

    def line_start(self, number: int) -> int:
        """Where a line begins; the text's end behind the last one."""
        if self._starts is None:
            self._starts = [at for _, at, _ in self.lines()]
        return self._starts[number - 1] if number <= len(self._starts) else len(self.text)

    def migration(
        self, version: str, title: str, parts: tuple[Part, ...], *, line: int = 1, down: int = 0,
        repeats: bool = False, families: tuple[str, ...] = (),
    ) -> Migration:  # fmt: skip
        """A migration out of this file."""
        import hashlib

        run = "\0".join(self.text[part.start : part.end].strip() for part in parts)
        digest = hashlib.sha256(run.encode("utf-8", "surrogatepass")).hexdigest()
        return Migration(version, title, self.path, line, self.text, parts, digest, down, repeats, families)

    def whole(self, delimiter: str | None = ";") -> tuple[Part, ...]:
        """All of the text."""
        return (Part(0, len(self.text), delimiter),)


def _opened(path: str, root: Path | None) -> BinaryIO:
    return Path(path).open("rb") if root is None else inner_file.opened(path, root)


def _packed(path: str, root: Path | None) -> bool:
    """Whether the bytes of a file are not those of its text: gzip, zstd, UTF-16. Raises InputError."""
    try:
        with _opened(path, root) as file:
            start = file.read(4)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    return start.startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xff\xfe", b"\xfe\xff"))


def _in_file(path: str, root: Path | None, marks: list[bytes]) -> set[bytes]:
    chunks: set[bytes] = set()
    before = b""
    try:
        with _opened(path, root) as file:
            while chunk := file.read(_CHUNK):
                chunk = before + chunk
                chunks.update(mark for mark in marks if mark not in chunks and mark in chunk)
                before = chunk[-max(map(len, marks)) :]
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    return chunks


@dataclass(frozen=True, slots=True)
class Folder:
    """`scripts` are the SQL files that may be read, `others` every other file."""

    root: Path
    scripts: tuple[Script, ...]
    others: tuple[Seen, ...]

    @classmethod
    def of(cls, root: Path, seen: list[Seen], *, encoding: str | None) -> Folder:
        """Out of what a walk has seen."""
        readable = [seen for seen in seen if not seen.why and unpacked(seen.path.name).lower().endswith(SQL)]
        paths = {seen.path for seen in readable}
        scripts = tuple(Script(str(seen.path), encoding=encoding, root=root) for seen in readable)
        return cls(root, scripts, tuple(seen for seen in seen if seen.path not in paths))


@dataclass(slots=True)
class Found:
    """A history, what is to be said about it, and what became of its files."""

    kind: str
    migrations: list[Migration] = field(default_factory=list)
    notes: list[NotePiece] = field(default_factory=list)
    #: What is said of files: by path.
    files: dict[str, FileAccount] = field(default_factory=dict)
    #: Placeholders without a value: the name, and where it comes first.
    unfilled: dict[str, tuple[str, int]] = field(default_factory=dict)
    #: Whether the file's name is one of this tool's too, or somebody has named the tool.
    named: bool = True

    def read(self, script: Script, why: str = "") -> None:
        """A file that was read."""
        self.files[script.path] = FileAccount(script.path, "sql", why)

    def leave(self, path: str, why: str, *, doubtful: bool = False) -> None:
        """A file that is not run; `doubtful`: what it does is missing then."""
        self.files[path] = FileAccount(path, "", why, doubtful)
        if doubtful:
            self.note(f"not read: {why}", path, problem=True)

    def note(self, message: str, file: str, line: int | None = None, *, problem: bool = False) -> None:
        """Something about a file that a person should know."""
        self.notes.append(NotePiece(message, file, line, problem=problem, code="SC003"))

    def gaps(self) -> None:
        """Remark on numbers that are missing in a sequence: a migration may not have been added."""
        versions = [m.version for m in self.migrations if not m.repeats]
        # Longer numbers are dates, among which nothing is missing.
        if len(versions) < 3 or not all(v.isascii() and v.isdigit() and len(v) < 7 for v in versions):
            return
        numbers = [*map(int, versions)]
        steps = [(a, b) for a, b in pairwise(sorted(numbers)) if b - a != 1]
        if 2 * len(steps) >= len(numbers):
            return
        files = {int(m.version): m.file for m in self.migrations if not m.repeats}
        for before, after in steps:
            self.note(f"no migration has a number between {before} and {after}", files[after])

    def history(self) -> History:
        """The migrations alone."""
        return History(self.kind, tuple(self.migrations))

    def pieces(self) -> Iterator[Piece]:
        """What the catalogue reads: the migrations of one file that follow each other together."""
        yield HistoryPiece(self.history(), self.migrations[0].file if self.migrations else "-")
        if self.unfilled:
            names = ", ".join(f"${{{name}}}" for name in self.unfilled)
            message = f"placeholders without a value: {names}; give each one with --placeholder NAME=VALUE"
            file, line = next(iter(self.unfilled.values()))
            yield NotePiece(message, file, line, problem=True, code="SC003")
        yield from self.notes
        yield from (FilePiece(account) for account in self.files.values())
        waiting: DdlPiece | None = None
        for migration in self.migrations:
            piece = DdlPiece(
                migration.text, migration.file, migration.line, None, migration.parts, migration.families
            )
            if waiting is not None and (waiting.file, waiting.families) == (piece.file, piece.families):
                waiting = replace(waiting, parts=(*(waiting.parts or ()), *(piece.parts or ())))
                continue
            if waiting is not None:
                yield waiting
            waiting = piece
        if waiting is not None:
            yield waiting


@dataclass(frozen=True, slots=True)
class Kind:
    """One tool, `KIND` of its module: `claims` a directory's file, whose order `of_folder` knows; `holds` a
    file with its mark, which `of_script` reads.
    """

    name: str
    claims: Callable[[Script], bool] | None = None
    of_folder: Callable[[Folder, HistoryOptions], Found] | None = None
    holds: Callable[[Script], bool] | None = None
    of_script: Callable[[Script, HistoryOptions], Found] | None = None


def single_folder(scripts: list[Script], tool: str, root: Path) -> None:
    """Raise InputError where migrations of a tool that reads one folder lie in several."""
    folders = sorted({str(Path(script.path).parent) for script in scripts})
    if len(folders) > 1:
        raise InputError(
            f"{root}: holds {len(folders)} folders with migrations of {tool} ({', '.join(folders[:3])}"
            f"{', ...' if len(folders) > 3 else ''}): name one of them"
        )


def strangers(folder: Folder, result: Found, tool: str) -> None:
    """Say of every script that is not accounted for that the tool does not run it."""
    for script in folder.scripts:
        if script.path not in result.files:
            empty = not script.source.data.strip()
            why = (
                "empty"
                if empty
                else f"by its name and text it is no migration of {tool}, which does not run it"
            )
            result.leave(script.path, why, doubtful=not empty)


def numbered(folder: Found, migrations: list[tuple[int, Migration]], tool: str) -> None:
    """Take migrations in the order of their numbers. Raises InputError where two have one."""
    migrations.sort(key=lambda entry: entry[0])
    for (first, before), (second, after) in pairwise(migrations):
        if first == second:
            raise InputError(
                f"{after.file}: has the version of {before.file} ({second}): {tool} runs one "
                "migration a version"
            )
    folder.migrations += [migration for _, migration in migrations]
    folder.gaps()
