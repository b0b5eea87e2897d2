"""A service of the tests' own that keeps the comments of a pull request."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest


@pytest.fixture
def service():
    """Comments of pull request 7; `status` is what writing is answered, `log` what was asked."""

    class Handler(BaseHTTPRequestHandler):
        def answer(self, value, status=200):
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(value).encode())

        def do_GET(self):
            server.log.append(("GET", self.path))
            page = int(self.path.rsplit("page=", 1)[1])
            self.answer(server.comments[(page - 1) * 100 : page * 100])

        def do_POST(self):
            server.log.append((self.command, self.path))
            value = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            assert self.headers["Authorization"] == "Bearer t0ken"
            if server.status == 200 and self.command == "POST":
                bot = {"id": 900 + len(server.comments), "user": {"type": "Bot"}, **value}
                server.comments.append(bot)
            elif server.status == 200:
                known = int(self.path.rsplit("/", 1)[1])
                next(one for one in server.comments if one["id"] == known).update(value)
            self.answer({}, server.status)

        def do_PATCH(self):
            self.do_POST()

        def log_message(self, *_args):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.comments, server.status, server.log = [], 200, []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()
