"""The staff's log: chained, never changed, and what holds a person back follows from it alone."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from msgspec.structs import replace

from replay.store.side_tables.moderation import LogRow
from server.moderation.errors import SafetyRefused
from server.moderation.moderators import DAY_MS
from server.moderation.staff_log import GENESIS, HOST, entry_hash
from tests.server.moderation.club import Club


def test_each_entry_names_the_one_before_and_every_change_is_found() -> None:
    club = Club("Anja", "Bo")
    for act in ("warn", "mute", "lift"):
        club.moderators.act(HOST, "p/Bo", act, "He shouted.")
    rows = club.store.moderation.entries()
    assert [row.n for row in rows] == [1, 2, 3]
    assert rows[0].hash == entry_hash(GENESIS, rows[0])
    assert rows[2].hash == entry_hash(rows[1].hash, rows[2])
    assert club.log.fault() == 0
    changes: tuple[dict[str, Any], ...] = ({"why": "x"}, {"act": "ban"}, {"until": 5}, {"about": ""}, {"at": 2})
    for change in (*changes, {"author": ""}):
        assert fault_of(club, [rows[0], replace(rows[1], **change), rows[2]]) == 2
    assert fault_of(club, [rows[0], rows[2]]) == 2
    assert fault_of(club, rows) == 0


def fault_of(club: Club, rows: list[LogRow]) -> int:
    """The first entry of a log that was rewritten so which does not follow from the one before."""

    def entries(after: int = 0, limit: int = 1 << 31) -> list[LogRow]:
        return rows[after : after + limit]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(club.store.moderation, "entries", entries)
        return club.log.fault()


def test_entries_written_at_once_make_one_chain() -> None:
    club = Club("Bo")
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: club.log.append(HOST, "p/Bo", "warn", f"For {n}."), range(12)))
    assert (club.log.fault(), len(club.store.moderation.entries())) == (0, 12)


def test_a_sanction_holds_until_its_time_or_until_it_is_lifted() -> None:
    club = Club("Bo")
    club.moderators.act(HOST, "p/Bo", "mute", "He shouted.", days=1)
    assert (club.log.is_muted("p/Bo"), club.log.shut_out("p/Bo")) == (True, None)
    club.at += DAY_MS - 1
    assert club.log.is_muted("p/Bo")
    club.at += 1
    assert not club.log.is_muted("p/Bo")
    club.moderators.act(HOST, "p/Bo", "ban", "Again.")
    club.at += 10_000 * DAY_MS
    held = club.log.shut_out("p/Bo")
    assert held is not None
    assert (held.act, held.until, held.why) == ("ban", 0, "Again.")
    club.moderators.act(HOST, "p/Bo", "lift", "Spoken with.")
    assert club.log.in_force("p/Bo") == []


def test_the_staff_is_whom_the_host_appoints_and_does_nothing_about_its_own() -> None:
    club = Club("Anja", "Bo", "Cem")
    with pytest.raises(SafetyRefused, match="for the staff"):
        club.moderators.act("p/Anja", "p/Bo", "warn", "x")
    for staff in ("p/Anja", "p/Cem"):
        club.moderators.act(HOST, staff, "appoint", "Asked to help.")
    assert club.moderators.act("p/Anja", "p/Bo", "warn", "x").n == 3
    for about in ("p/Anja", "p/Cem"):
        with pytest.raises(SafetyRefused, match="nothing about its own"):
            club.moderators.act("p/Anja", about, "lift", "x")
    with pytest.raises(SafetyRefused, match="host alone"):
        club.moderators.act("p/Anja", "p/Bo", "appoint", "x")
    club.moderators.act(HOST, "p/Anja", "dismiss", "Moved away.")
    assert not club.log.is_staff("p/Anja")
    club.moderators.act(HOST, "p/Cem", "ban", "x")
    assert not club.log.is_staff("p/Cem")


def test_an_act_has_a_reason_without_a_handle_and_a_length_that_can_be() -> None:
    club = Club("Wilhelmina")
    for why in ("", "x" * 501):
        with pytest.raises(SafetyRefused, match="reason of 1 to 500"):
            club.moderators.act(HOST, "p/Wilhelmina", "warn", why)
    for why in ("wilhelmina shouted", "W\u0456lhelmina again"):
        with pytest.raises(SafetyRefused, match="no handle"):
            club.moderators.act(HOST, "p/Wilhelmina", "warn", why)
    for days in (0, 3_651):
        with pytest.raises(SafetyRefused, match="1 to 3650 days"):
            club.moderators.act(HOST, "p/Wilhelmina", "suspend", "x", days=days)
    assert club.moderators.act(HOST, "p/Wilhelmina", "suspend", "x", days=3_650).until > club.at
    with pytest.raises(SafetyRefused, match="no such report"):
        club.moderators.act(HOST, "", "settle", "x", report="00")


def test_a_person_who_is_deleted_takes_the_link_along_and_the_log_stays_whole() -> None:
    club = Club("Bo")
    club.moderators.act(HOST, "p/Bo", "ban", "He shouted.")
    name = club.store.moderation.known_name("p/Bo")
    assert club.store.moderation.person_of(name) == "p/Bo"
    club.store.moderation.forget("p/Bo")
    assert (club.log.fault(), club.store.moderation.person_of(name)) == (0, "")
    assert club.store.moderation.entries()[0].about == name
    assert club.log.in_force("p/Bo") == []
