"""Every choice of Joan of Arc in words, as a prompt lists it."""

from collections.abc import Sequence
from typing import Final

from domain.joan_of_arc.cards.dice import face
from domain.joan_of_arc.rules import capturing, pushing
from domain.joan_of_arc.rules.actions import (
    charging,
    engineering,
    fighting,
    gigantic_attacks,
    hastening,
    healing,
    jumping,
    marching,
    praying,
    staking,
    striding,
    waiting,
    walking,
)
from domain.joan_of_arc.rules.actions.declared import partners
from domain.joan_of_arc.rules.attacks import (
    allocating,
    besieging,
    dodging,
    following,
    improving,
    retaliating,
    swamps,
    terror,
    wrecking,
)
from domain.joan_of_arc.rules.attacks import gigantic_dice as gigantic
from domain.joan_of_arc.rules.bonuses import commanding, discussing, upgrading
from domain.joan_of_arc.rules.effects import banners, battle, characters, infirmary, mustering, shifting, tokens
from domain.joan_of_arc.rules.phases import activation, camp, council, interrupts, orders, rallying, ransoming
from domain.joan_of_arc.rules.player_actions import exchanging, intrigues, legends, rerolling, wearing
from domain.joan_of_arc.state import state as s
from domain.joan_of_arc.state.attack_state import RolledDie
from domain.joan_of_arc.state.queries import setting_of
from domain.kernel import Asked, Choice, Hidden, Seat
from projections.games.joan_of_arc.texts import FACES, ORDERS, deeds, die_shown, faces, resource
from projections.games.joan_of_arc.words import (
    View,
    area_name,
    areas_named,
    card_name,
    edge_name,
    unit_name,
    units_named,
)
from projections.words import count, join, spaced

PLAIN: Final[dict[type[Choice], str]] = {
    council.PayUpkeep: "Pay 1 XP: the level is kept",
    council.Revert: "Pay nothing: back to level 1",
    orders.EndTurn: "End your turn",
    interrupts.LetPass: "Do not interrupt",
    activation.FinishActivation: "No further bonus action",
    activation.TakeToken: "Take the reroll token",
    activation.LeaveToken: "Not now",
    waiting.Wait: "Wait",
    gigantic.TakeGround: "Move into the hex",
    gigantic.HoldBackGiant: "Stay",
    wrecking.BreakBuilding: "Break the building",
    dodging.StandFirm: "Do not dodge",
    improving.UseToken: "Use the reroll token",
    improving.LeaveDice: "Let the dice lie",
    swamps.SwallowShield: "Remove a shield",
    swamps.SpareShield: "Leave the shields",
    allocating.LeaveResults: "Take nothing over",
    retaliating.HoldGround: "Nobody strikes back from the high ground",
    capturing.Capture: "Take it captive",
    capturing.Slay: "Let it be destroyed",
    following.HoldBack: "Do not ride on",
    engineering.BuildBarricade: "Build a barricade here",
    engineering.PutOut: "Put the fire out",
    rerolling.KeepDie: "Let the die lie",
    rerolling.RerollDie: "Roll it again",
    ransoming.PayRansom: "Pay the ransom",
    ransoming.KeepPurse: "Pay nothing",
    exchanging.ExchangeForXp: "Take 1 XP for an intrigue token",
    exchanging.ExchangeForLegend: "Take 1 legend token for an intrigue token",
    legends.KeepLegends: "Play no card now",
    banners.LeaveBanner: "Leave the rally points where they are",
    infirmary.CareForNobody: "Nobody else",
    shifting.MoveNobody: "Nobody else",
}
TO_AN_AREA: Final[dict[type[Choice], str]] = {
    walking.Move: "Move to",
    striding.Stride: "Stride to",
    jumping.Jump: "Jump to",
    fighting.Melee: "Fight in melee against",
    fighting.Shoot: "Shoot at",
    gigantic_attacks.Trample: "Trample",
    dodging.DodgeTo: "Dodge to",
    following.BreakThrough: "Ride on to",
    rallying.RallyAt: "Come back in",
    mustering.ActivateHere: "In",
    tokens.BurnArea: "Fire in",
}
"""Choices that name an area, with the words before the area."""
OF_A_UNIT: Final[dict[type[Choice], str]] = {
    activation.Resolve: "{}",
    terror.Frighten: "Frighten {}",
    pushing.Stay: "{} takes a wound and stays",
    pushing.GiveWay: "{} gives way",
    allocating.GiveResult: "{}",
    camp.RollDoom: "For {}",
    battle.Embolden: "{}",
    characters.NameCharacter: "{}",
    infirmary.CareFor: "{}",
    commanding.Command: "{} commands",
}
"""Choices that name one unit."""
OF_UNITS: Final[dict[type[Choice], str]] = {
    walking.MoveThese: "{} move",
    following.FollowUp: "{} follow up",
    commanding.CommandThese: "Command {}",
    mustering.ActivateThese: "Activate {}",
}


