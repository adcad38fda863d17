"""Limits on connections, counted by kind and by address. When places run out, connections of seats are closed last."""

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from ipaddress import ip_interface
from typing import Final, Literal, Protocol

import msgspec
from msgspec import Struct

from server.lobby.errors import ServerFull, TooOften
from server.operations.settings import Limits
from server.table.chat import Paces
from server.table.guests import Guest

FULL: Final = 4013
Paced = Literal["creations", "guesses", "replays", "sign-ups", "sign-ins", "requests"]
"""Uses with a rate limit: creating matches, wrong tokens, making replays, signing up and in, and one person's requests.
"""


class PacedUse(Struct, frozen=True, array_like=True):
    """An allowed use: by an address, by a person, or at a match for which a token was tried."""

    what: Paced
    address: str = ""
    match: str = ""


_COUNTED: Final = msgspec.json.Decoder(PacedUse)


class Member(Protocol):
    """A connection whose place is counted."""

    guest: Guest
    address: str

    def dismiss(self, code: int) -> None:
        """Close soon with a code."""
        ...

    def waiting(self) -> int:
        """The number of bytes that the other side has not yet read."""
        ...


@lru_cache(maxsize=4096)
def is_local(address: str) -> bool:
    """Whether an address is this machine's own: it belongs to an operator's tool or to a proxy that was not
    configured.
    """
    try:
        return ip_interface(address).ip.is_loopback
    except ValueError:
        return True


def _pace(per_minute: float) -> Paces:
    return Paces(per_minute, max(1.0, per_minute))


