"""Rerolls by several sources and on every kind of roll (JA-Q77), and the order of effects and cards (JA-Q82)."""

from typing import Any

from domain.joan_of_arc import GAME
from domain.joan_of_arc.cards.dice import Face
from domain.joan_of_arc.cards.hooks import DieTest, Gain
from domain.joan_of_arc.rules.attacks.improving import RollAgain
from domain.joan_of_arc.rules.effects.running import Effects
from domain.joan_of_arc.state.attack_events import DiceRerolled
from domain.joan_of_arc.state.events import LegendPlayed, LegendResolved, ResourceGained
from domain.joan_of_arc.state.state import UnitId
from domain.kernel import DiceRolled, Play, Seat, decide
from tests.domain.joan_of_arc.fixtures import L1, L2
from tests.domain.joan_of_arc.table import Table, choice_of, given, rolled
from tests.domain.script import Script


def fight(dice: str, ours: list[str], theirs: list[str], mine: dict[str, Any], other: dict[str, Any]) -> Table:
    """The first player attacks L2 from L1."""
    seat0 = {"orders": "2 command", "units": ours, **mine}
    table = given(dice, seat0=seat0, seat1={"units": theirs, **other}).do(f"PlayOrder command {L1}")
    return table.do(*[f"Melee {L2}" for unit in ours])


def test_ja_d18_ja_q82_after_a_curse_the_attacker_may_still_use_the_token() -> None:
    other = {"legend": 1, "hand": ["lm_curse"]}
    table = fight("red=K red=K white=B", ["k1: e_knights @L1"], ["f1: f_voulgiers @L2"], {"reroll": True}, other)
    table.do("1: KeepLegends", "LeaveDice")
    assert table.kinds() == ["1 LegendOffer"]
    table.roll("red=S").do("PlayLegend lm_curse", "RerollByCard 0")
    assert table.kinds() == ["0 RollEffects"]
    table.roll("red=K").do("UseToken", "RollThese 0")
    assert [(event.at, event.source) for event in table.of(DiceRerolled)] == [((0,), "card"), ((0,), "token")]


def test_ja_d18_a_card_may_come_before_a_feint_and_each_source_is_used_once() -> None:
    mine = {"legend": 1, "hand": ["lm_bless"]}
    table = fight("red=S red=S white=B", ["t: e_talbot @L1"], ["f1: f_voulgiers @L2"], mine, {}).do("KeepLegends")
    assert {"LeaveDice", "PlayLegend lm_bless", "RollAgain feint t 0"} <= set(table.offers())
    table.roll("red=S").do("PlayLegend lm_bless", "RerollByCard 0")
    table.roll("red=K").answer(RollAgain("feint t", 0))
    assert [event.source for event in table.of(DiceRerolled)] == ["card", "feint t"]


def test_ja_d20_a_defender_plays_a_card_between_rerolls() -> None:
    other = {"legend": 2, "hand": ["lt_feigned_flight"], "reroll": True}
    table = fight("red=K red=K white=B", ["k1: e_knights @L1"], ["f1: f_voulgiers @L2"], {}, other)
    table.do("KeepLegends", "KeepLegends")
    assert (table.kinds(), table.offers()) == (
        ["1 RollEffects"],
        ["LeaveDice", "UseToken", "PlayLegend lt_feigned_flight"],
    )
    table.do("PlayLegend lt_feigned_flight")
    assert (table.kinds(), table.offers()) == (["1 RollEffects"], ["LeaveDice", "UseToken"])


def test_ja_196_ja_q77_any_number_of_terror_dice_is_rolled_again() -> None:
    ours, theirs = ["k1: e_knights @L1", "k2: e_knights @L1"], ["bp: e_black_prince_2 @L2"]
    table = fight("black=S black=K", ours, theirs, {}, {"reroll": True})
    assert table.kinds() == ["1 TerrorDice"]
    table.roll("black=S").do("RollAgainThese 1")
    assert [event.dice for event in table.of(DiceRolled)][1:] == [(4,)]
    table.do("Frighten k1")
    assert (table.kinds(), table.offers()) == (["1 FrightChoice"], ["Frighten k2"])


def test_ja_196_ja_q77_terror_dice_that_lie_keep_the_token() -> None:
    theirs = ["bp: e_black_prince_2 @L2"]
    table = fight("black=K black=K red=S red=S black=K black=K", ["k1: e_knights @L1"], theirs, {}, {"reroll": True})
    table.do("RollAgainThese")
    assert (table.kinds(), table.state.boards[1].reroll) == (["1 RollEffects"], True)


def falling(dice: str) -> Table:
    """A burning house falls on billmen whose owner holds the token."""
    house: dict[str, Any] = {"terrain": "village", "building": "small_house", "elements": {}, "damage": 1, "fire": 0}
    seat0 = {"units": ["x1: e_billmen @L1/small_house"], "reroll": True}
    return given(dice, start="Camp", areas={"L1": house}, seat0=seat0, seat1={"units": ["f1: f_voulgiers @L4"]})


def test_ja_q46_ja_q77_the_token_is_used_on_the_own_defence_dice_of_a_collapse() -> None:
    table = falling("red=K white=D")
    assert (table.kinds(), table.state.boards[0].reroll) == (["0 CollapseDice"], True)
    table.roll("white=S").do("RollAgainThese 1")
    assert (table.at("x1"), table.state.boards[0].reroll) == ("L1/small_house", False)


def test_ja_q46_ja_q77_without_the_token_the_collapse_is_as_rolled() -> None:
    table = falling("red=K white=D").do("RollAgainThese")
    assert (table.at("x1"), table.state.boards[0].reroll) == ("graveyard", True)


def test_ja_q77_ja_264_the_token_may_be_used_after_charisma_too() -> None:
    seat0 = {"orders": "1 command", "units": ["j: f_joan_1 @L0"], "reroll": True}
    state = given(seat0=seat0, seat1={"units": ["f1: f_voulgiers @L4"]}).state
    chance = Script(rolled("red=K red=D red=S"))
    play = Play(GAME, state, chance)
    play.resume(Effects(Seat(0), (DieTest("red", {Face.SHIELD: (Gain("xp", 2),)}),), UnitId("j")))
    kinds = []
    for text in ("KeepDie", "RerollDie", "RerollDie"):
        asked = play.state.asked[0]
        kinds.append(asked.kind)
        play = decide(GAME, play.state, Seat(0), asked.number, choice_of(text), chance)
    assert kinds == ["RerollOffer", "CharismaReroll", "RerollOffer"]
    assert [event.count for event in play.events if isinstance(event, ResourceGained)] == [2]


def test_ja_190_a_legend_card_goes_onto_the_discards_when_it_is_resolved() -> None:
    units = ["t: e_talbot @L0 wounds:1", "b: e_black_prince_1 @L0 wounds:3"]
    seat0 = {"orders": "2 command", "legend": 5, "units": units, "hand": ["lm_miracle"]}
    table = given(seat0=seat0, seat1={"units": ["f1: f_voulgiers @L4"]}).do("PlayLegend lm_miracle")
    assert (table.state.piles["legend"].discards, table.state.in_play) == ((), ("lm_miracle",))
    table.do("NameCharacter t")
    assert (table.state.piles["legend"].discards, table.state.in_play) == (("lm_miracle",), ())
    order = [type(event) for event in table.events if isinstance(event, LegendPlayed | LegendResolved)]
    assert order == [LegendPlayed, LegendResolved]
