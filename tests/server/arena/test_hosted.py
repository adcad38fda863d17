"""Programs that come by their seat's link: they play at a server as in any live match, against anybody."""

import sys
from io import BytesIO
from pathlib import Path

import pytest

from domain.kernel import Seat
from projections.plain import plain_face
from replay.audit.match_audit import audit
from replay.files import export
from replay.maintenance.copy_matches import put_match
from replay.store.memory import MemoryStore
from server.arena.bout import Bout, ContestSetting, Outcome, play_bout
from server.arena.players import Entrant, read_entrants
from server.arena.program import ProgramLimits
from server.arena.schedule import bouts
from server.errors import Misconfigured
from tests.skirmish.game import GAME

CLIENT = """
import random, sys
import anyio
from herald_client import Asked, Key, Server, read_link, some

async def play(link):
    at = read_link(link)
    async with Server(at.server).play(at.match, at.token, key=Key()) as table:
        async for news in table:
            if isinstance(news, Asked):
                {does}

anyio.run(play, sys.argv[1])
"""
ANSWERS = 'await table.answer(some(news.prompt["fields"][0], random.randrange))'
PATIENT = ProgramLimits(choice_s=60.0, start_s=60.0)


def entrant(folder: Path, name: str = "mine", does: str = ANSWERS) -> Entrant:
    path = folder / f"{name}.py"
    path.write_text(CLIENT.format(does=does))
    return Entrant(name, command=(sys.executable, str(path), "{link}"))


TELLS = CLIENT.replace("sys.argv[1]", 'os.environ["HERALD_LINK"]').replace(
    "import random, sys", "import os, random, sys"
)
SEEN = """
from pathlib import Path
Path({seen!r}).write_bytes(Path("/proc/self/cmdline").read_bytes() + os.environ["HERALD_LINK"].encode())
"""


@pytest.mark.parametrize(("before", "after", "shown"), [(("HERALD_LINK={link}",), (), False), ((), ("{link}",), True)])
def test_the_link_is_in_the_environment_and_for_all_to_read_only_where_a_word_of_the_command_asks_for_it(
    tmp_path: Path, before: tuple[str, ...], after: tuple[str, ...], *, shown: bool
) -> None:
    path, seen = tmp_path / "mine.py", tmp_path / "seen"
    path.write_text(f"import os\n{SEEN.format(seen=str(seen))}{TELLS.format(does=ANSWERS)}")
    mine = Entrant("mine", command=(*before, sys.executable, str(path), *after))
    assert mine.comes_by_link
    (outcome,) = played(mine, Entrant("near", "random"))
    assert outcome.faults == ()
    words, _, link = seen.read_bytes().rpartition(b"http://")
    assert b"t=" in link
    assert (link in words) is shown


def test_what_stands_before_a_command_is_no_command() -> None:
    with pytest.raises(Misconfigured, match="a command"):
        read_entrants("skirmish", ["mine=HERALD_LINK={link}"])


def played(
    *entrants: Entrant, bounds: ProgramLimits = PATIENT, is_kept: bool = False, matches: int = 1
) -> list[Outcome]:
    setting = ContestSetting("skirmish", {}, entrants, bounds)
    some = list(bouts(1, 9, 2, [(0,), (1,)]))[:matches]
    return [play_bout(plain_face(GAME), setting, bout, is_kept=is_kept) for bout in some]


def test_a_client_of_the_servers_protocol_plays_from_either_side_against_a_bot_of_ours(tmp_path: Path) -> None:
    for outcome in played(entrant(tmp_path), Entrant("near", "random"), matches=2):
        assert outcome.faults == ()
        assert outcome.decisions >= 2
        assert outcome.places
        assert outcome.record is None
        assert outcome.thought_s[outcome.seats.index(0)] > 0


def test_two_such_clients_play_each_other_and_the_record_holds(tmp_path: Path) -> None:
    (outcome,) = played(entrant(tmp_path, "one"), entrant(tmp_path, "two"), is_kept=True)
    assert outcome.faults == ()
    assert outcome.record is not None
    store = MemoryStore()
    put_match(store, outcome.record)
    record = export.from_store(store, outcome.record.header.match)
    assert audit(GAME, record).ok
    assert export.read(BytesIO(b"".join(export.write(record)))).game == GAME.name


def test_one_plays_a_program_that_speaks_lines_too(tmp_path: Path) -> None:
    lines = tmp_path / "lines.py"
    lines.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    told = json.loads(line)\n"
        "    if told['t'] == 'hello': print('{\"t\": \"hello\"}', flush=True)\n"
        "    if told['t'] == 'ask':\n"
        "        field = told['field']\n"
        "        items = [item['id'] for item in field.get('items', [])]\n"
        "        choice = field['options'][0]['id'] if field['type'] == 'one' else items[: field['min']]\n"
        "        print(json.dumps({'t': 'choose', 'decision': told['decision'], 'choice': choice}), flush=True)\n"
    )
    (outcome,) = played(entrant(tmp_path), Entrant("lines", command=(sys.executable, str(lines))))
    assert outcome.faults == ()
    assert outcome.decisions >= 2


@pytest.mark.parametrize(
    ("does", "why"),
    [
        ("sys.exit(3)", "it ended with code 3"),
        ("import os; os.kill(os.getpid(), 9)", "it was ended by SIGKILL"),
        ("await anyio.sleep(60)", "it took longer than 5 s"),
    ],
)
def test_one_that_is_gone_or_sleeps_loses_and_nothing_else_happens(tmp_path: Path, does: str, why: str) -> None:
    bounds = ProgramLimits(choice_s=2.0, start_s=3.0)
    (outcome,) = played(entrant(tmp_path, does=does), Entrant("near", "random"), bounds=bounds)
    (fault,) = outcome.faults
    assert (outcome.seats[fault.seat], fault.why) == (0, why)
    assert outcome.places[0] == (Seat(outcome.seats.index(1)),)


def test_one_that_gives_up_is_no_fault_of_anybody(tmp_path: Path) -> None:
    (outcome,) = played(entrant(tmp_path, does="await table.resign()"), Entrant("near", "random"))
    assert outcome.faults == ()
    assert outcome.places[0] == (Seat(outcome.seats.index(1)),)


def test_a_program_that_is_not_there_loses() -> None:
    setting = ContestSetting(
        "skirmish", {}, (Entrant("mine", command=("nowhere", "{link}")), Entrant("near", "random"))
    )
    outcome = play_bout(plain_face(GAME), setting, Bout(0, "1", (0, 1)))
    assert [fault.why for fault in outcome.faults] == ["there is no program nowhere"]
