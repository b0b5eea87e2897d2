"""What an input says about its server: variables, status, a dump's header, an option file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemacheck.errors import InputError, UnknownServer
from schemacheck.inputs.column_row import text_of
from schemacheck.model import Server
from schemacheck.model.variable import Standing, canonical, standing, tells

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schemacheck.inputs.heading import Rows

_SCOPE = re.compile(r"@@(?:global\.|session\.)?", re.IGNORECASE)
#: MariaDB behind replication-compatible connections: 5.5.5-10.6.12-MariaDB.
_DISGUISE = re.compile(r"5\.5\.5-(?=\d+\.\d+\.\d+-MariaDB)")


def from_rows(view: str, rows: Rows, file: str = "-") -> dict[str, str]:
    """Variables by canonical name of VARIABLES (names and values, or a row of `@@name`) or REPLICA_STATUS;
    what several channels tell is joined by commas. Raises InputError.
    """
    names = [str(name).strip().lower() for name in rows.heading]
    out: dict[str, str] = {}
    if view == "VARIABLES" and "variable_name" in names:
        key, held = _places(
            names, ("variable_name", "value" if "value" in names else "variable_value"), view, file
        )
        for _, record in rows.records:
            if len(record) > max(key, held) and record[key] is not None:
                out[canonical(_text(record[key]))] = _text(record[held])
        return out
    if view == "APPLIER_FILTERS":
        return _applier_filters(names, rows, file)
    for _, record in rows.records:
        for name, value in zip(names, record, strict=False):
            plain = canonical(_SCOPE.sub("", name))
            text = _text(value)
            if view == "REPLICA_STATUS":
                if not of_channel(plain):
                    continue
                text = ",".join(filter(None, dict.fromkeys((out.get(plain), text))))
            out[plain] = text
    return out


def of_channel(name: str) -> bool:
    """Whether some list has what a column of a channel's status tells."""
    return standing(name) in (Standing.DECIDES, Standing.USE)


def _places(names: list[str], wanted: tuple[str, str], view: str, file: str) -> tuple[int, int]:
    if not set(wanted) <= set(names):
        raise InputError(
            f"{file}: rows of {view} need the columns {', '.join(wanted).upper()}; found "
            f"{', '.join(names).upper()[:200] or 'nothing'}"
        )
    return names.index(wanted[0]), names.index(wanted[1])


def _applier_filters(names: list[str], rows: Rows, file: str) -> dict[str, str]:
    """replication_applier_filters: REPLICATE_DO_DB and its like, one row a channel and filter."""
    key, rule = _places(names, ("filter_name", "filter_rule"), "APPLIER_FILTERS", file)
    out: dict[str, str] = {}
    for _, record in rows.records:
        if len(record) <= max(key, rule):
            raise InputError(f"{file}: a row of APPLIER_FILTERS has too few fields")
        name, text = canonical(_text(record[key])), _text(record[rule])
        if text:
            out[name] = ",".join(filter(None, (out.get(name), text)))
    return out


def _text(value: object) -> str:
    return text_of(value) or ""


def server_from(values: Mapping[str, str], fallback: Server | None = None) -> Server | None:
    """The server that variables tell, else `fallback` with their settings, or None. Raises UnknownServer."""
    text = values.get("version", "")
    comment = values.get("version_comment", "")
    settings = {name: value for name, value in values.items() if tells(name, value)}
    if not text and not comment:
        return fallback.with_told(settings) if fallback and settings else None
    number = re.match(r"\d+(?:\.\d+)*", _DISGUISE.sub("", text))
    about = f"{text} {comment}".lower()
    flavor = "mariadb" if "mariadb" in about else "percona" if "percona" in about else "mysql"
    if number is None:
        # The comment says that nothing else was told: any release of this flavour is as likely.
        return Server.told(flavor, settings | {"version_comment": comment})
    return Server.told(f"{flavor}-{number.group()}", settings)


def merged(
    given: Server | None, values: Mapping[str, str], fallback: Server | None = None
) -> tuple[Server | None, Server | None, str]:
    """(server to read with, server that the input tells, a note where they differ); a person's word wins,
    `fallback` counts where nobody tells a server.
    """
    note = ""
    try:
        server = server_from(values)
    except UnknownServer as error:
        server, note = None, str(error)
    given = given or (None if server else fallback)
    if given is None:
        return server, server, note
    settings = (
        dict(server.settings)
        if server
        else {name: value for name, value in values.items() if tells(name, value)}
    )
    known = server and (server.flavor, "" if server.given("version_comment") else server.series)
    if known and known not in ((given.flavor, given.series), (given.flavor, "")):
        note = f"the input says that it comes from {server}; read as {given}, as given"
    reading = Server(given.flavor, given.version).with_told(settings | dict(given.settings))
    return reading, server or (reading if settings else None), note
