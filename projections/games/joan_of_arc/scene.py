"""The Scene of Joan of Arc: the hex map, the sky above it, the players' boards, the cards and the dice."""

from typing import Any, Final

from domain.joan_of_arc import GAME
from domain.joan_of_arc.dice import Face, face
from domain.joan_of_arc.queries import held, setting_of
from domain.kernel import Seat
from projections.blocks.frame import counter, frame, mark, plate
from projections.blocks.zones import layout, pile, row, zone
from projections.face import Scene
from projections.games.joan_of_arc.ground import ground_geom
from projections.games.joan_of_arc.pieces import ORDER_GLYPHS, council, hand, markers, units
from projections.games.joan_of_arc.prompts import WORDS
from projections.games.joan_of_arc.refs import area_ref, is_shown
from projections.games.joan_of_arc.terms import DECKS, order_term
from projections.games.joan_of_arc.texts import FACES, ORDERS
from projections.games.joan_of_arc.words import PHASES, View, area_name, pile_name, side_name, unit_ref
from projections.plain import player
from projections.words import sentence

WIDE: Final = (136, 88)
TALL_WIDTH: Final = 60
CHARGES: Final = {"english": "lion", "french": "fleur-de-lys"}
FACE_GLYPHS: Final = {
    Face.KILL: "skull-crossed-bones",
    Face.DISRUPT: "broken-shield",
    Face.PUSH: "push",
    Face.SHIELD: "shield",
    Face.BLANK: "",
    Face.TRAMPLE: "horseshoe",
    Face.DEATH: "death-skull",
    Face.RALLY: "rally-the-troops",
    Face.DELAYED_RALLY: "hourglass",
}
BACK: Final = "scroll-unfurled"


def scene(view: View, viewer: Seat | None) -> Scene:
    """The table as one viewer sees it."""
    zones = _zones(view, viewer)
    pieces = units(view) | markers(view) | council(view) | hand(view, viewer)
    return frame(
        GAME,
        view,
        viewer,
        WORDS,
        crumbs=_crumbs(view),
        plates=[_plate(view, Seat(seat)) for seat in range(len(view.boards))],
        layouts=_layouts(view, zones),
        zones=zones,
        pieces=pieces,
        links=_links(view),
    )


def _crumbs(view: View) -> list[str]:
    scenario = setting_of(view).scenario
    if not view.round:
        return [scenario.name, PHASES["setup"]]
    told = [f"Round {view.round} of {len(scenario.rounds)}", PHASES[view.phase]]
    return told if view.turn is None else [*told, f"{player(view, view.turn)}'s turn"]


def _plate(view: View, seat: Seat) -> dict[str, Any]:
    mine, side = view.boards[seat], setting_of(view).sides[seat]
    counters = {
        "vp": counter("laurels", "VP of the side", view.scores.get(side, 0), term="vp", key=True),
        "xp": counter("heraldic-sun", "XP", mine.xp, term="xp", key=True),
        "legend": counter("open-book", "Legend tokens", mine.legend, term="legend"),
        "intrigue": counter("cloak-dagger", "Intrigue tokens", mine.intrigue, term="intrigue"),
        "hand": counter("card-draw", "Legend cards", mine.hand_size, term="legend-card"),
    }
    for order, name in ORDERS.items():
        label = f"{name.capitalize()}s"
        number = held(mine, order)  # type: ignore[arg-type]
        counters[order] = counter(ORDER_GLYPHS[order], label, number, term=order_term(order))
    marks = {"reroll": mark("rolling-dices", "Reroll token", "reroll")} if mine.reroll else {}
    marks |= {"turn": mark("flying-flag", "Whose turn it is", "turn")} if view.turn == seat else {}
    marks |= {"intrigue": mark("hood", "Holds an intrigue card", "intrigue-card")} if mine.holds_intrigue else {}
    return plate(view, seat, side_name(side), CHARGES.get(side, "griffin-symbol"), counters, marks)


