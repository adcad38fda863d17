"""Sections K, L and M: recruiting, Vision and Stealth, Open and Closed Units (set-up steps 3 to 5)."""

from collections import Counter

from domain.commons.cards import known
from domain.commons.rows import BOTH, foe
from domain.kernel import NEXT, Choice, Decision, Flow, One, Pick, Procedure, Resolver, Seat, ask, step
from domain.vera_discordia.cards.cards import Ability, CardKey, Muster, Rank, Recruit, Scouts
from domain.vera_discordia.state.events import (
    ArmyCounted,
    ArmyDealt,
    ArmyShown,
    ExchangeDeclined,
    InitiativeTaken,
    PhaseBegan,
    RankExchanged,
)
from domain.vera_discordia.state.queries import cards_of, general_of, leadership
from domain.vera_discordia.state.state import Phase, VeraState

DEAL = {Rank.BASIC: 5, Rank.ELITE: 2, Rank.LEGENDARY: 1}  # VD-101
CLOSED = 4  # VD-111
ARMY = 8


def deal_numbers(state: VeraState, seat: Seat) -> dict[Rank, int]:
    """VD-101: the number of Units of each rank; changed by Leadership (VD-K01, VD-Q63) and by option (VD-290)."""
    numbers = dict(DEAL)
    for hook in leadership(state, seat, Recruit):
        numbers = {Rank.BASIC: hook.basic, Rank.ELITE: hook.elite, Rank.LEGENDARY: hook.legendary}
    if state.options.without_legendary:
        numbers[Rank.ELITE] += numbers[Rank.LEGENDARY]
        numbers[Rank.LEGENDARY] = 0
    return numbers


def rank_of(state: VeraState, card: CardKey) -> Rank:
    """The printed rank of a card."""
    return cards_of(state).types[card].rank


def _mustered(state: VeraState, seat: Seat) -> tuple[tuple[CardKey, ...], dict[Rank, list[CardKey]]]:
    """VD-K02: the cards that belong to the army before the deal, and the piles of the three ranks (VD-100)."""
    faction = state.sides[seat].faction
    copies = dict(cards_of(state).army_deck(faction))
    mustered: list[CardKey] = []
    for hook in leadership(state, seat, Muster):
        card = CardKey(f"{faction}/{hook.type_id}")
        mustered += [card] * hook.min
        copies[card] = hook.max - hook.min
    piles: dict[Rank, list[CardKey]] = {rank: [] for rank in Rank}
    for card, number in copies.items():
        piles[rank_of(state, card)] += [card] * number
    return tuple(mustered), piles


def dealt_of_rank(state: VeraState, seat: Seat, rank: Rank) -> int:
    """How many Units of a rank are dealt: the number less those mustered (VD-K02)."""
    mustered, _ = _mustered(state, seat)
    return max(0, deal_numbers(state, seat)[rank] - sum(rank_of(state, card) is rank for card in mustered))


def deal_army(r: Resolver[VeraState], seat: Seat) -> None:
    """VD-100 to VD-104, VD-367, VD-368: three shuffled piles, 8 Units known to their owner alone."""
    mustered, piles = _mustered(r.state, seat)
    dealt: list[CardKey] = []
    rest: list[CardKey] = []
    for rank, pile in piles.items():
        number = dealt_of_rank(r.state, seat, rank)
        shuffled = r.shuffle(pile, "VD-100", f"{rank.value.capitalize()} Units", seat=seat)
        dealt += shuffled[:number]
        rest += shuffled[number:]
    r.emit(ArmyDealt(seat, len(dealt) + len(mustered), tuple(dealt), mustered, tuple(rest)))


class KeepArmy(Choice, frozen=True):
    """Keep the Units dealt."""


class ExchangeRank(Choice, frozen=True):
    """Give back all Units of this rank and take as many new ones."""

    rank: Rank


class Exchange(Decision, frozen=True):
    """VD-105 Each player may make one Exchange, of one rank."""

    rule = "VD-105"

    def form(self, state: VeraState) -> One:
        """No Exchange, or any rank of which Units were dealt."""
        ranks = (rank for rank in Rank if dealt_of_rank(state, self.by, rank))
        return One((KeepArmy(), *(ExchangeRank(rank) for rank in ranks)))

    def resolve(self, r: Resolver[VeraState], choice: KeepArmy | ExchangeRank) -> Flow:
        """VD-106: returned and unused Units are shuffled and dealt again. The rank is public (VD-369, VD-Q51)."""
        if isinstance(choice, KeepArmy):
            r.emit(ExchangeDeclined(self.by))
            return NEXT
        rank, side, state = choice.rank, r.state.sides[self.by], r.state
        dealt, rest = known(side.recruits), known(side.rest)
        pile = [card for card in (*dealt, *rest) if rank_of(state, card) is rank]
        number = sum(rank_of(state, card) is rank for card in dealt)
        shuffled = r.shuffle(pile, "VD-106", f"Exchange of {rank.value.capitalize()} Units", seat=self.by)
        cards = (*(card for card in dealt if rank_of(state, card) is not rank), *shuffled[:number])
        unused = (*(card for card in rest if rank_of(state, card) is not rank), *shuffled[number:])
        r.emit(RankExchanged(self.by, rank, cards, unused))
        return NEXT


