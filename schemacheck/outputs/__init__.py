"""Outputs: one file per format, with `render(report)` and perhaps `render_styled(report, style)`."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING

from schemacheck.errors import UsageError
from schemacheck.text.printable import json_text

if TYPE_CHECKING:
    from schemacheck.model import Report
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
    text = styled(report, style) if styled and style else module.render(report)
    # Every format: what steers a terminal is written out (in JSON and in XML it may stand raw).
    return json_text(str(text))


def summary(report: Report) -> str:
    """The report in one line."""
    from schemacheck.outputs import _summary

    return _summary.line(report)
