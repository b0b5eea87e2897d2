"""No server gets a password, a file or more time than it is due; a configuration's DSN is followed on request
only.
"""

from __future__ import annotations

import shutil
import ssl
import subprocess
import threading
import time
from pathlib import Path

import pytest

from schemacheck.errors import InputError
from schemacheck.inputs import connection, live
from schemacheck.inputs.endpoint import Access, Endpoint
from tests.gate import rogue
from tests.gate.rogue import Rogue

pytest.importorskip("pymysql")
PASSWORD = "s3cret-pässword"
TABLE = "CREATE TABLE t (a int);"

REVEALING = {
    "clear": rogue.asks("mysql_clear_password"),
    "dialog": rogue.asks("dialog", b"\x04Password: "),
    "dialog without a question": rogue.asks("dialog", b"\x04"),
    "sha256": rogue.asks("sha256_password", rogue.SALT + b"\0"),
    "sha256 at once": rogue.begins_with("sha256_password"),
    "clear at once": rogue.begins_with("mysql_clear_password"),
    "caching_sha2": rogue.full_authentication,
    "caching_sha2 at once": rogue.begins_with("caching_sha2_password"),
    "old": rogue.asks("mysql_old_password", rogue.SALT[:8] + b"\0"),
    "a method of its own": rogue.asks("give_me_all"),
}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory) -> ssl.SSLContext:
    """A certificate that the server has made for itself."""
    if not shutil.which("openssl"):
        pytest.skip("no openssl here")
    folder = tmp_path_factory.mktemp("keys")
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=127.0.0.1"
    )
    subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context


@pytest.mark.parametrize("behave", REVEALING.values(), ids=REVEALING)
@pytest.mark.parametrize("query", ["", "?ssl-mode=DISABLED"])
def test_no_server_learns_the_password_without_tls(run, tmp_path, monkeypatch, behave, query) -> None:
    (tmp_path / "t.sql").write_text(TABLE)
    with Rogue(behave) as server:
        monkeypatch.setenv("SCHEMACHECK_PASSWORD", PASSWORD)
        result = run("check", "t.sql", f"mysql://ci@127.0.0.1:{server.port}/shop{query}", "--timeout", "5")
    assert result.status == 2
    assert PASSWORD not in result.out + result.err
    assert PASSWORD.encode() not in server.heard


@pytest.mark.parametrize("behave", REVEALING.values(), ids=REVEALING)
@pytest.mark.parametrize(
    "query", ["", "?ssl-mode=REQUIRED", "?ssl-mode=VERIFY_CA", "?ssl-mode=VERIFY_IDENTITY"]
)
def test_nor_over_tls_that_anybody_could_offer(run, monkeypatch, certificate, behave, query) -> None:
    with Rogue(behave, certificate) as server:
        monkeypatch.setenv("SCHEMACHECK_PASSWORD", PASSWORD)
        dsn = f"mysql://ci@127.0.0.1:{server.port}/{query}"
        result = run("snapshot", dsn, "--timeout", "5", "-o", "s.jsonl")
    assert result.status == 2
    assert PASSWORD.encode() not in server.heard
    assert PASSWORD not in result.out + result.err


def test_the_refusal_says_what_to_do(run, monkeypatch) -> None:
    with Rogue(REVEALING["clear"]) as server:
        monkeypatch.setenv("SCHEMACHECK_PASSWORD", PASSWORD)
        result = run("snapshot", f"mysql://ci@127.0.0.1:{server.port}/", "--timeout", "5", "-o", "s.jsonl")
    assert "asks for the password itself (mysql_clear_password)" in result.err
    assert "ssl-ca=FILE (ca.pem of its data directory), ssl-mode=VERIFY_IDENTITY" in result.err


def test_what_counts_as_verified() -> None:
    verified = {
        query: Endpoint.parse(f"mysql://db1/{query}").verified
        for query in (
            "",
            "?ssl-mode=REQUIRED",
            "?ssl-mode=VERIFY_CA",
            "?ssl-ca=ca.pem",
            "?ssl-mode=VERIFY_IDENTITY",
        )
    }
    # VERIFY_CA without an authority of one's own: the system's sign for anybody's host.
    assert list(verified.values()) == [False, False, False, True, True]
    assert Endpoint.parse("mysql:///?socket=/run/mysqld.sock").verified


def test_no_file_is_sent(run, monkeypatch) -> None:
    with Rogue(rogue.wants_a_file) as server:
        result = run("snapshot", f"mysql://ci@127.0.0.1:{server.port}/", "--timeout", "5", "-o", "s.jsonl")
    assert result.status == 2
    assert "asks for a file of this machine; it gets none" in result.err
    assert b"root:" not in server.heard


