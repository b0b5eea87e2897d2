"""Where a live server is and who asks. A password is shown nowhere."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlsplit

from schemacheck.dataclass import dataclass, field, replace
from schemacheck.errors import InputError, UsageError
from schemacheck.inputs.option_file import read_options

if TYPE_CHECKING:
    from collections.abc import Callable

#: The environment variable that holds the password where no option file does.
PASSWORD_VARIABLE = "SCHEMACHECK_PASSWORD"  # noqa: S105 a name


@dataclass(frozen=True, slots=True)
class Access:
    """How to ask a live server: the option file, the environment variables that may hold the password (the
    first that is set counts), who can be asked for it, and the seconds that all of it may take.
    """

    defaults_file: str | None = None
    variables: tuple[str, ...] = (PASSWORD_VARIABLE,)
    prompt: Callable[[str], str] | None = None
    seconds: float = 300.0


_ACCESS = Access()
_CLIENT_GROUP = re.compile(r"(?:client|client-server|client-mariadb|mysql|mariadb-client|schemacheck)\Z")
SSL_MODES = ("DISABLED", "PREFERRED", "REQUIRED", "VERIFY_CA", "VERIFY_IDENTITY")
_DEFAULT_MODE = "PREFERRED"
_SETTINGS = ("ssl-mode", "ssl-ca", "ssl-cert", "ssl-key", "socket")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server to connect to. `database` restricts what is read; `ssl_mode` is one of SSL_MODES, `parse`
    takes VERIFY_CA where only `ssl_ca` is given.
    """

    host: str = "localhost"
    port: int = 3306
    user: str = ""
    database: str | None = None
    socket: str | None = None
    ssl_mode: str = _DEFAULT_MODE
    ssl_ca: str | None = None
    ssl_cert: str | None = None
    ssl_key: str | None = None
    password: str | None = field(default=None, repr=False, compare=False)
    #: The password was made for this run: it may be told to anybody.
    for_one_run: bool = False

    @property
    def name(self) -> str:
        """What stands in messages and locations: `db1:3306`, or the socket."""
        return self.socket or f"{self.host}:{self.port}"

    @property
    def verified(self) -> bool:
        """Whether the connection proves who the server is: a host's name, an own authority, a socket."""
        return bool(
            self.socket
            or self.for_one_run
            or self.ssl_mode == "VERIFY_IDENTITY"
            or (self.ssl_mode == "VERIFY_CA" and self.ssl_ca)
        )

    @classmethod
    def parse(cls, dsn: str = "", access: Access = _ACCESS) -> Endpoint:
        """Read `mysql://user@host:port/database?ssl-mode=REQUIRED&ssl-ca=FILE&socket=FILE`; the rest comes
        from the option file, the password from it, the environment or `prompt`. Raises UsageError for a
        password in the DSN, InputError.
        """
        endpoint = cls(ssl_mode="")
        options: dict[str, str] = {}
        if access.defaults_file:
            try:
                options = read_options(
                    Path(access.defaults_file).read_text("utf-8"), access.defaults_file, group=_CLIENT_GROUP
                )
            except (OSError, UnicodeDecodeError) as error:
                raise InputError(
                    f"{access.defaults_file}: {getattr(error, 'strerror', None) or 'not UTF-8 text'}"
                ) from None
            endpoint = _from_options(endpoint, options)
        if dsn:
            endpoint = _from_dsn(endpoint, dsn)
        if not endpoint.ssl_mode:
            # As the servers' clients do: who names an authority wants it asked.
            endpoint = replace(endpoint, ssl_mode="VERIFY_CA" if endpoint.ssl_ca else _DEFAULT_MODE)
        password = options.get("password")
        if password is None:
            password = next((os.environ[name] for name in access.variables if name in os.environ), None)
        if password is None and access.prompt is not None:
            password = access.prompt(
                f"Password of {endpoint.user or 'the default user'} on {endpoint.name}: "
            )
        return replace(endpoint, password=password)


def _from_options(endpoint: Endpoint, options: dict[str, str]) -> Endpoint:
    return replace(
        endpoint, host=options.get("host", endpoint.host), port=_port(options.get("port",
        str(endpoint.port))),
        user=options.get("user", endpoint.user),
        database=options.get("database", endpoint.database), socket=options.get("socket", endpoint.socket),
        ssl_mode=_mode(options.get("ssl_mode")) or endpoint.ssl_mode,
        ssl_ca=options.get("ssl_ca", endpoint.ssl_ca), ssl_cert=options.get("ssl_cert", endpoint.ssl_cert),
        ssl_key=options.get("ssl_key", endpoint.ssl_key),
    )  # fmt: skip


def _from_dsn(endpoint: Endpoint, dsn: str) -> Endpoint:
    try:
        parts = urlsplit(dsn)
        port = parts.port
    except ValueError:
        raise UsageError("the DSN cannot be read; write mysql://user@host:port/database") from None
    if parts.password is not None:
        raise UsageError(
            f"a password in the DSN of {parts.hostname or 'localhost'} would be seen by others: put it into "
            f"an option file (--defaults-file) or into ${PASSWORD_VARIABLE}, or let it be asked for"
        )
    given = dict(parse_qsl(parts.query, keep_blank_values=True))
    for key in given:
        if key not in _SETTINGS:
            raise UsageError(f"the DSN's parameter {key!r} is not known; known: {', '.join(_SETTINGS)}")
    database = unquote(parts.path.strip("/")) or endpoint.database
    return replace(
        endpoint, host=parts.hostname or endpoint.host, port=port or endpoint.port,
        user=unquote(parts.username) if parts.username else endpoint.user, database=database,
        socket=given.get("socket", None if parts.hostname else endpoint.socket),
        ssl_mode=_mode(given.get("ssl-mode")) or endpoint.ssl_mode,
        ssl_ca=given.get("ssl-ca", endpoint.ssl_ca), ssl_cert=given.get("ssl-cert", endpoint.ssl_cert),
        ssl_key=given.get("ssl-key", endpoint.ssl_key),
    )  # fmt: skip


def _mode(text: str | None) -> str:
    """A mode of SSL_MODES; '' where none is given."""
    if text is None:
        return ""
    mode = text.upper().replace("-", "_")
    if mode not in SSL_MODES:
        raise UsageError(f"ssl-mode is {text!r}; known: {', '.join(SSL_MODES)}")
    return mode


def _port(text: str) -> int:
    if not text.isdigit() or not 0 < int(text) < 65_536:
        raise UsageError(f"port is {text!r}, not a number from 1 to 65535")
    return int(text)
