"""A table for rule tests: lay pieces, let seats choose with scripted dice, look at what happened.

    table = given(red("V1", "attack", dice="mm"), blue("V1", "defense", shields="4444"))
    table.when(0, execute("0V1"), dice=[3, 4, 5])
    table.then(RanksClosed("1V1"), UnitDamaged("1V1", 1, 5))

A Unit is called by its seat and the space it began on: `0V1`. Both sides have a Prepared Unit on R4 unless the test
puts another there or says `waiting=False`, so that a turn is followed by a turn. Dice are consumed to the last.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import (
    Choice,
    DiceRolled,
    Event,
    Frame,
    NotOffered,
    Play,
    Procedure,
    Resolver,
    Seat,
    asked_of,
    decide,
)
from domain.vera_discordia import GAME
from domain.vera_discordia.cards.cards import (
    IMMUNE,
    Ability,
    AnyHook,
    CardKey,
    CardSet,
    Die,
    Faction,
    GeneralCard,
    Heroism,
    Leadership,
    Moment,
    OrderType,
    Rank,
    Shields,
    StrategyText,
    Terrain,
    UnitType,
)
from domain.vera_discordia.cards.shipped import SHIPPED
from domain.vera_discordia.rules.attack import AttackBy, Target
from domain.vera_discordia.rules.interception import Intercept
from domain.vera_discordia.rules.maneuver import Castle, Move
from domain.vera_discordia.rules.resolution import Execute, Resolution
from domain.vera_discordia.rules.supports import Support
from domain.vera_discordia.state.events import UnitDestroyed
from domain.vera_discordia.state.options import Options
from domain.vera_discordia.state.state import AttackKind, Held, Phase, Side, Space, Unit, UnitId, VeraState, place
from tests.domain.script import Script

E = TypeVar("E", bound=Event)
DICE = {"m": Die.MELEE, "r": Die.RANGE, "g": Die.MAGIC, "b": Die.BREAKER, "a": Die.ARTILLERY}
TERRAIN = {"p": Terrain.PLAINS, "f": Terrain.FOREST, "r": Terrain.RIVER, "m": Terrain.MOUNTAIN}
FACTIONS = ("red", "blue")
PLAIN = Options()
u = UnitId
DECK = (
    [OrderType.ATTACK] * 9
    + [OrderType.MANEUVER] * 7
    + [OrderType.DEFENSE] * 6
    + [OrderType.SUPPORT] * 4
    + [OrderType.TACTIC]
)


class Piece(Struct, frozen=True):
    """A Unit to be laid on the table, with a card of its own."""

    seat: int
    space: str
    order: str = ""
    dice: str = "mm"
    shields: str = "4444"
    abilities: tuple[str, ...] = ()
    life: int | None = None
    max_life: int = 6
    rank: Rank = Rank.BASIC
    up: bool = False
    closed: bool = False
    general: bool = False
    capture: bool = False
    chaotic: bool = False
    enraged: bool = False
    changed: bool = False
    dealt: bool = False
    charge: bool = False
    virtual: bool = False
    seen: bool = False
    marker: int | None = None

    @property
    def id(self) -> UnitId:
        """Seat and space."""
        return UnitId(f"{self.seat}{self.space}")

    @property
    def card(self) -> CardKey:
        """A card of its own."""
        return CardKey(f"{FACTIONS[self.seat]}/{self.space.lower()}")

    def type(self) -> UnitType:
        """What is printed on it."""
        shields = (IMMUNE if shield == "X" else int(shield) for shield in self.shields)
        return UnitType(
            self.space.lower(),
            self.id,
            self.rank,
            (1, 2),
            tuple(DICE[die] for die in self.dice),
            Shields(*shields),
            self.max_life,
            tuple(Ability(a) for a in self.abilities),
        )

    def unit(self, life: int) -> Unit:
        """As it lies on the table."""
        held = None
        if self.order:
            seen = self.seen or self.up or self.charge
            held = Held(OrderType(self.order), self.up, seen, self.charge, self.virtual, self.dealt)
        return Unit(
            id=self.id,
            seat=Seat(self.seat),
            space=Space(self.space),
            card=self.card,
            life=life,
            open=not self.closed,
            marker=self.marker,
            general=self.general,
            order=held,
            capture=self.capture,
            changed=self.changed,
            chaotic=self.chaotic,
            enraged=self.enraged,
        )


def red(space: str, order: str = "", *abilities: str, **more: Any) -> Piece:
    """A Unit of seat 0."""
    return Piece(0, space, order, abilities=abilities, **more)


def blue(space: str, order: str = "", *abilities: str, **more: Any) -> Piece:
    """A Unit of seat 1."""
    return Piece(1, space, order, abilities=abilities, **more)


def general(
    *abilities: str,
    dice: str = "",
    leads: Sequence[AnyHook] = (),
    star: Sequence[AnyHook] = (),
    diamond: Sequence[AnyHook] = (),
    moment: str = "turn",
) -> GeneralCard:
    """A General with these powers."""
    heroism = Heroism(tuple(Ability(a) for a in abilities), tuple(DICE[die] for die in dice))
    strategy = StrategyText("star", hooks=tuple(star))
    if diamond:
        strategy = StrategyText("diamond", moment=Moment(moment), hooks=tuple(diamond))
    return GeneralCard("", "", heroism, Leadership("", tuple(leads)), strategy)


class Table:
    """A match under way; `events` are those of the last choice, `told` all of them."""

    def __init__(self, state: VeraState) -> None:
        self.state = state
        self.events: list[Event] = []
        self.told: list[Event] = []
        self.laid = state

    def start(self, procedure: Procedure, at: str = "", dice: Iterable[int] = ()) -> "Table":
        """Carry out a procedure from a step on."""
        script = Script(dice)
        resolver = Play(GAME, self.state, script)
        resolver.resume(procedure, at)
        return self.take(resolver, script)

    def when(
        self, seat: int, choice: Choice, dice: Iterable[int] = (), shuffles: Iterable[Sequence[int]] = ()
    ) -> "Table":
        """A seat answers its open decision; exactly these dice are rolled."""
        number = next(asked.number for asked in self.state.asked if asked.seat == seat)
        script = Script(dice, shuffles)
        data = GAME.read_choice(msgspec.json.encode(choice))
        return self.take(decide(GAME, self.state, Seat(seat), number, data, script), script)

    def take(self, resolver: Resolver[VeraState], script: Script) -> "Table":
        """Go on from what was resolved; every die of the script was rolled."""
        script.assert_spent()
        assert GAME.fold(resolver.events, self.state) == resolver.state
        self.state, self.events = resolver.state, resolver.events
        self.told += resolver.events
        return self

    def then(self, *events: Event) -> "Table":
        """These events happened, in this order, among others."""
        rest = iter(self.events)
        for event in events:
            assert any(event == found for found in rest), f"{event} is not among {self.plain()}"
        return self

    def plain(self) -> list[Event]:
        """The game's own events of the last choice."""
        return [event for event in self.events if type(event) in GAME.spec.events]

    def of(self, kind: type[E]) -> list[E]:
        """The events of a kind since the last choice."""
        return [event for event in self.events if isinstance(event, kind)]

    def one(self, kind: type[E]) -> E:
        """The only event of a kind."""
        (event,) = self.of(kind)
        return event

    def unit(self, unit_id: str) -> Unit:
        """A Unit on the table."""
        return self.state.units[UnitId(unit_id)]

    def has(self, unit_id: str) -> bool:
        """Whether the Unit is in play."""
        return unit_id in self.state.units

    def side(self, seat: int) -> Side:
        """A player's side."""
        return self.state.sides[seat]

    def asks(self) -> list[tuple[int, str]]:
        """The open decisions, by seat."""
        return [(int(asked.seat), asked.kind) for asked in self.state.asked]

    def options(self, seat: int) -> list[Choice]:
        """The seat's options."""
        asked = next(asked for asked in self.state.asked if asked.seat == seat)
        return list(GAME.revive_decision(asked).form(self.state))

    def offers(self, seat: int, kind: type[Choice]) -> list[Choice]:
        """The seat's options of one kind."""
        return [choice for choice in self.options(seat) if isinstance(choice, kind)]

    def refuses(self, seat: int, choice: Choice, rule: str) -> "Table":
        """The choice is refused under this rule, and nothing happens."""
        number = next(asked.number for asked in self.state.asked if asked.seat == seat)
        asked_of(self.state, Seat(seat), number)
        with pytest.raises(NotOffered) as refusal:
            decide(GAME, self.state, Seat(seat), number, choice, Script(()))
        assert refusal.value.rule == rule
        return self

    def rolls(self) -> list[tuple[str, int]]:
        """Rule and number of dice of every roll, in order."""
        return [(roll.rule, len(roll.dice)) for roll in self.of(DiceRolled)]

    def row(self, rule: str) -> str:
        """The dice of the last roll for a rule, as letters, left to right."""
        letters = {die.value: letter for letter, die in DICE.items()}
        roll = [roll for roll in self.of(DiceRolled) if roll.rule == rule][-1]
        return "".join(letters[kind] for kind in roll.kinds)

    def parts(self, rule: str) -> dict[str, int]:
        """The reasons of the last roll for a rule."""
        roll = [roll for roll in self.of(DiceRolled) if roll.rule == rule][-1]
        return {part.rule: part.value for part in roll.parts}

    def fallen(self) -> list[str]:
        """The Units destroyed since the last choice."""
        return [event.unit for event in self.of(UnitDestroyed)]

    def seen_by(self, seat: int | None) -> list[Event]:
        """The last events as a seat, or a spectator, receives them."""
        mask = 0 if seat is None else 1 << seat
        return [GAME.redact(event, mask) for event in self.events]  # type: ignore[arg-type]

    def winner(self) -> tuple[int | None, str]:
        """The winner, and the rule that ended the match."""
        assert self.state.result is not None, "nobody has won"
        return self.state.result.winner, self.state.result.rule


