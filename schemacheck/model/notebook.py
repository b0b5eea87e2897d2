"""Values as notebooks show them: a heading and a table of HTML, nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

#: Rows that a notebook shows; the rest is counted.
MOST = 50


def table(heading: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """HTML of a table below a heading; every text is escaped, and at most MOST rows are shown."""
    from html import escape

    listed = list(rows)
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in listed[:MOST]
    )
    more = f"<p>and {len(listed) - MOST:,} more</p>" if len(listed) > MOST else ""
    shown = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}" if listed else ""
    return f"<div><p><b>{escape(heading)}</b></p>{shown}</div>"
