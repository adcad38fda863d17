"""The notation for positions of Disciples: Legacy: what it reads, refuses and shows."""

from typing import Any

import pytest

from domain.disciples_legacy import GAME
from domain.disciples_legacy.positions.positions import POSITIONS
from domain.disciples_legacy.positions.starts import IN_ATTACKS, IN_BATTLES, STARTS
from domain.disciples_legacy.state.events import ArmyDeployed
from domain.kernel import HIDDEN, Seat
from tests.domain.disciples_legacy.table import given

DUEL: dict[str, Any] = {
    "seat0": {"parties": [{"2": "K: knight_captain"}]},
    "seat1": {"parties": [{"2": "D: dread_duke"}]},
}
ATTACK = {"leader": "K", "target": "D"}


def wrong(position: dict[str, Any], options: dict[str, Any] | None = None) -> str:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the message is what each test looks at
        POSITIONS.read(position, options or {})
    return str(refused.value)


def side(**fields: Any) -> dict[str, Any]:
    return {"seat0": fields}


def test_the_default_position_is_the_first_action_of_two_ready_decks() -> None:
    state, procedure = POSITIONS.read({}, {})
    assert type(procedure).__name__ == "StrategicPhase"
    assert (state.phase, state.turn, state.to_act, state.places) == ("strategic", 1, 0, 2)
    assert [member.card for member in state.members.values()][:3] == ["knight_captain", "knight", "squire"]
    assert [state.sides[seat].entered for seat in (0, 1)] == [7, 9]


def test_a_position_names_members_as_the_deployment_does() -> None:
    match = given(start="Match", dice=[2])
    match.do("0: ChooseDeck empire_a", "1: ChooseDeck legions_a", "0: DeployAsListed", "1: DeployAsListed")
    state, _ = POSITIONS.read({}, {})
    assert state.members == match.state.members
    assert state.parties == match.state.parties
    assert state.cities == match.state.cities
    assert state.sides[0].hand == match.side(0).hand


