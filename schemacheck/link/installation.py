"""What every installation sets for itself, so that a version's default says nothing of it: its GTID mode, its
certificate, the replication account. What stops a link only because of such an assumption is a note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from schemacheck import knowledge
from schemacheck.dataclass import replace
from schemacheck.link.connect import connects
from schemacheck.link.ends import Ends
from schemacheck.model import Effect, Finding


def certain(
    findings: Sequence[Finding], ends: Ends, decide: Callable[[Ends], list[Finding]]
) -> list[Finding]:
    """The findings of `decide` about these ends; those that it does not have of ends installed otherwise are
    notes.
    """
    out = list(findings)
    for what, option, otherwise in _otherwise(ends):
        if all(finding.effect <= Effect.COMPATIBLE for finding in out):
            break
        holds = {(finding.code, finding.message) for finding in decide(otherwise)}
        out = [
            finding
            if finding.effect <= Effect.COMPATIBLE or (finding.code, finding.message) in holds
            else replace(
                finding,
                effect=Effect.COMPATIBLE,
                depends_on_rows=True,
                message=f"{what} was not given (give {option} to have it checked); by default "
                f"{finding.message}",
            )
            for finding in out
        ]
    return out


def connecting(ends: Ends) -> Ends:
    """These ends, installed otherwise where nothing but an assumption keeps them from connecting."""
    others = (otherwise for _, _, otherwise in _otherwise(ends))
    return next((ends for ends in (ends, *others) if connects(ends) is None), ends)


def _otherwise(ends: Ends) -> Iterator[tuple[str, str, Ends]]:
    """What was not given, the option that gives it, and the ends with another value of it."""
    sides = {"source": ends.source, "replica": ends.replica}
    for name, values in knowledge.load("variables")["installed"].items():
        open_ends = [side for side, server in sides.items() if not server.given(name)]
        for value in values if open_ends else ():
            source, replica = (
                server.with_told({name: value}) if side in open_ends else server
                for side, server in sides.items()
            )
            option = "--set" if len(open_ends) == 2 else f"--{open_ends[0]}-set"
            yield (
                name,
                f"{option} {name}=VALUE",
                replace(ends, link=replace(ends.link, source=source, replica=replica)),
            )
    account = ends.account
    if account is not None and not account.plugin:
        plugin = "mysql_native_password" if ends.source.has("server-native") else ""
        other = replace(account, cached=True, plugin=plugin)
        yield "the account", "--plugin or --channel SOURCE_SSL=1", replace(ends, account=other)
