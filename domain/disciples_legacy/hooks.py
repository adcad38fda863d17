"""The closed vocabulary of card texts (ledger 6.2): `WINDOW: op(arguments)@selector`.

An effect says what happens, a window when, a selector to whom. `read_ability` reads an expression as a card file holds
it; which window, effect and selector go together is said in `hook_checks.py`, and what they do in `rules/`.
"""

import re
from enum import StrEnum
from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import Meta, Struct


class Style(StrEnum):
    """DL-F15: whom an attack may reach: DL-196 adj, DL-197 any, DL-198 all."""

    ADJ = "adj"
    ANY = "any"
    ALL = "all"


class Window(StrEnum):
    """When an ability works."""

    SPEND = "S"
    TAP = "T"
    PASSIVE = "P"
    BATTLE = "B"
    HIT = "H"
    CAST = "C"
    RULE = "R"


class Selector(StrEnum):
    """Whom an ability concerns. None includes a Minor Leader, except `self` of its own card and `holder` (DL-048)."""

    SELF = "self"
    HOLDER = "holder"
    ALLY = "ally"
    OTHER_ALLY = "other_ally"
    ALLIES = "allies"
    DEAD_ALLY = "dead_ally"
    ENEMY = "enemy"
    ADJ_ENEMY = "adj_enemy"
    ENEMIES = "enemies"
    HIT = "hit"
    OWN_MEMBER = "own_member"
    OWN_DEAD = "own_dead"
    OWN_PARTY = "own_party"
    OWN_MAJOR = "own_major"
    ENEMY_MEMBER = "enemy_member"
    ENEMY_UNIT = "enemy_unit"
    ENEMY_PARTY = "enemy_party"
    ENEMY_MAJOR = "enemy_major"
    ENEMY_ITEM = "enemy_item"
    ENEMY_CITY = "enemy_city"
    ENEMY_MANA = "enemy_mana"
    ENEMY_HAND = "enemy_hand"
    NONE = "none"


class Duration(StrEnum):
    """How long an effect lasts: to Step 6, the Battle's end, End of Turn, or while its source is in play and active."""

    ROUND = "round"
    BATTLE = "battle"
    TURN = "turn"
    HELD = "held"


class Modifier(StrEnum):
    """The names of rule modifiers. Several copies of one do not add up."""

    HEAL3_BONUS_C = "heal3_bonus_c"
    HEAL3_AMOUNT = "heal3_amount"
    SHOP_BONUS_C = "shop_bonus_c"
    RECRUIT_DISCOUNT = "recruit_discount"
    FREE_REVIVES = "free_revives"
    GARRISON = "garrison"
    MANA_W = "mana_W"
    MANA_U = "mana_U"
    MANA_R = "mana_R"
    MANA_B = "mana_B"


Amount = Annotated[int, Meta(ge=0, le=20)]
Change = Annotated[int, Meta(ge=-9, le=9)]


class Effect(Struct, frozen=True, tag_field="op", forbid_unknown_fields=True):
    """One operation; the base of the closed vocabulary. Its fields are the arguments, in their order."""


class Damage(Effect, frozen=True, tag="damage"):
    """So much damage to each target; not an attack."""

    amount: Amount


class Heal(Effect, frozen=True, tag="heal"):
    """Up to so much damage off each living target."""

    amount: Amount


class Revive(Effect, frozen=True, tag="revive"):
    """A dead target lives again with at most so many HP (DL-209)."""

    hp: Amount


class Untap(Effect, frozen=True, tag="untap"):
    """A tapped living target becomes untapped."""


class Tap(Effect, frozen=True, tag="tap"):
    """An untapped living target becomes tapped."""


class Spend(Effect, frozen=True, tag="spend"):
    """A spent token is put on an unspent living target."""


class Unspend(Effect, frozen=True, tag="unspend"):
    """The spent token is taken off a spent living target."""


class AttackChange(Effect, frozen=True, tag="atk"):
    """So much more Attack; it is never below 0. Changes add up."""

    change: Change
    lasts: Duration


class MaxHpChange(Effect, frozen=True, tag="maxhp"):
    """So much more Max HP; it is never below 1 and the damage stays (DL-204). Changes add up."""

    change: Change
    lasts: Duration


class StyleChange(Effect, frozen=True, tag="style"):
    """Another attack style; the latest one applied wins."""

    style: Style
    lasts: Duration


