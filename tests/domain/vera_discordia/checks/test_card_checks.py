"""Card-set files: every constraint of ledger 6.3 and 6.4, the last value allowed beside the first refused."""

from collections.abc import Callable
from copy import deepcopy
from importlib.resources import files
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.vera_discordia import GAME
from domain.vera_discordia.cards.cards import CardSet, flatten, read_card_set
from domain.vera_discordia.cards.shipped import SHIPPED
from domain.vera_discordia.checks.card_checks import defects_of, load_card_set, raw
from domain.vera_discordia.errors import CardSetInvalid
from domain.vera_discordia.state.options import Options

Json = Any
Change = Callable[[Json], object]
SOUND: Json = raw(SHIPPED)


def nir(data: Json) -> Json:
    return data["factions"][0]


def unit(data: Json, type_id: str = "guardians") -> Json:
    return next(u for f in data["factions"] for u in f["unit_types"] if u["type_id"] == type_id)


def general(data: Json) -> Json:
    return nir(data)["generals"][0]


def wrongs(change: Change) -> list[str]:
    """The defects (not the advice) of the shipped set after the change, as "field: found"."""
    data = deepcopy(SOUND)
    change(data)
    return [f"{d.field}: {d.found}" for d in defects_of(data, "x.json") if not d.advice]


def advice(change: Change) -> list[str]:
    data = deepcopy(SOUND)
    change(data)
    return [d.field for d in defects_of(data) if d.advice]


def put(table: Callable[[Json], Json], key: str, value: Json) -> Change:
    return lambda data: table(data).__setitem__(key, value)


def set_of(factions: int) -> Change:
    return put(lambda data: data, "factions", SOUND["factions"][:factions])


def lead(*hooks: Json) -> Change:
    return put(lambda data: general(data)["leadership"], "hooks", list(hooks))


def star(*hooks: Json) -> Change:
    return lambda data: general(data).__setitem__("strategy", {"icon": "star", "text": "", "hooks": list(hooks)})


def diamond(moment: str, *hooks: Json) -> Change:
    strategy = {"icon": "diamond", "moment": moment, "text": "", "hooks": list(hooks)}
    return lambda data: general(data).__setitem__("strategy", strategy)


def hook(name: str, **params: Json) -> Json:
    return {"hook": name, "params": params}


def test_the_shipped_set_has_no_defect_and_needs_no_advice() -> None:
    assert defects_of(SOUND) == ()


def test_raw_and_load_are_inverse() -> None:
    assert load_card_set(msgspec.json.encode(SOUND)) == SHIPPED


def test_the_packaged_file_is_sound_as_it_lies_there() -> None:
    text = files("domain.vera_discordia").joinpath("data/shipped.json").read_bytes()
    assert load_card_set(text) == read_card_set(text) == SHIPPED


