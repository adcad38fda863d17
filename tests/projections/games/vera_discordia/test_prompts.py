"""Prompts of Vera Discordia: what one must know before one answers stands there, by what the seat may know."""

import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from domain.commons.rows import foe
from domain.kernel import DecisionsOpened, DiceRolled, Hidden, Seat
from domain.vera_discordia import GAME
from domain.vera_discordia.cards.cards import Ability, OrderType, Terrain
from domain.vera_discordia.rules.morale import PASS, TITLES, Check
from domain.vera_discordia.rules.resolution import Execute
from domain.vera_discordia.state.events import (
    AttackDeclared,
    HitsCounted,
    MoraleChecked,
    MotivationLost,
    TerrainCaptured,
    UnitDamaged,
    UnitMoved,
)
from domain.vera_discordia.state.queries import (
    FIRING,
    army,
    attack_kinds,
    cards_of,
    column_of,
    direct_targets,
    has,
    profile,
    terrain_in,
)
from domain.vera_discordia.state.state import AttackKind, UnitId
from projections.games.vera_discordia.prompts import (
    AFTERWARDS,
    DEFENDS,
    EXPELS,
    HELD,
    KEEPING,
    NO_DIE,
    NOTHING_NEAR,
    TERRIFIED,
    prompt_words,
    setting,
)
from projections.games.vera_discordia.reasons import reason
from projections.games.vera_discordia.rolls import OUTCOMES, rolling, shown
from projections.games.vera_discordia.scene import scene
from projections.glossary import glossary
from projections.i18n.language import language_of
from projections.prompt import prompt_for
from tests.projections.foresight import Moment, moments
from tests.projections.matches import mask, vera, walk


def asked_for(kind: str, seed: int = 3, most: int = 240) -> Iterator[tuple[Moment, Any, dict[str, Any]]]:
    """Moments of a kind, with the view of the seat asked and its prompt."""
    for moment in moments(seed, True, most):
        if moment.asked.kind == kind:
            seat = moment.asked.seat
            view = GAME.view(moment.events, mask(seat))
            yield moment, view, prompt_for(GAME, view, seat, prompt_words(seat))


def test_an_exchange_names_the_units_that_would_go_back() -> None:
    for _, view, prompt in asked_for("Exchange"):
        keep, *ranks = prompt["fields"][0]["options"]
        assert "sub" not in keep
        told = " ".join(option["end"] for option in ranks)
        assert all(option["end"].startswith("Going back: ") for option in ranks)
        assert told
        seat = int(prompt["seat"])
        assert not isinstance(view.sides[seat].recruits, Hidden)


def test_deployment_says_whether_the_general_is_placed() -> None:
    said = set()
    for _, view, prompt in asked_for("Deployment"):
        placed = any(unit.general for unit in army(view, prompt["seat"]))
        assert prompt["phase"] == ("General placed" if placed else "General not placed yet")
        said.add(prompt["phase"])
    assert len(said) == 2


def test_without_generals_none_is_said_to_be_still_to_be_placed() -> None:
    moment, view, _ = next(asked_for("Deployment"))
    bare = replace(view, options=replace(view.options, without_generals=True))
    seat = moment.asked.seat
    assert "phase" not in prompt_for(GAME, bare, seat, prompt_words(seat))


def test_who_has_lost_motivation_reads_what_is_left_and_what_a_unit_costs_when_orders_are_issued() -> None:
    """From the first loss on; a match was lost by a seat that had not seen it go."""
    said = set()
    for _, view, prompt in asked_for("OrderIssue", most=2000):
        left = view.sides[prompt["seat"]].motivation
        expected = f"{left} Motivation left" if left < 10 else "secret, both at once"
        assert prompt.get("phase") == expected
        said.add(left == 10)
    assert said == {True, False}


def test_one_who_looks_at_terrain_is_told_how_often() -> None:
    said = [prompt["phase"] for _, _, prompt in asked_for("TerrainExamination")]
    assert said
    assert said[0].startswith("look 1 of ")


