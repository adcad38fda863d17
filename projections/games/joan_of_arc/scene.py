"""The Scene of Joan of Arc: the hex map, the sky above it, the players' boards, the cards and the dice."""

from typing import Any, Final

from msgspec.structs import astuple

from domain.joan_of_arc import GAME
from domain.joan_of_arc.cards.dice import COLOURS, FACES
from domain.joan_of_arc.state.queries import setting_of
from domain.kernel import Seat
from projections.blocks.frame import counter, frame, mark, plate, symbol
from projections.blocks.zones import column, pile, row, zone
from projections.face import Scene
from projections.games.joan_of_arc.cues import GLYPHS
from projections.games.joan_of_arc.dice_shown import FACE_GLYPHS, faces_rolled, tone, tray
from projections.games.joan_of_arc.goals import final
from projections.games.joan_of_arc.ground import ground_geom
from projections.games.joan_of_arc.layouts import COUNCIL_HIGH, COUNCIL_TALL, COUNCIL_WIDE, TALL, layouts
from projections.games.joan_of_arc.pieces import (
    ORDER_GLYPHS,
    TONES,
    council,
    goal,
    hand,
    markers,
    orders,
    units,
)
from projections.games.joan_of_arc.prompts import WORDS, edges_asked
from projections.games.joan_of_arc.refs import area_ref, is_shown
from projections.games.joan_of_arc.terms import DECKS as DECK_TERMS
from projections.games.joan_of_arc.terms import order_term
from projections.games.joan_of_arc.texts import ORDERS, RESOURCES, die_shown
from projections.games.joan_of_arc.words import PHASES, View, pile_name, side_name, unit_ref
from projections.words import player

SYMBOLS: Final = (
    *(symbol(RESOURCES[name], glyph) for name, glyph in GLYPHS.items()),
    *(symbol(ORDERS[order], glyph, TONES[order]) for order, glyph in ORDER_GLYPHS.items()),
    *(
        symbol(die_shown(die, face), FACE_GLYPHS[face], tone(die), "die")
        for die in COLOURS
        for face in dict.fromkeys(FACES[die])
    ),
)
CHARGES: Final = {"english": "lion", "french": "fleur-de-lys"}
BACKS: Final = {
    "council": "treasure-map",
    "rounds": "hourglass",
    "legend": "open-book",
    "tactics": "broadsword",
    "myth": "magic-swirl",
}
DECKS: Final = tuple(BACKS)
NOBODY: Final = Seat(9)
"""The seat whose colours the backs of common decks have."""
ROOMY: Final = 3
"""The most players whose boards have room for every number; with more players only the dead lie beside the boards."""
BOARD_TERMS: Final = ["xp", "legend", "intrigue", "reroll", "away"]


def scene(view: View, viewer: Seat | None) -> Scene:
    """The table as one viewer sees it."""
    zones = _zones(view, viewer)
    pieces = units(view) | markers(view) | council(view) | goal(view) | hand(view, viewer)
    for seat in range(len(view.boards)):
        pieces |= orders(view, Seat(seat))
    framed = frame(
        GAME,
        view,
        viewer,
        WORDS,
        crumbs=_crumbs(view),
        plates=[_plate(view, Seat(seat)) for seat in range(len(view.boards))],
        layouts=layouts(view, viewer, zones),
        zones=zones,
        pieces=pieces,
        links=_links(view),
        symbols=SYMBOLS,
    )
    if view.result is not None and view.scores:
        framed["prompt"]["also"] += f" {final(view)}"
    return framed


def _crumbs(view: View) -> list[str]:
    scenario = setting_of(view).scenario
    if not view.round:
        return [scenario.name, PHASES["setup"]]
    told = [f"Round {view.round} of {len(scenario.rounds)}", PHASES[view.phase]]
    return told if view.turn is None else [*told, f"{player(view, view.turn)}'s turn"]


def _plate(view: View, seat: Seat) -> dict[str, Any]:
    """The figures that decide the match; the other figures are on the player's board."""
    mine, side = view.boards[seat], setting_of(view).sides[seat]
    standing = sum(unit.owner == seat and unit.spot == "board" for unit in view.field.units.values())
    cubes = sum(astuple(mine.orders))
    counters = {
        "vp": counter("laurels", "VP", view.scores.get(side, 0), key=True, term="vp"),
        "units": counter("templar-shield", "Units on the board", standing, term="unit"),
        "orders": counter("trumpet-flag", "Orders", cubes, term="order-command"),
    }
    marks = {"turn": mark("flying-flag", "On turn", "turn")} if view.turn == seat else {}
    return plate(view, seat, side_name(side), CHARGES.get(side, "griffin-symbol"), counters, marks)