class ConnectionLimits:
    """Counts every connection: strangers, who are not yet in a match, and members of a match."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.is_proxied = False
        """Whether a proxy on this machine was configured: connections from this machine are then the operator's or the
        proxy's.
        """
        self.shed = 0
        """The number of connections that were closed because no place was left."""
        self._strangers: dict[Member, None] = {}
        """The strangers, in the order of arrival."""
        self._members: dict[Member, str] = {}
        self._roles: Counter[str] = Counter()
        self._spectators: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()
        self._paces = {
            "creations": _pace(limits.creations_per_minute),
            "guesses": _pace(limits.wrong_tokens_per_minute),
            "replays": _pace(limits.replays_per_minute),
            "sign-ups": _pace(limits.sign_ups_per_minute),
            "sign-ins": _pace(limits.sign_ins_per_minute),
            "requests": _pace(limits.account_requests_per_minute),
        }
        self._tell: Callable[[bytes], None] = lambda _: None
        """Called with each use that was counted here, so that the other processes of this server also count it
        (`heard`).
        """

    def expect_proxy(self, *, is_here: bool) -> None:
        """Set whether a proxy on this machine was configured."""
        self.is_proxied = is_here

    def tell_through(self, tell: Callable[[bytes], None]) -> None:
        """Register the callback that passes uses on to the other processes of this server, which also count them."""
        self._tell = tell

    @property
    def counts(self) -> dict[str, int]:
        """The number of connections by role; `stranger` for those in no match."""
        return {
            **{role: self._roles[role] for role in ("seat", "caster", "spectator")},
            "stranger": len(self._strangers),
        }

    def arrive(self, member: Member) -> None:
        """Count a new connection; if strangers have no place left, the oldest stranger is closed.

        The new connection may hold a seat but not have said so yet. Raises `ServerFull` if its address has used its
        share.
        """
        crowded = not is_local(member.address) and (
            self._addresses[member.address] >= self.limits.connections_per_address
        )
        if crowded:
            self.shed += 1
            raise ServerFull("No place is left for connections from this address; close some, or try again later.")
        if len(self._strangers) >= self.limits.strangers:
            self._send_away(next(iter(self._strangers)))
        self._addresses[member.address] += 1
        self._strangers[member] = None

    def enter(self, member: Member, guest: Guest, match: str) -> None:
        """Count a stranger as a member of a match, or a member in another match.

        Raises `ServerFull` if no place is left; the connection is then no longer counted.
        """
        self._drop(member)
        if len(self._members) >= self.limits.connections and not self._makes_room(guest):
            raise self._full()
        if guest.role == "spectator" and (
            self._roles["spectator"] >= self.limits.spectators
            or self._spectators[match] >= self.limits.spectators_per_match
        ):
            raise self._full()
        self._members[member] = match
        self._roles[guest.role] += 1
        self._spectators[match] += guest.role == "spectator"

    def _full(self) -> ServerFull:
        self.shed += 1
        return ServerFull("No place is left to watch; try again later.")

    def _makes_room(self, guest: Guest) -> bool:
        """Make room for a seat by closing the newest spectator or caster; for a spectator, nobody is closed."""
        if guest.role != "seat":
            return False
        for role in ("spectator", "caster"):
            last = next((member for member in reversed(self._members) if member.guest.role == role), None)
            if last is not None:
                self._send_away(last)
                return True
        return False

    def _send_away(self, member: Member) -> None:
        self.shed += 1
        self._drop(member)
        member.dismiss(FULL)

    def _drop(self, member: Member) -> None:
        self._strangers.pop(member, None)
        match = self._members.pop(member, None)
        if match is not None:
            self._roles[member.guest.role] -= 1
            self._spectators[match] -= member.guest.role == "spectator"
            if not self._spectators[match]:
                del self._spectators[match]

    def leave(self, member: Member) -> None:
        """Stop counting a connection that has ended."""
        self._drop(member)
        self._addresses[member.address] -= 1
        if not self._addresses[member.address]:
            del self._addresses[member.address]

    def relieve(self) -> int:
        """If too many bytes in total wait for slow readers, close some of these connections: strangers first, seats
        last. Returns the number of closed connections.
        """
        behind = [(0, -size, stranger) for stranger in self._strangers if (size := stranger.waiting())]
        behind += [(1 + (one.guest.role == "seat"), -size, one) for one in self._members if (size := one.waiting())]
        left = -sum(size for _, size, _ in behind)
        gone = 0
        for _, size, member in sorted(behind, key=lambda one: one[:2]):
            if left <= self.limits.all_waiting_bytes:
                break
            left += size
            gone += 1
            self._send_away(member)
        return gone

    def heard(self, message: bytes) -> None:
        """Count a use that another process of this server has allowed, as if this process had allowed it."""
        counted = _COUNTED.decode(message)
        self._paces[counted.what].count((counted.address, counted.match))

    def _may(self, counted: PacedUse) -> bool:
        allowed = self._paces[counted.what].may((counted.address, counted.match))
        if allowed:
            self._tell(msgspec.json.encode(counted))
        return allowed

    def assert_may_create(self, address: str) -> None:
        """Raise `TooOften` if an address creates matches too fast; this machine's address is also counted, unless a
        proxy runs on it.
        """
        if not (self.is_proxied and is_local(address)) and not self._may(PacedUse("creations", address)):
            raise TooOften("Matches are created from this address too fast; wait a minute.")

    def assert_may_sign(self, address: str, *, is_new: bool) -> None:
        """Raise `TooOften` if an address signs up or in too fast, as `assert_may_create` does."""
        if self.is_proxied and is_local(address):
            return
        if not self._may(PacedUse("sign-ups" if is_new else "sign-ins", address)):
            raise TooOften("Accounts are made or entered from this address too fast; wait a minute.")

    def assert_may_ask(self, person: str) -> None:
        """Raise `TooOften` if a person makes requests about their own account too fast, from any address."""
        if not self._may(PacedUse("requests", person)):
            raise TooOften("You ask for your account too fast; wait a minute.")

    def wrong_token(self, address: str, match: str) -> float:
        """Count a token that opened nothing; returns how long, in seconds, its sender waits for the answer.

        For each address, and for each match from all addresses, `wrong_tokens_per_minute` wrong tokens are answered at
        once. The sender of a right token never waits.
        """
        within = [self._may(PacedUse("guesses", match=match))]
        if not is_local(address):
            within.append(self._may(PacedUse("guesses", address)))
        return 0.0 if all(within) else self.limits.wrong_token_s

    def wrong_sign_in(self, address: str) -> float:
        """Count a failed sign-in.

        Returns how long, in seconds, the answer to the address waits, as for wrong tokens.
        """
        allowed = is_local(address) or self._may(PacedUse("guesses", address))
        return 0.0 if allowed else self.limits.wrong_token_s

    def may_replay(self, address: str) -> bool:
        """Whether one more replay or record may now be made for an address."""
        return is_local(address) or self._may(PacedUse("replays", address))
