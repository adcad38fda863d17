"""The closed vocabulary of card texts (ledger 6.2): `WINDOW: op(arguments)@selector`.

An operation names the effect, a window its moment, a selector the members concerned. `parse` reads an expression from a
card file. `hook_checks.py` states which window, operation and selector go together. `rules/` carries out the
operations.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import Meta, Struct

Race = Literal["empire", "clans", "legions", "hordes"]
"""DL-F02."""
Colour = Literal["W", "U", "R", "B"]
"""DL-F03: white, blue, red, black mana, by their symbols."""
Style = Literal["adj", "any", "all"]
"""DL-F15: the targets that an attack may reach: DL-196, DL-197, DL-198."""
Window = Literal["S", "T", "P", "B", "H", "C", "R"]
"""When an ability works: spend, tap, passive, Battle begins, on hit, cast, rule."""
Duration = Literal["round", "battle", "turn", "held"]
"""How long an effect lasts: to Step 6, the Battle's end, End of Turn, or while its source is in play and active."""
Selector = Literal[
    "self",
    "holder",
    "ally",
    "other_ally",
    "allies",
    "dead_ally",
    "enemy",
    "adj_enemy",
    "enemies",
    "hit",
    "own_member",
    "own_dead",
    "own_party",
    "own_major",
    "enemy_member",
    "enemy_unit",
    "enemy_party",
    "enemy_major",
    "enemy_item",
    "enemy_city",
    "enemy_mana",
    "enemy_hand",
    "none",
]
"""The members an ability concerns; no Minor Leader, except for `self` of its own card and `holder` (DL-048)."""
ModName = Literal[
    "heal3_bonus_c",
    "heal3_amount",
    "shop_bonus_c",
    "recruit_discount",
    "free_revives",
    "garrison",
    "mana_W",
    "mana_U",
    "mana_R",
    "mana_B",
]
"""The names of rule modifiers. Several copies of one do not add up."""
WINDOWS: Final[tuple[Window, ...]] = get_args(Window)
SELECTORS: Final[tuple[Selector, ...]] = get_args(Selector)

Amount = Annotated[int, Meta(ge=0, le=20)]
Change = Annotated[int, Meta(ge=-9, le=9)]


class Operation(Struct, frozen=True, tag_field="op", forbid_unknown_fields=True):
    """One operation; the base class of the closed vocabulary. Its fields are the arguments, in their order."""


class Damage(Operation, frozen=True, tag="damage"):
    """Deals this much damage to each target; this is not an attack."""

    n: Amount


class HealOperation(Operation, frozen=True, tag="heal"):
    """Removes up to this much damage from each living target."""

    n: Amount


class ReviveOperation(Operation, frozen=True, tag="revive"):
    """A dead target lives again with at most this many HP (DL-209)."""

    hp: Amount


class Untap(Operation, frozen=True, tag="untap"):
    """A tapped living target becomes untapped."""


class Tap(Operation, frozen=True, tag="tap"):
    """An untapped living target becomes tapped."""


class Spend(Operation, frozen=True, tag="spend"):
    """A spent token is put on an unspent living target."""


class Unspend(Operation, frozen=True, tag="unspend"):
    """The spent token is taken off a spent living target."""


class Atk(Operation, frozen=True, tag="atk"):
    """Adds this much Attack; Attack is never below 0. Changes add up."""

    n: Change
    duration: Duration


class MaxHp(Operation, frozen=True, tag="maxhp"):
    """Adds this much Max HP; Max HP is never below 1 and the damage stays (DL-204). Changes add up."""

    n: Change
    duration: Duration


class SetStyle(Operation, frozen=True, tag="style"):
    """Another attack style; the latest one applied wins."""

    style: Style
    duration: Duration


class WardOperation(Operation, frozen=True, tag="ward"):
    """A pool that absorbs damage point by point; of an old and a new pool only the larger stays."""

    n: Amount
    duration: Duration


class PoisonOperation(Operation, frozen=True, tag="poison"):
    """Deals this much damage at the start of Step 6, this many times; it ends with the Battle or with death."""

    n: Amount
    rounds: Amount


