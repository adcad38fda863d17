"""The sentences that a prompt of Disciples: Legacy adds to its options: stakes and irreversible consequences."""

from typing import Any, Final

from msgspec.structs import replace

from domain.commons.rows import foe
from domain.disciples_legacy.rules.battle.steps import acts_first
from domain.disciples_legacy.rules.battle.striking import strikes
from domain.disciples_legacy.rules.healing import FREE_HP, HP_PER_C, LEADER_REVIVAL, UNIT_REVIVAL
from domain.disciples_legacy.rules.paying import tappable
from domain.disciples_legacy.rules.turn import strength
from domain.disciples_legacy.state.formation import FRONT
from domain.disciples_legacy.state.queries import living, modifier, ready_leaders, slot_of
from domain.disciples_legacy.state.state import Battle, MemberId, Slots
from domain.disciples_legacy.state.stats import hp
from domain.kernel import Asked, Seat
from projections.games.disciples_legacy.words import View, member_name, target_name
from projections.words import count, join

AT_ONCE: Final = "It is done at once."
HINTS: Final = {
    "StrategicAction": AT_ONCE,
    "BattleAction": AT_ONCE,
    "FreeAction": AT_ONCE,
    "OverflowDiscard": AT_ONCE,
}

NOBODY_MOVES: Final = "Nobody is left who may be moved: each member moves once at most."
ALONE: Final = {
    "BattleFormation": NOBODY_MOVES,
    "Arrangement": NOBODY_MOVES,
    "SettleTrade": "Everything that may go over has been named.",
    "GiveUnit": "Without it the trade cannot be settled.",
}
"""The reasons why there is only one answer."""

FREE_HEALING: Final = {
    "Revival": f"Next, everybody alive heals {FREE_HP} HP, the revived too.",
    "HealingPurchase": f"Everybody alive has just healed {FREE_HP} HP.",
}
"""DL-113: the step between the two questions, in which nobody is asked anything."""


def setting(view: View, asked: Asked) -> dict[str, Any]:
    """The reason for the question, its phase, the stakes, and the irreversible consequences."""
    said = {"hint": HINTS.get(asked.kind), "also": at_stake(view, asked), "phase": _phase(view, asked)}
    if asked.kind == "TradeTerms":
        moved = [*asked.terms["units"], *asked.terms["items"]]
        said["hint"] = f"Named so far: {join([target_name(view, str(thing)) for thing in moved]) or 'nothing'}."
    said["hint"] = " ".join([*filter(None, [said["hint"]]), *_further(view, asked)])
    return {key: value for key, value in said.items() if value}


def _further(view: View, asked: Asked) -> list[str]:
    """The meaning of the stakes, and the facts that the board shows: for readers, and on demand."""
    match asked.kind:
        case "StrategicAction" if _last_leader(view, asked.seat):
            return ["Once spent, whatever the enemy attacks fights by itself, and a City attacked is lost."]
        case "BattleFormation" if _blocked(view, asked.seat):
            return ["Your attack goes on only if the blocker flees or is wiped out."]
        case "BattleAction" | "RetreatOffer" if view.battle is not None:
            return _facing(view, view.battle, asked.seat)
    return []


def _phase(view: View, asked: Asked) -> str:
    battle = view.battle
    if battle is None:
        return f"Turn {view.turn} of {view.options.turn_limit}" if view.turn else ""
    if asked.kind == "FreeAction":
        return f"{count(battle.free, 'free action')} left"
    if asked.kind == "RetreatOffer":
        return f"before Battle Round {battle.round + 1}"
    return f"Battle Round {battle.round}" if battle.round else "before the Battle"


def at_stake(view: View, asked: Asked) -> str:
    """The stakes of a decision, beyond the options themselves."""
    match asked.kind:
        case "DeckSelection":
            return (
                "A player with nobody alive has lost. "
                f"After Turn {view.options.turn_limit} whoever has more living Major Leaders wins."
            )
        case "Revival" | "HealingPurchase":
            said = _last_turn(view, asked.seat)[:1] or [FREE_HEALING[asked.kind]]
            return " ".join([*said, *_at_hand(view, asked)])
        case "StrategicAction":
            last, leader = _last_turn(view, asked.seat), _last_leader(view, asked.seat)
            # no more than three lines of it are seen
            return " ".join([*last[:1], *leader] if leader else last)
        case "BattleFormation" if view.battle is not None:
            comes = _blocked(view, asked.seat) or _attacked(view, asked.seat)
            return " ".join([*comes, _acts_first(view.battle, asked.seat), *_out_of_reach(view, asked.seat)])
        case "RetreatOffer" if view.battle is not None:
            return _acts_first(view.battle, asked.seat)
        case "BlockOffer" if view.attack is not None:
            return f"The attackers have {sum(hp(view, member) for member in living(view, view.attack.leader))} HP."
    return ""


