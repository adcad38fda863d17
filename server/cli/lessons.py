"""`herald lesson`: lessons of a game, checked and taken (docs/lessons.md)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click
from rich.markup import escape

from domain.kernel import Seat, pending
from projections.face import Face
from projections.registry import games
from replay.scenarios.lesson_check import check
from replay.scenarios.lesson_format import Lesson, folder_of, lessons, line_of, load
from replay.scenarios.lesson_session import Heard, LessonSession
from replay.scenarios.play import Difference
from replay.scenarios.translated import said_in
from server.cli.checking import count_wrong, files_in
from server.cli.common import console, face_of
from server.cli.errors import Amiss, Unclear
from server.cli.language import language_option
from server.cli.prompts import DecisionPrompt, FromFile
from server.cli.words import language, told, word

AS_TOLD: Final = "{right} of {n} lessons are as told."
ONE_AS_TOLD: Final = "{right} of {n} lesson is as told."


@click.group()
def lesson() -> None:
    """Learn a game by doing: lessons are positions with a voice, scripted dice, and answers to likely mistakes."""


@lesson.command("check")
@click.argument("given", metavar="FILE...|GAME", nargs=-1, required=True)
@click.option("-q", "--quiet", is_flag=True, help="Name only the lessons that differ.")
def check_lessons(given: tuple[str, ...], quiet: bool) -> None:
    """Play lessons through the rules and print every difference; a game's name stands for all that come with it.

    The exit status is 0 if nothing differs, and 1 if anything does or if a file cannot be read.
    """
    folders = [folder_of(word) if word in games() else Path(word) for word in given]
    files = [file for path in folders for file in files_in(path, word("lesson"))]
    wrong = count_wrong(files, _check, quiet=quiet, where=_where)
    right = len(files) - wrong
    one = len(files) == 1
    console.print(word(ONE_AS_TOLD if one else AS_TOLD, right=right, n=len(files)))
    click.get_current_context().exit(1 if wrong else 0)


def _check(file: Path) -> tuple[str, list[Difference]]:
    told = load(file)
    return told.title, check(face_of(told.game).game, told)


def _where(file: Path, difference: Difference) -> str:
    line = line_of(file.read_text("utf-8"), difference.place.partition(":")[0])
    return f"{word('line {n}', n=line)}: {told(difference.place)}"


@lesson.command("play")
@language_option
@click.argument("game")
@click.argument("name", default="")
def play_lesson(game: str, name: str) -> None:
    """Take a lesson here, in text: NAME or its beginning, or its number; without it, all are listed."""
    known = lessons(game) if game in games() else ()
    if not known:
        having = ", ".join(each for each in sorted(games()) if lessons(each))
        raise Amiss(word("There are no lessons for {game!r}; there are for {having}.", game=game, having=having))
    if not name:
        for number, each in enumerate(known, 1):
            console.print(f"{number:>2}  [bold]{_told(each, each.title)}[/]  {_told(each, each.about)}", soft_wrap=True)
        return
    found = [each for number, each in enumerate(known, 1) if name == str(number) or each.name.startswith(name)]
    if not found:
        names = ", ".join(each.name for each in known)
        raise Amiss(word("There is no lesson {name!r}; there are {names}.", name=name, names=names))
    _take(face_of(game), found[0])


def _told(lesson: Lesson, text: str) -> str:
    """A text of a lesson in the command's language, ready to be printed; marked if it is in another language."""
    said = said_in(lesson, language()).get(text)
    left = said is None and language() != lesson.language
    return f"{escape(said or text)}{f' [dim]({lesson.language})[/]' if left else ''}"


def _take(face: Face[Any], taken: Lesson) -> None:
    course = LessonSession(face.game, taken)
    console.print(f"[bold]{_told(taken, taken.title)}[/]\n{_told(taken, taken.about)}\n", soft_wrap=True)
    while (step := course.step) is not None:
        console.print(f"\n[bold]{_told(taken, step.say)}[/]{_rows(step.rules)}", soft_wrap=True)
        if step.expect:
            _do(face, course)
        else:
            _prompted(word("Enter goes on, q leaves"))
            course.read_on()
    console.print(f"\n[green]{word('The lesson is done.')}[/]")


def _prompted(prompt: str) -> str:
    """A line of the player's; `q` leaves the lesson."""
    text = str(click.prompt(prompt, default="", show_default=False))
    if text.strip() == "q":
        click.get_current_context().exit()
    return text


def _do(face: Face[Any], course: LessonSession[Any]) -> None:
    """Ask until the step is done."""
    seat = Seat(course.lesson.seat)
    asked = pending(course.view, seat)[0]
    question = DecisionPrompt(face.scene(course.view, seat)["prompt"])
    console.print(escape(face.board(course.view, seat)), soft_wrap=True)
    for line in question.lines:
        console.print(line, soft_wrap=True)
    while True:
        text = _prompted(question.hint + word("; ? shows the way; q leaves"))
        if text.strip() == "?":
            console.print(escape(face.option(course.view, asked, course.expected()[0])), soft_wrap=True)
            continue
        try:
            answer = question.read(text)
        except Unclear as wrong:
            console.print(f"[red]{escape(str(wrong))}[/]", soft_wrap=True)
            continue
        form = face.game.revive_decision(asked).form(course.view)
        choice = None if isinstance(answer, FromFile) else form.read(answer)
        heard = Heard[Any](False, (word("That cannot be read."),)) if choice is None else course.choose(choice)
        _tell(face, course.lesson, heard)
        if heard.done:
            return


def _tell(face: Face[Any], lesson: Lesson, heard: Heard[Any]) -> None:
    seat = Seat(lesson.seat)
    lines = [face.narrate(each.before, each.after, each.event, seat) for each in heard.seen]
    for line in filter(None, lines):
        console.print(f"  [dim]{escape(line)}[/]", soft_wrap=True)
    colour = "green" if heard.done else "yellow"
    for said in heard.say:
        console.print(f"[{colour}]{_heard(lesson, said)}[/]{'' if heard.done else _rows(heard.rules)}", soft_wrap=True)


def _heard(lesson: Lesson, text: str) -> str:
    """The answer to a choice: the lesson's words, or the words common to all lessons."""
    own = word(text)
    return escape(own) if own != text else _told(lesson, text)


def _rows(rules: Sequence[str]) -> str:
    return f"  [dim]({', '.join(rules)})[/]" if rules else ""


COMMANDS = (lesson,)
