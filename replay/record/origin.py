"""The package that a match's game comes from, and the package to install if the game is missing."""

import re
from functools import cache
from typing import Final

from domain.kernel import MatchCreated, Package
from projections import packages
from replay.record.rulesversion import rules_hash

_PART: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+!-]{0,79}")
_HASH: Final = re.compile(r"[0-9a-f]{64}")


def package_of(game: str) -> Package | None:
    """The external package that a game comes from here; None for a game of ours, and for a game that is missing."""
    offer = packages.offer_of(game)
    if offer is None:
        return None
    return Package(offer.source.name, offer.source.version, _hash_of(packages.named_folders(), game))


@cache
def _hash_of(named: str, game: str) -> str:
    del named  # if other folders are named, the game may be a different one
    folder, offer = packages.rules_of(game), packages.offer_of(game)
    if folder is None or offer is None:
        return ""
    try:
        return rules_hash(folder, offer.game.partition(":")[0])
    except ValueError:
        return ""


def missing(created: MatchCreated) -> str:
    """A sentence that names the package to install for a missing game; empty if the record names no package.

    The record's author may have named anything: the sentence repeats only a valid name, and nothing is installed.
    """
    said = created.package
    if said is None:
        return ""
    if not _PART.fullmatch(said.name) or not _PART.fullmatch(said.version):
        return "Its record names a package whose name is none."
    return (
        f"Its record names the package {said.name}, version {said.version}: `pip install {said.name}=={said.version}`,"
        " if you trust who made it. A game is code and may do all that you may."
    )


def differing(created: MatchCreated) -> str:
    """The difference between the package here and the package that a record names, as a sentence; empty if the rules
    are the same.
    """
    here, said = package_of(created.game), created.package
    if said is None and here is None:
        return ""
    if said is None or here is None:
        return "The record and this program do not agree whether the game comes from a package."
    if said.rules == here.rules or not _HASH.fullmatch(said.rules):
        return "" if said.rules == here.rules else "The record names no hash of the rules."
    theirs = f"version {said.version}" if _PART.fullmatch(said.version) else "another version"
    return f"The match was played by other rules: {theirs} of the package, and {here.version} is installed."
