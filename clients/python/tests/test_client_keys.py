"""Keys, where they are kept, and links that hold them."""

from pathlib import Path

import pytest

from herald_client import BadLink, FileKeys, Key, Keys, MemoryKeys, Server, read_link


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


@pytest.mark.parametrize("text", ["nonsense", "http://h/play", "ftp://h/play#m=M", "http://h/play#m=M&t=T&k=half"])
def test_what_is_no_link_is_refused(text: str) -> None:
    with pytest.raises(BadLink):
        read_link(text)
