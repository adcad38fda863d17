"""The table of Disciples: Legacy as plain text, at most 100 columns."""

from collections.abc import Iterable
from textwrap import wrap
from typing import Final

from domain.commons.rows import foe
from domain.disciples_legacy.cards.cards import Deck
from domain.disciples_legacy.state.queries import cards_of, cities_of, hand_of, parties_of, purse
from domain.disciples_legacy.state.state import MemberId, Party
from domain.disciples_legacy.state.stats import attack, hp, max_hp, style
from domain.kernel import Seat
from projections.games.disciples_legacy.pieces import seen_cards
from projections.games.disciples_legacy.texts import RACES, STYLES, price_words
from projections.games.disciples_legacy.words import (
    View,
    card_name,
    cards_named,
    member_name,
    party_name,
    place_name,
)
from projections.words import join, player

WIDTH: Final = 100
CELL: Final = 31
RULE: Final = "+" + ("-" * CELL + "+") * 3
TIED: Final = "\u00a0"
"""A space at which no line is broken."""
LEGEND: Final = "HP/Max HP, Attack, reach. T tapped, S spent, W ward, P poisoned. A Giant stands in both rows."


def board(view: View, viewer: Seat | None) -> str:
    """Both sides, the viewer's own below, then the Reserves. In a Battle the fighting Parties are between the sides."""
    below = Seat(0) if viewer is None else viewer
    lines = [*_where(view), *_side(view, foe(below), viewer, far=True), *_side(view, below, viewer, far=False)]
    if viewer is not None:
        lines += _held(view, viewer)
    if view.parties:
        lines.append(LEGEND)
    parts = (part for line in lines for part in wrap(line, WIDTH, subsequent_indent="  ") or [""])
    return "\n".join(part.replace(TIED, " ") for part in parts)


def _listed(items: Iterable[str]) -> str:
    """A list that is wrapped only between its items, so that each line can be read and translated by itself."""
    return join([item.replace(" ", TIED) for item in items]).replace(" and ", f" and{TIED}")


def _where(view: View) -> list[str]:
    if not view.turn:
        return ["Set-up"]
    told = [f"Turn {view.turn}", f"{player(view, view.first)} first"]
    if view.battle is not None:
        fighting = f"{party_name(view, view.battle.attacker)} against {party_name(view, view.battle.defender)}"
        number = f"Round {view.battle.round}" if view.battle.round else "before Round 1"
        return [" | ".join(told), f"Battle: {fighting}, {number}"]
    return [" | ".join(told)]


def _side(view: View, seat: Seat, viewer: Seat | None, *, far: bool) -> list[str]:
    side = view.sides[seat]
    plate = [
        player(view, seat),
        RACES.get(side.race, ""),
        f"{purse(view, seat)} (C) to spend",
        f"Reserves {side.hand_size}",
    ]
    lines = [" | ".join(word for word in plate if word)]
    towns = cards_of(view).towns
    cities = [
        f"{place_name(view, c.id)} {towns[c.card].yield_c}{' T' if c.tapped else ''}" for c in cities_of(view, seat)
    ]
    mana = [place_name(view, mana.id) for mana in view.mana.values() if mana.seat == seat]
    discarded = [card_name(view, card) for card in side.discard]
    told = (("Cities", _listed(cities)), ("Mana", _listed(mana)), ("Discarded", _listed(discarded)))
    lines += [f"{name}: {what}" for name, what in told if what]
    seen = seen_cards(view, viewer, seat)
    if seen:
        lines.append(f"Reserves seen: {_listed(card_name(view, card) for card in seen)}")
    for leader in parties_of(view, seat):
        lines += _party(view, view.parties[leader], far=far)
    return lines


def _party(view: View, party: Party, *, far: bool) -> list[str]:
    """Three columns by two rows, the front row towards the enemy; a far Party is turned round."""
    if view.members[party.leader].kind == "minor":
        return [f"{' '.join(_cell(view, party.leader))}"]
    lines = [f"{party_name(view, party.leader)}:", RULE]
    rows = ((6, 5, 4), (3, 2, 1)) if far else ((1, 2, 3), (4, 5, 6))
    for slots in rows:
        cells = [_cell(view, party.slots[slot - 1]) for slot in slots]
        lines += ["|" + "|".join(f" {cell[i]:<{CELL - 1}.{CELL - 1}}" for cell in cells) + "|" for i in range(2)]
    items = view.members[party.leader].items
    return [*lines, RULE, *([f"Carried: {cards_named(view, items)}"] if items else [])]


def _cell(view: View, id_: MemberId) -> tuple[str, str]:
    if not id_:
        return "", ""
    member = view.members[id_]
    marks = [word for word, there in (("T", member.tapped), ("S", member.spent), ("P", member.poison)) if there]
    marks += [f"W{member.ward.points}"] if member.ward is not None else []
    if member.dead:
        return member_name(view, id_), "dead"
    now = f"{hp(view, id_)}/{max_hp(view, id_)} HP, {attack(view, id_)} {STYLES[style(view, id_)]}"
    return " ".join([member_name(view, id_), *marks]), now


def _held(view: View, viewer: Seat) -> list[str]:
    side, index = view.sides[viewer], cards_of(view)
    lines = []
    cards = hand_of(view, viewer)
    if isinstance(side.deck, Deck) and not side.race:
        lines.append(f"Your army: {side.deck.name}")
        for party in side.deck.parties:
            names = cards_named(view, tuple(card for _, card in party.places))
            lines.append(f"  {names}{f' with {cards_named(view, party.items)}' if party.items else ''}")
        cards = side.deck.reserves
    if cards:
        held = _listed(f"{card_name(view, c)} ({price_words(index.cards[c])})" for c in cards)
        lines.append(f"Your Reserves: {held}")
    return lines
