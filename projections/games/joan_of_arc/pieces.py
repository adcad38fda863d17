"""The pieces of a Scene of Joan of Arc: units, orders, tokens on the board, cards."""

from typing import Any, Final

from domain.joan_of_arc.queries import border_of, card_of, setting_of, table_of
from domain.joan_of_arc.state import Unit
from domain.joan_of_arc.units import UnitCard
from domain.kernel import Hidden, Seat
from projections.blocks.pieces import card, docked, state
from projections.games.joan_of_arc.board import SPOTS, unit_words
from projections.games.joan_of_arc.refs import is_shown
from projections.games.joan_of_arc.terms import EDGES, order_term, unit_terms
from projections.games.joan_of_arc.texts import ORDERS, deeds, resource
from projections.games.joan_of_arc.words import View, area_name, card_name, plain_name, side_name, unit_name, unit_ref
from projections.words import sentence

Pieces = dict[str, Any]
ARMS: Final = {"infantry": "swordman", "cavalry": "cavalry", "monster": "spiked-dragon-head", "machine": "catapult"}
ORDER_GLYPHS: Final = {
    "command": "trumpet-flag",
    "charge": "charging-bull",
    "reactivation": "clockwise-rotation",
    "interrupt": "interdiction",
}


def map_of(area: str) -> str:
    """The zone in which an area lies."""
    return "sky" if area.startswith("sky:") else "map"


def glyph_of(found: UnitCard) -> str:
    """The emblem of a unit."""
    if found.kind == "civilian":
        return "farmer"
    if found.kind == "character":
        return "crown" if found.arm in {"infantry", "cavalry"} else ARMS[found.arm]
    return "bowman" if found.shoot and found.arm == "infantry" else ARMS[found.arm]


def units(view: View) -> Pieces:
    """Every unit that has a piece: on the board, on its carrier, or among those that are away."""
    found: Pieces = {}
    away: dict[Seat, int] = {}
    for unit in view.field.units.values():
        if not is_shown(view, unit.id):
            continue
        if unit.spot != "board" and unit.owner is not None:
            slot = away[unit.owner] = away.get(unit.owner, -1) + 1
            at: dict[str, Any] = {"zone": f"away{unit.owner}", "slot": slot}
        elif unit.carrier:
            at = {"on": unit_ref(unit.carrier), "dock": "br", "dockSize": 0.6, "zone": map_of(unit.area)}
        else:
            at = {"zone": map_of(unit.area), "slot": unit.area}
        found[unit_ref(unit.id)] = at | _unit(view, unit)
    return found


def _unit(view: View, unit: Unit) -> dict[str, Any]:
    found = card_of(view, unit)
    where = area_name(view, unit.area) if unit.spot == "board" else SPOTS.get(unit.spot, unit.spot)
    owner = {} if unit.owner is None else {"owner": unit.owner}
    whose = "civilian" if unit.owner is None else side_name(setting_of(view).sides[unit.owner])
    life = {} if found.hp is None else {"bar": {"v": max(0, found.hp - unit.wounds), "max": found.hp, "label": "HP"}}
    attacked = view.attack is not None and unit.id in view.attack.defenders
    spent = any(unit.id in activation.done for activation in view.activations)
    return {
        "shape": "disc",
        "kind": found.kind,
        **owner,
        "glyph": glyph_of(found),
        "title": unit_name(view, unit.id),
        "label": sentence(f"{unit_words(view, unit)}; {whose}, {where}"),
        **({"size": 1.2} if found.kind == "character" else {}),
        **({"tier": 2} if found.kind == "character" else {}),
        **life,
        "terms": unit_terms(found, away=unit.spot != "board", equipped=bool(unit.equipment)),
        **state("hot" if attacked else "", "used" if spent else "", "dead" if unit.spot == "graveyard" else ""),
    }


