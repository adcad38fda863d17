"""Sections I and J: choosing Generals, the order decks (set-up steps 1 and 2)."""

from domain.commons.rows import BOTH, foe
from domain.kernel import DONE, NEXT, Choice, Decision, Flow, One, Procedure, Resolver, Seat, ask, step
from domain.vera_discordia.state.events import GeneralChosen, OrderDeckShuffled, PhaseBegan
from domain.vera_discordia.state.queries import cards_of
from domain.vera_discordia.state.state import Phase, VeraState


class ChooseGeneral(Choice, frozen=True):
    """Command this General and his faction."""

    general: str


class GeneralSelection(Decision, frozen=True):
    """VD-091 A player chooses one of the Generals (VD-011), not the opponent's (VD-092)."""

    rule = "VD-091"

    def form(self, state: VeraState) -> One:
        """Every General but the opponent's; an option excludes the rest of that faction (VD-093, VD-Q50)."""
        other = state.sides[foe(self.by)]
        return One(
            tuple(
                ChooseGeneral(general.general_id)
                for faction, general in cards_of(state).generals()
                if general.general_id != other.general and (state.options.same_faction or faction != other.faction)
            )
        )

    def resolve(self, r: Resolver[VeraState], choice: ChooseGeneral) -> Flow:
        """VD-094: the General brings the Units of his faction. VD-372: he is public."""
        choose_general(r, self.by, choice.general)
        return NEXT


class SecretSelection(Decision, frozen=True):
    """VD-095 Competitive Game: both choose secretly (VD-371)."""

    rule = "VD-095"

    def form(self, state: VeraState) -> One:
        """Every General."""
        return One(tuple(ChooseGeneral(general.general_id) for _, general in cards_of(state).generals()))

    def resolve(self, r: Resolver[VeraState], choice: ChooseGeneral) -> Flow:
        """Both are shown together; if they are the same, a lot decides (VD-096)."""
        if r.state.sides[foe(self.by)].general != choice.general:
            choose_general(r, self.by, choice.general)
            return NEXT
        (lot,) = r.roll(1, "VD-096", "Lot for the General", sides=2)
        if Seat(lot - 1) == self.by:
            choose_general(r, self.by, choice.general)
            return ask(OtherGeneral(foe(self.by), choice.general))
        return ask(OtherGeneral(self.by, choice.general))


class OtherGeneral(Decision, frozen=True):
    """VD-096 The loser of the lot takes another General of the same faction."""

    rule = "VD-096"

    taken: str

    def form(self, state: VeraState) -> One:
        """The two Generals left (VD-Q50)."""
        faction = cards_of(state).general(self.taken)[0]
        return One(
            tuple(
                ChooseGeneral(general.general_id)
                for theirs, general in cards_of(state).generals()
                if theirs == faction and general.general_id != self.taken
            )
        )

    def resolve(self, r: Resolver[VeraState], choice: ChooseGeneral) -> Flow:
        """The choice is public."""
        choose_general(r, self.by, choice.general)
        return NEXT


def choose_general(r: Resolver[VeraState], seat: Seat, general: str) -> None:
    """VD-094: the player takes the General and the 17 Units of his faction."""
    r.emit(GeneralChosen(seat, general, cards_of(r.state).general(general)[0]))


class ChoiceOfGenerals(Procedure, frozen=True):
    """I. Choosing Generals, openly or in secret."""

    @step("VD-097")
    def registered(self, r: Resolver[VeraState]) -> Flow:
        """Generals agreed (VD-091) or registered before the match (VD-097) are simply taken."""
        r.emit(PhaseBegan(Phase.GENERALS))
        for seat, general in zip(BOTH, r.state.options.generals, strict=False):
            choose_general(r, seat, general)
        return DONE if r.state.options.generals else NEXT

    @step("VD-095")
    def secret(self, r: Resolver[VeraState]) -> Flow:
        """Competitive Game: both players choose at the same moment."""
        if not r.state.options.competitive:
            return NEXT
        return ask(*(SecretSelection(seat) for seat in BOTH), sealed=True)

    @step("VD-091", "VD-092", "VD-093")
    def first(self, r: Resolver[VeraState]) -> Flow:
        """By open agreement: here the first seat names its General first."""
        return NEXT if r.state.options.competitive else ask(GeneralSelection(BOTH[0]))

    @step("VD-091/second")
    def second(self, r: Resolver[VeraState]) -> Flow:
        """Then the other seat names its General."""
        return NEXT if r.state.options.competitive else ask(GeneralSelection(BOTH[1]))


def shuffle_order_decks(r: Resolver[VeraState]) -> None:
    """VD-004, VD-098, VD-099, VD-375: 27 cards each, shuffled; nobody knows their order."""
    cards = cards_of(r.state).order_deck
    for seat in BOTH:
        deck = r.shuffle(cards, "VD-098", "Order deck", seat=seat)
        r.emit(OrderDeckShuffled(seat, len(deck), deck=deck, pile=()))
