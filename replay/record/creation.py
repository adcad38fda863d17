"""Creates matches: the first lines of a record."""

import secrets
from collections.abc import Sequence
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import (
    BranchOpened,
    ClocksSet,
    Dealt,
    Event,
    Game,
    MatchCreated,
    OpenCards,
    ScenarioOpened,
    State,
    TimeControl,
)
from domain.kernel.position import Views, set_events
from replay.record import keychain, sealing, signing
from replay.record.line import LineWriter, codec_of
from replay.record.origin import package_of
from replay.record.referee import SERVER, Referee, Ruling, Sign
from replay.store.log import Keys
from replay.store.matches import Header

S = TypeVar("S", bound=State)

REVEAL: Final = ("public", "seats", "auditor")


def new_match_id() -> bytes:
    """A fresh `mid` whose text begins with a letter or digit, so that a command line never takes it for a flag."""
    while True:
        mid = secrets.token_bytes(sealing.MID_BYTES)
        if sealing.b64(mid)[0].isalnum():
            return mid


class Deal(Struct, frozen=True):
    """The chance of a table of an event: the statement about it in line 1, and the seed (32 bytes), which is stored as
    `hid`.

    `mid`: the match that the event's manifest names; if it is empty, a fresh one is drawn.
    """

    dealt: Dealt
    seed: bytes
    mid: bytes = b""

    def __repr__(self) -> str:
        return f"Deal({self.dealt.event})"


class Beginning(Struct, Generic[S], frozen=True):
    """The beginning of a match that starts from a position, with what each viewer knows of it."""

    opened: BranchOpened | ScenarioOpened
    views: Views[S]


class Creation(Struct, Generic[S], frozen=True):
    """A new match, ready to be put into a store."""

    header: Header
    keys: Keys
    ruling: Ruling[S]


def _check_dealt(*, shares: bool, hints: bool, open_cards: OpenCards | None) -> None:
    """Raise `ValueError` for options that a table of an event cannot have."""
    if shares:
        raise ValueError("no seat gives a share of chance where it is dealt")
    if hints:
        raise ValueError("at a table of an event nobody is given hints")
    if open_cards is not None:
        raise ValueError("at a table of an event no cards are open, for others play the same ones")


def create_match(
    game: Game[S],
    options: dict[str, Any],
    seats: Sequence[str],
    *,
    at: int,
    title: str = "",
    listed: bool = True,
    reveal: str = "public",
    control: TimeControl | None = None,
    sign: Sign | None = None,
    beginning: Beginning[S] | None = None,
    shares: bool = False,
    version: int = sealing.VERSION,
    deal: Deal | None = None,
    mid: bytes = b"",
    hints: bool = False,
    rated: bool = False,
    open_cards: OpenCards | None = None,
) -> tuple[Referee[S], Creation[S]]:
    """A new match with its first line; `accept` the creation's ruling once the store has it.

    `reveal`: who may open the secrets of the closed match: public, seats or auditor. `beginning`: the position that
    it begins with, before anybody can play. `shares`: it waits for every person's share of chance. `deal`: the event
    whose seed its chance comes from. `mid`: an id from `new_match_id`; if none is given, one is drawn. `hints`: seats
    may ask for hints; not at a table of an event. `rated`: the result is meant to count (`unrateable`). `open_cards`:
    the delay after which spectators may see all hands; not at a table of an event, because others play the same
    cards. Raises `msgspec.ValidationError` for options that the game does not have or does not allow, `ValueError`
    for times that nobody can play by, and `RecordInvalid` for a position that no line can hold.
    """
    if reveal not in REVEAL:
        raise ValueError(f"reveal is one of {', '.join(REVEAL)}, not {reveal!r}")
    whole = beginning is None and deal is None
    if rated and (why := unrateable(hints=hints, shares=shares, reveal=reveal, whole=whole)):
        raise ValueError(why)
    mid, keys = mid or new_match_id(), Keys(*(secrets.token_bytes(sealing.KEY_BYTES) for _ in range(3)))
    if deal is not None:
        mid = deal.mid or mid
        _check_dealt(shares=shares, hints=hints, open_cards=open_cards)
        keys = replace(keys, hid=deal.seed)
    dealt = None if deal is None else deal.dealt
    chance = keychain.MatchChance(mid, keys.k_m, keys.k_n, keys.hid)
    chance.deal(dealt)
    anchor, hidden = sealing.b64(chance.anchor), sealing.b64(chance.commitment)
    names, package = tuple(seats), package_of(game.name)
    opens = version >= signing.BINDS and game.spec.opened_at_end is not None
    server = "" if sign is None else sealing.b64(sign(b"")[: sealing.KEY_BYTES])
    agreed = shares, dealt, hints, package, opens, rated, open_cards, server
    event = MatchCreated(game.name, options, names, anchor, hidden, reveal, version, *agreed)
    if control is not None and control.fault():
        raise ValueError(control.fault())
    game.assert_playable(options)
    game.assert_seats(event)
    state = game.created(event)
    match = sealing.b64(mid)
    writer = LineWriter(mid, keys.k_m, codec_of(game).rules, version=version)
    referee = Referee(game, match, keys, state, writer, sign)
    referee.chance = chance
    header = Header(match, game.name, game.rules, at, title, listed, "open", "", at)
    further: tuple[Event, ...] = ()
    if beginning is not None:
        unknown = Views(state, state, (state,) * len(seats))
        further = (beginning.opened, *set_events(unknown, beginning.views))
    if control is not None and control != TimeControl():
        further = (*further, ClocksSet(replace(control, taken_back="returned")))
    ruling = referee.rule((event, *further), game.fold(further, state), SERVER, at)
    return referee, Creation(header, keys, ruling)


def unrateable(*, hints: bool, shares: bool, reveal: str, whole: bool) -> str:
    """Why no match with these settings could count for ratings, as a sentence; empty if one could.

    `whole`: it begins at the beginning, and its chance is its own, not an event's.
    """
    if hints:
        return "A rated match has no hints."
    if not whole:
        return "A rated match begins at the beginning, and is no table of an event."
    if not shares:
        return "In a rated match every person's client gives a share of chance."
    if reveal != "public":
        return "A rated match opens its secrets to everybody at its end, so that anybody can audit it."
    return ""
