"""`${name}` in a script: replaced by what a person says, else not known."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schemacheck.inputs.histories.folder import Found, Script
    from schemacheck.inputs.piece import HistoryOptions

_PLACEHOLDER = re.compile(r"\$\{([^{}\s$]{1,200})\}")
_COMMENT_LINE = ("--", "#")


def fill(
    script: Script, found: Found, said: HistoryOptions, *, values: Mapping[str, str] | None = None
) -> None:
    """Put the values that are given into a script's text (`values` are those of the script itself, which win
    nothing); each name without one is a problem at its line. Values have no line feed: lines keep their
    numbers.
    """
    if "${" not in script.text:
        return
    values = {**(values or {}), **dict(said.placeholders)}
    out: list[str] = []
    for number, _, line in script.lines():
        if line.lstrip().startswith(_COMMENT_LINE):
            out.append(line)
            continue
        for name in dict.fromkeys(_PLACEHOLDER.findall(line)):
            if name not in values:
                message = f"the placeholder ${{{name}}} has no value: say it (--placeholder {name}=VALUE)"
                found.note(message, script.path, number, problem=True)
        out.append(_PLACEHOLDER.sub(lambda one: values.get(one[1], one[0]), line))
    script.replace("\n".join(out))
