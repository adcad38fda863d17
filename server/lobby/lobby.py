"""The parts that the connections of a server share, put together."""

from pathlib import Path
from typing import Any

from projections.face import Face
from replay.record.referee import Sign
from replay.store.store import Store
from server.bots import bots_of
from server.bots.workers import Workers
from server.direction.commentary import Commentaries
from server.lobby.analysis_service import AnalysisService
from server.lobby.connection_limits import ConnectionLimits
from server.lobby.hint_service import HintService
from server.lobby.host_rulings import HostRulings
from server.lobby.lesson_service import LessonService
from server.lobby.match_entry import MatchEntry
from server.lobby.match_factory import MatchFactory
from server.lobby.match_list import MatchList
from server.lobby.match_registry import HostingTerms, MatchRegistry
from server.lobby.opponent_matches import OpponentMatches
from server.lobby.outlook_service import OutlookService
from server.lobby.presence_exchange import PresenceExchange
from server.lobby.rematch_start import RematchStart
from server.lobby.standing_sweep import StandingSweep
from server.lobby.store_health import StoreHealth
from server.lobby.takeover import Takeover
from server.matchmaking.invitations import PersonInvitations
from server.matchmaking.searches import Searches
from server.moderation.safety import Safety
from server.notifications.channel_posts import ChannelPosts
from server.notifications.person_channels import PersonChannels
from server.notifications.person_sender import PersonSender
from server.notifications.seat_webhooks import SeatWebhooks
from server.notifications.sender import NotificationSender
from server.operations.bounds import BOUNDS, Bounds
from server.operations.intervals import INTERVALS, Intervals
from server.operations.metrics import Meters, RegistryState
from server.operations.settings import DEFAULT_LIMITS, Limits, NoticeSettings, Webhook
from server.people.accounts import Accounts
from server.people.claims import SeatClaims
from server.people.deadlines import Deadlines
from server.people.own_matches import OwnMatches
from server.people.passkeys import Passkeys
from server.people.profiles import Profiles
from server.people.public_profiles import PublicProfiles
from server.people.seat_entry import SeatEntry
from server.people.standings import Standings
from server.table.chat import Paces
from server.table.clocks import LifeSign, ServerTime
from server.table.live_match import LiveMatch
from server.table.placement import ALONE, Placement
from server.webhooks.delivery import Notice