def test_a_match_may_start_with_decks_handed_in_but_not_deployed() -> None:
    position: dict[str, Any] = {"start": "Match", "seat0": {"deck": "clans_a"}, "seat1": {"deck": "hordes_b"}}
    table = given(**position, at="DL-012", dice=[1])
    assert table.kinds() == ["0 Deployment", "1 Deployment"]
    table.do("0: DeployAsListed", "1: DeployAsListed")
    assert [event.race for event in table.all(ArmyDeployed)] == ["clans", "hordes"]


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ({"seat2": {}}, "position: 'seat2' is not known here"),
        ({"start": "Shopping"}, "start: 'Shopping' is not known here"),
        ({"seat0": 3}, "seat0: a table is needed"),
        ({"phase": "night"}, "position.phase: 'night' is not known here"),
        (side(lives=3), "seat0: 'lives' is not known here"),
        (side(deck="elves"), "seat0.deck: 'elves' is not known here"),
        (side(fill="dragon"), "seat0.fill: 'dragon' is not known here"),
        (side(fill="knight_captain"), "seat0.fill: 'knight_captain' is not known here"),
        (side(fill="S: squire"), "seat0.fill: a Unit without a name is needed"),
        (side(hand=["dragon"]), "seat0.hand: 'dragon' is not known here"),
        (side(hand="market_town"), "seat0.hand: a list of texts is needed"),
        (side(cities=["market_town asleep"]), "seat0.cities: 'asleep' is not known here"),
        (side(cities=["squire"]), "seat0.cities: 'squire' is not known here"),
        (side(cities=["T: market_town", "T: market_town"]), "seat0.cities: there is another T"),
        (side(mana=["green_mana"]), "seat0.mana: 'green_mana' is not known here"),
        (side(parties={}), "seat0.parties: a list of tables is needed"),
        (side(parties=["squire"]), "seat0.parties[1]: a table is needed"),
        (side(parties=[{"7": "squire"}]), "seat0.parties[1]: '7' is not known here"),
        (side(parties=[{"1": "squire"}]), "seat0.parties[1]: it has 0 Leaders"),
        (side(parties=[{"1": "dragon"}]), "seat0.parties[1].1: 'dragon' is not known here"),
        (side(parties=[{"1": 3}]), "seat0.parties[1].1: 3: write a card"),
        (side(parties=[{"2": "knight_captain asleep"}]), "seat0.parties[1].2: 'asleep' says nothing here"),
        (side(parties=[{"2": "knight_captain +club"}]), "seat0.parties[1].2: 'club' is not known here"),
        (side(parties=[{"2": "knight_captain poison:2"}]), "seat0.parties[1].2: poison needs how often"),
        (side(parties=[{"2": "knight_captain atk:1/week"}]), "seat0.parties[1].2: 'week' is not known here"),
        (side(parties=[{"2": "K: knight_captain hp:9"}]), "seat0.parties[1]: K has 9 HP; from 1 to its Max HP, 8"),
        (side(parties=[{"2": "K: knight_captain hp:0"}]), "seat0.parties[1]: K has 0 HP"),
        (side(parties=[{"2": "K: court_magus", "4": "G: titan"}]), "seat0.parties[1].4: G cannot stand there"),
        (side(parties=[{"2": "G: titan", "5": "K: court_magus"}]), "seat0.parties[1].2: G cannot stand there"),
        (side(parties=[{"2": "K: knight_captain"}, {"2": "K: court_magus"}]), "seat0.parties[2]: there is another K"),
        (side(parties=[{"2": "K: knight_captain damage:8"}]), "it is no position of the game: K lives with 8 damage"),
        (side(parties=[{"2": "K: knight_captain tapped"}]), "it is no position of the game: K is tapped outside"),
        ({"start": "Battling"}, "start: Battling needs an attack"),
        ({**DUEL, "start": "BattleRound", "attack": ATTACK}, "start: BattleRound needs a battle"),
        ({**DUEL, "attack": {"leader": "X", "target": "D"}}, "attack.leader: 'X' is not known here"),
        ({**DUEL, "attack": {"leader": "K", "target": "X"}}, "attack.target: 'X' is not known here"),
        ({**DUEL, "attack": {**ATTACK, "speed": 1}}, "attack: 'speed' is not known here"),
        ({**DUEL, "battle": {"round": 1}}, "battle.attacker: '' is not known here"),
        ({"cards": {"heroes": {}}}, "cards: 'heroes' is not known here"),
        ({"cards": {"units": {"orc": {"like": "elf"}}}}, "cards.units.orc.like: 'elf' is not known here"),
        ({"cards": {"units": {"orc": {"hp": 99}}}}, "cards.units.orc.hp: a whole number <= 20 is needed"),
        ({"cards": {"units": {"orc": {"abilities": ["T: fly()@self"]}}}}, "cards.units.orc: there is no op 'fly'"),
        ({"with": {"speed": 1}}, "with: 'speed' is not known here"),
    ],
)
def test_a_position_that_means_nothing_is_refused_with_its_place(position: dict[str, Any], said: str) -> None:
    assert wrong(position).startswith(said)


def test_options_that_no_match_begins_with_are_refused() -> None:
    assert wrong({}, {"turn_limit": 0}) == "options: turn_limit: from 1 to 60 (DL-Q60)"
    assert wrong({}, {"speed": 3}).startswith("options: ")


@pytest.mark.parametrize("name", STARTS)
def test_play_goes_on_to_the_next_question_wherever_it_starts(name: str) -> None:
    position = {**DUEL, "start": name} | ({"attack": ATTACK} if name in IN_ATTACKS else {})
    if name in IN_BATTLES:
        position["battle"] = {"round": 1, "retreating": 1, "free": 2} if name == "FreeActions" else {"round": 1}
    table = given(**position)
    assert table.state.asked


def test_a_view_hides_what_the_other_side_alone_knows() -> None:
    position = {"seat0": {"peeked": ["ash_town"]}, "seat1": {"known": ["ash_town"]}}
    state, _ = POSITIONS.read(position, {})
    mine, theirs, public = (POSITIONS.view(state, viewer) for viewer in (Seat(0), Seat(1), None))
    assert mine.sides[0] == state.sides[0]
    assert (mine.sides[1].hand, mine.sides[1].hand_size, mine.sides[1].known) == (HIDDEN, 12, ("ash_town",))
    assert (theirs.sides[0].peeked, theirs.sides[0].peeked_count) == (HIDDEN, 1)
    assert (public.sides[0].deck, public.sides[0].hand) == (HIDDEN, HIDDEN)


