"""Matches with card sets of random texts: whatever 6.2 allows can be played, and nothing ever breaks an invariant."""

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.disciples_legacy import GAME
from domain.disciples_legacy.cards.cards import SHIPPED, AnyCard, CardSet, Item
from domain.disciples_legacy.cards.hooks import OPS, Operation, parse
from domain.disciples_legacy.checks.card_checks import defects_of
from domain.disciples_legacy.checks.hook_checks import CARD_WINDOWS, ONLY_AT, WINDOWS, ability_defects
from domain.disciples_legacy.checks.invariants import invariants
from domain.disciples_legacy.positions.positions import POSITIONS
from domain.kernel import Play, Seat, decide
from server.conformance.walks import Seeded

WORDS: dict[str, tuple[str, ...]] = {
    "style": ("adj", "any", "all"),
    "action": ("attack_party", "block"),
    "name": ("heal3_bonus_c", "heal3_amount", "shop_bonus_c", "recruit_discount", "free_revives", "garrison", "mana_R"),
}
KINDS = ("capitals", "cities", "major_leaders", "minor_leaders", "units", "items", "spells")
RARELY = {"Pass", "Finish", "FinishRound", "Retreat", "Trade"}


def argument(rng: Random, op: str, field: str, durations: tuple[str, ...]) -> str:
    if field == "duration":
        return rng.choice(durations)
    if field in WORDS:
        return rng.choice(WORDS[field])
    return str(rng.randint(-2, 3) if op in {"atk", "maxhp"} else rng.randint(0, 4))


def text(rng: Random, card: AnyCard) -> str:
    """A text that the card may have; no Summon."""
    window = rng.choice(CARD_WINDOWS[type(card)])
    allowed = WINDOWS[window]
    op = rng.choice(sorted(allowed.ops - {"summon"}))
    kind: type[Operation] = OPS[op]
    arguments = [argument(rng, op, field.name, allowed.durations) for field in msgspec.structs.fields(kind)]
    selector = rng.choice(sorted(allowed.selectors & ONLY_AT.get(op, allowed.selectors)))
    made = f"{window}: {op}({','.join(arguments)})@{selector}"
    return text(rng, card) if list(ability_defects(card, parse(made))) else made


def with_texts(rng: Random, card: Any) -> Any:
    """The card with other texts, as many as it has; Rod Planters and Summons keep theirs."""
    if "rod_planter" in card.id or "summon" in card.id:
        return card
    made = replace(card, abilities=tuple(text(rng, card) for _ in card.abilities or range(rng.randint(0, 1))))
    if isinstance(made, Item):
        return replace(made, consumable=made.consumable and made.abilities[0].startswith("T"))
    return made


def own_set(rng: Random) -> CardSet:
    return replace(SHIPPED, **{kind: tuple(with_texts(rng, card) for card in getattr(SHIPPED, kind)) for kind in KINDS})


@pytest.mark.parametrize("seed", range(8))
def test_a_match_with_random_texts_keeps_every_invariant(seed: int) -> None:
    rng = Random(seed)
    cards = own_set(rng)
    assert defects_of(cards) == []
    chance = Seeded(rng.getrandbits(32))
    state, match = POSITIONS.read({"start": "Match"}, {"cards": msgspec.to_builtins(cards), "turn_limit": 5})
    resolver = Play(GAME, state, chance)
    resolver.resume(match, "")
    state = resolver.state
    while state.result is None:
        asked = rng.choice(state.asked)
        choice = GAME.revive_decision(asked).form(state).sample(rng.randrange)
        if type(choice).__name__ in RARELY and rng.random() < 0.7:
            continue
        state = decide(GAME, state, Seat(asked.seat), asked.number, choice, chance).state
        assert list(invariants(state)) == []
