"""2.L Standards (WE-177 to WE-179): their bonuses in their windows, and their Res in ED5 (WE-127)."""

from collections.abc import Iterator

from domain.kernel import NEXT, Choice, Decision, Flow, One, Part, Resolver, Seat, ask, only
from domain.war_for_edadh.cards.cards import Window
from domain.war_for_edadh.state.events import DamageAdded, MpChanged, ResShown, StandardFlipped
from domain.war_for_edadh.state.queries import cards_of, standards_left
from domain.war_for_edadh.state.state import Boost, WarState


class FlipStandard(Choice, frozen=True):
    """Flip this Standard."""

    standard: str


class KeepStandards(Choice, frozen=True):
    """Flip no Standard now."""


class StandardOffer(Decision, frozen=True):
    """WE-177 Whether a Standard's bonus is used in its window (WE-Q32)."""

    rule = "WE-177"

    window: Window

    def form(self, state: WarState) -> One:
        """The unflipped Standards of this window, or none."""
        return only((KeepStandards(), *(FlipStandard(code) for code in in_window(state, self.by, self.window))))

    def resolve(self, r: Resolver[WarState], choice: FlipStandard | KeepStandards) -> Flow:
        """WE-178: it takes effect at once and stays flipped."""
        if isinstance(choice, FlipStandard):
            _use(r, self.by, choice.standard, self.window)
        return NEXT


def in_window(state: WarState, seat: int, window: Window) -> tuple[str, ...]:
    """The player's unflipped Standards with a bonus for this window."""
    index = cards_of(state).standards
    return tuple(
        code for code in standards_left(state, seat) if any(bonus.window == window for bonus in index[code].bonuses)
    )


def _use(r: Resolver[WarState], seat: Seat, code: str, window: Window) -> None:
    standard = cards_of(r.state).standards[code]
    bonus = next(bonus for bonus in standard.bonuses if bonus.window == window)
    part = Part("WE-177", bonus.amount, standard.title)
    if bonus.op in {"def", "att", "ml"}:
        boost = Boost(seat, bonus.op, bonus.amount, "WE-177", standard.title)
        r.emit(StandardFlipped(seat, code, bonus.op, bonus.amount, boost))
        return
    r.emit(StandardFlipped(seat, code, bonus.op, bonus.amount))
    if bonus.op == "mp":
        r.emit(MpChanged(seat, r.state.sides[seat].mp + bonus.amount, (part,)))
    else:
        r.emit(DamageAdded(seat, (part,)))


def offer_standards(r: Resolver[WarState], window: Window, seats: tuple[Seat, ...]) -> Flow:
    """The window is open: players with a Standard for it are asked."""
    asked = [StandardOffer(seat, window) for seat in seats if in_window(r.state, seat, window)]
    return ask(*asked) if asked else NEXT


class Resolve(Decision, frozen=True):
    """WE-127 Whether a Standard's Res lowers one's count in this Shaken test; sealed (WE-285, WE-Q31)."""

    rule = "WE-127"

    def form(self, state: WarState) -> One:
        """One unflipped Standard with Res, or none."""
        return only((KeepStandards(), *self._standards(state)))

    def _standards(self, state: WarState) -> Iterator[FlipStandard]:
        index = cards_of(state).standards
        for code in standards_left(state, self.by):
            if index[code].res:
                yield FlipStandard(code)

    def resolve(self, r: Resolver[WarState], choice: FlipStandard | KeepStandards) -> Flow:
        """WE-128: no card leaves the pile, the Standard stays flipped."""
        if isinstance(choice, FlipStandard):
            r.emit(ResShown(self.by, choice.standard, cards_of(r.state).standards[choice.standard].res))
        else:
            r.emit(ResShown(self.by))
        return NEXT


def has_res(state: WarState, seat: int) -> bool:
    """WE-127: whether the player has an unflipped Standard with Res."""
    index = cards_of(state).standards
    return any(index[code].res for code in standards_left(state, seat))
