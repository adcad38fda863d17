"""The Scene of War for Edaðh: two Units over the Terrain, Score Cards, masters, a hand of Mastery Cards (10.2)."""

from collections.abc import Mapping
from typing import Any, Final

from domain.commons.rows import BOTH, foe
from domain.kernel import Asked, Choice, Hidden, Seat
from domain.war_for_edadh import GAME
from domain.war_for_edadh.cards.cards import Army, End, Level, Row
from domain.war_for_edadh.rules import (
    choosing,
    combining,
    discarding,
    end_of_duration,
    fielding,
    instant_discard,
    round,  # noqa: A004 - the rulebook's word
    standards,
    stratagems,
    support,
    tie_break,
)
from domain.war_for_edadh.rules.fielding import BringArmy, Deployment
from domain.war_for_edadh.state.queries import card as card_of
from domain.war_for_edadh.state.queries import cards_of, columns_of, everyone, next_position
from domain.war_for_edadh.state.state import Side, Troop, Unit, WarState
from domain.war_for_edadh.state.stats import row_of
from projections.blocks.frame import counter, frame, mark, plate, symbol
from projections.blocks.pieces import Piece, card, down, state
from projections.blocks.zones import field, grid, layout, row, zone
from projections.face import Scene
from projections.games.war_for_edadh.round import has_secondary, may_lay_second, secondary_card, terrain_words, verdict
from projections.games.war_for_edadh.round import tray as round_tray
from projections.games.war_for_edadh.stakes import at_stake, shaken, threats, why_drawn
from projections.games.war_for_edadh.terms import (
    end_terms,
    master_terms,
    stratagem_terms,
    terrain_terms,
    troop_terms,
)
from projections.games.war_for_edadh.words import (
    POSITIONS,
    master_name,
    occasion,
    option,
    purpose,
    question,
    score,
    spot,
    stratagem_name,
    terrain_name,
    troop_name,
    waiting,
)
from projections.glossary import glossary
from projections.prompt import Words
from projections.words import count, player

SYMBOLS: Final = (symbol("MP", "flying-flag"), symbol("Damage", "drop"), symbol("Dmg", "drop"))
CHARGES: Final = {"Ang Rebels": "stag-head", "Dzaa Empire": "heraldic-sun"}
GLYPHS: Final = {
    "DZ01": "musket",
    "DZ02": "spears",
    "DZ03": "roman-shield",
    "DZ04": "field-gun",
    "DZ05": "halberd",
    "DZ06": "horse-head",
    "DZ07": "horse-head",
    "DZ08": "hound",
    "DZ09": "fishing-net",
    "DZ10": "eagle-head",
    "DZ11": "warhammer",
    "DZ12": "overlord-helm",
    "AN01": "bowman",
    "AN02": "swordwoman",
    "AN03": "viking-shield",
    "AN04": "archer",
    "AN05": "crossed-axes",
    "AN06": "horse-head",
    "AN07": "stag-head",
    "AN08": "wolf-head",
    "AN09": "target-arrows",
    "AN10": "eagle-head",
    "AN11": "horned-helm",
    "AN12": "two-handed-sword",
}
TERRAIN: Final = {
    "woods": "forest",
    "hills": "mountains",
    "marsh": "swamp",
    "heath": "high-grass",
    "grass": "grass",
    "undergrowth": "high-grass",
}


def scene(view: WarState, viewer: Seat | None) -> Scene:
    """The table as one viewer sees it."""
    me = Seat(0) if viewer is None else viewer
    zones = _zones(view, viewer, me)
    shown = frame(
        GAME,
        view,
        viewer,
        WORDS,
        crumbs=_crumbs(view),
        plates=[_plate(view, seat) for seat in BOTH],
        layouts=_layouts(me, zones),
        zones=zones,
        pieces=_pieces(view, viewer, me),
        links=_links(view),
        symbols=SYMBOLS,
    )
    drawn = why_drawn(view)
    return {**shown, "prompt": {**shown["prompt"], "why": drawn}} if drawn else shown


def _crumbs(view: WarState) -> list[str]:
    if not view.duration:
        return ["Set-up"]
    combat = [f"Combat {view.combat}"] if view.options.game == "best_of_3" else []
    return [*combat, f"Duration {view.duration}", POSITIONS[view.position], f"Round {view.round.number}"]


