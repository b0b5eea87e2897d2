"""A file system that only its URL reaches: WebHDFS, as far as Spark asks it, over files in memory."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self
from urllib.parse import parse_qs, unquote, urlsplit


class Files:
    """Paths with their bytes; folders have None."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.held: dict[str, bytes | None] = {"/": None}
        self.read: list[str] = []

    def folders(self, path: str) -> None:
        parts = path.strip("/").split("/")
        for n in range(1, len(parts) + 1):
            self.held.setdefault("/" + "/".join(parts[:n]), None)

    def put(self, path: str, data: bytes) -> None:
        with self.lock:
            self.folders(path.rpartition("/")[0])
            self.held[path] = data

    def load(self, folder: Path, path: str) -> None:
        """Everything below a folder of this machine."""
        for one in folder.rglob("*"):
            if one.is_file():
                self.put(f"{path}/{one.relative_to(folder).as_posix()}", one.read_bytes())

    def save(self, path: str, folder: Path) -> None:
        """Everything below a path, to a folder of this machine."""
        for name, data in list(self.held.items()):
            if data is not None and name.startswith(path + "/"):
                target = folder / name[len(path) + 1 :]
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)

    def status(self, path: str, suffix: str = "") -> dict[str, Any]:
        data = self.held[path]
        return {
            "accessTime": 0, "blockSize": 1 << 27, "group": "g", "owner": "o", "permission": "755",
            "replication": 1, "pathSuffix": suffix, "length": len(data or b""),
            "modificationTime": int(time.time()), "type": "DIRECTORY" if data is None else "FILE",
        }  # fmt: skip

    def below(self, path: str) -> list[str]:
        return [name for name in self.held if name.startswith(path.rstrip("/") + "/")]

    def rename(self, path: str, to: str) -> bool:
        if path not in self.held:
            return False
        if to in self.held and self.held[to] is None:
            to = f"{to}/{path.rpartition('/')[2]}"
        for name in [path, *self.below(path)]:
            self.held[to + name[len(path) :]] = self.held.pop(name)
        return True


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    files: Files

    def log_message(self, *_: Any) -> None:
        pass

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            found = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                found.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(found)
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _answer(self, code: int, value: Any = None, location: str = "") -> None:
        data = value if isinstance(value, bytes) else b"" if value is None else json.dumps(value).encode()
        self.send_response(code)
        # (Without a Content-Type: Spark's Hadoop lacks a class that would read it.)
        self.send_header("Content-Length", str(len(data)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(data)

    def _handle(self) -> None:
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        path = "/" + unquote(url.path).removeprefix("/webhdfs/v1").strip("/")
        body = self._body()
        files = self.files
        name = query.get("op", "").upper()
        if name == "CREATE" and "data" not in query:
            return self._answer(307, None, f"http://{self.headers['Host']}{self.path}&data=true")
        with files.lock:
            there = path in files.held
            if name in ("GETFILESTATUS", "LISTSTATUS", "OPEN", "GETFILEBLOCKLOCATIONS") and not there:
                error = {"exception": "FileNotFoundException", "message": path}
                return self._answer(
                    404, {"RemoteException": {**error, "javaClassName": "java.io.FileNotFoundException"}}
                )
            if name == "GETFILESTATUS":
                return self._answer(200, {"FileStatus": files.status(path)})
            if name == "LISTSTATUS":
                inside = [n for n in files.below(path) if "/" not in n[len(path.rstrip("/")) + 1 :]]
                if files.held[path] is not None:
                    return self._answer(200, {"FileStatuses": {"FileStatus": [files.status(path)]}})
                listed = [files.status(n, n.rpartition("/")[2]) for n in sorted(inside)]
                return self._answer(200, {"FileStatuses": {"FileStatus": listed}})
            if name == "OPEN":
                at = int(query.get("offset", 0))
                end = at + int(query["length"]) if "length" in query else None
                files.read.append(path)
                return self._answer(200, (files.held[path] or b"")[at:end])
            if name == "CREATE":
                files.folders(path.rpartition("/")[0])
                files.held[path] = body
                return self._answer(201)
            if name == "MKDIRS":
                files.folders(path)
                return self._answer(200, {"boolean": True})
            if name == "RENAME":
                return self._answer(200, {"boolean": files.rename(path, query["destination"])})
            if name == "DELETE":
                for one in [path, *files.below(path)] if there else ():
                    del files.held[one]
                return self._answer(200, {"boolean": there})
            if name == "GETFILEBLOCKLOCATIONS":
                return self._answer(200, {"BlockLocations": {"BlockLocation": []}})
        return self._answer(
            400, {"RemoteException": {"exception": "UnsupportedOperationException", "message": name}}
        )


class Server:
    """The file system at `url`, for as long as the block lasts."""

    def __init__(self) -> None:
        self.files = Files()
        verbs = dict.fromkeys(("do_GET", "do_PUT", "do_DELETE", "do_POST"), _Handler._handle)
        handler = type("Handler", (_Handler,), {"files": self.files, **verbs})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.url = f"webhdfs://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
