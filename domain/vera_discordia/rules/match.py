"""The whole match: set-up (sections I to O), then rounds until a player wins (VD-131)."""

from domain.commons.rows import foe
from domain.kernel import NEXT, Call, Flow, Goto, Procedure, Resolver, step
from domain.vera_discordia.rules.deployment import (
    Examination,
    Placement,
    Redeploying,
    holder,
    judge_missing_generals,
    lay_terrain,
    reveal_terrain,
    swaps_of,
)
from domain.vera_discordia.rules.generals import ChoiceOfGenerals, shuffle_order_decks
from domain.vera_discordia.rules.recruiting import Recruiting
from domain.vera_discordia.rules.round import Round
from domain.vera_discordia.state.events import PhaseBegan
from domain.vera_discordia.state.state import Phase, VeraState


class Match(Procedure, frozen=True):
    """A match of Vera Discordia from the first step of the set-up on."""

    @step("VD-091", "VD-001", "VD-002")
    def generals(self, r: Resolver[VeraState]) -> Flow:
        """Set-up step 1."""
        return Call(ChoiceOfGenerals())

    @step("VD-098", "VD-099", "VD-007")
    def decks(self, r: Resolver[VeraState]) -> Flow:
        """Set-up step 2: order decks; each player starts with 10 Motivation."""
        shuffle_order_decks(r)
        return NEXT

    @step("VD-100")
    def recruiting(self, r: Resolver[VeraState]) -> Flow:
        """Set-up steps 3 to 5."""
        return Call(Recruiting())

    @step("VD-115")
    def terrain(self, r: Resolver[VeraState]) -> Flow:
        """Set-up step 6; the player without initiative examines first (VD-117)."""
        if r.state.options.without_terrain:  # VD-289
            return Goto("VD-121")
        lay_terrain(r)
        return Call(Examination(foe(holder(r.state))))

    @step("VD-117")
    def second_examination(self, r: Resolver[VeraState]) -> Flow:
        """The holder of the marker examines afterwards."""
        return Call(Examination(holder(r.state)))

    @step("VD-121")
    def deployment(self, r: Resolver[VeraState]) -> Flow:
        """Set-up step 7."""
        r.emit(PhaseBegan(Phase.DEPLOYMENT))
        return Call(Placement(foe(holder(r.state))))

    @step("VD-129")
    def missing_general(self, r: Resolver[VeraState]) -> Flow:
        """Judged after the last deployment."""
        judge_missing_generals(r)
        return NEXT

    @step("VD-K05")
    def redeployment(self, r: Resolver[VeraState]) -> Flow:
        """The player without initiative redeploys first."""
        seat = foe(holder(r.state))
        return Call(Redeploying(seat, swaps_of(r.state, seat)))

    @step("VD-K05/holder")
    def second_redeployment(self, r: Resolver[VeraState]) -> Flow:
        """Then the holder of the marker."""
        seat = holder(r.state)
        return Call(Redeploying(seat, swaps_of(r.state, seat)))

    @step("VD-120")
    def revelation(self, r: Resolver[VeraState]) -> Flow:
        """All Terrain is turned up."""
        if not r.state.options.without_terrain:
            reveal_terrain(r)
        return NEXT

    @step("VD-131")
    def rounds(self, r: Resolver[VeraState]) -> Flow:
        """A round."""
        return Call(Round(r.state.round + 1))

    @step("VD-131/next")
    def following(self, r: Resolver[VeraState]) -> Flow:
        """The next round; the rules set no limit (VD-Q64)."""
        return Goto("VD-131")
