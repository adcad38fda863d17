"""Dispatches one connection's messages about opponents: searches, invitations, ratings and profiles."""

import asyncio

from msgspec.structs import replace

from server.lobby.lobby import Lobby
from server.wire.account_messages import Done
from server.wire.opponent_messages import (
    AnswerInvitation,
    InvitePerson,
    ListOffers,
    OpponentAnswer,
    OpponentMessage,
    PlayNow,
    ReadDraw,
    ReadProfile,
    ReadRatings,
    SeatsDrawn,
    ShowProfile,
    StopSearch,
)

OfPerson = PlayNow | StopSearch | InvitePerson | AnswerInvitation | ShowProfile
"""Messages of a person who is signed in."""


class OpponentDispatcher:
    """Serves one connection's messages about opponents. `address`: the address from which it comes."""

    def __init__(self, lobby: Lobby, address: str) -> None:
        self._lobby, self._address = lobby, address

    async def serve(self, message: OpponentMessage) -> OpponentAnswer | Done:
        """The answer to a message.

        Raises `SignInRefused`, `CannotPair`, `CannotCreate`, `AccountRefused` or `TooOften` if the message is refused.
        """
        if isinstance(message, OfPerson):
            answer = await self._of_person(message)
        else:
            answer = await self._of_anybody(message)
        return replace(answer, id=message.id)

    async def _of_anybody(self, message: ListOffers | ReadDraw | ReadRatings | ReadProfile) -> OpponentAnswer:
        lobby = self._lobby
        match message:
            case ListOffers(game=game):
                there = sum(lobby.connection_limits.counts.values())
                return await asyncio.to_thread(lobby.searches.offers, game, there)
            case ReadDraw(match=match):
                return SeatsDrawn(match, await asyncio.to_thread(lobby.searches.draw, match))
            case ReadRatings(game=game, after=after):
                return await asyncio.to_thread(lobby.public_profiles.board, game, after, lobby.registry.now_ms)
            case ReadProfile(handle=handle):
                return await asyncio.to_thread(lobby.public_profiles.told, handle)

    async def _of_person(self, message: OfPerson) -> OpponentAnswer | Done:
        lobby = self._lobby
        person = (await asyncio.to_thread(lobby.accounts.session, message.session)).person
        lobby.connection_limits.assert_may_ask(person)
        match message:
            case PlayNow():
                if message.begins:
                    lobby.connection_limits.assert_may_create(self._address)
                return await lobby.searches.play_now(person, message)
            case StopSearch(token=token):
                await asyncio.to_thread(lobby.searches.stop, person, token)
                return Done()
            case InvitePerson():
                lobby.connection_limits.assert_may_create(self._address)
                return await lobby.person_invitations.invite(person, message)
            case AnswerInvitation():
                return await lobby.person_invitations.answer(person, message) or Done()
            case ShowProfile():
                told = await asyncio.to_thread(lobby.public_profiles.show, person, message)
                lobby.searches.forget()
                return told
