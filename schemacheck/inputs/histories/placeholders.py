"""`${name}` in a script: replaced by what a person says, else not known."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schemacheck.inputs.histories.folder import Found, Script
    from schemacheck.inputs.piece import HistoryOptions

#: Tools take whatever is between the braces.
_PLACEHOLDER = re.compile(r"\$\{([^{}]*)\}")
#: A line that is a comment to the server too: behind `--` a blank or the end must come.
COMMENT_LINE = re.compile(r"\s*+(?:#|--(?:\s|\Z))")

#: Characters that values may add to one script.
_MOST_ADDED = 16 << 20


def fill(
    script: Script, folder: Found, options: HistoryOptions, *, values: Mapping[str, str] | None = None
) -> None:
    """Put values into a script's text (`values` are its own, which win nothing); names without one are a
    problem of the history. Raises InputError where the text grows without end.
    """
    if "${" not in script.text:
        return
    # A value out of other placeholders is none that is known.
    own = {name: value for name, value in (values or {}).items() if "${" not in value}
    values = {**own, **dict(options.placeholders)}
    out: list[str] = []
    added = 0
    for number, _, line in script.lines():
        if COMMENT_LINE.match(line):
            out.append(line)
            continue
        names = _PLACEHOLDER.findall(line)
        added += sum(len(values.get(name, "")) for name in names)
        if added > _MOST_ADDED:
            raise InputError(f"{script.path}:{number}: more than {_MOST_ADDED:,} characters of placeholders")
        for name in names:
            if name not in values:
                folder.unfilled.setdefault(name[:100], (script.path, number))
        out.append(_PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), line))
    script.replace("\n".join(out))
