"""One sentence per event of Joan of Arc, for one viewer."""

from typing import Final

from domain.kernel import DiceRolled, Event, Shuffled
from projections.blocks.narration import Telling, narrator
from projections.games.joan_of_arc import field_tellings, tellings
from projections.games.joan_of_arc.texts import dice_shown
from projections.games.joan_of_arc.words import View
from projections.words import count, player

SENTENCES: Final[dict[type[Event], Telling]] = tellings.SENTENCES | field_tellings.SENTENCES


def own(view: View, event: Event) -> str | None:
    """Rolls are told by the faces of the dice.

    Shuffles are not told, because the event of the resulting deck tells them; the shuffle of the sky is told.
    """
    if isinstance(event, DiceRolled):
        return rolled(view, event)
    if isinstance(event, Shuffled) and event.rule != "clock":
        return f"The {count(event.size, 'tile')} of the sky are shuffled." if event.title == "sky" else ""
    return None


def rolled(view: View, event: DiceRolled) -> str:
    """A roll with what each die shows: "Abel, Attack: yellow blank, white shield (JA-107)"."""
    who = f"{player(view, event.seat)}, " if event.seat is not None else ""
    return f"{who}{event.title}: {dice_shown(event)} ({event.rule})."


narrate = narrator(SENTENCES, own)