def option(view: View, asked: Asked, choice: Choice) -> str:
    """A choice in words."""
    kind = type(choice)
    if kind in PLAIN:
        return PLAIN[kind]
    if kind in TO_AN_AREA:
        return _to_an_area(view, choice)
    if kind in OF_A_UNIT:
        told = OF_A_UNIT[kind].format(unit_name(view, choice.unit))  # type: ignore[attr-defined]
        return _resolved(view, choice) or told
    if kind in OF_UNITS:
        return OF_UNITS[kind].format(units_named(view, choice.units))  # type: ignore[attr-defined]
    return (
        _ordered(view, choice)
        or _acted(view, choice)
        or _fought(view, asked, choice)
        or _settled(view, asked, choice)
        or _carded(view, asked, choice)
        or spaced(kind.__name__).capitalize()
    )


def _to_an_area(view: View, choice: Choice) -> str:
    told = f"{TO_AN_AREA[type(choice)]} {area_name(view, choice.area)}"  # type: ignore[attr-defined]
    passenger = choice.passenger if isinstance(choice, walking.Move) else ""
    return f"{told} with {unit_name(view, passenger)}" if passenger else told


def _resolved(view: View, choice: Choice) -> str:
    """A declared action with all units that take part in it."""
    if not isinstance(choice, activation.Resolve) or not view.activations:
        return ""
    found = next((plan for plan in view.activations[-1].plans if plan.unit == choice.unit), None)
    if found is None:
        return ""
    units = [plan.unit for plan in partners(view.activations[-1], found)]
    return f"{units_named(view, units)}: {_planned(view, found)}"


def _planned(view: View, plan: s.Plan) -> str:
    where = plan.target or (plan.path[-1] if plan.path else "")
    told = plan.action.replace("_", " ")
    if plan.action == "prayer":  # JA-210
        return f"{told} for {resource(plan.aim, 1)}"
    return f"{told}, {area_name(view, where)}" if where else told


def _ordered(view: View, choice: Choice) -> str:
    match choice:
        case council.TakeCouncilCard(card):
            return f"{card_name(view, card)}: {deeds(setting_of(view).index.war_council[card].effects)}"
        case orders.PlayOrder(order, area, discard):
            more = f", paying one more {ORDERS[discard]}" if discard else ""
            return f"{ORDERS[order].capitalize()} on {area_name(view, area)}{more}"
        case interrupts.Interrupt(area, discard):
            more = f", paying one more {ORDERS[discard]}" if discard else ""
            return f"Interrupt in {area_name(view, area)}{more}"
        case discussing.Discuss(unit, civilian):
            return f"{unit_name(view, unit)} talks to {unit_name(view, civilian)}"
        case upgrading.Upgrade(unit, card):
            return f"{unit_name(view, unit)} becomes {setting_of(view).index.units[card].name}"
    return ""


def _acted(view: View, choice: Choice) -> str:
    match choice:
        case charging.Charge(path, target):
            against = f" and attack {area_name(view, target)}" if target else ""
            return f"Charge over {areas_named(view, path)}{against}"
        case hastening.Haste(path):
            return f"Hasten over {areas_named(view, path)}"
        case marching.March(path):
            return f"March by force over {areas_named(view, path)}"
        case marching.MarchOn(areas):
            return f"Go {count(areas, 'area')} far" if areas else "Stay"
        case praying.Pray(take):
            return f"Pray for {resource(take, 1)}"
        case healing.HealOther(other):
            return f"Heal {unit_name(view, other)}"
        case engineering.SetFire(area):
            return f"Set fire here{f', then move to {area_name(view, area)}' if area else ''}"
        case staking.PlantStakes(edge):
            return f"Wait, with stakes on {edge_name(edge)}"
    return ""


def _fought(view: View, asked: Asked, choice: Choice) -> str:
    match choice:
        case gigantic.AssignDice(faces=given):
            named = [
                f"{FACES[face]} to {area_name(view, str(area))}"
                for face, area in zip(given, asked.terms["areas"], strict=False)
            ]
            told = join(named) or faces(given)
            return told[:1].upper() + told[1:]
        case wrecking.BreakElement(element):
            return f"Break the {element.replace('_', ' ')}"
        case terror.RollOnly(colour):
            return f"Roll the {colour} die"
        case improving.RollAgain(source, die):
            return f"Roll {die_name(view, asked, die)} again by {_source(view, source)}"
        case improving.TurnToKill(die):
            return f"For 1 legend token {die_name(view, asked, die)} counts as a kill"
        case allocating.UseShields(number):
            return count(number, "shield")
        case besieging.Batter(kills, disrupts):
            return f"{count(kills, 'kill')} and {count(disrupts, 'disrupt')}"
        case allocating.TakeOver(unit, face):
            return f"Take the {FACES[face]} for {unit_name(view, unit)}"
        case retaliating.StrikeBack(face):
            return f"A {FACES[face]} strikes back"
        case improving.RollThese(dice) | battle.RerollByCard(dice) | rerolling.RollAgainThese(dice):
            return f"Roll {join([die_name(view, asked, int(die)) for die in dice]) or 'none'} again"
    return ""


