"""Every choice of Disciples: Legacy in words, as a prompt lists it."""

from domain.disciples_legacy.rules import (
    attacking,
    founding,
    healing,
    paying,
    planting,
    rearranging,
    recruiting,
    replacing,
    setup,
    shopping,
    spells,
    strategic,
    thieving,
    trading,
)
from domain.disciples_legacy.rules.battle import rounds, skills, steps, striking
from domain.disciples_legacy.state.queries import cards_of, decks_of
from domain.disciples_legacy.state.state import MemberId
from domain.kernel import Asked, Choice
from projections.games.disciples_legacy.texts import deed
from projections.games.disciples_legacy.words import (
    View,
    card_name,
    cards_named,
    member_name,
    members_named,
    party_name,
    place_name,
    slot_name,
    target_name,
)


def option(view: View, asked: Asked, choice: Choice) -> str:
    """A choice in words."""
    return (
        _traded(view, asked, choice)
        or _plain(choice)
        or _set_up(view, choice)
        or _strategic(view, choice)
        or _battle(view, choice)
        or _rest(view, choice)
    )


def _traded(view: View, asked: Asked, choice: Choice) -> str:
    """The Leader who receives a traded piece: the other of the two."""
    match choice:
        case trading.GiveUnit(unit):
            thing, giver = member_name(view, unit), view.members[MemberId(unit)].party
        case trading.GiveItem(leader, item):
            thing, giver = target_name(view, f"{leader}/{item}"), MemberId(leader)
        case _:
            return ""
    pair = (str(asked.terms["leader"]), str(asked.terms["partner"]))
    return f"{thing} to {party_name(view, pair[giver == pair[0]])}"


def _plain(choice: Choice) -> str:
    return PLAIN.get(type(choice), "")


PLAIN: dict[type[Choice], str] = {
    setup.DeployAsListed: "As the deck lists them",
    healing.ConfirmRevives: "Revive nobody more",
    healing.ConfirmHeals: "Heal nobody more",
    strategic.Pass: "Pass",
    strategic.Finish: "Take no further action this turn",
    trading.SettleTrade: "Settle the trade as it is now",
    rearranging.Keep: "Keep the formation",
    attacking.DeclineBlock: "Block with nobody",
    attacking.Engage: "Attack it",
    attacking.Cancel: "Let it be",
    steps.Stand: "Stand and fight",
    steps.Retreat: "Retreat",
    rounds.PassRound: "Pass",
    rounds.FinishRound: "Take no further action",
}


def _set_up(view: View, choice: Choice) -> str:
    match choice:
        case setup.ChooseDeck(deck):
            return decks_of(view)[deck].name
        case setup.BringDeck(deck=brought):
            return brought.name
        case setup.Deploy():
            return "In another order"
    return ""


def _strategic(view: View, choice: Choice) -> str:
    match choice:
        case strategic.Rearrange(party):
            return f"Rearrange {party_name(view, party)}"
        case founding.RecruitCity(leader, card):
            return f"{member_name(view, leader)} founds {card_name(view, card)}"
        case recruiting.RecruitMinor(leader, card) | recruiting.RecruitUnit(leader, card):
            return f"{member_name(view, leader)} recruits {card_name(view, card)}"
        case shopping.Shop(leader, items):
            return f"{member_name(view, leader)} buys {cards_named(view, items)}"
        case trading.Trade(leader, partner):
            return f"{member_name(view, leader)} trades with {member_name(view, partner)}"
        case attacking.Assault(leader, target):
            return f"{member_name(view, leader)} attacks {target_name(view, target, as_party=True)}"
        case replacing.ReplaceLeader(leader, card):
            return f"{member_name(view, leader)} brings back {card_name(view, card)}"
        case planting.Plant(leader, card):
            return f"{member_name(view, leader)} plants {card_name(view, card)}"
        case spells.Cast():
            return _cast(view, choice)
        case thieving.UseAbility():
            return _ability(view, choice)
    return ""


def _cast(view: View, choice: spells.Cast) -> str:
    (ability,) = cards_of(view).abilities[choice.spell]
    on = target_name(view, choice.target, as_party=ability.selector in {"own_party", "enemy_party"})
    whom = f" on {on}" if choice.target else ""
    return f"{member_name(view, choice.leader)} casts {card_name(view, choice.spell)}{whom}"


def _ability(view: View, choice: thieving.UseAbility) -> str:
    ability = cards_of(view).abilities[view.members[MemberId(choice.leader)].card][choice.ability]
    said = f"{member_name(view, choice.leader)}: {deed(ability, cards_of(view))}"
    if choice.target:
        said += f" – {target_name(view, choice.target)}"
    return f"{said}, for {member_name(view, choice.receiver)}" if choice.receiver else said


def _battle(view: View, choice: Choice) -> str:
    match choice:
        case striking.Strike(member, target):
            whom = target_name(view, target) if target else "all enemies"
            return f"{member_name(view, member)} strikes {whom}"
        case skills.UseSkill(member, number, target):
            ability = cards_of(view).abilities[view.members[MemberId(member)].card][number]
            said = f"{member_name(view, member)}: {deed(ability, cards_of(view))}"
            return f"{said} – {target_name(view, target)}" if target else said
        case skills.UseItem(leader, item, target):
            said = f"{member_name(view, leader)} uses {card_name(view, item)}"
            return f"{said} on {target_name(view, target)}" if target else said
    return ""


def _rest(view: View, choice: Choice) -> str:
    match choice:
        case healing.Revive(member):
            return f"Revive {member_name(view, member)}"
        case healing.Heal(member):
            return f"Heal {member_name(view, member)}"
        case paying.TapCity(city):
            return f"Tap {place_name(view, city)}"
        case recruiting.PlaceUnit(slot):
            return f"{slot_name(slot).capitalize()}"
        case recruiting.DiscardUnits(units):
            return f"Discard {members_named(view, tuple(MemberId(unit) for unit in units))}"
        case rearranging.Move(member, slot):
            return f"{member_name(view, member)} to the {slot_name(slot)}"
        case attacking.Block(leader):
            return f"{party_name(view, leader)} blocks"
    return type(choice).__name__
