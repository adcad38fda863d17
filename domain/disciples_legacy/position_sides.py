"""Sides of a position: Parties, Cities, Mana, hands (docs/scenarios.md)."""

from typing import Any, Final

from msgspec.structs import replace

from domain.commons.notation import Fields, check_keys, convert, one_of
from domain.commons.rows import put
from domain.disciples_legacy.cards import Deck, DeckParty
from domain.disciples_legacy.formation import free_slots, with_member
from domain.disciples_legacy.position_text import read_mana, read_member, read_town, texts
from domain.disciples_legacy.queries import cards_of, decks_of, is_giant
from domain.disciples_legacy.state import EMPTY, NOBODY, DisciplesState, MemberId, Party, Side
from domain.disciples_legacy.stats import max_hp
from domain.kernel import Hidden, Seat

SIDES: Final = ("seat0", "seat1")
DEFAULT_DECKS: Final = ("empire_a", "legions_a")
READ_APART: Final = ("deck", "chosen", "race", "hand_size", "peeked_count")
PLACES: Final = ("capital", "cities", "mana", "parties")
SIDE_KEYS: Final = ("deck", *PLACES, *(key for key in Side.__struct_fields__ if key not in READ_APART))
SLOTS: Final = ("1", "2", "3", "4", "5", "6")


def read_side(state: DisciplesState, seat: Seat, given: object) -> DisciplesState:
    """A side; what it does not name is as on its deck, and before the armies are deployed it is nothing."""
    where = SIDES[seat]
    fields = dict(check_keys(where, given, SIDE_KEYS))
    decks, early = decks_of(state), state.phase == "setup"
    name = fields.pop("deck", "none" if early else DEFAULT_DECKS[seat])
    deck = None if name == "none" else decks[one_of(f"{where}.deck", name, decks)]
    like = None if early else deck
    state = _read_places(state, seat, {key: fields.pop(key) for key in PLACES if key in fields}, like)
    hand = fields.pop("hand", like.reserves if like is not None else ())
    side = convert(where, {"hand": texts(f"{where}.hand", hand), **fields}, Side)
    for key in ("hand", "known", "lacks", "peeked", "discard"):
        for card in getattr(side, key):
            one_of(f"{where}.{key}", card, cards_of(state).cards)
    side = replace(
        side,
        deck=deck,
        chosen=deck is not None,
        race="" if deck is None else deck.race,
        hand_size=_length(side.hand),
        peeked_count=_length(side.peeked),
        entered=max(side.entered, _highest(state, seat)),
    )
    return replace(state, sides=put(state.sides, seat, side))


def _length(cards: tuple[str, ...] | Hidden) -> int:
    return 0 if isinstance(cards, Hidden) else len(cards)


def _highest(state: DisciplesState, seat: Seat) -> int:
    """How many members of a seat the names in use tell of, such as A7, and those that have other names."""
    own = [member.id for member in state.members.values() if member.seat == seat]
    numbers = [int(id_[1:]) for id_ in own if id_[0] == "AB"[seat] and id_[1:].isdecimal()]
    return max((len(own), *numbers))


def _read_places(state: DisciplesState, seat: Seat, given: Fields, like: Deck | None) -> DisciplesState:
    """Cities, Mana and Parties; as on the deck where nothing is said."""
    where, index = SIDES[seat], cards_of(state)
    cities, mana = dict(state.cities), dict(state.mana)
    places = state.places
    towns = texts(f"{where}.cities", given.get("cities", ()))
    capital = given.get("capital", like.capital if like is not None else "none")
    for text in (*(() if capital == "none" else (capital,)), *towns):
        places += 1
        city = read_town(f"{where}.cities", text, seat, f"C{places}", index)
        _once(f"{where}.cities", city.id, cities, mana)
        cities[city.id] = city
    for text in texts(f"{where}.mana", given.get("mana", ())):
        places += 1
        planted = read_mana(f"{where}.mana", text, seat, f"M{places}", index)
        _once(f"{where}.mana", planted.id, cities, mana)
        mana[planted.id] = planted
    state = replace(state, cities=cities, mana=mana, places=places)
    parties = given["parties"] if "parties" in given else [_as_text(party) for party in (like.parties if like else ())]
    if not isinstance(parties, list):
        raise ValueError(f"{where}.parties: a list of tables is needed, not {parties!r}")
    for number, party in enumerate(parties, 1):
        state = _read_party(state, f"{where}.parties[{number}]", seat, party)
    return state


def _once(where: str, name: str, *taken: dict[Any, Any]) -> None:
    if any(name in names for names in taken):
        raise ValueError(f"{where}: there is another {name}")


def _as_text(party: DeckParty) -> Fields:
    """A Party of a deck in the notation's words."""
    leader = " ".join((party.leader, *(f"+{item}" for item in party.items)))
    return {str(slot): leader if card == party.leader else card for slot, card in party.places}


def _read_party(state: DisciplesState, where: str, seat: Seat, given: object) -> DisciplesState:
    """`{ 1 = "S: squire", 2 = "K: knight_captain" }`: a text for each slot, for a Giant under its front slot."""
    index, fields = cards_of(state), check_keys(where, given, (*SLOTS, "waiting"))
    read = {slot: read_member(f"{where}.{slot}", text, seat, "", index) for slot, text in fields.items()}
    leaders = [slot for slot, placed in read.items() if placed.member.kind != "unit"]
    if len(leaders) != 1:
        raise ValueError(f"{where}: it has {len(leaders)} Leaders; a Party has exactly one (DL-040)")
    members, slots, waiting = dict(state.members), EMPTY, NOBODY
    party, hps = NOBODY, dict[MemberId, int | None]()
    for slot in (leaders[0], *sorted(slot for slot in read if slot != leaders[0])):
        id_ = read[slot].member.id or MemberId(f"{'AB'[seat]}{sum(m.seat == seat for m in members.values()) + 1}")
        party = party or id_
        _once(where, id_, members)
        members[id_] = replace(read[slot].member, id=id_, party=party)
        if slot == "waiting":
            waiting, hps[id_] = id_, read[slot].hp
            continue
        giant = is_giant(index, members[id_].card)
        if int(slot) not in free_slots(slots, giant):
            raise ValueError(f"{where}.{slot}: {id_} cannot stand there (DL-057, DL-089)")
        slots = with_member(slots, id_, int(slot), giant)
        hps[id_] = read[slot].hp
    parties = {**state.parties, party: Party(party, seat, slots, waiting)}
    return _with_hp(replace(state, members=members, parties=parties), where, hps)


def _with_hp(state: DisciplesState, where: str, hps: dict[MemberId, int | None]) -> DisciplesState:
    """Damage where HP were named, or the member is dead; Max HP as it is with all passives."""
    members = dict(state.members)
    for id_, wanted in hps.items():
        member, whole = members[id_], max_hp(state, id_)
        if member.dead:
            members[id_] = replace(member, damage=member.damage or whole)
        elif wanted is not None:
            if not 1 <= wanted <= whole:
                raise ValueError(f"{where}: {id_} has {wanted} HP; from 1 to its Max HP, {whole}")
            members[id_] = replace(member, damage=whole - wanted)
    return replace(state, members=members)
