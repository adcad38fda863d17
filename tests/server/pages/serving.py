"""Shared by `test_serving` and other tests: get."""

import http.client

import anyio
import anyio.to_thread

from tests.server.tabletop import Table


async def get(at: Table, path: str, **asked: str) -> tuple[int, dict[str, str], bytes]:
    """A GET request's status, headers and body; `asked`: headers of the request."""

    def ask() -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection(at.http.removeprefix("http://"), timeout=60)
        try:
            connection.request("GET", path, headers=asked)
            response = connection.getresponse()
            return response.status, dict(response.getheaders()), response.read()
        finally:
            connection.close()

    return await anyio.to_thread.run_sync(ask)