def test_a_unit_that_reaches_nobody_is_marked_when_orders_are_issued() -> None:
    marked = 0
    for _, view, prompt in asked_for("OrderIssue"):
        for slot in prompt["fields"][0]["slots"]:
            reaches = bool(attack_kinds(view, view.units[slot["id"]], direct_only=False))
            assert (slot.get("sub") == NOTHING_NEAR) != reaches
            marked += not reaches
    assert marked


def test_a_unit_whose_only_attack_has_no_die_is_marked_when_orders_are_issued() -> None:
    """Sentries shot out of a Forest with the one die that the Forest takes."""
    seen = set()
    for seed in (3, 10, 13):
        for _, view, prompt in asked_for("OrderIssue", seed, most=2000):
            for slot in prompt["fields"][0]["slots"]:
                unit = view.units[slot["id"]]
                if attack_kinds(view, unit, direct_only=False) != [AttackKind.INDIRECT]:
                    assert slot.get("sub") != NO_DIE
                    continue
                firing = sum(die in FIRING for die in profile(view, unit).dice) - (unit.life <= 2)
                terrain = terrain_in(view, column_of(unit.space))
                assert (slot.get("sub") == NO_DIE) == (firing <= (terrain in {Terrain.FOREST, Terrain.MOUNTAIN}))
                seen.add(slot.get("sub"))
    assert seen == {None, NO_DIE}


def test_units_whose_attack_would_come_to_nothing_are_named_under_the_question_while_an_attack_is_in_hand() -> None:
    """On a phone the marked rows lay out of sight, and both Acolytes in the Rearguard were given an Attack."""
    told = set()
    for seed in (3, 10, 13):
        for _, view, prompt in asked_for("OrderIssue", seed, most=2000):
            _, before, said = prompt.get("also", "").partition("An Attack ")
            marked = [slot for slot in prompt["fields"][0]["slots"] if "sub" in slot]
            hand = view.sides[prompt["seat"]].hand
            armed = OrderType.ATTACK in hand or OrderType.TACTIC in hand
            assert bool(before) == (armed and bool(marked))
            for slot in prompt["fields"][0]["slots"]:
                named = f"({view.units[slot['id']].space})" in said
                assert named == (armed and "sub" in slot)
            told |= {(armed, "finds nobody" in said, "shoots with no die" in said)}
    assert {(True, True, False), (True, True, True)} <= told


def test_a_kind_of_attack_names_whom_it_can_be_aimed_at() -> None:
    found = [
        option["sub"] for _, _, prompt in asked_for("AttackSelection") for option in prompt["fields"][0]["options"]
    ]
    assert found
    assert all(sub.startswith("At ") and "(" in sub for sub in found)


def test_the_strategy_is_told_where_it_is_offered() -> None:
    kinds = ("StarStrategy", "DiamondStrategy")
    for prompt in (prompt for kind in kinds for _, _, prompt in asked_for(kind)):
        use = next(option for option in prompt["fields"][0]["options"] if option["label"] == "Use the Strategy")
        assert use["sub"].endswith(".")
        assert AFTERWARDS not in use["sub"] or prompt["terms"] == ["StarStrategy"]
    starred = [prompt for _, _, prompt in asked_for("StarStrategy")]
    assert starred
    told = [option["sub"] for prompt in starred for option in prompt["fields"][0]["options"] if option.get("sub")]
    assert any(AFTERWARDS in sub for sub in told), "the Strategy is in place of nothing"


def test_vd_137_a_card_left_over_that_is_kept_is_one_drawn_less() -> None:
    moment, view, _ = next(asked_for("OrderIssue"))
    assert setting(view, replace(moment.asked, kind="LeftoverDisposal"))["also"] == KEEPING


