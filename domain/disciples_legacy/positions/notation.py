"""Words of the notation for positions: members of a Party, Cities, Mana, cards of one's own (docs/scenarios.md)."""

import re
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.commons.notation import Fields, check_keys, convert, one_of, tables
from domain.disciples_legacy.cards.cards import FILES, CardIndex, CardSet
from domain.disciples_legacy.state.queries import kind_of
from domain.disciples_legacy.state.state import City, Effect, Mana, Member, MemberId, PlaceId, Poison, Until, Ward
from domain.kernel import Seat

OWN_KINDS: Final = FILES[:-1]
"""The kinds of cards that a position may define itself."""
NAMED: Final = re.compile(r"(?:(\w+): +)?(\S.*)")
AMOUNT: Final = re.compile(r"(hp|damage|atk|maxhp|ward|poison):([+-]?\d{1,2})(?:[/x](\w+))?")


def texts(place: str, given: object) -> tuple[str, ...]:
    """A list of texts. Raises `ValueError`."""
    if not isinstance(given, list | tuple) or not all(isinstance(text, str) for text in given):
        raise ValueError(f"{place}: a list of texts is needed, not {given!r}")
    return tuple(given)


def own_cards(base: CardSet, given: object) -> CardSet:
    """The card set with the cards of a position added: each copies another card except for the fields named."""
    sections: dict[str, Any] = {}
    for kind, cards in check_keys("cards", given, OWN_KINDS).items():
        shape, known = type(getattr(base, kind)[0]), {card.id: card for card in getattr(base, kind)}
        made = []
        for name, fields in tables(f"cards.{kind}", cards).items():
            place = f"cards.{kind}.{name}"
            changed = dict(check_keys(place, fields, ("like", *shape.__struct_fields__)))
            like = known[one_of(f"{place}.like", changed.pop("like", next(iter(known))), known)]
            made.append(convert(place, {**msgspec.to_builtins(like), "id": name, "name": name, **changed}, shape))
        sections[kind] = (*getattr(base, kind), *made)
    return replace(base, **sections)


class Placed(Struct, frozen=True):
    """A member as a position names it; `hp` is None if the position gives none."""

    member: Member
    hp: int | None


def read_member(place: str, text: object, seat: Seat, name: str, index: CardIndex) -> Placed:
    """`K: knight_captain hp:5 spent +tower_shield`: a name for choices and events, the card, then words in any order.

    `name` is used if the text gives no name. Raises `ValueError`.
    """
    given, (card, *words) = _named(place, text)
    known = one_of(place, card, index.bodies)
    member = Member(MemberId(given or name), seat, known, kind_of(index, known), MemberId(""))
    placed = Placed(member, None)
    for word in words:
        placed = _with_word(place, placed, word, index)
    return placed


def _named(place: str, text: object) -> tuple[str, list[str]]:
    found = NAMED.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise ValueError(f"{place}: {text!r}: write a card, perhaps after a name, such as 'K: knight_captain'")
    return found[1] or "", found[2].split()


def _with_word(place: str, placed: Placed, word: str, index: CardIndex) -> Placed:
    member = placed.member
    if word in {"dead", "tapped", "spent"}:
        return replace(placed, member=replace(member, **{word: True}))
    if word.startswith("+") and not word[1:2].isdecimal():
        item = one_of(place, word[1:], index.items)
        return replace(placed, member=replace(member, items=(*member.items, item)))
    found = AMOUNT.fullmatch(word)
    if found is None:
        allowed = "dead, tapped, spent, +item, hp:5, damage:2, atk:+1/turn, maxhp:-2/turn, ward:2/battle, poison:1x2"
        raise ValueError(f"{place}: {word!r} says nothing here; allowed: {allowed}")
    name, amount, more = found[1], int(found[2]), found[3] or ""
    if name == "hp":
        return replace(placed, hp=amount)
    return replace(placed, member=_with_amount(place, member, name, amount, more))


def _with_amount(place: str, member: Member, name: str, amount: int, more: str) -> Member:
    if name == "damage":
        return replace(member, damage=amount)
    if name == "poison":
        if not more.isdecimal():
            raise ValueError(f"{place}: poison needs how often it still works, such as poison:1x2")
        return replace(member, poison=Poison(amount, int(more)))
    until: Until = convert(place, one_of(place, more or "battle", get_args(Until)), Until)  # type: ignore[arg-type]
    if name == "ward":
        return replace(member, ward=Ward(amount, until))
    effect = Effect("atk" if name == "atk" else "maxhp", amount, until)
    return replace(member, effects=(*member.effects, effect))


def read_town(place: str, text: object, seat: Seat, name: str, index: CardIndex) -> City:
    """`C3: market_town tapped`: a City or Capital. Raises `ValueError`."""
    given, (card, *words) = _named(place, text)
    for word in words:
        one_of(place, word, ("tapped",))
    known = one_of(place, card, index.towns)
    return City(PlaceId(given or name), known, seat, capital=known in index.capitals, tapped=bool(words))


def read_mana(place: str, text: object, seat: Seat, name: str, index: CardIndex) -> Mana:
    """`M4: red_mana`. Raises `ValueError`."""
    given, words = _named(place, text)
    return Mana(PlaceId(given or name), one_of(place, " ".join(words), index.mana), seat)


def say_member(member: Member) -> Fields:
    """A member's fields as scenarios compare them: effects, ward and poison as the words above."""
    shown = msgspec.structs.asdict(member)
    shown["effects"] = [f"{effect.stat}:{effect.amount:+}/{effect.until}" for effect in member.effects]
    shown["ward"] = None if member.ward is None else f"{member.ward.points}/{member.ward.until}"
    shown["poison"] = None if member.poison is None else f"{member.poison.amount}x{member.poison.left}"
    return shown
