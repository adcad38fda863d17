"""The terms of the glossary for cards and for pieces in play in the Scene of Disciples: Legacy."""

from domain.disciples_legacy.cards import hooks
from domain.disciples_legacy.cards.cards import (
    Capital,
    CardIndex,
    CityCard,
    Item,
    MajorLeader,
    ManaCard,
    MinorLeader,
    Spell,
)
from domain.disciples_legacy.cards.hooks import Ability
from domain.disciples_legacy.state.queries import cards_of, is_giant
from domain.disciples_legacy.state.state import DisciplesState, Member
from domain.disciples_legacy.state.stats import style


def member_terms(view: DisciplesState, member: Member) -> list[str]:
    """The terms of a member in play: first its state, then its card."""
    states = (
        ("dead", member.dead),
        ("tapped", member.tapped and not member.dead),
        ("spent", member.spent),
        ("ward", member.ward is not None),
        ("poisoned", member.poison is not None),
        ("carries", bool(member.items)),
    )
    index = cards_of(view)
    kind, *rest = card_terms(index, member.card)
    carried = [term for item in member.items for term in _does(index.abilities.get(item, ()))]
    now = [term for term, holds in states if holds]
    found = [
        kind,
        *now,
        f"attack-{style(view, member.id)}",
        *(t for t in rest if not t.startswith("attack-")),
        *carried,
    ]
    return list(dict.fromkeys(found))


def card_terms(index: CardIndex, code: str) -> list[str]:
    """The terms of a card: its kind, its numbers, and the effects of its text."""
    terms = [_kind(index, code)]
    printed = index.bodies.get(code)
    if printed is not None:
        terms += ["giant"] if is_giant(index, code) else []
        terms += [f"attack-{printed.style}", "hp"]
    if code in index.majors:
        terms.append("leadership")
    return list(dict.fromkeys([*terms, *_does(index.abilities.get(code, ()))]))


def _kind(index: CardIndex, code: str) -> str:
    match index.cards[code]:
        case MajorLeader():
            return "major"
        case MinorLeader():
            return "minor"
        case Capital():
            return "capital"
        case CityCard():
            return "city"
        case ManaCard():
            return "mana"
        case Item():
            return "item"
        case Spell():
            return "spell"
    return "unit"


def _does(abilities: tuple[Ability, ...]) -> list[str]:
    """The terms of card texts: their times and effects."""
    found: list[str] = []
    for ability in abilities:
        found += [f"window-{ability.window}", str(ability.op.__struct_config__.tag)]
        if isinstance(ability.op, hooks.Mod):
            found.append(ability.op.name)
    return found
