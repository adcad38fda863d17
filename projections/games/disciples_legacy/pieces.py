"""The pieces of a Scene of Disciples: Legacy: members, Cities, Mana, cards of the Reserves, decks to choose from."""

from typing import Any, Final

from domain.commons.rows import BOTH
from domain.disciples_legacy.cards.cards import Capital, Deck
from domain.disciples_legacy.state.queries import body, cards_of, decks_of, hand_of, is_giant, slot_of
from domain.disciples_legacy.state.state import City, Mana, Member, MemberId, Party
from domain.disciples_legacy.state.stats import attack, hp, max_hp, style
from domain.kernel import Hidden, Seat
from projections.blocks.pieces import Piece, card, state
from projections.games.disciples_legacy.glyphs import STYLE_GLYPHS, glyph_of
from projections.games.disciples_legacy.prompts import is_alone, slot_key
from projections.games.disciples_legacy.terms import card_terms, member_terms
from projections.games.disciples_legacy.texts import (
    COLOURS,
    RACES,
    REACHES,
    STYLES,
    UNTIL,
    abilities_of,
    card_lines,
    kind_words,
    price_words,
)
from projections.games.disciples_legacy.words import (
    COLUMNS,
    View,
    card_name,
    cards_named,
    column_of,
    member_name,
    place_name,
    slot_name,
)
from projections.words import count, player, signed

TIERS: Final = {"major": 2, "minor": 1, "unit": 0}
KINDS: Final = {"major": "Major Leader", "minor": "Minor Leader", "unit": "Unit"}


def members(view: View, me: Seat) -> dict[str, Piece]:
    """Everybody in play."""
    pieces: dict[str, Piece] = {}
    for party in view.parties.values():
        alone = is_alone(view, party.leader)
        for id_ in dict.fromkeys(id_ for id_ in (*party.slots, party.waiting) if id_):
            pieces[id_] = _member(view, party, view.members[id_], far=party.seat != me, alone=alone)
    return pieces


def _place(view: View, party: Party, id_: MemberId, *, far: bool, alone: bool) -> dict[str, Any]:
    if alone or id_ not in party.slots:
        return {"slot": "0,0"}
    slot = slot_of(party, id_)
    if is_giant(cards_of(view), view.members[id_].card):
        return {"slot": f"{slot_key(slot, far=far)[0]},0", "span": [1, 2]}
    return {"slot": slot_key(slot, far=far)}


def _member(view: View, party: Party, member: Member, *, far: bool, alone: bool) -> Piece:
    name = member_name(view, member.id)
    marks = _marks(view, member)
    at = _place(view, party, member.id, far=far, alone=alone)
    hot = view.attack is not None and member.id in {view.attack.leader, view.attack.target, view.attack.blocker}
    spent = member.tapped or member.spent
    now = state("dead" if member.dead else "used" if spent else "", "hot" if hot and not view.battle else "")
    piece = card("leader" if member.kind != "unit" else "unit", f"p{party.leader}", None, member.seat)
    return {
        **piece,
        **at,
        "face": "up",
        "glyph": glyph_of(cards_of(view), member.card),
        "title": name,
        "short": _short(view, member),
        "sub": STYLES[style(view, member.id)],
        "tier": TIERS[member.kind],
        "tierLabel": KINDS[member.kind],
        "stats": _stats(view, member),
        "bar": {"v": hp(view, member.id), "max": max_hp(view, member.id), "label": "HP", "warn": 2},
        "tip": _tip(view, party, member, far=far),
        "terms": member_terms(view, member),
        "label": ", ".join(
            [name, player(view, member.seat), *_translated(view, party, member, far=far), *(m["label"] for m in marks)]
        ),
        **({"badges": marks} if marks else {}),
        **now,
    }


def _short(view: View, member: Member) -> str:
    """The last word of a member's name, with its mark if another member in play has the same name."""
    name = card_name(view, member.card)
    shared = sum(card_name(view, other.card) == name for other in view.members.values()) > 1
    last = name.split()[-1]
    return f"{last} {member.id}" if shared and member.kind != "major" else last


