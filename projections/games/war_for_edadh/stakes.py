"""What threatens either side while cards of War for Edaðh are laid, and why a match that nobody won is over."""

from domain.commons.rows import BOTH, foe
from domain.kernel import Seat
from domain.war_for_edadh.queries import cards_of
from domain.war_for_edadh.rules import discarding
from domain.war_for_edadh.state import WarState


def threats(view: WarState, me: Seat) -> str:
    """All that is said beside the card to lay; empty where nothing threatens."""
    decisive = overwhelmed(view, me) or " ".join(filter(None, (close(view, me), discarding_soon(view, me))))
    return " ".join(filter(None, (decisive, shaken(view, me))))


def why_drawn(view: WarState) -> str:
    """Why a match is over that nobody has won; else nothing."""
    result = view.result
    if result is None or result.won or not result.rule:
        return ""
    if result.rule == "WE-113":
        return "Both have more Damage than MP at the end of the Duration: nobody wins (WE-113, WE-114)."
    if result.rule in {"WE-133", "WE-134", "WE-135", "WE-136"}:
        return "Both Units have lost at the end of the same Duration: nobody wins (WE-136)."
    return ""


def overwhelmed(view: WarState, me: Seat) -> str:
    """Whose Damage is above his MP while the Duration lasts, and what that comes to (WE-113, WE-114); else nothing."""
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
    """That the dearest cards would bring MP below Damage: each is paid for when it is laid (WE-071)."""
    side = view.sides[me]
    left, dearest = side.mp - side.dmg, max(end.mp for end in cards_of(view).ends.values())
    if left >= dearest:
        return ""
    return (
        f"Your MP {side.mp} less Damage {side.dmg} leaves {left}: cards cost MP, and with less MP than Damage when the "
        "Duration ends the Unit has lost (WE-113)."
    )


def discarding_soon(view: WarState, me: Seat) -> str:
    """Whose Damage is above his lowest Discard Value while the Duration lasts, and what that comes to.

    In its last round it is said of Damage that may yet come; else nothing.
    """
    told = []
    for seat, whose, who in ((me, "Your", "you lose"), (foe(me), "The enemy's", "he loses")):
        if discarding.discard_due(view, seat, begun=False):
            above = f"Damage {view.sides[seat].dmg} is above Discard Value {discarding.lowest_dv(view, seat)}"
            told.append(f"{whose} {above}: if it stays so, {who} Troops when the Duration ends (WE-118).")
    if any(side.shaken for side in view.sides):
        return " ".join(told)
    if view.round.number == view.rounds and not discarding.discard_due(view, me, begun=False):
        low = discarding.lowest_dv(view, me)
        told.insert(0, f"After this round Damage above Discard Value {low} costs you Troops (WE-118).")
    return " ".join((*told, "Who loses more is Shaken (WE-129).") if told else ())


def shaken(view: WarState, me: Seat) -> str:
    """Who is Shaken, and what that comes to at the end of this Duration (WE-130, WE-133); else nothing."""
    rout = "to lose more cards than the enemy in this Duration again is a rout, and the match is lost (WE-130)."
    if view.sides[me].shaken:
        return f"You are Shaken: {rout}"
    if view.sides[foe(me)].shaken:
        return f"The enemy is Shaken: for him {rout.replace('the enemy', 'you')}"
    return ""
