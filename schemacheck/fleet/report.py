"""`report.html`: one file that opens offline, with everything in it."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from schemacheck.fleet import definition
from schemacheck.fleet.previous import fingerprint
from schemacheck.fleet.results import Results, kind
from schemacheck.rules import find

_COLUMNS = (
    "effect", "code", "rule", "cluster", "source", "replica", "channel", "database", "table", "column", "source_type", "replica_type", "message",
    "errno", "error", "setting", "remedy", "remedy_sql", "example_source", "example_replica", "reference",
)  # fmt: skip
#: Findings that the page holds; the data set holds all.
LIMIT = 100_000
_LISTED = 500


class _Strings:
    """Every text once."""

    def __init__(self) -> None:
        self.values: list[str | None] = [None]
        self._numbers: dict[str, int] = {}

    def number(self, text: str | None) -> int:
        if text is None:
            return 0
        found = self._numbers.get(text)
        if found is None:
            found = self._numbers[text] = len(self.values)
            self.values.append(text)
        return found


def render(results: Results, summary: Mapping[str, Any], problems: Sequence[Mapping[str, Any]], servers: Mapping[str, str], before: set[bytes] | None) -> str:
    """The page's text. `servers` is the name of every instance's server, `before` the findings of the previous run."""
    from jinja2 import Environment

    rows = list(results.worst(LIMIT))
    unknown_count, unknowns = results.unknown(_LISTED)
    payload = _payload(results, summary, rows, servers, before)
    folder = resources.files("schemacheck.fleet") / "page"
    environment = Environment(autoescape=True, trim_blocks=False)
    template = environment.from_string((folder / "report.html.j2").read_text("utf-8"))
    from markupsafe import Markup

    smallest = summary["smallest_setting"]["modes"]
    # The pieces of our own and the library's are the only ones that are not escaped; none of them holds input.
    page: str = template.render(
        summary=summary, cards=_cards(summary), shown=len(rows), unknowns=[_visible(row) for row in unknowns], unknown_count=unknown_count,
        problems=[_visible(p) for p in problems if not p["skipped"]][:_LISTED], smallest={None: "none", "": "'' (none is needed)"}.get(smallest, smallest),
        css=Markup((folder / "report.css").read_text("utf-8")), js=Markup((folder / "report.js").read_text("utf-8")), plotly=Markup(_plotly()),  # noqa: S704 see above
        payload=Markup(base64.b64encode(gzip.compress(payload, 6, mtime=0)).decode("ascii")),  # noqa: S704 base64
    )  # fmt: skip
    return page


def _plotly() -> str:
    """The drawing library, without the end tag that would end the script."""
    text = (resources.files("plotly") / "package_data" / "plotly.min.js").read_text("utf-8")
    return text.replace("</script", "<\\/script")


_HIDDEN = {code: f"\\u{code:04x}" for code in (*range(0x20), 0x7F, 0x61C, *range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2066, 0x206A), 0xFEFF)}


def _visible(row: Mapping[str, Any]) -> dict[str, Any]:
    """Characters that hide or reorder text, by their numbers."""
    return {k: v.translate(_HIDDEN) if isinstance(v, str) else v for k, v in row.items()}


def _cards(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    verdicts = summary["verdicts"]
    notes = {
        "stops": "the applier stops with an error", "diverges": "other values, and no error", "unsupported": "the manual forbids it",
        "lossy": "values may be cut or rounded", "unknown": "not decided, never a pass",
    }  # fmt: skip
    cards = [
        {"number": verdicts[e], "label": e, "note": notes[e], "kind": e, "href": "#unknowns" if e == "unknown" else "#findings", "effect": None if e == "unknown" else e}
        for e in notes
    ]
    unharmed = verdicts["identical"] + verdicts["compatible"]
    cards.append({"number": unharmed, "label": "keep every value", "note": f"{verdicts['identical']:,} identical", "kind": "compatible", "href": "#verdicts"})
    smallest = summary["smallest_setting"]["modes"]
    cards.append({"number": {None: "none", "": "''"}.get(smallest, smallest), "label": "smallest setting", "note": "for all tables together", "kind": "identical", "href": "#whatif"})
    return cards


def _payload(results: Results, summary: Mapping[str, Any], rows: Sequence[dict[str, Any]], servers: Mapping[str, str], before: set[bytes] | None) -> bytes:
    strings = _Strings()
    sides = [(row["source_signature"], row["replica_signature"]) for row in rows]
    texts = results.definitions({sig for pair in sides for sig in pair if sig})
    numbered = {sig: n for n, sig in enumerate(texts)}
    data = {
        "rows": {
            **{name: [strings.number(None if row[name] is None else str(row[name])) for row in rows] for name in _COLUMNS},
            "depends": [int(bool(row["depends_on_rows"])) for row in rows],
            "source_ordinal": [row["source_ordinal"] or 0 for row in rows],
            "replica_ordinal": [row["replica_ordinal"] or 0 for row in rows],
            "source_signature": [numbered.get(a or "", -1) for a, _ in sides],
            "replica_signature": [numbered.get(b or "", -1) for _, b in sides],
            "fresh": [int(before is not None and fingerprint(row) not in before) for row in rows],
        },
        "definitions": [[strings.number(line) for line in definition.lines(text)] for text in texts.values()],
        "kinds": {text: kind(text) for text in sorted({row[c] for row in rows for c in ("source_type", "replica_type") if row[c]})},
        "pages": {code: rule.doc for code in sorted({row["code"] for row in rows}) if (rule := find(code))},
        "servers": dict(servers),
        "largest": results.largest(150),
        "summary": summary,
    }
    return json.dumps({**data, "strings": strings.values}, ensure_ascii=True, separators=(",", ":")).encode()
