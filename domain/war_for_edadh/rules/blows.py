"""2.H CR4 to CR8: guard, damage, extra damage, Conflict Bonus, Instant Discard (WE-080 to WE-104)."""

from domain.commons.rows import BOTH, foe
from domain.kernel import NEXT, Call, Flow, Part, Parts, Procedure, Resolver, Seat, step, total
from domain.war_for_edadh.cards.cards import Lowers
from domain.war_for_edadh.rules.combat_masters import comparing, damage_ways, offer_bonus
from domain.war_for_edadh.rules.instant_discard import InstantDiscard
from domain.war_for_edadh.rules.standards import in_window, offer_standards
from domain.war_for_edadh.rules.terrain import terrain_guard, terrain_modifier, terrain_range
from domain.war_for_edadh.state.events import (
    BlowResolved,
    DamageAdded,
    DamageTaken,
    GuardTested,
    MpChanged,
    TroopsFlipped,
)
from domain.war_for_edadh.state.queries import cards_of, directions, effects_on, end_of, half_cards, roles
from domain.war_for_edadh.state.state import DRAW, TroopId, WarState
from domain.war_for_edadh.state.stats import chosen_row, figure, minus_parts, star

STAR_MP = 5
"""WE-091, WE-192: the MP lost instead of damage."""


def guard_chance(state: WarState) -> bool:
    """WE-080, WE-Q12: the Attacker's effective value is in the Guard Note of the Defender's end; never in a draw."""
    attacker = state.round.attacker
    return attacker != DRAW and state.round.values[attacker] in end_of(state, foe(attacker)).guard


def guard_ways(state: WarState) -> Parts:
    """WE-081 to WE-083: the ways of guarding that apply, each with the Defender's lead."""
    attacker = Seat(state.round.attacker)
    defender = foe(attacker)
    penetration = figure(state, attacker, "guard_penetration")
    ways = (
        Part("WE-081", figure(state, defender, "ml") - figure(state, attacker, "ml"), "mastery"),
        Part("WE-082", figure(state, defender, "guard_value") - penetration, "shield"),
        Part("WE-083", terrain_guard(state, defender) - penetration, "terrain"),
    )
    return tuple(way for way in ways if way.value > 0)


def out_of_range(state: WarState, attacker: Seat, defender: Seat) -> bool:
    """WE-192, WE-Q47: weapon and Terrain of the Defender both reach further, in the Range Position only (WE-Q48)."""
    ours, theirs = chosen_row(state, attacker), chosen_row(state, defender)
    if state.position != "range" or ours.range is None or theirs.range is None:
        return False
    reach = figure(state, attacker, "range")
    return figure(state, defender, "range") > reach and terrain_range(state, defender) > reach


def resolve_blow(r: Resolver[WarState], attacker: Seat, defender: Seat) -> None:
    """WE-087 to WE-092: one Attacker against one Defender."""
    state = r.state
    if star(state, attacker):
        _star(r, defender)
        return
    att, defence = figure(state, attacker, "att"), figure(state, defender, "def")
    far = out_of_range(state, attacker, defender)
    if far:
        r.emit(BlowResolved(defender, "WE-192", att, defence, True))
        _withdraw(r, defender)
    elif att > defence:
        damage = figure(state, attacker, "att_dmg")
        r.emit(BlowResolved(defender, "WE-087", att, defence, parts=(Part("WE-087", damage, "Attack Damage"),)))
    else:
        damage = figure(state, defender, "def_dmg")
        r.emit(BlowResolved(defender, "WE-088", att, defence, parts=(Part("WE-088", damage, "Defence Damage"),)))


def _withdraw(r: Resolver[WarState], defender: Seat) -> None:
    """WE-192, WE-Q47: 5 MP instead of damage, guarding or not."""
    r.emit(MpChanged(defender, r.state.sides[defender].mp - STAR_MP, (Part("WE-192", -STAR_MP),)))


def _star(r: Resolver[WarState], defender: Seat) -> None:
    """WE-091, WE-Q13: only 5 MP; in a draw not even these 5 MP (WE-092), and nothing else (WE-Q86)."""
    drawn = r.state.round.attacker == DRAW
    r.emit(BlowResolved(defender, "WE-092" if drawn else "WE-091", 0, 0))
    if not drawn:
        r.emit(MpChanged(defender, r.state.sides[defender].mp - STAR_MP, (Part("WE-091", -STAR_MP),)))


