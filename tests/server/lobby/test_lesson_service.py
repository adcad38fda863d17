"""Lessons over the wire: played anew out of their files, on their way and off it, for anybody, kept nowhere."""

import asyncio
import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.kernel import Below, NotOffered, Seat, pending
from projections.face import Face
from projections.registry import faces, games
from projections.scene import merge
from replay.scenarios.guides import areas_of
from replay.scenarios.lesson_format import Lesson, lessons
from replay.scenarios.text import read_choice
from server.lobby.errors import CannotStudy
from server.lobby.lesson_service import KEPT, STRAYS, LessonMoment, LessonService
from server.wire.foresight_messages import Foreseen
from server.wire.lesson_messages import Consider, Studied, Study
from server.wire.protocol import Error
from tests.server.tabletop import Table, live, table

VERA = "vera_discordia"
ATTACK = "03-your-first-attack"
TAUGHT = [pytest.param(one, id=f"{game}-{one.name}") for game in sorted(games()) for one in lessons(game)]


def studies() -> LessonService:
    return LessonService(faces())


def way(lesson: Lesson) -> list[Any]:
    """The choices that a lesson expects, as tagged tables."""
    game = games()[lesson.game]
    return [
        {"do": type(one).__name__, **msgspec.to_builtins(one)}
        for one in (read_choice(game, step.expect[0]) for step in lesson.step if step.expect)
    ]


def study(
    at: LessonService, name: str, *choices: Any, since: int | None = None, game: str = VERA, lang: str = "en"
) -> Studied:
    asked = Study(id="s", game=game, lesson=name, choices=choices, since=since, lang=lang)
    return asyncio.run(at.study(asked))


@pytest.mark.parametrize("lesson", TAUGHT)
def test_every_lesson_is_taken_to_its_end_and_points_at_what_is_there(lesson: Lesson) -> None:
    at, choices = studies(), way(lesson)
    for count in range(len(choices) + 1):
        told = study(at, lesson.name, *choices[:count], game=lesson.game)
        assert told.at == ("end" if count == len(choices) else "way")
        scene = told.scene
        assert scene is not None
        assert scene["viewer"]["seat"] == lesson.seat
        for passage in told.read:
            assert set(passage.point) <= {*scene["pieces"], *scene["zones"], *areas_of(scene)}, passage.say
        assert all(passage.point[0] in scene["pieces"] for passage in told.likely)
    assert told.done == told.steps - len(told.read)


def test_a_choice_on_the_way_is_answered_with_what_changed() -> None:
    at = studies()
    begun = study(at, ATTACK)
    assert (begun.at, begun.done, begun.heard) == ("way", 0, ())
    assert begun.read[-1].point == ("A", "X")
    (lesson,) = (one for one in lessons(VERA) if one.name == ATTACK)
    told = study(at, ATTACK, *way(lesson), since=0)
    assert told.scene is None
    assert told.deltas
    assert "Trackers" in told.heard[0].say
    assert told.next == "04-striking-back"


def test_any_legal_choice_can_be_made_is_answered_and_leads_back() -> None:
    at = studies()
    off = study(at, ATTACK, {"do": "Execute", "unit": "B"}, since=0)
    assert (off.at, off.back, off.read) == ("off", 0, ())
    assert off.heard[0].rules == ("VD-189", "VD-191")
    assert off.deltas
    assert study(at, ATTACK).at == "way"


def test_what_the_rules_refuse_is_not_chosen_and_has_its_answer_ready() -> None:
    at = studies()
    likely = study(at, "04-striking-back").likely
    first = study(at, "01-what-is-on-the-table")
    assert first.likely[0].point == ("B",)
    assert first.likely[0].rules == ("VD-080",)
    assert likely == ()
    with pytest.raises(NotOffered):
        study(at, "01-what-is-on-the-table", {"do": "Execute", "unit": "B"})
    assert study(at, "01-what-is-on-the-table").at == "way"


def test_another_server_goes_on_where_one_was_killed() -> None:
    stray = {"do": "Execute", "unit": "B"}
    assert study(studies(), ATTACK, stray) == study(studies(), ATTACK, stray)


def test_off_the_way_one_goes_on_as_far_as_the_limit() -> None:
    at, choices = studies(), list[Any]()
    (lesson,) = (one for one in lessons(VERA) if one.name == "13-a-whole-round")
    face, below = faces()[VERA], random.Random(1).randrange
    while (moment := at._moment(face, lesson, tuple(choices))).strays < STRAYS:
        choices.append(sampled(face, moment, lesson, below))
    one_more = [*choices, sampled(face, moment, lesson, below)]
    with pytest.raises(CannotStudy, match="as far as"):
        study(at, lesson.name, *one_more)
    assert len(choices) in range(STRAYS, STRAYS + len(lesson.step))


@pytest.mark.parametrize(("otherwise", "said"), [("Choose the other.", ["Choose the other."]), ("", [])])
def test_beside_a_choice_that_a_lesson_is_not_about_stands_its_sentence_or_none(
    otherwise: str, said: list[str]
) -> None:
    at, face = studies(), faces()[VERA]
    (lesson,) = (one for one in lessons(VERA) if one.name == ATTACK)
    plain = replace(lesson, step=tuple(replace(step, otherwise=otherwise, unless=()) for step in lesson.step))
    strayed = at._moment(face, plain, ({"do": "Execute", "unit": "B"},))
    assert strayed.strays == 1
    assert [passage.say for passage in strayed.heard] == said


