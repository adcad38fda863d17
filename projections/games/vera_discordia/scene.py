"""The Scene of Vera Discordia: four columns, two armies, Terrain between them (docs/scene.md 10.1)."""

from typing import Any, Final

from domain.commons.rows import BOTH, foe
from domain.kernel import Asked, Hidden, Seat
from domain.vera_discordia import GAME
from domain.vera_discordia.cards.cards import IMMUNE, CardKey, Die, GeneralCard, OrderType, Rank, Shields, Terrain
from domain.vera_discordia.rules.morale import Check
from domain.vera_discordia.rules.recruiting import recruits
from domain.vera_discordia.state.queries import cards_of, count_units, general_of, profile, terrain_in, unit_at
from domain.vera_discordia.state.state import COLUMNS, SPACES, Column, Held, Phase, Space, Unit, VeraState
from projections.blocks.frame import counter, frame, mark, plate, symbol
from projections.blocks.pieces import Piece, card, docked, down, state
from projections.blocks.zones import field, grid, layout, pile, row, tray, zone
from projections.face import Scene
from projections.games.vera_discordia.prompts import ORDERS, prompt_words, slot_key, sorted_hand
from projections.games.vera_discordia.rolls import of_both, shown
from projections.games.vera_discordia.terms import general_terms, printed_terms, unit_terms
from projections.games.vera_discordia.words import (
    ORDER_NAMES,
    TERRAIN_NAMES,
    ability_name,
    card_of,
    held_name,
    space_name,
    unit_title,
)
from projections.words import player

DICE: Final = {
    Die.MELEE: ("white", "broadsword", "Melee"),
    Die.RANGE: ("blue", "bow-arrow", "Range"),
    Die.MAGIC: ("purple", "magic-swirl", "Magic"),
    Die.BREAKER: ("red", "warhammer", "Breaker"),
    Die.ARTILLERY: ("yellow", "cannon-ball", "Artillery"),
}
ROLLED: Final = {die.value: words for die, words in DICE.items()}
SYMBOLS: Final = (
    symbol("Motivation", "crowned-heart"),
    *(symbol(ORDER_NAMES[order], glyph) for order, glyph in ORDERS.items()),
    *(symbol(name, glyph, tone, "die") for tone, glyph, name in DICE.values()),
)
SHIELDS: Final = (
    ("Melee shield", "white"),
    ("Range shield", "blue"),
    ("Magic shield", "purple"),
    ("Breaker and Artillery shield", "orange"),
)
TERRAIN: Final = {
    Terrain.PLAINS: "grass",
    Terrain.FOREST: "pine-tree",
    Terrain.RIVER: "river",
    Terrain.MOUNTAIN: "peaks",
}
CHARGES: Final = {"nir": "oak", "iskelond": "griffin-symbol", "shog": "skull-crossed-bones", "talmar": "lion"}
GLYPHS: Final = {
    "guardians": "bordered-shield",
    "dark-faeries": "fairy-wings",
    "bramble-archers": "thorny-vine",
    "dryads": "vine-leaf",
    "tantai": "root-tip",
    "whisperers": "hooded-figure",
    "elder-bough": "oak",
    "waking-queen": "crown",
    "sentries": "spears",
    "sentinels": "checked-shield",
    "acolytes": "wizard-staff",
    "hammer-guard": "warhammer",
    "floe-riders": "cavalry",
    "shieldwrights": "black-knight-helm",
    "golem": "rock-golem",
    "rime-giant": "stag-head",
    "brood": "medal-skull",
    "gnashers": "wolf-head",
    "trackers": "footsteps",
    "chrysalis": "wax-seal",
    "maulers": "crossed-axes",
    "skinwings": "eagle-head",
    "brood-mother": "skull-crossed-bones",
    "burrowing-horror": "root-tip",
    "outlaws": "hood",
    "mercenaries": "crossbow",
    "league-pikes": "spears",
    "celestials": "fairy-wings",
    "bombards": "cannon-ball",
    "surveyors": "spyglass",
    "old-patience": "castle",
    "sky-barge": "vertical-banner",
}
TIERS: Final = {Rank.BASIC: 0, Rank.ELITE: 1, Rank.LEGENDARY: 2}


