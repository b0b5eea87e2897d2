"""The report in numbers and in one line."""

from __future__ import annotations

from collections import Counter

from schemacheck.engine.gate import entries, unread
from schemacheck.link.releases import newer
from schemacheck.model import Effect, LinkKind, PairReport, PairState, Report, Server, ToleratedBy
from schemacheck.model.quantity import plural
from schemacheck.outputs import _rollout
from schemacheck.outputs._style import one_line

_WORDS = {PairState.NOT_REPLICATED: "not replicated", PairState.SURPLUS: "only on the replica"}
_ORDER = ("ok", *(e.value for e in sorted(Effect, reverse=True)), *_WORDS.values())


#: The outcome by the exit status.
TITLES = ("Replication keeps running", "Replication is at risk", "", "Could not be decided")


def word(pair: PairReport) -> str:
    """What the summary counts a pair under."""
    if pair.verdict <= Effect.COMPATIBLE:
        return _WORDS.get(pair.state, "ok")
    return pair.verdict.value


def counts(report: Report) -> dict[str, int]:
    """Pairs by outcome, in the order of the summary line; outcomes that do not occur are left out."""
    result = Counter(word(pair) for pair in report.pairs)
    return {name: result[name] for name in _ORDER if result[name]}


def conversions_variable(server: Server) -> str:
    """How this server spells slave_type_conversions."""
    return "replica_type_conversions" if server.has("replica-words") else "slave_type_conversions"


def smallest(report: Report) -> str:
    """The smallest setting for the whole input as a phrase; '' where it was not asked."""
    best = report.smallest
    if best is None:
        return ""
    name = conversions_variable(report.link.replica)
    if best.modes is None:
        return f"no {name} helps" + (f": {best.reason}" if report.dead and best.reason else "")
    return f"smallest {name}: {best.modes or repr('')}"


def tolerated(report: Report) -> int:
    """How many findings the team's policy lets pass."""
    return sum(f.tolerated is not None and f.tolerated.by is not ToleratedBy.ROLLOUT for f in entries(report))


def tolerances(report: Report) -> dict[str, int]:
    """Of those, how many rules the call leaves out (`ignored`), and how many the team lives with."""
    ignored = sum(f.tolerated is not None and f.tolerated.by is ToleratedBy.OPTION for f in entries(report))
    return {"ignored": ignored, "tolerated": tolerated(report) - ignored}


def files(report: Report) -> str:
    """`3 of 5 files read`; '' where all were."""
    read = sum(file.count for file in report.files if file.read_as)
    every = sum(file.count for file in report.files)
    return f"{read:,} of {plural(every, 'file')} read" if read < every else ""


def accounts(report: Report) -> list[str]:
    """A line for every file: `source a.sql: read as sql`."""
    return [
        f"{file.side} {file.path}".strip()
        + (f": read as {file.read_as}" if file.read_as else ": not read")
        + (f", {file.why}" if file.why else "")
        for file in report.files
    ]


def baseline(report: Report) -> dict[str, int]:
    """Findings against the baseline: new, unchanged, fixed; empty where there is no baseline."""
    if report.fixed is None:
        return {}
    unchanged = sum(
        f.tolerated is not None and f.tolerated.by is ToleratedBy.BASELINE for f in report.findings
    )
    new = sum(f.tolerated is None and f.effect > Effect.COMPATIBLE for f in report.findings)
    return {"new": new, "unchanged": unchanged, "fixed": len(report.fixed)}


def skipped(report: Report) -> int:
    """How many pieces of the input were left out on purpose."""
    return sum(problem.skipped for problem in report.problems)


