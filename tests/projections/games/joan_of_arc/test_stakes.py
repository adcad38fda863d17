"""What a question of Joan of Arc is about, beside its options."""

import re
from typing import Final

import pytest
from msgspec.structs import replace

from domain.joan_of_arc import GAME
from domain.joan_of_arc.cards.hooks import Attack, Order
from domain.joan_of_arc.rules.actions.fighting import Melee, Shoot
from domain.joan_of_arc.rules.phases.camp import is_last
from domain.joan_of_arc.rules.phases.orders import EndTurn, PlayOrder, can_play
from domain.joan_of_arc.state.events import OrderPlayed, TurnEnded, UnitDestroyed
from domain.joan_of_arc.state.queries import orders_held, setting_of, table_of
from domain.joan_of_arc.state.state import NOWHERE, JoanState, UnitId
from domain.kernel import Asked, One, Result, Seat
from projections.games.joan_of_arc import FACE
from projections.games.joan_of_arc.acting import targets_of
from projections.games.joan_of_arc.goals import final, goals
from projections.games.joan_of_arc.prompts import WORDS
from projections.games.joan_of_arc.stakes import LAST, STAYING, at_stake
from projections.games.joan_of_arc.texts import WHEN
from projections.games.joan_of_arc.words import area_name, plain_name, unit_name
from projections.i18n.language import Language, language_of
from projections.prompt import prompt_for, why_alone
from tests.domain.joan_of_arc.fixtures import L0, L1, L2
from tests.domain.joan_of_arc.table import given
from tests.projections.games.joan_of_arc.foresight import course
from tests.projections.games.joan_of_arc.matches import TABLES, questions, steps, viewers

NUMBERS = range(len(TABLES))
WAYS: Final[tuple[tuple[str, Attack], ...]] = (("No melee against", "melee"), ("No shot at", "shooting"))
SEATS = [(number, viewer) for number in NUMBERS for viewer in viewers(number)[1:] if viewer is not None]


def german() -> Language:
    found = language_of(GAME.name, "de")
    assert found is not None
    return found


@pytest.mark.parametrize("number", NUMBERS)
def test_the_first_question_says_what_the_match_is_won_by(number: int) -> None:
    for viewer in viewers(number)[1:]:
        assert viewer is not None
        first, asked = next((view, asked) for view, asked in questions(number, viewer) if asked.kind == "CouncilPick")
        assert at_stake(first, asked) == " ".join(goals(first))
        assert prompt_for(GAME, first, viewer, WORDS)["also"].endswith(goals(first)[-1])
        assert german().has(at_stake(first, asked))
        assert f"({first.players[0]}) win." in goals(first)[-1] or f"({first.players[1]}) win." in goals(first)[-1]
        assert not any(
            at_stake(view, asked)
            for view, asked in questions(number, viewer)
            if asked.kind == "CouncilPick" and view.round > 1 and not is_last(view)
        )


def test_ja_071_who_may_break_in_is_told_after_which_order() -> None:
    told = 0
    for number, viewer in SEATS:
        last: OrderPlayed | None = None
        for _, event, view in steps(number, viewer):
            last = event if isinstance(event, OrderPlayed) and not event.interrupt else last
            for asked in view.asked:
                if asked.kind != "InterruptOffer" or asked.seat != viewer:
                    continue
                said = at_stake(view, asked)
                assert last is not None
                assert not said or f"{last.order} order on {area_name(view, last.area)}." in said
                told += bool(said)
    assert told > 3


@pytest.mark.parametrize(("order", "name"), [("command", "a command order"), ("interrupt", "an interrupt order")])
def test_ja_071_the_order_is_named_in_german_too(order: Order, name: str) -> None:
    view, _ = next(each for each in questions(0, Seat(0)) if each[0].turn is not None)
    area = next(iter(view.field.units.values())).area
    placed = replace(view, placed={area: (order,)})
    said = at_stake(placed, Asked(1, Seat(0), "InterruptOffer", {}))
    assert f"plays {name} on" in said
    assert "befehl auf" in german().text(said)