def scene(view: VeraState, viewer: Seat | None) -> Scene:
    """The table as one viewer sees it."""
    me = Seat(0) if viewer is None else viewer
    return frame(
        GAME,
        view,
        viewer,
        prompt_words(me),
        crumbs=_crumbs(view),
        plates=[_plate(view, seat) for seat in BOTH],
        layouts=_laid(view, viewer)[me],
        zones=_zones(view, viewer, me),
        pieces=_pieces(view, viewer, me),
        symbols=SYMBOLS,
    )


def _crumbs(view: VeraState) -> list[str]:
    where = view.phase.value.capitalize()
    return [f"Round {view.round}", where] if view.round else ["Set-up", where]


def _plate(view: VeraState, seat: Seat) -> dict[str, Any]:
    side = view.sides[seat]
    faction = cards_of(view).factions.get(side.faction)
    general = general_of(view, seat)
    name = faction.name if faction else ""
    return plate(
        view,
        seat,
        f"{name}, {general.name}" if general else name,
        CHARGES.get(side.faction, "fleur-de-lys"),
        {
            "mot": counter("crowned-heart", "Motivation", side.motivation, 10, term="motivation", key=True),
            "units": counter("vertical-banner", "Units in play", count_units(view, seat), 8, term="units-in-play"),
            "hand": counter("card-draw", "Cards in hand", side.hand_size, term="hand-size"),
        },
        {"init": mark("hunting-horn", "Initiative", "initiative")} if view.initiative == seat else {},
    )


def _layout(me: Seat) -> dict[str, Any]:
    top, low = foe(me), me
    wide: dict[str, list[float]] = {
        "field": [0, 0.6, 121.4, 78.6],
        f"army{top}": [1.2, 1.8, 119, 33.4],
        "terrain": [1.2, 36.4, 119, 8],
        f"army{low}": [1.2, 45.6, 119, 33.4],
        f"gen{top}": [124, 0.6, 12, 16.6],
        f"deck{top}": [126, 20.6, 8, 7.8],
        f"disc{top}": [123.4, 31.8, 12.6, 5.4],
        f"gen{low}": [124, 62.6, 12, 16.6],
        f"deck{low}": [126, 52.6, 8, 7.8],
        f"disc{low}": [123.4, 43.6, 12.6, 5.4],
        "hand": [0, 82, 88, 10.4],
        "tray": [90, 82, 46, 10.2],
    }
    tall: dict[str, list[float]] = {
        "field": [0.4, 0.4, 59.2, 61.6],
        f"army{top}": [1, 1, 58, 26.6],
        "terrain": [1, 28.4, 58, 6],
        f"army{low}": [1, 35.2, 58, 26.2],
        "hand": [0.8, 63.6, 58.4, 9],
        f"deck{low}": [0.6, 75, 5.4, 8],
        f"disc{low}": [6.6, 75, 12.8, 5.4],
        f"gen{low}": [20, 74, 9.6, 13.3],
        f"deck{top}": [30.6, 75, 5.4, 8],
        f"disc{top}": [36.6, 75, 12.8, 5.4],
        f"gen{top}": [50, 74, 9.6, 13.3],
        "tray": [0.8, 88.6, 58.4, 8],
    }
    return {"wide": layout(136, 92.6, wide), "tall": layout(60, 98.6, tall)}


LAYOUTS: Final = {seat: _layout(seat) for seat in BOTH}


FIELD_OF: Final = {"wide": [1.2, 1.8, 119, 77.2], "tall": [1, 1, 58, 60.4]}
"""The place of cards to choose from before there are armies."""


def _muster(me: Seat) -> dict[str, Any]:
    """The layout before deployment: the cards to choose from are large, in the place of the armies."""
    layouts: dict[str, Any] = {}
    for name, laid in LAYOUTS[me].items():
        at = {zone: box for zone, box in laid["at"].items() if zone not in {"army0", "army1", "terrain"}}
        layouts[name] = {"size": laid["size"], "at": {**at, "hand": FIELD_OF[name]}}
    return layouts


def _but(at: dict[str, Any], unused: set[str]) -> dict[str, Any]:
    return {name: box for name, box in at.items() if name not in unused}


def _deployment(me: Seat) -> dict[str, Any]:
    """The layout of the deployment: the Units to be placed use the room of zones that are not in use yet."""
    wide, tall = (LAYOUTS[me][name] for name in ("wide", "tall"))
    unused = {"tray", *(f"{kind}{seat}" for kind in ("deck", "disc", "gen") for seat in BOTH)}
    return {
        "wide": {
            "size": wide["size"],
            "at": {**_but(wide["at"], {"tray"}), "hand": [0, 82, 52.3, 10.4], "hand2": [52.3, 82, 52.3, 10.4]},
        },
        "tall": layout(
            60, 77, {**_but(tall["at"], unused), "hand": [0.8, 63.8, 58.4, 6], "hand2": [0.8, 70.2, 58.4, 6]}
        ),
    }


