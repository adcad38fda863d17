"""Three servers of an older version over one database, replaced one at a time, and people who play meanwhile."""

import os
import random
import signal
import socket
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from projections.registry import games
from tests.nats import Server as Nats
from tests.postgres import Instance, instance
from tests.server.gate.restart import ROOT
from tests.server.machines.fleet import Node
from tests.server.machines.people import Person
from tests.server.tabletop import FACES, Player

SERVERS = 3
REVISIONS = sorted((ROOT / "tests/releases").glob("*/revision"))
"""For each kept version, the file that names its revision."""


def tree_of(revision: str, folder: Path) -> Path:
    """The files of a revision of this repository, in a folder of their own."""
    packed = subprocess.run(["git", "archive", revision], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def next_of(game: str, folder: Path) -> Path:
    """The files of this tree as those of a later version, which has newer rules of a game."""
    listed = ["git", "ls-files", "--", "clients", "domain", "projections", "replay", "server", "tests", "docs/rules"]
    for name in subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes((ROOT / name).read_bytes())
    place = folder / f"domain/{game}/game.py"
    number = int(games()[game].rules)
    told = place.read_text()
    assert f'rules="{number}"' in told
    place.write_text(told.replace(f'rules="{number}"', f'rules="{number + 1}"'))
    return folder


def told_by(source: Path, *words: str) -> str:
    """The output of the command `herald` of a tree."""
    places = map(str, (source, source / "clients/python/src"))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(places), "NO_COLOR": "1", "COLUMNS": "200"}
    command = [sys.executable, "-m", "server.cli", *words]
    done = subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Upgraded:
    """Servers that begin as those of an older version."""

    def __init__(self, folder: Path, old: Path, new: Path, database: Instance, nats: Nats) -> None:
        self._new = new
        self.store = database.database("upgraded")
        told_by(old, "store", "create", self.store)
        self.nodes = [Node(folder / f"node{number}", self.store, nats.address, source=old) for number in range(SERVERS)]
        self.away: set[int] = set()

    def urls(self, match: str = "") -> list[str]:
        """The addresses of the servers to which a proxy sends people: all but the one that is being replaced."""
        del match
        return [node.url for number, node in enumerate(self.nodes) if number not in self.away]

    def migrate(self) -> str:
        """Bring the tables up to date, while the older servers are at work."""
        return told_by(self._new, "store", "migrate", self.store)

    def check(self) -> str:
        """Audit every match in the database, with the later version."""
        return told_by(self._new, "store", "check", "--deep", self.store)

    def replace(self, number: int) -> int:
        """Stop a server in order and start the one of the later version in its place; the exit status of the former."""
        node = self.nodes[number]
        self.away.add(number)
        status = node.end(signal.SIGTERM)
        node.source = self._new
        node.start()
        return status

    def is_back(self, number: int) -> bool:
        """Whether the server listens; from then on people are sent to it."""
        with socket.socket() as tried:
            tried.settimeout(1)
            listens = tried.connect_ex(("127.0.0.1", self.nodes[number].port)) == 0
        self.away -= {number} if listens else set()
        return listens


@contextmanager
def upgraded(folder: Path, old: Path, new: Path) -> Iterator[Upgraded]:
    """All of them run while the context lasts."""
    with ExitStack() as stack:
        database, nats = stack.enter_context(instance(is_synced=True)), Nats()
        nats.start()
        stack.callback(nats.kill)
        made = Upgraded(folder, old, new, database, nats)
        for number, node in enumerate(made.nodes):
            node.start()
            stack.callback(node.end)
            while not made.is_back(number):
                pass
        yield made


class OneServer:
    """A server over a SQLite file that begins as one of an older version."""

    def __init__(self, folder: Path, old: Path, new: Path) -> None:
        self._new = new
        self.db = folder / "played.db"
        self.node = Node(folder / "node", str(self.db), source=old)

    def urls(self, match: str = "") -> list[str]:
        """Its address, whether it is up or not."""
        del match
        return [self.node.url]

    def replace(self, how: signal.Signals) -> int:
        """End it and start the one of the later version over the same file; the exit status of the former."""
        status = self.node.end(how)
        self.node.source = self._new
        self.node.start()
        return status

    def kept(self) -> list[Path]:
        """The copies of the file as it was before it was brought up to date."""
        return sorted(self.db.parent.glob(f"{self.db.name}.schema*"))


class Chooser(Person):
    """A player whose choices are derived from the questions: sent again, each is the same."""

    THINKS_S = 0.1

    def _choice(self, player: Player) -> Any:
        asked = player.asked()
        drawn = random.Random(f"{player.view.viewer.label} {asked.number}")
        form = FACES[player.view.game].game.revive_decision(asked).form(player.view.state)
        return to_builtins(form.sample(drawn.randrange))
