"""What is known of an error that stops a replica. From `rules/stops.yaml`."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from schemacheck import knowledge


class Fix(NamedTuple):
    """Why, the statements, and those that undo them; with names in braces."""

    why: str
    sql: tuple[str, ...]
    back: tuple[str, ...]


_TRIGGERS = (
    "The replica's triggers of the table ({triggers}) run with the change, and the error may be theirs: "
    "compare them, and the tables that they write, with the source's; then start the applier."
)


class Known(NamedTuple):
    """One cause: its numbers and symbols, what it is, the rules that tell it, the fix in a sentence, what
    skipping loses; `says` are patterns of messages that leave fewer rules, or (`what`, `way`, `skip`) mean
    another cause. The rest is described in the file.
    """

    numbers: tuple[int, ...]
    symbols: tuple[str, ...]
    what: str
    rules: tuple[str, ...]
    way: str
    skip: str
    says: tuple[dict[str, Any], ...] = ()
    happened: tuple[str, ...] = ()
    look: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()
    of_definitions: bool = False

    def told_by(self, message: str) -> tuple[str, ...]:
        """The rules that the server's own words name; () where they leave all of `rules` open."""
        return tuple(self._matching(message).get("rules", ()))

    def of(self, message: str) -> Known:
        """The cause that the server's own words mean."""
        own = self._matching(message)
        if "what" not in own:
            return self
        return self._replace(what=own["what"], way=own["way"], skip=own["skip"], happened=(), fixes=())

    def out_of_trigger(self) -> Known:
        """The same error, raised by a trigger: it says nothing of the statement's own table."""
        return self._replace(
            skip="The source's change is lost.", happened=(), of_definitions=False,
            look=("SHOW TRIGGERS FROM {schema} LIKE {pattern};",), fixes=(Fix(_TRIGGERS, (), ()),),
        )  # fmt: skip

    def _matching(self, message: str) -> dict[str, Any]:
        return next((item for item in self.says if re.search(item["message"], message)), {})


def known(word: str) -> Known | None:
    """The entry of an error (`1677`, `MY-013146`, `ER_DUP_ENTRY`); None for any other word."""
    plain = word.strip().upper().removeprefix("MY-").lstrip("0") or "0"
    for item in knowledge.load("stops")["stops"]:
        if plain in item["numbers"] or plain in item["symbols"]:
            return Known(
                tuple(int(number) for number in item["numbers"]),
                tuple(item["symbols"]), item["what"], tuple(item["rules"]), item["way"], item["skip"],
                tuple(item.get("says", ())),
                tuple(item.get("happened", ())), tuple(item.get("look", ())),
                tuple(Fix(fix["why"], tuple(fix["sql"]), tuple(fix["back"])) for fix in item.get("fix", ())),
                item.get("of_definitions", False),
            )  # fmt: skip
    return None
