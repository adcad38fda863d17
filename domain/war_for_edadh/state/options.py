"""The options of a match (WE-002, WE-003): the game, its modules, and the Terrain."""

from typing import Literal

from msgspec import Struct

from domain.war_for_edadh.cards.armies import CAP, army_defects, fielding_defects
from domain.war_for_edadh.cards.cards import Army, CardIndex, CardSet


class Options(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The options that both players agreed on before the match.

    `game`: one combat or Best of 3 (WE-246, WE-250). `quick_start`: the armies and Terrain of WE-053 and no modules.
    `without_*`: the modules that are left out (WE-003). `terrain`: the code of an agreed Terrain Card, empty for a
    drawn one (WE-054). `cap`: the highest Total Army Cost (WE-266). `tcts_rule`: WE-Q22. `armies`: armies of the
    players' own, offered besides the ready ones; `cards`: a card set of their own, None for the shipped one.
    """

    game: Literal["unit", "best_of_3"] = "unit"
    quick_start: bool = False
    without_combat_masters: bool = False
    without_standards: bool = False
    without_stratagems: bool = False
    without_compositions: bool = False
    without_support: bool = False
    terrain: str = ""
    cap: int = CAP
    tcts_rule: Literal["attacker", "always"] = "attacker"
    armies: tuple[Army, ...] = ()
    cards: CardSet | None = None

    @property
    def combat_masters(self) -> bool:
        """WE-002: Combat Masters are played."""
        return not (self.without_combat_masters or self.quick_start)

    @property
    def standards(self) -> bool:
        """WE-002: Standards are played."""
        return not (self.without_standards or self.quick_start)

    @property
    def stratagems(self) -> bool:
        """WE-002: Battle Masters and Stratagems are played."""
        return not (self.without_stratagems or self.quick_start)

    @property
    def compositions(self) -> bool:
        """WE-002: Unit Compositions are played."""
        return not (self.without_compositions or self.quick_start)

    @property
    def support(self) -> bool:
        """WE-002: Support Units are played."""
        return not (self.without_support or self.quick_start)

    def defects(self, index: CardIndex) -> list[str]:
        """Options that contradict the rules or each other, as sentences; empty when all is well."""
        wrong: list[str] = []
        if self.quick_start and self.game != "unit":
            wrong.append("quick_start: it is a Unit vs. Unit game (WE-053)")
        if self.terrain and self.terrain not in index.terrain:
            wrong.append(f"terrain: there is no Terrain {self.terrain!r}; there are {', '.join(index.terrain)}")
        if self.terrain and self.game != "unit":
            wrong.append("terrain: in Best of 3 the Terrain is drawn (WE-251)")
        if not 1 <= self.cap <= 1000:
            wrong.append("cap: from 1 to 1000 (WE-266)")
        for army in self.armies:
            wrong += [str(defect) for defect in army_defects(army, index, f"armies: {army.name}", self.cap)]
            wrong += [str(defect) for defect in fielding_defects(army, self.game, f"armies: {army.name}")]
            if army.name in index.armies:
                wrong.append(f"armies: {army.name}: there is a ready army of that name; choose another")
        return wrong
