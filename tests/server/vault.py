"""Vault: a game for tests whose every secret is an unmistakable word, used once, and whose rules fail on purpose."""

import secrets
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import (
    HIDDEN,
    NEXT,
    Choice,
    Decision,
    Event,
    Flow,
    Game,
    GameSpec,
    Goto,
    Hidden,
    Nobody,
    One,
    Only,
    Procedure,
    Resolver,
    Seat,
    State,
    ask,
    only,
    step,
)

CANARIES: dict[str, int] = {}
"""Every secret word that was made, with the seat that may know it, -1 for nobody."""
BOTH = (Seat(0), Seat(1))
ROUNDS = 3


def canary(seat: int) -> str:
    """A new secret word."""
    word = f"canary{secrets.token_hex(8)}"
    CANARIES[word] = seat
    return word


class Options(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Nothing to choose."""


class VaultState(State, frozen=True, kw_only=True):
    """The word that each seat holds, and the one in the vault."""

    held: tuple[str | Hidden, str | Hidden] = ("", "")
    locked: str | Hidden = ""
    round: int = 1


class WordDealt(Event, frozen=True):
    """A seat holds a new word."""

    seat: Seat
    word: Annotated[str | Hidden, Only("seat")] = HIDDEN


class VaultLocked(Event, frozen=True):
    """A word lies in the vault."""

    round: int
    word: Annotated[str | Hidden, Nobody()] = HIDDEN


class Whispered(Event, frozen=True):
    """A seat said something that only it knows."""

    seat: Seat
    word: Annotated[str | Hidden, Only("seat")] = HIDDEN


def word_dealt(s: VaultState, e: WordDealt) -> VaultState:
    return replace(s, held=(e.word, s.held[1]) if e.seat == 0 else (s.held[0], e.word))


def vault_locked(s: VaultState, e: VaultLocked) -> VaultState:
    return replace(s, locked=e.word, round=e.round)


class Whisper(Choice, frozen=True):
    """Say the own word."""

    word: str


class Stumble(Choice, frozen=True):
    """Make the rules fail with the secrets in their words."""


class Hold(Decision, frozen=True):
    """VA-02 What to do with the word, secretly."""

    rule = "VA-02"

    def form(self, state: VaultState) -> One:
        word = state.held[self.by]
        return only(() if isinstance(word, Hidden) else (Whisper(word),))

    def resolve(self, r: Resolver[VaultState], choice: Whisper | Stumble) -> Flow:
        if isinstance(choice, Stumble):
            raise RuntimeError(f"stumbled over {r.state.held} and {r.state.locked}")
        r.emit(Whispered(self.by, choice.word))
        return NEXT


class Alone(Hold, frozen=True):
    """VA-03 The same by one seat, which may stumble."""

    rule = "VA-03"

    def form(self, state: VaultState) -> One:
        word = state.held[self.by]
        return only(() if isinstance(word, Hidden) else (Whisper(word), Stumble()))


class Match(Procedure, frozen=True):
    """VA-01 to VA-04."""

    @step("VA-01")
    def deal(self, r: Resolver[VaultState]) -> Flow:
        for seat in BOTH:
            r.emit(WordDealt(seat, canary(seat)))
        r.emit(VaultLocked(r.state.round, canary(-1)))
        return NEXT

    @step("VA-02")
    def together(self, r: Resolver[VaultState]) -> Flow:
        return ask(*(Hold(seat) for seat in BOTH), sealed=True)

    @step("VA-03")
    def alone(self, r: Resolver[VaultState]) -> Flow:
        return ask(Alone(Seat(r.state.round % 2)))

    @step("VA-04")
    def end(self, r: Resolver[VaultState]) -> Flow:
        if r.state.round >= ROUNDS:
            r.end(Seat(0), "all is said", "VA-04")
        r.emit(VaultLocked(r.state.round + 1, canary(-1)))
        return Goto("VA-01")


GAME = Game(
    GameSpec(
        name="vault",
        title="Vault",
        about="Unmistakable secrets.",
        rules="1",
        seats=2,
        options=Options,
        start=lambda _: VaultState(),
        opening=lambda _: Match(),
        events=(WordDealt, VaultLocked, Whispered),
        evolve={WordDealt: word_dealt, VaultLocked: vault_locked, Whispered: lambda s, _: s},
        procedures=(Match,),
        decisions=(Hold, Alone),
        choices=(Whisper, Stumble),
        resample=lambda state, *_: state,
    )
)