def _plate(view: WarState, seat: Seat) -> dict[str, Any]:
    side = view.sides[seat]
    counters = {
        "mp": counter("flying-flag", "MP", side.mp, term="mp", key=True),
        "dmg": counter("drop", "Damage", side.dmg, term="damage", key=True),
        "troops": counter("vertical-banner", "Troops", len(everyone(side)), term="troops-left"),
    }
    shaken = {"shaken": mark("skull-crossed-bones", "Shaken", "shaken")} if side.shaken else {}
    return plate(view, seat, side.faction, CHARGES.get(side.faction, "fleur-de-lys"), counters, shaken)


def _layout(me: Seat) -> dict[str, Any]:
    top, low = foe(me), me
    wide: dict[str, list[float]] = {
        "field": [25.6, 0.6, 84.8, 74.6],
        f"unit{top}": [27, 1.9, 82, 30.2],
        "ter": [55.4, 33.6, 25.2, 8.6],
        f"clash{top}": [38, 32.9, 12, 10],
        f"clash{low}": [86, 32.9, 12, 10],
        f"unit{low}": [27, 43.7, 82, 30.2],
        f"trk{top}": [0, 0.6, 24, 9],
        f"mst{top}": [0, 13, 24, 15],
        f"std{top}": [0, 31.4, 24, 4.4],
        f"trk{low}": [0, 66.2, 24, 9],
        f"std{low}": [0, 43, 24, 4.4],
        f"mst{low}": [0, 50, 24, 14],
        f"play{top}": [112, 3, 24, 15],
        f"play{low}": [112, 60.2, 24, 15],
        "hand": [0, 78, 136, 14.4],
        "tray": [112, 21.4, 24, 35.6],
    }
    tall: dict[str, list[float]] = {
        f"trk{top}": [0.6, 0, 58.8, 6.4],
        "field": [0.4, 7, 59.2, 61],
        f"unit{top}": [1.2, 7.8, 57.6, 25.4],
        "ter": [20.5, 33.9, 19, 7],
        f"clash{top}": [9, 33.7, 7, 7.4],
        f"clash{low}": [44, 33.7, 7, 7.4],
        f"unit{low}": [1.2, 41.8, 57.6, 25.4],
        "hand": [0.6, 70.3, 58.8, 13],
        f"trk{low}": [0.6, 83.4, 58.8, 6.4],
        f"mst{low}": [0.6, 94, 18, 11],
        f"play{low}": [20, 94, 18, 11],
        f"mst{top}": [0.6, 108, 18, 11],
        f"play{top}": [20, 108, 18, 11],
        f"std{low}": [40, 97, 19, 4],
        f"std{top}": [40, 111, 19, 4],
        "tray": [0.6, 121, 58.8, 13],
    }
    return {"wide": layout(136, 92.6, wide), "tall": layout(60, 135, tall)}


LAYOUTS: Final = {seat: _layout(seat) for seat in BOTH}
BELOW_HAND: Final = 94
"""The height at which the zones of masters, Stratagems and Standards (else the tray) begin on a tall table."""


def _layouts(me: Seat, zones: dict[str, Any]) -> dict[str, Any]:
    """The places of the zones; a tall table keeps no room for masters, Stratagems and Standards that nobody has."""
    wide, tall = ({zone: at for zone, at in LAYOUTS[me][name]["at"].items() if zone in zones} for name in LAYOUTS[me])
    if zones.keys() & {f"{kind}{seat}" for kind in ("mst", "play", "std") for seat in BOTH}:
        return {"wide": layout(136, 92.6, wide), "tall": layout(60, 135, tall)}
    x, _, width, height = tall["tray"]
    return {
        "wide": layout(136, 92.6, wide),
        "tall": layout(60, BELOW_HAND + height + 1, {**tall, "tray": [x, BELOW_HAND, width, height]}),
    }


DOWN: Final = ["face-down-mastery"]
TRACK: Final = ["score-card", "mp", "damage"]
PLANS: Final = ["stratagem", "stratagem-deck"]
"""The glossary's names of a Score Card and of the place of Stratagems."""


def rows_of(side: Side) -> int:
    """The number of ranks that are drawn: the Main Unit's, and behind them the Support Unit's."""
    return max(1, _depth(side, "main") + _depth(side, "support"))


