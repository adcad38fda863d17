"""Why a bot moved: facts of the view before it, silence where a move speaks for itself."""

from msgspec.structs import replace

from domain.disciples_legacy.cards.cards import index_of
from domain.disciples_legacy.state.events import AttackDeclared, PartyWipedOut, PhaseFinished, Retreated, Struck
from domain.disciples_legacy.state.state import DisciplesState, MemberId
from domain.kernel import Seat
from projections.foresight import _fitting
from projections.games.disciples_legacy import FACE
from projections.games.disciples_legacy.reasons import reason
from projections.i18n.language import language_of
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


def test_dl_165_who_loses_a_party_reads_that_its_leader_can_be_brought_back() -> None:
    def told_with(*others: dict[str, str], last: bool = False) -> str:
        fought = fight([{"2": "K: knight_captain"}], [{"2": "D: dread_duke hp:1"}, *others]).state
        fought = replace(fought, turn=fought.options.turn_limit) if last else fought
        wiped = PartyWipedOut(D, ("dread_duke",))
        return FACE.narrate(fought, FACE.game.fold((wiped,), fought), wiped, Seat(1))

    told = told_with({"2": "imp_herald"})
    assert told == (
        "Dread Duke's Party is wiped out; all its cards are discarded, "
        f"and another Major Leader can bring Dread Duke back for {index_of(None).majors['dread_duke'].cost} (C)."
    )
    assert told_with() == "Dread Duke's Party is wiped out; all its cards are discarded."
    german = language_of("disciples_legacy", "de")
    assert german is not None
    assert german.text(told).endswith(" (C) zurückholen.")
    assert told_with({"2": "imp_herald"}, last=True) == told
    gone = "Dread Duke's Party is wiped out; all its cards are discarded."
    assert told_with({"2": "imp_herald spent"}, last=True) == gone, "nobody of theirs acts any more"
    assert told_with({"2": "imp_herald spent"}) == told


def test_what_a_blow_comes_to_is_told_before_what_the_next_turn_begins_with() -> None:
    lines = ["X strikes Y.", "Y is dead.", "Y's Party is wiped out.", "The Battle is over.", "Turn 2, Abel first."]
    assert _fitting(lines, ["1 City untaps.", "All Leaders may act again."]) == tuple(lines)
    assert _fitting(lines[:4], ["1 City untaps.", "Healing Phase."]) == (*lines[:4], "1 City untaps.")
    assert _fitting(["first", *lines], []) == tuple(lines)
