"""Words of War for Edaðh: names of pieces, questions, choices."""

from typing import Final

from domain.commons.rows import BOTH, foe
from domain.kernel import Asked, Choice, Hidden, Seat
from domain.war_for_edadh.rules import (
    best_of_3,
    choosing,
    combat_masters,
    combining,
    discarding,
    end_of_duration,
    fielding,
    instant_discard,
    round,  # noqa: A004 - the rulebook's word
    rows,
    standards,
    stratagems,
    support,
    tie_break,
)
from domain.war_for_edadh.rules.blows import guard_chance
from domain.war_for_edadh.state.queries import card, cards_of, end_of, next_position, place
from domain.war_for_edadh.state.state import TroopId, Unit, WarState
from projections.words import count, join, player, signed

POSITIONS: Final = {
    "range": "Ballistic, Range Position",
    "ballistic": "Ballistic",
    "charge": "Charge",
    "melee": "Melee",
}
STATS: Final = {
    "ml": "Mastery Level",
    "mp_bonus": "MP Bonus",
    "guard_value": "Guard Value",
    "guard_penetration": "Guard Penetration",
    "att": "att",
    "att_dmg": "Attack Damage",
    "def": "def",
    "def_dmg": "Defence Damage",
    "cb": "Conflict Bonus",
    "dv": "Discard Value",
    "range": "Range",
}
BONUS_NAMES: Final = {"mp": "MP", "ml": "Mastery Level", "att": "Attack", "def": "Defence", "dmg": "Damage"}
ROWS: Final = {"melee": "Melee", "first_melee": "1st Duration Melee Bonus", "vs_mounts": "Spear Hedge against Mounts"}
COLUMNS: Final = ("left", "middle", "right")
SECONDARY: Final = {"": "", "tcts": " with tcts", "mst": " with mst"}
QUESTIONS: Final = {
    "ArmySelection": "Which army do you command?",
    "DeckSelection": "Which Stratagems join Hold, Retreat and Counter in your deck?",
    "UnitSelection": "Which Unit fights?",
    "Deployment": "How do your Troops stand?",
    "TerrainAction": "Do you veto the Terrain, cut again, or leave it?",
    "CombinationOffer": "On whose half is the card combined?",
    "StratagemSelection": "Which Stratagems do you pick?",
    "CounterTarget": "Which Stratagem do you Counter?",
    "MasteryLay": "Which Mastery Card do you lay?",
    "TieLay": "Which card do you lay to break the tie?",
    "TroopSelection": "Which Troop fights this round?",
    "BowOffer": "Does your bow pick the enemy's Troop?",
    "BowColumn": "Which of your columns do you name to the bow?",
    "BowTarget": "Whom does your bow pick?",
    "CombiningOffer": "Which Troop helps, and with what?",
    "RowOffer": "Which row of stats does your Troop use?",
    "Announcement": "Which bonus do you announce?",
    "FirstPicker": "Who picks a bonus first?",
    "LateMp": "Do you take the MP bonus now?",
    "Resolve": "Which Standard steadies your Unit?",
    "GapRefill": "Which card fills the gap?",
    "UnitNaming": "From which Unit must the enemy Discard?",
    "Removal": "Which Troop leaves?",
    "SwapOffer": "Which cards change places?",
    "SupportOffer": "What becomes of your Support Unit?",
    "SupportPlacing": "Where does the next card stand?",
}

