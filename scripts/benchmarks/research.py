"""`research`: turns of our games as OpenSpiel and PettingZoo play them, beside the libraries' hidden-information games.

All play at random, in one run. A turn of their games is a move of a small game. A turn of our games is one number of an
answer, or one die or card that is drawn.
"""

import random
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

import numpy as np
import pyspiel

from scripts.benchmarks.measure import Figure, Report
from scripts.benchmarks.search import paced
from server.research import spiel, zoo

SPIEL_PEERS: Final = (
    "leduc_poker",
    "liars_dice",
    "phantom_ttt",
    "dark_hex",
    "battleship",
    "goofspiel(imp_info=True,num_cards=8)",
    "python_kuhn_poker",
)
"""Games of hidden information that come with OpenSpiel: all are in C++ but the last, which is in Python like ours."""
ZOO_PEERS: Final = ("rps_v2", "leduc_holdem_v4", "texas_holdem_v4")
"""Games that come with PettingZoo; they need pygame and rlcard, and are left out if these are not installed."""


import_module("open_spiel.python.games.kuhn_poker")  # importing it registers it with OpenSpiel; it has no types


def spiel_play(game: Any) -> Callable[[random.Random], int]:
    """Play a random match: chance, single and simultaneous nodes; returns its numbers of actions and outcomes."""

    def play(source: random.Random) -> int:
        state, turns = game.new_initial_state(), 0
        while not state.is_terminal():
            turns += 1
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(source.choices(outcomes, odds)[0])
            elif state.is_simultaneous_node():
                players = range(game.num_players())
                state.apply_actions([source.choice(state.legal_actions(player) or [0]) for player in players])
            else:
                state.apply_action(source.choice(state.legal_actions()))
        return turns

    return play


def zoo_play(table: Any) -> Callable[[random.Random], int]:
    """Play a random match, observing for the agent that is to choose; returns its number of turns."""

    def play(source: random.Random) -> int:
        table.reset(seed=source.randrange(2**31))
        turns = 0
        for agent in table.agent_iter():
            seen, _, ended, cut, info = table.last()
            if ended or cut:
                table.step(None)
                continue
            mask = seen.get("action_mask") if isinstance(seen, dict) else info.get("action_mask")
            space = table.action_space(agent)
            allowed = range(int(space.n)) if mask is None else np.flatnonzero(mask)
            table.step(int(source.choice(allowed)))
            turns += 1
        return turns

    return play


def _zoo_peers() -> dict[str, Any]:
    found = {}
    for name in ZOO_PEERS:
        try:
            found[name] = import_module(f"pettingzoo.classic.{name}").env()
        except ImportError:
            continue
    return found


def research_report(name: str, seconds: float) -> Report:
    """Turns per second of processor time: of our games, then of theirs."""
    ours = paced(seconds, spiel_play(spiel.load(name)))
    figures = [Figure(f"OpenSpiel: {name} (Python)", ours.decisions_s, "turns/s")]
    for peer in SPIEL_PEERS:
        theirs = paced(seconds, spiel_play(pyspiel.load_game(peer)))
        figures.append(Figure(f"OpenSpiel: {peer}", theirs.decisions_s, "turns/s"))
    seen = paced(seconds, zoo_play(zoo.env(name)))
    figures.append(Figure(f"PettingZoo: {name}, with observations", seen.decisions_s, "turns/s"))
    for peer, table in _zoo_peers().items():
        figures.append(Figure(f"PettingZoo: {peer}", paced(seconds, zoo_play(table)).decisions_s, "turns/s"))
    about = f"by lot, {seconds:g} s of processor time each; our matches take {ours.decisions / ours.matches:,.0f} turns"
    return Report(f"research --game {name}", about, tuple(figures))
