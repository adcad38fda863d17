"""Games as environments to learn in (docs/research.md). It needs `pip install 'herald[research]'`.

env(game, options)    a game as a PettingZoo environment
load(game, options)   a game as an OpenSpiel game
"""

from server.research.spiel import SpielState, TableGame, load
from server.research.zoo import TableEnv, env, raw_env

__all__ = ["SpielState", "TableEnv", "TableGame", "env", "load", "raw_env"]