def _depth(side: Side, unit: Unit) -> int:
    return max(map(len, columns_of(side, unit)))


def slot_key(side: Side, unit: Unit, column: int, rank: int, far: bool) -> str:
    """The grid slot of a place; a far Unit is turned round, its Front Rank below (WE-Q07)."""
    row = rank - 1 + (_depth(side, "main") if unit == "support" else 0)
    return f"{3 - column},{rows_of(side) - 1 - row}" if far else f"{column - 1},{row}"


def _zones(view: WarState, viewer: Seat | None, me: Seat) -> dict[str, Any]:
    named = "Your Mastery Cards" if viewer is not None else "Both players have the same six Mastery Cards"
    # the Secondary Card makes the others so narrow that they need more height
    hand = row(aspect=0.78, gap=1, tall={"aspect": 0.66 if has_secondary(view) else 0.84, "gap": 0.2})
    zones: dict[str, Any] = {
        "field": field(),
        "ter": zone(grid(1, 1), aria="Terrain", terms=["terrain"]),
        "hand": zone(hand, "Mastery Cards", named, terms=["mastery-card"]),
        "tray": round_tray(view, me),
    }
    kinds = _modules(view)
    for seat in (foe(me), me):
        zones |= _side_zones(view, seat, seat != me) | _module_zones(view, seat, kinds)
    return zones


def _modules(view: WarState) -> list[str]:
    """The modules among masters, Stratagems and Standards that any player has."""
    had: dict[str, list[object]] = {
        "mst": [side.combat_master or side.battle_master for side in view.sides],
        "play": [side.deck_size or side.in_play or side.holding_count for side in view.sides],
        "std": [side.standards for side in view.sides],
    }
    return [kind for kind, of_sides in had.items() if any(of_sides)]


def _module_zones(view: WarState, seat: Seat, kinds: list[str]) -> dict[str, Any]:
    side, who = view.sides[seat], player(view, seat)
    cards = row(aspect=0.72, gap=0.9, align="start")
    coins = row(aspect=1, gap=1, align="start")
    found = {
        "mst": zone(cards, "Masters", f"{who}'s masters", terms=["masters"]),
        "play": zone(cards, "Stratagems", f"{who}'s Stratagems", note=f"deck {side.deck_size}", terms=PLANS),
        "std": zone(coins, "Standards", f"{who}'s Standards", terms=["standard"]),
    }
    return {f"{kind}{seat}": found[kind] for kind in kinds}


def _side_zones(view: WarState, seat: Seat, far: bool) -> dict[str, Any]:
    side, who = view.sides[seat], player(view, seat)
    drafted = _drafted(view, seat)
    rows = max(rows_of(side), *(int(slot.partition(",")[2]) + 1 for slot in drafted.values()), 1)
    places = {slot: {"label": _place(name)} for name, slot in drafted.items()} or _slots(side, far)
    unit = grid(3, rows, gap=[1.3, 1], tall={"gap": [0.6, 0.5]})
    laid = {"0,0": {"label": f"{who}'s laid card"}}
    score_card = zone(_track(side), "", f"{who}'s Score Card: {score(view, seat)}", owner=seat, style="inlay")
    return {
        f"unit{seat}": zone(unit, "", f"{who}'s Unit", owner=seat, slots=places, terms=_unit_terms(side)),
        f"trk{seat}": {
            **score_card,
            "tip": ["The Unit loses when Damage is above MP at the end of a Duration."],
            "terms": TRACK,
        },
        f"clash{seat}": zone(grid(1, 1, aspect=0.72), "", f"Card laid by {who}", slots=laid, terms=["laid"]),
    }


def _unit_terms(side: Side) -> list[str]:
    return ["unit", "front-rank", *(["support-unit"] if _depth(side, "support") else [])]


def _track(side: Side) -> dict[str, Any]:
    marks = {
        "mp": {"v": side.mp, "g": "flying-flag", "label": "MP", "tone": "green", "fill": True},
        "dmg": {"v": side.dmg, "g": "drop", "label": "Damage", "tone": "red"},
    }
    return {"type": "track", "min": min(0, side.mp), "max": max(60, side.mp, side.dmg), "marks": marks}


