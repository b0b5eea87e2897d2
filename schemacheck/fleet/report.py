"""`report.html`: one file that opens offline, with everything in it."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

from schemacheck.fleet import definition
from schemacheck.fleet.previous import KEY, fingerprint
from schemacheck.fleet.results import Results, kind
from schemacheck.inputs.collector import collector_paused
from schemacheck.rules import find

if TYPE_CHECKING:
    import pyarrow as pa

_COLUMNS = (
    "effect", "code", "rule", "cluster", "source", "replica", "channel", "database", "table", "column", "source_type", "replica_type", "message",
    "errno", "error", "setting", "remedy", "remedy_sql", "example_source", "example_replica", "reference",
)  # fmt: skip
#: Findings that the page holds; the data set holds all.
LIMIT = 100_000
_LISTED = 500


class _Strings:
    """Every text once. Number 0 is None."""

    def __init__(self) -> None:
        self.values: list[str | None] = [None]
        self._numbers: dict[str | None, int] = {None: 0}

    def number(self, text: str | None) -> int:
        found = self._numbers.get(text)
        if found is None:
            found = self._numbers[text] = len(self.values)
            self.values.append(text)
        return found

    def column(self, values: pa.ChunkedArray) -> list[int]:
        """The numbers of a column's texts; each distinct one is looked at once."""
        import pyarrow as pa
        import pyarrow.compute as pc

        encoded = values.cast(pa.string()).combine_chunks().dictionary_encode()
        numbers = pa.array([self.number(text) for text in encoded.dictionary.to_pylist()], pa.int32())
        found: list[int] = pc.fill_null(numbers.take(encoded.indices), 0).to_pylist()
        return found


def render(results: Results, summary: Mapping[str, Any], problems: Sequence[Mapping[str, Any]], servers: Mapping[str, str], before: set[bytes] | None) -> str:
    """The page's text. `servers` is the name of every instance's server, `before` the findings of the previous run."""
    from jinja2 import Environment

    rows = results.worst(LIMIT)
    unknown_count, unknowns = results.unknown(_LISTED)
    payload = _payload(results, summary, rows, servers, before)
    folder = resources.files("schemacheck.fleet") / "page"
    environment = Environment(autoescape=True, trim_blocks=False)
    template = environment.from_string((folder / "report.html.j2").read_text("utf-8"))
    from markupsafe import Markup

    smallest = summary["smallest_setting"]["modes"]
    # The pieces of our own and the library's are the only ones that are not escaped; none of them holds input.
    page: str = template.render(
        summary=summary, cards=_cards(summary), shown=rows.num_rows, unknowns=[_visible(row) for row in unknowns], unknown_count=unknown_count,
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


def _payload(results: Results, summary: Mapping[str, Any], rows: pa.Table, servers: Mapping[str, str], before: set[bytes] | None) -> bytes:
    with collector_paused():
        strings = _Strings()
        sides = {name: rows.column(name).to_pylist() for name in ("source_signature", "replica_signature")}
        texts = results.definitions({sig for side in sides.values() for sig in side if sig})
        numbered = {sig: n for n, sig in enumerate(texts)}
        data = {
            "rows": {
                **{name: strings.column(rows.column(name)) for name in _COLUMNS},
                "depends": [int(bool(value)) for value in rows.column("depends_on_rows").to_pylist()],
                **{name: [value or 0 for value in rows.column(name).to_pylist()] for name in ("source_ordinal", "replica_ordinal")},
                **{name: [numbered.get(sig or "", -1) for sig in side] for name, side in sides.items()},
                "fresh": _fresh(rows, before),
            },
            "definitions": definition.numbered(texts.values(), strings.number),
            "kinds": {text: kind(text) for name in ("source_type", "replica_type") for text in rows.column(name).unique().to_pylist() if text},
            "pages": {code: rule.doc for code in sorted(rows.column("code").unique().to_pylist()) if (rule := find(code))},
            "servers": dict(servers),
            "largest": results.largest(150),
            "summary": summary,
        }
        return json.dumps({**data, "strings": strings.values}, ensure_ascii=True, separators=(",", ":")).encode()


def _fresh(rows: pa.Table, before: set[bytes] | None) -> list[int]:
    """1 for each finding that the previous run did not have."""
    if before is None:
        return [0] * rows.num_rows
    return [int(fingerprint(row) not in before) for row in rows.select(list(KEY)).to_pylist()]
