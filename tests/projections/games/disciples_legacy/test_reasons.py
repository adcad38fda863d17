"""Why a bot moved: facts of the view before it, silence where a move speaks for itself."""

from domain.disciples_legacy.events import AttackDeclared, PhaseFinished, Retreated, Struck
from domain.disciples_legacy.state import DisciplesState, MemberId
from domain.kernel import Seat
from projections.games.disciples_legacy import FACE
from projections.games.disciples_legacy.reasons import reason
from tests.domain.disciples_legacy.table import fight, given
from tests.projections.matches import play, walk

A1, B1, B2, D, K = (MemberId(each) for each in ("A1", "B1", "B2", "D", "K"))
OURS = [{"1": "A2: squire", "2": "A1: knight_captain"}]


def battle(hp: int) -> DisciplesState:
    ours = [{"1": "A2: squire", "2": "K: knight_captain"}]
    return fight(ours, [{"1": f"B2: possessed hp:{hp}", "2": "D: dread_duke"}]).state


def test_a_blow_that_kills_says_so_and_one_that_does_not_is_for_a_leader_or_unsaid() -> None:
    assert "has 2 HP left" in reason(battle(2), Struck(K, (B2,), 2))
    assert reason(battle(3), Struck(K, (B2,), 2)) == ""
    assert "Leader" in reason(battle(3), Struck(K, (D,), 2))
    assert "2 enemies" in reason(battle(3), Struck(K, (D, B2), 2))


def test_an_attack_that_nobody_can_block_says_so() -> None:
    enemy = [{"2": "B1: dread_duke"}, {"2": "B3: imp_herald"}]
    fresh = given(seat0={"parties": OURS}, seat1={"parties": enemy}).state
    spent = given(seat0={"parties": OURS}, seat1={"parties": [enemy[0], {"2": "B3: imp_herald spent"}]}).state
    event = AttackDeclared(Seat(0), A1, B1)
    assert "2 of its Party against 1" in reason(fresh, event)
    assert "could block" in reason(spent, event)


def test_a_retreat_of_the_fewer_is_explained_and_that_of_others_is_not() -> None:
    alone = fight([{"2": "K: knight_captain"}], [{"1": "B2: possessed", "2": "D: dread_duke"}]).state
    assert reason(alone, Retreated(Seat(0), 2)) == "Why: 1 against 2 would not end well."
    assert reason(alone, Retreated(Seat(1), 2)) == ""
    assert reason(alone, PhaseFinished(Seat(0))) == ""


def test_reasons_are_sentences_and_found_in_a_match() -> None:
    events = tuple(play(FACE.game, 1, {"turn_limit": 2}))
    told = [FACE.reason(before, event) for before, event, _ in walk(FACE.game, events, Seat(0))]
    assert all(not why or (why.startswith("Why: ") and why.endswith(".")) for why in told)
    assert len([why for why in told if why]) > 5
