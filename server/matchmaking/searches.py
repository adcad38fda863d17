"""Searches for opponents. Searches lie in the store: any server over it continues a search that another has begun.

A search is a row that its client keeps alive by asking again. Each such request pairs the seekers who fit; all rows of
a match are claimed in one transaction. Then each client shows its lot, the seats are drawn, and the first server that
sees all lots makes the match: its id follows from the commitments, so that the store lets only one server make it.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, Protocol

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from projections.face import Face
from replay.record import sealing
from replay.record.seat_draw import SeatDraw, bot_lots, drawn, follows, is_opened, occasion_of, sealed_lot
from replay.store.side_tables.opponents import BOTS, USED, Opponents, SeekerRow
from server.matchmaking.choice import MayMeet, Seeker, all_fit, company, gather
from server.matchmaking.errors import CannotPair
from server.matchmaking.terms import PACES, pool_of, read, seats_of, written
from server.operations.intervals import INTERVALS, Intervals
from server.people.public_profiles import PublicProfiles
from server.people.standings import Standings
from server.table.guests import token_hash
from server.table.placement import Placement
from server.wire.opponent_messages import BotOffer, OffersTold, OfferTold, PlayNow, Search, Terms
from server.wire.protocol import Create, SeatWish

GONE_MS: Final = 15_000
"""A search ends when its client has sent nothing for this long."""
KEPT_MS: Final = 600_000
"""How long a search that is over is kept."""
LISTED: Final = 50
"""The largest number of offers that are listed."""
SECRET_BYTES: Final = 32
OFFER_BYTES: Final = 12
TOLD_S: Final = 1.0
"""How long one list of offers serves everybody, unless a search begins or ends here."""
GONE: Final = "This offer is gone: somebody has taken it, or its person looks no more."
UNFIT: Final = "This offer is not for you: your rating is out of its range, or you cannot play each other."
ELSEWHERE: Final = "You look for opponents on another device now; stop that search, or begin anew here."


class Make(Protocol):
    """Makes a match, or finds it already made; `hashes` (of the tokens) and `persons` are by seat."""

    def __call__(
        self, wish: Create, hashes: Mapping[int, bytes], mid: bytes, persons: Mapping[int, str]
    ) -> Awaitable[None]:
        """Raises the errors that `MatchFactory.create` raises."""
        ...


BotsOf = Callable[[str], Sequence[str]]


class _Ready(Struct, frozen=True):
    """A meeting of which all lots are shown, so that the match can be made."""

    rows: tuple[SeekerRow, ...]
    row: SeekerRow


class Searches:
    """The searches in a store. `now`: the time in ms; `make`: makes the match; `bots`: the bots of a game."""

    def __init__(
        self,
        opponents: Opponents,
        faces: Mapping[str, Face[Any]],
        standings: Standings,
        profiles: PublicProfiles,
        make: Make,
        bots: BotsOf,
        now: Callable[[], int],
        placement: Placement,
        may_meet: MayMeet,
        intervals: Intervals = INTERVALS,
    ) -> None:
        self._lots_ms = intervals.lots_ms
        self._kept, self._faces, self._standings, self._profiles = opponents, faces, standings, profiles
        self._make, self._bots, self._now, self._placement = make, bots, now, placement
        self._may_meet = may_meet
        self._listed: dict[str, tuple[float, OffersTold]] = {}

    async def play_now(self, person: str, wish: PlayNow) -> Search:
        """Begin or continue a search.

        Raises `CannotPair` or `CannotCreate` if nobody can play by these terms, and `StoreFailed` if the store fails.
        """
        step = await asyncio.to_thread(self._step, person, wish)
        return step if isinstance(step, Search) else await self._made(step)

    def stop(self, person: str, token: str) -> None:
        """End a search; a match that was found stays. Waits for the store."""
        self._kept.stop(person, token_hash(token))
        self.forget()

    def forget(self) -> None:
        """Make the list of offers anew for the next client that asks."""
        self._listed.clear()

    def _step(self, person: str, wish: PlayNow) -> Search | _Ready:
        now, row = self._now(), self._kept.seeker(person)
        if row is None or row.token_hash != token_hash(wish.token):
            if row is not None and not wish.begins and row.seen >= now - GONE_MS and not self._kept.draw(row.meeting):
                raise CannotPair(ELSEWHERE)
            row = self._begun(person, wish, now)
        else:
            self._kept.heard(person, now, wish.sealed, bots=_takes_bots(row, wish, now))
            row = self._kept.seeker(person) or row
        if row.sealed == USED + wish.sealed:
            return self._waiting(row, wish, now, fresh=True)
        return self._meet(row, wish, now) if row.meeting else self._seek(row, wish, now)

    def _begun(self, person: str, wish: PlayNow, now: int) -> SeekerRow:
        terms = wish.terms
        if wish.offer:
            offered = self._kept.offered(wish.offer)
            if offered is None or offered.seen < now - GONE_MS or offered.person == person:
                raise CannotPair(GONE)
            terms = replace(read(offered.terms), low=0, high=0)
        seats_of(terms, self._faces)
        self._standings.refresh()
        self._kept.sweep(now - KEPT_MS)
        row = SeekerRow(
            person,
            secrets.token_urlsafe(OFFER_BYTES),
            pool_of(terms),
            written(terms),
            round(self._standings.points(terms.game, person)),
            token_hash(wish.token),
            wish.sealed,
            sealing.b64(secrets.token_bytes(SECRET_BYTES)),
            now,
            now,
        )
        self._kept.seek(row)
        self.forget()
        return row

    def _seek(self, row: SeekerRow, wish: PlayNow, now: int) -> Search | _Ready:
        terms, since = read(row.terms), now - GONE_MS
        seats = seats_of(terms, self._faces)
        free = [one for one in self._kept.seekers(since, row.pool) if not one.sealed.startswith(USED)]
        if wish.bot:
            self._claim_bots(row, wish.bot, free, terms, now)
        else:
            found = self._chosen(row, wish, free, seats, now)
            if found:
                sealed = [one.sealed for one in free if one.person in found]
                self._kept.claim(found, self._meeting_of(sealed), now, since)
                self.forget()
        after = self._kept.seeker(row.person) or row
        return self._meet(after, wish, now) if after.meeting else self._waiting(after, wish, now)

    def _chosen(
        self, row: SeekerRow, wish: PlayNow, free: Sequence[SeekerRow], seats: int, now: int
    ) -> tuple[str, ...]:
        seekers = self._seekers(free, now)
        if not wish.offer or seats > 2:
            own = next((one for one in seekers if one.person == row.person), None)
            others = [one for one in seekers if one is not own]
            return () if own is None else gather(own, others, seats, self._may_meet)
        offered = self._kept.offered(wish.offer)
        if offered is None or offered.meeting or offered.seen < now - GONE_MS:
            self._kept.stop(row.person, row.token_hash)
            raise CannotPair(GONE)
        pair = [one for one in seekers if one.person in {row.person, offered.person}]
        if len(pair) < 2 or not all_fit(pair, self._may_meet):
            self._kept.stop(row.person, row.token_hash)
            raise CannotPair(UNFIT)
        return tuple(one.person for one in pair)

    def _seekers(self, rows: Sequence[SeekerRow], now: int) -> list[Seeker]:
        shows = self._profiles.showing_ratings([row.person for row in rows])
        found = []
        for row in rows:
            terms = read(row.terms)
            waited = (now - row.since) / 1000
            found.append(Seeker(row.person, row.rating, waited, row.person in shows, terms.low, terms.high))
        return found

    def _claim_bots(self, row: SeekerRow, bot: str, free: Sequence[SeekerRow], terms: Terms, now: int) -> None:
        """Begin with bots in the seats that are still free; everybody at this table who also waits for bots plays."""
        if bot not in self._bots(terms.game):
            raise CannotPair(f"There is no bot {bot!r} for this game.")
        seats = seats_of(terms, self._faces)
        persons = self._company(row, free, seats, now)
        others = [one for one in free if one.person in persons[1:]]
        rows = sorted([row, *others], key=lambda one: one.person)
        sealed = [*(one.sealed for one in rows), *_bot_sealed(rows[0], seats - len(rows))]
        self._kept.claim(persons, self._meeting_of(sealed), now, now - GONE_MS, bot)
        self.forget()

    def _company(self, row: SeekerRow, rows: Sequence[SeekerRow], seats: int, now: int) -> tuple[str, ...]:
        """The person and those at the same table who would also play with bots now."""
        others = [one for one in rows if one.person != row.person and not one.sealed.startswith(USED)]
        willing = [one for one in others if one.bot == BOTS]
        own, *seekers = self._seekers([row, *willing], now)
        return company(own, seekers, seats - 1, self._may_meet)

    def _meeting_of(self, sealed: Sequence[str]) -> str:
        return sealing.b64(self._placement.new_match_id(occasion_of(sealed)))

    def _waiting(self, row: SeekerRow, wish: PlayNow, now: int, *, fresh: bool = False) -> Search:
        terms = read(row.terms)
        seats = seats_of(terms, self._faces)
        seekers = self._kept.seekers(now - GONE_MS, row.pool)
        bot, along = None, 0
        if _takes_bots(row, wish, now):
            bot = self._bot_for(terms.game, row.rating)
            along = len(self._company(row, seekers, seats, now)) - 1
        return Search(
            "waiting",
            row.since,
            sum(one.person != row.person for one in seekers),
            bot,
            bot_sealed=_bot_sealed(row, seats - 1),
            fresh=fresh,
            along=along,
        )

    def _bot_for(self, game: str, rating: int) -> BotOffer | None:
        """The bot whose rating is nearest; if none has a rating, the first of the game."""
        bots = self._bots(game)
        rated = [
            (name, found) for name in bots if (found := self._standings.standing_of(game, f"bot:{name}")) is not None
        ]
        if rated:
            name, standing = min(rated, key=lambda one: abs(one[1].rating / 1000 - rating))
            return BotOffer(name, round(standing.rating / 1000))
        return BotOffer(bots[0]) if bots else None

    def _meet(self, row: SeekerRow, wish: PlayNow, now: int) -> Search | _Ready:
        """Continue a meeting: show the person's lot, wait for the others' lots, or end it if a person does not come."""
        if kept := self._kept.draw(row.meeting):
            return _found(row, msgspec.json.decode(kept, type=SeatDraw))
        if wish.lot and not row.lot:
            if not is_opened(row.sealed, wish.lot):
                raise CannotPair("This lot is not the one that was sealed.")
            self._kept.reveal(row.person, row.meeting, wish.lot)
        rows = self._kept.meeting(row.meeting)
        bots = seats_of(read(row.terms), self._faces) - len(rows)
        silent = [one for one in rows if not one.lot]
        is_late = any(one.seen < now - GONE_MS or one.met < now - self._lots_ms for one in silent)
        sealed = sorted([*(one.sealed for one in rows), *(_bot_sealed(rows[0], bots) if row.bot else ())])
        is_left = bots and not (row.bot and follows(row.meeting, sealed))
        if is_late or is_left:
            self._kept.part(row.meeting, now - GONE_MS, now - self._lots_ms)
            return self._waiting(row, wish, now, fresh=True)
        if not silent:
            return _Ready(tuple(rows), row)
        return Search("drawing", row.since, sealed=tuple(sealed))

    async def _made(self, ready: _Ready) -> Search:
        rows, terms = ready.rows, read(ready.row.terms)
        lots = {one.sealed: one.lot for one in rows}
        if ready.row.bot:
            own = bot_lots(sealing.unb64(rows[0].server_lot), seats_of(terms, self._faces) - len(rows))
            lots |= {sealed_lot(lot): sealing.b64(lot) for lot in own}
        draw, by_sealed = drawn(lots), {one.sealed: one for one in rows}
        seats = {seat: by_sealed.get(sealed) for seat, sealed in enumerate(draw.sealed)}
        names = await asyncio.to_thread(lambda: {one.person: self._profiles.handle(one.person) for one in rows})
        wishes = tuple(
            SeatWish("bot", bot=ready.row.bot) if one is None else SeatWish("invited", names[one.person])
            for one in seats.values()
        )
        people = {seat: one for seat, one in seats.items() if one is not None}
        await self._make(
            create_by(terms, wishes),
            {seat: one.token_hash for seat, one in people.items()},
            sealing.unb64(ready.row.meeting),
            {seat: one.person for seat, one in people.items()},
        )
        await asyncio.to_thread(self._kept.keep_draw, ready.row.meeting, msgspec.json.encode(draw).decode())
        return _found(ready.row, draw)

    def offers(self, game: str, there: int) -> OffersTold:
        """The offers of people who look for opponents now. `there`: connections at this server. Waits for the store."""
        if game and game not in self._faces:
            return OffersTold((), 0, there, PACES)
        listed = self._listed.get(game)
        if listed is None or time.monotonic() - listed[0] >= TOLD_S:
            listed = self._listed[game] = time.monotonic(), self._offers(game)
        return replace(listed[1], there=there)

    def _offers(self, game: str) -> OffersTold:
        rows = self._kept.seekers(self._now() - GONE_MS)
        shown = [(row, terms) for row in rows if (terms := read(row.terms)).listed and game in ("", terms.game)]
        told = tuple(self._told(row, terms) for row, terms in shown[:LISTED] if terms.game in self._faces)
        return OffersTold(told, len(rows), 0, PACES)

    def _told(self, row: SeekerRow, terms: Terms) -> OfferTold:
        seats = seats_of(terms, self._faces)
        if not self._profiles.shows_ratings(row.person):
            return OfferTold(row.offer, terms, seats, row.since)
        standing = self._standings.standing_of(terms.game, row.person)
        is_new = standing is None or standing.is_provisional
        return OfferTold(
            row.offer, terms, seats, row.since, self._profiles.handle(row.person), row.rating, provisional=is_new
        )

    def draw(self, match: str) -> SeatDraw | None:
        """How the seats of a match were drawn; None if they were not. Waits for the store."""
        kept = self._kept.draw(match)
        return msgspec.json.decode(kept, type=SeatDraw) if kept else None


def create_by(terms: Terms, seats: tuple[SeatWish, ...]) -> Create:
    """Make the match by these terms; every person gives a share of chance."""
    return Create(
        terms.game,
        seats,
        terms.options,
        listed=terms.listed,
        time=terms.time,
        shares=True,
        rated=terms.rated,
    )


def _takes_bots(row: SeekerRow, wish: PlayNow, now: int) -> bool:
    """Whether a person has waited so long that bots are offered."""
    return bool(wish.bot_after_s) and now - row.since >= 1000 * wish.bot_after_s


def _bot_sealed(row: SeekerRow, count: int) -> tuple[str, ...]:
    return tuple(sealed_lot(lot) for lot in bot_lots(sealing.unb64(row.server_lot), count))


def _found(row: SeekerRow, draw: SeatDraw) -> Search:
    return Search("found", row.since, match=row.meeting, seat=draw.sealed.index(row.sealed), drawn=draw)
