"""Positions of Disciples: Legacy as text (docs/scenarios.md): read, shown, and as a viewer knows them."""

from collections.abc import Collection, Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.commons.notation import Fields, check_keys, convert, one_of, texts_in
from domain.commons.rows import BOTH
from domain.commons.sealed import seen_answers
from domain.disciples_legacy.cards.cards import SHIPPED, Deck
from domain.disciples_legacy.checks.invariants import invariants
from domain.disciples_legacy.positions.figures import figures
from domain.disciples_legacy.positions.notation import own_cards, say_member
from domain.disciples_legacy.positions.sides import SIDES, read_side
from domain.disciples_legacy.positions.starts import PHASES, STARTS, around, procedure_of
from domain.disciples_legacy.state.options import Options
from domain.disciples_legacy.state.queries import cards_of, decks_of
from domain.disciples_legacy.state.state import Attack, Battle, DisciplesState, Member, MemberId, Party, Side
from domain.disciples_legacy.state.stats import attack, hp, max_hp, style
from domain.kernel import HIDDEN, Procedure, Seat

TABLE: Final = ("phase", "step", "turn", "first", "to_act", "last_passed")
KEYS: Final = ("start", "with", *TABLE, "attack", "battle", "cards", *SIDES)


NAMED_AHEAD: Final = 40
"""The number of future members and places of a side that may be named."""
MEMBER_FIELDS: Final = (
    *("leader", "member", "partner", "party", "unit", "units", "members", "leaders"),
    *("attacker", "defender", "moved", "giver", "receiver", "escaped"),
)
"""Fields of choices and events that name members."""


SAMPLE: Final[Fields] = {
    "attack": {"leader": "K", "target": "D"},
    "battle": {"round": 1},
    "seat0": {"parties": [{"2": "K: knight_captain"}]},
    "seat1": {"parties": [{"2": "D: dread_duke"}], "cities": ["T: ash_town"], "mana": ["M: red_mana"]},
}


class DisciplesPositions:
    """The notation; implements `domain.kernel.SeenPositions` and `Figured`."""

    sample: Fields = SAMPLE

    def read(self, given: Fields, options: Fields) -> tuple[DisciplesState, Procedure]:
        """The state and the procedure it starts with. Raises `ValueError` with the place and the values allowed."""
        check_keys("position", given, KEYS)
        agreed = convert("options", options, Options)
        if agreed.defects():
            raise ValueError(f"options: {agreed.defects()[0]}")
        if "cards" in given:
            agreed = replace(agreed, cards=own_cards(agreed.cards or SHIPPED, given["cards"]))
        name = one_of("start", given.get("start", "StrategicPhase"), STARTS)
        phase = PHASES.get(name, "strategic")
        fields = {"phase": phase, "turn": int(phase != "setup")} | {key: given[key] for key in TABLE if key in given}
        state = replace(
            convert("position", {"options": agreed, "begun": True, **fields}, DisciplesState), options=agreed
        )
        for seat in BOTH:
            state = read_side(state, seat, given.get(SIDES[seat], {}))
        state = _read_conflict(state, given)
        faults = list(invariants(state))
        if faults:
            raise ValueError(f"it is no position of the game: {faults[0]}")
        procedure = procedure_of(state, name, given.get("with", {}))
        return replace(state, stack=around(state, procedure)), procedure

    def show(self, state: DisciplesState) -> Fields:
        """The position as plain data that scenarios compare: the table, members, Parties, Cities, Mana, both sides."""
        shown: Fields = {name: getattr(state, name) for name in TABLE}
        shown["attack"] = None if state.attack is None else msgspec.structs.asdict(state.attack)
        shown["battle"] = None if state.battle is None else msgspec.structs.asdict(state.battle)
        shown["members"] = {member.id: _say(state, member) for member in state.members.values()}
        for name in ("cities", "mana"):
            shown[name] = {place.id: msgspec.structs.asdict(place) for place in getattr(state, name).values()}
        shown["parties"] = {party.leader: _say_party(party) for party in state.parties.values()}
        for seat in BOTH:
            side = msgspec.structs.asdict(state.sides[seat])
            deck = state.sides[seat].deck
            side["deck"] = deck.id if isinstance(deck, Deck) else deck
            shown[SIDES[seat]] = side
        return shown

    def view(self, state: DisciplesState, viewer: Seat | None) -> DisciplesState:
        """The position as a seat, or a spectator (None), knows it (ledger section AG)."""
        first, second = (_see(side, seat == viewer) for seat, side in enumerate(state.sides))
        return replace(state, sides=(first, second), answered=seen_answers(state, viewer), stack=HIDDEN)

    def names(self, state: DisciplesState) -> Mapping[str, Collection[Any]]:
        """The names of slots, cards of the set, decks, and the next members and places."""
        coming = [f"{letter}{at}" for letter in "ABCM" for at in range(1, NAMED_AHEAD)]
        members = {*state.members, *coming}
        cards = texts_in(cards_of(state).card_set)
        fields: dict[str, Collection[Any]] = dict.fromkeys(MEMBER_FIELDS, members)
        return fields | {"slot": range(1, 7), "": {*cards, *decks_of(state), *coming}}

    def figures(self, state: DisciplesState) -> Fields:
        """The members that each member leads and reaches, and the possessions of the players."""
        return figures(state)


POSITIONS: Final = DisciplesPositions()


def _see(side: Side, own: bool) -> Side:
    """DL-228, DL-231, DL-232: the other side's deck, its hand, and the cards that it has seen in a hand."""
    if own:
        return side
    return replace(
        side,
        deck=HIDDEN if side.deck is not None else None,
        hand=HIDDEN if side.hand_size else side.hand,
        peeked=HIDDEN if side.peeked_count else side.peeked,
    )


def _say(state: DisciplesState, member: Member) -> Fields:
    party = state.parties[member.party]
    slot = party.slots.index(member.id) + 1 if member.id in party.slots else 0
    figures = {"hp": hp(state, member.id), "max_hp": max_hp(state, member.id), "attack": attack(state, member.id)}
    return say_member(member) | figures | {"style": style(state, member.id), "slot": slot}


def _say_party(party: Party) -> Fields:
    slots = {str(slot): id_ or None for slot, id_ in enumerate(party.slots, 1)}
    return {"seat": party.seat, "waiting": party.waiting or None, **slots}


def _read_conflict(state: DisciplesState, given: Fields) -> DisciplesState:
    """An attack and its Battle, where the position has one; the Battle's sides follow from the attack."""
    attack_now = state.attack
    if "attack" in given:
        fields = dict(check_keys("attack", given["attack"], Attack.__struct_fields__))
        leader = one_of("attack.leader", fields.get("leader", ""), state.parties)
        attack_now = convert("attack", {"seat": state.members[MemberId(leader)].seat, **fields}, Attack)
        one_of("attack.target", attack_now.target, (*state.parties, *state.cities, *state.mana))
        if attack_now.blocker and "battle" not in given:
            one_of("attack.blocker", attack_now.blocker, state.parties)
    battle = state.battle
    if "battle" in given:
        fields = dict(check_keys("battle", given["battle"], Battle.__struct_fields__))
        if attack_now is not None:
            sides = {"attacker": attack_now.leader, "defender": attack_now.blocker or attack_now.target}
            fields = {**sides, "attacking": attack_now.seat, **fields}
        for key in ("attacker", "defender"):
            one_of(f"battle.{key}", fields.get(key, ""), state.parties)
        battle = convert("battle", fields, Battle)
    return replace(state, attack=attack_now, battle=battle)
