"""The forms of a decision: its legal choices, stated once.

Every form lists its choices lazily, counts them, samples one, checks one, and reads an answer from the browser
(scene.md 4). Legality is stated nowhere else: the server checks with the form, the view sends it, and bots sample it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, permutations
from math import comb, perm
from typing import Protocol, TypeVar

from msgspec import Struct

Below = Callable[[int], int]
"""`below(n)` gives a random number from 0 to n - 1, all equally likely."""

T = TypeVar("T")


def shuffled(items: Iterable[T], below: Below) -> list[T]:
    """The items in random order (Fisher and Yates)."""
    left = list(items)
    for i in range(len(left) - 1, 0, -1):
        j = below(i + 1)
        left[i], left[j] = left[j], left[i]
    return left


Pairs = tuple[tuple[str, str], ...]
"""(piece, place) pairs."""

Answer = str | int | list[str] | dict[str, str]
"""A person's answer: an option's id, a list of item ids, or slot ids by item id."""


class Choice(Struct, frozen=True, tag=True, tag_field="do"):
    """One possible answer to a decision; an imperative."""


class Form(Protocol):
    """The legal choices of a decision."""

    def __iter__(self) -> Iterator[Choice]:
        """Every legal choice, lazily."""
        ...

    def count(self) -> int:
        """How many legal choices there are."""
        ...

    def sample(self, below: Below) -> Choice:
        """One legal choice at random."""
        ...

    def check(self, choice: Choice) -> str:
        """The reason why the choice is not legal, a sentence; empty if it is legal."""
        ...

    def read(self, answer: Answer) -> Choice | None:
        """The choice that a person's answer means; None if it means no choice."""
        ...


def numbered(answer: Answer) -> int | None:
    """An option's number, given as a number or as text as a prompt writes it; None for any other spelling."""
    if isinstance(answer, str):
        is_written = answer.isascii() and answer.isdecimal() and len(answer) < 9 and str(int(answer)) == answer
        return int(answer) if is_written else None
    return answer if isinstance(answer, int) and not isinstance(answer, bool) else None


class One(Struct, frozen=True):
    """One choice out of a list. Its answer is the option's number, from 0."""

    choices: tuple[Choice, ...]

    def __iter__(self) -> Iterator[Choice]:
        return iter(self.choices)

    def count(self) -> int:
        """How many options there are."""
        return len(self.choices)

    def sample(self, below: Below) -> Choice:
        """A random option, all equally likely."""
        return self.choices[below(len(self.choices))]

    def check(self, choice: Choice) -> str:
        """Whether the choice is listed."""
        return "" if choice in self.choices else "It is not among the options."

    def read(self, answer: Answer) -> Choice | None:
        """An option by its number."""
        number = numbered(answer)
        return self.choices[number] if number is not None and 0 <= number < len(self.choices) else None


class Arranging(Struct, frozen=True):
    """Pieces that have places and may be put elsewhere, one on each place.

    `allowed` maps each piece to its possible places, `lie` maps it to its present place. `make` builds a choice from
    the new place of each piece; the rule that receives the choice decides whether it is legal.
    """

    make: Callable[[Mapping[str, str]], Choice]
    allowed: Mapping[str, tuple[str, ...]]
    lie: Mapping[str, str]

    def read(self, answer: Mapping[str, str]) -> Choice | None:
        """A choice that places every piece and nothing else; None for any other answer."""
        if set(answer) != set(self.allowed) or len(set(answer.values())) < len(answer):
            return None
        there = all(place in self.allowed[piece] for piece, place in answer.items())
        return self.make(answer) if there else None


class Open(One, frozen=True):
    """One choice from a list, or a choice of the player's own that no list can hold, such as an army from a file.

    `own` is the class of the player's own choice, a struct with one field; `wrong` says why such a choice is not legal,
    and is empty if it is legal. Only the listed choices are counted and sampled. A person's answer holds the player's
    own choice itself, or places by pieces if there is something to arrange.
    """

    own: type[Choice]
    wrong: Callable[[Choice], str]
    arranging: Arranging | None = None

    def read(self, answer: Answer) -> Choice | None:
        """A listed choice by its number, the player's own choice, or an arranged one."""
        if isinstance(answer, dict):
            return None if self.arranging is None else self.arranging.read(answer)
        return One.read(self, answer)

    def check(self, choice: Choice) -> str:
        """Whether the choice is listed, or is a legal choice of the player's own."""
        return self.wrong(choice) if type(choice) is self.own else One.check(self, choice)


