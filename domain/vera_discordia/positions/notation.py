"""Words of the notation for positions: Units, orders, lists of cards, cards of one's own (docs/scenarios.md)."""

from typing import Final

from msgspec.structs import replace

from domain.commons.cards import known
from domain.commons.notation import UNKNOWN, Fields, check_keys, convert, one_of, read_list, words_of
from domain.kernel import Hidden
from domain.vera_discordia.cards.cards import (
    Ability,
    CardIndex,
    CardKey,
    CardSet,
    Die,
    Faction,
    GeneralCard,
    OrderType,
    Rank,
    Shields,
    UnitType,
    flatten,
    index_of,
)
from domain.vera_discordia.state.state import Held, Unit

SHIELDS: Final = ("1", "2", "3", "4", "5", "6", "X")
OWN: Final = "own"
"""The faction of card types and Generals that a position defines itself."""
DICE: Final = {"Me": Die.MELEE, "Ra": Die.RANGE, "Ma": Die.MAGIC, "Br": Die.BREAKER, "Ar": Die.ARTILLERY}
PLAIN: Final = UnitType("", "", Rank.BASIC, (), (Die.MELEE,), Shields(4, 4, 4, 4))
FLAGS: Final = {"struck": "struck_from_air"} | {
    name: name for name in ("general", "capture", "chaotic", "enraged", "paid", "rolled", "hurt")
}
ORDER_FLAGS: Final = ("up", "seen", "charge", "virtual", "dealt")


def own_cards(base: CardSet, types: object, generals: object) -> CardSet:
    """The card set with the types and Generals of a position added, as a faction of their own. Raises `ValueError`."""
    index = index_of(base)
    keys = ("like", "dice", "shields", "max_lp", "abilities", "rank")
    units = tuple(
        _own_type(f"types.{name}", name, check_keys(f"types.{name}", given, keys), index)
        for name, given in check_keys("types", types, types if isinstance(types, dict) else ()).items()
    )
    commanders = tuple(
        convert(
            f"generals.{name}",
            flatten(
                {"general_id": name, "name": name, **EMPTY_GENERAL, **check_keys(f"generals.{name}", given, PARTS)}
            ),
            GeneralCard,
        )
        for name, given in check_keys("generals", generals, generals if isinstance(generals, dict) else ()).items()
    )
    taken = {general.general_id for _, general in index.generals()} & {general.general_id for general in commanders}
    if taken:
        raise ValueError(f"generals.{min(taken)}: the card set has a General of that name")
    return replace(base, factions=(*base.factions, Faction(OWN, "Own", "none", units, commanders)))


PARTS: Final = ("heroism", "leadership", "strategy")
EMPTY_GENERAL: Final[Fields] = {"heroism": {}, "leadership": {}, "strategy": {"icon": "star"}}


def _own_type(place: str, name: str, given: Fields, index: CardIndex) -> UnitType:
    base = index.types[read_card(f"{place}.like", given["like"], index)] if "like" in given else PLAIN
    made = replace(base, type_id=name, name=name, ids=())
    if "dice" in given:
        made = replace(
            made, dice=tuple(_die(f"{place}.dice", word) for word in words_of(f"{place}.dice", given["dice"]))
        )
    if "shields" in given:
        made = replace(made, shields=_shields(f"{place}.shields", given["shields"], made.shields))
    if "abilities" in given:
        abilities = words_of(f"{place}.abilities", given["abilities"])
        made = replace(made, abilities=tuple(Ability(one_of(f"{place}.abilities", a, Ability)) for a in abilities))
    if "rank" in given:
        made = replace(made, rank=Rank(one_of(f"{place}.rank", given["rank"], Rank)))
    if "max_lp" in given:
        made = replace(made, max_lp=convert(f"{place}.max_lp", given["max_lp"], int))
    return made


def _die(place: str, word: str) -> Die:
    return DICE[word] if word in DICE else Die(one_of(place, word, (*Die, *DICE)))


def _shields(place: str, given: object, base: Shields) -> Shields:
    """`melee:4 range:3 orange:X`, or `Me4 Ra3 OrX`; values not named are as on the base."""
    kinds = {"Me": "melee", "Ra": "range", "Ma": "magic", "Or": "orange"}
    changed: dict[str, int] = {}
    for word in words_of(place, given):
        name, colon, value = word.partition(":")
        kind, value = (name, value) if colon else (kinds.get(word[:2], word[:2]), word[2:])
        one_of(place, kind, kinds.values())
        if value not in SHIELDS:
            raise ValueError(f"{place}: {word!r}: a shield is 1 to 6 or X")
        changed[kind] = SHIELDS.index(value) + 1
    return replace(base, **changed)


def read_card(place: str, word: object, index: CardIndex) -> CardKey:
    """A kind of Unit card by `faction/type`, or by its type alone where only one faction has it."""
    if isinstance(word, str) and word in index.types:
        return CardKey(word)
    found = [key for key in index.types if key.partition("/")[2] == word]
    if len(found) != 1:
        one_of(place, word, [key.partition("/")[2] for key in index.types])
        raise ValueError(f"{place}: {word!r} is of several factions: {', '.join(found)}")
    return found[0]


def write_card(card: CardKey, index: CardIndex) -> str:
    """The shortest name that `read_card` reads."""
    word = card.partition("/")[2]
    return word if sum(key.partition("/")[2] == word for key in index.types) == 1 else card


def read_cards(place: str, given: object, index: CardIndex) -> tuple[CardKey, ...]:
    """A list of Unit cards, such as `["3 sentinels", "golem"]`."""
    return read_list(place, given, lambda word: read_card(place, word, index))


def order_named(place: str, word: str) -> OrderType:
    """A kind of order by its word."""
    return OrderType(one_of(place, word, OrderType))


def read_order(place: str, words: list[str]) -> Held | None:
    """Takes an order and its flags out of the words: `attack`, `defense up`, `attack seen charge virtual`."""
    kinds = [word for word in words if word in set(OrderType)]
    flags = [word for word in words if word in ORDER_FLAGS]
    if not kinds:
        if flags:
            raise ValueError(f"{place}: {flags[0]!r} belongs to an order, and there is none")
        return None
    if len(kinds) > 1:
        raise ValueError(f"{place}: a Unit has one order at most, not {' and '.join(kinds)}")
    for word in (*kinds, *flags):
        words.remove(word)
    seen = bool({"seen", "up", "charge"} & set(flags))
    return Held(OrderType(kinds[0]), "up" in flags, seen, "charge" in flags, "virtual" in flags, "dealt" in flags)


def write_order(held: Held | None) -> str | None:
    """An order in the same notation; None if there is none."""
    if held is None:
        return None
    words = [UNKNOWN if isinstance(held.type, Hidden) else held.type.value]
    words += [flag for flag in ORDER_FLAGS if getattr(held, flag) and not (flag == "seen" and (held.up or held.charge))]
    return " ".join(words)


def write_unit(unit: Unit, index: CardIndex) -> str:
    """A Unit in the notation that `positions` reads."""
    card = known(unit.card)
    words = [f"{unit.id}:", write_card(card, index), str(known(unit.life))]
    words += [] if unit.open else ["closed"]
    words += [word for word, name in FLAGS.items() if getattr(unit, name)]
    words += [] if unit.original is None else [f"was:{write_card(unit.original, index)}"]
    words += [f"morale:{unit.morale}"] if unit.morale else []
    words += [f"shows:{ability.value}" for ability in unit.shown]
    order = write_order(unit.order)
    return " ".join(words if order is None else [*words, order])
