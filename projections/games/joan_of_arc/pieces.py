"""The pieces of a Scene of Joan of Arc: units, orders, tokens on the board, cards."""

from typing import Any, Final

from domain.joan_of_arc.cards.units import UnitCard
from domain.joan_of_arc.state.queries import card_of, held, setting_of
from domain.joan_of_arc.state.state import Unit
from domain.kernel import Hidden, Seat
from projections.blocks.pieces import card, state
from projections.games.joan_of_arc.board import SPOTS, unit_words
from projections.games.joan_of_arc.goals import goals, scoring
from projections.games.joan_of_arc.refs import is_shown
from projections.games.joan_of_arc.terms import order_term, skills_of, unit_terms
from projections.games.joan_of_arc.texts import ORDERS, WHEN, capital, deeds, dice, resource
from projections.games.joan_of_arc.words import View, area_name, card_name, plain_name, side_name, unit_name, unit_ref
from projections.words import count, join, player, sentence

Pieces = dict[str, Any]
ARMS: Final = {"infantry": "swordman", "cavalry": "cavalry", "monster": "spiked-dragon-head", "machine": "catapult"}
EMBLEMS: Final = {
    "e_billmen": "sharp-halberd",
    "e_black_prince": "visored-helm",
    "e_fastolf": "warlord-helmet",
    "e_knights": "mounted-knight",
    "e_sappers": "mining",
    "e_skirmishers": "stiletto",
    "e_hobelars": "horse-head",
    "e_talbot": "mounted-knight",
    "f_crossbowmen": "crossbow",
    "f_friar": "monk-face",
    "f_gilles": "crested-helmet",
    "f_household_guard": "templar-shield",
    "f_joan": "swordwoman",
    "f_knights": "mounted-knight",
    "f_la_hire": "knight-banner",
    "f_peasants": "pitchfork",
    "f_voulgiers": "halberd",
    "m_archangel": "heraldic-sun",
    "m_imps": "death-skull",
    "m_revenants": "skull-crossed-bones",
    "m_werewolf": "sword-brandish",
    "c_blacksmith": "hammer-nails",
    "c_priest": "monk-face",
}
"""The emblems of cards with an emblem of their own, by the card's id without the level."""
TONES: Final = {"command": "gold", "charge": "red", "reactivation": "green", "interrupt": "blue"}
COUNCIL: Final = {
    "wc_muster": "trumpet-flag",
    "wc_spurs": "charging-bull",
    "wc_countermarch": "clockwise-rotation",
    "wc_ambush": "interdiction",
    "wc_ballad": "open-book",
    "wc_drill": "heraldic-sun",
    "wc_banners": "flying-flag",
    "wc_spies": "hood",
}
"""The pictures of war council cards."""
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
    stem = found.id.partition("_1")[0].partition("_2")[0]
    if stem in EMBLEMS:
        return EMBLEMS[stem]
    if found.kind == "civilian":
        return "farmer"
    if found.kind == "character":
        return "crown" if found.arm in {"infantry", "cavalry"} else ARMS[found.arm]
    return "bowman" if found.shoot and found.arm == "infantry" else ARMS[found.arm]


def units(view: View) -> Pieces:
    """Every unit that has a piece: on the board, on its carrier, or among the units that are away."""
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
    asked = any(each.terms.get("unit") == unit.id for each in view.asked)
    spent = any(unit.id in activation.done for activation in view.activations)
    return {
        "shape": "disc",
        "kind": found.kind,
        **owner,
        "glyph": glyph_of(found),
        "title": unit_name(view, unit.id),
        "sub": f"{found.kind.capitalize()}, {whose}",
        "label": sentence(f"{unit_words(view, unit)}; {whose}, {where}"),
        **({"size": 1.2} if found.kind == "character" else {}),
        **({"tier": 2} if found.kind == "character" else {}),
        **life,
        **_badges(unit),
        "tip": unit_tip(view, unit),
        "terms": unit_terms(view, unit),
        **state(
            "hot" if attacked or asked else "", "used" if spent else "", "dead" if unit.spot == "graveyard" else ""
        ),
    }


def _badges(unit: Unit) -> dict[str, Any]:
    """A badge for a unit with equipment; the unit's lines say which."""
    return {"badges": [{"at": "tr", "g": "anvil", "tone": "gold", "label": "Equipment"}]} if unit.equipment else {}


def unit_tip(view: View, unit: Unit) -> list[str | list[str]]:
    """A unit's card, line by line."""
    found = card_of(view, unit)
    tip: list[str | list[str]] = []
    if found.melee:
        tip.append(["Melee", dice(found.melee)])
    if found.shoot:
        tip.append(["Shooting", f"{dice(found.shoot.dice)}, range {found.shoot.range_hexes}"])
    tip.append(["Defence", dice(found.defence)])
    skills = [name.capitalize() + (f" {x}" if x else "") for name, x in skills_of(found)]
    tip += [["Skills", ", ".join(skills)]] if skills else []
    if found.size != 1:
        tip.append(["Size", f"{found.size} spaces" if isinstance(found.size, int) else "a whole hex"])
    worn = [plain_name(setting_of(view).index.equipment[name].name) for name in unit.equipment]
    return [*tip, ["Wears", join(worn)]] if worn else tip


def orders(view: View, seat: Seat) -> Pieces:
    """The orders on a player board, one cube for each kind with their number."""
    found: Pieces = {}
    for at, (order, name) in enumerate(ORDERS.items()):
        number = held(view.boards[seat], order)  # type: ignore[arg-type]
        if number:
            found[f"O{seat}.{order}"] = {
                "shape": "cube",
                "kind": "order",
                "zone": f"orders{seat}",
                "slot": at,
                "owner": seat,
                "tone": TONES[order],
                "glyph": ORDER_GLYPHS[order],
                "title": name.capitalize(),
                **({"n": number} if number > 1 else {}),
                "label": sentence(f"{count(number, name)} of {player(view, seat)}"),
                "terms": [order_term(order)],
            }
    return found


