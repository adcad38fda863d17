"""The proof that nothing leaks is itself proved: games that leak on purpose are found, and the leak is named."""

from collections.abc import Sequence

import pytest

from projections import registry
from server.conformance.walks import AnyGame, PlayedGame
from tests.conformance.mutants import SHOWN, WAYS, Field, Mutant, caught, filled, lying, names, secret_fields
from tests.conformance.walks import games
from tests.conformance.watching import matches

GAMES = [pytest.param(game, id=game.name) for game in games()]

ASKING = ("options", "refusal")

FIRST = 4
"""Fields out of which those of every run are taken, in order."""

MORE = range(40, 50)
"""Seeds of further matches. A leak of one bit of a value that a match holds once is seen in about one match of four."""

SELDOM = {
    "disciples_legacy": {
        "HandPeeked.cards": "DL-232: an ability of one Minor Leader, which matches at random seldom come to",
        "Shuffled.order": "DL-232: only for a look at part of a hand, which no shipped card gives",
    },
    "vera_discordia": {
        "OrderDeckShuffled.pile": "a pile is always empty once a deck is made of it",
        "LifeRegained.life": "a Closed Unit that is hurt seldom lives to heal",
    },
}
"""Secret fields that the matches of every run do not fill, or always with the same."""

FOLLOWS = {
    "joan_of_arc": {"Chosen.choice": "JA-406: no answer is sealed; everybody sees what each of them comes to"},
    "vera_discordia": {
        "ArmyDealt.mustered": "VD-K02: the cards that the General brings; he is known to all",
        "UnitCharged.pile": "VD-072: every card of a discard pile was laid there face up",
    },
}
"""Secret fields that tell nothing: what they hold follows from what everybody knows."""

UNASKED = {"disciples_legacy": {"HandPeeked.cards": "DL-232: shipped cards show a whole hand, which its owner knows"}}
"""Secret fields that tell nobody anything who is asked: options and refusals cannot give them away."""


def telling_fields(game: AnyGame, way: str, within: Sequence[tuple[PlayedGame, int]]) -> list[Field]:
    """The secret fields that a game could give away so."""
    told = {**FOLLOWS.get(game.name, {}), **(UNASKED.get(game.name, {}) if way in ASKING else {})}
    fields = [field for field in filled(game, within) if str(field) not in told]
    return [field for field in fields if way not in SHOWN or lying(game, field)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", GAMES)
def test_a_secret_that_slips_out_is_found_and_named(game: AnyGame, way: str) -> None:
    """One of the first fields for each way; `--deep` tries all."""
    fields = telling_fields(game, way, matches(game)[:1])[:FIRST]
    mutant = Mutant(game, fields[WAYS.index(way) % len(fields)], way)
    message = caught(mutant)
    assert names(mutant, message), f"{mutant}: {message or 'nothing found'}"


@pytest.mark.parametrize("way", ["twin", "count"])
def test_a_secret_that_a_seat_names_in_a_choice_of_its_own_is_found(way: str) -> None:
    """VD-123: which Unit stands there Closed, its owner has said in an answer that is not sealed."""
    mutant = Mutant(registry.games()["vera_discordia"], Field("UnitDeployed", "card"), way)
    message = caught(mutant)
    assert names(mutant, message), message or "nothing found"


@pytest.mark.parametrize("game", GAMES)
def test_the_matches_of_every_run_come_to_every_secret_field(game: AnyGame) -> None:
    never = set(map(str, set(secret_fields(game)) - set(filled(game, matches(game)))))
    assert never == set(SELDOM.get(game.name, {}))


@pytest.mark.deep
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", GAMES)
def test_every_secret_field_that_slips_out_is_found_and_named(game: AnyGame, way: str) -> None:
    missed = {}
    for field in telling_fields(game, way, matches(game)):
        mutant = Mutant(game, field, way)
        message = caught(mutant, MORE)
        if not names(mutant, message):
            missed[str(mutant)] = message or "nothing found"
    assert not missed
