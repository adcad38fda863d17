"""The words of War for Edaðh's Scene for the round under way: cards, the attacker, every part of the damage."""

from typing import Any, Final

from domain.commons.rows import BOTH
from domain.kernel import Part, Parts, Seat, total
from domain.war_for_edadh.rules.blows import guard_chance, kind_of
from domain.war_for_edadh.rules.terrain import terrain_guard, terrain_modifier
from domain.war_for_edadh.state.queries import cards_of, has_combat_master
from domain.war_for_edadh.state.state import DRAW, Side, TroopId, WarState
from projections.games.war_for_edadh.words import troop_name
from projections.words import player, reasons, signed

Geom = dict[str, Any]

SECONDARY: Final = {"mst": "Combat Master", "tcts": "Battle Master"}


def tray(view: WarState, me: Seat) -> Geom:
    """The zone of the round: the cards laid by both, and the damage that each takes, part by part with its rule."""
    geom: Geom = {"type": "tray"}
    laid = view.round.laid
    if laid[0] is not None and laid[1] is not None:
        seats = (me, Seat(1 - me))
        geom["roll"] = {
            "title": f"Round {view.round.number}",
            "groups": [_group(view, seat) for seat in seats],
            "result": "; ".join(word for word in (verdict(view), *(_damage(view, seat) for seat in seats)) if word),
        }
    return {"aria": "The round", "style": "inlay", "geom": geom, "terms": ["round", "attacker", "defender"]}


def _group(view: WarState, seat: Seat) -> dict[str, Any]:
    laid = view.round.laid[seat]
    assert laid is not None
    troop = view.round.chosen[seat]
    name = troop_name(view, troop) if TroopId(troop) in view.troops else player(view, seat)
    die = {"t": "white", "f": str(laid.cv), **({"st": "hit"} if view.round.attacker in {seat, DRAW} else {})}
    said = _sum(view, seat, laid.cv)
    return {"label": name, "owner": seat, "dice": [die], **({"sum": said} if said else {})}


def verdict(view: WarState, me: Seat | None = None) -> str:
    """The attacker of this round, once both have laid cards and neither guards; addressed to `me` if given."""
    now = view.round
    if now.guarded:
        return f"{player(view, 1 - now.attacker)} guards (WE-084)"
    if now.attacker == DRAW:
        return _why_drawn(view)
    if now.attacker == me:
        return "You attack; a guard may stop it" if guard_chance(view) else "You attack"
    attacks = f"{player(view, now.attacker)} attacks"
    return f"{attacks}; a guard may stop it" if me is not None and guard_chance(view) else attacks


def _why_drawn(view: WarState) -> str:
    """WE-069: the two ends of a card count as one card, whatever is printed on them."""
    mine, other = (card.cv if card else 0 for card in view.round.laid)
    if mine == other:
        return "A draw: same card, both strike"
    if is_one_card(view):
        return f"A draw: {mine} and {other} are one card"
    return "A draw: equal values, both strike"


def is_one_card(view: WarState) -> bool:
    """WE-069: whether both have laid the same Mastery Card, either end up."""
    index = cards_of(view).mastery_of
    return len({index[card.cv] for card in view.round.laid if card}) == 1


def damage_parts(view: WarState, seat: Seat) -> Parts:
    """Everything that has raised or lowered the player's damage of this round so far."""
    if view.round.shielded[seat]:
        return ()
    parts, end = view.round.damage[seat], view.round.taken[seat]
    if end and end != total(parts):  # formations and Stratagems count when the damage is summed
        return (*parts, Part("WE-098", end - total(parts), "formations and Stratagems"))
    return parts


def taken(view: WarState, seat: Seat) -> int:
    """The steps that the player's Dmg Counter has moved in this round so far; negative if it was lowered (WE-Q15)."""
    parts = damage_parts(view, seat)
    counter = sum(part.value for part in parts if part.value < 0 and kind_of(view, seat, part) == "counter")
    return max(0, total(parts) - counter) + counter


def _sum(view: WarState, seat: Seat, cv: int) -> str:
    """The value that the card counts as, if it differs from the printed one (WE-067), then the damage of the round."""
    value, moved = view.round.values[seat], taken(view, seat)
    counts = f"counts {value}" if value not in {0, cv} else ""
    if not damage_parts(view, seat):
        return counts
    damage = f"takes {moved}" if moved >= 0 else f"Dmg {signed(moved)}"
    return f"{counts}, {damage}" if counts else damage


def _damage(view: WarState, seat: Seat) -> str:
    if view.round.shielded[seat]:
        return f"{player(view, seat)} is out of range (WE-192)"
    parts = damage_parts(view, seat)
    return f"{player(view, seat)}: {reasons(parts)} = {str(taken(view, seat)).replace('-', '−')}" if parts else ""


def terrain_words(view: WarState, me: Seat) -> str:
    """The effects of both halves at this Combat Level: nothing at Melee (WE-039)."""
    if view.position == "melee" or view.ground is None:
        return ""
    above, below = (
        f"{terrain_modifier(view, seat):+}, guard {terrain_guard(view, seat)}" for seat in (Seat(1 - me), me)
    )
    if above == below:
        return "" if above == "+0, guard 0" else above
    return f"above {above}; below {below}"


def secondary_card(view: WarState, viewer: Seat) -> dict[str, Any]:
    """The Secondary Mastery Card in the hand; its ends are used up if the master cannot be called (WE-064, WE-065)."""
    side, laid = view.sides[viewer], view.round.laid[viewer]
    ends = [
        {"v": way, "note": SECONDARY[way], "label": f"{way}: {SECONDARY[way]}{'' if ready else ', not now'}"}
        for way, ready in (("mst", _calls(side)), ("tcts", _plans(side)))
    ]
    used = (laid is not None and laid.secondary) or not may_lay_second(side)
    return {
        "shape": "card",
        "kind": "mastery",
        "zone": "hand",
        "slot": 6,
        "owner": viewer,
        "face": "up",
        "art": "plain",
        "title": "Secondary Mastery Card",
        "terms": ["secondary", "mst", "tcts"],
        "ends": ends,
        "label": f"Secondary Mastery Card, mst and tcts{', used' if used else ''}",
        **({"state": ["used"]} if used else {}),
    }


def has_secondary(view: WarState) -> bool:
    """WE-015: whether the module of either master is in play and a player has a master."""
    return any(side.combat_master or side.battle_master for side in (view.sides[seat] for seat in BOTH))


def may_lay_second(side: Side) -> bool:
    """Whether the player may lay the Secondary Mastery Card now: one of the masters can be called (WE-064, WE-065)."""
    return _calls(side) or _plans(side)


def _calls(side: Side) -> bool:
    return has_combat_master(side) and not side.master_flipped


def _plans(side: Side) -> bool:
    return bool(side.battle_master) and not side.battle_flipped and not side.promoted