def line(report: Report) -> str:
    """`12 tables: 9 ok, 1 diverges, 1 stops, 1 unknown; smallest slave_type_conversions: ALL_NON_LOSSY`."""
    lost = sum(
        finding.effect is Effect.INCOMPLETE
        for pair in report.pairs
        if pair.verdict is Effect.INCOMPLETE
        for finding in pair.findings
    )
    meaning = {"incomplete": f" ({plural(lost, 'column')} {'does' if lost == 1 else 'do'} not arrive)"}
    by_word = ", ".join(f"{count:,} {name}{meaning.get(name, '')}" for name, count in counts(report).items())
    parts = [plural(len(report.pairs), "table") + (f": {by_word}" if by_word else "")]
    if report.rollout:
        parts = [_rollout.line(report, report.rollout)]
    if not_read := len(unread(report)):
        parts.append(plural(not_read, "piece") + " of the input not understood")
    if left_out := skipped(report):
        parts.append(f"{plural(left_out, 'part')} of the input left out")
    if seen := files(report):
        parts.append(seen)
    for word, count in tolerances(report).items():
        if count:
            parts.append(f"{plural(count, 'finding')} {word}")
    if by_name := baseline(report):
        parts.append("baseline: " + ", ".join(f"{count:,} {name}" for name, count in by_name.items()))
    if not report.rollout and (modes := smallest(report)):
        parts.append(modes)
    if report.evidence:
        counted = ", ".join(f"{word} {count:,}" for word, count in bites(report).items())
        parts.append(f"evidence: {counted or 'nothing to bite'}")
    return " ".join(one_line("; ".join(parts)).split())


def bites(report: Report) -> dict[str, int]:
    """Findings that matter by what evidence says of them, worst first."""
    stated = [f.evidence for f in report.findings if f.matters and f.evidence]
    words = [e.word if e.absent else e.bite.value for e in sorted(stated, key=lambda e: e.rank)]
    return dict(Counter(words))


def looked_at(report: Report) -> list[str]:
    """Lines about the evidence: what was looked at, keys near their end, the setting for today's data."""
    seen = report.evidence
    if seen is None:
        return []
    lines = [f"evidence: {one_line(source)}" for source in seen.sources]
    lines += [f"headroom: {one_line(line)}" for line in seen.headroom]
    if seen.smallest is not None and report.smallest and seen.smallest.modes != report.smallest.modes:
        name = conversions_variable(report.link.replica)
        lines.append(f"for today's data: {name} = {seen.smallest.modes!r}")
    return lines


def unnamed(report: Report) -> str:
    """The sentence that a report begins with where nobody said which servers these are; '' else."""
    if not report.assumed_servers:
        return ""
    taken = " and ".join(dict.fromkeys((str(report.link.source), str(report.link.replica))))
    return (
        f"The versions of the servers were not given: {taken} is assumed on both ends; "
        "--source-version and --replica-version, or the configuration, name them."
    )


def unrecorded(report: Report) -> str:
    """What the first lines say about versions newer than all that was recorded; '' else."""
    return "; ".join(newer(report.link)) + "." if newer(report.link) else ""


def assumed(report: Report) -> list[str]:
    """What was assumed and decided something: the servers, and settings by which something differs."""
    out = []
    if report.assumed_servers:
        out.append("both versions (give --source-version)")
    out += dict.fromkeys(text.removeprefix("source ").removeprefix("replica ") for text in newer(report.link))
    decided = {f.setting.partition("=")[0].strip() for f in report.findings if f.setting}
    for text in report.assumptions:
        name, _, value = text.partition(" = ")
        out += [text] if not value and text not in newer(report.link) else []
        bare = name.rpartition(" ")[2]
        bare = conversions_variable(report.link.replica) if bare == "slave_type_conversions" else bare
        out += [f"{bare} = {value}"] if bare in decided else []
    return out


def link(report: Report) -> str:
    """`MySQL 8.0.36 to MariaDB 10.11.6, ROW, slave_type_conversions = ''`."""
    modes = ",".join(sorted(report.link.type_conversions))
    name = conversions_variable(report.link.replica)
    if report.link.kind.cluster:
        kind = "Galera cluster" if report.link.kind is LinkKind.GALERA else "replication group"
        ends = f"{report.link.source} and {report.link.replica} as nodes of a {kind}"
        return f"{ends} (a node whose applier stops leaves it), {name} = '{modes}'"
    return f"{report.link.source} to {report.link.replica}, {report.link.binlog_format}, {name} = '{modes}'"
