"""Scenarios: forces, resources, decks and victory on a map, as a file holds them (ledger 6.11)."""

from typing import Annotated, ClassVar, Final, Literal

import msgspec
from msgspec import Meta

from domain.joan_of_arc.board.maps import SHIPPED_MAPS, Map, SeatName
from domain.joan_of_arc.cards.cards import SHIPPED, CardSet, LegendType, OwnCards
from domain.joan_of_arc.cards.packaged import names_in, read_file
from domain.joan_of_arc.cards.units import Name, Printed, Slug

Count = Annotated[int, Meta(ge=0, le=99)]
Place = Annotated[str, Meta(min_length=5, max_length=40)]
"""An area as ledger 0.1 writes it; `q,r:*` is a whole hex."""
PlayerSide = Literal["english", "french"]


class Written(Printed, frozen=True):
    """The base of everything that a scenario file holds."""

    rule: ClassVar[str] = "ledger 6.11"


class Player(Written, frozen=True):
    """A seat and the side it plays; `team` names the seats of a side that win together, if a side has several."""

    seat: SeatName
    side: PlayerSide
    team: Name | None = None


class OrdersHeld(Written, frozen=True):
    """Orders of each type on a player board."""

    command: Count = 0
    charge: Count = 0
    reactivation: Count = 0
    interrupt: Count = 0


class Resources(Written, frozen=True):
    """A player's resources at the start; `legend_cards` are drawn at set-up."""

    xp: Count
    legend: Count
    intrigue: Count
    reroll: Literal[0, 1]
    legend_cards: Count
    orders: OrdersHeld


class OptionalRules(Written, frozen=True):
    """The optional rules, each on or off."""

    forced_march: bool = False
    concentrated_fire: bool = False
    cavalry_breakthrough: bool = False
    ransom: bool = False


class Reward(Written, frozen=True):
    """The value of the destruction of a unit."""

    vp: Count = 0
    xp: Count = 0
    legend: Count = 0


class Rewards(Written, frozen=True):
    """Rewards by kind of unit."""

    troop: Reward
    character: Reward
    civilian: Reward


class Condition(Written, frozen=True):
    """A condition of a score or of victory: exactly one of these fields is set."""

    area_held: Place | None = None
    interior_held: Place | None = None
    building_collapsed: Place | None = None
    vp_at_least: Annotated[int, Meta(ge=1, le=999)] | None = None
    unit_destroyed: Slug | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """The names of the fields that are set."""
        return tuple(name for name in self.__struct_fields__ if getattr(self, name) is not None)


class CampScore(Written, frozen=True, rename={"when": "if"}):
    """Scored in every camp phase by the side that fulfils the condition."""

    when: Condition
    vp: Annotated[int, Meta(ge=1, le=99)]


class InstantVictory(Written, frozen=True, rename={"when": "if"}):
    """Ends the game at once; the winner is the side that scored, or a seat."""

    when: Condition
    winner: Annotated[str, Meta(pattern=r"^(P[1-8]|scorer)$")]


class ExtraScore(Written, frozen=True, rename={"when": "if"}):
    """Scored once at the end by a seat's side."""

    when: Condition
    player: SeatName
    vp: Annotated[int, Meta(ge=1, le=99)]


class FinalVictory(Written, frozen=True):
    """The winner after the last round is the side with most VP; on a tie the side of the seat `tie`."""

    most: Literal["vp"]
    tie: SeatName
    extra: tuple[ExtraScore, ...] = ()


class Victory(Written, frozen=True):
    """Rewards and conditions of victory; `captured`: the value of a captive (JA-350)."""

    destroyed: Rewards
    final: FinalVictory
    camp: tuple[CampScore, ...] = ()
    instant: tuple[InstantVictory, ...] = ()
    captured: Reward = Reward()


class Scenario(Written, frozen=True):
    """A scenario fixes sides, map, forces, resources, decks, the number of rounds and the victory conditions.

    `units` are (seat, card, area), `civilians` (card, area, intrigue tokens). `map`: an id, or a map of its own.
    """

    id: Slug
    name: Name
    players: Annotated[tuple[Player, ...], Meta(min_length=2, max_length=4)]
    first_player: SeatName
    rounds: Annotated[tuple[Slug, ...], Meta(min_length=1)]
    legend_types: Annotated[tuple[LegendType, ...], Meta(min_length=1, max_length=2)]
    map: Slug | Map
    rally_points: dict[SeatName, Place]
    units: Annotated[tuple[tuple[SeatName, Slug, Place], ...], Meta(max_length=200)]
    resources: dict[SeatName, Resources]
    victory: Victory
    civilians: Annotated[tuple[tuple[Slug, Place, Count], ...], Meta(max_length=100)] = ()
    intrigue_cards: dict[SeatName, Slug] = {}
    stakes_reserve: dict[SeatName, Count] = {}
    options: OptionalRules = OptionalRules()
    cards: OwnCards | None = None

    def card_set(self) -> CardSet:
        """The cards of the scenario."""
        return SHIPPED if self.cards is None else self.cards.card_set()

    def side_of(self, seat: str) -> PlayerSide | None:
        """The side that a seat plays; None for an unknown seat."""
        return next((player.side for player in self.players if player.seat == seat), None)

    def ground(self) -> Map | None:
        """The map of the scenario; None for an unknown id."""
        return SHIPPED_MAPS.get(self.map) if isinstance(self.map, str) else self.map


def numbered(cards: tuple[str, ...]) -> tuple[str, ...]:
    """The ids of units in the order of a list of cards: `e_bowmen#1`, `e_bowmen#2`."""
    return tuple(f"{card}#{cards[: at + 1].count(card)}" for at, card in enumerate(cards))


SHIPPED_SCENARIOS: Final = {
    name: msgspec.json.decode(read_file(f"scenarios/{name}"), type=Scenario) for name in names_in("scenarios")
}
"""The scenarios that come with the game, by id."""