def _stats(view: View, member: Member) -> list[dict[str, Any]]:
    reach, now = style(view, member.id), hp(view, member.id)
    return [
        {
            "form": "key",
            "g": STYLE_GLYPHS[reach],
            "v": attack(view, member.id),
            "label": f"Attack, {STYLES[reach]}",
        },
        {"form": "key", "g": "drop", "v": now, "label": "HP"},
    ]


def _marks(view: View, member: Member) -> list[dict[str, Any]]:
    """The marks on a card: tokens, wards, poison, Items."""
    marks: list[dict[str, Any]] = []
    if member.tapped and not member.dead:
        marks.append({"at": "tr", "g": "halt", "tone": "grey", "label": "tapped"})
    if member.spent:
        marks.append({"at": "tl", "g": "hourglass", "tone": "black", "label": "spent this turn"})
    if member.ward is not None:
        marks.append({"at": "br", "g": "shield", "n": member.ward.points, "tone": "gold", "label": "ward"})
    if member.poison is not None:
        marks.append({"at": "bl", "g": "vial", "n": member.poison.left, "tone": "green", "label": "poisoned"})
    changed = sum(effect.amount for effect in member.effects if effect.stat == "atk")
    if changed:
        tone = "red" if changed < 0 else "green"
        marks.append({"at": "bl", "n": changed, "tone": tone, "label": f"Attack {signed(changed)} for a time"})
    if member.items:
        label = f"carries {cards_named(view, member.items)}"
        marks.append({"at": "tr", "g": "health-potion", "n": len(member.items), "tone": "green", "label": label})
    return marks


def _where(view: View, party: Party, member: Member, *, far: bool) -> str:
    if member.id not in party.slots:
        return "without a place"
    slot = slot_of(party, member.id)
    if is_giant(cards_of(view), member.card):
        return f"{COLUMNS[column_of(slot, far=far) - 1]}, both rows"
    return slot_name(slot, far=far)


def _translated(view: View, party: Party, member: Member, *, far: bool) -> list[str]:
    now = "dead" if member.dead else f"{hp(view, member.id)} of {max_hp(view, member.id)} HP"
    reach = STYLES[style(view, member.id)]
    return [KINDS[member.kind], _where(view, party, member, far=far), now, f"Attack {attack(view, member.id)} {reach}"]


def _tip(view: View, party: Party, member: Member, *, far: bool) -> list[Any]:
    index, printed = cards_of(view), body(view, member.id)
    reach = style(view, member.id)
    now = attack(view, member.id)
    was = f", printed {printed.attack}" if now != printed.attack else ""
    lines: list[Any] = [
        f"{RACES[printed.race]} {kind_words(index.cards[member.card])}, {_where(view, party, member, far=far)}.",
        ["Attack:", f"{now}{was}, reaches {REACHES[reach]}"],
        ["HP:", f"{hp(view, member.id)} of {max_hp(view, member.id)} left; at 0 it is dead"],
    ]
    if member.kind == "major":
        lines.append(["Leadership:", str(index.majors[member.card].leadership)])
    lines += abilities_of(index, member.card)
    for item in member.items:
        lines.append([f"{card_name(view, item)}:", " ".join(abilities_of(index, item))])
    for effect in member.effects:
        lines.append(f"{'Attack' if effect.stat == 'atk' else 'Max HP'} {signed(effect.amount)}{UNTIL[effect.until]}.")
    if member.poison is not None:
        lines.append(
            f"Poison: {member.poison.amount} damage after each Round, {count(member.poison.left, 'time')} more."
        )
    if member.dead:
        lines.append("Dead: it can be revived in the Healing Phase while one of its Party lives.")
    return lines


def places(view: View) -> dict[str, Piece]:
    """Cities, Capitals and Mana in play."""
    pieces: dict[str, Piece] = {}
    counts = dict.fromkeys(BOTH, 0)
    for city in sorted(view.cities.values(), key=lambda city: not city.capital):
        pieces[city.id] = _city(view, city, counts[city.seat])
        counts[city.seat] += 1
    for number, mana in enumerate(view.mana.values()):
        pieces[mana.id] = _mana(view, mana, number)
    return pieces


