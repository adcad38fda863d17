"""The options of a match (JA-001, JA-338): a scenario, and which optional rules are on."""

from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import asdict

from domain.joan_of_arc.scenarios import SHIPPED_SCENARIOS, OptionalRules, Scenario

Switch = Literal["scenario", "on", "off"]
"""JA-338: as the scenario says, or as the table says."""
FIRST_SCENARIO: Final = "s1_ford_at_brossay"


class Options(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What all players agreed before the match.

    `scenario` is one that comes with the game, by id; `own` is one of the players' own in its place.
    """

    scenario: str = FIRST_SCENARIO
    own: Scenario | None = None
    forced_march: Switch = "scenario"
    concentrated_fire: Switch = "scenario"
    cavalry_breakthrough: Switch = "scenario"
    ransom: Switch = "scenario"


def scenario_of(options: Options) -> Scenario:
    """JA-001: the one scenario that is played. Raises `KeyError` for a name there is not."""
    return SHIPPED_SCENARIOS[options.scenario] if options.own is None else options.own


def rules_of(options: Options) -> OptionalRules:
    """JA-338: the optional rules, each switched by the table where it says so."""
    written = asdict(scenario_of(options).options)
    switched = {name: getattr(options, name) for name in written}
    return OptionalRules(
        **{name: written[name] if switch == "scenario" else switch == "on" for name, switch in switched.items()}
    )


def option_defects(options: Options) -> Iterator[str]:
    """Why no match may begin with them, as sentences."""
    if options.own is None and options.scenario not in SHIPPED_SCENARIOS:
        yield f"scenario: there is no {options.scenario!r}; there are {', '.join(SHIPPED_SCENARIOS)}"
