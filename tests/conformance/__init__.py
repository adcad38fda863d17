"""The suite that every game must pass. Each game's `disclosure` is taken from its tests."""

from importlib import import_module
from importlib.util import find_spec

from projections import registry
from server.conformance.disclosure import tell

for place in ("tests.skirmish", "tests.pennants", *(f"tests.domain.{name}" for name in registry.games())):
    if find_spec(place) is not None and find_spec(f"{place}.disclosure") is not None:
        tell(place.rpartition(".")[2], import_module(f"{place}.disclosure").DISCLOSURE)
