"""Operations on one character: healing, wounds, equipment (ledger 6.13)."""

from collections.abc import Iterator
from typing import Final

from domain.joan_of_arc.cards.hooks import Heal, TakeEquipment, Wound
from domain.joan_of_arc.rules.effects.context import Context, Operations
from domain.joan_of_arc.rules.losing import destroy
from domain.joan_of_arc.rules.player_actions.drawing import replenish, top_card
from domain.joan_of_arc.state.events import EffectSkipped, EquipmentDiscarded, EquipmentGained, UnitHealed, UnitWounded
from domain.joan_of_arc.state.queries import card_of, setting_of, unit_of, units_of
from domain.joan_of_arc.state.state import NO_UNIT, JoanState, Unit, UnitId
from domain.kernel import DONE, NEXT, Choice, Decision, Flow, One, Procedure, Resolver, Seat, ask, only, step

RULE: Final = "ledger 6.13"
MOST_EQUIPMENT: Final = 2
"""JA-178: equipment cards of one character."""
Deed = Heal | Wound | TakeEquipment


class NameCharacter(Choice, frozen=True):
    """This character."""

    unit: UnitId


class CharacterChoice(Decision, frozen=True):
    """JA-D02 The player's own character that a card affects."""

    rule = "ledger 6.13"

    deed: Deed

    def form(self, state: JoanState) -> One:
        """The player's own characters on the board that the card can affect."""
        return only(tuple(NameCharacter(unit.id) for unit in concerned(state, self.by, self.deed)))

    def resolve(self, r: Resolver[JoanState], choice: NameCharacter) -> Flow:
        """The operation is carried out on this character."""
        return apply(r, self.by, choice.unit, self.deed)


def concerned(state: JoanState, seat: Seat, deed: Deed) -> Iterator[Unit]:
    """The characters of a player on the board that an operation can affect: to heal, only wounded ones."""
    for unit in units_of(state, seat):
        if card_of(state, unit).kind == "character" and (unit.wounds or not isinstance(deed, Heal)):
            yield unit


class OnCharacter(Procedure, frozen=True):
    """An operation on the speaker or wearer, or on a character that the player chooses."""

    seat: Seat
    deed: Deed
    unit: UnitId = NO_UNIT

    @step("JA-160")
    def choose(self, r: Resolver[JoanState]) -> Flow:
        """JA-161: if there is no such character, the effect is skipped."""
        if self.unit:
            return apply(r, self.seat, self.unit, self.deed)
        found = tuple(concerned(r.state, self.seat, self.deed))
        if len(found) > 1:
            return ask(CharacterChoice(self.seat, self.deed))
        if found:
            return apply(r, self.seat, found[0].id, self.deed)
        r.emit(EffectSkipped(self.seat, str(self.deed.__struct_config__.tag), "JA-161"))
        return DONE

    @step("JA-178")
    def end(self, r: Resolver[JoanState]) -> Flow:
        """It is done."""
        return DONE


def apply(r: Resolver[JoanState], seat: Seat, unit: UnitId, deed: Deed) -> Flow:
    """An operation on a character, if it is still on the board."""
    found = unit_of(r.state, unit)
    if found.spot != "board":
        r.emit(EffectSkipped(seat, str(deed.__struct_config__.tag), "JA-161"))
        return NEXT
    match deed:
        case Heal(n=n):
            if found.wounds:
                r.emit(UnitHealed(unit, max(found.wounds - n, 0)))
        case Wound(n=n):
            wound(r, found, n)
        case TakeEquipment():
            return equip(r, seat, unit, deed)
    return NEXT


def wound(r: Resolver[JoanState], unit: Unit, n: int) -> None:
    """Wounds that reach the HPs destroy; no hostile seat did it (JA-Q83)."""
    hp = card_of(r.state, unit).hp
    if hp is not None and unit.wounds + n >= hp:
        destroy(r, unit.id, None, RULE)
    else:
        r.emit(UnitWounded(unit.id, unit.wounds + n))


def equip(r: Resolver[JoanState], seat: Seat, unit: UnitId, deed: TakeEquipment) -> Flow:
    """JA-177, JA-Q37: the top card at once on the character; JA-178: with two already, one is discarded."""
    if not replenish(r, deed.deck):
        r.emit(EffectSkipped(seat, "take_equipment", "JA-Q87"))
        return NEXT
    r.emit(EquipmentGained(unit, deed.deck, top_card(r.state, deed.deck)))
    if len(unit_of(r.state, unit).equipment) > MOST_EQUIPMENT:
        return ask(EquipmentLimit(seat, unit))
    return NEXT


class LayDown(Choice, frozen=True):
    """Discard this equipment card."""

    card: str


class EquipmentLimit(Decision, frozen=True):
    """JA-D45 The equipment card that a character with three gives up."""

    rule = "JA-178"

    unit: UnitId

    def form(self, state: JoanState) -> One:
        """Any of the three, the new one too."""
        return only(tuple(LayDown(card) for card in dict.fromkeys(unit_of(state, self.unit).equipment)))

    def resolve(self, r: Resolver[JoanState], choice: LayDown) -> Flow:
        """The card goes onto the discards of its deck."""
        deck = setting_of(r.state).index.equipment[choice.card].type
        r.emit(EquipmentDiscarded(self.unit, deck, choice.card))
        return NEXT


def on_character(r: Resolver[JoanState], context: Context, effect: Heal | Wound) -> Procedure:
    """The speaker or wearer if the card says so; otherwise a character that the player names."""
    return OnCharacter(context.seat, effect, NO_UNIT if effect.select == "character" else context.unit)


def take_equipment(r: Resolver[JoanState], context: Context, effect: TakeEquipment) -> Procedure:
    """JA-177: the speaking character, or one that the player names."""
    return OnCharacter(context.seat, effect, context.unit)


OPERATIONS: Final[Operations] = {Heal: on_character, Wound: on_character, TakeEquipment: take_equipment}
