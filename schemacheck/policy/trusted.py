"""A policy from a place that the change cannot touch: which comments count, and what the change would have
relaxed.

Whoever writes a change also writes its comments, its configuration, its filters and its baseline. What only
the change has is not followed, and each such thing is remarked on (SC093).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from schemacheck.model.policy import SuppressionUse

if TYPE_CHECKING:
    from schemacheck.config.model import Config, LinkConfig, Placed
    from schemacheck.policy.comments import Suppression
    from schemacheck.policy.model import Policy


def followed(
    found: Sequence[Suppression], file: str, policy: Policy
) -> tuple[list[Suppression], list[SuppressionUse]]:
    """The comments of a file that count, and the others with the reason. A comment is the same one as in the
    trusted version of its file where rules, line and table are.
    """
    from schemacheck.dataclass import replace
    from schemacheck.policy import comments

    there: Counter[tuple[object, ...]] | None = None
    if policy.trusted is not None and policy.trusted.texts is not None:
        there = Counter(map(_same, comments.scan(policy.trusted.texts.get(file, ""), file)))
    count, refused = [], []
    for one in found:
        if one.wrong:
            count.append(one)
        elif not policy.inline:
            refused.append(_refused(one, "comments do not count here (--no-inline-suppressions)"))
        elif there is not None and not there[_same(one)]:
            place = policy.trusted.name if policy.trusted else ""
            refused.append(_refused(one, f"the change brings it, and {place} does not have it"))
        elif policy.needs_reason and not one.reason:
            wrong = "it gives no reason, and the configuration requires one"
            count.append(replace(one, codes=(), wrong=wrong))
        else:
            count.append(one)
            if there is not None:
                there[_same(one)] -= 1
    return count, refused


def _same(one: Suppression) -> tuple[object, ...]:
    return one.codes, one.line is None, one.about


def _refused(one: Suppression, why: str) -> SuppressionUse:
    return SuppressionUse(f"suppression of {', '.join(one.codes)}", one.location, untrusted=why)


def differences(name: str, trusted: Config, own: Config) -> tuple[SuppressionUse, ...]:
    """What a change's own configuration says that the trusted one does not say: every key, whichever way it
    goes.
    """
    why = f"{name} does not say so"
    out = []

    def told(what: str, placed: Placed[object] | Placed[str]) -> None:
        value = getattr(placed.value, "value", placed.value)
        out.append(SuppressionUse(f"setting {what}: {value}", placed.location, untrusted=why))

    for what, here, there in (
        ("fail-on", own.fail_on, trusted.fail_on),
        ("baseline", own.baseline, trusted.baseline),
        ("against", own.against, trusted.against),
        ("ask", own.ask, trusted.ask),
    ):
        if here is not None and (there is None or here.value != there.value):
            told(what, here)  # type: ignore[arg-type]
    for what, words, known in (
        ("select", own.select, trusted.select),
        ("ignore", own.ignore, trusted.ignore),
    ):
        for word in words:
            if word.value not in {one.value for one in known}:
                told(what, word)
    for database, placed in own.maps:
        if (database, placed.value) not in {(name_, one.value) for name_, one in trusted.maps}:
            told(f"map: {database}", placed)
    known_entries = {_entry(one) for one in trusted.tolerate}
    for entry in own.tolerate:
        if _entry(entry) not in known_entries:
            what = " ".join([entry.rule or "all rules", *entry.tables])
            out.append(SuppressionUse(f"setting tolerate: {what}", entry.location, untrusted=why))
    for kind, links, others in (
        ("links", own.links, trusted.links),
        (
            "versions",
            (own.versions,) if own.versions else (),
            (trusted.versions,) if trusted.versions else (),
        ),
    ):
        there_by_name = {one.name: one for one in others}
        for link in links:
            other = there_by_name.get(link.name)
            if other is None or _link(link) != _link(other):
                what = kind if kind == link.name else f"{kind}: {link.name}"
                out.append(SuppressionUse(f"setting {what}", link.location, untrusted=why))
    if missing := sorted(set(trusted.require) - set(own.require)):
        out.append(SuppressionUse(f"setting require without {', '.join(missing)}", None, untrusted=why))
    return tuple(out)


def _entry(entry: object) -> tuple[object, ...]:
    from schemacheck.config.model import Tolerated

    assert isinstance(entry, Tolerated)
    return entry.rule, entry.tables, entry.columns, entry.effect, entry.expires


def _link(link: LinkConfig) -> tuple[object, ...]:
    """A link without the places where it is written."""
    placed = (link.source, link.replica, link.filters)
    settings = (link.options, link.source_set, link.replica_set)
    return (
        *(one.value if one else None for one in placed),
        *(tuple(sorted((name, one.value) for name, one in some)) for some in settings),
    )