class Lobby:
    """Makes the parts (each has its own module), stops them, and reports their state.

    If two parts need each other, the earlier part gets a method of this class, which calls the later part.
    """

    def __init__(
        self,
        store: Store,
        faces: dict[str, Face[Any]],
        *,
        bot_delay_s: float = 0.4,
        sign: Sign | None = None,
        limits: Limits = DEFAULT_LIMITS,
        life_sign: LifeSign | None = None,
        webhook: Webhook | None = None,
        notices: NoticeSettings | None = None,
        is_shared: bool = False,
        workers: Workers | None = None,
        home: Placement = ALONE,
        analysts: Workers | None = None,
        intervals: Intervals = INTERVALS,
        bounds: Bounds = BOUNDS,
        guest_links: bool = False,
        commentary: Path | None = None,
    ) -> None:
        """`is_shared`: other servers may use the same store; `home`: this process's place in its server; `analysts`:
        the processes that analyse finished matches; `commentary`: the folder of commentaries, None if there is none."""
        self.store, self.faces, self.limits, self.placement = store, faces, limits, home
        self.intervals, self.bounds = intervals, bounds
        self._workers = workers or Workers(0)
        self._time, self._health = ServerTime(life_sign), StoreHealth(store)
        self.connection_limits = ConnectionLimits(limits)
        self.meters, self.chat_paces = Meters(), Paces(limits.chat_per_minute, limits.chat_burst)
        now = self._time.roughly
        self.accounts, self.profiles = Accounts(store.people, store.devices, now), Profiles(store, now)
        self.safety = Safety(store, now, limits, bounds, guest_links=guest_links)
        games = {name: face.game for name, face in faces.items()}
        self.standings = Standings(store, games, self._time.roughly, intervals.fresh_s)
        self.public_profiles = PublicProfiles(store, games, self.standings, self.profiles)
        self.own_matches = OwnMatches(store, self.standings)
        self.deadlines, self.seat_entry = Deadlines(store, self.own_matches, now), SeatEntry(store)
        self.claims, self.passkeys = SeatClaims(store, self.profiles), Passkeys(store, self.accounts, now)
        self.lessons, self.commentaries = LessonService(faces), Commentaries(commentary)
        analysts = analysts or Workers(0)
        self.analyses = AnalysisService(store, analysts, intervals, bounds)
        self.hints = HintService(store, self._workers, analysts, bounds)
        self.channel_posts = posts = ChannelPosts(store, notices or NoticeSettings(), now)
        self.person_channels = PersonChannels(store, posts, now)
        self.person_sender = persons = PersonSender(store, posts, now, intervals)
        self.webhooks = hooks = SeatWebhooks(store, webhook, are_persons_told=bool(persons))
        left = self._untold, self._is_awaited
        self.notifications = NotificationSender(store, hooks, self._time, home, *left, persons, intervals)
        is_heard = is_shared or home.count > 1
        is_elsewhere = self._is_elsewhere if is_heard else None
        self.presence = PresenceExchange(store, self._found, self._time, is_elsewhere, self._took_in, intervals)
        terms = HostingTerms(bot_delay_s, sign, limits, is_shared, self._workers, home, intervals, bounds)
        notify = self.notifications.tell if self.webhooks else None
        self.registry = MatchRegistry(store, faces, terms, self._time, self.presence, notify, self.meters)
        self.listing = MatchList(store, faces, self.registry.found, intervals, self._time.roughly)
        self.outlooks = OutlookService(store, analysts, self.registry.broadcast_end, sign)
        self.factory = MatchFactory(store, self.registry, self.listing, sign)
        self.entry = MatchEntry(store, self.registry, self.listing, self.presence)
        self.rematch = RematchStart(store, self.factory, self.presence, self.connection_limits, home)
        self.takeover = Takeover(store, self.registry, self.presence, self.webhooks, self.notifications, intervals)
        made = OpponentMatches(store, self.factory, self.registry, self.profiles)
        met = now, home, self.safety.shuns.may_meet
        self.searches = Searches(
            store.opponents, faces, self.standings, self.public_profiles, made.make, bots_of, *met, intervals
        )
        self.person_invitations = PersonInvitations(
            store, faces, self.profiles, made.make, made.once_more, *met, intervals, bounds
        )
        self.rulings, self.standing = HostRulings(store, self.registry), StandingSweep(store, self.registry)
        self.is_draining = False
        """Whether the server is about to stop: messages that arrive now stay unanswered, and are sent again later."""

    def _found(self, match: str) -> LiveMatch[Any] | None:
        return self.registry.found(match)

    def _is_elsewhere(self, live_match: LiveMatch[Any]) -> bool:
        return self.registry.is_elsewhere(live_match)

    async def _took_in(self, live_match: LiveMatch[Any]) -> None:
        await self.rematch.news(live_match)

    async def _untold(self, match: str) -> list[Notice]:
        return await self.takeover.untold(match)

    async def _is_awaited(self, notice: Notice) -> bool:
        return await self.takeover.is_awaited(notice)

    def state(self) -> RegistryState:
        """The number of matches in memory, and counts of the connections."""
        limits = self.connection_limits
        return RegistryState(len(self.registry.in_memory()), limits.counts, limits.shed, not self.unready())

    def unready(self) -> str:
        """The reason why no client should be sent to this server now; empty when the server is ready."""
        if self.is_draining:
            return "stopping"
        if not self.takeover.is_listed:
            return "starting"
        return "the store takes nothing; see the log" if self.is_refused() else ""

    def is_refused(self) -> bool:
        """Whether the store cannot write at the moment; the reason is in the log."""
        return bool(self._health.look())

    async def close(self) -> None:
        """Accept no more choices, stop bots, finish commits in progress, and send their results."""
        self.is_draining = True
        self.takeover.stop()
        await self.registry.close()
        self.hints.stop()
        self._workers.stop()
        self.outlooks.stop()
        self.analyses.stop()
        await self.notifications.close()
        await self.person_sender.close()
        self._time.beat()
