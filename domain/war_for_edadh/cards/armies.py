"""2.U Building armies: every rule an army must keep, all defects at once."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from domain.commons.errors import Defect
from domain.war_for_edadh.cards.cards import Army, CardIndex, TroopCard, UnitList

CAP: Final = 80
"""WE-266, WE-Q68: the recommended Total Army Cost of Unit vs. Unit and Best of 3."""
LEFT_OVER_LEVEL_2: Final = (0, 0, 0, 1, 1, 2)
"""WE-268 to WE-270: the number of Level 2 Troops that the cards left over from the sixes allow."""


def most_level_3(troops: int) -> int:
    """WE-267: one Level 3 Troop for each full six."""
    return troops // 6


def most_level_2(troops: int) -> int:
    """WE-271: two Level 2 Troops for each full six, and those that the rest allows; no third for a Level 3 (WE-Q69)."""
    return 2 * (troops // 6) + LEFT_OVER_LEVEL_2[troops % 6]


def total_cost(army: Army, index: CardIndex) -> int:
    """WE-265: Troops, masters and Standards; unknown codes cost nothing."""
    kinds = (index.troops, index.combat_masters, index.battle_masters, index.standards)
    costs = {code: card.cost for kind in kinds for code, card in kind.items()}
    troops = sum(costs.get(entry.code, 0) * entry.copies for entry in army.troops)
    return troops + sum(costs.get(code, 0) for code in (*army.combat_masters, *army.battle_masters, *army.standards))


def army_defects(army: Army, index: CardIndex, file: str = "army", cap: int | None = None) -> Iterator[Defect]:
    """Every breach of the rules in the army; `cap` is the match's Total Army Cost, None for no cap."""
    yield from _codes(army, index, file)
    total = total_cost(army, index)
    if army.total != total:
        yield Defect(file, army.name, "total", str(army.total), f"the sum of its cards, {total}", "WE-265")
    if cap is not None and total > cap:
        yield Defect(file, army.name, "total", str(total), f"{cap} at most", "WE-266")
    yield from _levels(army, index, file)
    yield from _standards(army, index, file)
    if army.units:
        yield from _units(army, file)
        yield from _masters(army, file)


def fielding_defects(army: Army, game: str, file: str = "army") -> Iterator[Defect]:
    """Faults that keep a sound army out of this game: the number of its Units (WE-246, WE-250)."""
    mains, supports = _roles(army)
    best = game == "best_of_3"
    most = 2 if best else 1
    if mains != most or supports > most:
        allowed = f"{most} main and {'0, 1 or 2' if best else '0 or 1'} support in this game"
        rule = "WE-250" if best else "WE-246"
        yield Defect(file, army.name, "units", f"{mains} main, {supports} support", allowed, rule)


def _roles(army: Army) -> tuple[int, int]:
    mains = sum(1 for unit in army.units if unit.role == "main")
    return mains, len(army.units) - mains


def _codes(army: Army, index: CardIndex, file: str) -> Iterator[Defect]:
    kinds = (
        ("troops", [entry.code for entry in army.troops], index.troops),
        ("combat_masters", army.combat_masters, index.combat_masters),
        ("battle_masters", army.battle_masters, index.battle_masters),
        ("standards", army.standards, index.standards),
    )
    for field, codes, known in kinds:
        for code in codes:
            card = known.get(code)
            if card is None:
                yield Defect(file, army.name, field, f"{code}, which does not exist", "codes of the card set")
            elif card.faction != army.faction:
                yield Defect(file, army.name, field, f"{code} of {card.faction}", f"cards of {army.faction}", "WE-Q83")
        for code, copies in Counter(codes).items():
            if copies > 1:
                yield Defect(file, army.name, field, f"{code} named {copies} times", "each code once")


def _cards(army: Army, index: CardIndex) -> list[TroopCard]:
    known = (entry for entry in army.troops if entry.code in index.troops)
    return [index.troops[entry.code] for entry in known for _ in range(entry.copies)]


def _levels(army: Army, index: CardIndex, file: str) -> Iterator[Defect]:
    cards = _cards(army, index)
    for level, most in ((3, most_level_3(len(cards))), (2, most_level_2(len(cards)))):
        found = sum(1 for card in cards if card.level == level)
        if found > most:
            yield Defect(
                file, army.name, "troops", f"{found} of Level {level}", f"{most} among {len(cards)} Troops", "WE-271"
            )
    common = sum(1 for card in cards if card.rarity == 1)
    rare = sum(1 for card in cards if card.rarity == 2)
    if rare > common // 2:
        allowed = f"{common // 2} beside {common} of Rarity 1"
        yield Defect(file, army.name, "troops", f"{rare} of Rarity 2", allowed, "WE-272")


def _standards(army: Army, index: CardIndex, file: str) -> Iterator[Defect]:
    levels = Counter(index.standards[code].level for code in army.standards if code in index.standards)
    for level, found in levels.items():
        if found > 1:
            yield Defect(file, army.name, "standards", f"{found} of Level {level}", "one of each Level", "WE-179")


def _masters(army: Army, file: str) -> Iterator[Defect]:
    for field, codes in (("combat_masters", army.combat_masters), ("battle_masters", army.battle_masters)):
        if len(codes) > 1:
            yield Defect(file, army.name, field, f"{len(codes)}", "1 at most in a fielded army", "WE-274")


def _units(army: Army, file: str) -> Iterator[Defect]:
    fielded = Counter(code for unit in army.units for code in unit.troops)
    owned = Counter({entry.code: entry.copies for entry in army.troops})
    for code in sorted(set(fielded) | set(owned)):
        if fielded[code] != owned[code]:
            yield Defect(file, army.name, "units", f"{fielded[code]} {code}", f"the army's {owned[code]}")
    mains, supports = _roles(army)
    if not 1 <= mains <= 2 or supports > 2:
        yield Defect(
            file, army.name, "units", f"{mains} main, {supports} support", "1 or 2 main, 2 support at most", "WE-250"
        )
    for number, unit in enumerate(army.units, 1):
        yield from _unit(unit, army.name, number, file)


def _unit(unit: UnitList, army: str, number: int, file: str) -> Iterator[Defect]:
    lengths = [len(column) for column in unit.columns]
    where = f"units[{number}]"
    if sum(lengths) < 3:
        yield Defect(file, army, where, f"{sum(lengths)} Troops", "3 at least", "WE-273")
    if max(lengths) - min(lengths) > 1:
        yield Defect(file, army, where, f"columns of {lengths}", "lengths that differ by 1 at most", "WE-Q71")
