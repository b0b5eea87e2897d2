"""What a new version of a history does to the old one, whose migrations servers may have run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from schemacheck import knowledge
from schemacheck.dataclass import replace
from schemacheck.inputs.walk import begins_with_table, is_copy
from schemacheck.model import InputProblem, Location
from schemacheck.model.account import EMPTY
from schemacheck.sql.words import UNREPLICATED, first_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from schemacheck.model import Schema
    from schemacheck.model.history import History, Migration


def added(old: Schema, new: Schema, ref: str, *, named: bool) -> Schema:
    """The new schema with remarks about migrations of `ref` that are changed or gone, and about new ones that
    come before them; undecided where it is of a tool that `ref` does not know and nobody has `named`.
    """
    new = replace(new, problems=(*new.problems, *_emptied(old, new, ref)))
    doubt = None if named or not (old.tables or old.history) else other_tool(old, new, ref)
    if doubt is not None:
        return replace(new, problems=(*new.problems, doubt))
    if old.history is None or new.history is None or old.history.kind != new.history.kind:
        return new
    return replace(new, problems=(*new.problems, *_remarks(old.history, new.history, ref)))


def _emptied(old: Schema, new: Schema, ref: str) -> Iterator[InputProblem]:
    """Files that `ref` read and that have no statement now, and copies of scripts that it does not have: who
    means that deletes the file.
    """
    before = {file.path.removeprefix(f"{ref}:"): file for file in old.files}
    for file in new.files:
        copy = not file.read_as and is_copy(file.path) and begins_with_table(Path(file.path))
        if not copy and file.why != EMPTY:
            continue
        parts = Path(os.path.realpath(file.path)).parts
        was = next((before[end] for n in range(len(parts)) if (end := "/".join(parts[n:])) in before), None)
        if was is not None and was.read_as and was.why != EMPTY and not copy:
            why = f"it was read at {ref}, and has no statement now: delete the file where that is meant"
            yield InputProblem("SC003", why, Location(file.path))
        elif was is None and copy:
            why = "not read: a copy that an editor or a patch leaves behind, with definitions: delete it"
            yield InputProblem("SC003", why, Location(file.path))


def other_tool(old: Schema, new: Schema, ref: str) -> InputProblem | None:
    """What is wrong where comments or names of a change say that a tool runs a part of its files only, and
    `ref` does not have it so: a plain client runs all of them.
    """
    if new.history is None or new.history.kind not in knowledge.load("histories"):
        return None
    if old.history is not None and old.history.kind == new.history.kind:
        return None
    first = new.history.migrations[0] if new.history.migrations else None
    message = (
        f"read as a migration of {knowledge.load('histories')[new.history.kind]['title']}, which {ref} does "
        f"not have: --history {new.history.kind} confirms it, --history none reads all of the file"
    )
    return InputProblem("SC093", message, Location(first.file, first.line) if first else None)


def fresh(old: History | None, new: History) -> tuple[Migration, ...]:
    """The migrations that the old history does not have, and those that run again as they were changed."""
    by_name = {_key(migration): migration for migration in old.migrations} if old else {}
    return tuple(
        migration
        for migration in new.migrations
        if _key(migration) not in by_name
        or (migration.repeats and by_name[_key(migration)].digest != migration.digest)
    )


def continued(old: History | None, new: History | None) -> tuple[Migration, ...] | None:
    """The new migrations behind an unchanged old history, and those that run again; else None."""
    if new is None or (old is not None and old.kind != new.kind):
        return None
    entries = [
        (_key(migration), migration.digest)
        for migration in (old.migrations if old else ())
        if not migration.repeats
    ]
    now = [(_key(migration), migration.digest) for migration in new.migrations if not migration.repeats]
    return fresh(old, new) if now[: len(entries)] == entries else None


def _remarks(old: History, new: History, ref: str) -> list[InputProblem]:
    tool = knowledge.load("histories").get(new.kind, {}).get("title", "a tool")
    now = {_key(migration): migration for migration in new.migrations}
    before = {_key(migration): migration for migration in old.migrations}
    out = []
    for key, item in before.items():
        result = now.get(key)
        if result is None:
            text = (
                f"migration {item.name} of {ref} ({item.file}) is gone: servers that ran it keep what it did"
            )
            out.append(_remark(text, next(iter(now.values()), item)))
        elif result.digest != item.digest and not item.repeats:
            text = (
                f"migration {item.name} was changed after {ref}: servers that ran it do not run it "
                f"again, and {tool} may refuse it; write a new migration"
            )
            out.append(replace(_remark(text, result), skipped=not _idle(result.text)))
    last = max((index for index, key in enumerate(now) if key in before), default=-1)
    for index, (key, item) in enumerate(now.items()):
        if index < last and key not in before and not item.repeats:
            text = (
                f"migration {item.name} is new and comes before ones of {ref}: servers that ran "
                f"those run it after them, or {tool} refuses it"
            )
            out.append(_remark(text, item))
    return out


def _idle(text: str) -> bool:
    """Whether a script defines and writes nothing any more."""
    return all({*first_words(part, 1)} <= UNREPLICATED for part in text.split(";"))


def _key(migration: Migration) -> tuple[str, str]:
    """Repeatable migrations are known by their descriptions."""
    return migration.version, migration.title if migration.repeats else ""


def _remark(text: str, at: Migration) -> InputProblem:
    return InputProblem("SC003", text, Location(at.file, at.line), skipped=True)
