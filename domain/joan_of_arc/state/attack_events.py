"""Events of an attack, each with its outcome (section K). Names are stored for ever."""

from domain.joan_of_arc.board.hexes import AreaId
from domain.joan_of_arc.cards.dice import Colour, Dice, Face
from domain.joan_of_arc.cards.hooks import Attack as AttackKind
from domain.joan_of_arc.cards.hooks import Roll
from domain.joan_of_arc.state.attack_state import Fighter, Given, Party, RolledDie
from domain.kernel import Event, Seat


class AttackDeclared(Event, frozen=True):
    """Units attack an area together (JA-105); `charged` and `smooth` as in the state."""

    seat: Seat
    kind: AttackKind
    target: AreaId
    starts: tuple[tuple[Fighter, AreaId], ...]
    defenders: tuple[Fighter, ...]
    charged: tuple[Fighter, ...] = ()
    smooth: tuple[Fighter, ...] = ()
    moved: tuple[AreaId, ...] = ()
    giants: tuple[Fighter, ...] = ()


class GiganticDiceAssigned(Event, frozen=True):
    """JA-376, JA-377: a gigantic creature's dice, each assigned to an area of the hex that it attacks."""

    unit: Fighter
    areas: tuple[AreaId, ...]
    faces: tuple[Face, ...]


class BonusDiceAdded(Event, frozen=True):
    """A card adds common dice to a roll."""

    roll: Roll
    dice: Dice


class TerrorApplied(Event, frozen=True):
    """JA-289, JA-290: a unit may roll one die only, or waits instead (`die` None)."""

    unit: Fighter
    die: Colour | None


class DiceThrown(Event, frozen=True):
    """JA-121, JA-401: a roll with the source of each die."""

    roll: Roll
    dice: tuple[RolledDie, ...]


class DiceRerolled(Event, frozen=True):
    """JA-197: some dice of a roll show other faces now; the source that changed them."""

    roll: Roll
    at: tuple[int, ...]
    faces: tuple[Face, ...]
    source: str


class ResultChanged(Event, frozen=True):
    """JA-284: a die of the attack roll counts as another face."""

    at: int
    face: Face
    source: str


class ResultsRemoved(Event, frozen=True):
    """Dice of a roll are discarded: by a card, or the shield that a swamp swallows (JA-301)."""

    roll: Roll
    at: tuple[int, ...]
    rule: str


class UnitDodged(Event, frozen=True):
    """JA-266, JA-267: a defender leaves before the attack is resolved."""

    unit: Fighter


class ResultsCancelled(Event, frozen=True):
    """JA-125: this many shields were used; the results left of the attack roll (JA-123)."""

    shields: int
    walls: int
    left: tuple[RolledDie, ...]


class ResultsSpent(Event, frozen=True):
    """Ledger 6.3, siege: results of a unit go into damage on a building."""

    unit: Fighter
    spent: tuple[RolledDie, ...]


class ResultAllocated(Event, frozen=True):
    """JA-127, JA-143: a result is given to a unit."""

    party: Party
    given: Given


class ResultReassigned(Event, frozen=True):
    """JA-253: a bodyguard takes a result over."""

    unit: Fighter
    to: Fighter
    face: Face


class ResultsDiscarded(Event, frozen=True):
    """JA-131: results that nobody can take."""

    party: Party
    faces: tuple[Face, ...]


class LossesCounted(Event, frozen=True):
    """JA-345: how many of the attacked units were pushed, disrupted or destroyed."""

    gone: int


class AttackEnded(Event, frozen=True):
    """The attack is over."""

    target: AreaId