def _city(view: View, city: City, slot: int) -> Piece:
    index = cards_of(view)
    printed = index.towns[city.card]
    tip = card_lines(index, city.card)
    tip.append("A Capital cannot be attacked." if city.capital else "An attack that nobody blocks captures it.")
    shared = sum(other.seat == city.seat and other.card == city.card for other in view.cities.values()) > 1
    piece = card("city", f"city{city.seat}", slot, city.seat, **state("used" if city.tapped else ""))
    return {
        **piece,
        "face": "up",
        "glyph": glyph_of(index, city.card),
        "title": place_name(view, city.id),
        "short": place_name(view, city.id) if shared else printed.name,
        "tier": 2 if city.capital else 0,
        "tierLabel": kind_words(printed),
        "terms": [*card_terms(index, city.card), *(["tapped"] if city.tapped else []), "c"],
        "badges": [{"at": "tl", "n": printed.yield_c, "tone": "gold", "label": "(C) when tapped"}],
        "tip": [*tip, *(["Tapped this turn."] if city.tapped else [])],
        "label": f"{place_name(view, city.id)}, {player(view, city.seat)}, gives {printed.yield_c} (C)"
        f"{', tapped' if city.tapped else ''}",
    }


def _mana(view: View, mana: Mana, slot: int) -> Piece:
    colour = COLOURS[cards_of(view).mana[mana.card].colour]
    return {
        "shape": "coin",
        "kind": "mana",
        "zone": f"mana{mana.seat}",
        "slot": slot,
        "owner": mana.seat,
        "glyph": "crystal-cluster",
        "tone": colour,
        "title": place_name(view, mana.id),
        "terms": ["mana"],
        "label": f"{place_name(view, mana.id)}, {player(view, mana.seat)}",
        "tip": ["Spells need it in play; it is not used up. An attack that nobody blocks captures it."],
    }


def hand_card(view: View, code: str, zone: str, slot: str | int, seat: Seat, known: str) -> Piece:
    """A card of the Reserves: a template, which stays in the hand after it is played."""
    index = cards_of(view)
    found = index.cards[code]
    piece = card("reserve", zone, slot, seat, face="up", art="plain", glyph=glyph_of(index, code), title=found.name)
    printed = index.bodies.get(code)
    stats = []
    if printed is not None:
        stats = [
            {"form": "key", "g": STYLE_GLYPHS[printed.style], "v": printed.attack, "label": "Attack"},
            {"form": "key", "g": "drop", "v": printed.hp, "label": "HP"},
        ]
    price, cost = price_words(found), getattr(found, "cost", 0)
    return {
        **piece,
        "sub": f"{kind_words(found)}, {price}",
        **({"badges": [{"at": "tl", "n": cost, "tone": "gold", "label": "costs (C)"}]} if cost else {}),
        **({"stats": stats} if stats else {}),
        "known": known,
        "terms": ["reserve", *(["cost"] if cost else []), *card_terms(index, code)],
        "tip": [
            ["Costs:", price],
            *card_lines(index, code),
            "It stays in the Reserves when it is played: a copy comes.",
        ],
        "label": f"{found.name} in the Reserves, {kind_words(found)}, {price}",
    }


def reserves_of(view: View, seat: Seat) -> tuple[str, ...]:
    """A player's hand, or during the sorting of armies the Reserves of the chosen deck."""
    side = view.sides[seat]
    cards = hand_of(view, seat)
    return side.deck.reserves if not cards and isinstance(side.deck, Deck) else cards


def reserves(view: View, viewer: Seat) -> dict[str, Piece]:
    """The viewer's own Reserves in two halves."""
    side = view.sides[viewer]
    cards = reserves_of(view, viewer)
    half = (len(cards) + 1) // 2
    pieces: dict[str, Piece] = {}
    for number, code in enumerate(cards):
        zone, slot = ("hand", number) if number < half else ("hand2", number - half)
        known = "Everybody has seen it." if code in side.known else "Only you see it."
        pieces[f"h{number}"] = hand_card(view, code, zone, slot, viewer, known)
    return pieces