def _drafted(view: WarState, seat: Seat) -> dict[str, str]:
    """The grid slot of each place while the seat arranges its Units and no Troop is there yet; else empty.

    A Unit that is hidden from the viewer has no slots.
    """
    if not any(asked.seat == seat and asked.kind == Deployment.__name__ for asked in view.asked):
        return {}
    slots = Deployment(seat).slots(view)
    split = [(slot, slot.partition("-c")[0], *slot.partition("-c")[2].split("r")) for slot in slots]
    depth = max((int(rank) for _, unit, _, rank in split if unit == "main"), default=0)
    return {
        slot: f"{int(column) - 1},{int(rank) - 1 + (depth if unit == 'support' else 0)}"
        for slot, unit, column, rank in split
    }


def _slots(side: Side, far: bool) -> dict[str, Any]:
    slots = {}
    units: tuple[Unit, ...] = ("main", "support")
    for unit in units:
        for rank in range(1, _depth(side, unit) + 1):
            for column in (1, 2, 3):
                slots[slot_key(side, unit, column, rank, far)] = {"label": spot(unit, column, rank, far=far)}
    return slots


def _pieces(view: WarState, viewer: Seat | None, me: Seat) -> dict[str, Piece]:
    pieces: dict[str, Piece] = {}
    units: tuple[Unit, ...] = ("main", "support")
    for seat in BOTH:
        side = view.sides[seat]
        for unit in units:
            for number, column in enumerate(columns_of(side, unit), 1):
                for rank, troop in enumerate(column, 1):
                    slot = slot_key(side, unit, number, rank, seat != me)
                    seen = spot(unit, number, rank, far=seat != me)
                    pieces[troop] = _troop(view, view.troops[troop], slot, seen)
        pieces |= _masters(view, seat) | _stratagems(view, seat) | _standards(view, seat) | _laid(view, seat)
    if view.ground is not None:
        pieces["terrain"] = _terrain(view, me)
    if viewer is not None and view.duration:
        pieces |= _hand(view, viewer)
    return pieces


def _troop(view: WarState, troop: Troop, slot: str, where: str) -> Piece:
    found, row = card_of(view, troop.id), row_of(view, troop.id)
    boxes = (
        ("att", row.att if row.att is not None else "*5", "Attack"),
        ("dmg", row.att_dmg if row.att_dmg is not None else "–", "Attack Damage"),
        ("def", row.defence, "Defence"),
        ("DV", found.dv, "Discard Value"),
        ("ML", row.ml, "Mastery Level"),
        ("cb", row.cb, "Conflict Bonus"),
        ("DD", row.def_dmg, "Defence Damage"),
    )
    said = ", ".join(f"{label} {value}" for _, value, label in boxes)
    weapon = f"{row.weapon}, range {row.range}" if row.weapon else "no weapon: *(5)"
    piece: Piece = {
        "face": "up",
        "glyph": GLYPHS.get(troop.code, "broadsword"),
        "title": found.name,
        "tier": found.level - 1,
        "tierLabel": f"Level {found.level}",
        "stats": [{"form": "box", "k": key, "v": value, "label": label} for key, value, label in boxes],
        "terms": troop_terms(view, troop, found),
        "tip": [
            ["Weapon:", weapon],
            ["Guard:", f"value {row.guard_value}, penetration {row.guard_penetration}"],
            ["MP Bonus:", str(row.mp_bonus)],
            ["Psy:", str(found.psy)],
            *([f"{POSITIONS[level]}:", _strength(numbers)] for level, numbers in found.rows.items() if numbers != row),
        ],
        "label": f"{found.name} {troop.id}, {player(view, troop.seat)}, {where}"
        f"{', used' if troop.flipped else ''}: {said}",
    }
    fights = troop.id in view.round.chosen and not any(asked.kind in BETWEEN for asked in view.asked)
    now = state("hot" if fights else "", "used" if troop.flipped else "")
    return card("troop", f"unit{troop.seat}", slot, troop.seat, **piece, **now)


def _strength(row: Row) -> str:
    """The figures of a Troop at a Combat Level, in short form."""
    hits = f"att {row.att}, dmg {row.att_dmg}" if row.att is not None else "att *5"
    return f"{hits}, def {row.defence}"