def test_a_morale_check_needs_what_the_known_modifiers_leave() -> None:
    checks = {check.value for check in TITLES}
    known = 0
    for moment in moments(3, True, 240):
        views = [GAME.view(moment.events, mask(seat)) for seat in map(Seat, (0, 1))]
        checked = [event for event in moment.after.events if isinstance(event, DiceRolled) and event.rule in checks]
        for event, seen in ((event, seen) for event in checked for seen in views):
            _, roll = rolling(seen, event)
            closed = isinstance(seen.units[UnitId(event.about[0])].card, Hidden)
            assert bool(roll.needs) != closed
            whole = sum(part.value for part in roll.parts)
            assert closed or roll.needs[0] == min(6, max(2, PASS - whole))
            known += not closed
    assert known


def test_the_tray_names_the_ability_behind_a_part() -> None:
    for moment in moments(3, True, 240):
        roll = shown(GAME.view(moment.events, mask(moment.asked.seat))).roll
        assert roll is None or all(part.why for part in roll.parts)


def test_a_tactic_that_would_attack_nobody_is_told_before_it_is_declared() -> None:
    told = 0
    for moment, view, prompt in asked_for("TacticDeclaration", most=700):
        reaches = bool(attack_kinds(view, view.units[moment.asked.terms["unit"]], direct_only=False))
        attack = next(option for option in prompt["fields"][0]["options"] if option["label"] == "Attack")
        assert ("sub" in attack) != reaches
        told += 1
    assert told


def test_a_conversion_says_what_the_order_becomes() -> None:
    told = set()
    for seed in (10,):
        for moment, view, prompt in asked_for("RageConversion", seed, most=130):
            front = view.units[moment.asked.terms["unit"]].space[0] == "V"
            convert = next(option for option in prompt["fields"][0]["options"] if option["label"] == "Convert it")
            assert convert["sub"].startswith(f"It becomes {'an Attack' if front else 'a Maneuver'}, ")
            told.add(front)
    assert told


def test_a_capture_says_what_the_terrain_is_good_for() -> None:
    told = set()
    for seed in (3, 10):
        for moment, view, prompt in asked_for("ManeuverChoice", seed, most=700):
            unit = view.units[moment.asked.terms["unit"]]
            capture = next((o for o in prompt["fields"][0]["options"] if o["label"] == "Capture the Terrain"), None)
            assert (capture is None) != (unit.space[0] == "V")
            if capture is None:
                continue
            taken = [one for one in army(view, foe(unit.seat)) if one.capture and one.space[1] == unit.space[1]]
            assert capture["sub"] == (EXPELS if taken else HELD[terrain_in(view, column_of(unit.space))])
            told.add(capture["sub"])
    assert len(told) > 1


def test_that_nobody_maneuvers_cornerwise_is_told_where_it_matters() -> None:
    """Two Units were given Maneuvers to change places, and stood cornerwise."""
    for language, said in (("en", "never cornerwise"), ("de", "nie über Eck")):
        terms = glossary("vera_discordia", language)
        assert all(said in terms[key].text for key in ("maneuver", "movement", "castling", "ManeuverChoice"))


def test_a_unit_that_takes_no_card_is_named_where_every_unit_is_said_to_get_one() -> None:
    """A Golem turned Chaotic was looked for among the Units that orders go to."""
    told = set()
    for seed in (3, 10, 13):
        for _, view, prompt in asked_for("OrderIssue", seed, most=700):
            slots = {slot["id"] for slot in prompt["fields"][0]["slots"]}
            missing = [unit for unit in army(view, prompt["seat"]) if unit.id not in slots]
            said = prompt.get("also", "").partition("An Attack ")[0]
            assert bool(missing) == bool(said)
            assert all(f"({unit.space})" in said for unit in missing)
            assert all(unit.chaotic == ("Chaotic" in said) or len(missing) > 1 for unit in missing)
            told.add(bool(missing))
    assert told == {True, False}


def test_a_general_who_takes_back_several_orders_is_told_how_many() -> None:
    """With Hessa Vint two orders may be taken back; the question spoke of one."""
    told = set()
    for seed in range(3, 13):
        for _, view, prompt in asked_for("OrderReturn", seed, most=140):
            hessa = view.sides[prompt["seat"]].general == "hessa"
            assert (
                prompt.get("phase") == ("order 1 of at most 2" if hessa else None) or view.sides[prompt["seat"]].taken
            )
            told.add(hessa)
    assert told == {True, False}


