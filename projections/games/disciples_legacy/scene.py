"""The Scene of Disciples: Legacy: three Parties a side; in a Battle the fighting two lie large in the middle."""

from typing import Any, Final

from domain.commons.rows import BOTH, foe
from domain.disciples_legacy import GAME
from domain.disciples_legacy.cards.cards import Deck
from domain.disciples_legacy.rules.battle.steps import acts_first
from domain.disciples_legacy.state.queries import mana_owned, of_seat, purse
from domain.disciples_legacy.state.state import MemberId
from domain.kernel import Seat
from projections.blocks.frame import counter, frame, mark, plate, symbol
from projections.blocks.zones import column, field, grid, pile, row, zone
from projections.face import Scene
from projections.games.disciples_legacy import pieces as p
from projections.games.disciples_legacy.glyphs import CHARGES
from projections.games.disciples_legacy.layouts import (
    COLUMN,
    LINE,
    PARTY_HIGH,
    SEEN,
    SEEN_TALL,
    STRIP,
    WIDE,
    layouts,
)
from projections.games.disciples_legacy.prompts import WORDS, is_alone, slot_key
from projections.games.disciples_legacy.texts import COLOURS, RACES
from projections.games.disciples_legacy.words import PHASES, View, card_name, party_name, slot_name
from projections.words import player

DEFENDING: Final = mark("shield", "Defending", "defending")
PARTY: Final = ["party", "formation"]
CITY_GAP: Final = 0.7
SYMBOLS: Final = (
    symbol("(C)", form="coin", only=True),
    symbol("HP", "drop"),
    *(symbol(f"{name.capitalize()} Mana", "crystal-cluster", name) for name in COLOURS.values()),
)
STEPS: Final = {1: "Reviving", 2: "Healing", 3: "Buying healing"}


def scene(view: View, viewer: Seat | None) -> Scene:
    """The table as one viewer sees it."""
    me = Seat(0) if viewer is None else viewer
    pieces = _pieces(view, viewer, me)
    zones = _zones(view, viewer, me)
    return frame(
        GAME,
        view,
        viewer,
        WORDS,
        crumbs=_crumbs(view),
        plates=[_plate(view, seat) for seat in BOTH],
        layouts=layouts(view, me, zones, {seat: len(p.seen_cards(view, viewer, seat)) for seat in BOTH}),
        zones=zones,
        pieces={ref: piece for ref, piece in pieces.items() if piece["zone"] in zones},
        links=_links(view),
        symbols=SYMBOLS,
    )


def _crumbs(view: View) -> list[str]:
    if not view.turn:
        return [PHASES["setup"]]
    crumbs = [f"Turn {view.turn} of {view.options.turn_limit}"]
    if view.battle is not None:
        number = f"Round {view.battle.round}" if view.battle.round else "before Round 1"
        return [*crumbs, "Battle", "Retreat" if view.battle.retreating >= 0 else number]
    if view.phase == "healing" and view.step in STEPS:
        return [*crumbs, PHASES["healing"], STEPS[view.step]]
    return [*crumbs, PHASES[view.phase]]


def _plate(view: View, seat: Seat) -> dict[str, Any]:
    side = view.sides[seat]
    living = sum(1 for member in of_seat(view, seat) if not member.dead)
    counters = {
        "alive": counter("vertical-banner", "Living members", living, term="alive", key=True),
        "c": counter("castle", "(C) to spend", purse(view, seat), term="c", key=True),
        "hand": counter("card-draw", "Reserves", side.hand_size, term="reserves"),
    }
    for colour, name in COLOURS.items():
        owned = mana_owned(view, seat, colour)  # type: ignore[arg-type]
        if owned:
            counters[f"mana{colour}"] = counter(
                "crystal-cluster", f"{name.capitalize()} Mana", owned, term="mana-owned"
            )
    marks: dict[str, dict[str, Any]] = {}
    if view.battle is not None:
        attacks = view.battle.attacking == seat
        marks["role"] = mark("crossed-swords", "Attacking", "attacking") if attacks else DEFENDING
    elif view.turn and view.first == seat:
        marks["turn"] = mark("flying-flag", "First this turn", "first")
    return plate(view, seat, RACES.get(side.race, ""), CHARGES.get(side.race, "fleur-de-lys"), counters, marks)


def _zones(view: View, viewer: Seat | None, me: Seat) -> dict[str, Any]:
    if view.phase == "setup" and not view.parties:
        return _setup_zones(view, viewer, me)
    zones: dict[str, Any] = {"field": field()} if view.battle is None else _battle_zones(view)
    for seat in (foe(me), me):
        zones |= _side_zones(view, viewer, seat)
    for leader, party in view.parties.items():
        zones[f"p{leader}"] = _party_zone(view, leader, far=party.seat != me)
    if viewer is not None:
        zones |= _hand_zones(view, viewer)
    return zones