MUSTERS: Final = {seat: _muster(seat) for seat in BOTH}
DEPLOYMENTS: Final = {seat: _deployment(seat) for seat in BOTH}
MUSTERING: Final = frozenset({Phase.GENERALS, Phase.RECRUITING, Phase.CLOSING})


def is_mustering(view: VeraState, viewer: Seat | None) -> bool:
    """Whether the viewer still sees Generals or dealt Units instead of a field."""
    return viewer is not None and view.phase in MUSTERING


HALF: Final = 4
"""The number of Units to be placed that lie side by side."""


def _is_deploying(view: VeraState, viewer: Seat | None) -> bool:
    return viewer is not None and not view.round and not is_mustering(view, viewer)


def _laid(view: VeraState, viewer: Seat | None) -> dict[Seat, Any]:
    if is_mustering(view, viewer):
        return MUSTERS
    return DEPLOYMENTS if _is_deploying(view, viewer) else LAYOUTS


def _zones(view: VeraState, viewer: Seat | None, me: Seat) -> dict[str, Any]:
    zones: dict[str, Any] = {"field": field()}
    for seat in (foe(me), me):
        zones[f"army{seat}"] = zone(
            # a row that is being filled keeps its place
            grid(4, 2, gap=[1.3, 1.2], tall={"gap": [0.7, 0.7]}, **({"fold": "rows"} if view.round else {})),
            "",
            f"{player(view, seat)}'s army",
            owner=seat,
            terms=["army", "vanguard", "rearguard", "opening"],
            slots={slot_key(seat, space, me): _slot(view, seat, space, me) for space in SPACES},
        )
        zones.update(_side_zones(view, seat))
    zones["terrain"] = zone(grid(4, 1, gap=[1.3, 0], tall={"gap": [0.7, 0]}), aria="Terrain", terms=["terrain"])
    zones["hand"] = _hand_zone(view, viewer)
    if _is_deploying(view, viewer):
        aria = "Your Units, second half"
        zones["hand2"] = zone(zones["hand"]["geom"], "", aria, terms=zones["hand"]["terms"])
    zones["tray"] = of_both(view, tray(shown(view), ROLLED, _roller(view)))
    return zones


def _slot(view: VeraState, seat: Seat, space: Space, me: Seat) -> dict[str, Any]:
    slot: dict[str, Any] = {"label": ("" if seat == me else "Enemy ") + space_name(space)}
    if view.round and unit_at(view, seat, space) is None:
        slot["short"] = "Opening"
    return slot


def _hand_zone(view: VeraState, viewer: Seat | None) -> dict[str, Any]:
    if is_mustering(view, viewer):
        generals = view.phase is Phase.GENERALS
        shape = grid(4, 3 if generals else 4, gap=[1.3, 1.2], tall={"gap": [0.7, 0.7]})
        return zone(
            shape,
            "",
            "Generals" if generals else "Units dealt to you",
            style="bare",
            terms=["generals" if generals else "dealt"],
        )
    if not _is_deploying(view, viewer):
        shape = row(aspect=0.8, align="start", gap=0.6, tall={"aspect": 0.9, "gap": 0.2})
    else:
        shape = row(aspect=1.18, align="start", gap=0.8, tall={"aspect": 2.38, "gap": 0.3})
    return zone(
        shape,
        "Hand" if view.round or viewer is None else "Your Units",
        "Your hand" if viewer is not None else "Hands are hidden",
        terms=["hand" if view.round or viewer is None else "dealt"],
    )


def _roller(view: VeraState) -> str:
    """The Unit whose roll lies in the tray; of a Unit that the roll destroyed, the name of the last one fallen."""
    if view.roll is None or not view.roll.about:
        return ""
    unit = view.units.get(view.roll.about[0])
    if unit is not None:
        return unit_title(view, unit)
    fallen = view.sides[view.roll.seat].fallen if view.roll.rule == Check.ROUT and view.roll.seat is not None else ()
    return "" if not fallen or isinstance(fallen[-1], Hidden) else card_of(view, fallen[-1]).name