def recruits(state: VeraState, seat: Seat) -> tuple[CardKey, ...]:
    """The Units of an army before deployment, sorted so that their order reveals nothing (VD-394)."""
    side = state.sides[seat]
    return tuple(sorted(known(side.recruits) + known(side.mustered)))


def count_ability(state: VeraState, seat: Seat, ability: Ability) -> int:
    """VD-107, VD-Q52: icons on the Units and in the General's Heroism; scouts are added (VD-K04)."""
    units = sum(ability in cards_of(state).types[card].abilities for card in recruits(state, seat))
    general = general_of(state, seat)
    heroism = general is not None and ability in general.heroism.abilities
    scouts = sum(hook.vision if ability is Ability.VISION else hook.stealth for hook in leadership(state, seat, Scouts))
    return units + heroism + scouts


def closed_number(stealth: int, enemy_vision: int) -> int:
    """VD-111, VD-356, VD-361: 4 + own Stealth - enemy Vision, VD-112: from 0 to 8."""
    return max(0, min(ARMY, CLOSED + stealth - enemy_vision))


class CloseUnits(Choice, frozen=True):
    """These Units are Closed; the others are shown."""

    cards: tuple[str, ...]


class ClosedSelection(Decision, frozen=True):
    """VD-113 A player chooses which of the player's own Units are Closed."""

    rule = "VD-113"

    count: int

    def form(self, state: VeraState) -> Pick:
        """As many as the formula says (VD-111); a Unit is named by its place in the sorted army: c1 to c8."""
        items = tuple(f"c{i}" for i in range(1, len(recruits(state, self.by)) + 1))
        return Pick(CloseUnits, items, self.count, self.count)

    def resolve(self, r: Resolver[VeraState], choice: CloseUnits) -> Flow:
        """VD-114, VD-366: the Open Units are shown."""
        army = recruits(r.state, self.by)
        closed = [army[int(item[1:]) - 1] for item in choice.cards]
        shown = tuple(sorted((Counter(army) - Counter(closed)).elements()))
        r.emit(ArmyShown(self.by, shown, len(closed), tuple(sorted(closed))))
        return NEXT


class Recruiting(Procedure, frozen=True):
    """K, L, M. Recruiting, counting, closing."""

    @step("VD-101")
    def dealing(self, r: Resolver[VeraState]) -> Flow:
        """VD-102, VD-103: dealt by chance, seen by the owner."""
        r.emit(PhaseBegan(Phase.RECRUITING))
        for seat in BOTH:
            deal_army(r, seat)
        return NEXT

    @step("VD-105", "VD-106")
    def exchange(self, r: Resolver[VeraState]) -> Flow:
        """Independently of each other."""
        return ask(*(Exchange(seat) for seat in BOTH))

    @step("VD-107", "VD-370")
    def counting(self, r: Resolver[VeraState]) -> Flow:
        """The totals are announced."""
        vision = [count_ability(r.state, seat, Ability.VISION) for seat in BOTH]
        stealth = [count_ability(r.state, seat, Ability.STEALTH) for seat in BOTH]
        for seat in BOTH:
            r.emit(ArmyCounted(seat, vision[seat], stealth[seat], closed_number(stealth[seat], vision[foe(seat)])))
        return NEXT

    @step("VD-108", "VD-008", "VD-110")
    def initiative(self, r: Resolver[VeraState]) -> Flow:
        """More Stealth takes the marker."""
        first, second = (side.stealth for side in r.state.sides)
        if first == second:
            return NEXT
        r.emit(InitiativeTaken(BOTH[0] if first > second else BOTH[1], "VD-108", (first, second)))
        return NEXT

    @step("VD-109")
    def tie(self, r: Resolver[VeraState]) -> Flow:
        """Equal Stealth: dice until they differ (VD-Q54)."""
        while r.state.initiative is None:
            dice = r.roll(2, "VD-109", "First initiative")
            if dice[0] != dice[1]:
                r.emit(InitiativeTaken(BOTH[0] if dice[0] > dice[1] else BOTH[1], "VD-109", dice))
        return NEXT

    @step("VD-113", "VD-114")
    def closing(self, r: Resolver[VeraState]) -> Flow:
        """Both choose in secret and show at the same time."""
        r.emit(PhaseBegan(Phase.CLOSING))
        return ask(*(ClosedSelection(seat, r.state.sides[seat].closed) for seat in BOTH), sealed=True)