def _faction(seat: int, pieces: Sequence[Piece], card: GeneralCard) -> Faction:
    own = tuple(piece.type() for piece in pieces if piece.seat == seat)
    named = replace(card, general_id=f"g{seat}", name=f"General {seat}")
    return Faction(FACTIONS[seat], FACTIONS[seat], "", own, (named,))


def lay(
    *pieces: Piece,
    terrain: str = "pppp",
    generals: tuple[GeneralCard, GeneralCard] | None = None,
    sides: tuple[dict[str, Any], dict[str, Any]] = ({}, {}),
    options: Options = PLAIN,
    waiting: bool = True,
    first: int = 0,
    round_number: int = 2,
) -> VeraState:
    """A position in the Resolution phase of a round, the 27 order cards of each side somewhere."""
    laid = list(pieces)
    for seat in (0, 1):
        if waiting and not any(piece.id == f"{seat}R4" for piece in pieces):
            laid.append(Piece(seat, "R4", "defense", max_life=9))
    cards = generals or (general(), general())
    card_set = CardSet(
        1,
        "test",
        "1",
        "",
        tuple(_faction(seat, laid, cards[seat]) for seat in (0, 1)),
        SHIPPED.order_deck,
        SHIPPED.terrain_deck,
    )
    units = {piece.id: piece.unit(_life(piece, cards[piece.seat])) for piece in laid}
    state = VeraState(
        options=options,
        cards=card_set,
        sides=(_side(0, laid, sides[0]), _side(1, laid, sides[1])),
        units=units,
        at={place(Seat(piece.seat), Space(piece.space)): piece.id for piece in laid},
        terrain=tuple(TERRAIN[letter] for letter in terrain),
        phase=Phase.RESOLUTION,
        round=round_number,
        initiative=Seat(first),
        begun=True,
        stack=(Frame("Match", "VD-131/next", {}), Frame("Round", "VD-156", {"number": round_number})),
    )
    wrong = list(GAME.spec.invariants(state))
    assert not wrong, wrong
    return state


