"""Seats of rated matches: a person who notes a seat before its first choice gets its result, whether won or lost."""

from replay.files.export import created
from replay.store.store import Store


def note_rated(store: Store, person: str, match: str, seat: int) -> None:
    """Note a person's seat for ratings, if the match is rated and the seat has made no choice yet.

    Later, players could pick their results: a player about to win would note the seat, and a player about to lose would
    not.
    """
    if not created(store, match).rated or store.header(match).status == "finished":
        return
    if not any(entry.type == "Chosen" and entry.actor == seat for entry in store.read(match)):
        store.rated_players.sit(person, match, seat)