def test_ja_189_ja_190_a_legend_card_of_another_moment_or_that_costs_too_much_says_so() -> None:
    view, _ = next(questions(0, Seat(0)))
    cards = setting_of(view).index.legend
    dear = next(card for card in cards.values() if card.cost > 1)
    other = next(card for card in cards.values() if card.timing != dear.timing)
    asked = Asked(1, Seat(0), "LegendOffer", {"timing": dear.timing})
    for tokens in range(dear.cost + 1):
        board = replace(view.boards[0], hand=(dear.id, other.id, dear.id), legend=tokens)
        said = at_stake(replace(view, boards=(board, *view.boards[1:])), asked)
        assert said.count(" costs ") == (tokens < dear.cost)
        assert f"{plain_name(other.name)} is played {WHEN[other.timing]}." in said
        assert (f"you have {tokens}." in said) == (tokens < dear.cost)
        assert german().has(said)


def test_ja_054_why_there_is_one_order_is_told_apart_from_why_there_is_none() -> None:
    asked = Asked(1, Seat(0), "OrderChoice", {})
    assert (
        why_alone(One((EndTurn(),)), asked, WORDS)
        == "Every area of yours has its order, or you hold none that it takes."
    )
    only = why_alone(One((PlayOrder("command", NOWHERE),)), asked, WORDS)
    assert only == "No other order can be placed, and on no other area."
    assert german().has(only)


def test_ja_047_who_may_raise_a_character_is_told_that_keeping_it_costs_in_each_war_council() -> None:
    told = {
        each["sub"]
        for number, viewer in SEATS
        for view, asked in questions(number, viewer)
        for each in prompt_for(GAME, view, viewer, WORDS)["fields"][0].get("options", [])
        if " becomes " in each["label"]
    }
    assert told
    assert all(each.endswith("; 1 XP in each war council keeps it") for each in told)
    assert all(german().text(each).endswith("; 1 XP in jedem Kriegsrat erhält sie") for each in told)


def test_ja_084_a_bonus_action_says_whether_it_can_be_taken_now_only() -> None:
    told = set()
    for number, viewer in SEATS:
        for view, asked in questions(number, viewer):
            form = GAME.revive_decision(asked).form(view)
            for choice in form.choices if isinstance(form, One) else ():
                said = str(WORDS.more(view, asked, choice).get("sub", ""))
                if said.startswith("A bonus action"):
                    acted = getattr(choice, "unit", "") in view.activations[-1].done
                    assert said.startswith("A bonus action, after its own and now only") == acted
                    assert german().has(said)
                    told.add(acted)
    assert told == {False, True}


def last_round(view: JoanState) -> JoanState:
    """The same moment with no round card left."""
    return replace(view, piles={**view.piles, "rounds": replace(view.piles["rounds"], left=0)})


def test_ja_233_the_last_round_says_that_who_is_in_an_infirmary_counts_as_destroyed_in_german_too() -> None:
    viewer = viewers(0)[1]
    assert viewer is not None
    council = next((view, asked) for view, asked in questions(0, viewer) if asked.kind == "CouncilPick")
    ends = next((view, asked) for view, asked in questions(0, viewer) if asked.kind == "OrderChoice")
    assert WORDS.more(*ends, EndTurn())["sub"] == "Up to 3 unused orders of each kind are kept"
    assert WORDS.more(last_round(ends[0]), ends[1], EndTurn())["sub"] == LAST
    later = replace(last_round(council[0]), round=3)
    said = at_stake(later, council[1])
    assert said.startswith(f"{LAST}. The ")
    assert re.search(r"VP\. On equal VP the \w+ \(.+\) win\.$", said)
    assert german().has(LAST)
    assert german().has(said)


def test_ja_247_at_the_end_it_is_said_why_equal_vp_were_won_by_in_german_too() -> None:
    """And not where they decided nothing, or were not equal."""
    viewer = viewers(0)[1]
    assert viewer is not None
    view, _ = next(questions(0, viewer))
    sides = setting_of(view).sides
    for rule, scores, is_said in (
        ("JA-247", (4, 4), True),
        ("JA-247", (4, 3), False),
        ("JA-243", (4, 4), False),
    ):
        over = replace(
            view, result=Result(0, "most VP", rule), scores=dict(zip(dict.fromkeys(sides), scores, strict=True))
        )
        assert ("On equal VP the " in final(over)) == is_said
        assert german().has(final(over))