def _items(choice: Choice) -> tuple[object, ...] | None:
    value = getattr(choice, choice.__struct_fields__[0]) if choice.__struct_fields__ else None
    return value if isinstance(value, tuple) else None


class Pick(Struct, frozen=True):
    """`least` to `most` different items from a list; if `ordered`, their order counts.

    `make` builds the choice, a struct whose first field is the tuple of items.
    """

    make: Callable[[tuple[str, ...]], Choice]
    items: tuple[str, ...]
    least: int
    most: int
    ordered: bool = False

    def __iter__(self) -> Iterator[Choice]:
        for size in range(self.least, self.most + 1):
            for picked in permutations(self.items, size) if self.ordered else combinations(self.items, size):
                yield self.make(picked)

    def count(self) -> int:
        """The number of sets, or of sequences if ordered."""
        number = perm if self.ordered else comb
        return sum(number(len(self.items), size) for size in range(self.least, self.most + 1))

    def sample(self, below: Below) -> Choice:
        """A random size, all equally likely, then random items."""
        size = self.least + below(self.most - self.least + 1)
        left = list(self.items)
        picked = [left.pop(below(len(left))) for _ in range(size)]
        return self.make(tuple(picked) if self.ordered else tuple(item for item in self.items if item in picked))

    def check(self, choice: Choice) -> str:
        """Whether the items are listed, different, and as many as allowed."""
        items = _items(choice)
        if items is None or type(choice) is not type(self.make(())):
            return "It is not a selection."
        if len(set(items)) != len(items):
            return "An item is named twice."
        if not set(items) <= set(self.items):
            return "An item is not among those offered."
        if not self.least <= len(items) <= self.most:
            return f"Choose {_span(self.least, self.most)}."
        return "" if self.ordered or list(items) == [i for i in self.items if i in items] else "Name them in order."

    def read(self, answer: Answer) -> Choice | None:
        """A list of item ids, in any order unless the order matters."""
        if not isinstance(answer, list):
            return None
        unlisted = tuple(item for item in answer if item not in self.items)
        named = tuple(answer) if self.ordered else tuple(i for i in self.items for a in answer if a == i) + unlisted
        return self.make(named)


def _span(least: int, most: int) -> str:
    return f"exactly {least}" if least == most else f"{least} to {most}"


class Assign(Struct, frozen=True):
    """An item from a stock on every slot; each item is used at most as often as the stock has it.

    `stock` gives the number of each item. `make` builds the choice, a struct whose first field is the tuple of items in
    the order of the slots. In a person's answer the k-th copy of an item is called `item:k`, from 0.
    """

    make: Callable[[tuple[str, ...]], Choice]
    slots: tuple[str, ...]
    stock: Mapping[str, int]

    def __iter__(self) -> Iterator[Choice]:
        yield from (self.make(tuple(placed)) for placed in self._extend([], dict(self.stock)))

    def _extend(self, placed: list[str], left: dict[str, int]) -> Iterator[list[str]]:
        if len(placed) == len(self.slots):
            yield placed
            return
        for item in left:
            if left[item]:
                yield from self._extend([*placed, item], {**left, item: left[item] - 1})

    def count(self) -> int:
        """The number of different arrangements of the stock on the slots."""
        ways = [1] + [0] * len(self.slots)  # ways[k]: coefficient k of the exponential generating function, times k!
        for copies in self.stock.values():
            grown = [0] * len(ways)
            for have, number in enumerate(ways):
                for more in range(min(copies, len(self.slots) - have) + 1):
                    grown[have + more] += number * comb(have + more, more)
            ways = grown
        return ways[len(self.slots)]

    def sample(self, below: Below) -> Choice:
        """The stock shuffled, dealt to the slots."""
        left = [item for item, copies in self.stock.items() for _ in range(copies)]
        return self.make(tuple(left.pop(below(len(left))) for _ in self.slots))

    def check(self, choice: Choice) -> str:
        """Whether every slot is filled and no item is used more often than the stock has it."""
        items = _items(choice)
        if items is None or type(choice) is not type(self.make(())):
            return "It is not an assignment."
        if len(items) != len(self.slots):
            return f"Fill every place: {len(self.slots)} are needed."
        short = [item for item in set(items) if items.count(item) > self.stock.get(str(item), 0)]
        return f"There are not enough: {', '.join(sorted(map(str, short)))}." if short else ""

    def read(self, answer: Answer) -> Choice | None:
        """Item ids (`item:k`) to slot ids."""
        if not isinstance(answer, dict):
            return None
        by_slot = {slot: item.partition(":")[0] for item, slot in answer.items()}
        copies = {f"{item}:{copy}" for item in set(by_slot.values()) for copy in range(self.stock.get(item, 0))}
        if len(by_slot) != len(answer) or not set(by_slot) <= set(self.slots) or not set(answer) <= copies:
            return None
        return self.make(tuple(by_slot[slot] for slot in self.slots if slot in by_slot))


