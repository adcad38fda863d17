"""What a player of War for Edaðh who has read no rulebook is told beside the questions."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel import Asked as DomainAsked
from domain.kernel import Event, Hidden, MatchCreated, Part, Result, Seat, begin, decide
from domain.war_for_edadh.cards.cards import Level
from domain.war_for_edadh.rules.blows import guard_chance
from domain.war_for_edadh.rules.choosing import TroopSelection
from domain.war_for_edadh.rules.discarding import lowest_dv
from domain.war_for_edadh.rules.end_of_duration import Swap
from domain.war_for_edadh.state.events import BowColumnNamed, CardsCompared, GuardTested, PilesRemoved, TroopChosen
from domain.war_for_edadh.state.queries import card, next_position
from domain.war_for_edadh.state.state import DRAW, TroopId, WarState
from projections.foresight import foresee
from projections.games.war_for_edadh import FACE
from projections.games.war_for_edadh.stakes import at_stake, close, overwhelmed, threats
from projections.games.war_for_edadh.words import POSITIONS, purpose
from projections.glossary import glossary
from projections.i18n.language import translated
from projections.words import player
from server.conformance.walks import Seeded
from tests.projections.games.war_for_edadh.face import OPTIONS, laid, pauses
from tests.projections.matches import mask, walk
from tests.projections.matches import play as play_out

A_DRAW = "A draw: same card, both strike"
Asked = tuple[WarState, dict[str, Any], str]


def asked(*kinds: str) -> list[Asked]:
    """The pauses at which the first seat is asked so: its view, the prompt, which question."""
    return [
        (view, scene["prompt"], one.kind)
        for number in range(len(OPTIONS))
        for view, scene in pauses(number, Seat(0))
        for one in view.asked
        if one.seat == 0 and one.kind in kinds and scene["prompt"]["mode"] == "you"
    ]


def test_who_must_discard_is_told_which_discard_value_the_damage_has_passed() -> None:
    due = [(view, prompt) for view, prompt, _ in asked("Removal") if prompt["ask"] == "Which Troop is Discarded?"]
    assert due
    for view, prompt in due:
        dmg, low = view.sides[0].dmg, lowest_dv(view, 0)
        first = f"Damage {dmg} is above Discard Value {low} in your Front Rank: a Troop must go (WE-118)."
        further = f"Damage {dmg} is not below Discard Value {low} in your Front Rank: a further Troop must go (WE-120)."
        told = prompt["hint"].partition(" You are Shaken")
        assert bool(told[1]) == view.sides[0].shaken
        said, retiring = told[0].partition(" Retiring")[:2]
        assert prompt["phase"] == said.replace(" in your Front Rank", "").partition(" (")[0], "in sight"
        assert said == (further if view.sides[0].pile and said != first else first)
        assert dmg > (low or 0) or said == further
        offered = any(option["label"].startswith("Retire") for option in prompt["fields"][0]["options"])
        assert bool(retiring) == offered, "who may Retire instead is told that the Damage stays"


def test_what_is_at_stake_stands_in_sight_where_a_card_is_laid() -> None:
    said = set()
    for view, prompt, _ in asked("MasteryLay"):
        if view.duration == view.round.number == 1:
            assert prompt["phase"] == "the aim: the enemy's Damage above his MP"
            continue
        assert (prompt["phase"] == "secret, both at once") == (not at_stake(view, Seat(0)))
        own, other = view.sides[0], view.sides[1]
        calm = own.dmg <= own.mp and other.dmg <= other.mp
        assert not (own.shaken and calm) or prompt["phase"] == "you are Shaken: lose more cards again and you have lost"
        said.add(prompt["phase"])
    assert len(said) > 2


def test_who_may_swap_is_told_where_the_next_duration_is_fought() -> None:
    offers = asked("SwapOffer")
    assert offers
    for view, prompt, _ in offers:
        position, rule = next_position(view)
        assert prompt["hint"] == f"The next Duration is at {POSITIONS[position]}; the Front Rank fights there ({rule})."
        assert prompt["phase"] == f"the next Duration is at {POSITIONS[position]}"


def test_a_swap_says_what_both_can_where_the_next_duration_is_fought() -> None:
    told = 0
    for view, prompt, _ in asked("SwapOffer"):
        position = next_position(view)[0]
        level = Level.BALLISTIC if position == "range" else Level(position)
        for option in prompt["fields"][0]["options"]:
            rows = [card(view, troop).rows[level] for troop in option.get("at", ())]
            if rows and "sub" in option:
                first, second = option["sub"].removeprefix(f"{POSITIONS[level]}: ").split("; ")
                assert [said.rpartition("def ")[2] for said in (first, second)] == [str(r.defence) for r in rows]
                told += 1
            elif rows:
                assert level is Level.MELEE
    assert told


def test_a_swap_is_not_foretold_in_the_words_of_its_own_option() -> None:
    rng, chance = random.Random(5), Seeded(5)
    events: list[Event] = [MatchCreated(FACE.game.name, {"quick_start": True}, ("", ""))]
    play = begin(FACE.game, FACE.game.fold(events), chance)
    while play.state.asked[0].kind != "SwapOffer":
        events += play.events
        one = play.state.asked[0]
        choice = FACE.game.revive_decision(one).form(play.state).sample(rng.randrange)
        play = decide(FACE.game, play.state, one.seat, one.number, choice, chance)
    one = play.state.asked[0]
    view = FACE.game.view((*events, *play.events), mask(one.seat))
    swaps = [choice for choice in FACE.game.revive_decision(one).form(view) if isinstance(choice, Swap)]
    assert swaps
    stack = play.state.stack
    assert not isinstance(stack, Hidden)
    for swap in swaps:
        option, *follows = foresee(FACE, view, stack, one, swap).lines or ("",)
        assert not any("swaps" in line for line in (option, *follows))


def test_the_goal_stands_beside_the_first_card_and_not_later() -> None:
    told = {
        (view.duration, view.round.number): "You win the combat when" in prompt["hint"]
        for view, prompt, _ in asked("MasteryLay")
    }
    assert told[1, 1]
    assert not any(said for when, said in told.items() if when != (1, 1))


def test_damage_above_mp_is_told_to_lose_when_the_duration_ends_and_not_before() -> None:
    fine = laid()
    above, below = ([replace(side, mp=13, dmg=dmg) for side in fine.sides] for dmg in (24, 13))
    mine, both = replace(fine, sides=(above[0], below[1])), replace(fine, sides=tuple(above))
    assert overwhelmed(replace(fine, sides=tuple(below)), Seat(0)) == ""
    ends = "if it is still so when the Duration ends, the Unit has lost."
    assert overwhelmed(mine, Seat(0)) == f"Your Damage 24 is above MP 13: {ends}"
    assert overwhelmed(mine, Seat(1)) == f"The enemy's Damage 24 is above MP 13: {ends}"
    assert overwhelmed(both, Seat(0)).endswith("nobody wins (WE-114).")


def test_who_lays_a_card_under_too_much_damage_is_told_so() -> None:
    view, prompt, _ = asked("MasteryLay")[-1]
    assert "when the Duration ends" not in prompt["hint"]
    sides = (replace(view.sides[0], mp=13, dmg=24), view.sides[1])
    hint = FACE.scene(replace(view, sides=sides), Seat(0))["prompt"]["hint"]
    assert hint.startswith("Your Damage 24 is above MP 13: if it is still so when the Duration ends")
    german = translated(FACE, "de").scene(replace(view, sides=sides), Seat(0))["prompt"]["hint"]
    assert german.startswith("Dein Schaden 24 liegt über MP 13: Ist es am Ende der Dauer noch so")


def test_who_lays_a_card_is_warned_that_its_mp_may_bring_mp_below_damage() -> None:
    view, _, _ = asked("MasteryLay")[-1]

    def near(mp: int, dmg: int) -> WarState:
        return replace(view, sides=(replace(view.sides[0], mp=mp, dmg=dmg), replace(view.sides[1], mp=40, dmg=0)))

    assert close(near(30, 20), Seat(0)) == ""
    assert close(near(30, 20), Seat(1)) == ""
    told = "Your MP 30 less Damage 28 leaves 2: cards cost MP, and with less MP than Damage when the Duration ends"
    assert close(near(30, 28), Seat(0)) == f"{told} the Unit has lost (WE-113)."
    assert told in FACE.scene(near(30, 28), Seat(0))["prompt"]["hint"]
    german = translated(FACE, "de").scene(near(30, 28), Seat(0))["prompt"]["hint"]
    assert german.startswith("Deine MP 30 weniger Schaden 28 lassen 2: Karten kosten MP")
    over = FACE.scene(near(28, 30), Seat(0))["prompt"]["hint"]
    assert over.startswith("Your Damage 30 is above MP 28")
    assert "leaves" not in over


@pytest.mark.parametrize(("lang", "free"), [("en", "it costs no MP"), ("de", "sie kostet keine MP")])
def test_cards_that_break_a_tie_stand_by_number_and_are_told_to_cost_nothing(lang: str, free: str) -> None:
    view = laid(laid=[{"cv": 7}, {"cv": 7}], values=[7, 7], attacker=DRAW)
    one = DomainAsked(1, Seat(0), "TieLay", {"by": 0})
    prompt = (FACE if lang == "en" else translated(FACE, lang)).scene(replace(view, asked=(one,)), Seat(0))["prompt"]
    numbers = [option["label"].partition(",")[0] for option in prompt["fields"][0]["options"]]
    assert numbers == [str(cv) for cv in range(2, 13) if cv != 7]
    assert free in prompt["why"]


def test_a_match_that_nobody_won_says_why() -> None:
    def why(rule: str, lang: str = "en", won: Seat | None = None) -> str:
        view = replace(laid(), players=("Ann", "Bo"), result=Result(won, "draw", rule))
        return str((FACE if lang == "en" else translated(FACE, lang)).scene(view, Seat(0))["prompt"].get("why", ""))

    assert why("WE-113") == "Both have more Damage than MP at the end of the Duration: nobody wins (WE-113, WE-114)."
    assert why("WE-113", "de").startswith("Beide haben am Ende der Dauer mehr Schaden als MP: Niemand gewinnt")
    assert why("WE-114") == why("WE-113")
    assert why("WE-136") == why("WE-135")
    assert why("WE-135").endswith("nobody wins (WE-136).")
    assert why("WE-135", "de").startswith("Beide Verbände haben am Ende derselben Dauer verloren")
    assert "nobody wins" not in why("WE-113", won=Seat(0))


def test_who_lays_a_card_is_warned_that_damage_will_cost_troops() -> None:
    view, _, _ = asked("MasteryLay")[-1]

    def hint(mine: int, his: int, lang: str = "en", *, shaken: bool, last: bool = False) -> str:
        sides = (
            replace(view.sides[0], mp=40, dmg=mine, shaken=shaken),
            replace(view.sides[1], mp=40, dmg=his, shaken=False),
        )
        face = FACE if lang == "en" else translated(FACE, lang)
        seen = replace(view, sides=sides, rounds=view.round.number + (0 if last else 1))
        return str(face.scene(seen, Seat(0))["prompt"]["hint"])

    low = [lowest_dv(view, 0) or 0, lowest_dv(view, 1) or 0]
    assert all(low)
    assert "Discard Value" not in hint(low[0], low[1], shaken=False)
    soon, shaken = (
        "if it stays so, you lose Troops when the Duration ends (WE-118).",
        "The side that loses more is Shaken (WE-129).",
    )
    mine = f"Your Damage {low[0] + 1} is above Discard Value {low[0]}: {soon}"
    his = f"The enemy's Damage {low[1] + 1} is above Discard Value {low[1]}: {soon.replace('you lose', 'he loses')}"
    assert hint(low[0] + 1, low[1], shaken=False) == f"{mine} {shaken}"
    assert hint(low[0], low[1] + 1, shaken=False) == f"{his} {shaken}"
    assert hint(low[0] + 1, low[1] + 1, shaken=False) == f"{mine} {his} {shaken}"
    assert hint(low[0] + 1, 0, shaken=True).startswith(f"{mine} You are Shaken:")
    last = f"After this round Damage above Discard Value {low[0]} costs you Troops (WE-118)."
    assert hint(low[0], low[1], shaken=False, last=True) == f"{last} {shaken}"
    assert hint(low[0], low[1], shaken=True, last=True).startswith("You are Shaken:")
    assert hint(low[0] + 1, low[1], shaken=False, last=True) == f"{mine} {shaken}"
    assert hint(low[0], low[1] + 1, shaken=False, last=True) == f"{last} {his} {shaken}"
    assert "Nach dieser Runde kostet dich" in hint(low[0], low[1], lang="de", shaken=False, last=True)
    german = hint(low[0] + 1, low[1] + 1, lang="de", shaken=False)
    assert "verlierst du am Ende der Dauer Truppen (WE-118). Der Schaden des Feindes" in german
    assert german.count("erschüttert") == 1
    assert "Troops" not in german


def test_we_116_what_was_instant_discarded_is_taken_off_damage_before_it_is_told() -> None:
    view, _, _ = asked("MasteryLay")[-1]
    gone = next(troop for column in view.sides[0].columns for troop in column)
    low, less = lowest_dv(view, 0) or 0, card(view, gone).dv

    def hint(dmg: int, lang: str = "en", *, last: bool = False) -> str:
        side = replace(view.sides[0], mp=90, dmg=dmg, instant=(gone,), shaken=False)
        seen = replace(view, sides=(side, replace(view.sides[1], mp=90, dmg=0)), rounds=view.round.number + (not last))
        return (
            threats(seen, Seat(0))
            if lang == "en"
            else str(translated(FACE, lang).scene(seen, Seat(0))["prompt"]["hint"])
        )

    assert less
    assert low
    assert hint(low + less) == ""
    above = f"Your Damage {low + less + 1}, less {less} for Instant Discards (WE-116), is above Discard Value {low}:"
    assert hint(low + less + 1).startswith(above)
    assert f"Dein Schaden {low + less + 1}, weniger {less}" in hint(low + less + 1, "de")
    limit = f"Damage above {low + less} costs you Troops: Discard Value {low} and {less} for Instant Discards"
    assert limit in hint(0, last=True)
    assert f"Schaden über {low + less} Truppen: Ablagewert {low} und {less}" in hint(0, "de", last=True)


def test_we_241_at_ballistic_the_enemy_names_the_unit_that_discards() -> None:
    view, _, _ = asked("MasteryLay")[-1]
    troops = [troop for column in view.sides[0].columns for troop in column]
    high = max(troops, key=lambda troop: card(view, troop).dv)
    low = min(troops, key=lambda troop: card(view, troop).dv)
    values = card(view, low).dv, card(view, high).dv
    assert values[0] < values[1]

    def hint(dmg: int, *, last: bool = False) -> str:
        side = replace(view.sides[0], mp=90, dmg=dmg, columns=((high,), (), ()), support=((low,), (), ()), shaken=False)
        sides = (side, replace(view.sides[1], mp=90, dmg=0))
        return threats(replace(view, sides=sides, position="ballistic", rounds=view.round.number + (not last)), Seat(0))

    assert hint(values[0]) == ""
    assert "you may lose Troops when the Duration ends: the enemy names the Unit that Discards (WE-241)." in hint(
        values[0] + 1
    )
    assert "you lose Troops when the Duration ends (WE-118)." in hint(values[1] + 1)
    assert f"Damage above Discard Value {values[0]} may cost you Troops (WE-118)." in hint(0, last=True)


def test_that_the_enemy_has_lost_as_it_stands_hides_nothing_that_threatens_the_player() -> None:
    view, _, _ = asked("MasteryLay")[-1]
    sides = (replace(view.sides[0], mp=20, dmg=18), replace(view.sides[1], mp=10, dmg=12))
    told = threats(replace(view, sides=sides), Seat(0))
    assert told.startswith("The enemy's Damage 12 is above MP 10")
    assert "Your MP 20 less Damage 18 leaves 2: cards cost MP" in told
    assert "cards cost MP" not in threats(replace(view, sides=sides), Seat(0), pays=False)


def test_who_lays_a_card_is_warned_that_a_shaken_unit_may_rout() -> None:
    view, _, _ = asked("MasteryLay")[-1]

    def hint(mine: bool, his: bool, dmg: int = 0, lang: str = "en") -> str:
        sides = (replace(view.sides[0], shaken=mine, mp=13, dmg=dmg), replace(view.sides[1], shaken=his, mp=20, dmg=0))
        face = FACE if lang == "en" else translated(FACE, lang)
        return str(face.scene(replace(view, sides=sides), Seat(0))["prompt"]["hint"])

    rout = "in this Duration again is a rout, and the Unit has lost (WE-130)."
    assert "rout" not in hint(mine=False, his=False)
    assert hint(mine=True, his=False) == f"You are Shaken: to lose more cards than the enemy {rout}"
    assert hint(mine=False, his=True) == f"The enemy is Shaken: for him to lose more cards than you {rout}"
    assert hint(mine=True, his=False, dmg=24).startswith("Your Damage 24 is above MP 13:")
    assert hint(mine=True, his=False, dmg=24).endswith(rout)
    assert hint(mine=True, his=False, dmg=24, lang="de").startswith("Dein Schaden 24 liegt über MP 13")
    assert "Du bist erschüttert" in hint(mine=True, his=False, dmg=24, lang="de")
    assert hint(mine=False, his=True, lang="de").startswith("Der Feind ist erschüttert")


def test_who_may_retire_while_shaken_is_told_that_the_lost_cards_decide() -> None:
    view = next(view for view, prompt, _ in asked("Removal") if prompt["ask"] == "Do you Retire a Troop?")
    for mine in (False, True):
        sides = (replace(view.sides[0], shaken=mine), view.sides[1])
        seen = replace(view, sides=sides)
        assert ("You are Shaken" in FACE.scene(seen, Seat(0))["prompt"]["hint"]) == mine
        assert ("Du bist erschüttert" in translated(FACE, "de").scene(seen, Seat(0))["prompt"]["hint"]) == mine


def test_a_guard_is_told_to_stop_the_blow() -> None:
    view = laid()
    tested = GuardTested(seat=Seat(1), guarded=True, ways=(Part("WE-081", 2, "mastery"),))
    lines = FACE.narrate(view, view, tested, None)
    assert lines == "Seat 2 guards, the blow is stopped (+2 mastery (WE-081))."


def test_beside_the_choice_of_a_troop_stands_who_attacks() -> None:
    offers = asked("TroopSelection")
    assert offers
    for view, prompt, _ in offers:
        who = view.round.attacker
        said = "You attack" if who == 0 else f"{player(view, who)} attacks"
        assert prompt["phase"].partition(";")[0] == said or (who == DRAW and prompt["phase"].startswith("A draw: "))


def test_who_chooses_a_troop_is_told_that_the_blow_may_be_guarded_against() -> None:
    warned = 0
    for view, prompt, _ in asked("TroopSelection"):
        can = guard_chance(view)
        assert ("; " in prompt["phase"]) == can
        assert prompt.get("hint", "").endswith("penetration (WE-080).") == can
        warned += can
    assert warned
    view = laid(values=[9, 4], chosen=["", ""])
    one = DomainAsked(1, Seat(0), "TroopSelection", {})
    assert purpose(view, one).startswith("The enemy's 4 may guard against your 9: the blow is stopped if")
    other = DomainAsked(1, Seat(1), "TroopSelection", {})
    assert purpose(view, other).startswith("Your 4 may guard against 9: the blow is stopped if")


def test_of_a_draw_it_is_said_why_it_is_one() -> None:
    def said(first: int, second: int, lang: str = "en") -> str:
        drawn = laid(laid=[{"cv": first}, {"cv": second}], values=[first, second], attacker=DRAW)
        face = FACE if lang == "en" else translated(FACE, lang)
        result = face.scene(drawn, Seat(0))["zones"]["tray"]["geom"]["roll"]["result"]
        compared = CardsCompared((first, second), DRAW)
        return f"{result.partition(';')[0]} / {face.narrate(drawn, drawn, compared, None)}"

    assert said(9, 9) == f"{A_DRAW} / The round is a draw."
    ends = "5 and 11 are the two ends of one card: the round is a draw."
    assert said(5, 11) == f"A draw: 5 and 11 are one card / {ends}"
    german = "5 und 11 sind die zwei Enden einer Karte: Die Runde ist unentschieden."
    assert said(5, 11, "de") == f"Remis: 5 und 11 sind eine Karte / {german}"


def test_a_guard_note_names_cards_that_can_be_laid() -> None:
    pieces = FACE.scene(laid(), Seat(0))["pieces"]
    ends = {end["v"]: dict(end["tip"]) for n in range(1, 7) for end in pieces[f"m{n}"]["ends"]}
    assert {cv: tip["May guard against:"] for cv, tip in ends.items() if cv in {1, 7, 8, 9, 12}} == {
        1: "5, 6",
        7: "11, 12",
        8: "12, 1 as 13",
        9: "1 as 13, 2 as 14",
        12: "4 as 16, 5 as 17",
    }
    german = translated(FACE, "de").scene(laid(), Seat(0))["pieces"]["m3"]["ends"][1]["tip"]
    assert ["Kann decken gegen:", "1 als 13, 2 als 14"] in german


def _tips(lang: str, name: str) -> dict[int, str | None]:
    """What the ends of the cards in hand say under this name."""
    pieces = (FACE if lang == "en" else translated(FACE, lang)).scene(laid(), Seat(0))["pieces"]
    return {end["v"]: dict(end["tip"]).get(name) for n in range(1, 7) for end in pieces[f"m{n}"]["ends"]}


def test_a_high_card_names_the_low_ones_that_beat_it() -> None:
    told = _tips("en", "Loses to:")
    assert {cv: told[cv] for cv in (1, 7, 8, 9)} == {1: None, 7: None, 8: "1 too", 9: "1, 2 too"}
    assert told[12] == "1, 2, 3, 4, 5 too"
    assert _tips("de", "Verliert gegen:")[9] == "auch 1, 2"


def test_a_card_names_those_that_may_guard_against_it() -> None:
    told = _tips("en", "May be guarded by:")
    assert {cv: told[cv] for cv in (1, 7, 9, 11)} == {1: "8, 9", 7: "2, 3", 9: "4, 5", 11: "6, 7"}
    assert _tips("de", "Deckbar durch:") == told


@pytest.mark.parametrize(
    ("viewer", "near", "far"),
    [(Seat(0), "left", "right"), (Seat(1), "right", "left"), (None, "left", "right")],
    ids=["first seat", "second seat", "onlooker"],
)
def test_columns_are_told_as_they_are_seen_and_not_from_the_other_side(
    viewer: Seat | None, near: str, far: str
) -> None:
    view = laid()
    unlike = {"left": "linke", "right": "rechte"}
    for seat, troop, seen in ((Seat(0), "A1", near), (Seat(1), "B1", far)):
        chosen = TroopChosen(seat, TroopId(troop), "main", 1, 1, seat)
        assert f" {troop} ({seen} column, rank 1) fights" in FACE.narrate(view, view, chosen, viewer)
        assert f" {troop} von " in translated(FACE, "de").narrate(view, view, chosen, viewer)
        assert f"({unlike[seen]} Spalte, Glied 1)" in translated(FACE, "de").narrate(view, view, chosen, viewer)
        assert f"the {seen} column" in FACE.narrate(view, view, BowColumnNamed(seat, 1), viewer)
        assert f", {seen} column, rank 1" in FACE.scene(view, viewer)["pieces"][troop]["label"]


def test_who_is_not_asked_for_a_troop_at_melee_is_told_why() -> None:
    told = dict.fromkeys((True, False), 0)
    events = tuple(play_out(FACE.game, 22, {"quick_start": True}))  # one that comes to a Melee
    for lang in ("en", "de"):
        face = FACE if lang == "en" else translated(FACE, lang)
        for before, event, view in walk(FACE.game, events, Seat(0)):
            first = before.round.chosen[1 - event.seat] if isinstance(event, TroopChosen) else ""
            if isinstance(event, TroopChosen) and first and event.by == event.seat:
                forced = len(TroopSelection(event.seat, first=False).troops(before)) == 1 and before.position == "melee"
                said = face.narrate(before, view, event, Seat(0))
                why = "no other can meet" if lang == "en" else "Keine andere kann"
                assert (f"fights: {why}" in said or f"kämpft: {why}" in said) == forced, said
                assert (f" {first} " in said) == forced
                told[forced] += 1
    assert all(told.values())


@pytest.mark.parametrize(("lang", "one"), [("en", "leaves the game."), ("de", "verlässt das Spiel.")])
def test_one_troop_leaves_and_several_leave(lang: str, one: str) -> None:
    view, face = laid(), FACE if lang == "en" else translated(FACE, lang)
    gone: tuple[TroopId, ...] = (TroopId("A1"), TroopId("A2"))
    said = []
    for pile in (gone, gone[:1], ()):
        before = replace(view, sides=(replace(view.sides[0], pile=pile), replace(view.sides[1], pile=())))
        said.append(face.narrate(before, view, PilesRemoved(), None))
    assert said[0]
    assert one not in said[0]
    assert said[1].endswith(f" A1 {one}")
    assert not said[2]


def test_no_room_is_kept_for_masters_and_standards_that_nobody_has() -> None:
    kinds = ("mst", "play", "std")
    for number, has_them in ((0, True), (1, False)):
        scene = pauses(number, Seat(0))[-1][1]
        for name in ("wide", "tall"):
            at = scene["layouts"][name]["at"]
            assert set(at) == set(scene["zones"])
            assert any(zone.startswith(kinds) for zone in at) == has_them
        assert (scene["layouts"]["tall"]["size"][1] < 110) != has_them


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_a_heading_over_cards_stands_only_where_there_is_another_way_to_lay(number: int) -> None:
    for _, scene in pauses(number, Seat(0)):
        options = scene["prompt"].get("fields", [{}])[0].get("options", [])
        if scene["prompt"]["ask"] == "Which Mastery Card do you lay?" and scene["prompt"]["mode"] == "you":
            others = any(len(option["at"]) > 1 for option in options)
            assert [option for option in options if ("grp" in option) != others] == []
            assert not others or "m7" in scene["pieces"]


def test_a_troop_says_its_numbers_at_every_other_combat_level() -> None:
    view, scene = pauses(0, Seat(0))[-1]
    troops = [ref for ref, piece in scene["pieces"].items() if piece["kind"] == "troop"]
    assert troops
    for ref in troops:
        told = dict(tip for tip in scene["pieces"][ref]["tip"])
        rows = card(view, ref).rows
        for level in set(Level) & set(rows):
            said = f"def {rows[level].defence}"
            assert said in told.get(f"{POSITIONS[level]}:", said)


def test_a_small_army_is_offered_with_what_the_enemy_may_bring() -> None:
    (offer, *_) = asked("ArmySelection")
    said = {option["label"]: option["sub"] for option in offer[1]["fields"][0]["options"]}
    assert said["Dzaa quick start"].endswith("Army Cost: 24; the enemy may bring 80")
    assert said["Dzaa four ranks"].endswith("Army Cost: 80")


def test_a_troop_to_be_placed_says_what_it_can() -> None:
    (offer, *_) = asked("Deployment")
    for item in offer[1]["fields"][0]["items"]:
        assert item["sub"].count("def ") == 3


def test_the_end_says_why_it_is_one() -> None:
    for number in range(len(OPTIONS)):
        view, scene = pauses(number, Seat(0))[-1]
        result = view.result
        assert result is not None
        if result.won and result.reason in glossary("war_for_edadh"):
            assert scene["prompt"]["why"] == glossary("war_for_edadh")[result.reason].sentence()


def test_what_may_be_answered_always_is_to_do_nothing() -> None:
    offers = asked("Removal", "SwapOffer", "CombiningOffer", "StandardOffer")
    quiet = {
        option["label"]
        for _, prompt, _ in offers
        for option in prompt["fields"][0]["options"]
        if option.get("tone") == "quiet"
    }
    assert {"Leave the cards as they stand", "Retire no Troop"} <= quiet
    assert quiet <= {"Leave the cards as they stand", "Retire no Troop", "No further helper", "Keep the Standards"}