def test_a_morale_check_to_come_says_what_hangs_on_it_and_the_tray_only_its_name() -> None:
    """ "Terror: 1 die, 2 or more": what would come of a failure stood nowhere."""
    names = {check.value: title for check, title in TITLES.items()}
    told = set()
    for moment in moments(3, True, 700):
        seen = GAME.view(moment.events, mask(moment.asked.seat))
        for event in moment.after.events:
            if isinstance(event, DiceRolled) and event.rule in names:
                title = rolling(seen, event)[1].title
                assert title.startswith(f"{names[event.rule]} (")
                told.add(title)
        roll = shown(seen).roll
        assert roll is None or roll.rule not in names or roll.title == names[roll.rule]
    assert any("failed" in title for title in told)
    assert any("passed" in title for title in told)


def test_a_rout_that_took_the_unit_has_failed_in_the_tray() -> None:
    routed = 0
    for moment in moments(3, True, 2000):
        roll = shown(GAME.view(moment.events, mask(moment.asked.seat))).roll
        if roll is not None and roll.rule == Check.ROUT and roll.about[0] not in moment.state.units:
            assert roll.dice[0] < roll.needs[0]
            routed += 1
    assert routed


def test_who_strikes_back_at_terror_reads_with_how_many_dice() -> None:
    """League Pikes struck back by Riposte with no die at all; the check for Terror hid the dice behind it."""
    told = set()
    for seed in range(3, 13):
        for _, view, prompt in asked_for("Counterattacking", seed, most=700):
            attacker = view.units[view.attack.attacker]
            terror = has(view, attacker, Ability.TERROR)
            for option in prompt["fields"][0]["options"]:
                if option["label"] != "Do not strike back":
                    assert option.get("sub", "").startswith("Before Terror: ") == terror
            told.add(terror)
    assert told == {True, False}


def test_a_roll_of_a_unit_at_the_start_of_a_round_says_what_hangs_on_it() -> None:
    told = set()
    for seed in range(3, 19):
        for moment in moments(seed, True, 140):
            seen = GAME.view(moment.events, mask(moment.asked.seat))
            for event in moment.after.events:
                if isinstance(event, DiceRolled) and event.rule in {"VD-310", "VD-314"}:
                    told.add(rolling(seen, event)[1].title)
    assert told == {
        "Autonomy (failed: it takes the top card of the deck)",
        "Chaos (failed: it is Chaotic and has no order)",
    }


def test_a_roll_without_a_die_says_so_in_the_tray() -> None:
    empty = 0
    for moment in (moment for seed in range(3, 13) for moment in moments(seed, True, 700)):
        if moment.state.roll is not None and not moment.state.roll.dice:
            tray = scene(GAME.view(moment.events, mask(moment.asked.seat)), moment.asked.seat)["zones"]["tray"]
            assert tray["geom"]["roll"]["result"] == "no dice"
            empty += 1
    assert empty


def test_the_dice_of_an_attack_say_from_how_many_hits_on_the_unit_struck_is_lost() -> None:
    """A Unit with 2 Life Points left was routed; that it would have to check for that nobody had been told."""
    said = set()
    for seed in range(3, 19):
        fates: dict[str, int] = {}
        struck, hits = "", 0
        for before, event, _ in walk(GAME, vera(seed), None):
            match event:
                case DiceRolled(rule="VD-217" | "VD-238"):
                    title = rolling(before, event)[1].title
                    struck = event.about[1]
                    fates = {
                        "rout": int(found[1]) if (found := re.search(r"(\d+) hits?: [^,]*may rout", title)) else 99,
                        "pay": int(found[1]) if (found := re.search(r"(\d+) hits?: [^,]*costs 4", title)) else 99,
                        "die": int(found[1])
                        if (found := re.search(r"(\d+)(?: hits?)?: [^,\d]*destroyed", title))
                        else 99,
                    }
                    assert all(most == 99 or most <= len(event.dice) for most in fates.values())
                    said |= {fate for fate, most in fates.items() if most < 99}
                case HitsCounted():
                    hits = len(event.hits)
                case UnitDamaged(unit=unit, life=left) if unit == struck:
                    assert (left == 0) == (hits >= fates["die"])
                case DiceRolled(rule="VD-221", about=about) if about[0] == struck:
                    assert fates["rout"] <= hits < fates["die"]
                case MotivationLost(unit=unit) if unit == struck:
                    assert fates["pay"] <= hits
    assert said >= {"rout", "die"}