def _settled(view: View, asked: Asked, choice: Choice) -> str:
    """The results that are cancelled or strike back, and the destinations of units."""
    match choice:
        case pushing.PushTo(unit, area):
            return f"{unit_name(view, unit)} to {area_name(view, area)}" if area else f"{unit_name(view, unit)}: no way"
        case allocating.CancelThese(results):
            return f"Cancel {join([result_name(view, int(at)) for at in results])}"
        case retaliating.ReturnThese(results):
            named = [returned_name(view, Seat(asked.seat), int(at)) for at in results]
            return f"{join(named)} back" if named else "Strike nobody back"
    return ""


OF_THE_ROLL: Final = frozenset({"TerrorDice", "CollapseDice"})
"""Questions about dice of the roll on the table that belongs to no attack."""


def die_name(view: View, asked: Asked, number: int) -> str:
    """A die of the roll that is asked about: "die 2 (red push)"."""
    attack = view.attack
    if asked.kind in OF_THE_ROLL and view.roll is not None:
        kind, value = view.roll.kinds[number], view.roll.dice[number]
        return f"die {number + 1} ({die_shown(kind, face(kind, value))})"
    if attack is None:
        return f"die {number + 1}"
    of_attack = asked.terms.get("roll", "attack") == "attack"
    rolled = attack.attack_dice if of_attack else attack.defence_dice
    if number >= len(rolled):
        return f"die {number + 1}"
    return f"die {number + 1} ({rolled[number].colour} {FACES[rolled[number].face]})"


def result_name(view: View, at: int) -> str:
    """A result that shields may cancel: "result 2 (kill of English Bowmen 1)"."""
    return _numbered(view, allocating.standing_results(view) if view.attack is not None else (), at)


def returned_name(view: View, seat: Seat, at: int) -> str:
    """A player's result that may strike back, named in the same way."""
    return _numbered(view, retaliating.retaliation(view, seat) if view.attack is not None else (), at)


def _numbered(view: View, dice: Sequence[RolledDie], at: int) -> str:
    if at >= len(dice):
        return f"result {at + 1}"
    of = f" of {unit_name(view, dice[at].unit)}" if dice[at].unit else ""
    return f"result {at + 1} ({FACES[dice[at].face]}{of})"


def _source(view: View, source: str) -> str:
    """The source that lets a die be rolled again: "feint of John Talbot"."""
    name, _, unit = source.partition(" ")
    return f"{name} of {unit_name(view, unit)}" if unit else name


def _carded(view: View, asked: Asked, choice: Choice) -> str:
    index = setting_of(view).index
    match choice:
        case legends.PlayLegend(card):
            return f"{card_name(view, card)}: {deeds(index.legend[card].effects)}"
        case intrigues.TriggerIntrigue(slot):
            return _intrigue(view, asked, slot)
        case wearing.UseEquipment(unit, card):
            return f"{unit_name(view, unit)} uses {card_name(view, card)}: {deeds(index.equipment[card].effects)}"
        case wearing.GiveEquipment(unit, to, card):
            return f"{unit_name(view, unit)} gives {card_name(view, card)} to {unit_name(view, to)}"
        case wearing.DropEquipment(unit, card):
            return f"{unit_name(view, unit)} lays {card_name(view, card)} down"
        case characters.LayDown(card):
            return f"Lay {card_name(view, card)} down"
        case discussing.AskQuestion(letter):
            return f"{letter}: {index.discussions[str(asked.terms['card'])].questions[letter].text}"
        case banners.CarryBanner(start, end):
            return f"From {area_name(view, start)} to {area_name(view, end)}"
        case shifting.MoveUnit(unit, path):
            return f"{unit_name(view, unit)} over {areas_named(view, path)}"
        case shifting.JumpTo(unit, area):
            return f"{unit_name(view, unit)} jumps to {area_name(view, area)}"
    return ""


def _intrigue(view: View, asked: Asked, slot: int) -> str:
    """A slot of the seat's own intrigue card; viewers who do not see the card read only the slot's number."""
    card = view.boards[asked.seat].intrigue_card
    slots = () if isinstance(card, Hidden) else setting_of(view).index.intrigue[card].slots
    found = next((each for each in slots if each.slot == slot), None)
    if found is None:
        return f"Intrigue {slot}"
    return f"Intrigue for {resource('intrigue', found.cost)}: {deeds(found.effects)}"