def _masters(view: WarState, seat: Seat) -> dict[str, Piece]:
    side = view.sides[seat]
    found = (
        ("cm", side.combat_master, "Combat Master", side.master_flipped, side.master_lost, "horned-helm"),
        ("bm", side.battle_master, "Battle Master", side.battle_flipped, False, "overlord-helm"),
    )
    pieces: dict[str, Piece] = {}
    for number, (key, code, title, flipped, lost, glyph) in enumerate(found):
        if code:
            name = master_name(view, code)
            now = "lost" if lost else "flipped" if flipped else "Promoted" if key == "bm" and side.promoted else ""
            face = {
                "face": "up",
                "glyph": glyph,
                "title": name,
                "short": name.split()[0],
                "sub": now or title,
                "tier": 1,
            }
            label = f"{title} {name}{f', {now}' if now else ''}"
            is_in = state("dead" if lost else "used" if flipped else "")
            pieces[f"{key}{seat}"] = card("master", f"mst{seat}", number, seat, **face, label=label, **is_in)
            pieces[f"{key}{seat}"]["terms"] = master_terms(side, key)
    return pieces


def _stratagems(view: WarState, seat: Seat) -> dict[str, Piece]:
    side = view.sides[seat]
    base = card("stratagem", f"play{seat}", None, seat, art="plain")
    pieces: dict[str, Piece] = {}
    for number, lying in enumerate(side.in_play):
        name = stratagem_name(view, lying.code)
        up = {"slot": number, "face": "up", "glyph": "scroll-unfurled", "title": name}
        terms = stratagem_terms(lying.code)
        pieces[f"st{seat}{number}"] = {**base, **up, "label": f"Stratagem in play: {name}", "terms": terms}
    for number in range(side.holding_count):
        slot = len(side.in_play) + number
        hidden = down("Stratagem, face down", "Stratagem, face down")
        lies: Piece = {"slot": slot, **hidden, "terms": ["face-down-stratagem"]}
        if not isinstance(side.holding, Hidden):
            name = stratagem_name(view, side.holding[number])
            lies = {"slot": slot, "face": "peek", "glyph": "scroll-unfurled", "title": name}
            lies |= {"label": f"Held: {name}", "terms": [*stratagem_terms(side.holding[number]), "face-down-stratagem"]}
        pieces[f"held{seat}{number}"] = {**base, **lies}
    return pieces


def _standards(view: WarState, seat: Seat) -> dict[str, Piece]:
    side, index = view.sides[seat], cards_of(view).standards
    pieces: dict[str, Piece] = {}
    for number, code in enumerate(side.standards):
        found, used = index[code], code in side.standards_used
        pieces[f"sd{seat}{number}"] = {
            "shape": "coin",
            "kind": "standard",
            "zone": f"std{seat}",
            "slot": number,
            "owner": seat,
            "glyph": "knight-banner",
            "tone": "gold",
            "title": found.title,
            "terms": ["standard", "res", *(["used"] if used else [])],
            "label": f"Standard {found.title}, Level {found.level}, Res {found.res}{', used' if used else ''}",
            **({"state": ["used"]} if used else {}),
        }
    return pieces


def _laid(view: WarState, seat: Seat) -> dict[str, Piece]:
    laid = view.round.laid[seat]
    base = card("mastery", f"clash{seat}", "0,0", seat, art="plain")
    if laid is not None:
        value = view.round.values[seat]
        note = f"counts {value}" if value not in {0, laid.cv} else laid.secondary
        end = {"v": laid.cv, "label": f"Laid {laid.cv}", **({"note": note} if note else {})}
        title = f"Laid {laid.cv}{f' with {laid.secondary}' if laid.secondary else ''}"
        terms = ["laid", "conflict-value", *([laid.secondary] if laid.secondary else [])]
        said = f"{title}{f', {note}' if note.startswith('counts') else ''}"
        return {f"laid{seat}": {**base, "face": "up", "title": title, "ends": [end], "label": said, "terms": terms}}
    if any(answer.asked.seat == seat and answer.asked.kind == "MasteryLay" for answer in view.answered):
        return {f"laid{seat}": {**base, **down("Mastery Card, face down", "Mastery Card, face down"), "terms": DOWN}}
    return {}


