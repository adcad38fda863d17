"""What is made once of a value."""

from domain.commons.identity_cache import MOST, once_of


def test_it_is_made_once_for_each_object() -> None:
    made: list[list[int]] = []
    first, equal = [1], [1]

    def measure(value: list[int]) -> int:
        made.append(value)
        return len(value)

    length = once_of(measure)
    assert [length(first), length(first), length(equal)] == [1, 1, 1]
    assert [id(value) for value in made] == [id(first), id(equal)]


def test_what_is_kept_has_a_bound_and_the_first_stay() -> None:
    made: list[int] = []
    values = [[number] for number in range(2 * MOST)]

    def note(value: list[int]) -> None:
        made.append(value[0])

    number = once_of(note)
    for value in values:
        number(value)
    for value in values[:MOST]:
        number(value)
    assert len(made) == len(values)
