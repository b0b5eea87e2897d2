"""Looks at a link again and again: what is new and what is gone since the last look that succeeded."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterator

from schemacheck.dataclass import dataclass, field
from schemacheck.engine import gate
from schemacheck.errors import SchemacheckError
from schemacheck.model import Effect, Finding, Report
from schemacheck.model.fingerprint import fingerprints
from schemacheck.system import alert


@dataclass(frozen=True, slots=True)
class Change:
    """What one look showed. `at` is the time in seconds since 1970; without `report` the look failed with
    `error`. `new` and `gone` are against the last look that succeeded; the first one shows all as new.
    """

    at: float
    report: Report | None = None
    error: str = ""
    new: tuple[Finding, ...] = ()
    gone: tuple[Finding, ...] = ()
    returned: bool = False
    lost: bool = False


@dataclass(slots=True)
class Watch:
    """The state between looks. `look` makes a Report, or raises SchemacheckError: an end cannot be read."""

    look: Callable[[], Report]
    known: dict[str, Finding] | None = None
    down: bool = False
    looks: int = 0
    failed: int = 0
    changes: Counter[str] = field(default_factory=Counter)

    def once(self, now: float) -> Change:
        """One look. A failed one keeps what was known: servers that come back are compared with that."""
        self.looks += 1
        try:
            report = self.look()
        except SchemacheckError as error:
            self.failed += 1
            lost, self.down = not self.down, True
            return Change(now, error=str(error), lost=lost)
        listed = [f for f in gate.annotated(report) if f.tolerated is None and f.effect > Effect.COMPATIBLE]
        result = dict(zip(fingerprints(listed), listed, strict=True))
        before = self.known or {}
        new = tuple(result[mark] for mark in result if mark not in before)
        gone = tuple(before[mark] for mark in before if mark not in result)
        self.changes.update(new=len(new), gone=len(gone))
        returned, self.down, self.known = self.down, False, result
        return Change(now, report, "", new, gone, returned=returned)


def text(change: Change) -> str:
    """What a person reads of it: a line for each thing that happened."""
    when = dt.datetime.fromtimestamp(change.at, tz=dt.UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    lines = [f"{when} not read: {change.error}"] if change.lost else []
    lines += [f"{when} read again"] if change.returned else []
    lines += [f"{when} new {_said(finding)}" for finding in change.new]
    lines += [f"{when} gone {_said(finding)}" for finding in change.gone]
    return "".join(f"{line}\n" for line in lines)


def _said(finding: Finding) -> str:
    subject = f"{finding.subject}: " if finding.subject else ""
    return f"{finding.effect.value}[{finding.code}] {subject}{' '.join(finding.message.split())}"


def figures(watch: Watch, change: Change, names: tuple[str, str]) -> str:
    """Prometheus' text format; while an end cannot be read, findings are those of the last good look."""
    return "".join(f"{line}\n" for line in _figures(watch, change, {"source": names[0], "replica": names[1]}))


def _figures(watch: Watch, change: Change, link: dict[str, str]) -> Iterator[str]:
    def described(name: str, kind: str, about: str) -> Iterator[str]:
        yield f"# HELP schemacheck_{name} {about}"
        yield f"# TYPE schemacheck_{name} {kind}"

    yield from described("up", "gauge", "Whether both ends were read at the last look.")
    yield alert.metric("up", change.report is not None, **link)
    yield from described("look_timestamp_seconds", "gauge", "When the last look was.")
    yield alert.metric("look_timestamp_seconds", round(change.at), **link)
    yield from described("looks_total", "counter", "Looks since the start, by whether both ends were read.")
    yield alert.metric("looks_total", watch.looks - watch.failed, result="read", **link)
    yield alert.metric("looks_total", watch.failed, result="failed", **link)
    yield from described("changes_total", "counter", "Findings that came and went since the start.")
    for kind in ("new", "gone"):
        yield alert.metric("changes_total", watch.changes[kind], kind=kind, **link)
    if watch.known is not None:
        counted = Counter(finding.effect for finding in watch.known.values())
        yield from described("drift_findings", "gauge", "Findings that are not tolerated, by effect.")
        for effect in Effect:
            if effect > Effect.COMPATIBLE:
                yield alert.metric("drift_findings", counted[effect], effect=effect.value, **link)
    if change.report is not None:
        yield from described("exit_status", "gauge", "0 fine, 1 findings, 3 only unknowns stand in the way.")
        yield alert.metric("exit_status", gate.exit_status(change.report), **link)