class Formation(Struct, frozen=True):
    """Different pieces on different places, each piece only where it is allowed; at least `least` pieces are placed.

    `allowed` maps each piece to its places. `make` builds the choice, a struct whose first field is the tuple of
    (piece, place) pairs in the order of `allowed`.
    """

    make: Callable[[Pairs], Choice]
    allowed: Mapping[str, tuple[str, ...]]
    least: int

    def __iter__(self) -> Iterator[Choice]:
        yield from (self.make(pairs) for pairs in self._extend((), tuple(self.allowed)))

    def _extend(self, pairs: Pairs, left: tuple[str, ...]) -> Iterator[Pairs]:
        if len(pairs) + self._fillable(pairs, left) < self.least:
            return
        if not left:
            yield pairs
            return
        taken = {place for _, place in pairs}
        for place in self.allowed[left[0]]:
            if place not in taken:
                yield from self._extend((*pairs, (left[0], place)), left[1:])
        yield from self._extend(pairs, left[1:])

    def _fillable(self, pairs: Pairs, left: tuple[str, ...]) -> int:
        """How many of the pieces left can still find a place: a maximum matching by augmenting paths (Kuhn 1955)."""
        taken = {place for _, place in pairs}
        holder: dict[str, str] = {}

        def settle(piece: str, tried: set[str]) -> bool:
            for place in self.allowed[piece]:
                if place in taken or place in tried:
                    continue
                tried.add(place)
                if place not in holder or settle(holder[place], tried):
                    holder[place] = piece
                    return True
            return False

        return sum(settle(piece, set()) for piece in left)

    def count(self) -> int:
        """The number of legal formations, by enumeration."""
        return sum(1 for _ in self)

    def sample(self, below: Below) -> Choice:
        """A legal formation found by a random walk that never enters a dead end."""
        pairs: Pairs = ()
        for number in range(len(self.allowed)):
            steps = self.onward(pairs, number)
            pairs = steps[below(len(steps))]
        return self.make(pairs)

    def onward(self, pairs: Pairs, number: int) -> list[Pairs]:
        """The extensions of `pairs` (the pieces before `number`) by piece `number`: on each place, then left out.

        Each of them leads to a legal formation.
        """
        piece, *rest = tuple(self.allowed)[number:]
        taken = {place for _, place in pairs}
        steps = [(*pairs, (piece, place)) for place in self.allowed[piece] if place not in taken] + [pairs]
        return [step for step in steps if len(step) + self._fillable(step, tuple(rest)) >= self.least]

    def check(self, choice: Choice) -> str:
        """Whether enough known pieces are on allowed places, with no piece or place used twice."""
        pairs = _items(choice)
        if pairs is None or type(choice) is not type(self.make(())):
            return "It is not a formation."
        placed = [pair for pair in pairs if isinstance(pair, tuple) and len(pair) == 2]
        if len(placed) != len(pairs) or any(place not in self.allowed.get(piece, ()) for piece, place in placed):
            return "A piece cannot stand there."
        pieces = [piece for piece, _ in placed]
        if len(set(pieces)) < len(placed) or len({place for _, place in placed}) < len(placed):
            return "A piece or a place is named twice."
        if [p for p in self.allowed if p in pieces] != pieces:
            return "Name the pieces in order."
        return "" if len(placed) >= self.least else f"Place at least {self.least}."

    def read(self, answer: Answer) -> Choice | None:
        """Piece ids to place ids."""
        if not isinstance(answer, dict):
            return None
        known = tuple((piece, answer[piece]) for piece in self.allowed if piece in answer)
        return self.make(known) if len(known) == len(answer) else None


def only(choices: Iterator[Choice] | tuple[Choice, ...]) -> One:
    """A list of options as a form."""
    return One(tuple(choices))


AnyForm = One | Open | Pick | Assign | Formation
"""The closed union of forms."""