WAITING: Final = {
    "ArmySelection": "chooses an army",
    "DeckSelection": "puts a Stratagem Deck together",
    "UnitSelection": "chooses the Unit that fights",
    "Deployment": "places the Troops in secret",
    "TerrainAction": "may veto the Terrain or cut again",
    "CombinationOffer": "says where the Terrain is combined",
    "StratagemSelection": "picks Stratagems in secret",
    "CounterTarget": "chooses what to Counter",
    "MasteryLay": "lays a Mastery Card in secret",
    "TieLay": "lays a card to break the tie",
    "TroopSelection": "chooses the Troop that fights",
    "BowOffer": "may use a bow",
    "BowColumn": "names a column to the bow",
    "BowTarget": "picks the bow's target",
    "CombiningOffer": "may combine Troops",
    "RowOffer": "may choose a row of stats",
    "BonusOffer": "may use the Combat Master",
    "Announcement": "may announce a bonus in secret",
    "FirstPicker": "says who picks a bonus first",
    "LateMp": "may take the MP bonus",
    "StandardOffer": "may flip a Standard",
    "Resolve": "may steady the Unit with a Standard",
    "GapRefill": "fills a gap",
    "UnitNaming": "names the Unit that must Discard",
    "Removal": "says which Troop leaves",
    "SwapOffer": "may swap cards",
    "SupportOffer": "decides about the Support Unit",
    "SupportPlacing": "places the Support Unit's cards",
}


def troop_name(view: WarState, troop: str) -> str:
    """A Troop by its card and its name on the table: "Gunners A1"."""
    return f"{card(view, troop).name} {troop}" if troop in view.troops else troop


def troops_named(view: WarState, troops: tuple[TroopId, ...]) -> str:
    """Several Troops."""
    return join([troop_name(view, troop) for troop in troops])


def column_seen(number: int, *, far: bool) -> str:
    """A column as the viewer sees it: each side counts from its own left, and a far Unit is turned round (WE-Q07)."""
    return f"{COLUMNS[3 - number if far else number - 1]} column"


def spot(unit: Unit, column: int, rank: int, *, far: bool) -> str:
    """A place in words: "left column, rank 1"."""
    return f"{'Support Unit, ' if unit == 'support' else ''}{column_seen(column, far=far)}, rank {rank}"


def is_far(seat: int, viewer: Seat | None) -> bool:
    """Whether a Unit is across the table from the viewer; a viewer without a seat sees it from the first seat."""
    return seat != (viewer or 0)


def where(view: WarState, troop: TroopId, viewer: Seat | None) -> str:
    """A Troop's place, as the viewer sees it."""
    return spot(*place(view, troop), far=is_far(view.troops[troop].seat, viewer))


def terrain_name(view: WarState, code: str) -> str:
    """A Terrain Card's name."""
    return cards_of(view).terrain[code].name


def stratagem_name(view: WarState, code: str) -> str:
    """A Stratagem's name."""
    return cards_of(view).stratagems[code].name


def stratagems_named(view: WarState, codes: tuple[str, ...]) -> str:
    """Several Stratagems."""
    return join([stratagem_name(view, code) for code in codes])


def master_name(view: WarState, code: str) -> str:
    """A Combat or Battle Master's name."""
    index = cards_of(view)
    master = index.combat_masters.get(code) or index.battle_masters.get(code)
    return master.name if master else code


def question(view: WarState, asked: Asked) -> str:
    """The question."""
    match asked.kind:
        case "BonusOffer":
            bonus = str(asked.terms["bonus"])
            worth = signed(combat_masters.amount_of(view, asked.seat, bonus))
            return f"Does your Combat Master lend {BONUS_NAMES[bonus]} {worth} now?"
        case "StandardOffer":
            return "Do you flip a Standard now?"
        case "DeckSelection" if _nothing_joins(view, asked.seat):
            return "Your army has no master whose Stratagems could join Hold, Retreat and Counter in your deck."
        case "Removal" if discarding.discard_due(view, asked.seat, bool(asked.terms.get("begun"))):
            return "Which Troop is Discarded?"
        case "Removal":
            return "Do you Retire a Troop?"
    return QUESTIONS[asked.kind]


def _nothing_joins(view: WarState, seat: Seat) -> bool:
    army = view.sides[seat].army
    return not isinstance(army, Hidden) and fielding.DeckSelection(seat).form(view).count() == 1


