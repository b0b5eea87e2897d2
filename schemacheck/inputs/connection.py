"""A connection to a live server that may be anybody's: a deadline over everything, no password in the clear,
bounded answers.

A server chooses how a client proves who it is. Under some methods it learns the password itself
(mysql_clear_password, dialog, sha256_password, and caching_sha2_password where it has not seen the account
before; manual 8.0, 8.4.1): those are refused unless TLS has verified who the server is, or the connection is
a Unix socket. A request for a local file (LOAD DATA LOCAL) is never answered.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from schemacheck.errors import InputError

if TYPE_CHECKING:
    from schemacheck.inputs.endpoint import Endpoint

#: Bytes of one answer: a catalogue of 100,000 tables with 50 columns each is about half of it.
LARGEST_ANSWER = 1 << 30
_ACCESS_DENIED = 1045
#: A command, and its flag: end behind the last event.
_BINLOG_DUMP, _NO_WAIT = 0x12, 1
#: Methods by which the server gets the password itself, or (the last) a hash that is as good as it.
_REVEALING = ("mysql_clear_password", "dialog", "sha256_password", "mysql_old_password")


class Deadline:
    """Seconds for all work with one server; then its socket is shut down."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.passed = False
        self._closed = False
        self._end = time.monotonic() + seconds
        self._watched: socket.socket | None = None
        self._timer: threading.Timer | None = None

    @property
    def left(self) -> float:
        """Seconds that are left, never 0 (which would mean: do not block)."""
        return max(self._end - time.monotonic(), 0.001)

    def watch(self, connected: socket.socket) -> None:
        """Shut this socket down at the end. A duplicate is kept: TLS takes the socket itself over."""
        self._watched = connected.dup()
        self._wait()

    def renew(self) -> None:
        """Begin to count anew."""
        self._end = time.monotonic() + self.seconds

    def _wait(self) -> None:
        self._timer = threading.Timer(self.left, self._over)
        self._timer.daemon = True
        self._timer.start()

    def _over(self) -> None:
        if time.monotonic() < self._end and self._watched is not None and not self._closed:
            self._wait()
            return
        self.passed = True
        if self._watched is not None:
            with contextlib.suppress(OSError):
                self._watched.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Forget the socket."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._watched is not None:
            self._watched.close()


