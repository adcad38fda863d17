"""The prompt of a Scene (docs/scene.md 4), made from a decision's form: one builder for every game."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeVar

from domain.kernel import AnyForm, Arranging, Asked, Assign, Choice, Formation, Game, One, Open, Pick, Seat, State
from projections.glossary import glossary, reason
from projections.words import why_ended, winners

S = TypeVar("S", bound=State)

Item = Callable[[Any, Asked, str], dict[str, Any]]
"""Label, ref and glyph of an item or slot of a form, by its id."""

More = Callable[[Any, Asked, Choice], dict[str, Any]]
"""An option's fields beside its label: `at`, the refs it touches in the order they are clicked, `from`, `sub`, ..."""

Rank = Callable[[Any, Asked, Choice], int]
"""The position of an option in the list; options of one rank keep the order of the rules."""

Setting = Callable[[Any, Asked], dict[str, Any]]
"""A prompt's fields beside its question: `why`, `phase`, `confirm`, `hint`, and `look` for the prompt's field."""


EMPTY: Final[Mapping[str, str]] = MappingProxyType({})
ALONE: Final = "The rules allow nothing else here."
"""The reason why there is only one answer, if a game gives no other reason."""


class Words:
    """The functions that a prompt needs from a game: question, option and its refs, item, the sentence for others."""

    def __init__(
        self,
        question: Callable[[Any, Asked], str],
        option: Callable[[Any, Asked, Choice], str],
        waiting: Callable[[Any, Asked], str],
        more: More = lambda *_: {},
        item: Item = lambda *words: {"label": words[-1]},
        setting: Setting = lambda *_: {},
        rank: Rank = lambda *_: 0,
        alone: Mapping[str, str] = EMPTY,
    ) -> None:
        """`alone`: why a question has only one answer, by the question's kind or the choice's name."""
        self.question = question
        self.option = option
        self.waiting = waiting
        self.more = more
        self.item = item
        self.setting = setting
        self.rank = rank
        self.alone = alone


def prompt_for(game: Game[S], view: S, viewer: Seat | None, words: Words) -> dict[str, Any]:
    """The prompt for one viewer: the viewer's own decision, else the seats that decide, else the end of the match."""
    if view.result is not None:
        known = glossary(game.name).get(view.result.reason) if view.result.won else None
        why = {"why": known.sentence()} if known else {}
        ask, also = f"{winners(view.players, view.result)}.", why_ended(view.players, view.result)
        won = view.result.won
        seat = viewer if viewer in won else won[0] if won else 0
        return {"id": "over", "seat": seat, "mode": "over", "ask": ask, "also": also, **why, **_won(view, viewer)}
    if view.table.paused:
        return {"id": "paused", "seat": 0, "mode": "none", "ask": "The match is paused."}
    mine = next((asked for asked in view.asked if asked.seat == viewer), None)
    if mine is not None:
        return _own(game, view, mine, words)
    if not view.asked:
        return {
            "id": "none",
            "seat": 0,
            "mode": "none",
            "ask": _before_play(view) if not view.begun else "Please wait.",
        }
    ask = " ".join(dict.fromkeys(words.waiting(view, asked) for asked in view.asked))
    first = view.asked[0]
    return {"id": f"w{first.number}", "seat": first.seat, "mode": "wait", "ask": ask}


def _won(view: State, viewer: Seat | None) -> dict[str, str]:
    """Whether the viewer won, if somebody did."""
    if viewer is None or view.result is None or not view.result.won:
        return {}
    return {"phase": "You won" if viewer in view.result.won else "You lost"}


def _before_play(view: State) -> str:
    """The reason why a match has not begun; `table` names the seat whose share is missing (docs/protocol.md)."""
    if not all(view.players):
        return "The match begins when every seat is taken."
    return "The match begins when every share of chance is revealed."


