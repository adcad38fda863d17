"""Sentences about the course of a match of Joan of Arc: set-up, council, orders, cards, camp."""

from typing import Final

from domain.joan_of_arc.board.scenarios import OrdersHeld
from domain.joan_of_arc.cards.cards import LETTERS
from domain.joan_of_arc.rules.attacks.results import doom
from domain.joan_of_arc.rules.phases.orders import can_play
from domain.joan_of_arc.state import events as e
from domain.joan_of_arc.state.queries import card_of, orders_held, setting_of, unit_of
from domain.kernel import Event, Hidden
from projections.blocks.narration import Telling, silent
from projections.games.joan_of_arc.goals import goals
from projections.games.joan_of_arc.texts import ORDERS, deeds, orders, resource, skipped
from projections.games.joan_of_arc.words import (
    PHASES,
    View,
    area_name,
    card_name,
    cards_named,
    pile_name,
    side_name,
    unit_name,
    units_named,
)
from projections.words import count, join, player, sentence

FOR: Final = {"JA-047": " for upkeep", "JA-182": " for an upgrade", "JA-284": " for being ruthless"}
FROM: Final = {"JA-210": " by prayer", "JA-154": " from a talk", "JA-142": " for a destroyed unit"}


def held(of: OrdersHeld) -> str:
    """Orders by type: "2 command orders and 1 charge order"; "no orders" for none."""
    return join([orders(name, getattr(of, name)) for name in ORDERS if getattr(of, name)]) or "no orders"


def board_laid(_: View, view: View, event: e.BoardLaid) -> str:
    sky = f", {count(len(event.sky), 'tile')} of sky above it" if event.sky else ""
    return " ".join([f"The board is laid: {setting_of(view).ground.name}{sky}.", *goals(view)])


def units_placed(_: View, view: View, event: e.UnitsPlaced) -> str:
    named = units_named(view, tuple(unit.id for unit in event.units))
    if event.owner is None:
        return f"Civilians on the board: {named}."
    side = side_name(setting_of(view).sides[event.owner])
    return f"{player(view, event.owner)} leads {side}: {named}."


def rally_point_placed(_: View, view: View, event: e.RallyPointPlaced) -> str:
    return sentence(f"{side_name(event.side)} have a rally point in {area_name(view, event.area)}")


def resources_taken(_: View, view: View, event: e.ResourcesTaken) -> str:
    told = [resource("xp", event.xp), resource("legend", event.legend), resource("intrigue", event.intrigue)]
    told += ["the reroll token"] if event.reroll else []
    told += [count(event.stakes, "set", "sets") + " of stakes"] if event.stakes else []
    return f"{player(view, event.seat)} begins with {join([*told, held(event.orders)])}."


def intrigue_card_taken(_: View, view: View, event: e.IntrigueCardTaken) -> str:
    mine = "" if isinstance(event.card, Hidden) else f": {card_name(view, event.card)}"
    return f"{player(view, event.seat)} holds an intrigue card{mine}."


def pile_shuffled(_: View, view: View, event: e.PileShuffled) -> str:
    return f"{pile_name(view, event.pile)} is shuffled, {count(event.count, 'card')}."


def legend_drawn(_: View, view: View, event: e.LegendDrawn) -> str:
    mine = "" if isinstance(event.cards, Hidden) else f": {cards_named(view, event.cards)}"
    return f"{player(view, event.seat)} draws {count(event.count, 'legend card')}{mine}."


def phase_began(_: View, __: View, event: e.PhaseBegan) -> str:
    return "" if event.phase == "setup" else f"{PHASES[event.phase]} phase."


def round_began(_: View, __: View, event: e.RoundBegan) -> str:
    return f"Round {event.round} begins."


def round_card_flipped(_: View, view: View, event: e.RoundCardFlipped) -> str:
    found = setting_of(view).index.rounds[event.card].command_orders
    return f"The round card gives everybody {orders('command', found)}."


def orders_gained(_: View, view: View, event: e.OrdersGained) -> str:
    return f"{player(view, event.seat)} gains {orders(event.order, event.count)}."


def river_cleared(_: View, __: View, ___: e.RiverCleared) -> str:
    return "The cards of the last war council are discarded."


def council_card_drawn(_: View, view: View, event: e.CouncilCardDrawn) -> str:
    name = card_name(view, event.card)
    if not event.kept:
        return f"{name} is drawn for the war council; it lies there already and is discarded."
    effects = deeds(setting_of(view).index.war_council[event.card].effects)
    return f"{name} is drawn for the war council: {effects}."