def _side_zones(view: VeraState, seat: Seat) -> dict[str, Any]:
    side, who = view.sides[seat], player(view, seat)
    return {
        f"deck{seat}": zone(pile(side.deck_size, seat), "Deck", f"{who}'s order deck", terms=["deck"]),
        f"disc{seat}": zone(
            pile(side.pile_size, seat, is_open=True, aspect=2.3), "Discard", f"{who}'s discard pile", terms=["discard"]
        ),
        f"gen{seat}": zone(row(aspect=0.72), "", f"{who}'s General", terms=["general-card"]),
    }


def _pieces(view: VeraState, viewer: Seat | None, me: Seat) -> dict[str, Piece]:
    pieces: dict[str, Piece] = {}
    for unit in view.units.values():
        pieces.update(_unit_pieces(view, unit, me))
    for column in COLUMNS:
        pieces.update(_terrain_pieces(view, column, viewer))
    for seat in BOTH:
        pieces.update(_side_pieces(view, seat))
    if viewer is not None:
        pieces.update(_hand_pieces(view, viewer))
    return pieces


def _unit_pieces(view: VeraState, unit: Unit, me: Seat) -> dict[str, Piece]:
    where, who = space_name(unit.space), player(view, unit.seat)
    piece = card("unit", f"army{unit.seat}", slot_key(unit.seat, unit.space, me), unit.seat)
    if isinstance(unit.card, Hidden):
        piece.update(_closed_face(unit, who, where))
    else:
        piece.update(_open_face(view, unit, who, where))
    attack = view.attack
    if attack is not None and unit.id in {attack.attacker, attack.target}:
        piece |= state("hot")
    elif unit.order is None and view.phase.value == "resolution":
        piece |= state("used")
    pieces: dict[str, Piece] = {unit.id: piece}
    if unit.order is not None:
        pieces[f"o{unit.id}"] = _order_piece(view, unit, unit.order)
    if unit.general:
        pieces[f"g{unit.id}"] = _general_coin(view, unit)
    return pieces


def _closed_face(unit: Unit, who: str, where: str) -> Piece:
    tip = ["Its identity, dice and shields are known to its owner only."]
    if unit.shown:
        tip.append("It has " + ", ".join(ability_name(ability) for ability in unit.shown) + ".")
    if unit.general:
        tip.append("It holds the General.")
    terms = ["closed", "unit", *sorted(unit.shown)]
    face: Piece = down("Closed Unit", f"Closed Unit, {who}, {where}") | {"tip": tip, "terms": terms}
    if unit.marker is not None:
        face["badges"] = [{"at": "bl", "g": "drop", "n": unit.marker, "tone": "red", "label": "Life left"}]
        terms.append("life-left")
    return face


def _card_face(view: VeraState, card: CardKey) -> Piece:
    printed = card_of(view, card)
    abilities = ", ".join(ability_name(ability) for ability in printed.abilities)
    return {
        "glyph": GLYPHS.get(printed.type_id, "bordered-shield"),
        "title": printed.name,
        "tier": TIERS[printed.rank],
        "tierLabel": printed.rank.value.capitalize(),
        "sub": abilities,
        "dice": [_die(die) for die in printed.dice],
        "stats": _shields(printed.shields),
        "terms": printed_terms(printed),
    }


def _die(die: Die) -> dict[str, str]:
    tone, glyph, label = DICE[die]
    return {"t": tone, "g": glyph, "label": label}


def _shields(shields: Shields) -> list[dict[str, Any]]:
    values = (shields.melee, shields.range, shields.magic, shields.orange)
    return [
        {"form": "shield", "tone": tone, "v": "X" if value == IMMUNE else value, "label": label}
        for value, (label, tone) in zip(values, SHIELDS, strict=True)
    ]


def _open_face(view: VeraState, unit: Unit, who: str, where: str) -> Piece:
    assert not isinstance(unit.card, Hidden), "a known card"
    whole = profile(view, unit)
    abilities = [ability_name(ability) for ability in sorted(whole.abilities)]
    face = _card_face(view, unit.card)
    face.update(
        face="up" if unit.open else "peek",
        sub=", ".join(abilities),
        dice=[_die(die) for die in whole.dice],
        bar={"v": unit.life, "max": whole.max_life, "label": "Life", "warn": 2},
        tip=[["Abilities:", ", ".join(abilities) or "none"], ["Position:", where]],
        label=(
            f"{face['title']}, {who}, {where}, {'open' if unit.open else 'closed'}, "
            f"{unit.life} of {whole.max_life} life, {_translated(whole.dice, face['stats'], abilities)}"
        ),
        terms=unit_terms(unit, card_of(view, unit.card), whole),
    )
    if not unit.open:
        face["known"] = "Closed: the other side sees only the card's back."
    badges = [("hourglass", "Chaotic")] if unit.chaotic else []
    badges += [("crossed-swords", "Enraged")] if unit.enraged else []
    if badges:
        face["badges"] = [{"at": "tl", "g": glyph, "tone": "orange", "label": label} for glyph, label in badges]
    return face


