"""Lessons taken over the wire: replayed from a lesson's file and the choices made in the lesson.

Only a few moments of lessons stay in memory, as a cache. A lesson therefore survives any failure of the server, belongs
to no connection, and costs nothing while its learner is idle. A lesson is no match: it has no record, and its dice are
scripted, so nobody contributes a share of chance.
"""

import asyncio
import hashlib
import random
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel import Asked, Choice, Event, NotPending, Seat, State, decide, pending
from projections.face import Face
from projections.foresight import foresee
from projections.i18n.language import Language, language_of
from projections.languages import ENGLISH
from projections.redaction import Viewer
from projections.scene import merge
from replay.record import sealing
from replay.scenarios.chance import ScriptedChance
from replay.scenarios.lesson_format import Lesson, LessonStep, Mistake, Reply, lessons
from replay.scenarios.play import Playing
from replay.scenarios.text import read_choice as written_choice
from replay.scenarios.translated import said_in
from server.bots import bots_of, make_bot
from server.lobby.errors import CannotStudy
from server.table.audience import Audience
from server.table.decider import read_choice
from server.wire.foresight_messages import Foreseen
from server.wire.lesson_messages import Consider, Passage, Standing, Studied, Study

KEPT: Final = 64
"""The number of moments in memory; a learner who continues from another moment waits some milliseconds longer."""
STRAYS: Final = 24
"""The number of choices that a learner can make after leaving the lesson's way."""
REPLIES: Final = 40
"""The number of choices that bots may make after one of the learner's choices."""
Key = tuple[str, str, str]
"""The game, the lesson, and the choices as JSON."""


class LessonMoment(Struct, frozen=True):
    """A lesson after some choices: the world, everything the learner has seen, and the other seats' knowledge, by seat.

    `step`: the first step that is not done. `left`: the number of choices after which the learner left the lesson's
    way; None if the learner did not. `deltas`: the changes by the last choice and its consequences.
    """

    state: Any
    audience: Audience[Any]
    views: dict[Seat, Any]
    step: int = 0
    left: int | None = None
    strays: int = 0
    heard: tuple[Passage, ...] = ()
    deltas: tuple[dict[str, Any], ...] = ()

    def doing(self, lesson: Lesson) -> int:
        """The next step that expects a choice; the number of steps if there is none."""
        ahead = range(self.step, len(lesson.step))
        return next((at for at in ahead if lesson.step[at].expect), len(lesson.step))


class LessonService:
    """Serves learners who take a lesson. It serves one at a time, in a thread, so that lessons never slow a match."""

    def __init__(self, faces: dict[str, Face[Any]]) -> None:
        self._faces = faces
        self._kept: OrderedDict[Key, LessonMoment] = OrderedDict()
        self._turn = asyncio.Semaphore(1)

    async def study(self, asked: Study) -> Studied:
        """The state of the lesson after the choices. Raises `Refusal` for a choice that cannot be made, and
        `CannotStudy` if there is no such lesson or it goes no further.
        """
        face, lesson = self._lesson(asked.game, asked.lesson)
        async with self._turn:
            return await asyncio.to_thread(self._studied, face, lesson, asked)

    async def consider(self, asked: Consider) -> Foreseen:
        """The consequences of a choice.

        Raises `Refusal` for a choice that is not offered, and `CannotStudy` if there is no such lesson or it goes no
        further.
        """
        face, lesson = self._lesson(asked.game, asked.lesson)
        async with self._turn:
            return await asyncio.to_thread(self._considered, face, lesson, asked)

    def _lesson(self, game: str, name: str) -> tuple[Face[Any], Lesson]:
        face = self._faces.get(game)
        found = next((one for one in lessons(game) if one.name == name), None) if face is not None else None
        if face is None or found is None:
            raise CannotStudy("There is no such lesson; the first page lists those there are.")
        return face, found

    def _studied(self, face: Face[Any], lesson: Lesson, asked: Study) -> Studied:
        moment = self._moment(face, lesson, asked.choices)
        told = translated_study(_told(lesson, moment, asked.id), lesson, asked.lang)
        if asked.since is None or asked.since > len(asked.choices):
            return replace(told, scene=_scene(moment.audience, len(asked.choices), asked.lang))
        before, *moments = [
            self._moment(face, lesson, asked.choices[:end]) for end in range(asked.since, len(asked.choices) + 1)
        ]
        deltas = [delta for one in moments for delta in one.deltas]
        said = language_of(lesson.game, asked.lang)
        return replace(told, deltas=tuple(deltas if said is None else _translated_deltas(said, before, deltas)))

    def _considered(self, face: Face[Any], lesson: Lesson, asked: Consider) -> Foreseen:
        moment = self._moment(face, lesson, asked.choices)
        view, decision = moment.audience.view, _asked(moment.state, lesson)
        choice = read_choice(face.game, view, decision, asked.choice)
        found = foresee(face, view, moment.state.stack, decision, choice)
        return Foreseen(asked.id, decision.number, found.lines, found.roll, found.lost, found.vain)

    def _moment(self, face: Face[Any], lesson: Lesson, choices: tuple[Any, ...]) -> LessonMoment:
        """The lesson after the choices: from memory, or continued from the nearest moment in memory."""
        texts = [msgspec.json.encode(choice).decode() for choice in choices]
        keys = [(lesson.game, lesson.name, "\n".join(texts[:end])) for end in range(len(texts) + 1)]
        start = max((end for end, key in enumerate(keys) if key in self._kept), default=0)
        moment = self._keep(keys[start], self._kept.get(keys[start]) or begun(face, lesson))
        for end in range(start + 1, len(keys)):
            moment = self._keep(keys[end], chosen(face, lesson, moment, choices[end - 1], keys[end][2], end - 1))
        return moment

    def _keep(self, key: Key, moment: LessonMoment) -> LessonMoment:
        self._kept[key] = moment
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return moment


