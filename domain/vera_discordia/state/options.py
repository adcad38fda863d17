"""The options of a match (VD-010, VD-D01): all off by default."""

from msgspec import Struct

from domain.vera_discordia.cards.cards import CardIndex, CardSet


class Options(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The options that both players agreed on before the match.

    `generals`: the two Generals agreed openly (VD-091) or registered (VD-097), by id; empty: chosen in the match.
    `competitive`: Generals are chosen secretly and shown together (VD-095). `championship`: `generals` are
    registered and cannot be left out (VD-097). `hurry_up_s`: seconds for Phase 3 (VD-145), 0 for none.
    `same_faction`: both may play one faction (VD-Q50). `without_*`: the introductory simplifications (VD-286 to
    VD-290). `cards`: a card set of the players' own; None is the shipped one.
    """

    generals: tuple[str, ...] = ()
    competitive: bool = False
    championship: bool = False
    hurry_up_s: int = 0
    same_faction: bool = True
    without_generals: bool = False
    without_flying: bool = False
    without_terrain: bool = False
    without_legendary: bool = False
    cards: CardSet | None = None

    def defects(self, index: CardIndex) -> list[str]:
        """Options that contradict the rules or each other, as sentences; empty when all is well."""
        wrong: list[str] = []
        if self.generals and len(self.generals) != 2:
            wrong.append("generals: name two Generals, one per seat, or none")
        if self.championship and not self.generals:
            wrong.append("championship: name both registered Generals in `generals` (VD-097)")
        if self.competitive and self.generals:
            wrong.append("competitive: Generals chosen in secret cannot be named before (VD-095)")
        if self.competitive and not self.same_faction:
            wrong.append("competitive: both may choose one faction, so same_faction must be on (VD-Q50)")
        if not 0 <= self.hurry_up_s <= 3600:
            wrong.append("hurry_up_s: from 0 (off) to 3600 seconds (VD-145)")
        factions = {general.general_id: faction for faction, general in index.generals()}
        unknown = [general for general in self.generals if general not in factions]
        wrong += [f"generals: there is no General {name!r}; there are {', '.join(factions)}" for name in unknown]
        if len(self.generals) == 2 and not unknown:
            first, second = self.generals
            if first == second:
                wrong.append("generals: both cannot command the same General (VD-092)")
            elif not self.same_faction and factions[first] == factions[second]:
                wrong.append("generals: of different factions, as same_faction is off (VD-093)")
        return wrong
