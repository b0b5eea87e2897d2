"""The baseline: findings that were there before, by fingerprint. What is unknown or worse is new."""

from __future__ import annotations

import json
from pathlib import Path

from schemacheck.dataclass import replace, values_of
from schemacheck.errors import InputError
from schemacheck.model import Effect, KnownFinding, Location, Report, Tolerance, ToleratedBy
from schemacheck.model.fingerprint import fingerprints
from schemacheck.system import git
from schemacheck.text.printable import as_json, unique

VERSION = 1


def collect(report: Report) -> tuple[KnownFinding, ...]:
    """The baseline of a report: every finding that is not tolerated otherwise and that could ever
    keep a gate shut, sorted so that files differ only where findings do."""
    least = min(report.fail_on, Effect.LOSSY)
    listed = report.findings
    entries = [
        KnownFinding(mark, f.code, f.subject, f.effect.value, f.message)
        for f, mark in zip(listed, fingerprints(listed), strict=True)
        if least <= f.effect < Effect.UNKNOWN
        and (f.tolerated is None or f.tolerated.by is ToleratedBy.BASELINE)
    ]
    return tuple(sorted(entries, key=lambda k: (k.subject, k.code, k.fingerprint)))


def dump(known: tuple[KnownFinding, ...]) -> str:
    """The file's text."""
    entries = [values_of(finding) for finding in known]
    return as_json({"schemacheck_baseline": VERSION, "findings": entries})


def load(path: str | Path) -> tuple[KnownFinding, ...]:
    """Read a baseline, by path or `git:REF:PATH`. Raises InputError."""
    again = "write it again with `schemacheck baseline write`"
    try:
        content = json.loads(git.read(str(path)).decode("utf-8"), object_pairs_hook=unique)
    except InputError as error:
        raise InputError(f"cannot read the baseline: {error}; {again}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: this is not a baseline: {error}; {again}") from None
    version = content.get("schemacheck_baseline") if isinstance(content, dict) else None
    if type(version) is not int or version != VERSION:
        raise InputError(f"{path}: this is not a baseline of version {VERSION}; {again}")
    try:
        return tuple(map(_entry, _list(content["findings"])))
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path}: an entry of the baseline is incomplete ({error}); {again}") from None


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError("findings is no list")
    return value


def _entry(value: object) -> KnownFinding:
    """Raises KeyError, TypeError or ValueError."""
    if not isinstance(value, dict):
        raise TypeError("it is no object")
    texts = [value[key] for key in ("fingerprint", "code", "subject", "effect", "message")]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("a value is no text")
    entry = KnownFinding(*texts)
    if Effect(entry.effect) is Effect.UNKNOWN:
        raise ValueError("what is unknown is not known before")
    return entry


def apply(report: Report, known: tuple[KnownFinding, ...], file: str = "") -> Report:
    """Mark the findings that the baseline knows; `fixed` are its entries that are gone."""
    entries = {k.fingerprint: k for k in known}
    listed = report.findings
    marks = fingerprints(listed)
    why = Tolerance(ToleratedBy.BASELINE, "known before", Location(file) if file else None)
    old = iter(
        mark in entries and f.effect < Effect.UNKNOWN and f.effect <= Effect(entries[mark].effect)
        for f, mark in zip(listed, marks, strict=True)
    )
    pairs = tuple(
        replace(
            pair,
            findings=tuple(
                replace(f, tolerated=why) if next(old) and f.tolerated is None else f for f in pair.findings
            ),
        )
        for pair in report.pairs
    )
    present = set(marks)
    return replace(report, pairs=pairs, fixed=tuple(k for k in known if k.fingerprint not in present))