PAIRS: list[tuple[str, Change, Change, str]] = [
    ("C1 no faction", set_of(1), set_of(0), "factions: 0 factions"),
    ("C1 five factions", set_of(4), lambda d: d["factions"].append(d["factions"][0]), "factions: 5 factions"),
    (
        "C2 cards of a Basic type",
        put(unit, "ids", [1, 2, 3]),
        put(unit, "ids", [1, 2]),
        "ids: 2 cards of a basic type",
    ),
    ("C2 types of a rank", put(unit, "rank", "basic"), put(unit, "rank", "elite"), "unit_types: 4 elite types"),
    ("C3 an id twice", put(unit, "ids", [3, 2, 1]), put(unit, "ids", [1, 2, 4]), "ids: 4 more than once"),
    ("C3 an id missing", put(unit, "ids", [3, 2, 1]), put(unit, "ids", [1, 2, 4]), "ids: 3 missing"),
    ("C3 an id beyond 17", put(unit, "ids", [1, 2, 3]), put(unit, "ids", [1, 2, 18]), "ids[2]: 18"),
    ("C4 Generals", lambda d: None, lambda d: nir(d)["generals"].pop(), "generals: 2 Generals"),
    ("C5 dice", put(unit, "dice", []), put(unit, "dice", ["bow"]), "dice[0]: 'bow'"),
    ("C5 many dice", put(unit, "dice", ["melee"] * 12), put(unit, "dice", ["melee"] * 13), "dice: 13 dice"),
    (
        "C6 low shield",
        put(lambda d: unit(d)["shields"], "range", 2),
        put(lambda d: unit(d)["shields"], "range", 1),
        "shields.range: 1",
    ),
    (
        "C6 high shield",
        put(lambda d: unit(d)["shields"], "orange", 6),
        put(lambda d: unit(d)["shields"], "orange", 7),
        "shields.orange: 7",
    ),
    (
        "C6 immunity",
        put(lambda d: unit(d)["shields"], "magic", "X"),
        put(lambda d: unit(d)["shields"], "magic", "Y"),
        "shields.magic: 'Y'",
    ),
    ("C6 all four", lambda d: None, lambda d: unit(d)["shields"].pop("melee"), "shields.melee: missing"),
    ("C7 life", put(unit, "max_lp", 1), put(unit, "max_lp", 0), "max_lp: 0"),
    ("C7 no life", lambda d: unit(d).pop("max_lp"), put(unit, "max_lp", True), "max_lp: True"),
    ("C8 twice", put(unit, "abilities", ["link"]), put(unit, "abilities", ["link", "link"]), "abilities: link twice"),
    ("C8 unknown", put(unit, "abilities", ["rage"]), put(unit, "abilities", ["hate"]), "abilities[0]: 'hate'"),
    (
        "C9 guards",
        put(lambda d: general(d)["heroism"], "abilities", ["guards"]),
        put(unit, "abilities", ["guards"]),
        "abilities[0]: 'guards'",
    ),
    (
        "C10 dice",
        put(lambda d: unit(d, "chrysalis"), "dice", ["magic"]),
        put(lambda d: unit(d, "chrysalis"), "dice", ["range"]),
        "dice: range or artillery with metamorphosis",
    ),
    (
        "C10 flying",
        put(lambda d: unit(d, "dark-faeries"), "abilities", ["flying"]),
        put(lambda d: unit(d, "dark-faeries"), "abilities", ["flying", "metamorphosis"]),
        "abilities: metamorphosis and flying",
    ),
    (
        "C11 two ways to fly",
        put(lambda d: unit(d, "dark-faeries"), "abilities", ["flying"]),
        put(lambda d: unit(d, "dark-faeries"), "abilities", ["flying", "glide"]),
        "abilities: flying and glide",
    ),
    (
        "C11 two prices",
        put(unit, "abilities", ["expendable"]),
        put(unit, "abilities", ["expendable", "prominent"]),
        "abilities: prominent and expendable",
    ),
    (
        "C12 icon",
        put(lambda d: unit(d, "dark-faeries"), "icons", {"flying": "b"}),
        put(lambda d: unit(d, "dark-faeries"), "icons", {"flying": "c"}),
        "icons.flying: 'c'",
    ),
    ("C12 needless icon", put(unit, "icons", {}), put(unit, "icons", {"flying": "a"}), "icons.flying: unknown field"),
    (
        "C12 no icon",
        put(lambda d: unit(d, "dark-faeries"), "icons", {"flying": "a"}),
        put(lambda d: unit(d, "dark-faeries"), "icons", {}),
        "icons.flying: missing",
    ),
    (
        "C13",
        put(lambda d: d["order_deck"], "tactic", 1),
        put(lambda d: d["order_deck"], "tactic", 2),
        "order_deck.tactic: 2",
    ),
    (
        "C14",
        put(lambda d: d["terrain_deck"], "plains", 6),
        put(lambda d: d["terrain_deck"], "plains", 5),
        "terrain_deck.plains: 5",
    ),
    ("C15", put(lambda d: d, "motivation", 10), put(lambda d: d, "motivation", 11), "motivation: 11"),
    (
        "C16 dice",
        put(lambda d: general(d)["heroism"], "dice", []),
        put(lambda d: general(d)["heroism"], "dice", ["x"]),
        "heroism.dice[0]: 'x'",
    ),
    (
        "C16 twice",
        put(lambda d: general(d)["heroism"], "abilities", ["rage", "link"]),
        put(lambda d: general(d)["heroism"], "abilities", ["rage", "rage"]),
        "heroism.abilities: rage twice",
    ),
    ("C18 game state", lambda d: None, put(unit, "life", 3), "life: unknown field"),
    (
        "C19 a diamond without a moment",
        diamond("turn"),
        lambda d: (diamond("turn")(d), general(d)["strategy"].pop("moment")),
        "strategy.moment: missing",
    ),
    (
        "C19 a star with a moment",
        star(),
        lambda d: (star()(d), general(d)["strategy"].__setitem__("moment", "turn")),
        "strategy.moment: given with a star",
    ),
    ("C19 unknown moment", diamond("kept"), diamond("noon"), "strategy.moment: 'noon'"),
    (
        "C21 flying",
        put(lambda d: general(d)["heroism"], "abilities", ["glide"]),
        put(lambda d: general(d)["heroism"], "abilities", ["flying"]),
        "heroism.abilities[0]: 'flying'",
    ),
    (
        "C21 metamorphosis",
        put(lambda d: general(d)["heroism"], "abilities", ["rage"]),
        put(lambda d: general(d)["heroism"], "abilities", ["metamorphosis"]),
        "heroism.abilities[0]: 'metamorphosis'",
    ),
    (
        "C22 a long name",
        put(unit, "name", "W" * 80),
        put(unit, "name", "W" * 81),
        f"name: '{'W' * 56}...",
    ),
    ("C22 no name", put(unit, "name", "W"), put(unit, "name", ""), "name: ''"),
    ("C22 control characters", put(unit, "name", "Wåçhtær"), put(unit, "name", "W\n"), "name: 'W\\n'"),
    (
        "C22 a long text",
        put(lambda d: general(d)["leadership"], "text", "x" * 2000),
        put(lambda d: general(d)["leadership"], "text", "x" * 2001),
        f"leadership.text: '{'x' * 56}...",
    ),
    ("set_id", put(lambda d: d, "set_id", "my-set-2"), put(lambda d: d, "set_id", "My set"), "set_id: 'My set'"),
    ("schema", put(lambda d: d, "schema", 1), put(lambda d: d, "schema", 2), "schema: 2"),
    ("unknown field", lambda d: None, put(lambda d: d, "colour", "red"), "colour: unknown field"),
    (
        "type_id twice",
        lambda d: None,
        put(unit, "type_id", "dryads"),
        "unit_types: two Units are called dryads",
    ),
    (
        "general_id twice",
        lambda d: None,
        put(lambda d: d["factions"][1]["generals"][0], "general_id", "ykora"),
        "factions: two Generals are called ykora",
    ),
    (
        "faction_id twice",
        lambda d: None,
        put(lambda d: d["factions"][1], "faction_id", "nir"),
        "factions: two factions are called nir",
    ),
]