def markers(view: View) -> Pieces:
    """Orders, rally points, fire and barricades; a marker of an edge is drawn on the edge."""
    found: Pieces = {}
    for area, placed in view.placed.items():
        for number, order in enumerate(placed):
            label = sentence(f"{ORDERS[order]} on {area_name(view, area)}")
            cube = _marker("cube", ORDER_GLYPHS[order], area, label, order_term(order))
            found[f"o{number}.{_safe(area)}"] = cube | {"tone": TONES[order]}
    for side, areas in view.rallies.items():
        owner = next(seat for seat, each in enumerate(setting_of(view).sides) if each == side)
        for number, area in enumerate(areas):
            label = sentence(f"rally point of {side_name(side)}, {area_name(view, area)}")
            flag = _marker("flag", "rally-the-troops", area, label, "rally-point")
            found[f"y{number}.{side}"] = flag | {"owner": owner}
    for area, lying in view.field.lying.items():
        if lying.fire:
            label = sentence(f"fire in {area_name(view, area)}")
            found[f"f.{_safe(area)}"] = _marker("coin", "small-fire", area, label, "fire") | {"tone": "red"}
        if lying.barricade:
            label = sentence(f"barricade of {side_name(lying.barricade)} in {area_name(view, area)}")
            found[f"b.{_safe(area)}"] = _marker("coin", "stakes-fence", area, label, "barricade")
    for place, told in scoring(view):
        worth = _marker("coin", "laurels", place, told, "vp")
        found[f"v.{_safe(place)}"] = worth | {"tone": "gold", "title": "Scores"}
    return found


def _safe(name: str) -> str:
    """A part of a piece's name, in which `/` and `#` may not stand."""
    return name.replace("/", ".")


def _marker(shape: str, glyph: str, area: str, label: str, *terms: str) -> dict[str, Any]:
    at = {"zone": map_of(area), "slot": area, "mark": True}
    told = {"title": label.removesuffix("."), "label": label, "terms": list(terms)}
    return {"shape": shape, "kind": "marker", "glyph": glyph, **told, **at}


def goal(view: View) -> Pieces:
    """The aim of the scenario, as a card beside the cards of the war council."""
    told = goals(view)
    where = ("goal", "council", len(view.river))
    label = " ".join(told)
    shown = card(
        *where,
        title="Goal",
        sub=setting_of(view).scenario.name,
        glyph="laurels",
        art="plain",
        label=label,
        tip=list(told),
        terms=["vp"],
    )
    return {"goal": shown}


def council(view: View) -> Pieces:
    """The river of the war council, face up."""
    index = setting_of(view).index.war_council
    return {
        f"r{at}": card(
            "council",
            "council",
            at,
            title=plain_name(index[name].name),
            glyph=COUNCIL.get(name, "treasure-map"),
            art="plain",
            label=sentence(f"{plain_name(index[name].name)}, war council: {deeds(index[name].effects)}"),
            tip=[capital(deeds(index[name].effects))],
            terms=["council-card"],
        )
        for at, name in enumerate(view.river)
    }


def hand(view: View, viewer: Seat | None) -> Pieces:
    """The viewer's own legend cards and intrigue card; for a viewer who sees all hands, all such cards. Other cards are
    not pieces, but only numbers on the players' plates.
    """
    if viewer is not None:
        return _held(view, viewer, "", 0)
    found: Pieces = {}
    for seat in range(len(view.boards)):
        found |= _held(view, Seat(seat), str(seat), len(found))
    return found


def _held(view: View, seat: Seat, mark: str, first: int) -> Pieces:
    """A player's cards, as far as the view has them; `mark` distinguishes the refs of several players."""
    mine, index = view.boards[seat], setting_of(view).index
    found: Pieces = {}
    for at, name in enumerate(() if isinstance(mine.hand, Hidden) else mine.hand):
        legend = index.legend[name]
        told = deeds(legend.effects)
        price = resource("legend", legend.cost)
        cost = {"at": "tr", "g": "open-book", "n": legend.cost, "tone": "green", "label": "Cost in legend tokens"}
        found[f"h{mark}x{at}" if mark else f"h{at}"] = card(
            "legend",
            "hand",
            first + at,
            seat,
            title=legend.name,
            glyph="prayer" if name.startswith("lm_") else "open-book",
            art="plain",
            label=sentence(f"{legend.name}, {price}: {told}"),
            tip=[capital(told), ["Played", WHEN[legend.timing]]],
            badges=[cost],
            terms=["legend-card", "cost"],
        )
    return found | _intrigue(view, seat, f"i{mark}", first + len(found))


def _intrigue(view: View, seat: Seat, ref: str, slot: int) -> Pieces:
    mine = view.boards[seat]
    if isinstance(mine.intrigue_card, Hidden) or not mine.intrigue_card:
        return {}
    slots = setting_of(view).index.intrigue[mine.intrigue_card].slots
    lines = [f"{slot.slot} for {resource('intrigue', slot.cost)}: {deeds(slot.effects)}" for slot in slots]
    name = sentence(card_name(view, mine.intrigue_card)).removesuffix(".")
    label = sentence(f"{name}: {'; '.join(lines)}")
    looks: dict[str, Any] = {"title": "Intrigue", "glyph": "cloak-dagger", "art": "plain"}
    told = {"label": label, "tip": lines, "terms": ["intrigue-card", "cost"]}
    return {ref: card("intrigue", "hand", slot, seat, **looks, **told)}