def _terrain(view: WarState, me: Seat) -> Piece:
    assert view.ground is not None
    top = cards_of(view).terrain[view.ground.code]
    tips = []
    for seat in BOTH:
        half = top.halves[int((seat == 1) != view.ground.turned)]
        mods = f"Ballistic {half.ballistic.mod:+}, guard {half.ballistic.guard}; "
        tips.append([f"{player(view, seat)}:", f"{mods}Charge {half.charge.mod:+}, guard {half.charge.guard}"])
    reach = "no limit" if top.range == "*" else str(top.range)
    sub = " + ".join(terrain_name(view, under.code) for under in view.ground.under)
    said = "; ".join(word for word in (f"with {sub}" if sub else "", terrain_words(view, me)) if word)
    return {
        "shape": "tile",
        "kind": top.symbol or "terrain",
        "zone": "ter",
        "slot": "0,0",
        "glyph": TERRAIN.get(top.symbol or "", "castle"),
        "title": top.name,
        "art": "plain",
        "terms": terrain_terms(top, *(cards_of(view).terrain[under.code] for under in view.ground.under)),
        "label": ", ".join([f"Terrain: {top.name}", f"range {reach}", *([said] if said else [])]),
        "tip": [*tips, ["Range:", reach], ["Effects:", ", ".join(top.effects).replace("_", " ") or "none"]],
        **({"sub": said} if said else {}),
    }


def _hand(view: WarState, viewer: Seat) -> dict[str, Piece]:
    pieces: dict[str, Piece] = {}
    base = {"shape": "card", "zone": "hand", "owner": viewer, "face": "up", "art": "plain"}
    laid, ends = view.round.laid[viewer], cards_of(view).ends
    for number, found in enumerate(cards_of(view).cards.mastery):
        low, high = found.ends
        used = laid is not None and laid.cv in {low.cv, high.cv}
        pieces[f"m{number + 1}"] = {
            **base,
            "kind": "mastery",
            "slot": number,
            "title": "Mastery Card",
            "ends": [_end(ends, low), _end(ends, high)],
            "terms": [*end_terms(low, high), *(["used"] if used else [])],
            "label": f"Mastery Card {low.cv} and {high.cv}{', used' if used else ''}",
            **({"state": ["used"]} if used else {}),
        }
    return pieces | ({"m7": secondary_card(view, viewer)} if has_secondary(view) else {})


def _guarded(ends: Mapping[int, End], end: End) -> str:
    """The cards that an end's Guard Note means, by their printed values: "12, 1 as 13" (WE-010, WE-080)."""
    said = []
    for value in end.guard:
        lower = [
            cv
            for cv, other in ends.items()
            if other.altered_cv and other.altered_cv.value == value and end.cv in other.altered_cv.against
        ]
        said += [f"{cv} as {value}" for cv in lower] or [str(value)]
    return ", ".join(said)


def _value(end: End, other: End) -> int:
    """The value of an end compared with another end (WE-010)."""
    return end.altered_cv.value if end.altered_cv and other.cv in end.altered_cv.against else end.cv


def _end(ends: Mapping[int, End], end: End) -> dict[str, Any]:
    """One end of a Mastery Card, with its effects, the lower ends that beat it and the ends that may guard."""
    tip = [["MP Value:", str(end.mp)], ["May guard against:", _guarded(ends, end)]]
    beaten = _beaten_by(ends, end)
    if beaten:
        tip.append(["Loses to:", f"{', '.join(beaten)} too"])
    guards = [str(cv) for cv, other in sorted(ends.items()) if _value(end, other) in other.guard]
    if guards:
        tip.append(["May be guarded by:", ", ".join(guards)])
    if end.altered_cv:
        tip.append(["Counts:", f"{end.altered_cv.value} against {', '.join(map(str, end.altered_cv.against))}"])
    if end.altered_mp:
        tip.append(["MP Value:", f"{end.altered_mp.value} against {', '.join(map(str, end.altered_mp.against))}"])
    if end.damage:
        tip.append(["Damage:", f"+{end.damage}"])
    note = f"MP {end.mp}{f' · +{end.damage}' if end.damage else ''}"
    return {"v": end.cv, "note": note, "label": f"Mastery {end.cv}, {_worth(end)}", "tip": tip}


def _worth(end: End) -> str:
    """The cost and the additions of an end, in words."""
    return f"MP {end.mp}{f', damage +{end.damage}' if end.damage else ''}"