def extra_damage(state: WarState, attacker: Seat, defender: Seat) -> Parts:
    """WE-094 to WE-096, WE-Q14: the Attacker's modifier and the Defender's Terrain; WE-093: none with *(5)."""
    if star(state, attacker):
        return ()
    modifier = end_of(state, attacker).damage
    rule = "WE-095" if state.round.attacker == DRAW else "WE-094"
    parts = (Part(rule, modifier, "Mastery Card"), Part("WE-096", terrain_modifier(state, defender), "terrain"))
    return tuple(part for part in parts if part.value)


def reductions(state: WarState, seat: Seat) -> list[tuple[Part, Lowers]]:
    """WE-207 Shield Wall and Shield Cover, WE-061 Stratagems: the parts that lower or raise the player's damage."""
    parts = minus_parts(state, seat)
    for name, effect in effects_on(state, seat):
        if effect.op == "damage_taken" and (effect.when == "always" or effect.when in roles(state, seat)):
            parts.append((Part("WE-061", effect.amount, name), effect.lowers))
    return parts


def kind_of(state: WarState, seat: Seat, part: Part) -> Lowers:
    """WE-Q15: the figure that a part of CR5 to CR7 below 0 lowers: the round's damage or the Dmg Counter itself."""
    match part.rule:
        case "WE-096":
            return "counter" if any(card.lowers == "counter" for card in half_cards(state, seat)) else "damage"
        case "WE-169":
            return cards_of(state).combat_masters[state.sides[seat].combat_master].lowers
        case "WE-177":
            return _standard_lowers(state, seat, part.why)
    return "damage"


def _standard_lowers(state: WarState, seat: Seat, title: str) -> Lowers:
    used = (cards_of(state).standards[code] for code in state.sides[seat].standards_used)
    bonuses = (bonus for standard in used if standard.title == title for bonus in standard.bonuses)
    return next((bonus.lowers for bonus in bonuses if bonus.op == "own_damage"), "damage")


def moved_by(state: WarState, seat: Seat) -> tuple[int, Parts]:
    """WE-098, WE-Q15: the amount by which the round moves the player's Dmg Counter, and why.

    Parts that lower damage taken leave at least 0; out of range no damage is taken at all (WE-192). Then the parts
    that lower the counter itself are subtracted, down to 0 on the counter.
    """
    kinds = [(part, kind_of(state, seat, part)) for part in state.round.damage[seat]] + reductions(state, seat)
    counter = sum(part.value for part, kind in kinds if kind == "counter" and part.value < 0)
    damage = max(0, sum(part.value for part, _ in kinds) - counter)
    moved = (0 if state.round.shielded[seat] else damage) + counter
    return max(moved, -state.sides[seat].dmg), tuple(part for part, _ in kinds)


