"""Outputs: one Report, one file per format.

A file of this package whose name has no leading underscore is a format: it defines
`render(report) -> str`. One that can also be coloured defines `render_styled(report, style)`.
Nothing else lists the formats.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING

from schemacheck.dataclass import replace
from schemacheck.errors import UsageError, sound
from schemacheck.text.printable import json_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from schemacheck.model import Finding, PairReport, Report
    from schemacheck.outputs._style import Style


def formats() -> tuple[str, ...]:
    """The names of all formats; imports none of them."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_")))


def render(report: Report, name: str, style: Style | None = None) -> str:
    """The report in this format. Raises UsageError where there is no such format."""
    if name not in formats():
        raise UsageError(f"there is no output format {name!r}; choose from {', '.join(formats())}")
    module = import_module(f"{__name__}.{name}")
    styled = getattr(module, "render_styled", None)

    def draw(report: Report) -> object:
        return styled(report, style) if styled and style else module.render(report)

    try:
        text = draw(report)
    except Exception:  # noqa: BLE001 a defect costs a finding's text, not the report
        text = draw(_drawable(report, draw))
    # Every format: what steers a terminal is written out (in JSON and in XML it may stand raw).
    return json_text(str(text))


def _drawable(report: Report, draw: Callable[[Report], object]) -> Report:
    """The report in which each finding that cannot be shown says why, and keeps its effect. Raises what it is
    called behind where no finding is to blame.
    """
    from schemacheck.model import Finding

    alone = replace(
        report, pairs=(), link_findings=(), remarks=(), problems=(), fixed=None, rollout=None, evidence=None
    )

    def bare(one: Finding, why: str) -> Finding:
        return Finding(
            one.code, one.rule, one.effect, why, one.database, one.table, one.column, tolerated=one.tolerated
        )

    lost = False

    def shown(found: Iterable[Finding], among: Callable[[Finding], Report]) -> tuple[Finding, ...]:
        nonlocal lost
        why = {id(one): reason for one, reason in sound(found, lambda one: draw(among(one)))[1]}
        lost = lost or bool(why)
        return tuple(bare(one, why[id(one)]) if id(one) in why else one for one in found)

    def of(pair: PairReport) -> PairReport:
        found = shown(pair.findings, lambda one: replace(alone, pairs=(replace(pair, findings=(one,)),)))
        if found == pair.findings:
            return pair
        return replace(pair, findings=found, source=None, replica=None)

    pairs = tuple(map(of, report.pairs))
    links = shown(report.link_findings, lambda one: replace(alone, link_findings=(one,)))
    remarks = shown(report.remarks, lambda one: replace(alone, remarks=(one,)))
    if not lost:
        raise  # noqa: PLE0704 the caller handles it
    return replace(report, pairs=pairs, link_findings=links, remarks=remarks)


def summary(report: Report) -> str:
    """The report in one line."""
    from schemacheck.outputs import _summary

    return _summary.line(report)
