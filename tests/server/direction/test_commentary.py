"""A commentary lies beside its match, never in the record; it is bounded, and nobody hears it before the end."""

import base64
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from server.direction.commentary import TRACKS, WEBM, Commentaries
from server.direction.errors import CommentaryRefused
from server.wire.direction_messages import Direction, Kept, Remark, Voice
from server.wire.protocol import Error
from tests.server.direction.directors import entered, leave
from tests.server.pages.serving import get
from tests.server.tabletop import Table, live, play_out, table

MATCH = "A" * 22
SAID = Remark("talk-one", 1500, 3, "Now it\u202e begins", Direction(line=3))


def voice(at: int, data: bytes, track: str = "talk-one") -> Voice:
    """A part of a sound."""
    return Voice(track, at, base64.urlsafe_b64encode(data).decode().rstrip("="))


def test_what_was_said_is_read_again_with_its_time_and_line(tmp_path: Path) -> None:
    kept = Commentaries(tmp_path / "talks")
    kept.remark(MATCH, "Cato", SAID)
    kept.remark(MATCH, "Cato", replace(SAID, ms=2500, line=5, text="", direction=None))
    assert kept.voice(MATCH, "Cato", voice(0, WEBM + b"one")) == 7
    (track,) = Commentaries(tmp_path / "talks").tracks(MATCH)
    assert (track.track, track.by, track.sound) == ("talk-one", "Cato", 7)
    assert [(said.ms, said.line, said.text) for said in track.said] == [(1500, 3, "Now it begins"), (2500, 5, "")]
    assert track.said[0].direction == Direction(line=3)


def test_a_part_that_comes_twice_counts_once_and_none_is_left_out(tmp_path: Path) -> None:
    kept = Commentaries(tmp_path)
    kept.voice(MATCH, "", voice(0, WEBM))
    assert kept.voice(MATCH, "", voice(0, WEBM)) == 4
    with pytest.raises(CommentaryRefused, match="There are 4 bytes"):
        kept.voice(MATCH, "", voice(5, b"late"))
    assert kept.voice(MATCH, "", voice(4, b"next")) == 8
    assert kept.sound(MATCH, "talk-one") == WEBM + b"next"


def test_what_a_crash_has_cut_short_is_passed_over(tmp_path: Path) -> None:
    kept = Commentaries(tmp_path)
    kept.remark(MATCH, "", SAID)
    with (tmp_path / MATCH / "talk-one.jsonl").open("ab") as file:
        file.write(b'{"ms":9')
    assert len(kept.tracks(MATCH)[0].said) == 1


@pytest.mark.parametrize("data", [b"<html>", b"OggS"])
def test_a_sound_is_a_webm_file(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(CommentaryRefused):
        Commentaries(tmp_path).voice(MATCH, "", voice(0, data))


@pytest.mark.parametrize("text", ["!!", "A", "\u00e9\u00e9"])
def test_a_sound_that_is_no_base64url_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(CommentaryRefused, match="base64url"):
        Commentaries(tmp_path).voice(MATCH, "", Voice("talk-one", 0, text))


def test_a_match_has_few_commentaries_and_each_is_bounded(tmp_path: Path) -> None:
    kept = Commentaries(tmp_path, sound_bytes=10)
    for n in range(TRACKS):
        kept.remark(MATCH, "", replace(SAID, track=f"talk-no{n}"))
    with pytest.raises(CommentaryRefused, match=f"has {TRACKS} commentaries"):
        kept.remark(MATCH, "", replace(SAID, track="one-more"))
    kept.voice(MATCH, "", voice(0, WEBM + b"123456", "talk-no0"))
    with pytest.raises(CommentaryRefused, match="no more room"):
        kept.voice(MATCH, "", voice(10, b"7", "talk-no0"))


def test_all_commentaries_of_a_server_have_one_bound(tmp_path: Path) -> None:
    kept = Commentaries(tmp_path)
    kept.remark(MATCH, "", SAID)
    held = sum(each.stat().st_size for each in tmp_path.rglob("*.jsonl"))
    again = Commentaries(tmp_path, all_bytes=held + 4)
    with pytest.raises(CommentaryRefused, match="no more room"):
        again.voice("B" * 22, "", voice(0, WEBM + b"12345678901234567890123456789"))


@pytest.mark.parametrize("name", ["../../etc", "..", "", "a/b"])
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    kept = Commentaries(tmp_path)
    with pytest.raises(CommentaryRefused):
        kept.remark(name, "", SAID)
    assert (kept.tracks(name), kept.sound(MATCH, name)) == ((), None)


def test_a_server_without_a_folder_keeps_none() -> None:
    with pytest.raises(CommentaryRefused, match="keeps no commentaries"):
        Commentaries(None).remark(MATCH, "", SAID)
    assert Commentaries(None).tracks(MATCH) == ()


async def fetched(at: Table, path: str) -> tuple[int, str, bytes]:
    """The status, type and body of a page."""
    status, headers, body = await get(at, path)
    return status, headers.get("Content-Type", ""), body


@live
async def test_a_commentary_is_heard_once_the_match_is_over_and_stands_in_no_record(tmp_path: Path) -> None:
    async with table(commentary=tmp_path) as at:
        created = await at.create()
        ada, bo = await at.player(created, 0), await at.player(created, 1)
        director, welcome = await entered(at, created.match, await leave(ada))
        plain, _ = await entered(at, created.match)
        said = Remark("talk-one", 10, welcome.head.seq, "Here we go", id="r")
        assert await director.ask(said, Kept) == Kept("r", 0)
        assert await director.ask(replace(voice(0, WEBM), id="v"), Kept) == Kept("v", 4)
        beyond = await director.ask(replace(said, line=10**6), Error)
        assert (beyond.code, (await plain.ask(said, Error)).code) == ("direction-refused", "direction-refused")
        address = f"/api/commentary/{created.match}"
        status, _, body = await fetched(at, address)
        assert (status, msgspec.json.decode(body)) == (200, {"tracks": []}), "as of a match without any"
        assert (await fetched(at, f"{address}/talk-one.webm"))[0] == 404
        await play_out([ada, bo], 1)
        status, kind, body = await fetched(at, address)
        assert (status, kind) == (200, "application/json")
        (track,) = msgspec.json.decode(body)["tracks"]
        assert (track["by"], [one["text"] for one in track["said"]]) == ("Cato", ["Here we go"])
        assert await fetched(at, f"{address}/talk-one.webm") == (200, "audio/webm", WEBM)
        assert not any(b"Here we go" in entry.line for entry in at.store.read(created.match))
