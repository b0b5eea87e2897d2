"""The summary of a run: `summary.json`, and ten lines for a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import shorten
from typing import Any

from schemacheck.fleet.columns import VERSION
from schemacheck.fleet.results import WORST_FIRST, Results, sums
from schemacheck.fleet.topology import NO_CLUSTER
from schemacheck.model import Effect
from schemacheck.model.quantity import plural


def summarise(
    results: Results,
    facts: Mapping[str, Any],
    of_fleet: Iterable[str],
    unread: tuple[int, int],
    changes: Mapping[str, int] | None,
) -> dict[str, Any]:
    """All headline figures. `facts` are what the run itself knows (links, instances, engine, seconds),
    `of_fleet` the clusters of its links, `unread` the problems of the input that leave something unknown, and
    the others.
    """
    verdicts: Counter[str] = Counter()
    states: Counter[str] = Counter()
    decided: Counter[str] = Counter()
    clusters, left = ({name: Counter[str]() for name in of_fleet} for _ in range(2))
    for row in results.tables():
        verdicts[row["verdict"]] += row["count"]
        states[row["state"]] += row["count"]
        decided[row["decided_by"]] += row["count"]
        clusters[row["cluster"] or NO_CLUSTER][row["verdict"]] += row["count"]
        left[row["cluster"] or NO_CLUSTER]["unknown"] += row["count"] * (row["verdict"] == "unknown")
    for row in (findings := results.findings()):
        left[row["cluster"] or NO_CLUSTER][row["effect"]] += row["count"] * (not row["bite_absent"])
    rules = sums(findings, "code", "rule", "effect")
    order = sorted(rules, key=lambda rule: (-Effect(rule[2]).rank, -rules[rule], rule))
    return {
        "schema_version": VERSION,
        **facts,
        "pairs": sum(verdicts.values()),
        "verdicts": {effect.value: verdicts[effect.value] for effect in Effect},
        "states": dict(sorted(states.items())),
        "decided_by": dict(sorted(decided.items())),
        "findings": sum(rules.values()),
        "evidence": _by_state(findings),
        "rules": [
            {"code": code, "rule": rule, "effect": effect, "count": rules[code, rule, effect]}
            for code, rule, effect in order
        ],
        "clusters": {
            name: {v: counts[v] for v in WORST_FIRST if counts[v]}
            for name, counts in sorted(clusters.items())
        },
        "left": left,
        "types": results.types(),
        "smallest_setting": results.smallest(),
        "settings": results.settings(),
        "input_problems": {"unread": unread[0], "noted": unread[1]},
        "previous": dict(changes) if changes else None,
    }


def _by_state(findings: Iterable[Mapping[str, Any]]) -> dict[str, int] | None:
    """Findings by what evidence says of them, worst first; None without evidence."""
    result: Counter[str] = Counter()
    for row in findings:
        if state := row["bite"]:
            result["none today" if state == "could" and row["bite_absent"] else state] += row["count"]
    return {name: result[name] for name in ("bites", "could", "none today", "cannot")} if result else None


def _unread(problem: Mapping[str, Any]) -> str:
    """The first problem of the input, with its place."""
    line = f":{problem['line']}" if problem["line"] else ""
    return f"  not read: first {problem['file'] or problem['instance']}{line}: {problem['message']}"


def only_biting(summary: Mapping[str, Any]) -> dict[str, Any]:
    """The summary as it is judged where what nothing is there for today does not count: by effect, unknown
    tables and all other findings.
    """
    verdicts: Counter[str] = Counter()
    for counts in summary["left"].values():
        verdicts.update(counts)
    links = [row for row in summary["link_findings"] if not row.get("bite_absent")]
    return {**summary, "verdicts": verdicts, "clusters": summary["left"], "link_findings": links}


def exit_status(summary: Mapping[str, Any], fail_on: Effect) -> int:
    """0: nothing at or above `fail_on`; 1: findings; 3: only unknowns are in the way. What a link does by
    itself, and what rings and chains do, count like what tables do.
    """
    listed = {row["effect"] for row in summary["link_findings"]}
    listed |= {row["effect"] for row in summary["topology"]["findings"]}
    listed |= {effect for effect, count in summary["verdicts"].items() if count}
    if any(effect.value in listed for effect in Effect if fail_on <= effect < Effect.UNKNOWN):
        return 1
    return 3 if "unknown" in listed or summary["input_problems"]["unread"] else 0


def statuses(summary: Mapping[str, Any], fail_on: Effect) -> dict[str, int]:
    """The exit status of every cluster by itself."""
    result = {}
    for name, verdicts in summary["clusters"].items():
        of_links = [row for row in summary["link_findings"] if (row["cluster"] or NO_CLUSTER) == name]
        # What could not be read may belong to any of them.
        own = {**summary, "verdicts": verdicts, "link_findings": of_links}
        result[name] = exit_status(own, fail_on)
    return result


def smallest_setting(summary: Mapping[str, Any]) -> tuple[str, str]:
    """The smallest setting for all tables in a word, and what that means where the word does not say it."""
    result = summary["smallest_setting"]
    if dead := summary["links_by_effect"].get("stops"):
        return "none", "a link does not run" if dead == 1 else "links do not run"
    if not result["outcomes"]:
        return "unknown", "no table was compared"
    if result["modes"] is None:
        return "none", "no single setting keeps every value"
    return (result["modes"], "") if result["modes"] else ("''", "no conversion is needed")


def lines(summary: Mapping[str, Any], out: str) -> list[str]:
    """The ten lines."""
    verdicts = summary["verdicts"]
    word, meaning = smallest_setting(summary)
    setting = f"{word} ({meaning})" if meaning else repr(word)
    change = summary["previous"]
    since = (
        (
            f"{change['new']:,} new, {change['fixed']:,} fixed, "
            + (f"{change['unseen']:,} not seen any more, " if change["unseen"] else "")
            + f"{change['unchanged']:,} unchanged since the previous run"
        )
        if change
        else "no previous run given (--previous)"
    )
    decided = summary["decided_by"]
    states = summary["states"]
    apart = [
        f"{states[name]:,} {name}"
        for name in ("missing", "surplus", "not-replicated", "unreadable")
        if states.get(name)
    ]
    problems = summary["input_problems"]
    asked, listed = summary.get("what_if"), summary.get("evidence")
    return [
        *([f"what if: {asked}"] if asked else []),
        (
            f"{plural(summary['pairs'], 'table pair')} on {plural(summary['links'], 'link')} of "
            f"{plural(summary['instances'], 'instance')}, in {summary['seconds']:.1f} s on "
            f"{summary['engine']}"
        ),
        *_links(summary),
        *_ways(summary.get("topology")),
        f"  stops      {verdicts['stops']:>10,}   the replica's applier will stop",
        f"  diverges   {verdicts['diverges']:>10,}   values differ without any error",
        (
            f"  unsupported{verdicts['unsupported']:>10,}   lossy {verdicts['lossy']:,}, "
            f"incomplete {verdicts['incomplete']:,}"
        ),
        (
            f"  unknown    {verdicts['unknown']:>10,}   could not be decided "
            f"({plural(problems['unread'], 'unread input')})"
        ),
        *([_unread(problems["first"])] if "first" in problems else []),
        (
            f"  unharmed   {verdicts['identical'] + verdicts['compatible']:>10,}   {verdicts['identical']:,} "
            f"identical, {verdicts['compatible']:,} compatible"
        ),
        (
            f"{decided.get('hash', 0):,} pairs settled by hash, {decided.get('engine', 0):,} by "
            f"{summary['decisions']:,} decisions"
        )
        + (f"; {', '.join(apart)}" if apart else ""),
        *summary.get("not_looked_at", ()),
        f"smallest setting for all: {setting}",
        *([f"evidence: {', '.join(f'{state} {n:,}' for state, n in listed.items() if n)}"] if listed else []),
        *_worst(summary.get("causes") or (), out),
        *([since] if change else ()),
        f"report: {out}/report.html",
    ]


def _links(summary: Mapping[str, Any]) -> list[str]:
    """The links that do not run, or lose something, and the first reason; nothing where all run."""
    counts = summary["links_by_effect"]
    if not counts:
        return []
    words = [
        f"{counts[name]:,} {says}"
        for name, says in (
            ("stops", "does not run" if counts.get("stops") == 1 else "do not run"),
            ("unknown", "may not run"),
        )
        if counts.get(name)
    ]
    words += [f"{counts[name]:,} {name}" for name in counts if name not in ("stops", "unknown")]
    first = summary["link_findings"][0]
    row = next((r for r in summary["link_findings"] if r["effect"] == "stops"), first)
    error = f"error {row['error']}, " if row["error"] else ""
    place = f"{row['source']} to {row['replica']} [{row['code']}]"
    message = shorten(row["message"], 160, placeholder=" ...")
    return [f"links: {', '.join(words)}: first {place}: {error}{message}"]


def _worst(causes: Sequence[Mapping[str, Any]], out: str) -> Iterator[str]:
    """The first cause, with its fix."""
    if causes:
        cause, row = causes[0], causes[0]["first"]
        where = f"{row['source']} to {row['replica']}, {row['database']}.{row['table']}"
        yield (
            f"worst of {plural(len(causes), 'cause')}: {plural(cause['tables'], 'table')} "
            f"[{cause['code']} {cause['rule']}], {cause['effect']}"
        )
        yield f"  such as {where}: {shorten(cause['message'], 160, placeholder=' ...')}"
        fix = f"{out}/{cause['scripts'][0]}" if cause["scripts"] else cause["remedy"]
        more = len(cause["scripts"]) - 1
        yield f"  fix: {fix}" + (f" and {plural(more, 'script')} beside it" if more > 0 else "")


def _ways(topology: Mapping[str, Any] | None) -> list[str]:
    """What rings and chains do, and the first sentence; all are in summary.json and in the page."""
    ways = sorted(topology["findings"], key=lambda row: -Effect(row["effect"]).rank) if topology else []
    if not ways:
        return []
    kinds = Counter(row["kind"] for row in ways)
    counts = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items()))
    return [f"rings and chains: {counts}: first {shorten(ways[0]['message'], 160, placeholder=' ...')}"]
