"""A nats-server of the tests' own."""

import shutil
import signal
import subprocess

from tests.postgres import free_port


class Server:
    """On a free port of this machine; nothing is kept."""

    def __init__(self) -> None:
        self.port = free_port()
        self.address = f"nats://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, or start again."""
        program = shutil.which("nats-server")
        assert program, "nats-server is not installed"
        self._process = subprocess.Popen(
            [program, "-a", "127.0.0.1", "-p", str(self.port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def kill(self) -> None:
        """End it at once."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None
