"""Checks of the hooks of Generals: parameters, places and moments of ledger 6.4, and their effects on an army (C20)."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from domain.commons.field_reader import Json, Sheet
from domain.vera_discordia.cards.cards import Ability, Moment, Rank

Cards = Mapping[str, Mapping[str, Json]]
"""The Unit types of the General's faction, by type_id."""

Param = Callable[[Sheet, Mapping[str, Json], str, str, Cards], object]
Wrong = Callable[[str, str, str], None]
"""Notes a defect: the field, the value found, the values allowed."""

ARMY: Final = 8
DEALT: Final = {Rank.BASIC: 5, Rank.ELITE: 2, Rank.LEGENDARY: 1}
TRAINABLE: Final = tuple(
    ability.value
    for ability in Ability
    if ability not in {Ability.GUARDS, Ability.FLYING, Ability.METAMORPHOSIS, Ability.STEALTH, Ability.VISION}
)


class HookRule(Struct, frozen=True):
    """Where a hook may stand (L, S, D), at which diamond moments, and its parameters."""

    places: str
    params: dict[str, Param]
    moments: tuple[Moment, ...] = ()


def _integer(low: int, high: int) -> Param:
    return lambda sheet, params, key, field, _: sheet.integer(params, key, low, high, field)


def _word(*words: str) -> Param:
    return lambda sheet, params, key, field, _: sheet.word(params, key, words, field)


def _some(words: Callable[[Cards], list[str]]) -> Param:
    def check(sheet: Sheet, params: Mapping[str, Json], key: str, field: str, cards: Cards) -> None:
        found = sheet.words(params, key, words(cards), field)
        if key in params and isinstance(params[key], list):
            if not params[key]:
                sheet.wrong(field, "an empty list", "at least one")
            if len(set(found)) < len(found):
                sheet.wrong(field, "a name twice", "each once")

    return check


def _type_id(sheet: Sheet, params: Mapping[str, Json], key: str, field: str, cards: Cards) -> None:
    sheet.word(params, key, cards, field)


HOOKS: Final[dict[str, HookRule]] = {
    "recruit": HookRule("L", {"basic": _integer(0, 9), "elite": _integer(0, 6), "legendary": _integer(0, 2)}),
    "muster": HookRule("L", {"type_id": _type_id, "min": _integer(0, 3), "max": _integer(0, 3)}),
    "general_ranks": HookRule("L", {"ranks": _some(lambda _: [rank.value for rank in Rank])}),
    "scouts": HookRule("L", {"vision": _integer(0, 4), "stealth": _integer(0, 4)}),
    "redeploy": HookRule("L", {"swaps": _integer(1, 4)}),
    "initiative": HookRule("L", {"bonus": _integer(1, 3)}),
    "reserves": HookRule("L", {"cards": _integer(1, 3)}),
    "train": HookRule("L", {"types": _some(list), "ability": _word(*TRAINABLE)}),
    "morale": HookRule(
        "LSD", {"bonus": _integer(1, 2), "scope": _word("general", "army")}, (Moment.ROUND_BEGIN, Moment.TURN)
    ),
    "strike": HookRule("S", {"dice": _integer(0, 3), "ability": _word("none", "discord", "mastery")}),
    "mend": HookRule(
        "SD",
        {"lp": _integer(1, 3), "units": _integer(1, 8), "reach": _word("self", "adjacent", "army")},
        (Moment.ROUND_BEGIN, Moment.TURN, Moment.CLEAN_UP),
    ),
    "draw": HookRule("SD", {"cards": _integer(1, 3)}, (Moment.DRAW,)),
    "spy": HookRule("SD", {"orders": _integer(1, 4)}, (Moment.KEPT, Moment.TURN)),
    "reissue": HookRule("SD", {"orders": _integer(1, 3)}, (Moment.TURN,)),
    "sabotage": HookRule("SD", {"orders": _integer(1, 4)}, (Moment.KEPT, Moment.TURN)),
    "shift": HookRule("SD", {"moves": _integer(1, 3)}, (Moment.KEPT, Moment.TURN)),
}
PLACES: Final = {"L": "Leadership", "S": "a star Strategy", "D": "a diamond Strategy"}


def check_hook(
    wrong: Wrong, name: str, params: Mapping[str, Json], at: str, place: str, moment: str | None, cards: Cards
) -> None:
    """Check the place and moment (C17, C19) of a hook with sound parameters, and the combination of its parameters."""
    rule = HOOKS[name]
    if place and place not in rule.places:
        wrong(f"{at}.hook", f"{name} in {PLACES[place]}", " or ".join(PLACES[p] for p in rule.places))
    elif place == "D" and moment is not None and moment not in rule.moments:
        wrong(f"{at}.hook", f"{name} at the moment {moment}", ", ".join(rule.moments))
    match name:
        case "recruit" if params["basic"] + params["elite"] + params["legendary"] != ARMY:
            wrong(f"{at}.params", f"{sum(params.values())} Units", f"a sum of {ARMY}")
        case "muster":
            copies = len(_ids(cards[params["type_id"]]))
            if not params["min"] <= params["max"] <= copies:
                found = f"min {params['min']}, max {params['max']}"
                wrong(f"{at}.params", found, f"min <= max <= {copies}, the cards of {params['type_id']}")
        case "mend" if place == "D" and params["reach"] != "army":
            wrong(f"{at}.params.reach", f"{params['reach']} in a diamond Strategy", "army")


def _ids(unit: Mapping[str, Json]) -> list[Json]:
    ids = unit.get("ids")
    return ids if isinstance(ids, list) else []


def check_army(wrong: Wrong, hooks: list[dict[str, Json]], cards: Cards) -> None:
    """C20: every pile holds enough for the deal, and every possible army can take the General; VD-Q72."""
    for name in ("recruit", "general_ranks"):
        if sum(hook["hook"] == name for hook in hooks) > 1:
            wrong("leadership.hooks", f"{name} twice", "once (VD-Q72)")
    numbers = dict(DEALT)
    ranks = [Rank.ELITE.value]
    musters: dict[str, dict[str, Json]] = {}
    for hook in hooks:
        match hook["hook"]:
            case "recruit":
                numbers = {rank: hook[rank.value] for rank in Rank}
            case "general_ranks":
                ranks = hook["ranks"]
            case "muster":
                if hook["type_id"] in musters:
                    wrong("leadership.hooks", f"muster of {hook['type_id']} twice", "once (VD-Q72)")
                musters[hook["type_id"]] = hook
    for rank, number in numbers.items():
        _check_pile(wrong, rank, number, musters, cards)
    if not any(numbers[rank] for rank in Rank if rank.value in ranks):
        wrong("leadership.hooks", "an army may lack a Unit for the General", f"at least one {' or '.join(ranks)} Unit")


def _check_pile(wrong: Wrong, rank: Rank, number: int, musters: Mapping[str, dict[str, Json]], cards: Cards) -> None:
    mustered = pile = 0
    for type_id, unit in cards.items():
        if unit.get("rank") != rank.value:
            continue
        hook = musters.get(type_id)
        mustered += hook["min"] if hook else 0
        pile += hook["max"] - hook["min"] if hook else len(_ids(unit))
    if mustered > number:
        wrong("leadership.hooks", f"{mustered} {rank.value} Units mustered", f"at most the {number} recruited")
    elif pile < number - mustered:
        wrong("leadership.hooks", f"{pile} {rank.value} cards for {number - mustered} to deal", "enough cards")
