"""Shared by `test_delivery` and other tests: Receiver."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import anyio


class Receiver:
    """A local HTTP server that keeps the requests it receives and answers as told."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.statuses: list[int] = []
        self.location = "http://127.0.0.1:1/elsewhere"
        self.connections = 0
        outer = self

        def answer(request: BaseHTTPRequestHandler) -> None:
            body = request.rfile.read(int(request.headers["Content-Length"]))
            outer.got.append((dict(request.headers), body))
            request.send_response(outer.statuses.pop(0) if outer.statuses else 204)
            request.send_header("Location", outer.location)
            request.end_headers()

        methods = {"do_POST": answer, "log_message": lambda *_: None}
        quiet = type("Quiet", (BaseHTTPRequestHandler,), methods)
        self.server = HTTPServer(("127.0.0.1", 0), quiet)
        self.port = self.server.server_port
        self.server.verify_request = self._count  # type: ignore[method-assign,assignment]
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook?for=me"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()

    def _count(self, *_: Any) -> bool:
        self.connections += 1
        return True

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    async def until(self, count: int) -> None:
        """Wait for so many messages; `live` says when it is too long."""
        while len(self.got) < count:
            await anyio.sleep(0.01)
