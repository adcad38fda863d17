"""Records of a server that holds every key of the match and is not honest (docs/record.md 5)."""

import json
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace
from nacl.bindings import crypto_scalarmult_ed25519_base_noclamp

from domain.kernel import (
    Act,
    Agreed,
    Chosen,
    Declined,
    Draw,
    Event,
    Game,
    HintAsked,
    Offered,
    Pause,
    Resigned,
    Seat,
    TakeBack,
    TimeControl,
)
from domain.kernel.history import pauses
from domain.kernel.table import OfferTerms
from projections.redaction import Viewer
from replay.audit.match_audit import audit
from replay.audit.report import AuditReport
from replay.files import export
from replay.files.export import Held, Record
from replay.record import keychain, sealing
from replay.record.preparation import Preparation
from replay.record.referee import Referee, read_event
from replay.record.seat_proof import REVEAL_MS
from replay.record.signing import BINDS, SeatKey, key_said, share_said
from replay.store.memory import MemoryStore
from tests.replay.hostile import dumps, sealed
from tests.replay.matches import START, created, put
from tests.replay.records import game_of
from tests.skirmish.game import GAME

ADA, BO = Seat(0), Seat(1)


class Signing:
    """A match in which the first seat signs, or both seats do; the last may be a bot's."""

    def __init__(
        self,
        other: str = "person",
        version: int = sealing.VERSION,
        control: TimeControl | None = None,
        *,
        hints: bool = False,
        game: Game[Any] = GAME,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.store = MemoryStore()
        self.keys = [SeatKey(), SeatKey()]
        self.referee: Referee[Any] = created(
            self.store, game, options=options, version=version, control=control, hints=hints
        )
        self.at = START
        for seat, kind in ((ADA, "person"), (BO, other)):
            key = self.keys[seat].public if kind == "person" and version > 1 else ""
            self.put(Preparation(self.referee).take_seat(seat, f"P{seat}", kind, START, key))
        self.put(Preparation(self.referee).begin(START))

    def put(self, ruling: Any) -> list[str]:
        put(self.store, self.referee, ruling)
        return [type(event).__name__ for event in ruling.events]

    def now(self) -> int:
        self.at += 1000
        return self.at

    def note(self, seat: Seat, number: int, answer: Any) -> Chosen:
        referee = self.referee
        by = "bot" if seat in referee.state.table.bots else "seat"
        note = Chosen(seat, number, f"c{referee.seq}", by, referee.seq, sealing.b64(referee.head))
        if by == "bot" or referee.state.record == 1:
            return note
        return self.keys[seat].chosen(referee.match, note, answer)

    def choose(self, most: int = 1) -> None:
        rng = random.Random(3)
        for _ in range(most):
            if not self.referee.state.asked:
                return
            asked = self.referee.state.asked[0]
            choice = self.referee.game.revive_decision(asked).form(self.referee.state).sample(rng.randrange)
            note = self.note(asked.seat, asked.number, msgspec.to_builtins(choice))
            self.put(self.referee.choose(asked.seat, asked.number, choice, note, self.now()))

    def signed(self, act: Act) -> Act:
        referee = self.referee
        act = replace(act, id=f"a{referee.seq}", ack_seq=referee.seq, ack_head=sealing.b64(referee.head))
        offer = referee.state.table.offer(act.number) if isinstance(act, Agreed | Declined) else None
        answered = offer.terms if offer is not None and referee.state.record >= BINDS else None
        return self.keys[act.seat].acted(referee.match, act, answered)

    def act(self, act: Act) -> list[str]:
        return self.put(self.referee.act(self.signed(act), self.now(), self.past))

    def past(self) -> list[Event]:
        return [read_event(self.referee.game, entry) for entry in self.store.read(self.referee.match)]

    def record(self, viewer: Viewer | None = None) -> Record:
        return export.from_store(self.store, self.referee.match, viewer)

    def audited(self) -> AuditReport:
        return audit(self.referee.game, self.record())


def in_form(game: str, kind: str, payload: dict[str, Any], *, whole: bool = False) -> dict[str, Any]:
    """The fields in their order, without defaults, as an honest server writes them; fields of another shape stay.

    `whole`: a missing field that must always be present is added.
    """
    try:
        event = msgspec.json.decode(dumps(payload), type=game_of(game).events[kind])
    except (msgspec.ValidationError, KeyError):
        return payload
    made: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(event))
    for field in msgspec.structs.fields(event):  # texts that were read are written though they are equal to the default
        if isinstance(field.default, str) and getattr(event, field.name) == field.default:
            made.pop(field.name, None)
    return made if whole or made.keys() <= payload.keys() else payload