def sampled(face: Face[Any], moment: LessonMoment, lesson: Lesson, below: Below) -> dict[str, Any]:
    """Any choice that the learner can make, as a tagged table."""
    view = moment.audience.view
    choice = face.game.revive_decision(pending(view, Seat(lesson.seat))[0]).form(view).sample(below)
    return {"do": type(choice).__name__, **msgspec.to_builtins(choice)}


def test_no_more_is_kept_than_some_moments() -> None:
    at = studies()
    for game in games():
        for lesson in lessons(game):
            for count in range(len(way(lesson)) + 1):
                study(at, lesson.name, *way(lesson)[:count], game=game)
    assert len(at._kept) == KEPT


@pytest.mark.parametrize(("game", "name"), [(VERA, "99-none"), ("chess", ATTACK), (VERA, "../lessons/" + ATTACK)])
def test_a_lesson_that_is_not_there_is_refused(game: str, name: str) -> None:
    with pytest.raises(CannotStudy, match="no such lesson"):
        study(studies(), name, game=game)


def test_the_learner_is_told_what_his_seat_may_know() -> None:
    scene = study(studies(), "01-what-is-on-the-table").scene
    assert scene is not None
    assert scene["pieces"]["Y"]["face"] == "down"
    assert "cadre" not in str(scene["pieces"]["Y"])
    assert scene["viewer"]["seat"] == Seat(0)


def test_a_lesson_is_told_in_the_language_that_was_asked_for() -> None:
    at, lesson = studies(), next(one for one in lessons(VERA) if one.name == ATTACK)
    english, german = study(at, ATTACK), study(at, ATTACK, lang="de")
    assert (german.title, german.language) == ("Dein erster Angriff", "de")
    assert german.read[-1].say.endswith("Wähle die Sentinels.")
    assert [one.point for one in german.read] == [one.point for one in english.read]
    assert english.scene is not None
    assert german.scene is not None
    assert german.scene["prompt"]["ask"] != english.scene["prompt"]["ask"]
    done = study(at, ATTACK, *way(lesson), since=0, lang="de")
    assert done.heard[0].say.startswith("Erst wurden die Trackers")
    assert not any(one.lang for one in (*german.read, *done.heard))
    whole = study(at, ATTACK, *way(lesson), lang="de").scene
    assert whole is not None
    merged = german.scene
    for delta in done.deltas:
        merged = merge(merged, delta["set"])
    told = {key: value for key, value in whole.items() if key not in {"log", "seq"}}
    assert {key: value for key, value in merged.items() if key not in {"log", "seq"}} == told
    lines = [line for delta in done.deltas for line in delta.get("log", ())]
    assert lines == whole["log"][-len(lines) :]
    assert not any("lang" in line for line in lines)


def test_what_a_lesson_has_not_in_a_language_is_told_in_english_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = next(one for one in lessons(VERA) if one.name == ATTACK)
    say = lesson.step[0].say
    monkeypatch.setattr("server.lobby.lesson_service.said_in", lambda *_: {lesson.title: "Titel"})
    told = study(studies(), ATTACK, lang="de")
    assert (told.title, told.language) == ("Titel", "de")
    assert [(one.say, one.lang) for one in told.read] == [(say, "en")]
    monkeypatch.setattr("server.lobby.lesson_service.said_in", lambda *_: {say: "Wort"})
    told = study(studies(), ATTACK, lang="de")
    assert (told.title, told.language) == (lesson.title, "en")
    assert [(one.say, one.lang) for one in told.read] == [("Wort", "")]


def test_two_ways_of_as_many_choices_are_two_tables() -> None:
    at, stray = studies(), {"do": "Execute", "unit": "B"}
    (lesson,) = (one for one in lessons(VERA) if one.name == ATTACK)
    on, off = study(at, ATTACK, *way(lesson)), study(at, ATTACK, stray)
    assert on.scene != off.scene


@live
async def test_what_would_follow_and_refusals_are_told_in_the_language_of_the_lesson() -> None:
    async with table() as at:
        at.lobby.lessons = studies()
        client = await learner(at)
        await client.send(Consider(id="c1", game=VERA, lesson=ATTACK, choice="0", lang="de"))
        told = await client.receive()
        assert isinstance(told, Foreseen)
        assert "Würfel" in told.roll
        assert told.english == ()
        await client.send(Study(id="s1", game=VERA, lesson="99-none", lang="de"))
        refused = await client.receive()
        assert isinstance(refused, Error)
        assert (refused.why.startswith("Eine solche Lektion gibt es nicht"), refused.lang) == (True, "")
        wrong = {"do": "Execute", "unit": "C"}
        await client.send(Study(id="s2", game=VERA, lesson=ATTACK, choices=(wrong,), lang="de"))
        refused = await client.receive()
        assert isinstance(refused, Error)
        assert (refused.why, refused.lang) == ("Das steht nicht zur Wahl (VD-152).", "")


@live
async def test_lessons_are_taken_without_a_match() -> None:
    async with table() as at:
        client = await learner(at)
        await client.send(Study(id="s1", game="skirmish", lesson="01-none"))
        refused = await client.receive()
        assert isinstance(refused, Error)
        assert (refused.code, refused.id) == ("cannot-study", "s1")


async def learner(at: Table) -> Any:
    return await at.client()


@live
async def test_what_would_follow_is_told_from_what_the_learner_knows() -> None:
    wish = Consider(id="c", game=VERA, lesson=ATTACK, choice="0")
    told = await studies().consider(wish)
    assert isinstance(told, Foreseen)
    assert told.lines or told.roll
