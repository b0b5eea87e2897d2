"""The session that writes a statement: the part of it that the binary log carries along."""

from __future__ import annotations

import re

from schemacheck import knowledge
from schemacheck.dataclass import dataclass, field
from schemacheck.link.ends import default_collation, server_collation
from schemacheck.model import Server, charset, comma_list

_ASSIGNMENT = re.compile(
    r"(?:(?:GLOBAL|SESSION|LOCAL)\s+|@@(?:GLOBAL|SESSION|LOCAL)?\.?)?(@?[\w.]+)\s*:?=\s*", re.IGNORECASE
)
_NAMES = re.compile(r"SET\s+NAMES\s+'?(\w+)'?(?:\s+COLLATE\s+'?(\w+)'?)?", re.IGNORECASE)
_CHARSET = re.compile(r"SET\s+(?:CHARACTER\s+SET|CHARSET)\s+'?(\w+)'?", re.IGNORECASE)
_COLLATE = re.compile(r"COLLATE\s+'?(\w+)", re.IGNORECASE)
_USING = re.compile(r"USING\s+'?(\w+)", re.IGNORECASE)
_OFFSET = re.compile(r"([+-])(\d{1,2}):(\d{2})")
_INTRODUCER = re.compile(r"(?<![\w@])_([a-z]\w*)\s*['xX]")


def takes_zone(server: Server, zone: str) -> bool | None:
    """Whether the server takes this offset as a time zone; None: it is a name."""
    offset = _OFFSET.fullmatch(zone)
    if offset is None:
        return None
    minutes = (int(offset.group(2)) * 60 + int(offset.group(3))) * (-1 if offset.group(1) == "-" else 1)
    return -839 <= minutes <= 840 if server.has("wide-time-zones") else -779 <= minutes <= 780


@dataclass(slots=True)
class Session:
    """A source's session. `connection`, `client` and `server` are collations; `users` the collations of user
    variables (None: a number); `variables` the session's own values."""

    source: Server
    client: str
    connection: str
    server: str
    users: dict[str, str | None] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    logged: bool = True

    @classmethod
    def plain(cls, source: Server) -> Session:
        """A client that says SET NAMES utf8mb4, as most do today; where the server has no utf8mb4, its own
        set.
        """
        known = charset.has_charset("utf8mb4", source.has)
        collation = default_collation(source, "utf8mb4") if known else server_collation(source)
        return cls(source, collation, collation, server_collation(source))

    @property
    def collations(self) -> tuple[str, ...]:
        """In the order in which the replica looks them up."""
        return self.client, self.connection, self.server

    def get(self, name: str) -> str:
        """A variable's value in this session."""
        return self.variables.get(name, self.source.setting(name))

    def flag(self, name: str) -> bool:
        """Whether a boolean variable is on."""
        return self.get(name).upper() in ("1", "ON", "TRUE", "YES")

    @property
    def modes(self) -> frozenset[str]:
        """The words of sql_mode."""
        return frozenset(word.strip().upper() for word in self.get("sql_mode").split(",") if word.strip())

    def run(self, statement: str) -> bool:
        """Take a SET statement; False where it is none."""
        text = statement.strip().rstrip(";")
        if (names := _NAMES.match(text)) is not None:
            self._names(names.group(1), names.group(2))
            return True
        if (given := _CHARSET.match(text)) is not None:
            self.client = default_collation(self.source, given.group(1))
            return True
        if re.match(r"SET\s+(SESSION\s+)?TRANSACTION\s+ISOLATION\s+LEVEL\b", text, re.IGNORECASE):
            self.variables["transaction_isolation"] = text.upper().replace(" ", "-")
            return True
        if not re.match(
            r"SET\b(?!\s+(?:PASSWORD|ROLE|DEFAULT|STATEMENT|TRANSACTION|GLOBAL\s+TRANSACTION))",
            text,
            re.IGNORECASE,
        ):
            return False
        for piece in comma_list.items(text[3:]):
            found = _ASSIGNMENT.match(piece)
            if found is not None:
                self._assign(found.group(1), piece[found.end() :].strip())
        return True

    def _names(self, name: str, collation: str | None) -> None:
        chosen = charset.canonical_collation(collation) if collation else default_collation(self.source, name)
        if chosen.startswith("uca1400"):
            chosen = f"{charset.canonical(name)}_{chosen}"
        self.client = self.connection = chosen

    def _assign(self, name: str, value: str) -> None:
        plain = value.strip("'\"")
        if name.startswith("@"):
            self.users[name[1:].casefold()] = self._of_expression(value)
            return
        name = name.lower()
        words = {word.strip().upper() for word in plain.split(",")}
        gone = words & set(knowledge.load("links")["modes_gone"])
        if name == "sql_mode" and gone and self.source.has("data-dictionary"):
            return  # the server refuses the value (1231)
        if name == "time_zone" and takes_zone(self.source, plain) is False:
            return  # 1298
        self.variables[name] = plain
        if name == "sql_log_bin":
            self.logged = plain.upper() in ("1", "ON")
        elif name == "character_set_client":
            self.client = default_collation(self.source, plain)
        elif name == "character_set_connection":
            self.connection = default_collation(self.source, plain)
        elif name == "collation_connection":
            self.connection = charset.canonical_collation(plain)
        elif name == "collation_server":
            self.server = charset.canonical_collation(plain)
        elif name == "character_set_server":
            self.server = default_collation(self.source, plain)

    def _of_expression(self, value: str) -> str | None:
        """The collation of what a user variable is set to; None for a number or NULL."""
        if (found := _COLLATE.search(value)) is not None:
            return charset.canonical_collation(found.group(1))
        if (found := _USING.search(value) or _INTRODUCER.search(value)) is not None:
            return default_collation(self.source, found.group(1))
        if re.fullmatch(r"[-+\d.eE]+|NULL|TRUE|FALSE", value, re.IGNORECASE):
            return None
        return self.connection