def war_council_chosen(_: View, view: View, event: e.WarCouncilChosen) -> str:
    return f"{player(view, event.seat)} follows the war council's {card_name(view, event.card)}."


def resource_gained(_: View, view: View, event: e.ResourceGained) -> str:
    got = resource(event.resource, event.count)
    return f"{player(view, event.seat)} gains {got}{FROM.get(event.rule, '')}."


def resource_spent(_: View, view: View, event: e.ResourceSpent) -> str:
    paid = resource(event.resource, event.count)
    return f"{player(view, event.seat)} gives up {paid}{FOR.get(event.rule, '')}."


def points_scored(_: View, __: View, event: e.PointsScored) -> str:
    held_places = " in the camp" if event.rule == "JA-246" else ""
    return sentence(f"{side_name(event.side)} score {event.points} VP{held_places}")


def effect_skipped(_: View, view: View, event: e.EffectSkipped) -> str:
    if event.rule == "JA-198":
        return f"{player(view, event.seat)} has the reroll token already."
    return f"Nothing comes of {skipped(event.effect)} for {player(view, event.seat)}."


def intrigue_exchanged(_: View, view: View, event: e.IntrigueExchanged) -> str:
    return f"{player(view, event.seat)} swaps an intrigue token for {resource(event.for_, 1)}."


def legend_played(_: View, view: View, event: e.LegendPlayed) -> str:
    what = deeds(setting_of(view).index.legend[event.card].effects)
    cost = resource("legend", event.cost)
    return f"{player(view, event.seat)} plays {card_name(view, event.card)} for {cost}: {what}."


def legend_resolved(_: View, view: View, event: e.LegendResolved) -> str:
    return f"{card_name(view, event.card)} goes onto the discards."


def legend_passed(_: View, view: View, event: e.LegendPassed) -> str:
    return f"{player(view, event.seat)} plays no legend card."


def intrigue_triggered(_: View, view: View, event: e.IntrigueTriggered) -> str:
    cost = resource("intrigue", event.slot.cost)
    return f"{player(view, event.seat)} lays {cost} on an intrigue: {deeds(event.slot.effects)}."


def reroll_token_taken(_: View, view: View, event: e.RerollTokenTaken) -> str:
    return f"{player(view, event.seat)} takes the reroll token."


def reroll_token_used(_: View, view: View, event: e.RerollTokenUsed) -> str:
    return f"{player(view, event.seat)} uses the reroll token."


def rally_point_moved(_: View, view: View, event: e.RallyPointMoved) -> str:
    way = f"from {area_name(view, event.start)} to {area_name(view, event.end)}"
    return f"The rally point of {side_name(event.side)} goes {way}."


def upkeep_paid(_: View, view: View, event: e.UpkeepPaid) -> str:
    return f"{unit_name(view, event.unit)} keeps level 2 for 1 XP."


def character_reverted(_: View, view: View, event: e.CharacterReverted) -> str:
    return f"{unit_name(view, event.unit)} is back at level 1."


def character_upgraded(_: View, view: View, event: e.CharacterUpgraded) -> str:
    printed = setting_of(view).index.units[event.card].name
    return f"{unit_name(view, event.unit)} rises: {printed}."


def turn_began(_: View, view: View, event: e.TurnBegan) -> str:
    return f"{player(view, event.seat)}'s turn."


def turn_ended(_: View, view: View, event: e.TurnEnded) -> str:
    left = orders_held(view.boards[event.seat]) and not can_play(view, event.seat)
    return f"{player(view, event.seat)} plays no further order{': none that is left can be placed' if left else ''}."


def order_played(_: View, view: View, event: e.OrderPlayed) -> str:
    verb = "interrupts with" if event.interrupt else "plays"
    return f"{player(view, event.seat)} {verb} a {ORDERS[event.order]} on {area_name(view, event.area)}.".replace(
        "a interrupt", "an interrupt"
    )


def order_discarded(_: View, view: View, event: e.OrderDiscarded) -> str:
    return f"{player(view, event.seat)} pays one more {ORDERS[event.order]} for a gigantic creature."


def order_returned(_: View, view: View, event: e.OrderReturned) -> str:
    return f"The {ORDERS[event.order]} on {area_name(view, event.area)} goes back to the pool."