class Blows(Procedure, frozen=True):
    """CR4 to CR8 of a round."""

    @step("WE-177")
    def window(self, r: Resolver[WarState]) -> Flow:
        """Standards whose window is after the Chosen Troops are selected."""
        return offer_standards(r, "after_chosen", BOTH)

    @step("WE-165")
    def mastery_bonus(self, r: Resolver[WarState]) -> Flow:
        """CR4: a Combat Master's ML bonus, on either side of the guard test."""
        return offer_bonus(r, "ml", BOTH) if guard_chance(r.state) else NEXT

    @step("WE-080", "WE-081", "WE-082", "WE-083", "WE-084", "WE-013", "WE-025")
    def guard(self, r: Resolver[WarState]) -> Flow:
        """CR4: automatic and complete (WE-Q11); nobody guards in a draw (WE-Q10). WE-192 applies to guards too."""
        if guard_chance(r.state):
            ways, attacker = guard_ways(r.state), Seat(r.state.round.attacker)
            far = bool(ways) and out_of_range(r.state, attacker, foe(attacker))
            r.emit(GuardTested(foe(attacker), bool(ways), ways, far))
            if far:
                _withdraw(r, foe(attacker))
        return NEXT

    @step("WE-166")
    def attack_bonus(self, r: Resolver[WarState]) -> Flow:
        """CR5: a Combat Master's Attack bonus."""
        return self._bonus(r, "att")

    @step("WE-167")
    def defence_bonus(self, r: Resolver[WarState]) -> Flow:
        """CR5: a Combat Master's Defence bonus."""
        return self._bonus(r, "def")

    def _bonus(self, r: Resolver[WarState], bonus: str) -> Flow:
        if r.state.round.guarded:
            return NEXT
        if bonus == "att":
            return offer_bonus(r, "att", tuple(seat for seat in BOTH if comparing(r.state, seat, "att")))
        return offer_bonus(r, "def", tuple(seat for seat in BOTH if comparing(r.state, seat, "def")))

    @step("WE-086", "WE-085", "WE-161")
    def flip(self, r: Resolver[WarState]) -> Flow:
        """CR5: both Chosen Troops are flipped, after a guard too (WE-Q09), and their helpers with them."""
        now = r.state.round
        r.emit(TroopsFlipped((*(TroopId(troop) for troop in now.chosen), *now.helpers)))
        return NEXT

    @step("WE-087", "WE-088", "WE-089", "WE-090", "WE-091", "WE-092", "WE-192", "WE-026", "WE-027", "WE-028")
    def damage(self, r: Resolver[WarState]) -> Flow:
        """CR5: att against def, once, or both ways in a draw."""
        if not r.state.round.guarded:
            for attacker, defender in directions(r.state):
                resolve_blow(r, attacker, defender)
        return NEXT

    @step("WE-168", "WE-169")
    def damage_bonus(self, r: Resolver[WarState]) -> Flow:
        """CR6: a Combat Master's Damage bonus; in a guarded round the Defender's only (WE-Q60)."""
        return offer_bonus(r, "dmg", tuple(seat for seat in BOTH if damage_ways(r.state, seat)))

    @step("WE-094", "WE-095", "WE-096", "WE-093", "WE-014")
    def extra(self, r: Resolver[WarState]) -> Flow:
        """CR6: extra damage."""
        if not r.state.round.guarded:
            for attacker, defender in directions(r.state):
                parts = extra_damage(r.state, attacker, defender)
                if parts:
                    r.emit(DamageAdded(defender, parts))
        return NEXT

    @step("WE-Q32")
    def late_window(self, r: Resolver[WarState]) -> Flow:
        """Standards whose window is after CR6, for players who take damage in this round."""
        holders = tuple(seat for seat in BOTH if in_window(r.state, seat, "after_cr6"))
        if not holders:
            return NEXT
        coming = _conflict_bonus(r.state)
        seats = tuple(
            seat
            for seat in holders
            if not r.state.round.shielded[seat] and total((*r.state.round.damage[seat], *coming[seat])) > 0
        )
        return offer_standards(r, "after_cr6", seats)

    @step("WE-097", "WE-029")
    def conflict_bonus(self, r: Resolver[WarState]) -> Flow:
        """CR7: the lower total takes the difference, even the Attacker."""
        for seat, parts in zip(BOTH, _conflict_bonus(r.state), strict=True):
            if parts:
                r.emit(DamageAdded(seat, parts))
        return NEXT

    @step("WE-098", "WE-207", "WE-089")
    def take(self, r: Resolver[WarState]) -> Flow:
        """WE-098, WE-Q15: the damage of the round moves the counter."""
        for seat in BOTH:
            moved, parts = moved_by(r.state, seat)
            if parts:
                r.emit(DamageTaken(seat, moved, r.state.sides[seat].dmg + moved, parts))
        return NEXT

    @step("WE-099")
    def discard_first(self, r: Resolver[WarState]) -> Flow:
        """CR8: the Defender is tested; in a draw both are, seat by seat."""
        return Call(InstantDiscard(Seat(0))) if r.state.round.attacker != 0 else NEXT

    @step("WE-100")
    def discard_second(self, r: Resolver[WarState]) -> Flow:
        """WE-100, WE-Q17: the Attacker is never tested."""
        return Call(InstantDiscard(Seat(1))) if r.state.round.attacker != 1 else NEXT


def _conflict_bonus(state: WarState) -> tuple[Parts, Parts]:
    first, second = (figure(state, seat, "cb") for seat in BOTH)
    part = (Part("WE-097", abs(first - second), "Conflict Bonus"),)
    return (part if first < second else (), part if second < first else ())
