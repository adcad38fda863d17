"""Checks chance against the disclosed secrets of a closed match (docs/record.md 4), with its game or without."""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from domain.kernel import ChanceAnchored, DiceRolled, Event, Hidden, MatchCreated, Shuffled
from replay.audit.verify import Verifier, kernel_event
from replay.errors import RecordInvalid
from replay.record import dealt_chance, keychain, sealing
from replay.record.line import RecordLine
from replay.store.log import Keys


def disclosed_event(line: RecordLine, openings: Mapping[int, bytes]) -> Event | None:
    """The kernel's event of a line, with a shuffle's order; None for a game's event. Raises `RecordInvalid`."""
    event = kernel_event(line)
    if not isinstance(event, Shuffled):
        return event
    try:
        return replace(event, order=msgspec.json.decode(openings.get(0, b""), type=tuple[int, ...]))
    except msgspec.MsgspecError as wrong:
        raise RecordInvalid(f"shuffle {event.draw} gave no order: {wrong}") from wrong


def check_disclosed(verifier: Verifier, event: Event | None, secrets: Keys) -> None:
    """Compare an event that was just verified with the event that the secrets give. Raises `RecordInvalid`."""
    draws = verifier.draws
    match event:
        case Shuffled(draw=draw, size=size, order=order):
            if isinstance(order, Hidden) or len(order) != size:
                raise RecordInvalid(f"shuffle {draw} gave {order}", expected=f"{size} places")
            made = draws.order(event, secrets.hid)
            if order != made:
                raise RecordInvalid(f"shuffle {draw} gave {order}", expected=str(made))
        case DiceRolled(dice=dice):
            if dice and draws.dealt is not None:
                draws.check_key(event, secrets.hid)
        case MatchCreated(dealt=dealt):
            _check_commitments(verifier, secrets)
            why = "" if dealt is None else dealt_chance.seed_fault(dealt, secrets.hid)
            if why:
                raise RecordInvalid(why)
        case ChanceAnchored(anchor):
            later = keychain.later_chain(secrets.hid, len(draws.anchors) - 1)
            if anchor != sealing.b64(later.anchor):
                raise RecordInvalid(
                    "the new key chain is not the one that line 1 fixed", expected=sealing.b64(later.anchor)
                )


def _check_commitments(verifier: Verifier, secrets: Keys) -> None:
    draws = verifier.draws
    if keychain.hidden_commitment(sealing.unb64(verifier.match), secrets.hid) != draws.hidden:
        raise RecordInvalid("the key of hidden draws (hid) is not the one committed to in line 1")
    if keychain.KeyChain(secrets.k_n).anchor != draws.anchors[0]:
        raise RecordInvalid("the last key (k_N) does not lead to the anchor in line 1")