def begun(face: Face[Any], lesson: Lesson) -> LessonMoment:
    """A lesson at its beginning. Raises `CannotStudy` for a lesson that cannot begin as its file says."""
    playing = Playing(face.game, lesson.scenario())
    wrong = playing.begin()
    if wrong or not playing.views:
        raise CannotStudy(f"The lesson {lesson.name} cannot be taken now; `herald lesson check` says why.")
    audience = Audience(face, Viewer(Seat(lesson.seat)), playing.lines())
    # The answer to the first choice states the changes in this Scene.
    audience.snapshot(0, sealing.genesis(bytes(16)))
    others = {seat: playing.views[f"seat{seat}"] for seat in map(Seat, range(len(playing.state.players)))}
    return LessonMoment(playing.state, audience, others)


def _scene(audience: Audience[Any], seq: int, language: str = ENGLISH) -> dict[str, Any]:
    """The table as the learner sees it, with the chronicle."""
    frame = audience.fork().snapshot(seq, sealing.genesis(bytes(16)), language=language)
    audience.draw(is_wanted=True)
    scene: dict[str, Any] = msgspec.json.decode(frame)["scene"]
    return scene


def _asked(state: Any, lesson: Lesson) -> Asked:
    """The decision that the learner is asked. Raises `NotPending` if there is none."""
    found = pending(state, Seat(lesson.seat))
    if not found:
        raise NotPending("Nothing is asked of you there; go back a step.")
    return found[0]


def chosen(face: Face[Any], lesson: Lesson, moment: LessonMoment, given: Any, way: str, before: int) -> LessonMoment:
    """The lesson after one more choice: on its way, or off it. `before`: the number of earlier choices; `way`: all
    steps of the way.

    Raises `Refusal` for a choice that the rules refuse, and `CannotStudy` for one choice too many.
    """
    asked = _asked(moment.state, lesson)
    choice = read_choice(face.game, moment.audience.view, asked, given)
    doing = moment.doing(lesson)
    seed = hashlib.sha256(f"{lesson.game} {lesson.name} {way}".encode()).digest()
    going = _LessonTaken(face, lesson, moment, random.Random(seed))  # noqa: S311 - so that the same choices come to the same
    if moment.left is None and doing < len(lesson.step):
        step = lesson.step[doing]
        if any(written_choice(face.game, each, moment.state) == choice for each in step.expect):
            going.choose(Seat(lesson.seat), asked, choice, step)
            heard = going.reply(step)
            return going.moment(step=doing + 1, heard=heard)
    if moment.strays >= STRAYS:
        raise CannotStudy("That is as far as this goes off the lesson's way; go back, and take it from there.")
    going.choose(Seat(lesson.seat), asked, choice, None)
    going.others()
    if moment.left is not None or doing == len(lesson.step):
        return going.moment(step=moment.step, left=moment.left, strays=moment.strays + 1)
    heard = _answered(face, lesson.step[doing], choice, moment.state)
    return going.moment(step=moment.step, left=before, strays=1, heard=heard)


def _answered(face: Face[Any], step: LessonStep, choice: Choice, state: State) -> tuple[Passage, ...]:
    """The lesson's words for a choice that the step is not about."""
    for mistake in step.unless:
        if not mistake.refused and written_choice(face.game, mistake.choice, state) == choice:
            return (Passage(mistake.say, (), tuple(mistake.rules)),)
    return (Passage(step.otherwise),) if step.otherwise else ()


