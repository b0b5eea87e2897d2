"""How a server of an image is run by docker or podman: without a network, rights or files of this machine."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

from schemacheck.errors import UsageError
from schemacheck.model import Server
from schemacheck.scratch.process import NOBODY, Limits, Work
from schemacheck.scratch.start import ALONE, Maker, given
from schemacheck.system import child

_IMAGE = re.compile(r"[a-z0-9][a-z0-9._/:@-]*", re.IGNORECASE)
_TAGGED = re.compile(r"[:@][^/]*\Z")
#: Folders of an image in which a server has its share files.
_SHARES = "/usr/share/mysql /usr/share/mariadb /usr/local/mysql/share"
#: The server ends with its container, whose input ends with whoever started it.
_SCRIPT = """set -e
exec 3<&0
mkdir /lost/data /lost/tmp /lost/files /lost/plugins
server=$(command -v mariadbd || command -v mysqld)
{install}
"$server" {options} &
number=$!
{{ cat <&3 >/dev/null; kill -9 "$number"; }} &
wait "$number"
"""
#: As `Program.script`.
_BOOTSTRAP = (
    r"printf 'CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;\n' >/lost/system.sql",
    "for share in {shares}; do cat $share/m*_system_tables.sql; done 2>&- >>/lost/system.sql || true",
    "for share in {shares}; do cat $share/m*_performance_tables.sql; done 2>&- >>/lost/system.sql || true",
    '"$server" {options} --bootstrap </lost/system.sql',
)


def tagged(image: str, server: Server) -> str:
    """The image with a tag: the given one, else the version asked about. Raises UsageError."""
    if not _IMAGE.fullmatch(image):
        raise UsageError(f"{image!r} is no image's name; write docker:mysql or docker:registry/name:tag")
    return image if _TAGGED.search(image) else f"{image}:{server.version_text}"


def maker(image: str, server: Server) -> Maker:
    """What runs this image (`start.Maker`). Raises UsageError where there is neither docker nor podman."""
    program = child.program("docker") or child.program("podman")
    if program is None:
        raise UsageError("docker:IMAGE: neither docker nor podman is on this machine")
    # Rootless, podman maps our number to another one unless it is told to keep it.
    podman = ["--userns", "keep-id"] if Path(program).name == "podman" and os.geteuid() else []
    user = f"{NOBODY}:{NOBODY}" if os.geteuid() == 0 else f"{os.getuid()}:{os.getgid()}"

    def work(folder: Path, limits: Limits, options: tuple[str, ...]) -> Work:
        own = ["--no-defaults", "--datadir=/lost/data", "--tmpdir=/lost/tmp", *ALONE, *given(server)]
        install = (
            '"$server" {options} --initialize-insecure' if server.has("initialize") else "\n".join(_BOOTSTRAP)
        )
        served = [
            *own, *options, "--socket=/scratch/s", "--pid-file=/lost/pid", "--init-file=/scratch/init.sql",
            "--secure-file-priv=/lost/files", "--plugin-dir=/lost/plugins",
        ]  # fmt: skip
        script = _SCRIPT.format(
            install=install.format(options=shlex.join(own), shares=_SHARES), options=shlex.join(served)
        )
        memory = f"{limits.folder >> 20}m"
        command = [
            program, "run", "--rm", "--interactive", "--network", "none", *podman,
            "--user", user, "--cap-drop", "ALL", "--security-opt", "no-new-privileges",
            "--security-opt", "label=disable", "--read-only", "--memory", memory, "--memory-swap", memory,
            "--pids-limit", "512", "--ulimit", "core=0", "--ulimit", f"fsize={limits.file}",
            "--tmpfs", f"/lost:rw,mode=1777,size={limits.folder >> 21}m",
            "--tmpfs", "/tmp:rw,mode=1777,size=64m",  # noqa: S108 the container's own
            "--mount", f"type=bind,source={folder},target=/scratch", "--env", "TZ=UTC",
            "--entrypoint", "sh", tagged(image, server), "-c", script,
        ]  # fmt: skip
        # The client needs what says where its daemon is.
        return Work((), command, None, unprivileged=True, environment=dict(os.environ))

    return work
