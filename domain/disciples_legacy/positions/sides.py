"""Sides of a position: Parties, Cities, Mana, hands (docs/scenarios.md)."""

from typing import Any, Final

from msgspec.structs import replace

from domain.commons.notation import FILL, Fields, check_keys, convert, one_of
from domain.commons.rows import put
from domain.disciples_legacy.cards.cards import CardIndex, Deck, DeckParty
from domain.disciples_legacy.positions.notation import Placed, read_mana, read_member, read_town, texts
from domain.disciples_legacy.state.formation import free_slots, with_member
from domain.disciples_legacy.state.queries import cards_of, decks_of, is_giant
from domain.disciples_legacy.state.state import EMPTY, NOBODY, DisciplesState, MemberId, Party, Side
from domain.disciples_legacy.state.stats import max_hp
from domain.kernel import Hidden, Seat

SIDES: Final = ("seat0", "seat1")
DEFAULT_DECKS: Final = ("empire_a", "legions_a")
READ_APART: Final = ("deck", "chosen", "race", "hand_size", "peeked_count")
PLACES: Final = ("capital", "cities", "mana", "parties")
NOTHING: Final = "none"
"""The mark for slots that are not named and stay empty."""
SIDE_KEYS: Final = ("deck", FILL, *PLACES, *(key for key in Side.__struct_fields__ if key not in READ_APART))
SLOTS: Final = ("1", "2", "3", "4", "5", "6")


def read_side(state: DisciplesState, seat: Seat, given: object) -> DisciplesState:
    """A side; fields not named are as in its deck, or empty before the armies are deployed."""
    where = SIDES[seat]
    fields = dict(check_keys(where, given, SIDE_KEYS))
    decks, early = decks_of(state), state.phase == "setup"
    name = fields.pop("deck", "none" if early else DEFAULT_DECKS[seat])
    deck = None if name == "none" else decks[one_of(f"{where}.deck", name, decks)]
    like = None if early else deck
    places: dict[str, Any] = {key: fields.pop(key) for key in (*PLACES, FILL) if key in fields}
    state = _read_places(state, seat, places, like)
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
    """The number of members that a seat has named: at least as many as the highest name in use, such as A7, shows."""
    own = [member.id for member in state.members.values() if member.seat == seat]
    numbers = [int(id_[1:]) for id_ in own if id_[0] == "AB"[seat] and id_[1:].isdecimal()]
    return max((len(own), *numbers))


def _read_places(state: DisciplesState, seat: Seat, given: Fields, like: Deck | None) -> DisciplesState:
    """Cities, Mana and Parties; where the position names none, as in the deck."""
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
    parties = given["parties"] if "parties" in given else _listed(like, led_alone=FILL in given)
    if not isinstance(parties, list):
        raise ValueError(f"{where}.parties: a list of tables is needed, not {parties!r}")
    for number, party in enumerate(parties, 1):
        state = _read_party(state, f"{where}.parties[{number}]", seat, party, given.get(FILL, NOTHING))
    return state


def _listed(like: Deck | None, *, led_alone: bool) -> list[Fields]:
    """The Parties of a deck, or their Leaders alone."""
    parties = like.parties if like is not None else ()
    return [_as_text(replace(party, units={}) if led_alone else party) for party in parties]


def _once(where: str, name: str, *taken: dict[Any, Any]) -> None:
    if any(name in names for names in taken):
        raise ValueError(f"{where}: there is another {name}")


def _as_text(party: DeckParty) -> Fields:
    """A Party of a deck in the notation's words."""
    leader = " ".join((party.leader, *(f"+{item}" for item in party.items)))
    return {str(slot): leader if card == party.leader else card for slot, card in party.places}


def _fillers(where: str, read: dict[str, Placed], filler: object, seat: Seat, index: CardIndex) -> dict[str, Placed]:
    """One filler Unit for each free slot, as many as the Leader may lead (DL-045)."""
    made = read_member(where, filler, seat, "", index)
    if made.member.id:
        raise ValueError(f"{where}: a Unit without a name is needed, such as 'squire tapped', not {filler!r}")
    one_of(where, made.member.card, index.units)
    slots, leads = EMPTY, 0
    for slot, placed in read.items():
        card = placed.member.card
        leads += index.majors[card].leadership if card in index.majors else -1
        if slot != "waiting":
            slots = with_member(slots, MemberId(card), int(slot), is_giant(index, card))
    found: dict[str, Placed] = {}
    while len(found) < leads and (free := free_slots(slots, is_giant(index, made.member.card))):
        found[str(free[0])] = made
        slots = with_member(slots, MemberId("filler"), free[0], is_giant(index, made.member.card))
    return found


def _read_party(state: DisciplesState, where: str, seat: Seat, given: object, filler: object) -> DisciplesState:
    """`{ 1 = "S: squire", 2 = "K: knight_captain" }`: a text for each slot, for a Giant under its front slot."""
    index, fields = cards_of(state), check_keys(where, given, (*SLOTS, "waiting"))
    read = {slot: read_member(f"{where}.{slot}", text, seat, "", index) for slot, text in fields.items()}
    leaders = [slot for slot, placed in read.items() if placed.member.kind != "unit"]
    if len(leaders) != 1:
        raise ValueError(f"{where}: it has {len(leaders)} Leaders; a Party has exactly one (DL-040)")
    if filler != NOTHING:
        read |= _fillers(f"{where.partition('.')[0]}.{FILL}", read, filler, seat, index)
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
    """Set the damage if HP were named or the member is dead; Max HP includes all passives."""
    members = dict(state.members)
    for id_, wanted in hps.items():
        member, whole = members[id_], max_hp(state, id_)
        if member.dead:
            if member.damage not in {0, whole} or wanted is not None:
                raise ValueError(f"{where}: {id_} is dead: leave its damage out, which is its Max HP, {whole}")
            members[id_] = replace(member, damage=whole)
        elif wanted is not None:
            if not 1 <= wanted <= whole:
                raise ValueError(f"{where}: {id_} has {wanted} HP; from 1 to its Max HP, {whole}")
            members[id_] = replace(member, damage=whole - wanted)
    return replace(state, members=members)
