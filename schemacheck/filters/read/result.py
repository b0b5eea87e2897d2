"""What a reader of filters yields."""

from __future__ import annotations

from schemacheck.dataclass import dataclass
from schemacheck.model.filters import FilterSet


@dataclass(frozen=True, slots=True)
class FilterInput:
    """The filter sets of an input, the default channel's first, and settings that it gives beside them."""

    filters: tuple[FilterSet, ...]
    settings: tuple[tuple[str, str], ...] = ()

    def channel(self, name: str = "") -> FilterSet:
        """The set of a channel or connection; KeyError where the input has none."""
        for filters in self.filters:
            if filters.channel == name:
                return filters
        text = ", ".join(repr(f.channel) for f in self.filters)
        raise KeyError(f"no channel {name!r}; there is {text}")
