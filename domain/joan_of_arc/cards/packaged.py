"""The data files that come with the game, as they lie in data/."""

from collections.abc import Iterator
from importlib import resources
from typing import Final, TypeVar

import msgspec

T = TypeVar("T")

DATA: Final = resources.files("domain.joan_of_arc").joinpath("data")


def read_file(name: str) -> bytes:
    """A file of data/, by its name without ending."""
    return DATA.joinpath(f"{name}.json").read_bytes()


def load(name: str, kind: type[T]) -> T:
    """A file of data/, decoded as the type that it should have."""
    return msgspec.json.decode(read_file(name), type=kind)


def names_in(folder: str) -> Iterator[str]:
    """The files of a folder of data/, by name without ending, in order."""
    for file in sorted(DATA.joinpath(folder).iterdir(), key=lambda file: file.name):
        if file.name.endswith(".json"):
            yield file.name.removesuffix(".json")
