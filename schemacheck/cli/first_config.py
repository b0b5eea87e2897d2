"""The first `schemacheck.yaml` of a repository: what can be seen there."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck.config import discovery
from schemacheck.errors import InputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemacheck.inputs.endpoint import Access
    from schemacheck.model import Schema

#: Folders whose SQL is nobody's schema.
_ASIDE = frozenset(("test", "tests", "spec", "fixtures", "node_modules", "vendor", "third_party"))
#: Commits that a change is held against, the first that is there.
_REFS = ("origin/HEAD", "origin/main", "origin/master", "HEAD")
_SHOWN = 8
_TEXT = """\
# What `schemacheck check`, `plan`, `lint-history`, the pre-commit hook and the gate read.
# Every key: docs/gate.md, or `schemacheck config schema`. Every value that holds: `schemacheck config show`.

# {what}
source: {source}

# The servers, as SELECT VERSION() prints it; two: {{source: 8.0.36, replica: mariadb-10.11}}
{versions}

# {held}
{against}
"""


def write(inputs: list[str], versions: tuple[str, str], access: Access) -> str:
    """Write the file into the working directory; its text. Raises UsageError where there is one, or doubt."""
    from schemacheck.inputs import is_dsn, open_schema

    for name in discovery.FILE_NAMES:
        if os.path.lexists(name):
            raise UsageError(f"{name} is there already: it is not written over")
    paths = [text for text in inputs if not is_dsn(text)]
    dsns = [text for text in inputs if is_dsn(text)]
    if len(paths) > 1 or len(dsns) > 1:
        raise UsageError("config init takes one path of definitions and one server")
    path = paths[0] if paths else _path()
    schema = open_schema(path, allow_empty=True)
    live = open_schema(dsns[0], access=access, allow_empty=True).server if dsns else None
    ends = [end for end in versions if end]
    server = live or schema.server
    if not ends and server:
        ends = [f"{server.flavor}-{server.version_text}"]
    text = _text(path, schema, ends)
    Path(discovery.FILE_NAMES[0]).write_text(text, "utf-8")
    return text


def _text(path: str, schema: Schema, versions: list[str]) -> str:
    from schemacheck.inputs.histories import title
    from schemacheck.model.quantity import plural

    what = plural(len(schema.tables), "table")
    if schema.history:
        what = f"{title(schema.history.kind)}: {plural(len(schema.history.migrations), 'migration')}, {what}"
    if len(set(versions)) > 1:
        servers = f"versions: {{source: {_scalar(versions[0])}, replica: {_scalar(versions[1])}}}"
    else:
        servers = f"versions: {_scalar(versions[0])}" if versions else "# versions: 8.4"
    ref = _ref()
    return _TEXT.format(
        what=what, source=_scalar(path), versions=servers,
        held="A change is held against this commit; on a pull request the base takes its place."
        if ref else "No commit to hold a change against: name the replica's definitions.",
        against=f"against: {ref}" if ref else "# replica: mysql://user@host/db",
    )  # fmt: skip


def _path() -> str:
    """Where the definitions are. Raises UsageError where that is not one place."""
    places = list(_places())
    if len(places) == 1:
        return places[0]
    shown = ", ".join(places[:_SHOWN]) + (", ..." if len(places) > _SHOWN else "")
    why = f"SQL is in several places ({shown})" if places else "no .sql file is here"
    raise UsageError(f"{why}: name the definitions or migrations: schemacheck config init PATH")


def _places() -> Iterator[str]:
    """Folders that hold SQL, each with all below it; files one by one where others lie in folders beside."""
    from schemacheck.inputs.walk import is_sql, walk

    try:
        seen = [seen.path.relative_to(Path()) for seen in walk(Path()) if not seen.why]
    except InputError:
        return
    files = [path for path in seen if is_sql(path.name) and not _ASIDE & set(path.parts)]
    for top in dict.fromkeys(file.parts[0] for file in files):
        mine = [file for file in files if file.parts[0] == top]
        holders = {path.parent for path in mine}
        common = Path(os.path.commonpath(holders))
        if common not in holders or (len(holders) == 1 and common != Path()):
            yield common.as_posix()
            continue
        yield from (path.as_posix() for path in mine if path.parent == common)
        yield from (path.as_posix() for path in sorted(holders - {common}))


def _ref() -> str:
    from schemacheck.system import git

    for ref in _REFS:
        try:
            git.commit(ref, Path.cwd(), "against")
        except (InputError, UsageError):
            continue
        return ref
    return ""


def _scalar(text: str) -> str:
    """A text as YAML takes it."""
    return text if re.fullmatch(r"[\w./][\w./-]*", text) else json.dumps(text, ensure_ascii=False)