@pytest.mark.parametrize(("allowed", "refused", "says"), [p[1:] for p in PAIRS], ids=[p[0] for p in PAIRS])
def test_constraint(allowed: Change, refused: Change, says: str) -> None:
    assert wrongs(allowed) == []
    assert says in wrongs(refused)


AT = "leadership.hooks[0].params"
HOOK_PAIRS: list[tuple[str, Change, Change, str]] = [
    (
        "VD-K01 sum",
        lead(hook("recruit", basic=4, elite=3, legendary=1)),
        lead(hook("recruit", basic=4, elite=3, legendary=2)),
        f"{AT}: 9 Units",
    ),
    (
        "VD-K01 cards of a rank",
        lead(hook("recruit", basic=0, elite=6, legendary=2)),
        lead(hook("recruit", basic=1, elite=7, legendary=0)),
        f"{AT}.elite: 7",
    ),
    (
        "VD-K02 order",
        lead(hook("muster", type_id="guardians", min=1, max=1)),
        lead(hook("muster", type_id="guardians", min=2, max=1)),
        f"{AT}: min 2, max 1",
    ),
    (
        "VD-K02 cards",
        lead(hook("muster", type_id="dryads", min=0, max=2)),
        lead(hook("muster", type_id="dryads", min=0, max=3)),
        f"{AT}: min 0, max 3",
    ),
    (
        "VD-K02 C20 own faction",
        lead(hook("muster", type_id="dryads", min=0, max=1)),
        lead(hook("muster", type_id="golem", min=0, max=1)),
        f"{AT}.type_id: 'golem'",
    ),
    (
        "VD-K03",
        lead(hook("general_ranks", ranks=["basic"])),
        lead(hook("general_ranks", ranks=[])),
        f"{AT}.ranks: an empty list",
    ),
    ("VD-K04", lead(hook("scouts", vision=4, stealth=0)), lead(hook("scouts", vision=5, stealth=0)), f"{AT}.vision: 5"),
    ("VD-K05", lead(hook("redeploy", swaps=4)), lead(hook("redeploy", swaps=5)), f"{AT}.swaps: 5"),
    ("VD-K06", lead(hook("initiative", bonus=3)), lead(hook("initiative", bonus=4)), f"{AT}.bonus: 4"),
    ("VD-K07", lead(hook("reserves", cards=3)), lead(hook("reserves", cards=0)), f"{AT}.cards: 0"),
    (
        "VD-K08 ability",
        lead(hook("train", types=["dryads"], ability="rage")),
        lead(hook("train", types=["dryads"], ability="vision")),
        f"{AT}.ability: 'vision'",
    ),
    (
        "VD-K08 types",
        lead(hook("train", types=["dryads"], ability="rage")),
        lead(hook("train", types=[], ability="rage")),
        f"{AT}.types: an empty list",
    ),
    (
        "VD-K09 bonus",
        lead(hook("morale", bonus=2, scope="army")),
        lead(hook("morale", bonus=3, scope="army")),
        f"{AT}.bonus: 3",
    ),
    (
        "VD-K09 moment",
        diamond("turn", hook("morale", bonus=1, scope="army")),
        diamond("kept", hook("morale", bonus=1, scope="army")),
        "strategy.hooks[0].hook: morale at the moment kept",
    ),
    (
        "VD-K10 place",
        star(hook("strike", dice=3, ability="none")),
        diamond("turn", hook("strike", dice=3, ability="none")),
        "strategy.hooks[0].hook: strike in a diamond Strategy",
    ),
    (
        "VD-K10 dice",
        star(hook("strike", dice=0, ability="discord")),
        star(hook("strike", dice=4, ability="discord")),
        "strategy.hooks[0].params.dice: 4",
    ),
    (
        "VD-K11 reach",
        star(hook("mend", lp=3, units=8, reach="self")),
        diamond("turn", hook("mend", lp=3, units=8, reach="self")),
        "strategy.hooks[0].params.reach: self in a diamond Strategy",
    ),
    (
        "VD-K11 units",
        diamond("clean_up", hook("mend", lp=1, units=1, reach="army")),
        diamond("clean_up", hook("mend", lp=1, units=9, reach="army")),
        "strategy.hooks[0].params.units: 9",
    ),
    (
        "VD-K12 moment",
        diamond("draw", hook("draw", cards=3)),
        diamond("turn", hook("draw", cards=3)),
        "strategy.hooks[0].hook: draw at the moment turn",
    ),
    ("VD-K13", star(hook("spy", orders=4)), star(hook("spy", orders=5)), "strategy.hooks[0].params.orders: 5"),
    ("VD-K14", star(hook("reissue", orders=3)), star(hook("reissue", orders=4)), "strategy.hooks[0].params.orders: 4"),
    (
        "VD-K15 place",
        diamond("kept", hook("sabotage", orders=1)),
        lead(hook("sabotage", orders=1)),
        "leadership.hooks[0].hook: sabotage in Leadership",
    ),
    ("VD-K16", star(hook("shift", moves=1)), star(hook("shift", moves=0)), "strategy.hooks[0].params.moves: 0"),
    (
        "C22 many hooks",
        star(*[hook("draw", cards=1)] * 8),
        star(*[hook("draw", cards=1)] * 9),
        "strategy.hooks: 9 hooks",
    ),
    ("C17 unknown hook", lead(), lead(hook("teleport")), "leadership.hooks[0].hook: 'teleport'"),
    (
        "C17 unknown parameter",
        lead(hook("reserves", cards=1)),
        lead(hook("reserves", cards=1, more=2)),
        f"{AT}.more: unknown field",
    ),
    ("C17 missing parameter", lead(hook("reserves", cards=1)), lead(hook("reserves")), f"{AT}.cards: missing"),
    (
        "C20 a pile too small",
        lead(hook("muster", type_id="guardians", min=0, max=0)),
        lead(*(hook("muster", type_id=t, min=0, max=0) for t in ("guardians", "dark-faeries"))),
        "leadership.hooks: 3 basic cards for 5 to deal",
    ),
    (
        "C20 too many mustered",
        lead(hook("muster", type_id="elder-bough", min=1, max=1)),
        lead(*(hook("muster", type_id=t, min=1, max=1) for t in ("elder-bough", "waking-queen"))),
        "leadership.hooks: 2 legendary Units mustered",
    ),
    (
        "C20 nobody for the General",
        lead(hook("recruit", basic=7, elite=0, legendary=1), hook("general_ranks", ranks=["legendary"])),
        lead(hook("recruit", basic=7, elite=0, legendary=1)),
        "leadership.hooks: an army may lack a Unit for the General",
    ),
    (
        "VD-Q72 contradictory hooks",
        lead(hook("general_ranks", ranks=["basic"])),
        lead(hook("general_ranks", ranks=["basic"]), hook("general_ranks", ranks=["elite"])),
        "leadership.hooks: general_ranks twice",
    ),
    (
        "VD-Q72 muster",
        lead(hook("muster", type_id="dryads", min=0, max=1)),
        lead(*[hook("muster", type_id="dryads", min=0, max=1)] * 2),
        "leadership.hooks: muster of dryads twice",
    ),
    (
        "VD-Q72 strike",
        star(hook("strike", dice=1, ability="none")),
        star(*[hook("strike", dice=1, ability="none")] * 2),
        "strategy.hooks: strike twice",
    ),
]


