"""`report.html`: one file that opens offline, with everything in it."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

from schemacheck.collector import collector_paused
from schemacheck.fleet import workers
from schemacheck.fleet.results import Results, kind
from schemacheck.fleet.summary import smallest_setting
from schemacheck.model.quantity import plural
from schemacheck.rules import find

if TYPE_CHECKING:
    import pyarrow as pa

_COLUMNS = (
    "source_ordinal", "replica_ordinal",
    "effect", "code", "rule", "cluster", "source", "replica", "channel", "database", "table", "column",
    "source_type", "replica_type", "message",
    "errno", "error", "setting", "remedy", "remedy_sql", "example_source", "example_replica", "reference",
)  # fmt: skip
#: Findings that the page can show; the data set holds all.
LIMIT = 100_000
#: Findings that the page itself holds (about a megabyte), and that a file beside it holds.
PART = 8_000
#: The folder of those files.
_FOLDER = "report"
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

    def numbers(self, values: pa.ChunkedArray) -> list[int]:
        """The numbers of a column's values as text."""
        import pyarrow as pa
        import pyarrow.compute as pc

        coded = pa.array([], pa.string()).dictionary_encode()
        if len(values):
            coded = values.cast(pa.string()).combine_chunks().dictionary_encode()
        numbers = pa.array([self.number(text) for text in coded.dictionary.to_pylist()], pa.int64())
        found: list[int] = pc.fill_null(numbers.take(coded.indices), 0).to_pylist()
        return found


class Page:
    """The page of a run: `text` is the page, `parts` are files beside it with more findings, by name."""

    def __init__(
        self,
        results: Results,
        servers: Mapping[str, str],
        summary: Mapping[str, Any],
        problems: Sequence[Mapping[str, Any]],
    ) -> None:
        """`servers` is the name of every instance's server."""
        rows = results.worst(LIMIT)
        whole = [rows.slice(at, PART) for at in range(0, rows.num_rows, PART)]
        rest = {
            "pages": {
                code: rule.doc
                for code in sorted(rows.column("code").unique().to_pylist())
                if (rule := find(code))
            },
            "servers": dict(servers),
            "largest": results.largest(150),
            "summary": summary,
            "parts": [f"{_FOLDER}/{number}.js" for number in range(1, len(whole))],
            "of": rows.num_rows,
        }
        further = [_batch(part) for part in whole[1:]]
        with workers.begun(packed, further) as made:
            first = _findings(whole[0] if whole else rows)
            self.text = _rendered(results, summary, problems, rows.num_rows, _packed({**first, **rest}))
            self.parts = {
                f"{_FOLDER}/{number}.js": f'schemacheck.add({number},"{part.column(0)[0].as_py()}");\n'
                for number, (part,) in enumerate(made(), 1)
            }


#: What a page has of each finding.
_HELD = (*_COLUMNS, "depends_on_rows", "source_lines", "replica_lines", "fresh")


def _batch(rows: pa.Table) -> pa.RecordBatch:
    (batch,) = rows.select(_HELD).combine_chunks().to_batches()
    return batch