def _zones(view: View, viewer: Seat | None) -> dict[str, Any]:
    zones: dict[str, Any] = {"map": zone(ground_geom(view, "ground"), "", setting_of(view).ground.name, terms=["area"])}
    if view.sky:
        zones["sky"] = zone(ground_geom(view, "sky"), "Sky", "The sky above the map", terms=["sky"])
    zones["council"] = zone(
        row(aspect=0.72, gap=0.5), "War council", "Cards of the war council", terms=["council-card"]
    )
    for seat in range(len(view.boards)):
        who = player(view, seat)
        shape = row(aspect=1, gap=0.4, align="start")
        zones[f"away{seat}"] = zone(
            shape, "Away", f"{who}'s infirmary, graveyard and captives", owner=seat, terms=["away"]
        )
    for name, term in DECKS.items():
        if name in view.piles:
            label = pile_name(view, name)
            zones[f"deck-{name}"] = zone(pile(view.piles[name].left, Seat(0), BACK), "", label, terms=[term])
    if viewer is not None:
        shape, terms = row(aspect=0.72, gap=0.6, align="start"), ["legend-card", "intrigue-card"]
        zones["hand"] = zone(shape, "Your cards", "Your legend cards and intrigue", terms=terms)
    zones["tray"] = zone({"type": "tray", **_roll(view)}, "", "Last roll", style="inlay", terms=["dice"])
    return zones


def _roll(view: View) -> dict[str, Any]:
    """The dice of the attack that goes on, by whose they are; else the last roll. Each die shows its face."""
    attack, roll = view.attack, view.roll
    if attack is not None and (attack.attack_dice or attack.defence_dice):
        defender = next((view.field.units[unit].owner for unit in attack.defenders), None)
        rolled = (("Attack", attack.by, attack.attack_dice), ("Defence", defender or 0, attack.defence_dice))
        groups = [
            {"label": name, "owner": owner, "dice": [_die(die.colour, die.face) for die in dice]}
            for name, owner, dice in rolled
            if dice
        ]
        return {"roll": {"title": sentence(area_name(view, attack.target)).removesuffix("."), "groups": groups}}
    if roll is None:
        return {}
    shown = [_die(kind, face(kind, value)) for kind, value in zip(roll.kinds, roll.dice, strict=True)]
    whose = "" if roll.seat is None else player(view, roll.seat)
    return {"roll": {"title": roll.title, "groups": [{"label": whose, "owner": roll.seat or 0, "dice": shown}]}}


def _die(kind: str, shown: Face) -> dict[str, Any]:
    return {"t": kind, "f": FACE_GLYPHS[shown], "label": f"{kind} {FACES[shown]}"}


def _layouts(view: View, zones: dict[str, Any]) -> dict[str, Any]:
    seats = len(view.boards)
    side = 104.0
    wide: dict[str, list[float]] = {
        "map": [0, 0, 66 if view.sky else 102, 71],
        "sky": [67, 0, 35, 71],
        "hand": [0, 73, 58, 15],
        "tray": [60, 73, 42, 15],
        "council": [side, 0, 32, 16],
    }
    tall: dict[str, list[float]] = {"map": [0, 0, 60, 62], "council": [0, 64, 60, 16], "tray": [0, 82, 60, 12]}
    tall |= {"hand": [0, 96, 60, 16], "sky": [0, 114, 60, 40]}
    below = 156.0
    for at, name in enumerate(DECKS):
        wide[f"deck-{name}"] = [side + 6.4 * at, 18, 5.8, 8]
        tall[f"deck-{name}"] = [12.0 * at, below, 10, 12]
    for seat in range(seats):
        wide[f"away{seat}"] = [side, 30 + 14.5 * seat, 32, 12]
        tall[f"away{seat}"] = [0, below + 14 + 10 * seat, 60, 8]
    boxes = [{name: box for name, box in each.items() if name in zones} for each in (wide, tall)]
    height = below + 14 + 10 * seats
    return {"wide": layout(*WIDE, boxes[0]), "tall": layout(TALL_WIDTH, height, boxes[1])}


def _links(view: View) -> dict[str, Any]:
    """An arrow from who attacks to the area that is attacked."""
    attack = view.attack
    if attack is None:
        return {}
    return {
        f"attack{at}": {"from": unit_ref(unit), "to": area_ref(attack.target), "tone": f"seat{attack.by}"}
        for at, (unit, _) in enumerate(attack.starts)
        if is_shown(view, unit)
    }
