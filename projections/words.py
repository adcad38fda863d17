"""Words that every game needs: lists, parts of a roll, names from class names."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from domain.kernel import Part, Result, State

ROW: Final = re.compile(r" \([A-Z]{2}-\w+\)\.$")
"""The row that a refusal may end with."""
SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def join(words: Sequence[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def count(number: int, one: str, many: str = "") -> str:
    """A number and a noun: "1 die", "3 dice"."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def spaced(name: str) -> str:
    """A class name as words: "OrderIssue" is "order issue"."""
    return re.sub(r"(?<!^)(?=[A-Z])", " ", name).lower()


def sentence(text: str) -> str:
    """The text with a capital and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def signed(value: int) -> str:
    """A number with its sign, with a true minus."""
    return f"+{value}" if value >= 0 else f"−{-value}"


def reasons(parts: Iterable[Part]) -> str:
    """The parts of a number: "4 printed, −1 River (VD-297)"."""
    return ", ".join(_reason(part) for part in parts)


def _reason(part: Part) -> str:
    if part.why == "printed":
        return f"{part.value} printed"
    return " ".join(word for word in (signed(part.value), part.why, f"({part.rule})") if word)


def refusal(why: str, rule: str) -> str:
    """A refusal as a sentence, with the row of the rules behind it unless the sentence names a row itself."""
    return why if not rule or rule in why or ROW.search(why) else f"{why.removesuffix('.')} ({rule})."


def outcome(players: Sequence[str], result: Result) -> str:
    """The end of a match: the winner and the reason, with the rule."""
    return f"{winners(players, result)}: {why_ended(players, result)}"


def winners(players: Sequence[str], result: Result) -> str:
    """The winners of a match, in a sentence without a final stop."""
    names = [players[seat] or f"Seat {seat + 1}" for seat in result.won]
    return f"{join(names)} {'wins' if len(names) == 1 else 'win together'}" if names else "The match is drawn"


def why_ended(players: Sequence[str], result: Result) -> str:
    """Why a match ended in this way, with the rule and the places."""
    reason = result.reason.replace(": ", ", ")
    return f"{reason}{f' ({result.rule})' if result.rule else ''}.{_places(players, result)}"


def _places(players: Sequence[str], result: Result) -> str:
    """The places from the second on, if the match has any; the first is told already."""
    if len(result.places) < (2 if result.won else 1):
        return ""
    start = 2 if result.won else 1
    rest = result.places[start - 1 :]
    told = [
        f"{n}. {join([players[seat] or f'Seat {seat + 1}' for seat in place])}" for n, place in enumerate(rest, start)
    ]
    return f" Places: {', '.join(told)}."


def player(view: State, seat: int | None) -> str:
    """A seat's name."""
    if seat is None:
        return "the referee"
    names = view.players
    return (names[seat] if seat < len(names) else "") or f"Seat {seat + 1}"
