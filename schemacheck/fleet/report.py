"""`report.html`: one file that opens offline, with everything in it."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

from schemacheck.fleet import shown
from schemacheck.fleet.gzip_writer import GzipWriter
from schemacheck.fleet.previous import KEY, fingerprint
from schemacheck.fleet.results import Results, kind
from schemacheck.fleet.summary import smallest_setting
from schemacheck.inputs.collector import collector_paused
from schemacheck.rules import find

if TYPE_CHECKING:
    import pyarrow as pa

_COLUMNS = (
    "effect", "code", "rule", "cluster", "source", "replica", "channel", "database", "table", "column",
    "source_type", "replica_type", "message",
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

    def column(self, values: pa.ChunkedArray) -> pa.Array:
        """The numbers of a column's texts; each distinct one is looked at once."""
        import pyarrow as pa
        import pyarrow.compute as pc

        encoded = values.cast(pa.string()).combine_chunks().dictionary_encode()
        numbers = pa.array([self.number(text) for text in encoded.dictionary.to_pylist()], pa.int32())
        return pc.fill_null(numbers.take(encoded.indices), 0)


class Page:
    """The page, in two steps: its findings, which take long, and the rest, when the summary is known."""

    def __init__(self, results: Results, servers: Mapping[str, str], before: set[bytes] | None) -> None:
        """`servers` is the name of every instance's server, `before` the findings of the previous run."""
        rows = results.worst(LIMIT)
        self._shown = rows.num_rows
        self._unknown_count, self._unknowns = results.unknown(_LISTED)
        self._payload = GzipWriter()
        self._payload.add(f"{{{_findings(results, rows, servers, before)}".encode())

    def render(self, summary: Mapping[str, Any], problems: Sequence[Mapping[str, Any]]) -> str:
        """The page's text."""
        from jinja2 import Environment
        from markupsafe import Markup

        self._payload.add(f',"summary":{_json(summary)}}}'.encode())
        folder = resources.files("schemacheck.fleet") / "page"
        environment = Environment(autoescape=True, trim_blocks=False)
        template = environment.from_string((folder / "report.html.j2").read_text("utf-8"))
        word, meaning = smallest_setting(summary)
        # The pieces of our own and the library's are the only ones that are not escaped; none of them holds
        # input.
        page: str = template.render(
            summary=summary, cards=_cards(summary), shown=self._shown,
            unknowns=[_visible(row) for row in self._unknowns], unknown_count=self._unknown_count,
            problems=[_visible(p) for p in problems if not p["skipped"]][:_LISTED],
            smallest=f"{word} ({meaning})" if meaning else word,
            link_rows=[_visible(row) for row in summary["link_findings"][:_LISTED]],
            css=Markup((folder / "report.css").read_text("utf-8")),  # noqa: S704 see above
            js=Markup((folder / "report.js").read_text("utf-8")),  # noqa: S704 see above
            plotly=Markup(_plotly()),  # noqa: S704 see above
            payload=Markup(base64.b64encode(self._payload.finish()).decode("ascii")),  # noqa: S704 base64
        )  # fmt: skip
        return page


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
        "lossy": "values may be cut or rounded", "unknown": "not decided, never a pass",
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


def _findings(results: Results, rows: pa.Table, servers: Mapping[str, str], before: set[bytes] | None) -> str:
    """The findings, and the definitions that they speak of, as the members of a JSON object."""
    import pyarrow as pa
    import pyarrow.compute as pc

    with collector_paused():
        strings = _Strings()
        sides = {
            name: rows.column(name).cast(pa.string()).combine_chunks()
            for name in ("source_signature", "replica_signature")
        }
        numbered = pc.unique(pa.chunked_array(sides.values())).drop_null()
        ordinals = {
            name: pc.fill_null(rows.column(name).cast(pa.int32()).combine_chunks(), 0)
            for name in ("source_ordinal", "replica_ordinal")
        }
        columns = {
            **{name: strings.column(rows.column(name)) for name in _COLUMNS},
            "depends": pc.fill_null(
                rows.column("depends_on_rows").cast(pa.bool_()).combine_chunks(), fill_value=False
            ).cast(pa.int8()),
            **ordinals,
            **{name: pc.fill_null(pc.index_in(side, numbered), -1) for name, side in sides.items()},
            "fresh": pa.array(_fresh(rows, before), pa.int8()),
        }
        lines, listed = shown.every(results.texts.all(numbered))
        rest = {
            "strings": strings.values,
            "lines": lines,
            "kinds": {
                text: kind(text)
                for name in ("source_type", "replica_type")
                for text in rows.column(name).unique().to_pylist()
                if text
            },
            "pages": {
                code: rule.doc
                for code in sorted(rows.column("code").unique().to_pylist())
                if (rule := find(code))
            },
            "servers": dict(servers),
            "largest": results.largest(150),
        }
        each = ",".join(
            f'"{name}":[{_joined(pa.ListArray.from_arrays([0, len(column)], column))[0]}]'
            for name, column in columns.items()
        )
        definitions = "],[".join(_joined(listed))
        written = f"[{definitions}]" if len(listed) else ""
        return f'"rows":{{{each}}},"definitions":[{written}],{_json(rest)[1:-1]}'


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def _joined(lists: pa.ListArray) -> list[str]:
    """Lists of numbers, each with commas between them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    joined: list[str] = pc.binary_join(
        pa.ListArray.from_arrays(lists.offsets, lists.values.cast(pa.string())), ","
    ).to_pylist()
    return joined


def _fresh(rows: pa.Table, before: set[bytes] | None) -> list[int]:
    """1 for each finding that the previous run did not have."""
    if before is None:
        return [0] * rows.num_rows
    return [int(fingerprint(row) not in before) for row in rows.select(list(KEY)).to_pylist()]
