"""The pages of names that an author may write are those that the code makes."""

import pytest

from projections.registry import games
from replay.scenarios.reference import COMMAND, FOLDER, main, pages, reference
from tests.skirmish.game import GAME

PAGES = pages()


@pytest.mark.parametrize("game", sorted(PAGES))
def test_the_page_of_a_game_is_up_to_date(game: str) -> None:
    kept = (FOLDER / f"{game}.md").read_text(encoding="utf-8")
    assert kept == PAGES[game], f"write it with {COMMAND}"


def test_every_game_that_has_a_notation_has_a_page_and_nothing_else_lies_there() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} == set(PAGES)
    assert set(PAGES) == {name for name, game in games().items() if game.spec.positions is not None}


def test_a_page_names_choices_events_questions_steps_paths_and_rules() -> None:
    page = reference(GAME)
    for name in (
        "- `Play card:number`",
        "- `CardShown seat:number card:number`",
        "- `CardSelection`, SK-02",
        "`SK-06`",
        "- `scores`: list",
        "- `not-offered`: The choice is not one of the decision's options.",
        "- `rounds`: number",
        "`never_sent`",
    ):
        assert name in page, name


def test_a_page_shows_figures_sets_and_units_where_a_game_has_them() -> None:
    page = PAGES["vera_discordia"]
    assert "- `figures.units.A.dice`: list" in page
    assert "- `figures.units.A.abilities`: set" in page
    assert "- `units.A.order`: text" in page
    assert "`VD-214`" in page
    assert "- `figures.seat0.chosen.cb`: number" in PAGES["war_for_edadh"]
    assert "- `flipped`: set" in PAGES["war_for_edadh"]


def test_the_command_writes_the_pages(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("docs") / "scenarios"
    main(folder)
    assert {path.stem: path.read_text(encoding="utf-8") for path in folder.iterdir()} == PAGES