def test_what_an_attack_on_the_generals_prominent_unit_costs_is_told_before_it_is_rolled() -> None:
    """The match ended as such a Unit with 1 Life Point left cost 4; its card spoke of its loss alone."""
    for seed in range(3, 19):
        for before, event, _ in walk(GAME, vera(seed), None):
            if not isinstance(event, DiceRolled) or event.rule != "VD-217":
                continue
            unit = before.units[event.about[1]]
            if unit.life < 4 or unit.life - 2 > len(event.dice):
                continue
            card = next(key for key, kind in cards_of(before).types.items() if kind.name == "The Brood Mother")
            general = replace(unit, card=card, general=True, paid=False)
            seen = replace(before, units={**before.units, unit.id: general})
            assert "hits: the Unit struck costs 4 Motivation and may rout" in rolling(seen, event)[1].title
            paid = replace(before, units={**before.units, unit.id: replace(general, paid=True)})
            assert "costs" not in rolling(paid, event)[1].title
            fallen = replace(before, units={**before.units, unit.id: replace(unit, life=0)})
            assert rolling(fallen, event)[1].title == event.title, "who comes late sees the roll after the Unit fell"
            return
    raise AssertionError("no such attack")


def test_a_changed_chrysalis_is_told_from_the_unit_it_copies() -> None:
    """ "Close Ranks of Gentle bot's Rime Giant", said to the owner of the only Rime Giant before his attack."""
    told = 0
    for seed in range(3, 40):
        for before, event, _ in walk(GAME, vera(seed), None):
            if isinstance(event, DiceRolled) and event.about and (unit := before.units.get(event.about[0])):
                assert rolling(before, event)[0].endswith(", which was Chrysalis") == unit.changed
                told += unit.changed
        if told:
            return
    raise AssertionError("no Chrysalis changed")


def test_a_capture_has_its_reason_only_where_the_terrain_is_good_for_something() -> None:
    seen = set()
    for seed in range(3, 30):
        for before, event, _ in walk(GAME, vera(seed), None):
            if isinstance(event, TerrainCaptured):
                useful = terrain_in(before, event.column) in {Terrain.FOREST, Terrain.MOUNTAIN}
                assert bool(reason(before, event)) == useful
                seen.add(useful)
    assert seen == {True, False}


def test_a_target_that_cannot_strike_back_is_called_so_only_where_it_cannot() -> None:
    """Sentries with Riposte: "hold no order any more, so nobody strikes back", and then they were asked to."""
    mute = 0
    for seed in range(3, 40):
        said, target = False, ""
        for before, event, after in walk(GAME, vera(seed), None):
            if isinstance(event, AttackDeclared):
                said, target = reason(before, event).endswith("no order and cannot strike back."), event.target
                mute += said
            if said and isinstance(event, DecisionsOpened):
                assert target not in [one.terms["unit"] for one in after.asked if one.kind == "Counterattacking"]
    assert mute