def _facing(view: View, battle: Battle, seat: Seat) -> list[str]:
    """The enemies by their rows (DL-096), because on a small screen some of them may be out of sight."""
    party = view.parties[battle.party(foe(seat))]
    rows: dict[bool, list[str]] = {True: [], False: []}
    for enemy in living(view, party.leader):
        rows[slot_of(party, enemy) in FRONT].append(member_name(view, enemy))
    front, back = join(rows[True]), join(rows[False])
    return [
        *([f"In the enemy's front row: {front}."] if front else []),
        *([f"In its back row: {back}."] if back else []),
    ]


def _acts_first(battle: Battle, seat: Seat) -> str:
    """DL-177: the side that begins the next Battle Round, whose number the phase of the question says."""
    return "You act first." if acts_first(battle.attacking, battle.round + 1) == seat else "The enemy acts first."


def _blocked(view: View, seat: Seat) -> list[str]:
    """DL-162, DL-189: told to the attacker who meets a Party other than the intended one."""
    battle, attack = view.battle, view.attack
    if battle is None or attack is None or attack.seat != seat or battle.defender != attack.blocker:
        return []
    return [f"{member_name(view, attack.blocker)}'s Party blocks."]


def _attacked(view: View, seat: Seat) -> list[str]:
    """DL-162: told to the defender, who may be attacked again and again."""
    battle = view.battle
    if battle is None or battle.attacking == seat:
        return []
    return [f"{member_name(view, battle.attacker)}'s Party attacks."]


def _at_hand(view: View, asked: Asked) -> list[str]:
    """DL-082, DL-084: the means to pay for healing, and its price while no City has paid for any."""
    credit = view.sides[asked.seat].credit
    if credit:
        return [f"You have {credit} (C)."]
    if not any(tappable(view, asked.seat)):
        return []
    if asked.kind == "Revival":
        return [f"A Unit costs {UNIT_REVIVAL} (C), a Leader {LEADER_REVIVAL} (C)."]
    return [f"1 (C) heals {HP_PER_C + modifier(view, asked.seat, 'heal3_amount')} HP."]


def out_of_reach(view: View, seat: Seat) -> list[MemberId]:
    """DL-196: the members of a Battle Party that reach nobody in the present formations, behind their own front row
    (DL-095, DL-096). In a row that may be struck, only a far corner is ever out of reach, and only while the row holds
    others (DL-098, DL-099).
    """
    battle = view.battle
    mine = living(view, battle.party(seat)) if battle is not None else ()
    return [member for member in mine if next(strikes(view, member), None) is None]


def out_of_reach_then(view: View, seat: Seat, slots: Slots) -> list[MemberId]:
    """The members of a Battle Party that can strike somebody now, but could not in the proposed formation."""
    battle = view.battle
    assert battle is not None, "only who forms up is asked"
    party = view.parties[battle.party(seat)]
    moved = replace(view, parties={**view.parties, party.leader: replace(party, slots=slots)})
    now = out_of_reach(view, seat)
    return [member for member in out_of_reach(moved, seat) if member not in now]


def _out_of_reach(view: View, seat: Seat) -> list[str]:
    idle = [member_name(view, member) for member in out_of_reach(view, seat)]
    return [f"Behind your own front row {join(idle)} can strike nobody."] if idle else []


def _last_turn(view: View, seat: Seat) -> list[str]:
    """DL-Q60: the present values of the figures that decide after the last turn."""
    if view.turn < view.options.turn_limit:
        return []
    (ours, cost, _), (theirs, other, _) = (strength(view, side) for side in (seat, foe(seat)))
    return [
        f"Last turn: more living Major Leaders win, you have {ours}, the enemy {theirs}.",
        f"If equal, what the living cost decides: yours {cost} (C), the enemy's {other} (C).",
    ]


def _last_leader(view: View, seat: Seat) -> list[str]:
    """DL-160: a Leader who acts cannot block; told if the last Leader would act while the enemy may still attack."""
    ready = ready_leaders(view, seat)
    if len(ready.major) != 1 or not ready_leaders(view, foe(seat)).major:
        return []
    return [f"{member_name(view, ready.major[0])} is your last Leader who can block."]
