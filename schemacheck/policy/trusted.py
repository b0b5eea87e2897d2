"""A policy from a place that the change cannot touch; what only the change has is remarked on (SC093)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from schemacheck.model.policy import SuppressionUse

if TYPE_CHECKING:
    from schemacheck.config.model import Config
    from schemacheck.policy.comments import Suppression
    from schemacheck.policy.mark import Policy


def followed(
    suppressions: Sequence[Suppression], file: str, policy: Policy
) -> tuple[list[Suppression], list[SuppressionUse]]:
    """The comments that the trusted version of the file has too, and the others with the reason."""
    from schemacheck.dataclass import replace
    from schemacheck.policy import comments

    there: Counter[tuple[object, ...]] | None = None
    if policy.trusted is not None and policy.trusted.texts is not None:
        there = Counter(map(_same, comments.scan(policy.trusted.texts.get(file, ""), file)))
    count, refused = [], []
    for suppression in suppressions:
        if suppression.wrong:
            count.append(suppression)
        elif not policy.inline:
            refused.append(_refused(suppression, "comments do not count here (--no-inline-suppressions)"))
        elif there is not None and not there[_same(suppression)]:
            place = policy.trusted.name if policy.trusted else ""
            refused.append(_refused(suppression, f"the change brings it, and {place} does not have it"))
        elif policy.needs_reason and not suppression.reason:
            wrong = "it gives no reason, and the configuration requires one"
            count.append(replace(suppression, codes=(), wrong=wrong))
        else:
            count.append(suppression)
            if there is not None:
                there[_same(suppression)] -= 1
    return count, refused


def _same(suppression: Suppression) -> tuple[object, ...]:
    return suppression.codes, suppression.line is None, suppression.about


def _refused(suppression: Suppression, why: str) -> SuppressionUse:
    return SuppressionUse(
        f"suppression of {', '.join(suppression.codes)}", suppression.location, untrusted=why
    )


#: What a configuration says beside its inputs, by the names of its values.
_SETTINGS = (
    "fail_on", "baseline", "against", "ask", "select", "ignore", "tolerate", "links", "versions",
)  # fmt: skip


def differences(name: str, trusted: Config, own: Config) -> tuple[SuppressionUse, ...]:
    """What a change's own configuration says that the trusted one does not."""
    why = f"{name} does not say so"
    out = []
    for setting in _SETTINGS:
        there = [_bare(item) for item in _several(getattr(trusted, setting))]
        for element in _several(getattr(own, setting)):
            if _bare(element) not in there:
                what = f"setting {setting.replace('_', '-')}: {_shown(element)}"
                out.append(SuppressionUse(what, element.location, untrusted=why))
    if missing := sorted(set(trusted.require) - set(own.require)):
        out.append(SuppressionUse(f"setting require without {', '.join(missing)}", None, untrusted=why))
    return tuple(out)


def _several(value: Any) -> tuple[Any, ...]:
    return () if value is None else value if isinstance(value, tuple) else (value,)


def _bare(value: Any) -> Any:
    """A value without the places where it and its parts are written, and without its reason."""
    if isinstance(value, tuple):
        return tuple(map(_bare, value))
    names = getattr(type(value), "__match_args__", ())
    return {
        name: _bare(getattr(value, name)) for name in names if name not in ("location", "reason")
    } or value


def _shown(value: Any) -> str:
    """An entry in words: its value, its name, or what it is about."""
    if hasattr(value, "tables"):
        return " ".join([value.rule or "all rules", *value.tables])
    listed = value.name if hasattr(value, "name") else value.value
    return str(getattr(listed, "value", listed))
