"""The start of a position: a procedure of the rules, and the procedures around it, as in a match."""

from typing import Final

from domain.commons.starts import by_name, frames_around
from domain.joan_of_arc.rules.phases.camp import Camp
from domain.joan_of_arc.rules.phases.council import Council
from domain.joan_of_arc.rules.phases.match import Match, Round
from domain.joan_of_arc.rules.phases.turn import Turn
from domain.joan_of_arc.state.queries import setting_of
from domain.joan_of_arc.state.state import JoanState, Phase
from domain.kernel import Frame, Procedure

STARTS: Final = by_name(Match, Round, Council, Turn, Camp)
"""The procedures a position may start with."""
PHASES: Final[dict[str, Phase]] = {"Match": "setup", "Round": "council", "Council": "council", "Camp": "camp"}
"""The phase of a procedure; a turn begins with its order phase."""


def around(state: JoanState, procedure: Procedure) -> tuple[Frame, ...]:
    """The procedures around the one that a position starts with, outermost first, each at its next step."""

    def caller(called: Procedure) -> tuple[Procedure, str] | None:
        order = setting_of(state).order
        match called:
            case Round():
                return Match(), "JA-034"
            case Council():
                return Round(), "JA-040"
            case Turn(seat):
                return Round(order.index(seat)), "JA-035"
            case Camp():
                return Round(len(order)), "JA-224"
        return None

    return frames_around(procedure, caller)
