"""The messages about rematches; part of `server.wire.protocol`."""

from server.wire.words import In, Out


class Again(In, frozen=True, tag="again"):
    """This seat would like to play the ended match again, with sides changed; `on` false: it no longer would.

    All holders of seats are informed by `rematch`. When every person with a seat wants a rematch, a match with the same
    options begins, and each person is sent the new seat. A wish holds while its seat is connected.
    """

    on: bool = True


class Rematch(Out, frozen=True, tag="rematch"):
    """The seats that would like to play again. Once all would: the new `match`, and the receiver's `seat` and `token`
    there.
    """

    asked: tuple[int, ...]
    match: str = ""
    seat: int = 0
    token: str = ""

    def __repr__(self) -> str:
        return f"Rematch({self.asked}, {self.match})"
