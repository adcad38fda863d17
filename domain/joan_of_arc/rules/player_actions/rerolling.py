"""The reroll token (JA-196 to JA-198) on a roll of one die, and the Reroll skill that takes the token back (JA-282)."""

from domain.joan_of_arc.state.events import RerollTokenUsed
from domain.joan_of_arc.state.state import JoanState
from domain.kernel import NEXT, Choice, Decision, DiceRolled, Flow, One, Resolver, only


class KeepDie(Choice, frozen=True):
    """Leave the die as it is."""


class RerollDie(Choice, frozen=True):
    """Discard the reroll token and roll the die again."""


class RollAgainThese(Choice, frozen=True):
    """Discard the reroll token and roll the dice of these numbers again, if any."""

    dice: tuple[str, ...]


class RerollOffer(Decision, frozen=True):
    """JA-D50 Whether the reroll token is used on the one die that was just rolled."""

    rule = "JA-196"

    def form(self, state: JoanState) -> One:
        """Only the holder of the token is asked; the holder is public."""
        return only((KeepDie(), RerollDie()))

    def resolve(self, r: Resolver[JoanState], choice: KeepDie | RerollDie) -> Flow:
        """JA-197: the second result stands."""
        if isinstance(choice, RerollDie):
            r.emit(RerollTokenUsed(self.by))
            again(r)
        return NEXT


def again(r: Resolver[JoanState], which: tuple[int, ...] | None = None) -> tuple[int, ...]:
    """The roll that lies on the table is rolled once more, or only the dice of these numbers."""
    found: DiceRolled = r.state.roll
    kinds = found.kinds if which is None else tuple(found.kinds[at] for at in which)
    return r.roll(len(kinds), found.rule, found.title, seat=found.seat, about=found.about, kinds=kinds)


def last_die(state: JoanState) -> int:
    """The first die of the roll that lies on the table."""
    value: int = state.roll.dice[0]
    return value
