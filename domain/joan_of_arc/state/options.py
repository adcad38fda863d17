"""The options of a match (JA-001, JA-338): a scenario, and the optional rules that are on."""

from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import asdict

from domain.joan_of_arc.board.scenarios import SHIPPED_SCENARIOS, OptionalRules, Scenario
from domain.joan_of_arc.board.sharing import shared

Switch = Literal["scenario", "on", "off"]
"""JA-338: as in the scenario, or as the players choose."""
ScenarioName = Literal["s1_ford_at_brossay", "s2_market_day", "s3_wyrm_of_rougemont"]
"""The scenarios that come with the game, by id."""
KEPT: Final = 32
"""The number of shared scenarios that are cached."""


class Options(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The options that all players agreed on before the match.

    `scenario` is one that comes with the game, by id; `own` is one of the players' own in its place.
    `seats`: the number of players, 0 for the scenario's; three or four share a scenario for two (`sharing`).
    """

    scenario: ScenarioName = "s1_ford_at_brossay"
    seats: Literal[0, 2, 3, 4] = 0
    own: Scenario | None = None
    forced_march: Switch = "scenario"
    concentrated_fire: Switch = "scenario"
    cavalry_breakthrough: Switch = "scenario"
    ransom: Switch = "scenario"


def written(options: Options) -> Scenario:
    """The scenario as written. Raises `KeyError` for an unknown name."""
    return SHIPPED_SCENARIOS[options.scenario] if options.own is None else options.own


_SHARED: dict[tuple[int, int], tuple[Scenario, Scenario]] = {}


def scenario_of(options: Options) -> Scenario:
    """JA-001: the one scenario that is played, for this number of seats; it is made once for each number."""
    scenario = written(options)
    if options.seats in {0, len(scenario.players)}:
        return scenario
    found = _SHARED.get((id(scenario), options.seats))
    if found is None or found[0] is not scenario:
        if len(_SHARED) >= KEPT:
            _SHARED.clear()
        found = _SHARED[id(scenario), options.seats] = (scenario, shared(scenario, options.seats))
    return found[1]


def seats_of(options: Options) -> int:
    """The number of seats of a match."""
    return len(scenario_of(options).players)


def sides_of(options: Options) -> tuple[tuple[int, ...], ...]:
    """JA-Q91: the seats that win together, side by side."""
    players = scenario_of(options).players
    sides = dict.fromkeys(player.side for player in players)
    return tuple(tuple(at for at, player in enumerate(players) if player.side == side) for side in sides)


def rules_of(options: Options) -> OptionalRules:
    """JA-338: the optional rules, each as in the scenario unless the players changed it."""
    said = asdict(written(options).options)
    switched = {name: getattr(options, name) for name in said}
    return OptionalRules(
        **{name: said[name] if switch == "scenario" else switch == "on" for name, switch in switched.items()}
    )