class Ward(Effect, frozen=True, tag="ward"):
    """A pool that absorbs damage point by point; of an old and a new pool the larger stays."""

    amount: Amount
    lasts: Duration


class Poison(Effect, frozen=True, tag="poison"):
    """So much damage at the start of Step 6, so many times; it ends with the Battle or with death."""

    amount: Amount
    rounds: Amount


class Drain(Effect, frozen=True, tag="drain"):
    """The attacker heals so much, once per attack."""

    amount: Amount


class StealItem(Effect, frozen=True, tag="steal_item"):
    """An Item goes to a living Major Leader of the user's choice."""


class StealMana(Effect, frozen=True, tag="steal_mana"):
    """The user takes control of a Mana card."""


class TapCity(Effect, frozen=True, tag="tap_city"):
    """An untapped City becomes tapped and gives nobody (C)."""


class Peek(Effect, frozen=True, tag="peek"):
    """The user alone sees so many random cards of the opponent's hand (DL-232)."""

    cards: Amount


class Summon(Effect, frozen=True, tag="summon"):
    """The named Minor Leader enters play (DL-078 to DL-080)."""

    card: str


class Action(Effect, frozen=True, tag="action"):
    """The ability is this action of Major Leaders."""

    action: Literal["attack_party", "block"]


class Plant(Effect, frozen=True, tag="plant"):
    """DL-068: a Mana card comes into play."""


class Cast(Effect, frozen=True, tag="cast"):
    """DL-074: a Spell is cast."""


class Modify(Effect, frozen=True, tag="mod"):
    """A rule is another one for the controller of the card."""

    modifier: Modifier
    amount: Amount


AnyEffect = (
    Damage
    | Heal
    | Revive
    | Untap
    | Tap
    | Spend
    | Unspend
    | AttackChange
    | MaxHpChange
    | StyleChange
    | Ward
    | Poison
    | Drain
    | StealItem
    | StealMana
    | TapCity
    | Peek
    | Summon
    | Action
    | Plant
    | Cast
    | Modify
)
EFFECTS: Final[dict[str, type[Effect]]] = {str(kind.__struct_config__.tag): kind for kind in get_args(AnyEffect)}
"""The operations by their names in card files."""

EXPRESSION: Final = re.compile(r"(?P<window>\w+): *(?P<op>\w+)\((?P<arguments>[^()]*)\)@(?P<selector>\w+)")


class Ability(Struct, frozen=True, forbid_unknown_fields=True):
    """One expression of a card's text."""

    window: Window
    effect: AnyEffect
    selector: Selector

    def __str__(self) -> str:
        """The expression as a card file holds it."""
        arguments = ",".join(str(value) for value in msgspec.structs.astuple(self.effect))
        return f"{self.window}: {self.effect.__struct_config__.tag}({arguments})@{self.selector}"


def read_ability(text: str) -> Ability:
    """The ability that an expression says. Raises `ValueError` with what is wrong and what is allowed."""
    found = EXPRESSION.fullmatch(text.strip())
    if found is None:
        raise ValueError("it is not of the form WINDOW: op(arguments)@selector")
    for name, words in (("window", Window), ("selector", Selector)):
        if found[name] not in set(words):
            raise ValueError(f"there is no {name} {found[name]!r}; there are {', '.join(words)}")
    if found["op"] not in EFFECTS:
        raise ValueError(f"there is no op {found['op']!r}; there are {', '.join(EFFECTS)}")
    effect = _read_effect(EFFECTS[found["op"]], [part.strip() for part in found["arguments"].split(",")])
    return Ability(Window(found["window"]), effect, Selector(found["selector"]))


def _read_effect(kind: type[Effect], arguments: list[str]) -> Any:
    """An effect with its arguments, each converted to its field's type."""
    fields = msgspec.structs.fields(kind)
    given = [] if arguments == [""] else arguments
    op = kind.__struct_config__.tag
    if len(given) != len(fields):
        raise ValueError(f"{op} has {len(given)} arguments; it takes ({', '.join(field.name for field in fields)})")
    values = {}
    for field, argument in zip(fields, given, strict=True):
        try:
            values[field.name] = msgspec.convert(argument, field.type, strict=False)
        except msgspec.ValidationError as wrong:
            raise ValueError(f"{field.name} of {op} is {argument!r}: {wrong}") from wrong
    return kind(**values)
