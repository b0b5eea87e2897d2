"""One file of `fixtures/ddl/`: two definitions, what runs between them, and what is expected.

    -- Words about the case.
    -- source: mysql-8.0.36
    -- replica: mariadb-10.11            (as the source where it is not given)
    -- servers: mysql-5.6.51, mysql-8.0.36   (instead: each of them at both ends)
    -- set: slave_type_conversions=ALL_NON_LOSSY    (also source-set, replica-set; repeatable)
    -- kind: galera                      (or group; ordinary replication where it is not given)
    -- channel: position=file, SOURCE_SSL=0   (options of the channel, for rules about links)
    -- filters: replicate-do-db=shop     (repeatable)
    -- tolerate: SC204 until 2020-01-01  (an entry of the configuration's `tolerate:`)
    -- inline: off                       (comments in the SQL do not count)
    -- expect: nothing                   (or CODE EFFECT [ERROR], several with `;`)
    -- expect @mysql-5.1: SC201 stops 1535   (only for servers whose name starts so)
    -- message: Column 0 of table        (a part of some error's text; `@` as above)
    -- manual: what the manual says
    -- [source]
    CREATE TABLE t (a INT);              -- expect: SC201 stops 13146
    -- [replica]
    CREATE TABLE t (a BIGINT);

An `-- expect:` at the end of a line stands for a finding that points at that line, one above the
sections for a finding anywhere. Definitions keep their line numbers. A section may be of another
format: `-- [source.csv]`. A `-- [log]` section holds a binary log in base64 instead of the source's
definitions.
"""

from __future__ import annotations

import base64
import dataclasses
import datetime as dt
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from schemacheck import engine, library
from schemacheck.config.model import Tolerated
from schemacheck.engine.gate import as_finding, entries
from schemacheck.engine.programs import with_programs
from schemacheck.inputs import open_schema
from schemacheck.link import Account, Channel, Ends
from schemacheck.model import Effect, Finding, Link, LinkKind, Location, Report, Schema, Server
from schemacheck.model.replicated import RefusedStatement
from schemacheck.policy import Policy, apply
from schemacheck.replay.change import replay
from tests.filter_options import parse as parse_filters

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "ddl"
TODAY = dt.date(2026, 1, 1)
_HEADER = re.compile(
    r"--\s*(source|replica|servers|set|source-set|replica-set|kind|channel|filters|tolerate|inline|expect|message|manual)(?:\s+@(\S+))?:\s*(.*)"
)
_EXPECT = re.compile(r"--\s*expect(?:\s+@(\S+))?:\s*(.*)")


@dataclass(frozen=True)
class Expectation:
    """A finding that must be there; `line` 0 for anywhere, `only` the beginning of a server's name."""

    code: str
    effect: Effect
    error: int | None
    line: int
    only: str

    def meets(self, finding: Finding) -> bool:
        places = [side.location.line for side in (finding.source, finding.replica) if side.location]
        return (
            finding.code == self.code
            and finding.effect is self.effect
            and (self.error is None or (finding.error is not None and finding.error.number == self.error))
            and (self.line == 0 or self.line in places)
        )

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.code} {self.effect.value}" + (
            f" {self.error}" if self.error is not None else ""
        )


@dataclass
class Case:
    """A fixture file."""

    path: Path
    links: list[tuple[str, str]] = field(default_factory=list)
    settings: dict[str, dict[str, str]] = field(default_factory=lambda: {"source": {}, "replica": {}})
    filters: list[str] = field(default_factory=list)
    tolerated: list[Tolerated] = field(default_factory=list)
    inline: bool = True
    expected: list[Expectation] = field(default_factory=list)
    messages: list[tuple[str, str]] = field(default_factory=list)
    manual: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    silent: bool = False
    kind: LinkKind = LinkKind.REPLICATION
    channel: Channel | None = None
    sections: dict[str, str] = field(default_factory=dict)
    formats: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}"

    @property
    def about_link(self) -> bool:
        """Cases of rules that look at the link are judged by what the preflight says; others
        leave it aside.
        """
        return self.path.parent.name.startswith("link-")

    def codes(self) -> set[str]:
        return {e.code for e in self.expected}