def test_ja_233_who_may_take_a_disrupt_or_rolls_doom_in_the_last_round_is_told_so_in_german_too() -> None:
    told = []
    for number, kind in ((5, "ResultTaker"), (13, "DoomChoice")):
        at = course(number, kind)
        asked = at.state.asked[0]
        form = GAME.revive_decision(asked).form(at.view)
        assert isinstance(form, One)
        told += [str(WORDS.more(last_round(at.view), asked, choice)["sub"]) for choice in form.choices]
    assert told == [
        "troop: this disrupt sends it to the infirmary, and there it counts as destroyed at the end of this last round",
        "3 of 3 HP: this disrupt is a wound",
        "Of 6 faces 2: back at a rally point; on all others it counts as destroyed",
        "Of 6 faces 2: back at a rally point; on all others it counts as destroyed",
    ]
    assert all(german().has(each) for each in told)


def test_ja_233_who_is_lost_in_the_infirmary_at_the_end_is_told_why() -> None:
    at = course(13, "DoomChoice")
    unit = next(iter(at.view.field.units))
    for by, whose in ((None, ""), (Seat(0), f" by {at.view.players[0]}")):
        told = FACE.narrate(at.view, at.view, UnitDestroyed(unit, by, "JA-233"), Seat(0))
        assert told.startswith(f"Destroyed{whose}, for it is in the infirmary at the end: ")
        assert german().has(told)


def test_ja_058_who_may_still_go_is_told_that_no_further_order_can_follow_where_all_stay() -> None:
    told = 0
    for number, viewer in SEATS:
        for view, asked in questions(number, viewer):
            if asked.kind != "Declaration" or STAYING not in at_stake(view, asked):
                continue
            told += 1
            assert orders_held(view.boards[viewer])
            assert not can_play(view, viewer)
            assert prompt_for(GAME, view, viewer, WORDS)["also"].endswith(f"{STAYING}.")
            free = next(area for area in table_of(view).board.areas if not view.placed.get(area))
            unit = view.field.units[UnitId(str(asked.terms["unit"]))]
            units = {**view.field.units, unit.id: replace(unit, area=free)}
            assert can_play(replace(view, field=replace(view.field, units=units)), viewer)
    assert told
    assert german().has(f"{STAYING}.")


@pytest.mark.parametrize(
    ("orders", "units", "said"),
    [
        ("2 command", ["e1: e_knights @L1", "e2: e_billmen @L1"], True),
        ("1 command", ["e1: e_knights @L1", "e2: e_billmen @L1"], False),
        ("1 command, 1 reactivation", ["e1: e_knights @L1", "e2: e_billmen @L1"], False),
        ("2 command", ["e1: e_knights @L1", "e2: e_billmen @L0"], False),
    ],
)
def test_ja_058_ja_065_nothing_is_said_where_an_order_can_follow_or_none_is_left(
    orders: str, units: list[str], *, said: bool
) -> None:
    table = given(seat0={"orders": orders, "units": units}, seat1={"units": ["f1: f_voulgiers @L4"]})
    table.do(f"PlayOrder command {L1}")
    assert (at_stake(table.state, table.asked()) == f"{STAYING}.") == said
    table.do(f"Move {L2}")
    assert table.asked().kind != "Declaration" or not at_stake(table.state, table.asked()), "one of them goes"


@pytest.mark.parametrize(
    ("orders", "other", "why"),
    [
        ("2 command", "L1", ": none that is left can be placed"),
        ("1 command", "L1", ""),
        ("2 command", "L0", ""),
        ("1 command, 1 reactivation", "L1", ""),
    ],
)
def test_ja_058_ja_075_who_can_place_none_of_the_orders_left_is_told_so_as_the_turn_ends(
    orders: str, other: str, why: str
) -> None:
    ours = {"orders": orders, "units": ["e1: e_knights @L1", f"e2: e_billmen @{other}"]}
    table = given(seat0=ours, seat1={"units": ["f1: f_voulgiers @L4"]}).do(f"PlayOrder command {L1}")
    told = FACE.narrate(table.state, table.state, TurnEnded(Seat(0)), Seat(1))
    assert told.endswith(f" plays no further order{why}.")
    assert german().has(told)