def orders_returned(_: View, __: View, event: e.OrdersReturned) -> str:
    return f"All orders on the board go back to the pool, from {count(len(event.areas), 'area')}."


def orders_reserved(_: View, view: View, event: e.OrdersReserved) -> str:
    lost = held(event.returned)
    gone = "" if lost == "no orders" else f"; no room is left for {lost}"
    return f"{player(view, event.seat)} keeps {held(event.kept)} in reserve{gone}."


def _can_interrupt(view: View, seat: int) -> bool:
    """Whether the player publicly holds anything to interrupt with; a player with nothing is not mentioned."""
    mine = view.boards[seat]
    return bool(mine.orders.interrupt or (mine.holds_intrigue and mine.intrigue))


def interrupt_offered(_: View, view: View, event: e.InterruptOffered) -> str:
    return f"{player(view, event.seat)} may interrupt." if _can_interrupt(view, event.seat) else ""


def interrupt_declined(_: View, view: View, event: e.InterruptDeclined) -> str:
    return f"{player(view, event.seat)} does not interrupt." if _can_interrupt(view, event.seat) else ""


def units_activated(_: View, view: View, event: e.UnitsActivated) -> str:
    by = f"{unit_name(view, event.commander)} commands from" if event.commander else "Activated in"
    return f"{by} {area_name(view, event.area)}: {units_named(view, event.units)}."


def bonus_taken(_: View, view: View, event: e.BonusTaken) -> str:
    what = {"command": "gives a command", "discuss": "begins a talk", "upgrade": "seeks to rise"}[event.bonus]
    return f"{unit_name(view, event.unit)} {what}."


def discussion_started(_: View, view: View, event: e.DiscussionStarted) -> str:
    return f"{unit_name(view, event.unit)} talks to {unit_name(view, event.civilian)}."


def discussion_card_drawn(_: View, view: View, event: e.DiscussionCardDrawn) -> str:
    asked = setting_of(view).index.discussions[event.card].questions
    told = " ".join(f"{letter}: {found.text}" for letter, found in sorted(asked.items()))
    return sentence(f"A discussion card of level {event.level}. {told}")


def question_chosen(_: View, view: View, event: e.QuestionChosen) -> str:
    text = setting_of(view).index.discussions[event.card].questions[event.letter].text
    return sentence(f"{player(view, event.seat)} asks {event.letter}: {text}")


def card_handed_over(_: View, view: View, event: e.CardHandedOver) -> str:
    reads = f"{player(view, event.reader)} takes the card to read the answer"
    if isinstance(event.answers, Hidden):
        return f"{reads}."
    told = (f"{letter}: {deeds(answer)}" for letter, answer in zip(LETTERS, event.answers, strict=True))
    return f"{reads}: {'; '.join(told)}."


def answer_revealed(_: View, view: View, event: e.AnswerRevealed) -> str:
    return f"{player(view, event.reader)} reads the answer: {deeds(event.answer)}."


def discussion_continued(_: View, __: View, ___: e.DiscussionContinued) -> str:
    return "The talk goes deeper."


def discussion_ended(_: View, view: View, event: e.DiscussionEnded) -> str:
    return f"{unit_name(view, event.unit)} ends the talk."


def equipment_gained(_: View, view: View, event: e.EquipmentGained) -> str:
    what = deeds(setting_of(view).index.equipment[event.card].effects)
    return f"{unit_name(view, event.unit)} takes {card_name(view, event.card)}: {what}."


def equipment_discarded(_: View, view: View, event: e.EquipmentDiscarded) -> str:
    return f"{unit_name(view, event.unit)} lays {card_name(view, event.card)} down."


def equipment_handed(_: View, view: View, event: e.EquipmentHanded) -> str:
    to = unit_name(view, event.to)
    return f"{unit_name(view, event.unit)} gives {card_name(view, event.card)} to {to}."


def unit_called(_: View, view: View, event: e.UnitCalled) -> str:
    return f"{player(view, event.seat)} rolls the doom die for {unit_name(view, event.unit)}."


def doom_rolled(_: View, view: View, event: e.DoomRolled) -> str:
    said = {"death": "death", "rally": "it rallies", "delayed_rally": "it rallies later"}
    told = f"The doom die of {unit_name(view, event.unit)}: {said.get(event.face, event.face)}."
    stays = doom(card_of(view, unit_of(view, event.unit)), event.face) == "disrupted"  # JA-227, JA-274
    return f"{told} It stays in the infirmary." if stays else told


