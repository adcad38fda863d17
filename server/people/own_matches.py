"""A person's own matches, over all devices: those where the person is to move, waiting, open and finished ones."""

from collections import Counter
from collections.abc import Mapping
from operator import attrgetter
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from replay.ratings.model import UNIT
from replay.record.seat_proof import VOID
from replay.store.matches import Brief, Header
from replay.store.store import Store
from server.people.standings import Standings
from server.wire.account_messages import Group, MyMatch, MyMatches, Outcome

PAGE: Final = 50
FACTS: Final = 8
"""The index of the public facts in a line of the record (docs/record.md 2)."""
TAIL: Final = 16
"""The number of lines read first from a record's end; the last question is usually among them."""


class OwnMatches:
    """Lists the matches in which a person has noted a seat."""

    def __init__(self, store: Store, standings: Standings | None = None) -> None:
        """`standings`: the source of the changes of ratings."""
        self._store, self._standings = store, standings

    def page(self, person: str, group: str = "", text: str = "", after: int = 0) -> MyMatches:
        """A page of matches, the last changed first; the counts are of all matches that contain the text."""
        seats = self._store.people.noted(person)
        found = self._holding(text.casefold().strip(), self._store.matches.briefs(list(seats)))
        found.sort(key=attrgetter("match"))
        found.sort(key=attrgetter("changed_ms"), reverse=True)
        going = {one.match: self._group(one, seats[one.match]) for one in found if one.status != "finished"}
        counts: Counter[str] = Counter(going.values())
        void = sum(is_void(one.result) for one in found if one.match not in going)
        counts.update({"finished": len(found) - len(going) - void, "void": void})
        wanted = [one.match for one in found if going.get(one.match, "finished") == group or not group]
        shown = wanted[after : after + PAGE]
        headers = {header.match: header for header in self._store.matches.named(shown)}
        players = self._store.matches.players(shown)
        dues = self._store.matches.dues([match for match in shown if going.get(match) == "yours"])
        told = [
            self._told(person, _told(headers[m], seats[m], going.get(m, "finished"), players.get(m, ())), dues)
            for m in shown
            if m in headers
        ]
        return MyMatches(tuple(told), {group: n for group, n in counts.items() if n}, len(wanted) > after + PAGE)

    def _told(self, person: str, match: MyMatch, dues: Mapping[str, int]) -> MyMatch:
        """The match with its due time, its result for the person, and the change of the rating."""
        if match.group != "finished":
            return replace(match, due_ms=dues.get(match.match, 0))
        change = None if self._standings is None else self._standings.change(match.game, person, match.match)
        rose = None if change is None else (change.after - change.before) / UNIT
        return replace(match, outcome=outcome_of(match.result, match.seat), change=rose)

    def _group(self, match: Brief, seat: int) -> Group:
        if match.status == "open":
            return "open"
        return "yours" if seat in asked_seats(self._store, match.match) else "waiting"

    def _holding(self, text: str, found: list[Brief]) -> list[Brief]:
        """The matches whose title, game or players contain a text; each name is examined once."""
        if not text:
            return found
        named = self._store.matches.named_players([one.match for one in found])
        fitting = {name for name in {name for _, name in named} if text in name.casefold()}
        played = {match for match, name in named if name in fitting}
        games = {game for game in {one.game for one in found} if text in game.casefold()}
        return [
            one
            for one in found
            if one.match in played or one.game in games or (one.title and text in one.title.casefold())
        ]


def _told(header: Header, seat: int, group: Group, players: tuple[str, ...]) -> MyMatch:
    return MyMatch(
        header.match,
        seat,
        header.game,
        header.title,
        group,
        players,
        header.created_ms,
        header.changed_ms,
        header.result,
        listed=header.listed,
    )


def outcome_of(result: str, seat: int) -> Outcome:
    """The result of a match for a seat, from its entry in the match list: `seat 0: why`, `seats 0 2: why` or `draw:
    why`.
    """
    who, _, _ = result.partition(": ")
    if not result:
        return ""
    if is_void(result):
        return "void"
    if who == "draw":
        return "drawn"
    return "won" if str(seat) in who.split()[1:] else "lost"


def is_void(result: str) -> bool:
    """Whether a result, as the match list has it, says that the match is void."""
    return result.startswith((VOID, f"draw: {VOID}"))


def asked_seats(store: Store, match: str) -> frozenset[int]:
    """The seats that a match waits for, by its last lines; the match is not folded for it."""
    last, size = store.head(match).seq, TAIL
    while True:
        begin = max(0, last - size)
        answered: set[int] = set()
        for entry in reversed(store.read(match, begin, last - begin)):
            facts = _facts(entry.line)
            if entry.type == "Chosen":
                answered.add(int(facts.get("seat", -1)))
            elif entry.type == "PositionSet" or "asked" in facts:
                held = facts["view"] if entry.type == "PositionSet" else facts
                asked = held.get("asked") or held.get("waiting") or ()
                return frozenset(int(one["seat"]) for one in asked) - answered
        if begin == 0:
            return frozenset()
        size *= 8


def _facts(line: bytes) -> dict[str, Any]:
    held = msgspec.json.decode(line)
    facts = held[FACTS] if isinstance(held, list) and len(held) > FACTS else {}
    return facts if isinstance(facts, dict) else {}