def another_key(parts: list[Any], openings: dict[int, bytes]) -> None:
    """Nothing is agreed to: the seat has another key instead, which no former one has signed."""
    parts[4], parts[8] = "SeatKeyed", {"seat": parts[8]["seat"], "key": SeatKey().public}


def rewritten(record: Record, change: Callable[[list[Any], dict[int, bytes]], None]) -> Record:
    """Every line changed as the server likes, chain, causes, seals and unsigned acknowledgements made to fit again."""
    causes: dict[str, str] = {}
    heads = [sealing.genesis(sealing.unb64(record.match))]
    for i, held in enumerate(record.held):
        parts, openings = json.loads(held.line), dict(held.openings)
        change(parts, openings)
        parts[8] = in_form(record.game, parts[4], parts[8])
        parts[7] = causes.get(parts[7], parts[7])
        if parts[8].get("ack_seq") and not parts[8].get("signature"):
            parts[8]["ack_head"] = sealing.b64(heads[parts[8]["ack_seq"]])
        before = sealing.choice_cause(held.line)
        record.held[i] = Held(dumps(parts), openings)
        record.result = None
        sealed_one(record, i)
        heads.append(sealing.link(heads[-1], record.held[i].line))
        if parts[4] == "Chosen":
            causes[before] = sealing.choice_cause(record.held[i].line)
    return sealed(record)


def sealed_one(record: Record, i: int) -> None:
    assert record.secrets is not None
    sealer, held = sealing.Sealer(sealing.unb64(record.match), record.secrets.k_m), record.held[i]
    parts = json.loads(held.line)
    for slot, seal in enumerate(parts[9]):
        seal[1] = sealing.b64(sealer.seal(i + 1, slot, seal[0], held.openings[slot]))
    record.held[i] = Held(dumps(parts), held.openings)


def as_seen(record: Record, viewer: Viewer) -> Record:
    """The openings that the server would show a viewer of a record that it has made up."""
    assert record.secrets is not None
    seen = Record(record.match, record.game, viewer.label, record.end, heads=dict(record.heads))
    for held in record.held:
        masks = [mask for mask, _ in json.loads(held.line)[9]]
        mine = {slot: held.openings[slot] for slot, mask in enumerate(masks) if mask & viewer.mask}
        seen.held.append(Held(held.line, mine))
    if viewer.mask:
        seen.keys = {viewer.mask: sealing.audience_key(record.secrets.k_m, sealing.unb64(record.match), viewer.mask)}
    return seen


def invented(by: str, version: int = sealing.VERSION) -> Record:
    """All choices of a seat that signs were made by somebody else."""
    match = Signing("bot", version=version)
    match.choose(4)

    def invent(parts: list[Any], openings: dict[int, bytes]) -> None:
        if parts[4] == "Chosen" and parts[8]["seat"] == 0:
            parts[8]["by"] = by
            parts[8].pop("commitment", None)
            parts[8].pop("signature", None)
            openings[1] = b"null"

    return rewritten(match.record(), invent)


def forked(field: str) -> Record:
    """The seats' statements with their choices, changed in one field."""
    match = Signing()
    match.choose(4)
    other = {"ack_seq": 0, "id": "x", "commitment": sealing.b64(bytes(32)), "signature": sealing.b64(bytes(64))}

    def fork(parts: list[Any], openings: dict[int, bytes]) -> None:
        if parts[4] == "Chosen":
            parts[8][field] = other[field]
            if field == "ack_seq":
                parts[8].pop("ack_head")
                parts[8].pop("ack_seq")

    return rewritten(match.record(), fork)


def another_history() -> Record:
    """A seat's opponent had another name before it chose."""
    match = Signing()
    match.choose(5)

    def rename(parts: list[Any], openings: dict[int, bytes]) -> None:
        if parts[4] == "SeatTaken" and parts[8]["seat"] == 1:
            parts[8]["name"] = "Somebody"

    return rewritten(match.record(), rename)


def resigned() -> Record:
    """It was the other seat that resigned."""
    match = Signing()
    match.choose(2)
    match.act(Resigned(BO))
    assert match.audited().ok

    def resign(parts: list[Any], openings: dict[int, bytes]) -> None:
        if parts[4] == "Resigned":
            parts[6] = parts[8]["seat"] = 0
        if parts[4] == "MatchEnded":
            parts[6], parts[8]["result"]["winner"] = 0, 1

    return rewritten(match.record(), resign)


def replaced() -> Record:
    """A pause was agreed on, and a bot took the seat."""
    match = Signing()
    match.act(Offered(ADA, number=1, terms=Pause(5000)))
    match.act(Agreed(BO, number=1))
    assert match.audited().ok

    def replace_bo(parts: list[Any], openings: dict[int, bytes]) -> None:
        if parts[4] == "MatchPaused":
            parts[4], parts[8] = "SeatReplaced", {"seat": 1, "bot": "random"}

    return rewritten(match.record(), replace_bo)


