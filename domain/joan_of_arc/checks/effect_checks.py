"""Checks that effects stand where they can be carried out (ledger 6.13): each kind of card has its own context."""

from collections.abc import Iterable, Iterator
from typing import Final, Literal

from domain.commons.errors import Defect
from domain.joan_of_arc.cards import hooks
from domain.joan_of_arc.cards.dice import FACES
from domain.joan_of_arc.cards.hooks import GRADED, DieTest, Effect, GrantSkill, Heal, Operation, Wound

Context = Literal["council", "turn", "camp", "attack", "intrigue", "worn", "used", "answer", "last_answer"]
"""`turn`, `camp` and `attack`: legend cards by their moment; `worn` and `used`: equipment; `last_answer`: level 2."""

AWAY_FROM_ATTACKS: Final = frozenset[Context]({"council", "turn", "camp", "intrigue", "used", "answer", "last_answer"})
DICE: Final = frozenset[Context]({"attack"})
EVERYWHERE: Final = AWAY_FROM_ATTACKS | DICE

CONTEXTS: Final[dict[type[Effect], frozenset[Context]]] = {
    hooks.Gain: EVERYWHERE,
    hooks.Lose: EVERYWHERE,
    hooks.GainOrder: EVERYWHERE,
    hooks.GainReroll: EVERYWHERE,
    hooks.DrawLegend: EVERYWHERE,
    hooks.TakeEquipment: AWAY_FROM_ATTACKS,
    hooks.MoveRallyPoint: AWAY_FROM_ATTACKS,
    hooks.AddDie: frozenset({"attack", "worn"}),
    hooks.Reroll: DICE,
    hooks.ForceReroll: DICE,
    hooks.RemoveResult: DICE,
    hooks.MoveUnits: AWAY_FROM_ATTACKS,
    hooks.JumpUnit: AWAY_FROM_ATTACKS,
    hooks.Heal: AWAY_FROM_ATTACKS,
    hooks.Wound: AWAY_FROM_ATTACKS,
    hooks.PlaceToken: AWAY_FROM_ATTACKS,
    hooks.InfirmaryToWaiting: AWAY_FROM_ATTACKS,
    hooks.TakeBackFromInfirmary: AWAY_FROM_ATTACKS,
    hooks.ActivateArea: frozenset({"turn", "intrigue", "used"}),
    hooks.GrantSkill: frozenset({"attack", "worn"}),
    hooks.ContinueLevel2: frozenset({"answer"}),
    hooks.DieTest: AWAY_FROM_ATTACKS,
}
"""The contexts in which each operation can be carried out."""
SELECTED: Final[dict[str, frozenset[Context]]] = {
    "speaker": frozenset({"answer", "last_answer"}),
    "wearer": frozenset({"used"}),
    "character": AWAY_FROM_ATTACKS,
}
"""The contexts in which an effect can refer to such a unit: a speaker, a wearer, or a character."""
RULE: Final = "ledger 6.13"


def effect_defects(
    effects: Iterable[Operation], context: Context, file: str, card: str, field: str
) -> Iterator[Defect]:
    """Every effect that has no meaning in its place, or contradicts itself."""
    for number, effect in enumerate(effects):
        at, op = f"{field}[{number}]", str(effect.__struct_config__.tag)
        if context not in CONTEXTS[type(effect)]:
            told = ", ".join(sorted(_possible(context)))
            yield Defect(file, card, at, op, told, RULE)
        elif isinstance(effect, Heal | Wound) and context not in SELECTED[effect.select]:
            yield Defect(file, card, f"{at}.select", effect.select, ", ".join(_selectable(context)), RULE)
        elif isinstance(effect, GrantSkill):
            yield from _grant(effect, context, file, card, at)
        elif isinstance(effect, DieTest):
            yield from _test(effect, context, file, card, at)


def _possible(context: Context) -> Iterator[str]:
    return (str(kind.__struct_config__.tag) for kind, contexts in CONTEXTS.items() if context in contexts)


def _selectable(context: Context) -> Iterator[str]:
    return (word for word, contexts in SELECTED.items() if context in contexts)


def _grant(effect: GrantSkill, context: Context, file: str, card: str, at: str) -> Iterator[Defect]:
    if (effect.x is not None) != (effect.skill in GRADED):
        allowed = "an X" if effect.skill in GRADED else f"no X; {', '.join(sorted(GRADED))} have one"
        yield Defect(file, card, f"{at}.x", repr(effect.x), allowed, RULE)
    worn = context == "worn"
    for name, value in (("until", effect.until), ("select", effect.select)):
        if (value is None) != worn:
            allowed = "nothing: the wearer, for as long as it is worn" if worn else "a value"
            yield Defect(file, card, f"{at}.{name}", repr(value), allowed, RULE)


def _test(effect: DieTest, context: Context, file: str, card: str, at: str) -> Iterator[Defect]:
    faces = set(FACES[effect.die])
    if set(effect.on) != faces:
        found = ", ".join(sorted(effect.on)) or "no face"
        yield Defect(file, card, f"{at}.on", found, f"every face of the die: {', '.join(sorted(faces))}", RULE)
    for shown, effects in effect.on.items():
        yield from effect_defects(effects, context, file, card, f"{at}.on.{shown}")
