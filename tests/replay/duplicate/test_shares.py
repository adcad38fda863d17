"""An event whose deal nobody could choose: called with its seed fixed, dealt with shares of chance that came later."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.kernel import DiceRolled
from replay.duplicate import bundle, manifest
from replay.duplicate.errors import EventInvalid
from replay.duplicate.manifest import Announced, ChanceShare, Manifest
from replay.duplicate.verifying import EventReport, verify
from replay.record.referee import read_event
from replay.record.serverkey import KeyRing, ServerKey
from tests.replay.duplicate.events import Event
from tests.skirmish.game import GAME

SHARES = ("0af3", "7 12 33")


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> ServerKey:
    return KeyRing(tmp_path_factory.mktemp("keys")).current


@pytest.fixture(scope="module")
def event(key: ServerKey) -> Event:
    return Event(key, tables=2, shares=SHARES).played()


def told(data: bytes, call: Announced | None = None) -> EventReport:
    return verify(bundle.read(data), {GAME.name: GAME}, call=call)


def dealt(event: Event, announced: Announced) -> list[tuple[int, ...]]:
    """The dice of its first table by another manifest, the seed and the choices being the same."""
    again = object.__new__(Event)
    again.__dict__ = {**event.__dict__, "announced": announced, "store": type(event.store)()}
    again.play(0)
    events = (read_event(GAME, line) for line in again.store.read(announced.manifest.tables[0].match))
    return [one.dice for one in events if isinstance(one, DiceRolled)]


def test_an_event_holds_with_its_call_and_says_what_nobody_can_tell(event: Event) -> None:
    report = told(event.closed(), event.call)
    assert report.ok, report
    assert report.shares == {"draw 0": SHARES[0], "draw 1": SHARES[1]}
    unproven = "; ".join(report.unproven)
    assert "its maker's word" not in unproven
    assert "name the call" not in unproven
    assert "nobody knew the deal" in unproven
    assert "the last came from nobody who knew the seed" in unproven


def test_without_its_call_nobody_can_tell_what_was_fixed_before_the_shares(event: Event) -> None:
    report = told(event.closed())
    assert report.ok
    assert any("name the call to compare" in one for one in report.unproven)


def test_by_other_shares_the_same_seed_deals_otherwise(event: Event) -> None:
    def by(*shares: str) -> list[tuple[int, ...]]:
        said = manifest.with_shares(event.call.manifest, [(f"draw {n}", one) for n, one in enumerate(shares)])
        return dealt(event, manifest.announce(said, event.key.stamp))

    found = by(*SHARES)
    assert found
    assert by(*SHARES) == found
    for shares in (("0af4", SHARES[1]), (SHARES[0], "7 12 34"), SHARES[::-1]):
        assert by(*shares) != found


Change = Callable[[Manifest], Manifest]
CHANGES: dict[str, Change] = {
    "a title": lambda said: replace(said, title="Cup "),
    "a moment": lambda said: replace(said, created_ms=said.created_ms + 1),
    "tables in another order": lambda said: replace(said, tables=said.tables[::-1]),
    "a share more": lambda said: replace(said, shares=(*said.shares, ChanceShare("mine", "1"))),
    "a share less": lambda said: replace(said, shares=said.shares[:1]),
    "shares in another order": lambda said: replace(said, shares=said.shares[::-1]),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_was_changed_once_the_shares_were_known_is_found(event: Event, change: Change) -> None:
    other = manifest.announce(change(event.manifest), event.key.stamp)
    assert not manifest.becomes(event.call, other)
    report = told(event.closed(other), event.call)
    assert "the call is not the one that this event was dealt from" in report.faults


@pytest.mark.parametrize("write", [lambda said: msgspec.json.format(said, indent=1), lambda said: said + b" "])
def test_the_same_manifest_written_otherwise_is_another_deal_and_is_found(
    event: Event, write: Callable[[bytes], bytes]
) -> None:
    text = write(event.announced.signed.text.encode()).decode()
    other = manifest.read(manifest.write(Announced(event.manifest, manifest.sign(text, event.key.stamp))))
    assert other.manifest == event.manifest
    assert other.event != event.announced.event
    assert not manifest.becomes(event.call, other)


def test_a_call_that_somebody_else_has_signed_is_not_the_events(event: Event, tmp_path_factory: Any) -> None:
    strange = KeyRing(tmp_path_factory.mktemp("strange")).current
    assert manifest.becomes(event.call, event.announced)
    assert not manifest.becomes(manifest.announce(event.call.manifest, strange.stamp), event.announced)


def test_an_event_that_was_dealt_without_its_shares_is_found(key: ServerKey) -> None:
    early = Event(key, tables=2, shares=SHARES)
    early.announced = early.call
    report = told(early.played().closed(), early.call)
    assert "it was dealt before the shares that were called for were there" in report.faults


@pytest.mark.parametrize(
    "given",
    [
        [("draw 0", "1")],
        [("draw 0", "1"), ("draw 1", "")],
        [("draw 0", "1"), ("draw 1", "2"), ("draw 1", "3")],
        [("draw 0", "1"), ("draw 1", "2"), ("mine", "3")],
        [("draw 0", "1"), ("draw 1", "2" * 1001)],
    ],
)
def test_each_share_is_given_once_and_no_other(event: Event, given: list[tuple[str, str]]) -> None:
    with pytest.raises(EventInvalid, match="share"):
        manifest.with_shares(event.call.manifest, given)


@pytest.mark.parametrize("change", [{"version": 1}, {"shares": [{"of": "a"}, {"of": "a"}]}, {"shares": [{"of": ""}]}])
def test_a_manifest_whose_shares_do_not_fit_is_refused(event: Event, change: dict[str, Any]) -> None:
    other = event.announced_again(lambda said: {**said, **change})
    with pytest.raises(EventInvalid):
        manifest.read(manifest.write(other))


def test_an_event_without_shares_is_written_as_ever(key: ServerKey) -> None:
    text = msgspec.json.decode(Event(key).announced.signed.text)
    assert list(text) == ["version", "title", "game", "rules", "options", "time", "seed", "tables", "created_ms"]
    assert text["version"] == 1
