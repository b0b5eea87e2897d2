"""`report.html`: one file that opens offline, with everything in it."""

from __future__ import annotations

import base64
import gzip
import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

from schemacheck.fleet.results import Results, kind
from schemacheck.fleet.summary import smallest_setting
from schemacheck.model.quantity import plural
from schemacheck.rules import find
from schemacheck.system.collector import collector_paused
from schemacheck.text.printable import visible

if TYPE_CHECKING:
    import pyarrow as pa

_COLUMNS = (
    "source_ordinal", "replica_ordinal",
    "effect", "code", "rule", "cluster", "source", "replica", "channel", "database", "table", "column",
    "source_type", "replica_type", "message",
    "errno", "error", "setting", "remedy", "remedy_sql", "example_source", "example_replica", "reference",
)  # fmt: skip
#: Findings that the page itself holds (half a megabyte), and that a file beside it holds; and all that it
#: can show (the data set holds all).
PART = 4_000
LIMIT = 3 * PART
#: The folder of those files.
_FOLDER = "report"
_LISTED = 500
#: Clusters, kinds of types, tables by size, and runs that the page shows.
_CLUSTERS, _KINDS, _LARGEST, _RUNS = 40, 25, 20, 30
#: What each effect means, in the order in which the page tells of them.
_NOTES = {
    "stops": "the applier stops with an error",
    "diverges": "other values, and no error",
    "unknown": "not decided, never a pass",
    "unsupported": "the manual forbids it",
    "lossy": "values may be cut or rounded",
    "incomplete": "a column does not arrive",
}
_EFFECTS = (*_NOTES, "compatible", "identical")


class _Strings:
    """Every text once. Number 0 is None."""

    def __init__(self) -> None:
        self.values: list[str | None] = [None]
        self._numbers: dict[str | None, int] = {None: 0}

    def number(self, text: str | None) -> int:
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = len(self.values)
            self.values.append(text)
        return number

    def numbers(self, values: pa.ChunkedArray) -> list[int]:
        """The numbers of a column's values as text."""
        import pyarrow as pa
        import pyarrow.compute as pc

        coded = pa.array([], pa.string()).dictionary_encode()
        if len(values):
            coded = values.cast(pa.string()).combine_chunks().dictionary_encode()
        numbers = pa.array([self.number(text) for text in coded.dictionary.to_pylist()], pa.int64())
        result: list[int] = pc.fill_null(numbers.take(coded.indices), 0).to_pylist()
        return result


def files(
    results: Results,
    rows: pa.Table,
    servers: Mapping[str, str],
    summary: Mapping[str, Any],
    problems: Sequence[Mapping[str, Any]],
) -> dict[str, str]:
    """The page of a run, and files beside it with more findings, by name. `rows` are the worst findings,
    `servers` is the name of every instance's server.
    """
    rows = rows.slice(0, LIMIT)
    whole = [rows.slice(at, PART) for at in range(0, rows.num_rows, PART)]
    made = {
        f"{_FOLDER}/{number}.js": f'schemacheck.add({number},"{_packed(_findings(part))}");\n'
        for number, part in enumerate(whole[1:], 1)
    }
    codes = sorted(rows.column("code").unique().to_pylist())
    rest = {
        "pages": {code: rule.doc for code in codes if (rule := find(code))},
        "servers": dict(servers),
        "effects": _EFFECTS,
        "parts": list(made),
        "of": rows.num_rows,
    }
    first = _packed({**_findings(whole[0] if whole else rows), **rest})
    return {**made, "report.html": _rendered(results, summary, problems, rows.num_rows, first)}


def _rendered(
    results: Results,
    summary: Mapping[str, Any],
    problems: Sequence[Mapping[str, Any]],
    shown: int,
    payload: str,
) -> str:
    from jinja2 import Environment
    from markupsafe import Markup

    def safe(value: object) -> object:
        """Characters that hide or reorder text, by their numbers."""
        return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    folder = resources.files("schemacheck.fleet") / "page"
    environment = Environment(autoescape=True, finalize=safe)
    environment.filters["plural"] = plural
    template = environment.from_string((folder / "report.html.j2").read_text("utf-8"))
    word, meaning = smallest_setting(summary)
    unknown_count, unknowns = results.unknown()
    # Our own pieces are the only ones that are not escaped; none of them holds input.
    page: str = template.render(
        summary=summary, notes=_NOTES, shown=shown, worst_first=_EFFECTS, unknowns=unknowns,
        unknown_count=unknown_count, problems=[p for p in problems if not p["skipped"]],
        smallest=f"{word} ({meaning})" if meaning else word, heat=_heat(summary["types"]),
        link_rows=summary["link_findings"][:_LISTED], runs=summary["trend"][: -_RUNS - 1 : -1],
        titles={code: rule.title for cause in summary["causes"] if (rule := find(code := cause["code"]))},
        largest=results.largest()[:_LARGEST],
        clusters=sorted(summary["clusters"].items(), key=_badness, reverse=True)[:_CLUSTERS],
        css=Markup((folder / "report.css").read_text("utf-8")),  # noqa: S704 see above
        js=Markup((folder / "report.js").read_text("utf-8")),  # noqa: S704 see above
        payload=Markup(payload),  # noqa: S704 base64
    )  # fmt: skip
    return page


def _badness(cluster: tuple[str, Mapping[str, int]]) -> tuple[int, ...]:
    """Clusters by how many of their pairs stop, then diverge, and so on."""
    return tuple(cluster[1].get(effect, 0) for effect in _EFFECTS)


def _heat(types: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The most frequent kinds of types as a table; `share` is how strong a cell's colour is, in percent: the
    highest count has the strongest.
    """
    ends = []
    for end in ("source", "replica"):
        totals: Counter[str] = Counter()
        for row in types:
            totals[row[end]] += row["count"]
        ends.append([name for name, _ in totals.most_common(_KINDS)])
    most = math.log1p(max((row["count"] for row in types), default=1))
    cells = {
        (row["source"], row["replica"]): {**row, "share": round(8 + 92 * math.log1p(row["count"]) / most)}
        for row in types
    }
    return {"to": ends[1], "rows": [(a, [cells.get((a, b)) for b in ends[1]]) for a in ends[0]]}


def _packed(value: object) -> str:
    """A value as compressed JSON in base64."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), 4, mtime=0)).decode("ascii")


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
        lines = [[strings.number(line) for line in side] for side in sides]
        return {"rows": columns, "definitions": lines, "strings": strings.values, "kinds": kinds}