def purpose(view: WarState, asked: Asked) -> str:
    """Why this is asked now, if the numbers on the table explain it better than the glossary; else empty."""
    side = view.sides[asked.seat]
    match asked.kind:
        case "Removal" if discarding.discard_due(view, asked.seat, bool(asked.terms.get("begun"))):
            low = discarding.lowest_dv(view, asked.seat)
            rank = f"Discard Value {low} in your Front Rank"
            other = (
                " Retiring brings MP, but takes nothing off Damage (WE-124)." if _may_retire(view, asked.seat) else ""
            )
            if asked.terms.get("begun"):
                return f"Damage {side.dmg} is not below {rank}: a further Troop must go (WE-120).{other}"
            return f"Damage {side.dmg} is above {rank}: a Troop must go (WE-118).{other}"
        case "Removal":
            return (
                f"With MP {side.mp} you may Retire: the Troop is gone for good, brings its Psy in MP and does not "
                "count as lost (WE-124)."
            )
        case "TroopSelection" if None not in view.round.laid and guard_chance(view):
            return _guard_ahead(view, asked.seat)
        case "SwapOffer":
            position, rule = next_position(view)
            return f"The next Duration is at {POSITIONS[position]}; the Front Rank fights there ({rule})."
    return ""


def occasion(view: WarState, asked: Asked) -> str:
    """The purpose in a few words that are always visible."""
    match asked.kind:
        case "Removal" if discarding.discard_due(view, asked.seat, bool(asked.terms.get("begun"))):
            low, dmg = discarding.lowest_dv(view, asked.seat), view.sides[asked.seat].dmg
            if asked.terms.get("begun"):
                return f"Damage {dmg} is not below Discard Value {low}: a further Troop must go"
            return f"Damage {dmg} is above Discard Value {low}: a Troop must go"
        case "Removal":
            return "the Troop goes for good and brings MP"
        case "SwapOffer":
            return f"the next Duration is at {POSITIONS[next_position(view)[0]]}"
    return ""


def _may_retire(view: WarState, seat: Seat) -> bool:
    return any(discarding.retirable(view, seat))


def _guard_ahead(view: WarState, me: Seat) -> str:
    """A note that some cards may stop the blow, which depends on the Troops still to be chosen (WE-080)."""
    attacker = Seat(view.round.attacker)
    value, guard = view.round.values[attacker], end_of(view, foe(attacker)).cv
    level = "the Defender's Mastery Level is above the Attacker's, or his Guard or the Terrain's above its penetration"
    whose = f"The enemy's {guard} may guard against your {value}" if attacker == me else ""
    return f"{whose or f'Your {guard} may guard against {value}'}: the blow is stopped if {level} (WE-080)."


def waiting(view: WarState, asked: Asked) -> str:
    """The sentence that others see during an open question: one fixed sentence per kind of decision."""
    return f"{player(view, asked.seat)} {WAITING.get(asked.kind, 'decides')}."


def option(view: WarState, asked: Asked, choice: Choice) -> str:
    """A choice in words."""
    return _set_up(view, asked, choice) or _fight(view, asked.seat, choice) or _after(view, choice)


def _set_up(view: WarState, asked: Asked, choice: Choice) -> str:
    match choice:
        case fielding.ChooseArmy(army):
            return army
        case fielding.BringArmy(army):
            return army.name
        case fielding.ChooseStratagems(codes):
            return stratagems_named(view, codes) or "No further Stratagem"
        case fielding.FieldUnits():
            return field_words(view, asked.seat, choice)
        case fielding.Deploy(codes):
            return join([cards_of(view).troops[code].name for code in codes])
        case best_of_3.Veto():
            return "Veto"
        case best_of_3.CutAgain():
            return "Cut again"
        case best_of_3.AcceptTerrain():
            return "Leave the Terrain"
        case best_of_3.CombineTerrain(half):
            return f"Combine on {player(view, half)}'s half"
        case best_of_3.SetTerrainAside():
            return "Set the card aside"
    return ""


