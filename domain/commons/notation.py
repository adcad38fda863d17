"""The words of positions (docs/scenarios.md): keys that are allowed, names that are known, lists of cards.

Every function here raises `ValueError` with the place, the value found there, and the values allowed.
"""

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec

from domain.commons.cards import unnamed
from domain.kernel import Hidden

Fields = dict[str, Any]
T = TypeVar("T")

REST: Final = "..."
"""In a list of cards: all cards that are named nowhere else."""
UNKNOWN: Final = "?"
"""The text that stands for a hidden value."""
FILL: Final = "fill"
"""The key of a side for the contents of all spaces that are not named."""
COPIES_LIMIT: Final = 1000
"""The most copies of one card that a list may ask for."""
_PLACE: Final = re.compile(r" - at `(?P<place>[^`]*)`$")
_WORDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}


def one_of(place: str, word: object, allowed: Iterable[str]) -> str:
    """The word, if it is allowed."""
    listed = [str(each) for each in allowed]
    if isinstance(word, str) and word in listed:
        return word
    likely = difflib.get_close_matches(str(word), listed, n=1)
    told = f"did you mean {likely[0]!r}?" if likely else f"allowed: {', '.join(listed)}"
    raise ValueError(f"{place}: {word!r} is not known here; {told}")


def check_keys(place: str, given: object, allowed: Iterable[str]) -> Fields:
    """A table that has only allowed keys."""
    if not isinstance(given, dict):
        raise ValueError(f"{place}: a table is needed, not {given!r}")
    for key in given:
        one_of(place, key, allowed)
    return given


def tables(place: str, given: object) -> dict[str, Fields]:
    """Tables by name, such as a position's own cards."""
    if not isinstance(given, dict) or not all(isinstance(table, dict) for table in given.values()):
        raise ValueError(f"{place}: tables by name are needed, not {given!r}")
    return given


def convert(place: str, value: object, kind: type[T]) -> T:
    """The value converted to the type."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as wrong:
        inner, said = in_words(wrong)
        raise ValueError(f"{place}.{inner}: {said}" if inner else f"{place}: {said}") from wrong


def in_words(wrong: msgspec.ValidationError) -> tuple[str, str]:
    """The place of a fault in plain data, as an author writes it (`when 2.seat`), and the fault, without quotes."""
    message = str(wrong)
    found = _PLACE.search(message)
    path = re.sub(r"^(\$|key in \$)\.?", "", found["place"]) if found else ""
    place = re.sub(r"\[(\d+)\]", lambda m: f" {int(m[1]) + 1}", path).replace("[...]", "").strip(" .")
    said = _PLACE.sub("", message)
    said = re.sub(r"^Object contains unknown field `(.*)`$", r"the key `\1` is not known", said)
    said = re.sub(r"^Object missing required field `(.*)`$", r"the key `\1` is missing", said)
    said = re.sub(r"^Invalid enum value '(.*)'$", r"'\1' is not known here", said)
    said = re.sub(
        r"^Expected `array` of (?:at least|at most )?length (.*), got (.*)$", r"a list of \1 is needed, not \2", said
    )
    said = re.sub(r"^Expected `str` matching regex '(.*)'$", r"a text of the form \1 is needed", said)
    said = re.sub(r"^Expected `str` of length (.*)$", r"a text of length \1 is needed", said)
    said = re.sub(r"^Expected `(?:array|object)` of length (.*)$", r"\1 entries are needed", said)
    said = re.sub(r"^Invalid value (.*)$", r"\1 is not known here", said)
    said = re.sub(r"^Expected `(\w+)`$", lambda m: f"{_WORDS.get(m[1], m[1])} is needed", said)
    bound = re.match(r"^Expected `(int|float)` (<=|>=|<|>) (.*)$", said)
    if bound is not None:
        return place, f"{_WORDS[bound[1]]} {bound[2]} {bound[3]} is needed"
    types = re.match(r"^Expected `([^`]*)`, got `([^`]*)`$", said)
    if types is not None:
        wanted, got = (
            " or ".join(_WORDS.get(t.strip(), t.strip()) for t in each.split("|")) for each in types.groups()
        )
        said = f"{wanted} is needed, not {got}"
    return place, said


def words_of(place: str, given: object) -> list[str]:
    """The words of a text, or a list of words."""
    if isinstance(given, str):
        return given.replace(",", " ").split()
    if isinstance(given, list) and all(isinstance(word, str) for word in given):
        return given
    raise ValueError(f"{place}: a text or a list of words is needed, not {given!r}")


def read_list(place: str, given: object, read: Callable[[str], T]) -> tuple[T, ...]:
    """A list of cards such as `["2 attack", "tactic"]`, or the same in a text with commas."""
    found: list[T] = []
    for item in _items(place, given):
        if not isinstance(item, str):
            raise ValueError(f"{place}: a card's name is needed, not {item!r}")
        number, _, name = item.partition(" ")
        if number.isdecimal() and name:
            if len(number) > len(str(COPIES_LIMIT)) or int(number) > COPIES_LIMIT:
                raise ValueError(f"{place}: at most {COPIES_LIMIT} of one card, not {number[:12]}")
            found += [read(name)] * int(number)
        elif item:
            found.append(read(item))
    return tuple(found)


def _items(place: str, given: object) -> list[Any]:
    items = [item.strip() for item in given.split(",")] if isinstance(given, str) else given
    if not isinstance(items, list):
        raise ValueError(f"{place}: a list of cards is needed, not {given!r}")
    return items


def read_lists(
    place: str, given: Mapping[str, object], read: Callable[[str], T], all_cards: Mapping[T, int], *others: Iterable[T]
) -> dict[str, tuple[T, ...]]:
    """Several lists of the same cards by name, such as hand, pile and deck.

    `"..."` in one of the lists stands for all cards that are neither in a list nor in `others`.
    """
    parts = {name: _split(f"{place}.{name}", cards, read) for name, cards in given.items()}
    named = [cards for before, _, after in parts.values() for cards in (before, after)]
    try:
        rest = unnamed(all_cards, *named, *others)
    except ValueError as wrong:
        raise ValueError(f"{place}: {wrong}") from wrong
    if sum(rests for _, rests, _ in parts.values()) > 1:
        raise ValueError(f"{place}: {REST!r} stands in one of {', '.join(given)} only")
    return {name: (*before, *rest * rests, *after) for name, (before, rests, after) in parts.items()}


def _split(place: str, given: object, read: Callable[[str], T]) -> tuple[tuple[T, ...], int, tuple[T, ...]]:
    """The cards before `"..."`, the number of times it occurs, and the cards after it."""
    items = _items(place, given)
    if REST not in items:
        return read_list(place, items, read), 0, ()
    at = items.index(REST)
    return read_list(place, items[:at], read), 1, read_list(place, items[at + 1 :], read)


def texts_in(value: object) -> frozenset[str]:
    """Every text in a struct, including keys: the ids and names of a card set, which any position may use."""
    return frozenset(_texts(msgspec.to_builtins(value, str_keys=True)))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from _texts(inner)
    elif isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from _texts(inner)


def write_list(cards: Sequence[str] | Hidden) -> list[str]:
    """A list in the same notation; copies of a card that follow each other are counted."""
    if isinstance(cards, Hidden):
        return [UNKNOWN]
    runs: list[tuple[int, str]] = []
    for card in map(str, cards):
        if runs and runs[-1][1] == card:
            runs[-1] = (runs[-1][0] + 1, card)
        else:
            runs.append((1, card))
    return [card if number == 1 else f"{number} {card}" for number, card in runs]