def read(path: Path) -> Case:
    """Parse one file. Raises ValueError where it is not understood."""
    case = Case(path)
    section = ""
    lines: dict[str, list[str]] = {}
    ends: dict[str, str] = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        opened = re.fullmatch(r"-- \[(source|replica|log|change)(?:\.(\w+))?\]", line.strip())
        if opened:
            section = opened[1]
            case.formats[section] = opened[2] or "sql"
            lines[section] = [""] * number if opened[2] is None else []
            continue
        if section:
            lines[section].append(line)
            found = _EXPECT.search(line)
            if found:
                _expect(case, found[2], found[1] or "", number)
            continue
        header = _HEADER.fullmatch(line.strip())
        if header is None:
            if line.strip() and not line.startswith("-- "):
                raise ValueError(f"{path}:{number}: not a comment: {line}")
            case.words.append(line.removeprefix("-- ").strip())
            continue
        word, only, value = header[1], header[2] or "", header[3].strip()
        if word in ("source", "replica"):
            ends[word] = value
        elif word == "servers":
            case.links = [(name.strip(), name.strip()) for name in value.split(",")]
        elif word.endswith("set"):
            name, _, setting = value.partition("=")
            for end in ("source", "replica"):
                if word in ("set", f"{end}-set"):
                    case.settings[end][name] = setting
        elif word == "kind":
            case.kind = LinkKind(value)
        elif word == "channel":
            words = [part.strip().partition("=") for part in value.split(",")]
            options = {name: given for name, _, given in words if name.isupper()}
            position = next((given for name, _, given in words if name == "position"), "file")
            case.channel = Channel(options, position)
        elif word == "filters":
            case.filters.append(f"--{value}")
        elif word == "tolerate":
            rule, _, day = value.partition(" until ")
            case.tolerated.append(
                Tolerated(
                    "a test",
                    Location("schemacheck.yaml", 1),
                    rule.strip(),
                    expires=dt.date.fromisoformat(day) if day else None,
                )
            )
        elif word == "inline":
            case.inline = value != "off"
        elif word == "manual":
            case.manual.append(value)
        elif word == "message":
            case.messages.append((only, value))
        else:
            _expect(case, value, only, 0)
    case.sections = {name: "\n".join(text) + "\n" for name, text in lines.items()}
    if not case.links:
        case.links = [(ends["source"], ends.get("replica", ends["source"]))]
    if not case.sections.keys() & {"source", "log"} or "replica" not in case.sections:
        raise ValueError(f"{path}: a section is missing")
    if case.silent == bool(case.expected):
        raise ValueError(
            f"{path}: expects both nothing and something"
            if case.silent
            else f"{path}: expects nothing and does not say so"
        )
    return case


def _expect(case: Case, text: str, only: str, line: int) -> None:
    if text == "nothing":
        case.silent = True
        return
    for part in text.split(";"):
        code, effect, *error = part.split()
        case.expected.append(Expectation(code, Effect(effect), int(error[0]) if error else None, line, only))


def links(case: Case) -> list[Link]:
    return [
        Link(Server.parse(a, case.settings["source"]), Server.parse(b, case.settings["replica"])).as_kind(
            case.kind
        )
        for a, b in case.links
    ]


def findings(case: Case, link: Link) -> tuple[Finding, ...]:
    """Everything that a check of the case lists."""
    replica = _schema(case, "replica", link.replica)
    if "log" in case.sections:
        return _log_findings(case, replica, link)
    source = _schema(case, "source", link.source)
    filters = parse_filters("\n".join(case.filters), link.replica).channel("") if case.filters else None
    refused: tuple[RefusedStatement | None, ...] = ()
    if "change" in case.sections:
        scripts = [(str(case.path), case.sections["change"])]
        after = replay(source, replica, scripts, link, filters=filters)
        source, replica, refused = after.source, after.replica, (after.refused, *after.differing)
        source = dataclasses.replace(source, problems=(*source.problems, *after.problems))
    report: Report = engine.check(
        source.tables, replica.tables, link, source.problems, replica.problems, filters
    )
    report = with_programs(engine.with_refused(report, *refused), source, replica)
    texts = (
        {str(case.path): case.path.read_text("utf-8")}
        if "schemacheck:" in case.sections["source"] + case.sections["replica"]
        else {}
    )
    told = entries(apply(report, Policy(tolerate=tuple(case.tolerated), inline=case.inline), texts, TODAY))
    if not case.about_link:
        return tuple(finding for finding in told if finding not in report.link_findings)
    ends = Ends(link, case.channel, Account() if case.channel else None)
    return tuple(f for f in engine.preflight(ends) if f.rule == case.path.parent.name)


def _schema(case: Case, section: str, server: Server) -> Schema:
    text, ending = case.sections[section], case.formats[section]
    if ending == "sql":
        return library.parse(text, server, file=str(case.path))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{section}.{ending}"
        file.write_text(text, "utf-8")
        return open_schema(str(file), server=server)


def _log_findings(case: Case, replica: Schema, link: Link) -> tuple[Finding, ...]:
    """The log's problems, and what it finds in tables."""
    from schemacheck.applier import LogCheck, check_logs

    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "bin.000001"
        log.write_bytes(base64.b64decode(case.sections["log"]))
        report = check_logs([str(log)], lambda _: LogCheck(replica, link))
    return tuple(as_finding(problem) for problem in report.problems)
