"""How fast the page of a fleet is in a real browser: `python benchmarks/page.py run/report.html`.

Opens a copy in headless Chromium that acts on itself, three times each (sort by a column, filter by effect,
search, open a finding, scroll to the end, prepare for print), and sends home the median in milliseconds of
each action, until it is painted; `open` is from the start of navigation to a page that answers. Prints one
JSON line.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

_STEPS = """
<script>
(async () => {
  const $ = (id) => document.getElementById(id), painted = () => new Promise((r) => requestAnimationFrame(() => setTimeout(r, 0)));
  while (!document.body.dataset.ready) await new Promise((r) => setTimeout(r, 5));
  await painted();
  const told = { open: performance.now() };
  const time = async (name, act) => { const all = []; for (let i = 0; i < 3; i++) { const t = performance.now(); await act(i); await painted(); all.push(performance.now() - t); } told[name] = all.sort((a, b) => a - b)[1]; };
  told.findings = window.schemacheck.view.length;
  await time("sort", () => document.querySelector('#head [data-key="name"] button').click());
  await time("filter", (i) => { $("effect").value = ["stops", "", "diverges"][i]; $("effect").dispatchEvent(new Event("change")); });
  $("clear").click();
  const count = $("count");
  await time("search", (i) => new Promise((done) => { const seen = new MutationObserver(() => { seen.disconnect(); done(); }); seen.observe(count, { childList: true, characterData: true, subtree: true }); $("search").value = ["varchar", "id", "t00"][i]; $("search").dispatchEvent(new Event("input")); }));
  $("clear").click();
  await time("finding", (i) => document.querySelectorAll("#rows tr[data-i]")[i + 1].click());
  await time("scroll", () => $("end").scrollIntoView());
  await time("print", () => window.dispatchEvent(new Event("beforeprint")));
  await fetch("http://127.0.0.1:PORT/", { method: "POST", mode: "no-cors", body: JSON.stringify(told) });
})();
</script>
"""  # noqa: E501


class _Home(BaseHTTPRequestHandler):
    told: dict[str, float] = {}  # noqa: RUF012 filled once
    heard = threading.Event()

    def do_POST(self) -> None:
        """Take what the page tells."""
        _Home.told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()
        _Home.heard.set()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def main() -> None:
    page = Path(sys.argv[1]).read_text("utf-8")
    server = HTTPServer(("127.0.0.1", 0), _Home)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("chromium is not installed")
    with tempfile.TemporaryDirectory(prefix="schemacheck-page-") as name:
        # The page itself allows no request; the copy has to tell what it saw.
        text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page).replace(
            "</body>", _STEPS.replace("PORT", str(server.server_port)) + "</body>"
        )
        copy = Path(name, "page.html")
        copy.write_text(text, "utf-8")
        flags = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ]
        process = subprocess.Popen(
            [
                browser,
                *flags,
                f"--user-data-dir={name}/profile",
                "--window-size=1360,1000",
                "--remote-debugging-port=0",
                copy.as_uri(),
            ],
            stderr=subprocess.DEVNULL,
        )
        try:
            if not _Home.heard.wait(120):
                sys.exit("the page told nothing within two minutes")
        finally:
            process.terminate()
            process.wait(10)
    told = {key: round(value, 1) for key, value in _Home.told.items()}
    sys.stdout.write(json.dumps({"megabytes": round(len(page) / 1e6, 1), **told}) + "\n")


if __name__ == "__main__":
    main()