def _beaten_by(ends: Mapping[int, End], end: End) -> list[str]:
    """The lower ends that count more against an end."""
    return [str(cv) for cv, other in sorted(ends.items()) if cv < end.cv < _value(other, end)]


def _stakes(view: WarState, end: End) -> str:
    """The worth of an end, and the lower ends that beat it or the higher ones that it beats."""
    ends = cards_of(view).ends
    if end.altered_cv:
        return f"{_worth(end)}; beats {', '.join(map(str, end.altered_cv.against))} too"
    beaten = _beaten_by(ends, end)
    return f"{_worth(end)}; loses to {', '.join(beaten)} too" if beaten else _worth(end)


def _links(view: WarState) -> dict[str, Any]:
    """An arrow between the Chosen Troops, from the Troop chosen first."""
    first, second = view.round.chosen
    if any(asked.kind in BETWEEN for asked in view.asked):
        return {}
    if not first or not second or any(t not in view.troops for t in (first, second)):
        return {}
    if not all(any(t in column for side in view.sides for column in side.columns) for t in (first, second)):
        return {}
    pair = (second, first) if view.round.attacker == 1 else (first, second)
    return {"clash": {"from": pair[0], "to": pair[1], "tone": "red"}}


def _more(view: WarState, asked: Asked, choice: Choice) -> dict[str, Any]:
    """The refs that an option touches on the table."""
    match choice:
        case round.LayCards(cv, way):
            end = cards_of(view).ends[cv]
            second = [f"m7/{('mst', 'tcts').index(way)}"] if way else []
            grp = {"grp": LAID_WITH[way]} if may_lay_second(view.sides[asked.seat]) else {}
            return {"at": [mastery_ref(view, cv), *second], "label": str(cv), "tip": [_stakes(view, end)], **grp}
        case tie_break.LayTieCard(cv):
            return {"at": [mastery_ref(view, cv)]}
        case choosing.ChooseTroop(troop) | discarding.Discard(troop) | instant_discard.MoveIntoGap(troop):
            return {"at": [troop]}
        case discarding.Retire(troop):
            return {"at": [troop]}
        case discarding.StopRetiring() | end_of_duration.StopSwapping() | combining.CombineNoMore():
            return {"tone": "quiet"}
        case standards.KeepStandards():
            return {"tone": "quiet"}
        case combining.Combine(helper, _, _):
            return {"at": [helper]}
        case end_of_duration.Swap(first, second):
            return {"at": [first, second], **_where_they_fight(view, first, second)}
        case support.PlaceBehind(troop, _):
            return {"at": [troop]}
        case fielding.ChooseArmy(name):
            army = fielding.army_named(view, name)
            return {"sub": _size(view, army), "end": count(_troops(army), "Troop")}
        case stratagems.PickStratagems((code,)):
            return {"sub": _plan(view, code)}
        case standards.FlipStandard(code):
            return {"at": [f"sd{asked.seat}{view.sides[asked.seat].standards.index(code)}"]}
    return {}


def _where_they_fight(view: WarState, *troops: str) -> dict[str, Any]:
    """The figures of Troops at the next Combat Level; empty if one has a row of its own for its first Melee."""
    position, _ = next_position(view)
    level = Level.BALLISTIC if position == "range" else Level(position)
    found = {troop: card_of(view, troop) for troop in troops}
    if level is Level.MELEE and any(each.first_melee_row for each in found.values()):
        return {}
    said = "; ".join(f"{troop_name(view, troop)} {_strength(each.rows[level])}" for troop, each in found.items())
    return {"sub": f"{POSITIONS[level]}: {said}"}


def _troops(army: Army) -> int:
    return sum(len(unit.troops) for unit in army.units) or sum(copies.copies for copies in army.troops)


def _size(view: WarState, army: Army) -> str:
    """The size of an army: its cards and their total cost (WE-265), and whether the enemy may bring many more."""
    masters, standards_ = len(army.combat_masters) + len(army.battle_masters), len(army.standards)
    sizes = {"Troops": _troops(army), "Units": len(army.units), "Masters": masters, "Standards": standards_}
    said = "; ".join(f"{what}: {n}" for what, n in {**sizes, "Army Cost": army.total}.items())
    return f"{said}; the enemy may bring {view.options.cap}" if army.total * 2 <= view.options.cap else said


