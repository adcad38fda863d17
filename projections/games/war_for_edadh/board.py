"""The table of War for Edaðh as plain text, at most 100 columns."""

from typing import Final

from domain.commons.rows import BOTH, foe
from domain.kernel import Hidden, Seat
from domain.war_for_edadh.state.queries import card, cards_of, columns_of
from domain.war_for_edadh.state.state import Unit, WarState
from domain.war_for_edadh.state.stats import row_of
from projections.games.war_for_edadh.words import (
    POSITIONS,
    master_name,
    score,
    stratagem_name,
    stratagems_named,
    terrain_name,
)
from projections.words import join, player

CELL: Final = 36
RULE: Final = "+" + ("-" * CELL + "+") * 3
LEGEND: Final = (
    "att attack/damage, def Defence/Defence Damage, ML Mastery Level, cb Conflict Bonus,\n"
    "DV Discard Value; * no attack: 5 MP instead; (used): flipped."
)


def board(view: WarState, viewer: Seat | None) -> str:
    """Both Units over the Terrain, the viewer's own below; then the viewer's hand."""
    below = Seat(0) if viewer is None else viewer
    lines = [*_plate(view, foe(below)), *_unit(view, foe(below), True), *_ground(view), *_unit(view, below, False)]
    lines += _plate(view, below)
    if viewer is not None:
        lines += _held(view, viewer)
    if view.troops:
        lines.append(LEGEND)
    return "\n".join(line[:100] for line in lines)


def _plate(view: WarState, seat: Seat) -> list[str]:
    side = view.sides[seat]
    masters = []
    if side.combat_master:
        state = " (lost)" if side.master_lost else " (flipped)" if side.master_flipped else ""
        masters.append(master_name(view, side.combat_master) + state)
    if side.battle_master:
        state = " (Promoted)" if side.promoted else " (flipped)" if side.battle_flipped else ""
        masters.append(master_name(view, side.battle_master) + state)
    lines = [" | ".join(word for word in (player(view, seat), side.faction, score(view, seat), *masters) if word)]
    index = cards_of(view).standards
    standards = [index[c].title + (" (used)" if c in side.standards_used else "") for c in side.standards]
    if standards:
        lines.append(f"Standards: {join(standards)}")
    lying = join([stratagem_name(view, lying.code) for lying in side.in_play]) or "none"
    if side.deck_size or side.in_play:
        lines.append(f"Stratagems in play: {lying} | face down {side.holding_count} | deck {side.deck_size}")
    return lines


def _unit(view: WarState, seat: Seat, far: bool) -> list[str]:
    """The ranks from the enemy's side down; a far Unit, seen from across the table, is turned: rear ranks first."""
    ranks: list[tuple[Unit, int]] = [
        (unit, rank)
        for unit in ("main", "support")
        for rank in range(max(map(len, columns_of(view.sides[seat], unit))))
    ]
    lines: list[str] = [RULE] if ranks else []
    for unit, rank in reversed(ranks) if far else ranks:
        columns = columns_of(view.sides[seat], unit)
        order = (2, 1, 0) if far else (0, 1, 2)
        cells = [_cell(view, columns[n][rank] if rank < len(columns[n]) else "", unit) for n in order]
        lines += ["|" + "|".join(f"{cell[i]:<{CELL}.{CELL}}" for cell in cells) + "|" for i in range(2)]
        lines.append(RULE)
    return lines


def _cell(view: WarState, troop: str, unit: Unit) -> tuple[str, str]:
    if not troop:
        return "", ""
    found, row = card(view, troop), row_of(view, troop)
    used = " (used)" if any(t.flipped and t.id == troop for t in view.troops.values()) else ""
    behind = " Support" if unit == "support" else ""
    attack = f"{row.att}/{row.att_dmg}" if row.att is not None else "*"
    return (
        f" {troop} {found.name}{used}{behind}",
        f" att {attack} def {row.defence}/{row.def_dmg} ML{row.ml} cb{row.cb} DV{found.dv}",
    )


def _ground(view: WarState) -> list[str]:
    laid = [f"{player(view, s)}: {card.cv} {card.secondary}" for s in BOTH if (card := view.round.laid[s])]
    where = [terrain_name(view, view.ground.code)] if view.ground else []
    if view.ground:
        where += [f"{terrain_name(view, u.code)} on {player(view, u.seat)}'s half" for u in view.ground.under]
    if view.duration:
        where.append(
            f"Duration {view.duration}, round {view.round.number} of {view.rounds}, {POSITIONS[view.position]}"
        )
    return [" | ".join((*where, *laid))] if where or laid else []


def _held(view: WarState, viewer: Seat) -> list[str]:
    side = view.sides[viewer]
    lines = []
    if side.army is not None and not isinstance(side.army, Hidden):
        lines.append(f"Your army: {side.army.name}")
    if not isinstance(side.holding, Hidden) and side.holding:
        lines.append(f"Face down: {stratagems_named(view, side.holding)}")
    if not isinstance(side.deck, Hidden) and side.deck:
        lines.append(f"Your deck: {stratagems_named(view, side.deck)}")
    return lines