class Session:
    """An open connection. `query` gives the names of an answer's columns and its rows."""

    def __init__(self, endpoint: Endpoint, connection: Any, deadline: Deadline) -> None:
        self.endpoint = endpoint
        self._connection = connection
        self._deadline = deadline

    def renew(self) -> None:
        """Another piece of work begins, which has all the seconds for itself."""
        self._deadline.renew()

    def query(self, sql: str, what: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Raises Refused where the server does not run it, InputError where the connection fails."""
        import pymysql

        try:
            self._connection.received = 0
            with self._connection.cursor() as cursor:
                cursor.execute(sql)
                return [str(column[0]) for column in cursor.description or ()], list(cursor.fetchall())
        # a hostile server can bring the client library into any state
        except Exception as error:  # noqa: BLE001
            problem = failure(self.endpoint, what, error, self._deadline)
            alive = isinstance(error, pymysql.MySQLError) and self._connection.open
            if not alive or self._deadline.passed:
                raise problem from None
            number = error.args[0] if error.args and isinstance(error.args[0], int) else None
            raise Refused(str(problem), number, str(error.args[-1]) if error.args else "") from None

    def log(self, file: str, position: int) -> Iterator[bytes]:
        """The events of a binary log from a position on, to its end, as the server sends them to a client
        that does not wait (COM_BINLOG_DUMP with server id 0, as mysqlbinlog asks). Raises InputError.
        """
        self.query("SET @master_binlog_checksum = @@GLOBAL.binlog_checksum", "the log cannot be read")
        self.query("SET @source_binlog_checksum = @@GLOBAL.binlog_checksum", "the log cannot be read")
        self.query("SET @mariadb_slave_capability = 4", "the log cannot be read")
        connection = self._connection
        try:
            request = struct.pack("<IHI", position, _NO_WAIT, 0) + file.encode()
            connection._execute_command(_BINLOG_DUMP, request)  # noqa: SLF001 the library has no other name
            while not (packet := connection._read_packet()).is_eof_packet():  # noqa: SLF001
                yield packet.get_all_data()[1:]
        except Exception as error:  # noqa: BLE001 as in `query`
            raise failure(self.endpoint, "the log cannot be read", error, self._deadline) from None


class Refused(InputError):
    """The server did not run a statement; the connection lives. `number` and `text` are the server's."""

    def __init__(self, message: str, number: int | None = None, text: str = "") -> None:
        super().__init__(message)
        self.number = number
        self.text = text


@contextlib.contextmanager
def connected(endpoint: Endpoint, seconds: float) -> Iterator[Session]:
    """A session of at most so many seconds. Raises InputError, whose message never has a password."""
    try:
        import pymysql
    except ImportError:
        raise InputError(
            f"{endpoint.name}: a live server needs PyMySQL: pip install 'schemacheck[live]'"
        ) from None
    deadline = Deadline(seconds)
    connection: Any = None
    stream: socket.socket | None = None
    try:
        try:
            connection = _client(endpoint, pymysql)
            stream = _socket(endpoint, deadline)
            deadline.watch(stream)
            connection.connect(stream)
            with connection.cursor() as cursor:
                cursor.execute("SET SESSION sql_mode = '', sql_select_limit = 18446744073709551615")
        except InputError:
            raise
        except Exception as error:  # noqa: BLE001 as in Session.query
            raise failure(endpoint, "cannot connect", error, deadline) from None
        yield Session(endpoint, connection, deadline)
    finally:
        deadline.close()
        if stream is not None:
            stream.close()
        if connection is not None and connection.open:
            with contextlib.suppress(Exception):
                connection._force_close()  # noqa: SLF001 without a word to a server that may not read it


def _socket(endpoint: Endpoint, deadline: Deadline) -> socket.socket:
    """A connected socket. Names are looked up beside this thread, which a deaf name server would hold."""
    if endpoint.socket:
        stream = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            stream.settimeout(deadline.left)
            stream.connect(endpoint.socket)
        except OSError:
            stream.close()
            raise
        return stream
    result: list[Any] = []
    lookup = threading.Thread(target=_look_up, args=(endpoint, result), daemon=True)
    lookup.start()
    lookup.join(deadline.left)
    if not result:
        raise TimeoutError("the host's name was not looked up in time")
    if isinstance(result[0], OSError):
        raise result[0]
    last: OSError | None = None
    for family, kind, protocol, _, address in result:
        stream = socket.socket(family, kind, protocol)
        try:
            stream.settimeout(deadline.left)
            stream.connect(address)
        except OSError as error:
            stream.close()
            last = error
        else:
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return stream
    raise last or OSError("no address")


def _look_up(endpoint: Endpoint, result: list[Any]) -> None:
    try:
        result.extend(socket.getaddrinfo(endpoint.host, endpoint.port, type=socket.SOCK_STREAM))
    except (OSError, UnicodeError) as error:
        result.append(error if isinstance(error, OSError) else OSError(str(error)))


def _client(endpoint: Endpoint, pymysql: Any) -> Any:
    """The client library's connection, not connected yet."""
    from pymysql import _auth

    verified = endpoint.verified

    class Connection(pymysql.connections.Connection):  # type: ignore[misc]
        """Counts what it reads, and gives the password away to nobody in its first packet."""

        received = 0
        _auth_plugin_name: str

        def _read_bytes(self, num_bytes: int) -> Any:
            self.received += num_bytes
            if self.received > LARGEST_ANSWER:
                self._force_close()
                raise pymysql.OperationalError(2013, f"the answer has more than {LARGEST_ANSWER >> 20} MiB")
            return super()._read_bytes(num_bytes)

        def _get_server_information(self) -> None:
            super()._get_server_information()
            if not verified and self._auth_plugin_name in _REVEALING:
                # The first packet would hold the password. Begin with another method: the server asks for its
                # own one then.
                self._auth_plugin_name = "mysql_native_password"

    def refused(method: str) -> Callable[[Any], Any]:
        class Handler:
            def __init__(self, connection: Any) -> None:
                self.connection = connection

            def authenticate(self, _packet: Any) -> Any:
                raise pymysql.OperationalError(2061, _why(method))

        return Handler

    class CachingSha2:
        """The fast way proves the password without telling it; the full way tells it."""

        def __init__(self, connection: Any) -> None:
            self.connection = connection

        def authenticate(self, packet: Any) -> Any:
            connection = self.connection
            if connection.password and packet.is_auth_switch_request():
                salt = packet.read_all().removesuffix(b"\0")
                connection.write_packet(_auth.scramble_caching_sha2(connection.password, salt))
                packet = connection._read_packet()  # noqa: SLF001 what the library's own methods call
                packet.check_error()
            if connection.password and bytes(packet.get_all_data()[:2]) != b"\x01\x03":
                raise pymysql.OperationalError(2061, _why("caching_sha2_password (full authentication)"))
            return _auth.caching_sha2_password_auth(connection, packet)

    methods: dict[bytes, Any] = {}
    if not verified:
        methods = {name.encode(): refused(name) for name in _REVEALING}
        methods[b"caching_sha2_password"] = CachingSha2
    tls: dict[str, Any] = {}
    chosen = endpoint.ssl_mode != "PREFERRED" or endpoint.ssl_ca or endpoint.ssl_cert
    if endpoint.ssl_mode == "DISABLED" or (endpoint.socket and not chosen):
        tls = {"ssl_disabled": True}
    elif chosen:
        tls = {"ssl": _context(endpoint)}
    made = Connection(
        host=endpoint.host, port=endpoint.port, user=endpoint.user or None, password=endpoint.password or "",
        charset="utf8mb4",
        autocommit=True, program_name="schemacheck", local_infile=False, auth_plugin_map=methods,
        defer_connect=True, **tls,
    )  # fmt: skip
    # The library knows by this that nobody listens in; it is given a socket that is connected already.
    made._secure = bool(endpoint.socket)  # noqa: SLF001
    return made


def _why(method: str) -> str:
    return (
        f"the server asks for the password itself ({method}), and nothing has verified who it is; "
        "give ssl-ca=FILE (ca.pem of its data directory), ssl-mode=VERIFY_IDENTITY, or a Unix socket"
    )


def _context(endpoint: Endpoint) -> ssl.SSLContext:
    """TLS as the client's --ssl-mode means it."""
    try:
        context = ssl.create_default_context(cafile=endpoint.ssl_ca)
        context.check_hostname = endpoint.ssl_mode == "VERIFY_IDENTITY"
        if endpoint.ssl_mode in ("PREFERRED", "REQUIRED"):
            context.verify_mode = ssl.CERT_NONE
        if endpoint.ssl_cert:
            context.load_cert_chain(endpoint.ssl_cert, endpoint.ssl_key)
    except (OSError, ssl.SSLError) as error:
        raise InputError(f"{endpoint.name}: TLS files cannot be used: {error.strerror or error}") from None
    return context


def failure(endpoint: Endpoint, what: str, error: BaseException, deadline: Deadline) -> InputError:
    """An error without anything that could hold a password."""
    if deadline.passed or deadline.left <= 0.001:
        return InputError(f"{endpoint.name}: {what}: no end after {deadline.seconds:g} seconds (--timeout)")
    if isinstance(error, RuntimeError) and "LOAD_LOCAL" in str(error):
        return InputError(
            f"{endpoint.name}: {what}: the server asks for a file of this machine; it gets none"
        )
    number = error.args[0] if error.args and isinstance(error.args[0], int) else None
    text = str(error.args[-1] if error.args else error)
    if endpoint.password:
        text = text.replace(endpoint.password, "***")
    if number == _ACCESS_DENIED and endpoint.ssl_mode == "DISABLED":
        # MariaDB says no more under require_secure_transport (seen on 10.11).
        text += (
            "; the connection is without TLS (ssl-mode=DISABLED), which the server or the account may demand"
        )
    return InputError(f"{endpoint.name}: {what}: {text}" + (f" (error {number})" if number else ""))