def _translated(dice: tuple[Die, ...], stats: list[dict[str, Any]], abilities: list[str]) -> str:
    """Dice, shields and abilities in words, for screen readers."""
    named = [DICE[die][2] for die in dice]
    rolled = [f"{named.count(name)} {name}" for name in dict.fromkeys(named)]
    shields = " ".join(str(stat["v"]) for stat in stats)
    return ", ".join(["dice " + (" ".join(rolled) or "none"), f"shields {shields}", *abilities])


def _order_piece(view: VeraState, unit: Unit, held: Held) -> Piece:
    piece = docked("order", unit.id, "br", 0.47, 0.06, unit.seat, z=1)
    if isinstance(held.type, Hidden):
        return piece | down("Face-down order", "face-down order", unit.seat) | {"terms": ["face-down-order"]}
    name = held_name(view, unit.seat, held)
    lies = "face up" if held.up else "face down"
    piece.update(face="up" if held.up else "peek", art="plain", glyph=ORDERS[held.type], title=name)
    piece.update(label=f"{name} order, {lies}", tip=[f"{name}, {lies}."])
    piece["terms"] = [held.type.value, "busy" if held.up else "prepared"]
    if not held.up:
        piece["known"] = "Both sides have seen it." if held.seen else "Only its owner sees it."
    return piece


def _general_coin(view: VeraState, unit: Unit) -> Piece:
    general = general_of(view, unit.seat)
    name = general.name if general else "General"
    coin = docked("general", unit.id, "tr", 0.34, 0.1, unit.seat, shape="coin", glyph="crown", tone="gold", title=name)
    tip = ["If this Unit is destroyed, its owner loses at once (VD-283)."]
    return coin | {"label": f"General {name}", "tip": tip, "terms": ["general-piece"]}


def _terrain_pieces(view: VeraState, column: Column, viewer: Seat | None) -> dict[str, Piece]:
    ref = f"t{column}"
    piece: Piece = {"shape": "tile", "zone": "terrain", "slot": f"{column - 1},0", "art": "plain", "kind": "terrain"}
    looked = view.looked.get(f"{viewer}{column}") if viewer is not None else None
    if view.terrain or view.options.without_terrain:
        terrain = terrain_in(view, column)
    elif looked is not None and not isinstance(looked, Hidden):
        terrain = looked
        piece["face"] = "peek"
    else:
        if not view.laid:
            return {}
        return {ref: piece | down("Terrain", f"Terrain {column}, face down") | {"terms": ["terrain"]}}
    name, effect = TERRAIN_NAMES[terrain]
    piece.update(
        kind=terrain.value,
        glyph=TERRAIN[terrain],
        title=name,
        sub=effect,
        tip=[effect],
        terms=[terrain.value, "terrain"],
    )
    piece["label"] = f"Terrain {column}: {name}. {effect}"
    piece.setdefault("face", "up")
    pieces = {ref: piece}
    for unit in view.units.values():
        if unit.capture and int(unit.space[1]) == column:
            pieces[f"f{column}"] = _flag(view, unit, ref)
    return pieces


def _flag(view: VeraState, unit: Unit, ref: str) -> Piece:
    flag = docked("capture", ref, "l", 0.62, -0.6, unit.seat, shape="flag", glyph="flying-flag", title="Captured")
    return flag | {
        "label": f"captured by {player(view, unit.seat)}",
        "tip": [f"Held by {unit_title(view, unit)}."],
        "terms": ["flag"],
    }


def _side_pieces(view: VeraState, seat: Seat) -> dict[str, Piece]:
    side, who = view.sides[seat], player(view, seat)
    pieces: dict[str, Piece] = {}
    if side.top is not None:
        name = ORDER_NAMES[side.top]
        label = f"top of {who}'s discard pile: {name}"
        pieces[f"d{seat}"] = card("order", f"disc{seat}", None, seat, **_order_face(side.top), label=label)
    general = general_of(view, seat)
    if general is not None:
        pieces[f"G{seat}"] = {
            **_general_card(general, "mounted-knight"),
            "zone": f"gen{seat}",
            "owner": seat,
            "label": f"{general.name}, General of {who}",
        }
    return pieces