class _LessonTaken:
    """A choice that is being carried out: its changes, and the changes of each answer to it, one delta each."""

    def __init__(self, face: Face[Any], lesson: Lesson, moment: LessonMoment, source: random.Random) -> None:
        self._face, self._lesson, self._below = face, lesson, source.randrange
        self.state, self._audience = moment.state, moment.audience.fork()
        self._views = dict(moment.views)
        self._deltas: list[dict[str, Any]] = []

    def choose(self, seat: Seat, asked: Asked, choice: Choice, script: LessonStep | Reply | None) -> None:
        """Carry out a choice, with the script's dice if it has any."""
        dice, shuffles = (script.dice, script.shuffles) if script is not None else ((), ())
        draws, shuffled = self.state.draws, self.state.shuffles
        chance = ScriptedChance(dice, shuffles, draws=draws, shuffled=shuffled, below=self._below)
        made = decide(self._face.game, self.state, seat, asked.number, choice, chance)
        self.state = made.state
        self._tell(made.events)

    def _tell(self, events: list[Event]) -> None:
        self._deltas.append(self._audience.step(0, events))
        game = self._face.game
        for seat, view in self._views.items():
            self._views[seat] = game.fold([game.redact(event, Viewer(seat).mask) for event in events], view)

    def reply(self, step: LessonStep) -> tuple[Passage, ...]:
        """Carry out the script's choices of the other seats; returns the words for all of them."""
        said: list[Passage] = []
        for reply in step.reply:
            seat = Seat(reply.seat)
            asked = pending(self.state, seat)[0]
            self.choose(seat, asked, written_choice(self._face.game, reply.choice, self.state), reply)
            said += [Passage(reply.say)] if reply.say else []
        return (*said, *([Passage(step.done)] if step.done else []))

    def others(self) -> None:
        """Let bots answer for the others until the learner is asked again."""
        own = Seat(self._lesson.seat)
        name = self._lesson.game
        bot = make_bot(name, bots_of(name)[0])
        for _ in range(REPLIES):
            if pending(self.state, own) or not self.state.asked:
                return
            asked = self.state.asked[0]
            view = self._views[asked.seat]
            form = self._face.game.revive_decision(asked).form(view)
            self.choose(asked.seat, asked, bot.choose(view, asked, form, self._below), None)

    def moment(self, **now: Any) -> LessonMoment:
        """The lesson after the choice."""
        return LessonMoment(self.state, self._audience, self._views, deltas=tuple(self._deltas), **now)


def _told(lesson: Lesson, moment: LessonMoment, id_: str) -> Studied:
    """The words at a moment."""
    doing, names = moment.doing(lesson), [one.name for one in lessons(lesson.game)]
    after = names[names.index(lesson.name) + 1 :]
    read = [Passage(s.say, tuple(s.point), tuple(s.rules)) for s in lesson.step[moment.step : doing + 1]]
    on_way: Standing = "end" if doing == len(lesson.step) else "way"
    at = on_way if moment.left is None else "off"
    likely = _likely(moment, lesson.step[doing].unless) if at == "way" else ()
    return Studied(
        id_,
        lesson.title,
        at,
        lesson.language,
        moment.step if at != "off" else doing,
        len(lesson.step),
        tuple(read) if at != "off" else (),
        moment.heard,
        tuple(likely),
        moment.left or 0,
        after[0] if after else "",
    )


def _likely(moment: LessonMoment, mistakes: list[Mistake]) -> tuple[Passage, ...]:
    """The voice's words for a learner who points at something that cannot be chosen."""
    face = moment.audience.face
    pieces = face.scene(moment.audience.view, moment.audience.viewer.seat)["pieces"]
    said = []
    for mistake in mistakes:
        if mistake.refused:
            fields = msgspec.structs.asdict(written_choice(face.game, mistake.choice, moment.state)).values()
            point = tuple(field for field in fields if isinstance(field, str) and field in pieces)
            said += [Passage(mistake.say, point, tuple(mistake.rules))] if len(point) == 1 else []
    return tuple(said)


def translated_study(told: Studied, lesson: Lesson, language: str) -> Studied:
    """The words at a moment in a language, as far as the lesson is translated."""
    if language == lesson.language:
        return told
    said = said_in(lesson, language)

    def translated(passages: tuple[Passage, ...]) -> tuple[Passage, ...]:
        return tuple(
            replace(one, say=said.get(one.say, one.say), lang="" if one.say in said else lesson.language)
            for one in passages
        )

    title = said.get(told.title)
    read, heard, likely = map(translated, (told.read, told.heard, told.likely))
    language = lesson.language if title is None else language
    return replace(told, title=title or told.title, language=language, read=read, heard=heard, likely=likely)


def _translated_deltas(
    said: Language, before: LessonMoment, deltas: Sequence[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Deltas in another language: the texts are rebuilt from the Scenes before and after each delta."""
    scene = before.audience.face.scene(before.audience.view, before.audience.viewer.seat)
    old = said.scene(scene)
    for delta in deltas:
        scene = merge(scene, delta["set"])
        new = said.scene(scene)
        yield said.step(delta, old, new)
        old = new