def seen_cards(view: View, viewer: Seat | None, seat: Seat) -> tuple[str, ...]:
    """The cards that the viewer has seen of another player's hand; a viewer of all hands has seen each."""
    if viewer == seat:
        return ()
    if viewer is None and (cards := hand_of(view, seat)):
        return cards
    peeked = () if viewer is None else view.sides[viewer].peeked
    return tuple(dict.fromkeys((*view.sides[seat].known, *(() if isinstance(peeked, Hidden) else peeked))))


def seen(view: View, viewer: Seat | None) -> dict[str, Piece]:
    """The cards of other hands that the viewer has seen (DL-231, DL-232)."""
    pieces: dict[str, Piece] = {}
    for seat in BOTH:
        cards = seen_cards(view, viewer, seat)
        for number, code in enumerate(cards):
            peeked = "Its player alone holds it." if viewer is None else "You have peeked at it."
            known = "Everybody has seen it." if code in view.sides[seat].known else peeked
            pieces[f"k{seat}x{number}"] = hand_card(view, code, f"known{seat}", number, seat, known)
    return pieces


def discards(view: View) -> dict[str, Piece]:
    """The top card of each discard pile, with all cards of the pile in its details."""
    pieces: dict[str, Piece] = {}
    for seat in BOTH:
        pile = view.sides[seat].discard
        if pile:
            name, glyph = card_name(view, pile[-1]), glyph_of(cards_of(view), pile[-1])
            face: dict[str, Any] = {"face": "up", "art": "plain", "glyph": glyph, "title": name}
            face["tip"] = [cards_named(view, pile)]
            face["terms"] = ["discard", *card_terms(cards_of(view), pile[-1])]
            label = f"{player(view, seat)}'s discard pile: {cards_named(view, pile)}"
            pieces[f"d{seat}"] = card("reserve", f"disc{seat}", 0, seat, **face, label=label)
    return pieces


def decks(view: View) -> dict[str, Piece]:
    """The decks that may be chosen, each by its Capital."""
    pieces: dict[str, Piece] = {}
    every = list(decks_of(view).values())
    half = (len(every) + 1) // 2
    for number, deck in enumerate(every):
        zone, slot = ("decks", number) if number < half else ("decks2", number - half)
        parties = [f"{card_name(view, p.leader)}: {cards_named(view, tuple(p.units.values()))}" for p in deck.parties]
        pieces[f"x-{deck.id}"] = {
            **card("deck", zone, slot, face="up", glyph=glyph_of(cards_of(view), deck.capital), title=deck.name),
            "sub": RACES[deck.race],
            "terms": ["deck"],
            "tier": 2,
            "tip": [*parties, ["Reserves:", cards_named(view, deck.reserves)]],
            "label": f"{deck.name}: {'; '.join(parties)}; Reserves {cards_named(view, deck.reserves)}",
        }
    return pieces


def muster(view: View, seat: Seat) -> dict[str, Piece]:
    """The army of the chosen deck before it is deployed."""
    deck = view.sides[seat].deck
    if not isinstance(deck, Deck) or view.sides[seat].race:
        return {}
    index = cards_of(view)
    pieces: dict[str, Piece] = {}
    for number, party in enumerate(deck.parties):
        for at, (slot, code) in enumerate(party.places):
            giant = is_giant(index, code)
            where = {"slot": f"{slot_key(slot, far=False)[0]},0", "span": [1, 2]} if giant else {}
            items = party.items if code == party.leader else ()
            pieces[f"q{number}x{at}"] = {
                **hand_card(view, code, f"q{number}", 0, seat, "Only you see it until both are ready."),
                "kind": "leader" if code == party.leader else "unit",
                "slot": slot_key(slot, far=False),
                **where,
                "tier": 2 if code == party.leader else 0,
                "terms": card_terms(index, code),
                "tip": [*card_lines(index, code), *([["Items:", cards_named(view, items)]] if items else [])],
                "label": ", ".join(
                    [card_name(view, code), slot_name(slot), *([cards_named(view, items)] if items else [])]
                ),
            }
            for word in ("art", "badges"):
                pieces[f"q{number}x{at}"].pop(word, None)
    return pieces


def capital_of(view: View, seat: int) -> Capital | None:
    """A player's Capital, once it lies on the table."""
    found = (city.card for city in view.cities.values() if city.capital and city.seat == seat)
    return cards_of(view).capitals.get(next(found, ""))
