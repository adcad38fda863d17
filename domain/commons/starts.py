"""The start of a position: a procedure of the rules, and the procedures around it, as in a match."""

from collections.abc import Callable, Mapping

import msgspec

from domain.commons.notation import Fields, check_keys, in_words, one_of
from domain.kernel import Frame, Procedure
from domain.kernel.procedure import steps_of
from domain.kernel.state import plain

Starts = Mapping[str, type[Procedure]]
Caller = Callable[[Procedure], tuple[Procedure, str] | None]
"""Gives the caller of a procedure and the step that calls it; None for the outermost procedure."""


def by_name(*procedures: type[Procedure]) -> dict[str, type[Procedure]]:
    """Procedure classes by the names that positions use for them."""
    return {procedure.__name__: procedure for procedure in procedures}


def read_start(starts: Starts, name: object, terms: object, defaults: Fields) -> Procedure:
    """The named procedure with `terms` as its parameters; `defaults` give the parameters that `terms` lack.

    Raises `ValueError`, which names the place and the values allowed.
    """
    kind = starts[one_of("start", name, starts)]
    fields = kind.__struct_fields__
    given = {key: value for key, value in defaults.items() if key in fields} | check_keys("with", terms, fields)
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as wrong:
        place, said = in_words(wrong)
        where = f"with.{place}" if place else "with"
        raise ValueError(f"{where}: {said}; {name} takes {', '.join(fields) or 'nothing'}") from wrong


def frame_after(procedure: Procedure, called: str) -> Frame | None:
    """The frame of a procedure that waits at its step `called`; None if that is the procedure's last step."""
    after = steps_of(type(procedure)).after[called]
    return None if after is None else Frame(type(procedure).__name__, after, plain(procedure))


def frames_around(procedure: Procedure, caller: Caller) -> tuple[Frame, ...]:
    """The frames of the procedures around a procedure, outermost first, as a state's stack holds them."""
    found = caller(procedure)
    if found is None:
        return ()
    outer, step = found
    frame = frame_after(outer, step)
    return (*frames_around(outer, caller), *(() if frame is None else (frame,)))