@pytest.mark.parametrize(("allowed", "refused", "says"), [p[1:] for p in HOOK_PAIRS], ids=[p[0] for p in HOOK_PAIRS])
def test_hook(allowed: Change, refused: Change, says: str) -> None:
    assert wrongs(allowed) == []
    assert says in wrongs(refused)


def test_vd_q46_life_below_three_is_advised_against() -> None:
    assert advice(put(unit, "max_lp", 3)) == []
    assert advice(put(unit, "max_lp", 2)) == ["max_lp"]


def test_c5_no_dice_or_more_than_six_are_advised_against() -> None:
    assert advice(put(unit, "dice", ["melee"] * 6)) == []
    assert advice(put(unit, "dice", [])) == advice(put(unit, "dice", ["melee"] * 7)) == ["dice"]


def test_a_defect_names_file_card_field_and_what_is_allowed() -> None:
    data = deepcopy(SOUND)
    unit(data)["rank"] = "rare"
    (defect, *_) = defects_of(data, "mine.json")
    assert str(defect) == "mine.json: nir/guardians: rank: 'rare'; allowed: basic, elite, legendary"


def test_all_defects_are_reported_at_once() -> None:
    data = deepcopy(SOUND)
    data["motivation"] = 9
    unit(data)["dice"] = ["bow"]
    general(data)["leadership"]["hooks"] = [hook("teleport")]
    with pytest.raises(CardSetInvalid) as found:
        load_card_set(msgspec.json.encode(data), "mine.json")
    assert [d.field for d in found.value.defects] == ["motivation", "dice[0]", "leadership.hooks[0].hook"]