def test_a_state_is_shown_in_the_words_it_is_read_from() -> None:
    text = "K: knight_captain hp:5 atk:+1/turn ward:2/battle poison:1x2 +tower_shield spent"
    state, _ = POSITIONS.read({"seat0": {"parties": [{"1": "S: squire dead", "2": text}]}}, {})
    shown = GAME.spec.positions.show(state)  # type: ignore[union-attr]
    king, squire = shown["members"]["K"], shown["members"]["S"]
    assert (king["hp"], king["max_hp"], king["damage"], king["attack"], king["slot"]) == (5, 10, 5, 4, 2)
    assert (king["effects"], king["ward"], king["poison"]) == (["atk:+1/turn"], "2/battle", "1x2")
    assert (squire["hp"], squire["damage"], squire["dead"]) == (0, 5, True)
    assert shown["parties"]["K"] == {
        "seat": 0,
        "waiting": None,
        "1": "S",
        "2": "K",
        "3": None,
        "4": None,
        "5": None,
        "6": None,
    }
    assert shown["seat0"]["deck"] == "empire_a"


FILLED: dict[str, Any] = {"2": "K: knight_captain", "1": "T: titan"}


@pytest.mark.parametrize(
    ("fields", "slots"),
    [
        ({"parties": [{"2": "K: knight_captain"}], "fill": "squire"}, "squire knight_captain squire squire - -"),
        ({"parties": [FILLED], "fill": "squire hp:3"}, "titan knight_captain squire titan squire -"),
        ({"parties": [{"2": "K: knight_captain"}], "fill": "titan"}, "titan knight_captain titan titan - titan"),
        ({"parties": [{"2": "K: knight_captain"}], "fill": "none"}, "- knight_captain - - - -"),
        ({"parties": [{"5": "T: empire_thief"}], "fill": "squire"}, "- - - - empire_thief -"),
        ({"fill": "none"}, "- knight_captain - - - -"),
    ],
)
def test_a_filler_stands_wherever_nobody_is_named_and_the_leader_may_lead_it(
    fields: dict[str, Any], slots: str
) -> None:
    state, _ = POSITIONS.read(side(**fields), {})
    first = next(party for party in state.parties.values() if party.seat == 0)
    assert [state.members[id_].card if id_ else "-" for id_ in first.slots] == slots.split()


def test_figures_say_whom_members_lead_and_reach_and_what_players_own() -> None:
    position = {
        "attack": {"leader": "K", "target": "D"},
        "battle": {"round": 1},
        "seat0": {"parties": [{"1": "S: squire", "2": "K: knight_captain +tower_shield", "6": "M: apprentice"}]},
        "seat1": {
            "parties": [{"1": "P: possessed", "2": "D: dread_duke", "3": "Q: possessed dead"}],
            "cities": ["ember_shrine tapped"],
            "mana": ["red_mana"],
            "hand": ["possessed", "devil", "red_mana"],
        },
    }
    state, _ = POSITIONS.read(position, {})
    figures = POSITIONS.figures(state)
    reach = {id_: member["reach"] for id_, member in figures["members"].items()}
    assert reach == {"S": {"D"}, "K": {"P", "D"}, "M": {"P", "D"}, "P": {"K"}, "D": {"S", "K"}, "Q": set()}
    assert figures["members"]["K"]["abilities"] == {"P: maxhp(2,held)@holder"}
    assert [figures["members"][id_]["leadership"] for id_ in "SK"] == [0, 3]
    assert (figures["seat1"]["income"], figures["seat1"]["purse"]) == (4, 3)
    assert figures["seat1"]["mana"] == {"W": 0, "U": 0, "R": 2, "B": 0}
    assert figures["seat1"]["races"] == {"legions"}
    assert figures["seat1"]["prices"] == {"possessed": 0, "devil": 3}
    assert POSITIONS.figures(POSITIONS.view(state, Seat(0)))["seat1"]["prices"] == {}
