"""HTML: one self-contained page, without scripts. Effects are words, marks and borders, not colour alone."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib import resources

from schemacheck.engine.gate import entries, exit_status, unread, urgency
from schemacheck.model import Effect, Finding, PairReport, Report, Table
from schemacheck.model.difference import without_moved
from schemacheck.outputs import _summary
from schemacheck.outputs._frame import frames
from schemacheck.outputs._style import Style, visible
from schemacheck.outputs.text import notes

_CLASS = {
    Effect.IDENTICAL: "good",
    Effect.COMPATIBLE: "good",
    Effect.INCOMPLETE: "warn",
    Effect.LOSSY: "warn",
    Effect.UNSUPPORTED: "warn",
    Effect.DIVERGES: "bad",
    Effect.STOPS: "bad",
    Effect.UNKNOWN: "dim",
}
_MARK = {"good": "✓", "warn": "△", "bad": "✗", "dim": "?"}


def render(report: Report) -> str:
    """The page; every text of the input is escaped."""
    css = (resources.files("schemacheck.outputs") / "_templates" / "check.css").read_text("utf-8")
    title = _summary.TITLES[exit_status(report)]
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    head = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<title>schemacheck: {title}</title>\n<style>\n{css}</style>\n</head>\n"
    )
    body = "\n".join(
        [_heading(report, title), *_findings(report), *_tables(report), *_input(report), _conditions(report)]
    )
    return f"{head}<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"


def _text(value: object) -> str:
    return escape(visible(str(value)))


def _heading(report: Report, title: str) -> str:
    items = "".join(
        f"<li><b>{count:,}</b>{escape(name)}</li>" for name, count in _summary.counts(report).items()
    )
    unnamed = _summary.unnamed(report)
    first = f"<p>{_text(unnamed)}</p>\n" if unnamed else ""
    return (
        f"<h1>{title}</h1>\n{first}<p>{_text(_summary.line(report))}</p>\n<p "
        f'class="soft">{_text(_summary.link(report))}</p>\n<ul class="counts">{items}</ul>'
    )


def _findings(report: Report) -> list[str]:
    owner = {(f.database, f.table): pair for pair in report.pairs for f in pair.findings}
    listed = sorted(without_moved(entries(report), report.pairs), key=lambda f: urgency(f.effect))
    groups = [
        ("Findings", [f for f in listed if f.tolerated is None and f.effect > Effect.COMPATIBLE]),
        ("About this check", list(report.remarks)),
        (
            "Harmless differences",
            [
                f
                for f in listed
                if f.tolerated is None and f.effect <= Effect.COMPATIBLE and f not in report.remarks
            ],
        ),
        ("Tolerated findings", [f for f in listed if f.tolerated is not None]),
    ]
    out = []
    for name, findings in groups:
        if not findings:
            if name == "Findings":
                out.append(f"<h2>{name}</h2>\n<p>{'None' if report.pairs else 'No table was compared'}.</p>")
            continue
        cards = "\n".join(_cards(findings, owner))
        if name == "Findings":
            out.append(f"<h2>{name}</h2>\n{cards}")
        else:
            out.append(f"<details><summary>{name} ({len(findings):,})</summary>\n{cards}\n</details>")
    return out


def _cards(findings: list[Finding], owner: dict[tuple[str | None, str], PairReport]) -> Iterator[str]:
    """A card for each cause: one rule with one pair of types in several tables is one card that opens."""
    causes: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        types = (finding.source.text, finding.replica.text) if finding.column else ()
        causes.setdefault((finding.effect, finding.code, *types), []).append(finding)
    for same in causes.values():
        cards = "\n".join(_card(f, owner.get((f.database, f.table or ""))) for f in same)
        tables = {(f.database, f.table) for f in same}
        if len(tables) > 1:
            first, kind = same[0], _CLASS[same[0].effect]
            head = (
                f'<span class="badge">{_MARK[kind]} {first.effect.value}</span> <b>{len(tables):,}'
                " tables</b> "
                f'{_text(first.message)} <span class="soft">{escape(first.code)} {escape(first.rule)}</span>'
            )
            cards = f'<details class="cause {kind}"><summary>{head}</summary>\n{cards}\n</details>'
        yield cards


def _card(finding: Finding, pair: PairReport | None) -> str:
    kind = _CLASS[finding.effect]
    tables: tuple[Table | None, Table | None] = (pair.source, pair.replica) if pair else (None, None)
    code = "\n".join(frames(finding.source, finding.replica, tables, Style(unicode=True)))
    rows = "".join(
        f"<dt>{escape(label)}</dt><dd>{_value(label, text)}</dd>" for label, text in notes(finding)
    )
    return (
        f'<article class="{kind}">\n'
        f'<h3><span class="badge">{_MARK[kind]} {finding.effect.value}</span> '
        f"<code>{_text(finding.subject or finding.table)}</code>"
        f' <span class="soft">{escape(finding.code)} {escape(finding.rule)}</span></h3>\n'
        f"<p>{_text(finding.message)}</p>\n"
        + (f"<pre>{escape(code)}</pre>\n" if code else "")
        + (f"<dl>{rows}</dl>\n" if rows else "")
        + "</article>"
    )


def _value(label: str, text: str) -> str:
    coded = label.startswith(("sql", "affected", "compare")) or label == "decided by"
    return f"<code>{_text(text)}</code>" if coded else _text(text)


def _tables(report: Report) -> list[str]:
    if not report.pairs:
        return []
    rows = []
    for pair in sorted(report.pairs, key=lambda p: p.verdict, reverse=True):
        best = pair.smallest
        modes = (
            "" if best is None else "none helps: " + best.reason if best.modes is None else best.modes or "''"
        )
        verdict = f"{_MARK[_CLASS[pair.verdict]]} {pair.verdict.value}"
        state = pair.state.value + (f": {pair.reason}" if pair.reason else "")
        rows.append(
            f"<tr><td><code>{_text(pair.name)}</code></td><td>{verdict}</td><td>{_text(state)}</td><td>{_text(modes)}</td></tr>"
        )
    heading = "<tr><th>Table</th><th>Verdict</th><th>State</th><th>Smallest setting</th></tr>"
    return [
        f"<h2>Tables</h2>\n<table><thead>{heading}</thead><tbody>\n" + "\n".join(rows) + "\n</tbody></table>"
    ]


def _input(report: Report) -> list[str]:
    left_out = [p for p in report.problems if p.skipped]
    out = []
    if left_out:
        items = "".join(f"<li>{_text(p.location or '')} {_text(p.message)}</li>" for p in left_out)
        out.append(f"<details><summary>Left out ({len(left_out):,})</summary><ul>{items}</ul></details>")
    if report.files:
        items = "".join(f"<li>{_text(account)}</li>" for account in _summary.accounts(report))
        out.append(f"<details><summary>Files ({len(report.files):,})</summary><ul>{items}</ul></details>")
    if report.fixed:
        items = "".join(
            f"<li>{escape(k.code)} {_text(k.subject)}: {_text(k.message)}</li>" for k in report.fixed
        )
        out.append(
            "<details><summary>Fixed since the baseline "
            f"({len(report.fixed):,})</summary><ul>{items}</ul></details>"
        )
    if unread(report):
        out.append(
            '<p class="soft">Input that was not understood is among the findings as unknown; it is '
            "never a pass.</p>"
        )
    return out


def _conditions(report: Report) -> str:
    assumed = (
        f"<p>Assumed, since nothing said otherwise: {_text(', '.join(report.assumptions))}.</p>"
        if report.assumptions
        else ""
    )
    return (
        f'<footer class="soft">{assumed}<p>The gate fails from effect {escape(report.fail_on.value)} '
        "on.</p></footer>"
    )
