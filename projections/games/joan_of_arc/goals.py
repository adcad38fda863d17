"""The ways to win a scenario of Joan of Arc, in words: rewards, places that score, victory at once and at the end."""

from collections.abc import Iterator

from domain.joan_of_arc.board.scenarios import CampScore, InstantVictory
from domain.joan_of_arc.state.queries import setting_of
from domain.joan_of_arc.state.setting import seat_of
from projections.games.joan_of_arc.words import View, area_name, plain_name, side_name
from projections.words import join, player, sentence


def goals(view: View) -> list[str]:
    """All ways to win, sentence by sentence."""
    setting = setting_of(view)
    victory = setting.scenario.victory
    reward = victory.destroyed
    told = [f"A destroyed troop is worth {reward.troop.vp} VP, a destroyed character {reward.character.vp} VP."]
    told += [held(view, each) for each in victory.camp]
    told += [each for instant in victory.instant if (each := _at_once(view, instant))]
    for extra in victory.final.extra:
        side = sentence(side_name(setting.sides[seat_of(extra.player)])).removesuffix(".")
        if extra.when.building_collapsed:
            place = area_name(view, extra.when.building_collapsed)
            told.append(f"{side} score {extra.vp} VP at the end if {place} has collapsed.")
        elif extra.when.area_held or extra.when.interior_held:
            place = area_name(view, extra.when.area_held or extra.when.interior_held or "")
            told.append(f"{side} score {extra.vp} VP at the end if they hold {place}.")
    rounds = len(setting.scenario.rounds)
    return [*told, f"After round {rounds} the side with most VP wins; on a tie {_tied_to(view)} win."]


def _tied_to(view: View) -> str:
    """The side that a tie goes to, with its player."""
    setting = setting_of(view)
    winner = seat_of(setting.scenario.victory.final.tie)
    return f"{side_name(setting.sides[winner])} ({player(view, winner)})"


def tie(view: View) -> str:
    """The winner on equal VP after the last round (JA-247)."""
    return f"On equal VP {_tied_to(view)} win."


def standing(view: View) -> str:
    """The standing of the sides, best first."""
    ranked = sorted(dict.fromkeys(setting_of(view).sides), key=lambda side: -view.scores.get(side, 0))
    return sentence(join([f"{side_name(side)} {view.scores.get(side, 0)} VP" for side in ranked]))


def final(view: View) -> str:
    """The final standing of the sides, and the reason for the result if VP decide and are equal (JA-247)."""
    scores = {view.scores.get(side, 0) for side in setting_of(view).sides}
    is_tie = view.result is not None and view.result.rule == "JA-247" and len(scores) == 1
    return f"{standing(view)} {tie(view)}" if is_tie else standing(view)


def held(view: View, scored: CampScore) -> str:
    """The value of holding a place in each camp phase."""
    place = area_name(view, scored.when.area_held or scored.when.interior_held or "")
    return f"The holder of {place} in the camp phase scores {scored.vp} VP."


def _at_once(view: View, instant: InstantVictory) -> str:
    when, setting = instant.when, setting_of(view)
    if when.vp_at_least is not None:
        return f"A side that has {when.vp_at_least} VP wins at once."
    if when.unit_destroyed is not None and instant.winner != "scorer":
        side = sentence(side_name(setting.sides[seat_of(instant.winner)])).removesuffix(".")
        return f"{side} win at once if {plain_name(setting.index.units[when.unit_destroyed].name)} is destroyed."
    return ""


def scored_in(view: View, area: str) -> int:
    """The value of holding an area in each camp phase."""
    camp = setting_of(view).scenario.victory.camp
    return sum(each.vp for each in camp if area in {each.when.area_held, each.when.interior_held})


def scoring(view: View) -> Iterator[tuple[str, str]]:
    """The places that score in every camp phase, each with its sentence."""
    for scored in setting_of(view).scenario.victory.camp:
        place = scored.when.area_held or scored.when.interior_held
        if place:
            yield place, held(view, scored)