@pytest.mark.parametrize(("behind", "said"), [("L0", True), ("L3", False), ("L4", False)])
def test_ja_165_ja_166_who_would_follow_up_out_of_reach_of_all_he_may_command_is_told_so(
    behind: str, *, said: bool
) -> None:
    units = ["bp#1: e_black_prince_1 @L1", f"e0: e_billmen @{behind}"]
    table = given(seat0={"orders": "1 command", "units": units}, seat1={"units": ["f1: f_voulgiers @L2"]})
    table.do(f"PlayOrder command {L1}").roll("red=K red=K white=B").do(f"Melee {L2}")
    if "Resolve bp#1" in table.offers():
        table.do("Resolve bp#1")
    assert table.kinds() == ["0 FollowUpChoice"]
    told = at_stake(table.state, table.asked())
    assert told == ("The Black Prince can command nobody from the plain 2,0." if said else "")
    assert german().has(told) or not told
    table.do("FollowUp bp#1")
    if said:
        assert not any(offer.startswith("Command ") for offer in table.offers())
    elif behind == "L3":
        assert "Command bp#1" in table.offers(), "there he reaches somebody"


def test_ja_060_who_may_not_command_under_the_order_is_told_nothing_of_it_as_he_follows_up() -> None:
    units = ["bp#1: e_black_prince_1 @L1", "e0: e_billmen @L0"]
    table = given(seat0={"orders": "1 reactivation", "units": units}, seat1={"units": ["f1: f_voulgiers @L2"]})
    table.do(f"PlayOrder reactivation {L1}").roll("red=K red=K white=B").do(f"Melee {L2}")
    assert table.kinds() == ["0 FollowUpChoice"]
    assert not at_stake(table.state, table.asked())


def test_ja_369_of_who_may_need_two_orders_nothing_is_said() -> None:
    view, asked = next(
        (view, asked)
        for number, viewer in SEATS
        for view, asked in questions(number, viewer)
        if asked.kind == "Declaration" and STAYING in at_stake(view, asked)
    )
    cards = setting_of(view).index.units.values()
    giant = next(card.id for card in cards if card.gigantic and card.activation_cost > 1)
    found = view.field.units[UnitId(str(asked.terms["unit"]))]
    units = {**view.field.units, found.id: replace(found, card=giant)}
    large = replace(view, field=replace(view.field, units=units))
    assert not can_play(large, Seat(asked.seat))
    assert STAYING not in at_stake(large, asked)


@pytest.mark.parametrize(
    ("units", "choice", "others", "ruled_out", "why"),
    [
        (
            ["b#1: e_bowmen @L1", "m#1: e_billmen @L1", "m#2: e_billmen @L1"],
            Shoot(L2),
            ("m#1", "m#2"),
            "melee",
            "No melee against {}: in this activation it is shot at.",
        ),
        (
            ["a#1: e_billmen @L1", "b#1: e_bowmen @L1", "b#2: e_bowmen @L1"],
            Melee(L2),
            ("b#1", "b#2"),
            "shots",
            "No shot at {}: in this activation it is attacked in melee.",
        ),
    ],
)
def test_ja_105_ja_q15_an_attack_says_whose_other_attacks_it_rules_out_and_who_then_declares_is_told_why(
    units: list[str], choice: Shoot | Melee, others: tuple[str, str], ruled_out: str, why: str
) -> None:
    table = given(seat0={"orders": "1 command", "units": units}, seat1={"units": ["f1: f_voulgiers @L2"]})
    table.do(f"PlayOrder command {L1}")
    view, asked = table.state, table.asked()
    assert asked.terms["unit"] == units[0].partition(":")[0]
    assert not at_stake(view, asked)
    told = str(WORDS.more(view, asked, choice)["sub"])
    names = " and ".join(unit_name(view, other) for other in others)
    assert f"; this rules out {ruled_out} there by {names} in this activation; " in told
    assert german().has(told)
    table.do(f"{type(choice).__name__} {L2}")
    said = at_stake(table.state, table.asked())
    assert said == why.format(area_name(view, L2))
    assert german().has(said)
    other = {"melee": "Melee", "shots": "Shoot"}[ruled_out]
    assert f"{other} {L2}" not in table.offers()


def test_ja_105_who_could_not_attack_anyway_is_not_named() -> None:
    units = ["b#1: e_bowmen @L0", "m#1: e_billmen @L0"]
    table = given(seat0={"orders": "1 command", "units": units}, seat1={"units": ["f1: f_voulgiers @L2"]})
    table.do(f"PlayOrder command {L0}")
    view, asked = table.state, table.asked()
    assert "rules out" not in str(WORDS.more(view, asked, Shoot(L2))["sub"]), "no melee reaches so far"
    table.do(f"Shoot {L2}")
    assert not at_stake(table.state, table.asked())