def _life(piece: Piece, card: GeneralCard) -> int:
    if piece.life is not None:
        return piece.life
    return piece.max_life + (piece.general and Ability.GUARDS in card.heroism.abilities)


def _side(seat: int, laid: Sequence[Piece], changes: dict[str, Any]) -> Side:
    """Hand and pile as the test says, the rest of the 27 cards in the deck."""
    hand = tuple(OrderType(card) for card in changes.get("hand", ()))
    pile = tuple(OrderType(card) for card in changes.get("pile", ()))
    used = Counter((*hand, *pile, *(OrderType(p.order) for p in laid if p.seat == seat and p.order and not p.virtual)))
    deck = tuple((Counter(DECK) - used).elements())
    if "deck" in changes:
        deck = tuple(OrderType(card) for card in changes["deck"])
        pile = (*(Counter(DECK) - used - Counter(deck)).elements(), *pile)
    rest = {key: value for key, value in changes.items() if key not in {"hand", "pile", "deck"}}
    return Side(
        faction=FACTIONS[seat],
        general=f"g{seat}",
        general_deployed=True,
        deck=deck,
        deck_size=len(deck),
        hand=hand,
        hand_size=len(hand),
        pile=pile,
        pile_size=len(pile),
        top=pile[-1] if pile else None,
        **rest,
    )


def given(*pieces: Piece, turn: int = 0, **more: Any) -> Table:
    """A position in which it is this seat's turn (see `lay`)."""
    return Table(lay(*pieces, first=turn, **more)).start(Resolution(Seat(turn)))


def execute(unit: str) -> Execute:
    """This Unit executes its order."""
    return Execute(UnitId(unit))


def direct() -> AttackBy:
    """Attack directly."""
    return AttackBy(AttackKind.DIRECT)


def indirect() -> AttackBy:
    """Attack indirectly."""
    return AttackBy(AttackKind.INDIRECT)


def aerial() -> AttackBy:
    """Attack from the air."""
    return AttackBy(AttackKind.AERIAL)


def target(unit: str) -> Target:
    """Attack this Unit."""
    return Target(UnitId(unit))


def support(*units: str) -> Support:
    """Spend these Supports."""
    return Support(units)


def move(space: str) -> Move:
    """Go there."""
    return Move(Space(space))


def castle(unit: str, *, mobility: bool = False) -> Castle:
    """Exchange spaces with this Unit."""
    return Castle(UnitId(unit), mobility)


def intercept(unit: str, declare: str = "") -> Intercept:
    """This Unit Intercepts."""
    return Intercept(UnitId(unit), OrderType(declare) if declare else None)
