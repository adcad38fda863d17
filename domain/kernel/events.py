"""The kernel's own events, common to all games, and the base of a game's events.

An event class without a secret field is public. Class names are stored in records, and never change.
"""

from typing import Annotated, Any, Literal

from msgspec import Struct

from domain.kernel.modifiers import Part
from domain.kernel.secret import HIDDEN, Hidden, Nobody, Only, Seat
from domain.kernel.state import Asked, Frame, Result
from domain.kernel.table import OfferTerms, TimeControl


class Event(Struct, frozen=True, omit_defaults=True):
    """A fact in the past tense, with its outcome. Records store the name of the class."""


class Dealt(Struct, frozen=True):
    """A match is a table of an event whose tables draw from one seed: the event's id, the commitment to the seed
    (base64url)."""

    event: str
    commitment: str


class Package(Struct, frozen=True):
    """The package of others that a match's game comes from: its distribution and version, and the SHA-256 of its rules
    in hex. It is the server's own statement; a verifier compares the hash with its own copy of the rules."""

    name: str
    version: str
    rules: str


class OpenCards(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Spectators who ask for it see every seat's hand, as it was `s` seconds and `events` lines ago, and, with `phase`,
    before the phase under way began; the latest of the three counts. In a match whose `open_cards` is None, open cards
    are not agreed on.

    A phase begins with a heading of the game's chronicle."""

    s: int
    events: int
    phase: bool = False


class MatchCreated(Event, frozen=True):
    """The first line: the game, its options as plain data, the seats, and the commitments of chance (docs/record.md 4).

    `reveal` says who may open the secrets once the match is closed: public, seats or auditor (docs/record.md 3).
    `record` is the version of the record; `shares`: the match waits until every person's client gives a share of
    chance. `dealt`: the match uses an event's chance, and no seat gives a share. `hints`: a seat may ask for the
    search's choice (`HintAsked`). `package`: the source of a game that is not one of Herald's own. `ends_open`: if
    players or the clock end the match, the game's own lines that open hidden things come before the end
    (`GameSpec.opened_at_end`). `rated`: the result is meant to count for ratings. `open_cards`: by sitting down, every
    seat agrees that spectators see all hands after this delay. `server`: the public key (base64url) for the server's
    signed statements outside the record, "" if it has none.
    """

    game: str
    options: dict[str, Any]
    seats: tuple[str, ...]
    anchor: str = ""
    hidden: str = ""
    reveal: str = "public"
    record: int = 1
    shares: bool = False
    dealt: Dealt | None = None
    hints: bool = False
    package: Package | None = None
    ends_open: bool = False
    rated: bool = False
    open_cards: OpenCards | None = None
    server: str = ""


class SeatTaken(Event, frozen=True):
    """A seat is taken: the player's name, and whether a person or a bot plays it.

    `key`: an Ed25519 public key (base64url); from now on every choice of the seat must be signed with it
    (docs/record.md 5).
    """

    seat: Seat
    name: str
    kind: str = "person"
    key: str = ""


class SeatKeyed(Event, frozen=True):
    """A seat's acts are signed with another key from the next line on.

    `signature` is the former key's over the new one (docs/record.md 5). A missing signature means that the seat had no
    key or that its holder has lost the key. The new key is then valid only from this line on, and anybody can see that.
    """

    seat: Seat
    key: str
    signature: str = ""


class SeatClaimed(Event, frozen=True):
    """A person claims the seat's present key, as any viewer with the opening of `commitment` can check
    (docs/record.md 5, *Persons*). The opening is kept beside the record, so that it can be deleted together with the
    person's data.

    `signature` is that of the seat's key over the commitment.
    """

    seat: Seat
    commitment: str
    signature: str


class EntropyCommitted(Event, frozen=True):
    """A seat's share of chance is fixed but not yet known (docs/record.md 4); `by`: its own client, or the server for
    it.

    `signature` is that of the seat's key over the commitment.
    """

    seat: Seat
    commitment: str
    by: str = "seat"
    signature: str = ""


class EntropyRevealed(Event, frozen=True):
    """A seat's share of chance is known; all were committed before any is revealed (docs/record.md 4)."""

    seat: Seat
    entropy: str


class ChanceAnchored(Event, frozen=True):
    """A new key chain begins after public draw `after`; its keys were fixed by line 1 (docs/record.md)."""

    anchor: str
    after: int


class MatchBegun(Event, frozen=True):
    """All seats are taken; the first procedure starts."""


class Act(Event, frozen=True):
    """An act of a seat besides its choices; its consequences follow as events (domain/kernel/act.py).

    `id` is the sender's own name for it; `ack_seq` and `ack_head` are as in `Chosen`. `signature` is that of the seat's
    key over the seat's statement with it (docs/record.md 5).
    """

    seat: Seat
    id: str = ""
    ack_seq: int = 0
    ack_head: str = ""
    signature: str = ""


class Resigned(Act, frozen=True):
    """A seat gives up the match."""


class Offered(Act, frozen=True, kw_only=True):
    """A seat offers the others something; `number` counts the offers of the match."""

    number: int
    terms: OfferTerms


class Agreed(Act, frozen=True, kw_only=True):
    """A seat agrees to an offer."""

    number: int


class Declined(Act, frozen=True, kw_only=True):
    """A seat declines an offer, or withdraws its own."""

    number: int


class AbsenceClaimed(Act, frozen=True, kw_only=True):
    """The seat `absent` is asked and has been away for `absent_ms`, by the server's word: the claimant ends the match.

    `draw`: as drawn; else the absent seat loses.
    """

    absent: Seat
    absent_ms: int
    draw: bool = False


class VacationTaken(Act, frozen=True, kw_only=True):
    """In slow play a seat is away for a while; its clock does not run, and the time is taken from its vacation."""

    length_ms: int


class VacationEnded(Act, frozen=True):
    """A seat is back before its vacation is over."""


class HintAsked(Act, frozen=True, kw_only=True):
    """A seat asks for the search's choice in its decision `number`, if line 1 allows hints.

    The answer is for the seat alone and is not in the record; everybody sees that the seat asked.
    """

    number: int


class ClocksSet(Event, frozen=True):
    """How time is measured in this match; if it is measured, this comes before any seat is taken."""

    control: TimeControl


class TimeRanOut(Event, frozen=True):
    """A seat's time ran out during its decision `number`; the consequence in `then` follows."""

    seat: Seat
    number: int
    then: Literal["default", "random", "forfeit"]


class ServerReturned(Event, frozen=True):
    """The server did not run from `gone` to `back` (ms since 1970, as the server states): no clock ran meanwhile."""

    gone: int
    back: int


class OperatorRuled(Event, frozen=True):
    """The host of the server ends the match, on the host's own authority, for the reason `why`.

    `winners` have won together; if there are none, nobody has won. `void`: the match counts nowhere. The next line is
    the end, unless the game first opens hidden things in lines of its own.
    """

    why: str
    winners: tuple[Seat, ...] = ()
    void: bool = False


class OfferAccepted(Event, frozen=True):
    """All seats that had to agree to an offer have agreed: the offering seat, the seats that agreed, and the terms."""

    number: int
    seat: Seat
    agreed: tuple[Seat, ...]
    terms: OfferTerms | None = None


class MatchPaused(Event, frozen=True):
    """Nobody chooses and no clock runs until the match continues, at the latest after `length_ms`."""

    length_ms: int


class MatchResumed(Event, frozen=True):
    """The pause is over."""


class SeatReplaced(Event, frozen=True):
    """A bot plays the seat from now on."""

    seat: Seat
    bot: str


class SeatLeft(Event, frozen=True):
    """A seat is out of the match, which continues without it; `reason` as in a result.

    A rule of the game decides the fate of its pieces. From now on the default answers every question to the seat.
    """

    seat: Seat
    reason: str


class DecisionsOpened(Event, frozen=True):
    """The match waits for answers. `stack` is the state of the rules, so that they can continue after a restart."""

    asked: tuple[Asked, ...]
    sealed: bool = False
    stack: Annotated[tuple[Frame, ...] | Hidden, Nobody()] = HIDDEN


class Signed(Struct, frozen=True, tag="signed", tag_field="is"):
    """A choice as its sender signed it in version 1: the exact text, and its Ed25519 signature (docs/record.md 5)."""

    text: str
    signature: str


class Chosen(Event, frozen=True):
    """A seat answered a decision. The consequences are the events that follow; the answer itself is the seat's secret.

    `by` names the author of the answer: `seat`, `bot`, `clock`, `standing` for an answer that the seat signed before it
    was asked, or `rules` for a seat that has left; `ack_seq` and `ack_head` name the last line that the sender had
    verified. `commitment` is the client's own commitment to its answer, `signature` is the signature of the seat's key
    over it; `signed` holds the salt and the answer that open it. In version 1 `signed` holds a signature over the bare
    answer, which is the seat's secret too because it would let anybody try out guesses (docs/record.md 5).
    """

    seat: Seat
    number: int
    id: str = ""
    by: str = "seat"
    ack_seq: int = 0
    ack_head: str = ""
    choice: Annotated[Any, Only("seat")] = HIDDEN
    signed: Annotated[Signed | tuple[str, str] | Hidden, Only("seat")] = HIDDEN
    commitment: str = ""
    signature: str = ""


class DiceRolled(Event, frozen=True):
    """A public roll: its purpose (a ledger id and a word), its seat, the faces needed, and why there are so many dice.

    `kinds` are the kinds of the dice in order, if they differ. `parts` are the reasons for the number of dice or for
    the modifier. `need` is the least face that counts as success (0 if it does not apply). `about` are the pieces
    concerned.
    """

    rule: str
    title: str
    draw: int
    key: str
    sides: int
    dice: tuple[int, ...]
    seat: Seat | None = None
    about: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    needs: tuple[int, ...] = ()
    parts: tuple[Part, ...] = ()


class Shuffled(Event, frozen=True):
    """A secret shuffle of `size` things; the permutation opens at the close."""

    rule: str
    title: str
    draw: int
    size: int
    seat: Seat | None = None
    order: Annotated[tuple[int, ...] | Hidden, Nobody()] = HIDDEN


class OpenedSlot(Struct, frozen=True, array_like=True):
    """A secret shown to everybody: line, slot, salt and value (JSON text). Anybody can check it against its seal."""

    seq: int
    slot: int
    salt: str
    value: str


class SecretsOpened(Event, frozen=True):
    """Slots of former lines are opened to all. No program has ever written it, and an audit refuses it
    (docs/record.md 3).
    """

    slots: tuple[OpenedSlot, ...]


class RulesChanged(Event, frozen=True):
    """The match continues under another version of its game's rules; the record so far does not change."""

    was: str
    now: str


class BranchOpened(Event, frozen=True):
    """The match begins in a position of another match: that match, its line and head there, and whose knowledge counts.

    `eyes` is a seat (`seat0`), `spectator`, or `all`: the values that these viewers could not see were drawn again,
    consistent with their knowledge.
    """

    match: str
    line: int
    head: str
    eyes: str


class ScenarioOpened(Event, frozen=True):
    """The match begins in a position from a scenario file; the position follows, as after `BranchOpened`.

    `title` is the scenario's. Its hidden values are sealed like those of any position. The record holds no hash of the
    file, because a hash would identify the position among a few possible ones.
    """

    title: str


class SeatBriefed(Event, frozen=True):
    """A seat receives its view of the position that the next `PositionSet` puts everybody into.

    `view`: plain data, the fields of the seat's view that change. Holders of the whole position ignore it.
    """

    seat: Seat
    view: Annotated[Any, Only("seat")] = HIDDEN


class PositionSet(Event, frozen=True):
    """Everybody is put into another position.

    `view` is a spectator's view of it, `world` all of it: plain data, the fields that change. `line` is the line of
    this record whose position it is, 0 for one of another match (`BranchOpened`) or a
    scenario (`ScenarioOpened`).
    """

    view: dict[str, Any]
    line: int = 0
    world: Annotated[Any, Nobody()] = HIDDEN


class MatchEnded(Event, frozen=True):
    """The match is over; nothing further is resolved."""

    result: Result


SEAT_ACTS: tuple[type[Act], ...] = (
    Resigned,
    Offered,
    Agreed,
    Declined,
    AbsenceClaimed,
    VacationTaken,
    VacationEnded,
    HintAsked,
)
"""The acts of a seat at the table, besides its choices."""

SERVER_ACTS: tuple[type[Event], ...] = (ClocksSet, TimeRanOut, ServerReturned, MatchResumed, OperatorRuled)
"""The acts of the server because of time, and of its host. `MatchResumed` also follows from an agreement."""

KERNEL_EVENTS: tuple[type[Event], ...] = (
    MatchCreated,
    SeatTaken,
    SeatKeyed,
    SeatClaimed,
    EntropyCommitted,
    EntropyRevealed,
    ChanceAnchored,
    MatchBegun,
    DecisionsOpened,
    Chosen,
    DiceRolled,
    Shuffled,
    SecretsOpened,
    RulesChanged,
    BranchOpened,
    ScenarioOpened,
    SeatBriefed,
    PositionSet,
    MatchEnded,
    ClocksSet,
    *SEAT_ACTS,
    TimeRanOut,
    ServerReturned,
    OperatorRuled,
    OfferAccepted,
    MatchPaused,
    MatchResumed,
    SeatReplaced,
    SeatLeft,
)