def field_words(view: WarState, seat: Seat, choice: fielding.FieldUnits) -> str:
    """The Units of a combat in words."""
    army = view.sides[seat].army
    if army is None or isinstance(army, Hidden):
        return f"Unit {choice.main + 1}"
    words = [f"Unit {choice.main + 1} of {len(fielding.unit_codes(view, seat, choice.main))} Troops"]
    if choice.support >= 0:
        words.append(f"Support Unit of {len(fielding.unit_codes(view, seat, choice.support))}")
    for rear in (choice.main_rear, choice.support_rear):
        if rear:
            words.append(f"last rank in the {join([COLUMNS[column - 1] for column in rear])} column")
    return ", ".join(words)


def _fight(view: WarState, seat: Seat, choice: Choice) -> str:
    match choice:
        case round.LayCards(cv, secondary):
            return f"{cv}{SECONDARY[secondary]}"
        case tie_break.LayTieCard(cv):
            return str(cv)
        case choosing.ChooseTroop(troop):
            return f"{troop_name(view, troop)}, {where(view, TroopId(troop), seat)}"
        case choosing.UseBow():
            return "Let the bow pick"
        case choosing.SpareBow():
            return "Let the enemy choose"
        case choosing.NameColumn(column):
            return f"The {column_seen(column, far=False)}"
        case combining.Combine(helper, stat, amount):
            return f"{troop_name(view, helper)}: {STATS[stat]} {signed(amount)}"
        case combining.CombineNoMore():
            return "No further helper"
        case rows.UseRow(row):
            return ROWS[row]
        case combat_masters.LendBonus(bonus, reduce):
            worth = combat_masters.amount_of(view, seat, bonus)
            return (
                f"{BONUS_NAMES[bonus]} {signed(-worth if reduce else worth)}{' on your own damage' if reduce else ''}"
            )
        case combat_masters.HoldBonus():
            return "Hold it back"
        case combat_masters.AnnounceBonus(bonus):
            return f"{BONUS_NAMES[bonus]} {signed(combat_masters.amount_of(view, seat, bonus))}"
        case combat_masters.PickFirst(first):
            return f"{player(view, first)} picks first"
        case combat_masters.TakeMp():
            return f"Take MP {signed(combat_masters.amount_of(view, seat, 'mp'))}"
        case combat_masters.DeclineMp():
            return "Take nothing"
        case standards.FlipStandard(code):
            return f"Flip {cards_of(view).standards[code].title}"
        case standards.KeepStandards():
            return "Keep the Standards"
    return ""


def _after(view: WarState, choice: Choice) -> str:
    match choice:
        case stratagems.PickStratagems(codes):
            return stratagems_named(view, codes) or "No Stratagem"
        case stratagems.Counter(code):
            return f"Counter {stratagem_name(view, code)}"
        case instant_discard.MoveIntoGap(troop):
            return f"{troop_name(view, troop)} moves up"
        case discarding.NameUnit(unit):
            return f"The {unit.capitalize()} Unit"
        case discarding.Discard(troop):
            return f"Discard {troop_name(view, troop)} (Dmg {signed(-card(view, troop).dv)})"
        case discarding.Retire(troop):
            return f"Retire {troop_name(view, troop)} (MP {signed(card(view, troop).psy)})"
        case discarding.StopRetiring():
            return "Retire no Troop"
        case end_of_duration.Swap(first, second):
            return f"Swap {troop_name(view, first)} and {troop_name(view, second)}"
        case end_of_duration.StopSwapping():
            return "Leave the cards as they stand"
        case support.JoinUnits():
            return "Add it to the Main Unit"
        case support.SwitchUnits():
            return "Switch Main and Support Unit"
        case support.KeepApart():
            return "Leave it where it is"
        case support.PlaceBehind(troop, column):
            return f"{troop_name(view, troop)} behind the {column_seen(column, far=False)}"
    return type(choice).__name__


def score(view: WarState, seat: int) -> str:
    """A Score Card in words."""
    side = view.sides[seat]
    return f"MP {side.mp}, Dmg {side.dmg}{', Shaken' if side.shaken else ''}"


def ended(view: WarState) -> str:
    """Both Score Cards."""
    return "; ".join(f"{player(view, seat)} {score(view, seat)}" for seat in BOTH)


def cards(number: int) -> str:
    """A number of cards."""
    return count(number, "card")