@pytest.mark.parametrize("text", [b"", b"{", b"\xff", b"[" * 100_000, b"null", b"[]", b"{}"])
def test_what_is_no_card_set_is_a_defect_not_a_traceback(text: bytes) -> None:
    with pytest.raises(CardSetInvalid):
        load_card_set(text, "x.json")


def paths(data: Json, at: tuple[Json, ...] = ()) -> list[tuple[Json, ...]]:
    """The path of every value in the document."""
    if isinstance(data, dict):
        return [at, *(p for key in data for p in paths(data[key], (*at, key)))]
    if isinstance(data, list):
        return [at, *(p for i, item in enumerate(data) for p in paths(item, (*at, i)))]
    return [at]


EVERY_PATH = paths(SOUND)[1:]
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 20) | st.sampled_from(["", "X", "melee", "mend", "turn"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["hook", "params", "min"]), inner),
    max_leaves=5,
)


@given(st.sampled_from(EVERY_PATH), JUNK)
def test_any_value_anywhere_is_a_defect_or_makes_a_set_that_can_be_read(path: tuple[Json, ...], junk: Json) -> None:
    data = deepcopy(SOUND)
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = junk
    if all(defect.advice for defect in defects_of(data)):
        msgspec.convert(flatten(data), CardSet)


def test_a_match_does_not_start_with_a_card_set_that_has_defects() -> None:
    sound, unsound = Options(cards=SHIPPED), Options(cards=msgspec.structs.replace(SHIPPED, motivation=3))
    assert GAME.spec.start(sound).cards == SHIPPED
    with pytest.raises(msgspec.ValidationError, match="cards: motivation: 3; allowed"):
        GAME.spec.start(unsound)
