"""Keys, where they are kept, and links that hold them."""

from pathlib import Path

import pytest

from herald_client import BadLink, FileKeys, Key, Keys, MemoryKeys, Server, Verifier, read_link
from herald_client.holding import Holder
from herald_client.verifier import Held


@pytest.fixture(params=["memory", "files"])
def keys(request: pytest.FixtureRequest, tmp_path: Path) -> Keys:
    return MemoryKeys() if request.param == "memory" else FileKeys(tmp_path / "seats")


def test_a_key_is_kept_replaced_and_forgotten(keys: Keys) -> None:
    one, other = Key(), Key()
    assert keys.of("token") is None
    keys.keep("token", one)
    keys.keep("token", other)
    kept = keys.of("token")
    assert kept is not None
    assert kept.public == other.public
    keys.forget("token")
    keys.forget("token")
    assert keys.of("token") is None


def test_a_key_in_a_file_is_its_owners_alone_and_tells_no_token(tmp_path: Path) -> None:
    FileKeys(tmp_path / "seats").keep("token", Key())
    (file,) = (tmp_path / "seats").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert "token" not in file.name


def test_a_key_goes_to_another_machine_as_text() -> None:
    key = Key()
    again = Key.read(key.text)
    assert (again.public, again.sign(b"x")) == (key.public, key.sign(b"x"))
    assert key.text not in repr(key)


@pytest.mark.parametrize("text", ["", "AAAA", "#", Key(bytes(range(32))).text[:-1], Key(bytes(range(32))).text + "A"])
def test_a_key_that_is_not_whole_is_refused(text: str) -> None:
    with pytest.raises(BadLink):
        Key.read(text)


def test_a_link_is_read_as_it_was_written() -> None:
    key = Key()
    link = Server("wss://h.example:8443/ws").link("M", "T", key)
    assert str(link) == f"https://h.example:8443/play#m=M&t=T&k={key.text}"
    assert read_link(str(link)) == link
    assert str(read_link("http://h/watch#m=M")) == "http://h/watch#m=M"
    assert "T" not in repr(read_link("http://h/play#m=M&t=T"))


@pytest.mark.parametrize(
    "text",
    [
        "nonsense",
        "http://h/play",
        "ftp://h/play#m=M",
        "http://h/play#m=M&t=T&k=half",
        "http://[::1/play#m=M",
        "http://h:99999/play#m=M",
        "http://h:0/play#m=M",
        "http://:80/play#m=M",
    ],
)
def test_what_is_no_link_is_refused(text: str) -> None:
    with pytest.raises(BadLink):
        read_link(text)


def holding(key: Key | None) -> tuple[Holder, Verifier]:
    """The holder of a seat for which the record names no key."""
    verifier = Verifier("A" * 22)
    verifier.version = 2
    verifier.seated[0] = Held("Ada", "person")
    return Holder(verifier, 0, key), verifier


def test_who_sent_a_key_is_told_where_the_record_names_another() -> None:
    own = Key()
    holder, verifier = holding(own)
    assert holder.owed() == [{"t": "key", "key": own.public}]
    assert (holder.signs, holder.is_locked_out) == (True, False)
    verifier.seated[0].key = Key().public
    assert (holder.signs, holder.is_locked_out, holder.owed()) == (False, True, [])
    verifier.seated[0].key = own.public
    assert (holder.signs, holder.is_locked_out) == (True, False)


def test_a_former_key_counts_until_the_record_names_its_successor() -> None:
    former, own = Key(), Key()
    holder, verifier = holding(former)
    verifier.seated[0].key = former.public
    holder.given(own)
    assert (holder.signs, holder.is_locked_out) == (True, False)
    verifier.seated[0].key = own.public
    holder.owed()
    verifier.seated[0].key = former.public
    assert (holder.signs, holder.is_locked_out) == (False, True)


def test_a_seat_whose_key_is_nowhere_here_is_locked_out() -> None:
    holder, verifier = holding(None)
    assert not holder.is_locked_out
    verifier.seated[0].key = Key().public
    assert holder.is_locked_out
