"""The checks of `herald cards check`: a file may hold cards, one section of them, a map, or a scenario."""

from typing import Any, Final

from domain.commons.errors import Defect, GivenInvalid
from domain.commons.files import document
from domain.joan_of_arc.cards.cards import FILES
from domain.joan_of_arc.checks.card_checks import card_file_defects
from domain.joan_of_arc.checks.map_checks import check_map
from domain.joan_of_arc.checks.scenario_checks import scenario_file_defects

ALLOWED: Final = (
    f"an object with any of {', '.join(FILES)}; the array of one of them in a file of its name; a map; or a scenario"
)


def check_text(text: bytes, file: str) -> tuple[Defect, ...]:
    """Everything wrong with a file, and advice; empty when all is well."""
    try:
        given = document(text, file)
    except GivenInvalid as wrong:
        return wrong.defects
    stem = file.rpartition("/")[2].removesuffix(".json")
    if isinstance(given, list) and stem in FILES:
        given = {stem: given}
    if not isinstance(given, dict) or not given:
        return (Defect(file, "", "", f"{given!r:.40}", ALLOWED),)
    if set(given) <= set(FILES) and all(isinstance(section, list) for section in given.values()):
        return tuple(card_file_defects(given, file))
    return _map_or_scenario(given, text, file)


def _map_or_scenario(given: dict[str, Any], text: bytes, file: str) -> tuple[Defect, ...]:
    if "victory" in given or "players" in given or "map" in given:
        return tuple(scenario_file_defects(given, file))
    if "hexes" in given:
        return check_map(text, file)[0]
    return (Defect(file, "", "", ", ".join(map(str, given)), ALLOWED),)