class Drain(Operation, frozen=True, tag="drain"):
    """The attacker heals this much, once per attack."""

    n: Amount


class StealItem(Operation, frozen=True, tag="steal_item"):
    """An Item goes to a living Major Leader of the user's choice."""


class StealMana(Operation, frozen=True, tag="steal_mana"):
    """The user takes control of a Mana card."""


class TapCityOperation(Operation, frozen=True, tag="tap_city"):
    """An untapped City becomes tapped and gives no (C)."""


class Peek(Operation, frozen=True, tag="peek"):
    """Only the user sees this many random cards of the opponent's hand (DL-232)."""

    n: Amount


class Summon(Operation, frozen=True, tag="summon"):
    """The named Minor Leader enters play (DL-078 to DL-080)."""

    card: str


class Action(Operation, frozen=True, tag="action"):
    """The ability is this action of Major Leaders."""

    action: Literal["attack_party", "block"]


class PlantOperation(Operation, frozen=True, tag="plant"):
    """DL-068: a Mana card comes into play."""


class CastOperation(Operation, frozen=True, tag="cast"):
    """DL-074: a Spell is cast."""


class Mod(Operation, frozen=True, tag="mod"):
    """Changes a rule for the controller of the card."""

    name: ModName
    n: Amount


Op = (
    Damage
    | HealOperation
    | ReviveOperation
    | Untap
    | Tap
    | Spend
    | Unspend
    | Atk
    | MaxHp
    | SetStyle
    | WardOperation
    | PoisonOperation
    | Drain
    | StealItem
    | StealMana
    | TapCityOperation
    | Peek
    | Summon
    | Action
    | PlantOperation
    | CastOperation
    | Mod
)
OPS: Final[dict[str, type[Operation]]] = {str(kind.__struct_config__.tag): kind for kind in get_args(Op)}
"""The operations by their names in card files."""

EXPRESSION: Final = re.compile(r"(?P<window>\w+): *(?P<op>\w+)\((?P<arguments>[^()]*)\)@(?P<selector>\w+)")


class Ability(Struct, frozen=True):
    """One expression of a card's text; `text` is its canonical form."""

    window: Window
    op: Op
    selector: Selector
    text: str


@lru_cache(maxsize=1024)
def parse(text: str) -> Ability:
    """The ability that an expression describes. Raises `ValueError` with the fault and the values allowed."""
    found = EXPRESSION.fullmatch(text.strip())
    if found is None:
        raise ValueError("it is not of the form WINDOW: op(arguments)@selector")
    _assert_known("window", found["window"], WINDOWS)
    _assert_known("selector", found["selector"], SELECTORS)
    _assert_known("op", found["op"], OPS)
    op = _read_op(OPS[found["op"]], [part.strip() for part in found["arguments"].split(",")])
    return _spell(found["window"], op, found["selector"])  # type: ignore[arg-type]


def _assert_known(what: str, word: str, words: Iterable[str]) -> None:
    if word not in words:
        raise ValueError(f"there is no {what} {word!r}; there are {', '.join(words)}")


def _spell(window: Window, op: Op, selector: Selector) -> Ability:
    arguments = ",".join(str(value) for value in msgspec.structs.astuple(op))
    return Ability(window, op, selector, f"{window}: {op.__struct_config__.tag}({arguments})@{selector}")


def _read_op(kind: type[Operation], arguments: list[str]) -> Any:
    """An operation with its arguments, each converted to its field's type."""
    fields = msgspec.structs.fields(kind)
    given = [] if arguments == [""] else arguments
    name = kind.__struct_config__.tag
    if len(given) != len(fields):
        raise ValueError(f"{name} has {len(given)} arguments; it takes ({', '.join(field.name for field in fields)})")
    values = {}
    for field, argument in zip(fields, given, strict=True):
        try:
            values[field.name] = msgspec.convert(argument, field.type, strict=False)
        except msgspec.ValidationError as wrong:
            raise ValueError(f"{field.name} of {name} is {argument!r}: {wrong}") from wrong
    return kind(**values)