@pytest.mark.parametrize(
    "behave", [rogue.silent, rogue.trickles, rogue.mute_in_login, rogue.mute_after_login, rogue.endless]
)
def test_a_deadline_over_everything(run, behave) -> None:
    with Rogue(behave) as server:
        began = time.monotonic()
        result = run("snapshot", f"mysql://ci@127.0.0.1:{server.port}/", "--timeout", "0.7", "-o", "s.jsonl")
        took = time.monotonic() - began
    assert result.status == 2
    assert "no end after 0.7 seconds (--timeout)" in result.err
    assert took < 5
    assert not Path("s.jsonl").exists()


def test_an_answer_has_a_largest_size(monkeypatch) -> None:
    monkeypatch.setattr(connection, "LARGEST_ANSWER", 1 << 20)
    with Rogue(rogue.endless) as server, pytest.raises(InputError, match="the answer has more than 1 MiB"):
        live.take(Endpoint.parse(f"mysql://ci@127.0.0.1:{server.port}/"), seconds=20)


def test_a_deaf_name_server_does_not_hold_anybody(monkeypatch) -> None:
    over = threading.Event()
    monkeypatch.setattr(connection.socket, "getaddrinfo", lambda *_, **__: [over.wait(30)][:0])
    began = time.monotonic()
    with pytest.raises(InputError, match=r"no end after 0\.3 seconds"):
        live.take(Endpoint.parse("mysql://ci@db.example/"), seconds=0.3)
    assert time.monotonic() - began < 3
    over.set()


def test_a_configurations_dsn_is_followed_on_request_only(run, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("SCHEMACHECK_PASSWORD", PASSWORD)
    monkeypatch.setenv("SCHEMACHECK_SOURCE_PASSWORD", "the source's")
    (tmp_path / "t.sql").write_text(TABLE)
    options = tmp_path / "my.cnf"
    options.write_text(f"[client]\npassword={PASSWORD}\n")
    with Rogue(REVEALING["clear"]) as server:
        (tmp_path / "schemacheck.yaml").write_text(
            f"source: mysql://ci@127.0.0.1:{server.port}/db\nreplica: t.sql\n"
        )
        for more in ((), ("--allow-dsn-host", "db1")):
            result = run("check", *more)
            assert result.status == 2
            assert "schemacheck.yaml:1:9: a configuration's DSN is followed only on request" in result.err
        assert server.heard == b""
        # Allowed, and still not with what is meant for the command line.
        seen: list[str | None] = []
        monkeypatch.setattr(live, "take", lambda endpoint, **_: seen.append(endpoint.password) or 1 / 0)
        for allow in (("--allow-dsn",), ("--allow-dsn-host", "127.0.0.1")):
            run("check", *allow, "--defaults-file", options)
        assert seen == ["the source's"] * 2


def test_each_side_has_its_own_password(monkeypatch) -> None:
    from argparse import Namespace

    from schemacheck.cli import live_access

    args = Namespace(
        source_defaults_file=None, replica_defaults_file="r.cnf", defaults_file="d.cnf", timeout=9.0
    )
    assert live_access.access(args, "source") == Access(
        "d.cnf", ("SCHEMACHECK_SOURCE_PASSWORD", "SCHEMACHECK_PASSWORD"), None, 9.0
    )
    assert live_access.access(args, "replica").defaults_file == "r.cnf"
    configured = live_access.access(args, "source", configured=True)
    assert (configured.defaults_file, configured.variables) == (None, ("SCHEMACHECK_SOURCE_PASSWORD",))
    monkeypatch.setenv("SCHEMACHECK_PASSWORD", "common")
    assert Endpoint.parse("mysql://db1/", configured).password is None
    monkeypatch.setenv("SCHEMACHECK_SOURCE_PASSWORD", "own")
    assert (
        Endpoint.parse(
            "mysql://db1/",
            live_access.access(args.__class__(**vars(args) | {"defaults_file": None}), "source"),
        ).password
        == "own"
    )


@pytest.mark.parametrize(
    "command",
    [
        ("check", "a", "b"),
        ("plan", "a", "b"),
        ("binlog", "check", "a", "--replica", "b"),
        ("filter", "t", "--filters", "a"),
        ("baseline", "write", "a", "b"),
    ],
)
def test_every_command_that_reads_servers_has_the_same_options(run, command) -> None:
    for option in (
        "--source-defaults-file",
        "--replica-defaults-file",
        "--defaults-file",
        "--allow-dsn-host",
    ):
        result = run(*command, option, "none.cnf")
        assert "unrecognized arguments" not in result.err
    for text in ("0", "-1", "nan", "inf", "1e999", "x"):
        assert "give a number of seconds, more than 0" in run(*command, "--timeout", text).err