def _own(game: Game[S], view: S, asked: Asked, words: Words) -> dict[str, Any]:
    decision = game.revive_decision(asked)
    form = decision.form(view)
    prompt: dict[str, Any] = {
        "id": str(asked.number),
        "seat": asked.seat,
        "mode": "you",
        "ask": words.question(view, asked),
        "why": reason(game.name, asked.kind, decision.rule),
        **({"terms": [asked.kind]} if asked.kind in glossary(game.name) else {}),
        "fields": [field_of(view, asked, form, words)],
    }
    if view.sealed:
        prompt["phase"] = "secret, both at once" if len(view.players) == 2 else "secret, all at once"
    elif _is_forced(prompt["fields"][0]):
        prompt["forced"] = True
    if not isinstance(form, One):
        prompt["confirm"] = "Confirm"
    said = words.setting(view, asked)
    if "look" in said:
        prompt["fields"][0]["look"] = said["look"]
    prompt |= {key: value for key, value in said.items() if key != "look"}
    alone = why_alone(form, asked, words)
    return {**prompt, "also": " ".join([*filter(None, [prompt.get("also")]), alone])} if alone else prompt


def why_alone(form: AnyForm, asked: Asked, words: Words) -> str:
    """Why there is only one answer; empty if there are several."""
    if not isinstance(form, One) or isinstance(form, Open) or len(form.choices) != 1:
        return ""
    known = words.alone
    return known.get(type(form.choices[0]).__name__) or known.get(asked.kind) or ALONE


def _is_forced(field: dict[str, Any]) -> bool:
    """Whether there is only one answer, which touches something; a quick refusal would reveal that it was forced."""
    options = field.get("options", ())
    return len(options) == 1 and "at" in options[0] and options[0].get("tone") != "quiet"


def field_of(view: Any, asked: Asked, form: AnyForm, words: Words) -> dict[str, Any]:
    """The field that answers a form; a formation starts with the first legal arrangement instead of an empty one."""
    match form:
        case One(choices):
            ranked = sorted(enumerate(choices), key=lambda each: words.rank(view, asked, each[1]))
            options = [_option(view, asked, i, c, words) for i, c in ranked]
            if isinstance(form, Open):
                options.append(_of_ones_own(view, asked, form, words))
            return {"id": "choice", "type": "one", "options": options}
        case Pick(_, items, least, most, ordered):
            listed = [{"id": item, **words.item(view, asked, item)} for item in items]
            field: dict[str, Any] = {"id": "choice", "type": "many", "items": listed, "min": least, "max": most}
            return {**field, "ordered": True} if ordered else field
        case Assign(_, slots, stock):
            cards = [f"{kind}:{i}" for kind, copies in stock.items() for i in range(copies)]
            return {
                "id": "choice",
                "type": "assign",
                "fill": "slots",
                "dock": "br",
                "items": [{"id": card, **words.item(view, asked, card)} for card in cards],
                "slots": [{"id": slot, **words.item(view, asked, slot)} for slot in slots],
            }
        case Formation(_, allowed, least):
            places = list(dict.fromkeys(place for places in allowed.values() for place in places))
            return {
                "id": "choice",
                "type": "assign",
                "fill": "items",
                "min": least,
                "items": [{"id": piece, **words.item(view, asked, piece)} for piece in allowed],
                "slots": [{"id": place, **words.item(view, asked, place)} for place in places],
                "legal": {piece: list(places) for piece, places in allowed.items()},
                "draft": _first(form),
            }


def _first(form: Formation) -> dict[str, str]:
    """The default at a time-out, which the player may change or confirm."""
    choice = next(iter(form))
    return dict(getattr(choice, choice.__struct_fields__[0]))


def _of_ones_own(view: Any, asked: Asked, form: Open, words: Words) -> dict[str, Any]:
    """The option that is answered with a file: its contents become the only field of the named choice."""
    name, found = form.own.__name__, form.arranging
    own = {"id": "own", "file": {"do": name, "as": form.own.__struct_fields__[0]}, **words.item(view, asked, name)}
    return own if found is None else {**own, "arrange": _arrange(view, asked, found, words)}


def _arrange(view: Any, asked: Asked, found: Arranging, words: Words) -> dict[str, Any]:
    """The pieces to arrange on the table as an alternative to opening a file."""
    places = list(dict.fromkeys(place for places in found.allowed.values() for place in places))
    return {
        "items": [{"id": piece, **words.item(view, asked, piece)} for piece in found.allowed],
        "slots": [{"id": place, **words.item(view, asked, f"slot {place}")} for place in places],
        "legal": {piece: list(allowed) for piece, allowed in found.allowed.items()},
        "draft": dict(found.lie),
    }


def _option(view: Any, asked: Asked, number: int, choice: Choice, words: Words) -> dict[str, Any]:
    return {"id": str(number), "label": words.option(view, asked, choice), **words.more(view, asked, choice)}