def unit_rallied(_: View, view: View, event: e.UnitRallied) -> str:
    return f"Back in {area_name(view, event.area)}: {unit_name(view, event.unit)}."


def unit_waiting(_: View, view: View, event: e.UnitWaiting) -> str:
    return f"Waiting in the infirmary to come back: {unit_name(view, event.unit)}."


def ransom_refused(_: View, view: View, event: e.RansomRefused) -> str:
    return f"Nobody pays for {unit_name(view, event.unit)}, who stays a captive."


def character_captured(_: View, view: View, event: e.CharacterCaptured) -> str:
    return f"{unit_name(view, event.unit)} is a captive of {player(view, event.captor)}."


def character_ransomed(_: View, view: View, event: e.CharacterRansomed) -> str:
    return f"{unit_name(view, event.unit)} is bought free for {resource('xp', event.price)}."


def round_ended(_: View, __: View, event: e.RoundEnded) -> str:
    return f"Round {event.round} is over."


def grants_ended(_: View, __: View, event: e.GrantsEnded) -> str:
    return f"Skills given until the {event.until.removeprefix('end_of_')}'s end are gone."


SENTENCES: Final[dict[type[Event], Telling]] = {
    e.BoardLaid: board_laid,
    e.UnitsPlaced: units_placed,
    e.RallyPointPlaced: rally_point_placed,
    e.ResourcesTaken: resources_taken,
    e.IntrigueCardTaken: intrigue_card_taken,
    e.PileShuffled: pile_shuffled,
    e.LegendDrawn: legend_drawn,
    e.PhaseBegan: phase_began,
    e.RoundBegan: round_began,
    e.RoundCardFlipped: round_card_flipped,
    e.OrdersGained: orders_gained,
    e.RiverCleared: river_cleared,
    e.CouncilCardDrawn: council_card_drawn,
    e.WarCouncilChosen: war_council_chosen,
    e.ResourceGained: resource_gained,
    e.ResourceSpent: resource_spent,
    e.PointsScored: points_scored,
    e.EffectSkipped: effect_skipped,
    e.IntrigueExchanged: intrigue_exchanged,
    e.LegendPlayed: legend_played,
    e.LegendResolved: legend_resolved,
    e.LegendPassed: legend_passed,
    e.IntrigueTriggered: intrigue_triggered,
    e.RerollTokenTaken: reroll_token_taken,
    e.RerollTokenUsed: reroll_token_used,
    e.RallyPointMoved: rally_point_moved,
    e.UpkeepPaid: upkeep_paid,
    e.CharacterReverted: character_reverted,
    e.CharacterUpgraded: character_upgraded,
    e.TurnBegan: turn_began,
    e.TurnEnded: turn_ended,
    e.OrderPlayed: order_played,
    e.OrderDiscarded: order_discarded,
    e.OrderReturned: order_returned,
    e.OrdersReturned: orders_returned,
    e.OrdersReserved: orders_reserved,
    e.InterruptOffered: interrupt_offered,
    e.InterruptDeclined: interrupt_declined,
    e.UnitsActivated: units_activated,
    e.BonusTaken: bonus_taken,
    e.DiscussionStarted: discussion_started,
    e.DiscussionCardDrawn: discussion_card_drawn,
    e.QuestionChosen: question_chosen,
    e.CardHandedOver: card_handed_over,
    e.AnswerRevealed: answer_revealed,
    e.DiscussionContinued: discussion_continued,
    e.DiscussionEnded: discussion_ended,
    e.EquipmentGained: equipment_gained,
    e.EquipmentDiscarded: equipment_discarded,
    e.EquipmentHanded: equipment_handed,
    e.UnitCalled: unit_called,
    e.DoomRolled: doom_rolled,
    e.UnitRallied: unit_rallied,
    e.UnitWaiting: unit_waiting,
    e.RansomRefused: ransom_refused,
    e.CharacterCaptured: character_captured,
    e.CharacterRansomed: character_ransomed,
    e.RoundEnded: round_ended,
    e.GrantsEnded: grants_ended,
    **dict.fromkeys(
        (
            e.ActionResolved,  # the effects of the action were told
            e.ActivationEnded,
            e.UnitMarked,
            e.RoundMarksCleared,
        ),
        silent,
    ),
}
