"""The effect operations of cards (ledger 6.13), a closed vocabulary. Each struct is one operation."""

from enum import StrEnum
from typing import Annotated, ClassVar, Final, Literal, get_args

from msgspec import Meta, Struct

from domain.joan_of_arc.cards.dice import Colour, Face

Few = Annotated[int, Meta(ge=1, le=9)]
Resource = Literal["xp", "legend", "intrigue", "vp"]
Order = Literal["command", "charge", "reactivation", "interrupt"]
ORDERS: Final[tuple[Order, ...]] = get_args(Order)
Roll = Literal["attack", "defence"]
Attack = Literal["melee", "shooting"]
Deck = Literal["tactics", "myth"]
"""The two equipment decks."""


class Skill(StrEnum):
    """The skills of section T."""

    BIG = "big"
    BODYGUARD = "bodyguard"
    CARRIER = "carrier"
    CHARGE = "charge"
    CHARISMA = "charisma"
    COHESION = "cohesion"
    DODGE = "dodge"
    ENGINEER = "engineer"
    FEINT = "feint"
    FIREPROOF = "fireproof"
    HASTE = "haste"
    HEAL = "heal"
    IMMORTAL = "immortal"
    IMPETUOUS = "impetuous"
    JUMP = "jump"
    MERCENARY = "mercenary"
    PARRY = "parry"
    PRAYER = "prayer"
    RALLY = "rally"
    REROLL = "reroll"
    RETALIATION = "retaliation"
    RUTHLESS = "ruthless"
    SLAYER = "slayer"
    SUPPORT = "support"
    TARGETING = "targeting"
    TERROR = "terror"
    TOUGH = "tough"


GRADED: Final = frozenset({Skill.HASTE, Skill.JUMP, Skill.TERROR})
"""The skills that have an X."""


class Effect(Struct, frozen=True, tag_field="op", omit_defaults=True, forbid_unknown_fields=True):
    """The base class of all operations; `op` in a file names the class."""

    rule: ClassVar[str] = "ledger 6.13"


class Gain(Effect, frozen=True, tag="gain"):
    """Take `n` of a resource from the common pool."""

    resource: Resource
    n: Few


class Lose(Effect, frozen=True, tag="lose"):
    """Return `n` of a resource to the common pool; nothing happens where fewer are owned."""

    resource: Resource
    n: Few


class GainOrder(Effect, frozen=True, tag="gain_order"):
    """Take `n` orders of a type onto the player board."""

    type: Order
    n: Few


class GainReroll(Effect, frozen=True, tag="gain_reroll"):
    """Take the reroll token, if you have none."""


class DrawLegend(Effect, frozen=True, tag="draw_legend"):
    """Draw `n` legend cards, in secret."""

    n: Few


class TakeEquipment(Effect, frozen=True, tag="take_equipment"):
    """The top card of a deck goes to the character who speaks, or to one chosen."""

    deck: Deck


class MoveRallyPoint(Effect, frozen=True, tag="move_rally_point"):
    """Move one's own rally point token over this many adjacent areas, never into an enemy area."""

    max_areas: Few


class AddDie(Effect, frozen=True, tag="add_die"):
    """`n` bonus dice of a colour: common ones, or the wearer's own where equipment gives them."""

    roll: Roll
    colour: Colour
    n: Few
    attack: Attack | None = None


class Reroll(Effect, frozen=True, tag="reroll"):
    """Reroll at most `n` of the player's own dice of a roll."""

    roll: Roll
    n: Few


class ForceReroll(Effect, frozen=True, tag="force_reroll"):
    """The opponent rerolls `n` dice of his roll that you pick."""

    roll: Roll
    n: Few


class RemoveResult(Effect, frozen=True, tag="remove_result"):
    """Discard `n` results of a face from a roll."""

    roll: Roll
    face: Face
    n: Few


class MoveUnits(Effect, frozen=True, tag="move_units"):
    """Move the player's own units without an action, by the rules of movement."""

    select: Literal["troop", "character", "unit"]
    max_units: Few
    max_areas: Few


class JumpUnit(Effect, frozen=True, tag="jump_unit"):
    """One of the player's units jumps, as by the skill; no gigantic creature and no war machine."""

    select: Literal["troop", "character", "character_not_big"]
    areas: Few


class Heal(Effect, frozen=True, tag="heal"):
    """Remove `n` wounds from the speaker, the wearer, or one of the player's characters on the board."""

    select: Literal["speaker", "wearer", "character"]
    n: Few


class Wound(Effect, frozen=True, tag="wound"):
    """Add `n` wounds; one that reaches the HPs destroys."""

    select: Literal["speaker", "wearer", "character"]
    n: Few


class PlaceToken(Effect, frozen=True, tag="place_token"):
    """Put a fire token where it may lie."""

    token: Literal["fire"]
    where: Literal["area_adjacent_to_own_unit"]


class InfirmaryToWaiting(Effect, frozen=True, tag="infirmary_to_waiting"):
    """Move the player's own units from the disrupted section to the waiting section."""

    max_units: Few


class TakeBackFromInfirmary(Effect, frozen=True, tag="take_back_from_infirmary"):
    """Place the player's own units of the infirmary by the rules of rallying, without a roll."""

    max_units: Few
    to: Literal["rally_point"]


class ActivateArea(Effect, frozen=True, tag="activate_area", rename={"as_": "as"}):
    """Activate units in one of one's own areas as by a command order, but without one."""

    as_: Literal["command"]
    max_units: Few


class GrantSkill(Effect, frozen=True, tag="grant_skill"):
    """A skill for a time; where the card names no time, it lasts as long as the card is worn."""

    skill: Skill
    x: Annotated[int, Meta(ge=1, le=6)] | None = None
    until: Literal["end_of_attack", "end_of_turn"] | None = None
    select: Literal["one_own_unit_in_target_area"] | None = None


class ContinueLevel2(Effect, frozen=True, tag="continue_level2"):
    """Draw a level 2 discussion card of the same unit type, and choose again."""


class DieTest(Effect, frozen=True, tag="test"):
    """Roll a die and apply the effects printed beside the face that it shows."""

    die: Literal["black", "red", "yellow", "white"]
    on: "dict[Face, tuple[Operation, ...]]"


Operation = (
    Gain
    | Lose
    | GainOrder
    | GainReroll
    | DrawLegend
    | TakeEquipment
    | MoveRallyPoint
    | AddDie
    | Reroll
    | ForceReroll
    | RemoveResult
    | MoveUnits
    | JumpUnit
    | Heal
    | Wound
    | PlaceToken
    | InfirmaryToWaiting
    | TakeBackFromInfirmary
    | ActivateArea
    | GrantSkill
    | ContinueLevel2
    | DieTest
)
"""Any operation."""

OPERATIONS: Final[tuple[type[Effect], ...]] = get_args(Operation)
"""Every operation there is."""