def test_the_rearguard_is_called_out_of_reach_only_where_it_is() -> None:
    """Who goes back leaves an Opening in front: the enemy facing it then reaches the Unit (VD-194)."""
    said = 0
    for seed in range(3, 40):
        for before, event, after in walk(GAME, vera(seed), None):
            if isinstance(event, UnitMoved) and before.units[event.unit].space[0] == "V" and event.to[0] == "R":
                moved = after.units[event.unit]
                foes = [unit for unit in army(after, foe(moved.seat)) if unit.space[0] == "V"]
                reached = any(aim.id == moved.id for unit in foes for aim in direct_targets(after, unit))
                assert ("no Direct Attack" in reason(before, event)) != reached
                alone = {spot: unit for spot, unit in before.at.items() if before.units[unit].seat == moved.seat}
                assert "no Direct Attack" in reason(replace(before, at=alone), event)
                said += 1
    assert said


def test_the_tray_says_of_a_check_what_it_means_for_the_unit() -> None:
    """ "Rout 2 fails" stood beside the die of a Unit that was gone, "Rout 5 succeeds" of one that held."""
    said = set()
    for seed in range(3, 40):
        rolled = None
        for _, event, after in walk(GAME, vera(seed), None):
            if isinstance(event, DiceRolled):
                rolled = event
            if isinstance(event, MoraleChecked) and event.natural is not None and rolled is not None:
                result = scene(after, None)["zones"]["tray"]["geom"]["roll"].get("result")
                assert result in {None, OUTCOMES[rolled.rule][event.passed]}
                said.add(result)
    rare = set(OUTCOMES[Check.CONSISTENCY])
    assert {told for check in TITLES for told in OUTCOMES[check]} - said <= rare


def test_the_first_look_at_terrain_is_not_declined_as_one_more() -> None:
    told = set()
    for seed in range(3, 6):
        for _, view, prompt in asked_for("TerrainExamination", seed):
            first = not any(key[0] == str(prompt["seat"]) for key in view.looked)
            options = [option["label"] for option in prompt["fields"][0]["options"]]
            assert ("Look at no Terrain" in options) == first
            assert ("Look at no more Terrain" in options) != first
            told.add(first)
    assert told == {True, False}


def test_an_order_whose_only_attack_meets_terror_says_so() -> None:
    """The Golem was sent at the Waking Queen; that it would check first nobody had said, and it rolled no die."""
    met = 0
    for seed in range(3, 12):
        for moment in moments(seed, True, 500):
            if moment.asked.kind != "OrderExecution" or not isinstance(moment.choice, Execute):
                continue
            seat = moment.asked.seat
            view = GAME.view(moment.events, mask(seat))
            told = prompt_words(seat).more(view, moment.asked, moment.choice).get("sub", "")
            for event in moment.after.events:
                if isinstance(event, AttackDeclared) and event.attacker == moment.choice.unit:
                    aim = view.units[event.target]
                    faced = event.kind is AttackKind.DIRECT and has(
                        moment.state, moment.state.units[aim.id], Ability.TERROR
                    )
                    assert faced or told != TERRIFIED
                    met += told == TERRIFIED
    assert met


def test_vd_161_a_defense_says_that_it_helps_before_it_is_turned_up_too() -> None:
    met = 0
    for seed in range(4):
        for moment in moments(seed, True, 500):
            if moment.asked.kind != "OrderExecution" or not isinstance(moment.choice, Execute):
                continue
            seat, unit = moment.asked.seat, moment.choice.unit
            view = GAME.view(moment.events, mask(seat))
            told = prompt_words(seat).more(view, moment.asked, moment.choice).get("sub", "")
            held = moment.state.units[unit].order
            assert (told == DEFENDS) is (
                held is not None and held.type is OrderType.DEFENSE and not view.units[unit].enraged
            )
            met += told == DEFENDS
    assert met


def test_reasons_and_what_a_check_means_are_said_in_german() -> None:
    german = language_of("vera_discordia", "de")
    assert german is not None
    said = {told for outcomes in OUTCOMES.values() for told in outcomes} | {TERRIFIED, DEFENDS}
    for seed in range(3, 20):
        said |= {reason(before, event) for before, event, _ in walk(GAME, vera(seed), None)}
    said.discard("")
    assert [text for text in said if german.text(text) in {None, "", text}] == []
    assert sum(text.startswith("Why: ") for text in said) > 5