def markers(view: View) -> Pieces:
    """Orders, rally points, fire, barricades and what stands on edges."""
    found: Pieces = {}
    for area, placed in view.placed.items():
        for number, order in enumerate(placed):
            label = sentence(f"{ORDERS[order]} on {area_name(view, area)}")
            found[f"o{number}.{_safe(area)}"] = _marker("cube", ORDER_GLYPHS[order], area, label, order_term(order))
    for side, areas in view.rallies.items():
        owner = next(seat for seat, each in enumerate(setting_of(view).sides) if each == side)
        for number, area in enumerate(areas):
            label = sentence(f"rally point of {side_name(side)}, {area_name(view, area)}")
            found[f"y{number}.{side}"] = _marker("flag", "rally-the-troops", area, label, "rally-point") | {
                "owner": owner
            }
    for area, lying in view.field.lying.items():
        if lying.fire:
            label = sentence(f"fire in {area_name(view, area)}")
            found[f"f.{_safe(area)}"] = _marker("coin", "small-fire", area, label, "fire")
        if lying.barricade:
            label = sentence(f"barricade of {side_name(lying.barricade)} in {area_name(view, area)}")
            found[f"b.{_safe(area)}"] = _marker("coin", "halt", area, label, "barricade")
    return found | _on_edges(view)


def _on_edges(view: View) -> Pieces:
    found: Pieces = {}
    board = table_of(view).board
    for name, edge in view.field.edges.items():
        at, number = border_of(name)
        area = next((id_ for id_ in board.hexes["ground"].get(at, ()) if number in board.areas[id_].edges), None)
        if area is not None:
            whose = f" of {side_name(edge.side)}" if edge.side else ""
            label = sentence(f"{edge.feature}{whose} on edge {number} of {area_name(view, area)}")
            glyph = "stakes-fence" if edge.feature == "stakes" else "castle"
            found[f"e.{_safe(name)}"] = _marker("coin", glyph, area, label, EDGES[edge.feature])
    return found


def _safe(name: str) -> str:
    """A part of a piece's name, in which `/` and `#` may not stand."""
    return name.replace("/", ".")


def _marker(shape: str, glyph: str, area: str, label: str, term: str) -> dict[str, Any]:
    at = {"zone": map_of(area), "slot": area, "mark": True}
    return {"shape": shape, "kind": "marker", "glyph": glyph, "label": label, "terms": [term], **at}


def council(view: View) -> Pieces:
    """The river of the war council, face up."""
    index = setting_of(view).index.war_council
    return {
        f"r{at}": card(
            "council",
            "council",
            at,
            title=plain_name(index[name].name),
            glyph="treasure-map",
            label=sentence(f"{plain_name(index[name].name)}, war council: {deeds(index[name].effects)}"),
            terms=["council-card"],
        )
        for at, name in enumerate(view.river)
    }


def hand(view: View, viewer: Seat | None) -> Pieces:
    """The viewer's own legend cards and intrigue card; nobody else's are pieces, only numbers on their plates."""
    if viewer is None:
        return {}
    mine, index = view.boards[viewer], setting_of(view).index
    found: Pieces = {}
    for at, name in enumerate(() if isinstance(mine.hand, Hidden) else mine.hand):
        legend = index.legend[name]
        label = sentence(f"{legend.name}, {resource('legend', legend.cost)}: {deeds(legend.effects)}")
        said = {"title": legend.name, "glyph": "open-book", "label": label, "terms": ["legend-card"]}
        found[f"h{at}"] = card("legend", "hand", at, viewer, **said)
        cost = {"shape": "coin", "n": legend.cost, "label": f"Costs {legend.cost}", "terms": ["cost"]}
        found[f"h{at}.cost"] = docked("cost", f"h{at}", "tr", 0.3, 0.2, viewer, **cost)
    if not isinstance(mine.intrigue_card, Hidden) and mine.intrigue_card:
        slots = index.intrigue[mine.intrigue_card].slots
        told = "; ".join(f"{slot.slot} for {resource('intrigue', slot.cost)}: {deeds(slot.effects)}" for slot in slots)
        name = sentence(card_name(view, mine.intrigue_card)).removesuffix(".")
        label = sentence(f"{name}: {told}")
        said = {"title": "Intrigue", "glyph": "cloak-dagger", "label": label, "terms": ["intrigue-card"]}
        found["i"] = card("intrigue", "hand", mine.hand_size, viewer, **said)
    return found
