"""Checks a match from its viewer's lines (docs/record.md 8), without a network and without its rules.

It checks numbers, times and versions; that each line is written in the only valid way; the chain and the heads that the
server states; every opening against its seal; shares of chance and dice; acknowledgements; the signatures of seats and
of the server. `herald audit` checks the whole record, with the rules and the secrets of others.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_
from typing import Any

from msgspec import Struct

from herald_client.agreements import Agreements
from herald_client.chance import Chance
from herald_client.claims import Opening, SeatClaim
from herald_client.errors import Broken
from herald_client.keys import is_signed
from herald_client.order import Order
from herald_client.record import (
    KEY_BYTES,
    MID_BYTES,
    SERVER,
    Line,
    Result,
    b64,
    check_written,
    link,
    parts_of,
    seal,
    slot_salt,
    tagged,
    u64,
    unb64,
)
from herald_client.shapes import Shapes, Table, rules_number, tables
from herald_client.signing import (
    ANSWERS,
    BINDS,
    NOTHING,
    Seen,
    act_message,
    answer_commitment,
    choice_message,
    said_in_line,
)
from herald_client.standing import STANDING, opened_fault
from herald_client.standing import message as standing_message

VERSIONS = (1, 2, 3)
STAMP_BYTES = 8 + KEY_BYTES + 64
Openings = Sequence[tuple[int, str]]
Salts = Sequence[str]
"""A salt for each opening, needed if no key is held from which to derive it."""
Seals = tuple[tuple[int, str], ...]


class Held(Struct):
    """A seat that is taken: by whom (`person` or `bot`), and the key that signs for it, "" without."""

    name: str = ""
    kind: str = "person"
    key: str = ""


class Verifier:
    """Takes the lines of one match in order. Raises `Broken` at the first fault and at everything after it."""

    def __init__(
        self,
        match: str,
        keys: Mapping[int, bytes] | None = None,
        lines: Table | None = None,
        *,
        sees_hands: bool = False,
    ) -> None:
        """`keys`: the audience keys that the client may have, by mask. `lines`: the game's table, instead of the
        library's own (docs/schema/lines.json); without either, the game's own lines are not checked. `sees_hands`: for
        open cards: every slot that some seat holds is opened with its salt, and line 1 has to allow it.
        """
        self.match = match
        self.mid = unb64(match)
        if len(self.mid) != MID_BYTES:
            raise Broken(0, f"{match!r} is no match")
        self.left: set[int] = set()
        """Seats that are out of the match, which continues."""
        self._leaving: set[int] = set()
        self.keys = dict(keys or {})
        self.sees_hands = sees_hands
        self.seq = self.at = 0
        self.version = 1
        self.rules = ""
        self.result: Result | None = None
        self.is_begun = False
        self.hints = False
        """Whether seats may ask for hints."""
        self._hints_asked: set[int] = set()
        self.waits = False
        """Whether the match waits for every person's share of chance."""
        self.seated: dict[int, Held] = {}
        self.chance = Chance(self.mid)
        self.agreements = Agreements()
        self.openings = self.signatures = self.signed_to = 0
        """Openings and signatures checked; the last line under a good signature of the server."""
        self.server = ""
        """The key that line 1 names for what the server says beside the record; "" for none."""
        self.servers: set[str] = set()
        """The public keys under which the server has signed."""
        self.fault: Broken | None = None
        self._reveal = ""
        self._given: set[int] = set()
        """Seats whose own clients have given a share of chance."""
        self._unproven: set[int] = set()
        """Seats whose key was not signed by the former key, if there was one, or was new after play had begun.
        """
        self._heads = [tagged("genesis", self.mid)]
        self._cause = ""
        self._lines = lines
        self._shapes = Shapes()
        self._order = Order(self._shapes)
        self._claims: dict[int, str] = {}
        self._spoken: set[tuple[int, str]] = set()
        """The ids under which a seat with a key has said something."""
        self._by_hand: dict[int, int] = {}
        """The last line in which each seat chose by hand, or took another key: it ended earlier answers signed ahead.
        """
        self._set_at = 0
        self.claims: dict[int, SeatClaim] = {}
        """The seats' keys behind which a person stands, by the line that says so."""

    @property
    def head(self) -> bytes:
        """The chain's hash after the last line."""
        return self._heads[-1]

    @property
    def seen(self) -> Seen:
        """The line and hash that a choice acknowledges."""
        return Seen(self.seq, b64(self.head)) if self.seq and self.fault is None else NOTHING

    @property
    def asked(self) -> tuple[dict[str, Any], ...]:
        """The open questions as their line has them: number, seat, kind and terms; none for a match of version 1."""
        return tuple(self._order.table.asked) if self.version > 1 and self.seq else ()

    @property
    def lacks(self) -> tuple[str, ...]:
        """The weaknesses of the record, by name; a verdict must state them first.

        `version`: the record is of an older version; `keys`: a person's seat did not always sign; `shares`: the server,
        or the maker of an event's seed, could have chosen the dice; `reveal`: the end does not open its secrets to
        everybody; `signatures`: the server has not signed the last line; `commit`: another line must still follow the
        last one.
        """
        people = [seat for seat, held in self.seated.items() if held.kind == "person"]
        given = self._given & self.seated.keys()
        found = {
            "version": self.version < VERSIONS[-1],
            "keys": bool(self._unproven) or any(not self.seated[seat].key for seat in people),
            "shares": bool(self.chance.event) or not given or any(not self.seated[seat].key for seat in given),
            "reveal": self._reveal != "public",
            "signatures": self.signed_to < self.seq,
            "commit": self.agreements.is_resolving,
        }
        return tuple(name for name, is_so in found.items() if is_so)

    def take(self, text: str, openings: Openings = (), salts: Salts = ()) -> Line:
        """Check the next line, or one that is known already, and return its contents. Raises `Broken`."""
        if self.fault is not None:
            raise self.fault
        try:
            return self._take(text, openings, salts)
        except Broken as wrong:
            self.fault = wrong
            raise
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as wrong:
            self.fault = Broken(self.seq + 1, f"it does not fit: {wrong}")
            raise self.fault from wrong

    def _take(self, text: str, openings: Openings, salts: Salts) -> Line:
        parts = parts_of(text)
        version, match, seq, at, kind, rules, actor, cause, fields, seals = parts
        if match != self.match:
            raise Broken(self.seq + 1, "it belongs to another match")
        line = Line(seq, at, kind, rules, actor, cause, fields, {}, text, tuple(openings))
        if 0 < seq <= self.seq:
            return self._again(line)
        self._place(version, line)
        head = link(self.head, text.encode())
        self._claimed(seq, head)
        self._known_rules(line)
        self._shaped(line, seals)
        line.secrets.update(self._shown(line, seals, salts) if self.sees_hands else self._opened(line, seals))
        self._fit_opened(line)
        self._mean(line)
        if self.version > 1:
            self._order.take(line)
        self._heads.append(head)
        # A question ends the consequences of a choice.
        behind = "" if kind == "DecisionsOpened" else cause
        self._cause = b64(tagged("choice", text.encode())[:16]) if kind == "Chosen" else behind
        self._set_at = seq if kind == "PositionSet" else self._set_at
        self.agreements.take(line)
        self.seq, self.at, self.rules = seq, at, rules
        return line

    def _again(self, line: Line) -> Line:
        if link(self._heads[line.seq - 1], line.text.encode()) != self._heads[line.seq]:
            raise Broken(line.seq, "two different lines were shown with this number")
        return line

    def _place(self, version: int, line: Line) -> None:
        seq = self.seq + 1
        if line.seq != seq:
            raise Broken(seq, f"missing; line {line.seq} came instead")
        if (line.type == "MatchCreated") != (seq == 1):
            raise Broken(seq, "a match is created by line 1 and by no other")
        if seq == 1:
            self.version = line.fields.get("record", 1)
            self.waits = line.fields.get("shares", False)
            self._reveal = line.fields.get("reveal", "public")
            self.server = line.fields.get("server", "")
            self.hints = line.fields.get("hints", False) and not line.fields.get("dealt")
            self.rules = line.rules
        if version != self.version or version not in VERSIONS:
            raise Broken(seq, f"version {version} of the record is not known here")
        if line.at < self.at:
            raise Broken(seq, "its time is before that of the line before it")
        if line.rules != self.rules and line.type != "RulesChanged":
            raise Broken(seq, f"the rules are now {line.rules}, and no line says so")
        if line.cause and (line.type == "Chosen" or line.cause != self._cause):
            raise Broken(seq, f"its cause is {line.cause}, and it stands behind no such choice")
        if not SERVER <= line.actor < (self.chance.seats or 8):
            raise Broken(seq, f"it is by {line.actor}, which is no seat")

    def _known_rules(self, line: Line) -> None:
        """Fail for unknown rules, from which anything could be claimed to follow, and for a change to rules that are
        not newer.
        """
        number, least = rules_number(line.rules), 0
        if line.type == "MatchCreated":
            game = line.fields.get("game")
            self._lines = self._lines or tables()["games"].get(game)
            self._shapes = Shapes(self._lines)
            self._order = Order(self._shapes)
        elif line.type == "RulesChanged":
            game, least = self.rules.partition("/")[0], rules_number(self.rules) + 1
            if (line.fields.get("was"), line.fields.get("now")) != (self.rules, line.rules):
                raise Broken(line.seq, "the rules change from others than were, or to others than are")
        else:
            return
        most = number if self._lines is None else self._lines["rules"]
        if line.rules != f"{game}/{number}" or not least <= number <= most:
            raise Broken(line.seq, f"the rules {line.rules} are none that this library knows here")

    def _shaped(self, line: Line, seals: Seals) -> None:
        if line.type == "MatchCreated":
            self.chance.seats = len(line.fields.get("seats", ()))
        why = self._shapes.fault(line.type, line.fields, [mask for mask, _ in seals], self.chance.seats)
        if why:
            raise Broken(line.seq, why)
        sealed = [unb64(commitment) for _, commitment in seals]
        if any(not 0 <= mask < 1 << self.chance.seats for mask, _ in seals) or any(len(s) != KEY_BYTES for s in sealed):
            raise Broken(line.seq, "its seals are not seals")

    def _fit_opened(self, line: Line) -> None:
        for slot, value in line.secrets.items():
            why = self._shapes.opened_fault(line.type, slot, value)
            if why:
                raise Broken(line.seq, why)

    def _opened(self, line: Line, seals: Seals) -> dict[int, Any]:
        if not self.keys:
            # A caster holds no key, and cannot check what it is shown.
            return {slot: check_written(value) for slot, value in line.openings}
        # Several seats may share a key; one of the keys here is the seat's alone.
        own = reduce(and_, self.keys)
        held = [slot for slot, (mask, _) in enumerate(seals) if mask & own]
        if [slot for slot, _ in line.openings] != held:
            raise Broken(line.seq, f"the slots {[slot for slot, _ in line.openings]} are opened; held are {held}")
        found = {}
        for slot, value in line.openings:
            key = self.keys.get(seals[slot][0])
            if key is None:
                raise Broken(line.seq, f"slot {slot} is opened for audience {seals[slot][0]}, whose key is not held")
            found[slot] = self._unsealed(line.seq, slot, seals[slot], value, slot_salt(key, line.seq, slot))
        return found

    def _shown(self, line: Line, seals: Seals, salts: Salts) -> dict[int, Any]:
        """Everything that some seat holds; secrets that nobody holds, such as the order of a deck, stay sealed."""
        if line.seq == 1 and not line.fields.get("open_cards"):
            raise Broken(1, "its players have not agreed to open cards")
        held = [slot for slot, (mask, _) in enumerate(seals) if mask]
        if [slot for slot, _ in line.openings] != held or len(salts) != len(held):
            raise Broken(line.seq, f"the slots {[slot for slot, _ in line.openings]} are shown; seats hold {held}")
        return {
            slot: self._unsealed(line.seq, slot, seals[slot], value, unb64(salt))
            for (slot, value), salt in zip(line.openings, salts, strict=True)
        }

    def _unsealed(self, seq: int, slot: int, sealed: tuple[int, str], value: str, salt: bytes) -> Any:
        mask, commitment = sealed
        made = seal(self.mid, salt, seq, slot, mask, value.encode())
        if len(salt) != KEY_BYTES or b64(made) != commitment:
            raise Broken(seq, f"what was opened in slot {slot} is not what was sealed")
        self.openings += 1
        return check_written(value)

    def _mean(self, line: Line) -> None:
        seat, fields = line.fields.get("seat", 0), line.fields
        match line.type:
            case "SeatTaken":
                self.seated[seat] = Held(fields.get("name", ""), fields.get("kind", "person"), fields.get("key", ""))
            case "SeatKeyed":
                self._keyed(line, seat)
            case "SeatClaimed":
                self._person(line, seat)
            case "SeatReplaced":
                self.seated[seat] = Held(self.seated[seat].name, "bot")
            case "Resigned" | "AbsenceClaimed" | "TimeRanOut" | "SeatLeft":
                self._gone(line, seat)
            case "HintAsked":
                self._hinted(line, seat)
            case "Chosen":
                self._chosen(line, seat)
            case "SecretsOpened":
                raise Broken(line.seq, "sealed slots are opened to everybody")
            case "MatchBegun":
                self.is_begun = True
            case "MatchEnded":
                result = fields["result"]
                alone = [] if result.get("winner") is None else [result["winner"]]
                won = tuple(result.get("winners", alone))
                self.result = Result(result.get("winner"), result.get("reason", ""), result.get("rule", ""), won)
            case "EntropyCommitted" if fields.get("by", "seat") == "seat" and self.version > 1:
                self._signed(line, seat, [_words("share", fields["commitment"])], NOTHING)
                self._given.add(seat)
        self.chance.take(line)
        if self.version > 1 and (said := said_in_line(line.type, fields, self._answered(line))):
            self._acted(line, seat, said)

    def _keyed(self, line: Line, seat: int) -> None:
        held = self.seated[seat]
        if line.fields.get("signature"):
            self._signed(line, seat, [_words("key", line.fields["key"])], NOTHING)
        elif held.key or self.is_begun:
            self._unproven.add(seat)
        held.key = line.fields["key"]
        self._by_hand[seat] = line.seq

    def _person(self, line: Line, seat: int) -> None:
        """The seat's own key states once that a person stands behind it; an opening (`person`) tells which."""
        claim = SeatClaim(seat, self.seated[seat].key, line.fields["commitment"])
        known = [(one.seat, one.key) for one in self.claims.values()]
        if self.version < BINDS or not claim.key or (claim.seat, claim.key) in known:
            raise Broken(line.seq, f"a person stands behind the key of seat {seat} twice, or behind none")
        if len(unb64(claim.commitment)) != KEY_BYTES:
            raise Broken(line.seq, "the commitment to a person is none")
        self._signed(line, seat, [_words("person", claim.commitment)], NOTHING)
        self.claims[line.seq] = claim

    def person(self, opening: Opening) -> SeatClaim:
        """The seat behind which the person of an opening stands. Raises `Broken` if it opens nothing."""
        claim = self.claims.get(opening.line)
        if claim is None:
            raise Broken(opening.line, "no person stands behind a seat by this line")
        if why := claim.fault(self.match, opening):
            raise Broken(opening.line, why)
        return claim

    def _seen_in(self, line: Line) -> Seen:
        """A seat acknowledges lines with its own line; it must have seen the same record."""
        seen = Seen(line.fields.get("ack_seq", 0), line.fields.get("ack_head", ""))
        head = b64(self._heads[seen.seq]) if 0 < seen.seq <= self.seq else ""
        if seen.head != head:
            raise Broken(line.seq, f"seat {line.fields.get('seat', 0)} was shown another record up to line {seen.seq}")
        return seen

    def _answered(self, line: Line) -> dict[str, Any] | None:
        """The terms that a signature under an answer to an offer names, from version 3 on."""
        if self.version < BINDS or line.type not in ANSWERS or not line.fields.get("signature"):
            return None
        terms = self.agreements.terms.get(line.fields["number"])
        if terms is None:
            raise Broken(line.seq, "an offer is answered that nobody made")
        return terms

    def _reaches(self, line: Line, seat: int, seen: Seen) -> None:
        """From version 3 on, a signature acknowledges the line that asked: otherwise it could answer another one."""
        least = 1
        if line.type in ("Chosen", "HintAsked"):
            least = max(1, self.agreements.asked_at)
        elif line.type in ANSWERS:
            least = self.agreements.offered_at.get(line.fields["number"], 1)
        if self.version >= BINDS and seen.seq < least and line.fields.get("signature"):
            raise Broken(line.seq, f"what seat {seat} signs acknowledges line {seen.seq}, before what it answers")

    def _acted(self, line: Line, seat: int, said: list[bytes]) -> None:
        seen = self._seen_in(line)
        self._signed(line, seat, said, seen, line.fields.get("id", ""))
        self._once(line, seat)
        self._reaches(line, seat, seen)

    def _signed(self, line: Line, seat: int, said: list[bytes], seen: Seen, name: str = "") -> None:
        messages = [act_message(self.mid, seat, words, seen, name) for words in said]
        self._check_signature(line, seat, messages)

    def _check_signature(self, line: Line, seat: int, messages: list[bytes]) -> None:
        """A seat with a key signs all its statements, with that key; one without a key signs nothing."""
        key, signature = self.seated[seat].key, line.fields.get("signature", "")
        if not key and not signature:
            return
        if not key or not signature:
            raise Broken(line.seq, f"seat {seat} {'does not sign' if key else 'signs, and has no key'}")
        if not any(is_signed(unb64(key), message, unb64(signature)) for message in messages):
            raise Broken(line.seq, f"the signature is not that of seat {seat}")
        self.signatures += 1

    def _gone(self, line: Line, seat: int) -> None:
        """The seats out of the match: by their own word, by a claim of absence, or because their time was over."""
        fields = line.fields
        if line.type == "SeatLeft":
            if seat not in self._leaving or seat in self.left:
                raise Broken(line.seq, f"seat {seat} leaves the match, and no line says why")
            self.left.add(seat)
        elif line.type == "AbsenceClaimed":
            self._leaving.update(() if fields.get("draw") else (fields.get("absent", 0),))
        elif line.type == "Resigned" or fields.get("then") == "forfeit":
            self._leaving.add(seat)

    def _hinted(self, line: Line, seat: int) -> None:
        """Only line 1 can allow hints, and each decision allows one."""
        number = line.fields["number"]
        if not self.hints or not self.is_begun or number in self._hints_asked:
            raise Broken(line.seq, f"seat {seat} asks for a hint that it may not ask for")
        self._hints_asked.add(number)

    def _chosen(self, line: Line, seat: int) -> None:
        fields = line.fields
        seen = self._seen_in(line)
        if (fields.get("by") == "rules") != (seat in self.left):
            raise Broken(line.seq, f"for seat {seat} the rules choose once it has left, and nobody else does")
        if self.version == 1:
            self._chosen_1(line, seat)
            return
        committed = fields.get("commitment", "")
        name, number, by = fields.get("id", ""), fields["number"], fields.get("by", "seat")
        if by == STANDING:
            self._ahead(line, seat, seen)
            return
        if by == "seat":
            self._check_signature(line, seat, [choice_message(self.mid, seat, number, seen, name, unb64(committed))])
            self._once(line, seat)
            self._reaches(line, seat, seen)
            self._by_hand[seat] = line.seq
        elif committed or fields.get("signature"):
            raise Broken(line.seq, f"the choice for seat {seat} is signed, and the seat did not make it")
        if 1 in line.secrets and not self._opens(line, seat, committed):
            raise Broken(line.seq, f"salt and answer do not open the choice of seat {seat}")

    def _ahead(self, line: Line, seat: int, seen: Seen) -> None:
        """Check an answer that the seat signed before it was asked, and that no later choice by hand has ended."""
        fields, held = line.fields, self.seated.get(seat, Held())
        committed = unb64(fields.get("commitment", ""))
        if self.version < BINDS or held.kind != "person" or not held.key or len(committed) != KEY_BYTES:
            raise Broken(line.seq, f"seat {seat} cannot have answered ahead")
        self._check_signature(line, seat, [standing_message(self.mid, seat, seen, fields.get("id", ""), committed)])
        self._once(line, seat)
        if seen.seq < max(1, self._set_at, self._by_hand.get(seat, 0)):
            raise Broken(line.seq, f"what seat {seat} signed ahead at line {seen.seq} has ended since")
        if 1 in line.secrets:
            asked = next((one for one in self._order.table.asked if one["number"] == fields["number"]), None)
            known = asked is not None and opened_fault(self.mid, fields, line.secrets[1], line.secrets.get(0), asked)
            if known or asked is None:
                raise Broken(line.seq, f"seat {seat} did not answer so ahead: {known or 'it is not asked'}")

    def _once(self, line: Line, seat: int) -> None:
        """A seat with a key says nothing twice under one id."""
        place = seat, line.fields.get("id", "")
        if line.fields.get("signature") and place in self._spoken:
            raise Broken(line.seq, f"seat {seat} says {place[1]!r} twice")
        if line.fields.get("signature"):
            self._spoken.add(place)

    def _chosen_1(self, line: Line, seat: int) -> None:
        """In version 1 the signature is the seat's secret: only holders of the slot can check it."""
        fields, key = line.fields, self.seated[seat].key
        if 1 not in line.secrets or not key or fields.get("by", "seat") != "seat":
            return
        signed = line.secrets[1]
        if not isinstance(signed, dict):
            raise Broken(line.seq, f"the choice is not signed by seat {seat}")
        text: str = signed["text"]
        said = [self.match, fields["number"], fields.get("id", "")]
        said += [fields.get("ack_seq", 0), fields.get("ack_head", "")]
        is_good = is_signed(unb64(key), b"hr1/choice\0" + text.encode(), unb64(signed["signature"]))
        if not is_good or check_written(text)[:5] != said:
            raise Broken(line.seq, f"the choice is not signed by seat {seat}")
        self.signatures += 1

    def _opens(self, line: Line, seat: int, committed: str) -> bool:
        opened = line.secrets[1]
        if not committed or opened is None:
            return not committed and opened is None
        salt, answer = unb64(opened[0]), opened[1].encode()
        made = answer_commitment(self.mid, seat, line.fields["number"], salt, answer)
        return len(salt) == KEY_BYTES and b64(made) == committed

    def claim(self, seq: int, hash: str) -> None:  # noqa: A002 - the wire's name
        """The server's hash of the chain after a line, compared as soon as the line is here. Raises `Broken`."""
        if seq > self.seq:
            if self._claims.setdefault(seq, hash) != hash:
                self._fail(seq, "the server states two hashes for the chain here")
        elif seq >= 0 and b64(self._heads[seq]) != hash:
            self._fail(seq, "the server states another hash for the chain here")

    def _claimed(self, seq: int, head: bytes) -> None:
        claimed = self._claims.pop(seq, None)
        if claimed is not None and claimed != b64(head):
            raise Broken(seq, "the chain does not come to the hash that the server states")

    def checkpoint(self, seq: int, signed: str) -> None:
        """The server's signature under a line that was taken: time, public key, signature. Raises `Broken`."""
        if not 0 < seq <= self.seq:
            return
        try:
            data = unb64(signed)
        except ValueError:
            data = b""
        at, key, signature = data[:8], data[8 : 8 + KEY_BYTES], data[8 + KEY_BYTES :]
        message = b"hr1/checkpoint\0" + self.mid + u64(seq) + self._heads[seq] + at
        if len(data) != STAMP_BYTES or not is_signed(key, message, signature):
            self._fail(seq, "the server's signature is not for this line")
        self.servers.add(b64(key))
        self.signed_to = max(self.signed_to, seq)

    def _fail(self, seq: int, why: str) -> None:
        self.fault = self.fault or Broken(seq, why)
        raise self.fault


def _words(*words: str) -> bytes:
    return b'["' + b'","'.join(word.encode() for word in words) + b'"]'