def said_twice() -> Record:
    """One offer was said once and stands twice."""
    match = Signing()
    said = match.signed(Offered(ADA, number=1, terms=Draw()))
    match.put(match.referee.act(said, match.now(), match.past))
    match.act(Declined(BO, number=1))
    match.choose(1)
    assert isinstance(said, Offered)
    match.put(match.referee.act(replace(said, number=2), match.now(), match.past))
    return match.record()


def rolled(match: Signing) -> int:
    """A line to which the seat may go back, behind which chance was spent."""
    before = match.referee.state.draws, match.referee.state.shuffles
    line = match.referee.seq
    while (match.referee.state.draws, match.referee.state.shuffles) == before:
        line = pauses(GAME, match.past())[-1]
        match.choose(1)
    return line


def rolled_again() -> Record:
    """A takeback past a roll, to which the other seat never agreed."""
    match = Signing()
    line = rolled(match)
    match.act(Offered(ADA, number=1, terms=TakeBack(line)))
    match.act(Agreed(BO, number=1))

    def unasked(parts: list[Any], openings: dict[int, bytes]) -> None:
        if parts[4] == "Agreed":
            another_key(parts, openings)
        if parts[4] == "OfferAccepted":
            parts[8]["agreed"] = []

    return rewritten(match.record(), unasked)


def put_back() -> Record:
    """A takeback that was asked for goes to another line."""
    match = Signing()
    line = rolled(match)
    match.act(Offered(ADA, number=1, terms=TakeBack(line)))
    match.act(Agreed(BO, number=1))

    def elsewhere(parts: list[Any], openings: dict[int, bytes]) -> None:
        if parts[4] == "PositionSet":
            parts[8]["line"] -= 1

    return rewritten(match.record(), elsewhere)


SHARES = [bytes(range(32)), bytes(range(1, 33))]


def fixed(match: Signing, givers: tuple[Seat, ...], *, signed: bool = True) -> Referee[Any]:
    """A match of two persons, some of whom have fixed a share of chance."""
    referee = match.referee = created(match.store)
    for seat in (ADA, BO):
        key = match.keys[seat].public if signed else ""
        match.put(Preparation(referee).take_seat(seat, ("Abel", "Doviso")[seat], "person", START, key))
    for seat in givers:
        commitment = sealing.b64(keychain.entropy_commitment(SHARES[seat]))
        signature = match.keys[seat].said(referee.match, seat, share_said(commitment)) if signed else ""
        match.put(Preparation(referee).commit_entropy(seat, commitment, START, signature))
    left = Preparation(referee).fix_entropy(START)
    if left is not None:
        match.put(left)
    return referee


def shares_chosen() -> Record:
    """The server gave the shares of chance of seats that sign."""
    match = Signing()
    referee = fixed(match, (ADA, BO))
    for seat in (ADA, BO):
        match.put(Preparation(referee).reveal_entropy(seat, sealing.b64(SHARES[seat]), START))

    def chosen(parts: list[Any], openings: dict[int, bytes]) -> None:
        if parts[4] == "EntropyCommitted":
            parts[8]["commitment"] = sealing.b64(keychain.entropy_commitment(bytes(32)))
        if parts[4] == "EntropyRevealed":
            parts[8]["entropy"] = sealing.b64(bytes(32))

    return rewritten(match.record(), chosen)


def void_early() -> Record:
    """A match was void a millisecond before its time."""
    match = Signing()
    match.put(Preparation(fixed(match, (ADA,))).void(START + REVEAL_MS))
    assert match.audited().ok

    def early(parts: list[Any], openings: dict[int, bytes]) -> None:
        if parts[4] == "MatchEnded":
            parts[3] -= 1

    return rewritten(match.record(), early)


def key_exchanged() -> Record:
    """The server puts a key of its own in a seat's, and says that the former one has signed it."""
    match = Signing()
    new = SeatKey()
    signature = match.keys[0].said(match.referee.match, 0, key_said(new.public))
    match.put(Preparation(match.referee).set_key(ADA, new.public, signature, match.now()))

    def exchange(parts: list[Any], openings: dict[int, bytes]) -> None:
        if parts[4] == "SeatKeyed":
            parts[8]["key"] = SeatKey().public

    return rewritten(match.record(), exchange)


def hinted(*, agreed: bool, times: int) -> Record:
    """A seat has asked for hints to its question, and the server wrote it down though it may not be."""
    match = Signing(hints=agreed)
    for _ in range(times):
        number = match.referee.state.asked[0].number
        asked = match.signed(HintAsked(match.referee.state.asked[0].seat, number=number))
        match.put(match.referee.rule((asked,), None, asked.seat, match.now()))
    return match.record()


