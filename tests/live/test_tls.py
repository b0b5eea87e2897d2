"""TLS to a real MariaDB with a certificate of its own: what connects, what is refused, and what
is said then.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from schemacheck.cli import main
from schemacheck.errors import InputError
from schemacheck.inputs import live
from schemacheck.inputs.connection import connected
from schemacheck.inputs.endpoint import PASSWORD_VARIABLE, Access, Endpoint

pytest.importorskip("pymysql", reason="PyMySQL is not installed: pip install 'schemacheck[live]'")

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(not shutil.which("openssl"), reason="no openssl here: apt-get install openssl"),
]


def openssl(folder: Path, *words: str) -> None:
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True, timeout=60)


def authority(folder: Path, name: str) -> None:
    openssl(folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
    "-days", "2", "-subj", f"/CN={name}",
            "-keyout", f"{name}.key", "-out", f"{name}.pem")  # fmt: skip


def certificate(folder: Path, name: str, issuer: str, subject: str) -> None:
    openssl(
        folder,
        "req",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-subj",
        f"/CN={name}",
        "-keyout",
        f"{name}.key",
        "-out",
        f"{name}.csr",
    )
    (folder / "extensions").write_text(f"subjectAltName={subject}\n", "utf-8")
    openssl(folder, "x509", "-req", "-in", f"{name}.csr", "-CA", f"{issuer}.pem", "-CAkey", f"{issuer}.key",
    "-CAcreateserial", "-days", "2", "-extfile", "extensions",
            "-out", f"{name}.pem")  # fmt: skip


@pytest.fixture(scope="session")
def keys(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("keys")
    authority(folder, "ours")
    authority(folder, "strange")
    # No name: only the address.
    certificate(folder, "server", "ours", "IP:127.0.0.1")
    certificate(folder, "client", "ours", "DNS:client")
    return folder


@pytest.fixture(scope="session")
def secure(tmp_path_factory, keys, start_server):
    """A server that takes no connection without TLS."""
    instance = start_server(
        tmp_path_factory.mktemp("tls"), f"--ssl-ca={keys / 'ours.pem'}", f"--ssl-cert={keys / 'server.pem'}",
        f"--ssl-key={keys / 'server.key'}",
        "--require-secure-transport=ON", tls=True,
    )  # fmt: skip
    instance.run(
        "CREATE DATABASE shop",
        "CREATE TABLE shop.t (id int PRIMARY KEY)",
        "CREATE DATABASE other",
        "CREATE TABLE other.t (id bigint PRIMARY KEY)",
    )
    yield instance
    instance.stop(hard=True)


@pytest.fixture(autouse=True)
def _password(monkeypatch, secure):
    monkeypatch.setenv(PASSWORD_VARIABLE, secure.password)


def dsn(instance, query: str, database: str = "shop", host: str = "127.0.0.1") -> str:
    return f"mysql://root@{host}:{instance.port}/{database}{query}"


@pytest.mark.parametrize(
    "query",
    [
        "?ssl-mode=VERIFY_IDENTITY&ssl-ca={ca}",
        "?ssl-mode=VERIFY_CA&ssl-ca={ca}",
        "?ssl-ca={ca}",
        "?ssl-mode=REQUIRED",
        "",
    ],
)
def test_snapshot_over_tls(secure, keys, tmp_path, capsys, query):
    """Without any option TLS is taken where the server offers it, as its own clients do."""
    where = dsn(secure, query.format(ca=keys / "ours.pem"))
    assert main(["snapshot", where, "-o", str(tmp_path / "s.jsonl.gz")]) == 0
    assert secure.password not in capsys.readouterr().out


def test_the_connection_is_encrypted(secure, keys):
    endpoint = Endpoint.parse(dsn(secure, f"?ssl-mode=VERIFY_IDENTITY&ssl-ca={keys / 'ours.pem'}"))
    with connected(endpoint, 30) as session:
        _, rows = session.query("SHOW STATUS LIKE 'Ssl_version'", "asking")
    assert rows[0][1].startswith("TLS")


def test_check_of_two_databases_over_tls(secure, keys, capsys, tmp_path):
    (tmp_path / "my.cnf").write_text("[mysqld]\nreplicate-rewrite-db = shop->other\n")
    query = f"?ssl-mode=VERIFY_IDENTITY&ssl-ca={keys / 'ours.pem'}"
    assert (
        main(
            [
                "check",
                dsn(secure, query),
                dsn(secure, query, "other"),
                "--no-config",
                "--filters",
                str(tmp_path / "my.cnf"),
                "--format",
                "concise",
            ]
        )
        == 1
    )
    assert "stops[SC201]" in capsys.readouterr().out


def test_options_from_an_option_file(secure, keys, tmp_path):
    options = tmp_path / "my.cnf"
    options.write_text(
        f"[client]\nhost=127.0.0.1\nport={secure.port}\nuser=root\npassword='{secure.password}'\nssl-ca={keys / 'ours.pem'}\nssl-mode=VERIFY_IDENTITY\n",  # noqa: E501
        "utf-8",
    )
    assert (
        live.take(Endpoint.parse(access=Access(str(options))), databases=["shop"]).instance
        == f"127.0.0.1:{secure.port}"
    )


def refusal(where: str, capsys, password: str) -> str:
    """What `check` says of a server that it cannot read: one line, exit status 2, no password."""
    assert main(["check", where, where, "--no-config"]) == 2
    said = capsys.readouterr()
    assert password not in said.err + said.out
    assert said.err.count("\n") == 1
    return str(said.err)


@pytest.mark.parametrize(
    "mode",
    [
        "?ssl-mode=VERIFY_IDENTITY&ssl-ca={ca}",
        "?ssl-mode=VERIFY_CA&ssl-ca={ca}",
        "?ssl-ca={ca}",
        "?ssl-mode=VERIFY_CA",
    ],
)
def test_a_certificate_of_a_strange_authority(secure, keys, capsys, mode):
    said = refusal(dsn(secure, mode.format(ca=keys / "strange.pem")), capsys, secure.password)
    assert f"127.0.0.1:{secure.port}: cannot connect: " in said
    assert "certificate verify failed" in said


def test_a_certificate_of_another_host(secure, keys, capsys):
    """VERIFY_CA asks who signed it, VERIFY_IDENTITY for whom too."""
    ca = keys / "ours.pem"
    said = refusal(
        dsn(secure, f"?ssl-mode=VERIFY_IDENTITY&ssl-ca={ca}", host="localhost"), capsys, secure.password
    )
    assert f"localhost:{secure.port}: cannot connect: " in said
    assert "localhost" in said.split("cannot connect: ")[1]
    assert live.take(Endpoint.parse(dsn(secure, f"?ssl-mode=VERIFY_CA&ssl-ca={ca}", host="localhost")))


def test_no_tls(secure, capsys):
    said = refusal(dsn(secure, "?ssl-mode=DISABLED"), capsys, secure.password)
    assert f"127.0.0.1:{secure.port}: cannot connect: " in said
    # MariaDB 10.11 only says that access is denied.
    assert "the connection is without TLS" in said
    assert "(error 1045)" in said


def test_a_file_that_is_none(secure, keys, tmp_path, capsys):
    assert "TLS files cannot be used" in refusal(
        dsn(secure, f"?ssl-ca={tmp_path / 'nothing.pem'}"), capsys, secure.password
    )
    assert "TLS files cannot be used" in refusal(
        dsn(secure, f"?ssl-ca={keys / 'server.key'}"), capsys, secure.password
    )


def test_a_client_certificate(secure, keys, capsys):
    query = f"?ssl-mode=VERIFY_IDENTITY&ssl-ca={keys / 'ours.pem'}"
    secure.run(
        "CREATE USER known@'127.0.0.1' IDENTIFIED BY 'k' REQUIRE X509",
        "GRANT SELECT ON *.* TO known@'127.0.0.1'",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(PASSWORD_VARIABLE, "k")
        where = dsn(secure, query).replace("root@", "known@")
        with pytest.raises(InputError, match=r"Access denied .*\(error 1045\)"):
            live.take(Endpoint.parse(where))
        assert live.take(
            Endpoint.parse(f"{where}&ssl-cert={keys / 'client.pem'}&ssl-key={keys / 'client.key'}")
        )
