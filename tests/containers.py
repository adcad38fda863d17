"""A container engine, if the machine has one and the base of Herald's image: tests fetch nothing."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

from scripts.promises import ROOT, run

IMAGE: Final = ROOT / "docs/deploy/Containerfile"
ENGINES: Final = ("podman", "docker")


def base() -> str:
    """The name of the image that Herald's is built on."""
    return IMAGE.read_text(encoding="utf-8").splitlines()[0].removeprefix("FROM ")


def engine() -> str:
    """The command of an engine that has the base. `scripts/test` asks for the same before it lets the tests run."""
    for name in filter(shutil.which, ENGINES):
        if subprocess.run([name, "image", "inspect", base()], capture_output=True, check=False).returncode == 0:
            return name
    raise AssertionError(f"neither {' nor '.join(ENGINES)} has {base()}")


class Container:
    """A container that was started from an image, on this machine's own network, with a volume for its data."""

    def __init__(self, command: str, image: str, name: str, port: int) -> None:
        self._command, self._name = command, name
        self.address = f"http://127.0.0.1:{port}/"
        told = {"HERALD_HOST": "127.0.0.1", "HERALD_PORT": str(port)}
        settings = [word for pair in told.items() for word in ("--env", "=".join(pair))]
        script = f"{IMAGE.with_name('backup.sh')}:/srv/backup.sh:ro"
        volumes = ["--volume", f"{name}:/var/lib/herald", "--volume", script]
        self._do("run", "--detach", "--network", "host", "--name", name, *settings, *volumes, image)

    def _do(self, *words: str | Path) -> str:
        return run(self._command, *words).strip()

    def inside(self, *words: str) -> str:
        """The output of a program that is run in the container."""
        return self._do("exec", self._name, *words)

    def log(self) -> str:
        """Both of its streams."""
        command = [self._command, "logs", self._name]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    def stop(self) -> int:
        """Stop it, as the engine does when the machine stops; its exit status."""
        self._do("stop", "--time", "60", self._name)
        return int(self._do("inspect", "--format", "{{.State.ExitCode}}", self._name))

    def start(self) -> None:
        """Start it again, on the same volume."""
        self._do("start", self._name)

    def remove(self) -> None:
        """Remove the container and its volume."""
        for words in (("rm", "--force", self._name), ("volume", "rm", "--force", self._name)):
            subprocess.run([self._command, *words], capture_output=True, check=False)
