"""Contests: who meets whom, what is kept, how one goes on, what ratings say."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from domain.kernel import HIDDEN, Seat
from projections.plain import plain_face
from projections.registry import games
from replay.audit.match_audit import audit
from replay.files.export import from_store
from replay.maintenance.database_check import file_faults
from replay.store.side_tables.arena import Contests
from replay.store.sqlite.file import SqliteFile
from replay.store.sqlite.store import SqliteStore
from server.arena.bout import ContestSetting, EntrantFault, Outcome, play_bout
from server.arena.contest import ContestTerms, enter, play, terms_of
from server.arena.players import Entrant, read_entrants
from server.arena.rating import band, places_of, standings
from server.arena.schedule import bouts
from server.bots import RandomBot
from server.cli import main
from server.errors import Misconfigured
from tests.pennants.game import GAME as PENNANTS
from tests.skirmish.game import GAME as SKIRMISH

FACE = plain_face(SKIRMISH)
TWO = (Entrant("a", "random"), Entrant("b", "random"))
ALONE = [(0,), (1,)]


def terms(seed: int = 1, **options: object) -> ContestTerms:
    return terms_of(FACE, ContestSetting("skirmish", options, TWO), seed)


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["arena", *map(str, words)])


def test_each_seed_is_played_from_each_side() -> None:
    planned = list(bouts(1, 3, 2, ALONE))
    assert [bout.seats for bout in planned] == [(0, 1), (1, 0)] * 3
    seeds = [bout.seed for bout in planned]
    assert seeds[0::2] == seeds[1::2]
    assert len(set(seeds)) == 3


def test_three_entrants_of_a_match_of_two_meet_in_pairs() -> None:
    assert [bout.seats for bout in bouts(1, 1, 3, ALONE)] == [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]


def test_who_plays_in_three_seats_sits_in_each() -> None:
    assert [bout.seats for bout in bouts(1, 1, 3, [(0,), (1,), (2,)])] == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]


def test_a_side_of_several_seats_is_held_by_one() -> None:
    assert [bout.seats for bout in bouts(1, 1, 2, [(0, 2), (1, 3)])] == [(0, 1, 0, 1), (1, 0, 1, 0)]


def test_more_rounds_begin_with_the_same_matches() -> None:
    assert list(bouts(1, 5, 3, ALONE))[:12] == list(bouts(1, 2, 3, ALONE))


def test_too_few_entrants_are_told_what_to_do() -> None:
    with pytest.raises(Misconfigured, match="3 bots play each other in this match, and 2 take part"):
        list(bouts(1, 1, 2, [(0,), (1,), (2,)]))


def test_a_match_is_the_same_each_time() -> None:
    setting = ContestSetting("skirmish", {}, TWO)
    one, other = next(bouts(1, 1, 2, ALONE)), next(bouts(2, 1, 2, ALONE))
    first = play_bout(FACE, setting, one)
    again = play_bout(FACE, setting, one)
    assert (first.places, first.decisions, first.reason) == (again.places, again.decisions, again.reason)
    matches = {play_bout(FACE, setting, bout).places for bout in bouts(1, 20, 2, ALONE)}
    assert len(matches) > 1
    assert one.seed != other.seed


@pytest.mark.parametrize(("words", "why"), [
    (("nobody",), "'nobody' is neither one of"),
    (("random", "random"), "random takes part twice"),
    (("a b=random",), "'a b' is no name"),
    (("a=",), "a= is followed by"),
    (("a='x",), "is no command"),
])  # fmt: skip
def test_who_cannot_take_part_is_told_why(words: tuple[str, ...], why: str) -> None:
    with pytest.raises(Misconfigured, match=why):
        read_entrants("vera_discordia", words)


def test_entrants_are_bots_aliases_and_commands() -> None:
    read = read_entrants("vera_discordia", ("random", "first=steady", "mine=python3 'my bot.py' -x"))
    assert read[1] == Entrant("first", "steady")
    assert read[2] == Entrant("mine", command=("python3", "my bot.py", "-x"))


def test_who_is_not_named_does_not_keep_the_others_waiting() -> None:
    assert [entrant.bot for entrant in read_entrants("vera_discordia", ())] == ["steady", "gentle", "random"]


def test_a_bot_that_looks_ahead_is_given_what_it_needs_and_others_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, set[bool]] = {}

    class Watching(RandomBot):
        def __init__(self, name: str) -> None:
            self.name, self.looks_ahead = name, name == "ahead"

        def choose(self, view: Any, asked: Any, form: Any, below: Any) -> Any:
            given.setdefault(self.name, set()).add(view.stack == HIDDEN)
            return super().choose(view, asked, form, below)

    monkeypatch.setattr("server.arena.players.make_bot", lambda _, name: Watching(name))
    setting = ContestSetting("skirmish", {}, (Entrant("a", "ahead"), Entrant("b", "behind")))
    assert not play_bout(FACE, setting, next(bouts(1, 1, 2, ALONE))).faults
    assert given == {"ahead": {False}, "behind": {True}}


@pytest.fixture
def contests(tmp_path: Path) -> Iterator[Contests]:
    SqliteStore(tmp_path / "herald.db").close()
    with closing(SqliteFile(tmp_path / "herald.db")) as file:
        yield Contests(file)


def test_what_was_played_is_not_played_again(contests: Contests) -> None:
    mine = terms()
    assert enter(contests, "c", mine) == []
    going = play(FACE, mine, 4, (), 1)
    first = next(going) + next(going)
    going.close()
    contests.keep("c", [(one.number, _json(one)) for one in first])
    known = enter(contests, "c", mine)
    assert known == first
    rest = [one for some in play(FACE, mine, 4, [one.number for one in known], 1) for one in some]
    assert sorted(one.number for one in (*known, *rest)) == list(range(8))


def _json(outcome: Outcome) -> str:
    return msgspec.json.encode(outcome).decode()


def test_other_terms_under_the_same_name_are_refused(contests: Contests) -> None:
    enter(contests, "c", terms())
    with pytest.raises(Misconfigured, match="name it otherwise"):
        enter(contests, "c", terms(seed=2))
    assert terms().name == terms().name != terms(seed=2).name


def test_a_database_with_contests_is_sound(contests: Contests, tmp_path: Path) -> None:
    enter(contests, "c", terms())
    store = SqliteStore(tmp_path / "herald.db", readonly=True)
    assert list(file_faults(store)) == []
    store.close()


def outcome(
    number: int, places: tuple[tuple[int, ...], ...], seats: tuple[int, ...] = (0, 1), **more: object
) -> Outcome:
    ranked = tuple(tuple(map(Seat, place)) for place in places)
    return Outcome(number, seats, ranked, "", 5, (0.1,) * len(seats), **more)  # type: ignore[arg-type]


def test_who_wins_more_is_rated_higher_and_more_matches_make_it_surer() -> None:
    few = standings(["a", "b"], [outcome(n, ((0,), (1,))) for n in range(4)])
    many = standings(["a", "b"], [outcome(n, ((0,), (1,))) for n in range(40)])
    for found in (few, many):
        assert [one.name for one in found] == ["a", "b"]
        assert found[0].low < found[0].rating < found[0].high
        assert (found[0].won, found[0].lost, found[0].share) == (found[0].matches, 0, 1.0)
        assert found[0].against == (None, 1.0)
    assert many[0].high - many[0].low < few[0].high - few[0].low


def test_a_draw_is_half_a_win_for_both() -> None:
    found = standings(["a", "b"], [outcome(0, ((0, 1),))])
    assert [(one.won, one.drawn, one.lost, one.share) for one in found] == [(0, 1, 0, 0.5)] * 2
    assert found[0].rating == pytest.approx(found[1].rating)


def test_entrants_are_placed_by_the_best_of_their_seats() -> None:
    assert places_of(outcome(0, ((1, 3), (0, 2)), (4, 7, 4, 7))) == {7: 1, 4: 2}
    assert places_of(outcome(0, ((2,), (0, 1)), (5, 6, 7))) == {7: 1, 5: 2, 6: 2}


def test_a_fault_is_counted_once_a_match() -> None:
    lost = outcome(0, ((1,), (0,)), faults=(EntrantFault(Seat(0), "it slept"),))
    assert [one.faults for one in standings(["a", "b"], [lost])] == [0, 1]


def test_a_share_has_its_interval() -> None:
    share, low, high = band(50, 100)
    assert share == 0.5
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)
    assert band(0, 0) == (0.0, 0.0, 1.0)


def test_allies_of_a_match_of_four_share_their_place() -> None:
    face = plain_face(PENNANTS)
    mine = terms_of(face, ContestSetting("pennants", {"seats": 4, "allied": True}, TWO), 1)
    assert mine.sides == ((0, 2), (1, 3))
    (one,) = next(play(face, mine, 1, (), 1))
    assert sorted(places_of(one)) == [0, 1]


def test_the_command_plays_tells_and_goes_on(tmp_path: Path) -> None:
    words = ("random", "other=random", "--rounds", "2", "--jobs", "1", "--db", tmp_path / "herald.db")
    first = run(*words)
    assert first.exit_code == 0, first.output
    assert "4 of 4 matches of the contest" in first.stdout
    told = json.loads(run(*words, "--json").stdout)
    assert (told["matches"], told["of"], told["faults"]) == (4, 4, {})
    again = json.loads(run(*words, "--json").stdout)
    assert again == told, "nothing was played again"
    assert sum(one["won"] + one["drawn"] / 2 for one in told["standings"]) == 4
    more = json.loads(run(*words[:2], "--rounds", "3", *words[4:], "--json").stdout)
    assert (more["contest"], more["matches"]) == (told["contest"], 6)


def test_without_the_package_for_ratings_nothing_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.arena.rating.find_spec", lambda _: None)
    done = run("random", "other=random", "--db", tmp_path / "herald.db")
    assert done.exit_code == 1
    assert "pip install 'herald[arena]'" in done.stderr
    assert not (tmp_path / "herald.db").exists()


def test_kept_matches_are_records_that_can_be_audited(tmp_path: Path) -> None:
    db = tmp_path / "herald.db"
    words = ("random", "out=false", "--game", "war_for_edadh", "--rounds", "1", "--jobs", "1", "--db", db)
    done = run(*words, "--keep", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    outcomes = _outcomes(db, told["contest"])
    store = SqliteStore(db, readonly=True)
    assert {one.match for one in outcomes} == {header.match for header in store.matches.latest()}
    for one in outcomes:
        assert one.record is None
        report = audit(games()["war_for_edadh"], from_store(store, one.match))
        assert report.ok
        assert not report.differences
        assert store.header(one.match).status == "finished"
    store.close()
    assert json.loads(run(*words, "--json").stdout)["contest"] != told["contest"]


def test_a_contest_whose_matches_are_not_kept_has_the_name_that_it_always_had() -> None:
    plain = terms()
    assert b"is_kept" not in msgspec.json.encode(plain)
    assert msgspec.structs.replace(plain, is_kept=True).name != plain.name


def test_a_match_that_does_not_take_place_leaves_no_record() -> None:
    nobody = (Entrant("a", command=("false",)), Entrant("b", command=("false",)))
    bout = next(bouts(1, 1, 2, ALONE))
    assert play_bout(FACE, ContestSetting("skirmish", {}, nobody), bout, is_kept=True).record is None
    assert play_bout(FACE, ContestSetting("skirmish", {}, TWO), bout).record is None
    assert play_bout(FACE, ContestSetting("skirmish", {}, TWO), bout, is_kept=True).record is not None


def _outcomes(db: Path, contest: str) -> list[Outcome]:
    with closing(SqliteFile(db)) as file:
        return [msgspec.json.decode(one, type=Outcome) for one in Contests(file).outcomes(contest).values()]


@pytest.mark.whole
def test_a_contest_stopped_by_ctrl_c_keeps_what_was_played(tmp_path: Path) -> None:
    """With processes of its own, in the middle of a contest that would take long."""
    db = tmp_path / "herald.db"
    words = [sys.executable, "-m", "server.cli", "arena", "steady", "random", "--rounds", "5000", "--jobs", "2"]
    # Tests that run in the background of a shell ignore the signal, and so do their processes.
    heard = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        process = subprocess.Popen([*words, "--db", str(db)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, heard)
    try:
        until = time.monotonic() + 120
        while time.monotonic() < until and process.poll() is None and not _played(db):
            time.sleep(0.1)
        os.kill(process.pid, signal.SIGINT)
        out, wrong = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, wrong
    assert "Traceback" not in wrong
    assert "of 10000 matches of the contest" in out
    assert wrong.strip().endswith(f"arena steady random --rounds 5000 --jobs 2 --db {db}")
    assert _played(db) > 0


def _played(db: Path) -> int:
    try:
        with sqlite3.connect(f"file:{db}?mode=ro", uri=True) as connection:
            return int(connection.execute("SELECT count(*) FROM contest_matches").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