def packed(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Findings as a file beside the page holds them."""
    import pyarrow as pa

    text = _packed(_findings(pa.Table.from_batches([batch])))
    yield pa.RecordBatch.from_pydict({"text": [text]})


def _rendered(
    results: Results,
    summary: Mapping[str, Any],
    problems: Sequence[Mapping[str, Any]],
    shown: int,
    payload: str,
) -> str:
    from jinja2 import Environment
    from markupsafe import Markup

    folder = resources.files("schemacheck.fleet") / "page"
    environment = Environment(autoescape=True, trim_blocks=False)
    environment.filters["plural"] = plural
    template = environment.from_string((folder / "report.html.j2").read_text("utf-8"))
    word, meaning = smallest_setting(summary)
    unknown_count, unknowns = results.unknown(_LISTED)
    # The pieces of our own and the library's are the only ones that are not escaped; none of them holds
    # input.
    page: str = template.render(
        summary=summary, cards=_cards(summary), shown=shown,
        unknowns=[_visible(row) for row in unknowns], unknown_count=unknown_count,
        problems=[_visible(p) for p in problems if not p["skipped"]][:_LISTED],
        smallest=f"{word} ({meaning})" if meaning else word,
        changes=[_visible(row) for row in summary["changes"]],
        link_rows=[_visible(row) for row in summary["link_findings"][:_LISTED]],
        css=Markup((folder / "report.css").read_text("utf-8")),  # noqa: S704 see above
        js=Markup((folder / "report.js").read_text("utf-8")),  # noqa: S704 see above
        plotly=Markup(_plotly()),  # noqa: S704 see above
        payload=Markup(payload),  # noqa: S704 base64
    )  # fmt: skip
    return page


def _packed(value: object) -> str:
    """A value as compressed JSON in base64."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), 6, mtime=0)).decode("ascii")


def _plotly() -> str:
    """The drawing library, without the end tag that would end the script."""
    text = (resources.files("plotly") / "package_data" / "plotly.min.js").read_text("utf-8")
    return text.replace("</script", "<\\/script")


_HIDDEN = {
    code: f"\\u{code:04x}"
    for code in (
        *range(0x20),
        0x7F,
        0x61C,
        *range(0x200B, 0x2010),
        *range(0x2028, 0x202F),
        *range(0x2066, 0x206A),
        0xFEFF,
    )
}


def _visible(row: Mapping[str, Any]) -> dict[str, Any]:
    """Characters that hide or reorder text, by their numbers."""
    return {k: v.translate(_HIDDEN) if isinstance(v, str) else v for k, v in row.items()}


def _cards(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    verdicts = summary["verdicts"]
    notes = {
        "stops": "the applier stops with an error", "diverges": "other values, and no error",
        "unsupported": "the manual forbids it",
        "lossy": "values may be cut or rounded", "incomplete": "a column does not arrive",
        "unknown": "not decided, never a pass",
    }  # fmt: skip
    cards = [
        {
            "number": verdicts[e],
            "label": e,
            "note": notes[e],
            "kind": e,
            "href": "#unknowns" if e == "unknown" else "#findings",
            "effect": None if e == "unknown" else e,
        }
        for e in notes
    ]
    unharmed = verdicts["identical"] + verdicts["compatible"]
    cards.append(
        {
            "number": unharmed,
            "label": "keep every value",
            "note": f"{verdicts['identical']:,} identical",
            "kind": "compatible",
            "href": "#verdicts",
        }
    )
    cards.append(
        {
            "number": smallest_setting(summary)[0],
            "label": "smallest setting",
            "note": "for all tables together",
            "kind": "identical",
            "href": "#whatif",
        }
    )
    return cards


def _findings(rows: pa.Table) -> dict[str, Any]:
    """Findings, and the lines of definitions that they speak of."""
    with collector_paused():
        strings = _Strings()
        sides: dict[tuple[str, ...], int] = {}
        names = ("depends_on_rows", "source_lines", "replica_lines", "fresh")
        given = {name: rows.column(name).to_pylist() for name in names}

        def side(lines: Sequence[str] | None) -> int:
            return sides.setdefault(tuple(lines or ()), len(sides))

        columns = {
            **{name: strings.numbers(rows.column(name)) for name in _COLUMNS},
            "depends": [int(bool(value)) for value in given["depends_on_rows"]],
            "source_lines": [side(lines) for lines in given["source_lines"]],
            "replica_lines": [side(lines) for lines in given["replica_lines"]],
            "fresh": given["fresh"],
        }
        kinds = {
            text: kind(text)
            for name in ("source_type", "replica_type")
            for text in rows.column(name).unique().to_pylist()
            if text
        }
        lines = [[strings.number(line) for line in one] for one in sides]
        return {"rows": columns, "definitions": lines, "strings": strings.values, "kinds": kinds}