def _general_card(general: GeneralCard, glyph: str) -> Piece:
    heroism = [ability_name(ability) for ability in general.heroism.abilities]
    heroism += [f"1 {DICE[die][2]} die" for die in general.heroism.dice]
    return {
        "shape": "card",
        "kind": "general",
        "face": "up",
        "glyph": glyph,
        "title": general.name,
        "short": general.name.split()[0],
        "sub": "General",
        "tier": 1,
        "terms": general_terms(general),
        "tip": [
            ["Heroism:", ", ".join(heroism) or "none"],
            ["Leadership:", general.leadership.text],
            [f"Strategy ({general.strategy.icon}):", general.strategy.text],
        ],
    }


def _hand_pieces(view: VeraState, viewer: Seat) -> dict[str, Piece]:
    side = view.sides[viewer]
    mine = next((asked for asked in view.asked if asked.seat == viewer), None)
    if mine is not None and view.phase is Phase.GENERALS:
        return _general_cards(view, mine)
    if not isinstance(side.hand, Hidden) and side.hand:
        held = sorted_hand(side.hand)
        return {f"h{i}": _hand_order(order, i, viewer, held.index(order)) for i, order in enumerate(held)}
    if side.recruits:
        dealt = enumerate(recruits(view, viewer))
        return {f"c{i + 1}": {**_hand_unit(view, c, i, viewer), "slot": f"{i % 4},{i // 4 + 1}"} for i, c in dealt}
    covert = () if isinstance(side.covert, Hidden) else side.covert
    cards = [(key, False) for key in side.reserve] + [(key, True) for key in covert]
    pieces: dict[str, Piece] = {}
    for i, (key, closed) in enumerate(cards):
        first = ref = f"c-{key.partition('/')[2]}-{'closed' if closed else 'open'}"
        while ref in pieces:
            ref += "+"
        equal = {"same": first} if ref != first else {}
        half = {"zone": "hand2", "slot": i - HALF} if i >= HALF and _is_deploying(view, viewer) else {}
        pieces[ref] = _hand_unit(view, key, i, viewer, closed=closed) | equal | half
    return pieces


def _general_cards(view: VeraState, asked: Asked) -> dict[str, Piece]:
    """The cards of the Generals that may be chosen."""
    choices = [str(getattr(choice, "general", "")) for choice in GAME.revive_decision(asked).form(view)]
    pieces: dict[str, Piece] = {}
    for i, name in enumerate(choices):
        faction, general = cards_of(view).general(name)
        pieces[f"x-{name}"] = {
            **_general_card(general, CHARGES.get(faction, "fleur-de-lys")),
            "zone": "hand",
            "slot": f"{i % 4},{i // 4}",
            "sub": cards_of(view).factions[faction].name,
            "label": f"{general.name} of {cards_of(view).factions[faction].name}",
        }
    return pieces


def _hand_order(order: OrderType, at: int, viewer: Seat, first: int) -> Piece:
    words = {"label": f"{ORDER_NAMES[order]} in hand", "known": "In your hand."}
    if at != first:
        words["same"] = f"h{first}"
    return card("order", "hand", at, viewer, **_order_face(order), **words)


def _order_face(order: OrderType) -> Piece:
    return {
        "face": "up",
        "art": "plain",
        "glyph": ORDERS[order],
        "title": ORDER_NAMES[order],
        "terms": [order.value, "order"],
    }


def _hand_unit(view: VeraState, key: CardKey, at: int, viewer: Seat, *, closed: bool = False) -> Piece:
    printed = card_of(view, key)
    abilities = [ability_name(ability) for ability in printed.abilities]
    face = {
        "face": "peek" if closed else "up",
        "bar": {"v": printed.max_lp, "max": printed.max_lp, "label": "Life", "warn": 2},
        "label": (
            f"{printed.name}, {printed.rank.value}, {'Closed' if closed else 'Open'}, not yet placed, "
            f"{printed.max_lp} life, {_translated(printed.dice, _shields(printed.shields), abilities)}"
        ),
    }
    return card("unit", "hand", at, viewer, **_card_face(view, key), **face)