def _board_of(view: View, seat: Seat) -> dict[str, Any]:
    """The pieces on a player board other than orders and units."""
    mine = view.boards[seat]
    dead = sum(unit.owner == seat and unit.spot == "graveyard" for unit in view.field.units.values())
    items: dict[str, Any] = {
        "xp": {"g": "heraldic-sun", "label": "XP", "v": mine.xp},
        "legend": {"g": "open-book", "label": "Legend", "v": mine.legend},
        "intrigue": {"g": "cloak-dagger", "label": "Intrigue", "v": mine.intrigue},
        "hand": {"g": "card-draw", "label": "Cards", "v": mine.hand_size + mine.holds_intrigue},
        "reroll": {"g": "rolling-dices", "label": "Reroll", "v": int(mine.reroll)},
    }
    if len(view.boards) <= ROOMY:
        items["dead"] = {"g": "tombstone", "label": "Dead", "v": dead}
    if mine.stakes:
        items["stakes"] = {"g": "stakes-fence", "label": "Stakes", "v": mine.stakes}
    return {"type": "panel", "items": items}


def _zones(view: View, viewer: Seat | None) -> dict[str, Any]:
    ground, name = ground_geom(view, "ground", edges_asked(view, viewer)), setting_of(view).ground.name
    zones: dict[str, Any] = {"map": zone(ground, "Ground" if view.sky else "", name, style="bare", terms=["area"])}
    if view.sky:
        zones["sky"] = zone(ground_geom(view, "sky"), "Sky", "The sky above the map", terms=["sky"])
    zones["council"] = zone(_river(view), "War council", "Cards of the war council", terms=["council-card"])
    for seat in range(len(view.boards)):
        zones |= _player(view, Seat(seat))
    for name in DECKS:
        if name in view.piles:
            label = pile_name(view, name)
            cards = pile(view.piles[name].left, NOBODY, BACKS[name])
            zones[f"deck-{name}"] = zone(cards, "", label, terms=[DECK_TERMS[name]])
    if viewer is not None:
        mine = row(aspect=0.72, gap=0.6, align="start")
        zones["hand"] = zone(
            mine, "Your cards", "Your legend cards and intrigue", terms=["legend-card", "intrigue-card"]
        )
    elif held := hand(view, None):
        most = max(3, (len(held) + 1) // 2)
        every = row(aspect=0.72, gap=0.6, align="start", max=most)
        zones["hand"] = zone(every, "All hands", "The cards that players hold", terms=["legend-card", "intrigue-card"])
    faces = [f"face-{each}" for each in faces_rolled(view)]
    zones["tray"] = zone({"type": "tray", **tray(view)}, "", "Last roll", style="inlay", terms=[*faces, "dice"])
    return zones


def _river(view: View) -> dict[str, Any]:
    """The cards of the war council with the aim, one below the other; each is drawn as a line."""
    lines = len(view.river) + 1
    wide, tall = (min(4.2, (room - 0.4 * (lines - 1)) / lines) for room in (COUNCIL_HIGH, COUNCIL_TALL))
    return column(aspect=round(COUNCIL_WIDE / wide, 2), gap=0.4, tall={"aspect": round(TALL / tall, 2)})


def _player(view: View, seat: Seat) -> dict[str, Any]:
    """The zones of a player: orders, tokens, and units that are away."""
    who = player(view, seat)
    line = row(aspect=1, gap=0.5, align="start", max=5)
    away = [unit for unit in view.field.units.values() if unit.owner == seat and unit.spot not in {"board", "removed"}]
    note = {} if away else {"note": "empty"}
    return {
        f"orders{seat}": zone(line, "Orders", f"{who}'s orders", owner=seat, terms=[*map(order_term, ORDERS)]),
        f"board{seat}": zone(_board_of(view, seat), "", f"{who}'s board", owner=seat, style="ward", terms=BOARD_TERMS),
        f"away{seat}": zone(line, "Infirmary", f"{who}'s units that are away", owner=seat, **note)
        | {"terms": ["away"]},
    }


def _links(view: View) -> dict[str, Any]:
    """Arrows from attackers to the area that they attack, and from units with a declared action to its destination."""
    attack = view.attack
    if attack is not None:
        return {
            f"attack{at}": {"from": unit_ref(unit), "to": area_ref(attack.target), "tone": f"seat{attack.by}"}
            for at, (unit, _) in enumerate(attack.starts)
            if is_shown(view, unit)
        }
    found = {}
    for now in view.activations[-1:]:
        for plan in now.plans:
            to = plan.target or (plan.path[-1] if plan.path else "")
            if to and plan.unit not in now.done and is_shown(view, plan.unit):
                found[f"plan.{unit_ref(plan.unit)}"] = {
                    "from": unit_ref(plan.unit),
                    "to": area_ref(to),
                    "tone": f"seat{now.by}",
                }
    return found
