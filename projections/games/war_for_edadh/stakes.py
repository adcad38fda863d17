"""The threats to either side while cards of War for Edaðh are laid, and the reasons for a match without a winner."""

from domain.commons.rows import BOTH, foe
from domain.kernel import Seat, total
from domain.war_for_edadh.rules import discarding
from domain.war_for_edadh.rules.end_of_duration import instant_parts
from domain.war_for_edadh.state.queries import UNITS, card, cards_of, front
from domain.war_for_edadh.state.state import WarState


def threats(view: WarState, me: Seat, *, pays: bool = True) -> str:
    """Everything that is said beside the card to lay; empty if nothing threatens. `pays`: the card costs MP."""
    told = [overwhelmed(view, me)]
    # A player who has lost as things stand is told of no smaller threat.
    if view.sides[me].dmg <= view.sides[me].mp:
        told += [close(view, me) if pays else "", discarding_soon(view, me)]
    return " ".join(filter(None, (*told, shaken(view, me))))


def at_stake(view: WarState, me: Seat) -> str:
    """The greatest threat in a few words, always visible, while the others are shown on request; else empty."""
    own, other = view.sides[me], view.sides[foe(me)]
    if own.dmg > own.mp:
        return "your Damage is above MP: bring it below"
    if own.shaken:
        return "you are Shaken: lose more cards again and you have lost"
    if other.dmg > other.mp:
        return "the enemy's Damage is above MP: keep it so"
    if other.shaken:
        return "the enemy is Shaken: if he loses more cards again, you win"
    return "as it stands, your Damage costs you Troops" if _above(view, me, "Your", "you") else ""


def why_drawn(view: WarState) -> str:
    """The reason why a match is over without a winner; else empty."""
    result = view.result
    if result is None or result.won or not result.rule:
        return ""
    if result.rule in {"WE-113", "WE-114"}:
        return "Both have more Damage than MP at the end of the Duration: nobody wins (WE-113, WE-114)."
    if result.rule in {"WE-133", "WE-134", "WE-135", "WE-136"}:
        return "Both Units have lost at the end of the same Duration: nobody wins (WE-136)."
    return ""


def overwhelmed(view: WarState, me: Seat) -> str:
    """The players whose Damage exceeds their MP during the Duration, and the effect (WE-113, WE-114); else empty."""
    over = [seat for seat in BOTH if view.sides[seat].dmg > view.sides[seat].mp]
    if len(over) == len(BOTH):
        return "Both have more Damage than MP: if it is still so when the Duration ends, nobody wins (WE-114)."
    if not over:
        return ""
    whose, side = "Your" if me in over else "The enemy's", view.sides[over[0]]
    return (
        f"{whose} Damage {side.dmg} is above MP {side.mp}: if it is still so when the Duration ends, the Unit has lost."
    )


def close(view: WarState, me: Seat) -> str:
    """A warning that the dearest cards would bring MP below Damage, because each is paid for when laid (WE-071)."""
    side = view.sides[me]
    left, dearest = side.mp - side.dmg, max(end.mp for end in cards_of(view).ends.values())
    if left >= dearest:
        return ""
    return (
        f"Your MP {side.mp} less Damage {side.dmg} leaves {left}: cards cost MP, and with less MP than Damage when the "
        "Duration ends the Unit has lost (WE-113)."
    )


def discarding_soon(view: WarState, me: Seat) -> str:
    """The player whose Damage, after ED3, exceeds a Discard Value during the Duration, and the effect; else empty.

    In the last round this includes Damage that may still come.
    """
    told = [_above(view, me, "Your", "you"), _above(view, foe(me), "The enemy's", "he")]
    if not any(side.shaken for side in view.sides):
        if view.round.number == view.rounds and not told[0]:
            told[0] = _limit(view, me)
        told.append("The side that loses more is Shaken (WE-129)." if any(told) else "")
    return " ".join(filter(None, told))


def _lowest(view: WarState, seat: Seat) -> list[int]:
    """The lowest Discard Value of each Unit that may have to Discard; lowest first (WE-118).

    At Ballistic the enemy names one of the two (WE-241).
    """
    side = view.sides[seat]
    units = UNITS if view.position in {"range", "ballistic"} else (discarding.discard_unit(side),)
    ranks = [front(side, unit) for unit in units]
    found = [min(card(view, troop).dv for troop in rank) for rank in ranks if rank]
    if not found:
        rest = front(side, discarding.discard_unit(side))
        found = [min(card(view, troop).dv for troop in rest)] if rest else []
    return sorted(found)


def _taken_off(view: WarState, seat: Seat) -> int:
    """The amount that ED3 takes off Damage (WE-116)."""
    return -total(instant_parts(view, seat))


def _above(view: WarState, seat: Seat, whose: str, who: str) -> str:
    lowest, less = _lowest(view, seat), _taken_off(view, seat)
    dmg = view.sides[seat].dmg
    over = [low for low in lowest if dmg - less > low]
    if not over:
        return ""
    damage = f"{whose} Damage {dmg}, less {less} for Instant Discards (WE-116)," if less else f"{whose} Damage {dmg}"
    above = f"{damage} is above Discard Value {over[0]}: if it stays so, {who}"
    if len(over) < len(lowest):
        names = "the enemy names" if who == "you" else "you name"
        return f"{above} may lose Troops when the Duration ends: {names} the Unit that Discards (WE-241)."
    return f"{above} {'lose' if who == 'you' else 'loses'} Troops when the Duration ends (WE-118)."


def _limit(view: WarState, me: Seat) -> str:
    lowest, less = _lowest(view, me), _taken_off(view, me)
    if not lowest:
        return ""
    costs = "costs" if len(set(lowest)) == 1 else "may cost"
    if less:
        return (
            f"After this round Damage above {lowest[0] + less} {costs} you Troops: "
            f"Discard Value {lowest[0]} and {less} for Instant Discards (WE-116, WE-118)."
        )
    return f"After this round Damage above Discard Value {lowest[0]} {costs} you Troops (WE-118)."


def shaken(view: WarState, me: Seat) -> str:
    """The player who is Shaken, and the effect at the end of this Duration (WE-130, WE-133); else empty."""
    rout = "to lose more cards than the enemy in this Duration again is a rout, and the Unit has lost (WE-130)."
    if view.sides[me].shaken:
        return f"You are Shaken: {rout}"
    if view.sides[foe(me)].shaken:
        return f"The enemy is Shaken: for him {rout.replace('the enemy', 'you')}"
    return ""
