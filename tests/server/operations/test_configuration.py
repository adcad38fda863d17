"""Settings: flags over environment over file over defaults; every defect with its place and what is allowed."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from replay.store.sqlite.store import SqliteStore
from server.cli import main
from server.errors import Misconfigured
from server.operations.configuration import OTHERS, SETTINGS, address, database, is_stored, load
from server.operations.settings import Settings

WHOLE = """\
host = "0.0.0.0"  # every address
port = 9000
origins = ["https://club.example"]

[limits]
spectators = 50
[log]
format = "json"
[metrics]
token = "canary-token"
"""
BROKEN = """\
prot = 9000
port = "nine"
log = 3

[limits]
spectators = 0
slow_s = "long"
frames = 1

[metrics]
token = 7
"""


def written(folder: Path, text: str) -> Path:
    file = folder / "herald.toml"
    file.write_text(text)
    return file


def test_nothing_set_is_the_default() -> None:
    found = load(environment={})
    assert found.sound() == Settings()
    assert found.places == {}


def test_a_file_sets_what_it_names(tmp_path: Path) -> None:
    settings = load(written(tmp_path, WHOLE), {}).sound()
    assert (settings.host, settings.port) == ("0.0.0.0", 9000)
    assert settings.origins == ("https://club.example",)
    assert (settings.limits.spectators, settings.log.format) == (50, "json")
    assert settings.limits.connections == Settings().limits.connections


def test_the_environment_wins_over_the_file_and_a_flag_over_both(tmp_path: Path) -> None:
    file = written(tmp_path, WHOLE)
    environment = {"HERALD_CONFIG": str(file), "HERALD_PORT": "9001", "HERALD_LIMITS_SPECTATORS": "7"}
    found = load(None, environment, {"port": ("--port", 9002)})
    assert found.sound().port == 9002
    assert found.sound().limits.spectators == 7
    assert found.sound().log.format == "json"
    assert found.places["port"] == "--port"
    assert found.places["limits.spectators"] == "$HERALD_LIMITS_SPECTATORS"
    assert found.places["log.format"] == f"{file}:8"


def test_a_list_in_the_environment_is_parted_by_commas() -> None:
    found = load(environment={"HERALD_ORIGINS": "https://a.example, https://b.example"})
    assert found.sound().origins == ("https://a.example", "https://b.example")


def test_the_file_that_is_named_wins_entirely_over_the_one_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named, other = tmp_path / "named.toml", tmp_path / "other.toml"
    named.write_text("port = 0\n")
    other.write_text(f'db = "{tmp_path / "other.db"}"\n')
    monkeypatch.setenv("HERALD_CONFIG", str(other))
    monkeypatch.setenv("HERALD_DATA", str(tmp_path / "data"))
    assert database(named) is None
    assert database() == tmp_path / "other.db"
    opened: list[Path] = []

    def refuse(path: Path) -> None:
        opened.append(path)
        raise Misconfigured("It is not opened.")

    monkeypatch.setattr("server.cli.serve.open_store", refuse)
    CliRunner().invoke(main, ["serve", "--config", str(named)])
    CliRunner().invoke(main, ["serve"])
    assert opened == [tmp_path / "data/herald.db", tmp_path / "other.db"]


def test_the_variable_of_the_database_wins_over_the_file(tmp_path: Path) -> None:
    assert database(written(tmp_path, 'db = "a.db"'), {"HERALD_DB": "b.db"}) == Path("b.db")


def test_a_database_is_known_though_a_file_of_the_servers_own_cannot_be_read(tmp_path: Path) -> None:
    file = written(tmp_path, 'db = "a.db"\n[tls]\ncert = "none.pem"\nkey = "none.pem"\n')
    assert load(file, {}).defects
    assert database(file, {}) == Path("a.db")


COMMANDS = (
    ("audit", "last"),
    ("backup",),
    ("branch", "last", "--at", "1"),
    ("chat", "show", "last"),
    ("demo",),
    ("doctor",),
    ("export", "last"),
    ("key", "show"),
    ("match", "list"),
    ("rebuild",),
    ("replay", "last"),
    ("stats",),
)
"""Commands that take a database."""


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
@pytest.mark.parametrize("text", [None, "bd = 3"], ids=["missing", "misspelt"])
def test_no_command_takes_another_database_where_the_settings_cannot_be_read(
    words: tuple[str, ...], text: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "herald.toml" if text is None else written(tmp_path, text)
    monkeypatch.setenv("HERALD_DATA", str(tmp_path))
    for way in ({"HERALD_CONFIG": str(file)}, {}):
        done = CliRunner().invoke(main, [*words, *([] if way else ["--config", str(file)])], env=way)
        assert (done.exit_code, type(done.exception)) == (1, SystemExit), done.output
        assert "cannot be read" in done.stderr or "there is no setting bd" in done.stderr
        assert not (tmp_path / "herald.db").exists()


def test_a_configuration_names_the_database_that_is_copied_listed_and_examined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERALD_DATA", str(tmp_path / "data"))
    SqliteStore(tmp_path / "own.db").close()
    file = written(tmp_path, f'db = "{tmp_path / "own.db"}"\n')
    for words in (("backup", "--to", str(tmp_path / "copy.db")), ("match", "list"), ("doctor", "--json")):
        done = CliRunner().invoke(main, [*words, "--config", str(file)])
        assert done.exit_code == 0, done.output
    assert "1 beside the defaults" in done.output, "doctor examines the settings of that file"
    assert (tmp_path / "copy.db").is_file()
    assert not (tmp_path / "data").exists()


def test_every_defect_is_named_with_its_place_and_what_is_allowed(tmp_path: Path) -> None:
    file = written(tmp_path, BROKEN)
    told = [str(defect) for defect in load(file, {}).defects]
    assert told == [
        f"{file}:1: there is no setting prot; allowed is port",
        f'{file}:2: port cannot be "nine"; allowed is a whole number from 0 to 65,535',
        f"{file}:3: log is a table; allowed is [log] with format, level",
        f"{file}:6: limits.spectators cannot be 0; allowed is a whole number from 1 to 10,000,000",
        f'{file}:7: limits.slow_s cannot be "long"; allowed is a number from 0.001 to 86,400',
        next(line for line in told if line.startswith(f"{file}:8: there is no setting limits.frames; allowed is ")),
        f"{file}:11: metrics.token cannot be its value; allowed is a text",
    ]


@pytest.mark.parametrize(
    ("environment", "place", "part"),
    [
        ({"HERALD_PORT": "tcp://10.0.0.1:80"}, "$HERALD_PORT", "from 0 to 65,535"),
        ({"HERALD_LOG_LEVEL": "loud"}, "$HERALD_LOG_LEVEL", "one of"),
        ({"HERALD_ORIGINS": "club.example"}, "$HERALD_ORIGINS", "https://club.example"),
        ({"HERALD_PROXIES": "10.0.0.0/99"}, "$HERALD_PROXIES", "10.0.0.0/8"),
        ({"HERALD_TLS_CERT": "there-is-none.pem"}, "$HERALD_TLS_CERT", "--tls-key"),
        ({"HERALD_CONFIG": "there-is-none.toml"}, "there-is-none.toml", "No such file"),
    ],
)
def test_a_wrong_variable_is_named(environment: dict[str, str], place: str, part: str) -> None:
    (defect,) = load(environment=environment).defects
    assert defect.place == place
    assert part in str(defect)
    with pytest.raises(Misconfigured):
        load(environment=environment).sound()


def test_a_variable_that_sets_nothing_is_odd_but_not_wrong() -> None:
    found = load(environment={"HERALD_LIMTS_SPECTATORS": "3", "HERALD_DATA": "x", "HERALDRY": "y"})
    assert not found.defects
    assert [note.place for note in found.notes] == ["$HERALD_LIMTS_SPECTATORS"]
    assert "HERALD_LIMITS_SPECTATORS" in str(found.notes[0])


def test_what_is_no_toml_is_said_with_its_line(tmp_path: Path) -> None:
    (defect,) = load(written(tmp_path, "port = \n"), {}).defects
    assert "line 1" in str(defect)


def test_every_setting_has_a_variable_of_its_own() -> None:
    variables = [setting.variable for setting in SETTINGS.values()]
    assert len(set(variables)) == len(variables)
    assert not (OTHERS - {"HERALD_DB", "HERALD_STORE"}) & set(variables)
    assert all(setting.allowed() for setting in SETTINGS.values())


def test_check_names_every_defect_and_ends_with_1(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["config", "check", str(written(tmp_path, BROKEN))])
    assert done.exit_code == 1
    assert done.output.count("wrong ") == 7
    assert "9000" not in done.output, "values are not needed to mend a name"


def test_check_is_content_with_a_sound_file(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["config", "check", str(written(tmp_path, WHOLE))])
    assert done.exit_code == 0, done.output
    assert "6 settings" in done.output


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_show_tells_values_and_places_but_no_secret(
    tmp_path: Path, more: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERALD_PORT", "9123")
    monkeypatch.setenv("COLUMNS", "300")
    done = CliRunner().invoke(main, ["config", "show", str(written(tmp_path, WHOLE)), *more])
    assert done.exit_code == 0
    assert "9123" in done.output
    assert "$HERALD_PORT" in done.output
    assert "(set)" in done.output
    assert "canary" not in done.output


def test_an_address_with_a_token_in_it_is_not_shown() -> None:
    found = load(
        environment={"HERALD_WEBHOOK_URL": "https://hooks.example/canary", "HERALD_WEBHOOK_SECRET": "canary" * 8}
    )
    assert not [row for row in found.rows() if "canary" in row[1]]
    too_long = load(environment={"HERALD_WEBHOOK_URL": "https://hooks.example/canary" + "x" * 500})
    assert [str(defect) for defect in too_long.defects if "canary" not in str(defect)]


def test_no_secret_is_in_a_repr(tmp_path: Path) -> None:
    assert "canary" not in repr(load(written(tmp_path, WHOLE), {}))


def test_serve_says_what_is_wrong_instead_of_starting(tmp_path: Path) -> None:
    given = ["serve", "--config", str(written(tmp_path, BROKEN)), "--set", "limits.spectatrs=1", "--db", "none/x.db"]
    done = CliRunner().invoke(main, given)
    assert done.exit_code == 1
    assert "herald.toml:2: port" in done.output
    assert "--set: there is no setting limits.spectatrs; allowed is limits.spectators" in done.output
    assert not Path("none").exists()


def test_the_documented_file_is_sound(tmp_path: Path) -> None:
    text = (Path(__file__).parents[3] / "docs/hosting.md").read_text()
    block = text.split("```toml\n")[1].split("```")[0]
    found = load(written(tmp_path, block), {})
    assert not found.defects
    assert len(found.places) > 5


ADDRESS = "postgresql://ada:sesame@db.example/herald"


@pytest.mark.parametrize(
    ("file", "environment", "flags", "stored"),
    [
        (f'store = "{ADDRESS}"', {}, {}, True),
        ('db = "a.db"', {"HERALD_STORE": ADDRESS}, {}, True),
        (f'store = "{ADDRESS}"', {"HERALD_DB": "a.db"}, {}, False),
        ("", {"HERALD_DB": "a.db"}, {"store": ("--store", ADDRESS)}, True),
        ("", {"HERALD_STORE": ADDRESS}, {"db": ("--db", "a.db")}, False),
        ("", {}, {}, False),
    ],
)
def test_matches_are_where_it_is_named_more_strongly(
    tmp_path: Path, file: str, environment: dict[str, str], flags: dict[str, tuple[str, str]], stored: bool
) -> None:
    named = tmp_path / "herald.toml"
    named.write_text(file)
    found = load(named, environment, flags)
    assert not found.defects
    assert is_stored(found.places) is stored


def test_two_places_in_one_file_or_what_is_no_address_are_defects_and_no_password_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "herald.toml"
    file.write_text(f'db = "a.db"\nstore = "{ADDRESS}"\npubsub = "http://x"\n')
    wrong = [str(defect) for defect in load(file, {}).defects]
    assert ["two places" in wrong[0], "pubsub is no address" in wrong[1], len(wrong)] == [True, True, 2]
    file.write_text('store = "herald.db"\n')
    (defect,) = load(file, {}).defects
    assert "no address of a database" in str(defect)
    file.write_text(f'store = "{ADDRESS}"\n')
    assert "sesame" not in str(list(load(file, {}).rows()))
    assert address(file, {}) == ADDRESS


@pytest.mark.parametrize(
    ("workers", "db", "is_refused"), [(2, ":memory:", True), (1, ":memory:", False), (2, "a.db", False)]
)
def test_several_processes_cannot_share_what_lies_in_one_s_memory(workers: int, db: str, *, is_refused: bool) -> None:
    found = load(None, {}, {"workers": ("--workers", str(workers)), "db": ("--db", db)})
    assert ["--workers" in str(defect) and "share" in str(defect) for defect in found.defects] == [True] * is_refused


@pytest.mark.parametrize(
    ("workers", "is_refused"), [("0", True), ("1", False), ("64", False), ("65", True), ("-1", True)]
)
def test_a_server_has_from_1_to_64_processes(workers: str, *, is_refused: bool) -> None:
    found = load(None, {"HERALD_WORKERS": workers})
    assert bool(found.defects) == is_refused
    assert all("a whole number from 1 to 64" in str(defect) for defect in found.defects)