def mastery_ref(view: WarState, cv: int) -> str:
    """The half of the Mastery Card in the hand: `m4/0`."""
    for number, found in enumerate(cards_of(view).cards.mastery, 1):
        for half, end in enumerate(found.ends):
            if end.cv == cv:
                return f"m{number}/{half}"
    raise KeyError(cv)


def _item(view: WarState, asked: Asked, item: str) -> dict[str, Any]:
    """A card, a place of the arrangement, or a Stratagem."""
    index, code = cards_of(view), item.partition(":")[0]
    if code in index.troops:
        strengths = "; ".join(f"{POSITIONS[level]}: {_strength(row)}" for level, row in index.troops[code].rows.items())
        return {"label": index.troops[code].name, "g": GLYPHS.get(code, "broadsword"), "sub": strengths}
    if code in index.stratagems:
        return {"label": index.stratagems[code].name, "sub": _plan(view, code)}
    if item == BringArmy.__name__:
        return {"label": "An army of your own", "sub": "a JSON file; herald army check says what is wrong with one"}
    return {"label": _place(item), "at": f"unit{asked.seat}#{_drafted(view, asked.seat)[item]}"}


def _plan(view: WarState, code: str) -> str:
    """The cost of a Stratagem and its effect; a Stratagem from a player's own card set has no sentence."""
    cost, known = cards_of(view).stratagems[code].cost, glossary(GAME.name).get(code)
    return f"Cost {cost}. {known.text}" if known else f"Cost {cost}."


def _place(name: str) -> str:
    """A place of the arrangement, in words."""
    unit, _, rest = name.partition("-c")
    column, _, rank = rest.partition("r")
    said = spot("support" if unit == "support" else "main", int(column), int(rank), far=False)
    return said[0].upper() + said[1:]


LAID_WITH: Final = {
    "": "Mastery Card alone",
    "mst": "With mst, for the Combat Master",
    "tcts": "With tcts, for the Battle Master",
}


BETWEEN: Final = frozenset({"SwapOffer", "SupportOffer", "SupportPlacing"})
"""Questions between two Durations, when the last blow is past."""

OF_A_ROUND: Final = frozenset({"TroopSelection", "BowOffer", "BowColumn", "BowTarget", "CombiningOffer", "RowOffer"})
"""Questions within a round. The attacker is named beside them, because a small screen shows the name nowhere else."""


def _setting(view: WarState, asked: Asked) -> dict[str, Any]:
    """The setting of a question.

    Cards are laid when they are confirmed; laid cards cannot be changed (WE-Q76). The aim of the match is told first.
    """
    if asked.kind not in {"MasteryLay", "TieLay"}:
        warned = shaken(view, asked.seat) if asked.kind == "Removal" and view.sides[asked.seat].shaken else ""
        why = " ".join(filter(None, (purpose(view, asked), warned)))
        both_laid = asked.kind in OF_A_ROUND and None not in view.round.laid
        phase = verdict(view, asked.seat) if both_laid else occasion(view, asked)
        return {**({"hint": why} if why else {}), **({"phase": phase} if phase else {})}
    hint = threats(view, asked.seat, pays=asked.kind == "MasteryLay") or "Both cards are turned up together."
    stake = at_stake(view, asked.seat) if asked.kind == "MasteryLay" else "it costs no MP"
    if view.duration == view.round.number == 1 and asked.kind == "MasteryLay":
        stake = "the aim: the enemy's Damage above his MP"
        won = "You win the combat" if view.options.game == "best_of_3" else "You win"
        hint += (
            f" {won} when the enemy's Damage is above his MP at the end of a Duration, "
            "when his MP or Troops run out, or when he Routs."
        )
    return {"look": "chips", "confirm": "Lay face down", "hint": hint, **({"phase": stake} if stake else {})}


ALONE: Final = {
    "UnitSelection": "No other Unit of yours can fight now.",
    "StratagemSelection": "No other Stratagems can be picked now.",
}
"""The reasons why there is only one answer."""


def _rank(_view: WarState, _asked: Asked, choice: Choice) -> int:
    """Cards that break a tie are sorted by their number, like the cards of a round."""
    return choice.cv if isinstance(choice, tie_break.LayTieCard) else 0


WORDS: Final = Words(question, option, waiting, more=_more, item=_item, setting=_setting, rank=_rank, alone=ALONE)
