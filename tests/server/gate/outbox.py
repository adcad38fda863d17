"""Shared by `test_outbox` and other tests: Wire."""


class Wire:
    """A socket that keeps what is written, in packets."""

    def __init__(self) -> None:
        self.packets: list[tuple[str, ...]] = []
        self.codes: list[int] = []
        self.left = 0

    async def recv(self) -> str | bytes:
        raise AssertionError("an outbox reads nothing")

    async def close(self, code: int = 1000, reason: str = "") -> None:
        del reason
        self.codes.append(code)

    def write(self, *frames: str) -> None:
        self.packets.append(frames)

    def waiting(self) -> int:
        return self.left