@pytest.mark.parametrize("number", NUMBERS)
def test_ja_105_what_is_said_to_be_ruled_out_is_not_offered_and_was(number: int) -> None:
    for viewer in viewers(number)[1:]:
        assert viewer is not None
        for view, asked in questions(number, viewer):
            if asked.kind != "Declaration":
                continue
            said, now = at_stake(view, asked), view.activations[-1]
            unit = view.field.units[UnitId(str(asked.terms["unit"]))]
            for how, kind in WAYS:
                before = targets_of(view, unit, replace(now, plans=()), kind)
                for area in before:
                    gone = area not in targets_of(view, unit, now, kind)
                    trampled = any(plan.action == "trample" and plan.target == area for plan in now.plans)
                    assert (f"{how} {area_name(view, area)}:" in said) == gone or trampled
            assert not said or german().has(said)


INFIRM = "sends it to the infirmary"


@pytest.mark.parametrize(
    ("unit", "said"),
    [
        ("f_joan_1 @L2", f" has 3 of 3 HP: a disrupt takes 1, and at the last HP {INFIRM}."),
        ("f_joan_1 @L2 wounds:2", f" has 1 of 3 HP: a disrupt {INFIRM}, a kill destroys it."),
        ("f_joan_2 @L2 wounds:3", f" has 1 of 4 HP: a disrupt {INFIRM}."),
        ("f_household_guard @L2 wounds:1", f" has 1 of 2 HP: a disrupt {INFIRM}, a kill destroys it."),
        ("f_voulgiers @L2", ""),
    ],
)
def test_ja_136_ja_137_while_a_roll_may_be_changed_it_is_said_what_a_disrupt_does_to_who_has_several_hps(
    unit: str, said: str
) -> None:
    table = given(
        seat0={"orders": "1 command", "reroll": True, "units": ["e1: e_knights @L1"]}, seat1={"units": [f"f#1: {unit}"]}
    )
    table.roll("red=D red=P white=B black=S black=S").do(f"PlayOrder command {L1}", f"Melee {L2}")
    assert table.kinds() == ["0 RollEffects"]
    told = at_stake(table.state, table.asked())
    assert told == (f"{unit_name(table.state, 'f#1')}{said}" if said else "")
    assert german().has(told) or not told
    plain = replace(table.state, attack=None)
    assert not at_stake(plain, table.asked())


def test_ja_347_of_who_may_be_captured_it_is_not_said_that_a_kill_destroys_it() -> None:
    ours = {"orders": "1 command", "reroll": True, "units": ["e1: e_knights @L1"]}
    theirs = {"units": ["f#1: f_joan_1 @L2 wounds:2"]}
    table = given("red=D red=P black=S", seat0=ours, seat1=theirs, rules={"ransom": True})
    told = at_stake(table.do(f"PlayOrder command {L1}", f"Melee {L2}").state, table.asked())
    assert told == f"{unit_name(table.state, 'f#1')} has 1 of 3 HP: a disrupt {INFIRM}."


def test_ja_384_who_is_destroyed_by_a_disrupt_is_said_to_be_in_german_too() -> None:
    table = given(
        "red=D red=P black=S",
        seat0={"orders": "1 command", "reroll": True, "units": ["e1: e_knights @L1"]},
        seat1={"units": ["f#1: f_joan_1 @L2"]},
    )
    view = table.do(f"PlayOrder command {L1}", f"Melee {L2}").state
    cards = setting_of(view).index.units.values()
    giant = next(card for card in cards if card.gigantic and card.hp is not None and card.hp > 1)
    hp = giant.hp or 0
    for wounds, said in (
        (0, f"{hp} of {hp} HP: a disrupt takes 1, and at the last HP destroys it."),
        (hp - 1, f"1 of {hp} HP: a disrupt destroys it."),
    ):
        unit = replace(view.field.units[UnitId("f#1")], card=giant.id, wounds=wounds)
        units = {**view.field.units, unit.id: unit}
        state = replace(view, field=replace(view.field, units=units))
        told = at_stake(state, table.asked())
        assert told == f"{unit_name(state, 'f#1')} has {said}"
        assert german().has(told)