def _hand_zones(view: View, viewer: Seat) -> dict[str, Any]:
    """The Reserves, folded: each card is drawn as a line."""
    half = max(5, (len(p.reserves_of(view, viewer)) + 1) // 2)
    across = (WIDE[0] - 0.7 * (half - 1)) / half
    tall = {"type": "col", "aspect": COLUMN / LINE["tall"], "gap": 0.3}
    shape = row(aspect=round(across / LINE["wide"], 2), gap=0.7, align="start", tall=tall)
    return {
        "hand": zone(shape, "Reserves", "Your Reserves", note="copied when played", terms=["reserves"]),
        "hand2": zone(shape, "", "Your Reserves, second half", terms=["reserves"]),
    }


def _setup_zones(view: View, viewer: Seat | None, me: Seat) -> dict[str, Any]:
    zones: dict[str, Any] = {"field": field()}
    if viewer is None:
        return zones
    deck = view.sides[viewer].deck
    if isinstance(deck, Deck):
        for number, party in enumerate(deck.parties):
            name = f"{card_name(view, party.leader)}'s Party"
            slots = {slot_key(slot, far=False): {"label": slot_name(slot)} for slot in range(1, 7)}
            zones[f"q{number}"] = zone(_formation_grid(), name, name, owner=me, style="ward", slots=slots, terms=PARTY)
        return zones | _hand_zones(view, viewer)
    shape = row(aspect=0.72, gap=1.5, tall={"gap": 0.6})
    zones["decks"] = zone(shape, "", "Armies to choose from", style="bare", terms=["deck"])
    zones["decks2"] = zone(shape, "", "More armies to choose from", style="bare", terms=["deck"])
    return zones


def _battle_zones(view: View) -> dict[str, Any]:
    battle = view.battle
    assert battle is not None
    label = f"Battle, Round {battle.round} of 2" if battle.round else "Battle"
    note = ""
    if battle.round:
        note = f"{player(view, acts_first(battle.attacking, battle.round))} acts first"
    caption = {
        "geom": {"type": "free"},
        "style": "caption",
        "label": label,
        "terms": ["battle"],
        **({"note": note} if note else {}),
    }
    return {"field": field("battle"), "line": caption}


def _formation_grid(*, large: bool = False) -> dict[str, Any]:
    if large:
        return grid(3, 2, gap=[1.2, 1.1], fold="both", tall={"gap": [0.6, 0.5]})
    return grid(3, 2, gap=[0.5, 0.5], pad=0.7, fold="both", tall={"gap": [0.3, 0.3], "pad": 0.4})


def _party_zone(view: View, leader: MemberId, *, far: bool) -> dict[str, Any]:
    party, name = view.parties[leader], party_name(view, leader)
    if is_alone(view, leader):
        return zone(
            grid(1, 1, pad=0.5), name, name, owner=party.seat, style="ward", slots={"0,0": {"label": name}}, terms=PARTY
        )
    slots = {slot_key(slot, far=far): {"label": slot_name(slot, far=far)} for slot in range(1, 7)}
    if view.battle is not None and leader in {view.battle.attacker, view.battle.defender}:
        return zone(_formation_grid(large=True), "", name, owner=party.seat, style="none", slots=slots, terms=PARTY)
    return zone(_formation_grid(), name, name, owner=party.seat, style="ward", slots=slots, terms=PARTY)


def _cities(view: View, seat: Seat) -> dict[str, Any]:
    """Cities side by side, narrow enough that none lies over another."""
    there = sum(city.seat == seat for city in view.cities.values())
    room = {"wide": 50.0 if view.battle is None else 32.6, "tall": 30.6}
    each = {name: (whole - CITY_GAP * (there - 1)) / max(2, there) for name, whole in room.items()}
    wide, tall = (round(min(each[name], 16) / STRIP, 2) for name in ("wide", "tall"))
    return row(aspect=wide, gap=CITY_GAP, align="start", tall={"aspect": tall, "max": round(min(each["tall"], 16), 2)})


def _side_zones(view: View, viewer: Seat | None, seat: Seat) -> dict[str, Any]:
    side, who = view.sides[seat], player(view, seat)
    zones: dict[str, Any] = {
        f"city{seat}": zone(_cities(view, seat), "Cities", f"{who}'s Cities", owner=seat, terms=["cities"]),
        f"mana{seat}": zone(
            row(aspect=1, gap=0.7, align="start", max=5), "Mana", f"{who}'s Mana", owner=seat, terms=["mana"]
        ),
        f"disc{seat}": zone(
            pile(len(side.discard), seat, "tombstone", is_open=True, aspect=2),
            "Discard",
            f"{who}'s discard pile",
            terms=["discard"],
        ),
    }
    seen = len(p.seen_cards(view, viewer, seat))
    if seen:
        each = min(LINE["wide"], (PARTY_HIGH - 0.25 * (seen - 1)) / seen)
        tall = {"aspect": round(COLUMN / SEEN_TALL, 2)}
        shape = column(aspect=round(SEEN / each, 2), gap=0.25, align="start", tall=tall)
        aria = f"Seen of {who}'s Reserves"
        zones[f"known{seat}"] = zone(shape, "Reserves seen", aria, owner=seat, terms=["reserves-seen"])
    return zones


def _pieces(view: View, viewer: Seat | None, me: Seat) -> dict[str, Any]:
    if view.phase == "setup" and not view.parties:
        if viewer is None:
            return {}
        chosen = isinstance(view.sides[viewer].deck, Deck)
        return p.muster(view, viewer) | p.reserves(view, viewer) if chosen else p.decks(view)
    own = {} if viewer is None else p.reserves(view, viewer)
    return p.members(view, me) | p.places(view) | p.discards(view) | p.seen(view, viewer) | own


def _links(view: View) -> dict[str, Any]:
    """An arrow from the attacking Leader to the target, or to the blocker; none within a Battle."""
    attack = view.attack
    if attack is None or view.battle is not None or attack.leader not in view.parties:
        return {}
    target = attack.blocker if attack.blocker in view.parties else attack.target
    if target not in view.parties and target not in view.cities and target not in view.mana:
        return {}
    return {"attack": {"from": attack.leader, "to": target, "tone": f"seat{attack.seat}"}}