def unseen(ack: int, shown: OfferTerms) -> Record:
    """A draw is agreed to with a signature that acknowledges another line, or that was given for what was shown."""
    match = Signing()
    match.choose(2)
    match.act(Offered(ADA, number=1, terms=Draw()))
    referee = match.referee
    seq = referee.seq + ack if ack else 0
    head = sealing.b64(referee.head_at(seq) or b"") if seq else ""
    agreed = match.keys[BO].acted(referee.match, Agreed(BO, "a", seq, head, number=1), shown)
    vars(referee.answers)["check_act"] = lambda *said: None
    match.put(referee.act(agreed, match.now(), match.past))
    return match.record()


def relabelled() -> Record:
    """A match of two seats with keys, said to be of version 1, with every signature left out."""
    match = Signing()
    match.choose(4)

    def relabel(parts: list[Any], openings: dict[int, bytes]) -> None:
        parts[0] = 1
        parts[8].pop("record", None)
        if parts[4] == "Chosen":
            for name in ("commitment", "signature"):
                parts[8].pop(name)
            openings[1] = b"null"

    return rewritten(match.record(), relabel)


def unread(ack: int) -> Record:
    """A choice with a signature that acknowledges a line before its question, or none."""
    match = Signing()
    match.choose(3)
    referee = match.referee
    asked = referee.state.asked[0]
    seq = referee.answers._reach.asked + ack if ack else 0
    head = sealing.b64(referee.head_at(seq) or b"") if seq else ""
    choice = GAME.revive_decision(asked).form(referee.state).sample(random.Random(3).randrange)
    note = Chosen(asked.seat, asked.number, "c", "seat", seq, head)
    note = match.keys[asked.seat].chosen(referee.match, note, msgspec.to_builtins(choice))
    vars(referee.answers)["check_choice"] = lambda *said: None
    match.put(referee.choose(asked.seat, asked.number, choice, note, match.now()))
    return match.record()


P = 2**255 - 19


def key_of_low_order(y: int) -> Record:
    """A seat's key is no secret's: s·B and s are its signature under every choice, which the server has made up."""
    match = Signing("bot")
    match.choose(4)
    secret = (7).to_bytes(32, "little")
    signature = sealing.b64(crypto_scalarmult_ed25519_base_noclamp(secret) + secret)

    def exchange(parts: list[Any], openings: dict[int, bytes]) -> None:
        if parts[8].get("seat") != 0:
            return
        if parts[4] == "SeatTaken":
            parts[8]["key"] = sealing.b64(y.to_bytes(32, "little"))
        if parts[4] == "Chosen":
            parts[8].pop("ack_seq", None)
            parts[8].pop("ack_head", None)
            parts[8]["signature"] = signature

    return rewritten(match.record(), exchange)


FORGERIES: dict[str, tuple[Callable[[], Record], str]] = {
    **{f"invented by {by!r}": (partial(invented, by), "seat 0") for by in ("bot", "server", "", "clock")},
    "invented by a bot, version 1": (partial(invented, "bot", 1), "no line has seated one there"),
    "invented by the server, version 1": (partial(invented, "server", 1), "chooses for seat 0"),
    **{
        f"a fork in {field}": (partial(forked, field), "not signed by seat")
        for field in ("ack_seq", "id", "commitment", "signature")
    },
    "another history": (another_history, "another record"),
    "another resigned": (resigned, "not signed by seat 0"),
    "a bot took the seat": (replaced, "nobody agreed to it"),
    "said twice": (said_twice, "twice"),
    "rolled again": (rolled_again, "accepted without seat 1"),
    "put back elsewhere": (put_back, "nobody agreed to it"),
    "shares of the server": (shares_chosen, "share of chance is not signed by seat 0"),
    "void too early": (void_early, "void"),
    "a key exchanged": (key_exchanged, "key"),
    "a hint that was not agreed on": (partial(hinted, agreed=False, times=1), "asks for a hint"),
    "two hints for one decision": (partial(hinted, agreed=True, times=2), "asks for a hint"),
    "a draw that was a pause": (partial(unseen, 0, Pause(5000)), "not signed by seat 1"),
    "a draw that nobody saw": (partial(unseen, 0, Draw()), "before what it answers"),
    "a draw seen a line too early": (partial(unseen, -1, Draw()), "before what it answers"),
    "a choice that saw nothing": (partial(unread, 0), "before what it answers"),
    "a choice that saw the line before the question": (partial(unread, -1), "before what it answers"),
    "a key of order 1": (partial(key_of_low_order, 1), "choice is not signed by seat 0"),
    "a key of order 1, written otherwise": (partial(key_of_low_order, P + 1), "choice is not signed by seat 0"),
}
"""Records that a dishonest server makes with all its keys, and the verdict of every verifier."""
