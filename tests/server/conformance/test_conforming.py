"""`herald conformance`: a game that keeps its promises passes, one that breaks any is told which, with the seed."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from server.cli import main
from server.conformance.checks import CHECKS
from tests.outside import broken, written


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture(scope="module")
def border(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("conforming"), "lake_towns", "--seats", "3")


def test_the_skeleton_keeps_every_promise(border: Path) -> None:
    done = run("conformance", border)
    assert done.exit_code == 0, done.output
    assert f"All {len(CHECKS) + 1} promises are kept." in done.output, "and one of German"


def test_a_game_that_shows_what_it_hides_is_told_apart(border: Path, tmp_path: Path) -> None:
    package = written(tmp_path, "river_towns")
    disclosure, rules = package / "src/river_towns/disclosure.py", package / "src/river_towns/game/rules/match.py"
    disclosure.write_text(disclosure.read_text().replace('"score": "RT-002"', ""), encoding="utf-8")
    rules.write_text(rules.read_text().replace("score + choice.card", "score + known(r.state.sides[self.by].hand)[0]"))
    done = run("conformance", package, "--only", "nobody can tell")
    assert done.exit_code == 1
    assert "seed 0" in done.output
    assert "CardLaid.score" in " ".join(done.output.split())
    assert "1 of 1 promises are broken" in done.output


def test_a_text_that_a_language_of_the_game_lacks_is_told(tmp_path: Path) -> None:
    package = written(tmp_path, "marsh_towns")
    texts = package / "src/marsh_towns/face/texts.de.toml"
    texts.write_text(texts.read_text("utf-8").replace('"Laid: nothing"', '"Laid: something"'), encoding="utf-8")
    done = run("conformance", package, "--only", "everything is said")
    assert done.exit_code == 1
    assert "1 missing, the first of them: 'Laid: nothing'" in " ".join(done.output.split())
    texts.unlink()
    assert "No promise speaks of" in run("conformance", package, "--only", "everything is said").output


def test_a_package_that_does_not_load_is_told(tmp_path: Path) -> None:
    done = run("conformance", broken(tmp_path, "gone", "import nonesuch_at_all"))
    assert done.exit_code == 1
    assert "nonesuch_at_all" in " ".join(done.output.split())


@pytest.mark.parametrize("words", [("conformance", "nonesuch"), ("conformance", "vera_discordia", "--only", "chess")])
def test_what_is_no_package_is_told(words: tuple[str, ...]) -> None:
    assert run(*words).exit_code == 1
