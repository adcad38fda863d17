"""Dispatches one connection's messages about persons: signing in by a challenge, and accounts by session."""

import asyncio
from typing import Final

import msgspec
from msgspec.structs import astuple, replace

from replay.store.side_tables.devices import SessionRow
from replay.store.side_tables.seat_entries import EntryRow
from replay.store.side_tables.standing import StandingRow
from server.gate.notice_dispatcher import NoticeDispatcher
from server.gate.notice_dispatcher import told as notices_told
from server.gate.safety_dispatcher import SafetyDispatcher
from server.lobby.lobby import Lobby
from server.lobby.rated_seats import note_rated
from server.moderation.errors import Sanctioned
from server.people.accounts import Entered, Proof
from server.people.challenges import CHALLENGE_S, Challenges, SigningPlace, signed_message
from server.people.errors import AccountRefused, SignInRefused
from server.people.passkeys import are_possible
from server.table.guests import identify
from server.wire.account_messages import (
    AccountAnswer,
    AccountMessage,
    AccountTold,
    AddPasskey,
    AskChallenge,
    AskPairing,
    CalendarLink,
    CalendarTold,
    Challenged,
    ConfirmPairing,
    Deleted,
    DeleteMe,
    Done,
    DropPasskey,
    EnterSeat,
    Exported,
    ExportMe,
    KeepSeat,
    ListMine,
    OfferPairing,
    OwnClaim,
    Pairing,
    PairingOffered,
    PasskeyIn,
    ReadAccount,
    Recover,
    RecoveryCode,
    Rename,
    RenewCode,
    RevokeDevice,
    SeatEntered,
    SignedAhead,
    SignedIn,
    SignIn,
    SignOut,
    SignUp,
    ToldMove,
)
from server.wire.notice_messages import NoticeAnswer, NoticeMessage
from server.wire.person_messages import Voucher
from server.wire.protocol import Hello
from server.wire.safety_messages import (
    Moderate,
    ReadReports,
    ReadSafety,
    ReadStaffLog,
    SafetyAnswer,
    SafetyMessage,
    Shun,
)
from server.wire.standing_messages import AnswerAhead

NOWHERE: Final = SigningPlace("")
"""The place of a connection that another process handed over; this connection has no challenge."""
Showing = SignUp | SignIn | Recover | AskPairing | PasskeyIn
"""Messages that show a device's signature."""
OWN: Final = (
    ReadAccount | ExportMe | DeleteMe | SignOut | ReadSafety | RevokeDevice | OfferPairing | ConfirmPairing | RenewCode
)
"""Messages about a person's own data and devices, which everybody can always send."""


class AccountDispatcher:
    """Serves the account messages of one connection. `place`: where the connection was opened; `address`: the address
    from which it comes.
    """

    def __init__(self, lobby: Lobby, place: SigningPlace, address: str) -> None:
        self._lobby, self._place, self._address = lobby, place, address
        self._accounts, self._staff_log = lobby.accounts, lobby.safety.log
        self._challenges = Challenges()
        self._safety = SafetyDispatcher(lobby)
        self._notices = NoticeDispatcher(lobby, address)

    async def serve(
        self, message: AccountMessage | SafetyMessage | NoticeMessage
    ) -> AccountAnswer | SafetyAnswer | NoticeAnswer:
        """The answer to a message.

        Raises `SignInRefused`, `AccountRefused`, `SafetyRefused`, `NoticeRefused` and other errors if the message is
        refused.
        """
        if isinstance(message, NoticeMessage):
            return await self._notices.serve(message)
        answer: AccountAnswer | SafetyAnswer
        match message:
            case AskChallenge():
                return self._challenge(message)
            case SignUp() | SignIn() | Recover() | AskPairing() | PasskeyIn():
                self._lobby.connection_limits.assert_may_sign(self._address, is_new=isinstance(message, SignUp))
                answer = await asyncio.to_thread(self._show, message, self._challenges.take())
            case AddPasskey():
                answer = await asyncio.to_thread(self._add_passkey, message, self._challenges.take())
            case _:
                answer = await asyncio.to_thread(self._ask, message)
        return replace(answer, id=message.id)

    def _challenge(self, message: AskChallenge) -> Challenged:
        if self._place == NOWHERE:
            raise SignInRefused("Sign in over a connection of its own, at /ws, before it enters a match.")
        drawn = self._challenges.draw()
        place, seconds = self._place, int(CHALLENGE_S)
        return Challenged(drawn, place.site, place.origin, seconds, message.id, are_possible())

    def _show(self, message: Showing, challenge: str) -> AccountAnswer:
        """Serve a message with a device's signature; it runs in a thread."""
        match message:
            case SignUp(handle=handle, name=name):
                proof = self._proof(message, challenge, handle)
                return self._signed_in(self._accounts.sign_up(proof, handle, name))
            case SignIn():
                return self._signed_in(self._accounts.sign_in(self._proof(message, challenge)))
            case Recover(code=code, name=name):
                return self._signed_in(self._accounts.recover(self._proof(message, challenge, code), code, name))
            case PasskeyIn(credential=credential, name=name):
                proof = self._proof(message, challenge)
                passkeys, place = self._lobby.passkeys, self._place
                return self._signed_in(passkeys.enter(proof, proof.message, place, credential, name))
            case AskPairing(code=code, name=name):
                return Pairing(self._accounts.ask_pairing(self._proof(message, challenge, code), code, name))

    def _add_passkey(self, message: AddPasskey, challenge: str) -> AccountAnswer:
        """Serve a message with an authenticator's signature; it runs in a thread."""
        session = self._accounts.session(message.session)
        self._lobby.connection_limits.assert_may_ask(session.person)
        expected = signed_message("add-passkey", self._place, challenge, session.key) if challenge else b""
        self._lobby.passkeys.add(session.person, expected, self._place, message.credential, message.name)
        return self._account(session)

    def _proof(self, message: Showing, challenge: str, *said: str) -> Proof:
        """The signature with the text that it must cover: an empty text if no challenge is open."""
        purpose = type(message).__struct_config__.tag
        expected = signed_message(str(purpose), self._place, challenge, message.key, *said) if challenge else b""
        return Proof(message.key, message.signature, expected)

    def _signed_in(self, entered: Entered) -> SignedIn:
        handle = self._lobby.profiles.handle(entered.person)
        return SignedIn(entered.token, entered.until, handle, entered.recovery)

    def _ask(self, message: AccountMessage | SafetyMessage) -> AccountAnswer | SafetyAnswer:
        """Serve a message of a person who is signed in; it runs in a thread."""
        assert not isinstance(message, AskChallenge | Showing)
        session = self._accounts.session(message.session)
        self._lobby.connection_limits.assert_may_ask(session.person)
        accounts, person = self._accounts, session.person
        self._assert_may(message, person)
        match message:
            case Shun() | ReadSafety() | ReadReports() | Moderate() | ReadStaffLog():
                return self._safety.serve(message, session)
            case ReadAccount():
                pass
            case Rename(handle=handle):
                accounts.rename(person, handle)
            case RevokeDevice(key=key):
                accounts.revoke(person, key)
            case DropPasskey(passkey=name):
                self._lobby.passkeys.drop(person, name)
            case ConfirmPairing(key=key, signature=signature):
                accounts.pair(person, key)
                self._lobby.claims.vouch(person, session.key, key, self._place.site, signature)
            case OfferPairing():
                return PairingOffered(*accounts.offer_pairing(person))
            case RenewCode():
                return RecoveryCode(accounts.renew_code(person))
            case ListMine(group=group, text=text, after=after):
                page = self._lobby.own_matches.page(person, group, text, after)
                return page if after else replace(page, invitations=self._lobby.person_invitations.told(person))
            case ExportMe():
                return self._exported(session)
            case DeleteMe(handle=handle):
                return self._delete(person, handle)
            case SignOut() | KeepSeat() | CalendarLink() | EnterSeat():
                return self._note(message, session)
        return self._account(session)

    def _account(self, session: SessionRow) -> AccountTold:
        at_table = self._lobby.public_profiles.shown(session.person).at_table
        return replace(self._lobby.profiles.account(session), at_table=at_table)

    def _assert_may(self, message: AccountMessage | SafetyMessage, person: str) -> None:
        """Raise `Sanctioned` if the staff has restricted the person.

        People can always read and delete their own data.
        """
        if not isinstance(message, OWN):
            shut_out = self._staff_log.shut_out(person)
            if shut_out is not None:
                raise Sanctioned(f"The staff has shut this account out: {shut_out.why}")

    def _exported(self, session: SessionRow) -> Exported:
        store, person = self._lobby.store, session.person
        told = self._safety.told(person)
        search = store.opponents.seeker(person)
        notices = notices_told(self._lobby, person)
        return replace(
            self._lobby.profiles.export(session),
            rated_as=store.rated_players.name(person),
            invitations=self._lobby.person_invitations.told(person),
            shown=store.opponents.shown(person),
            search="" if search is None else search.terms,
            claims=tuple(
                OwnClaim(row.match, row.line, row.seat, row.site, row.key, row.salt, row.signature, row.shown)
                for row in store.claims.of_person(person)
            ),
            calendar_ms=store.calendars.since(person),
            channels=notices.channels,
            quiet=notices.quiet,
            told=tuple(
                ToldMove(row.channel, *astuple(wait))
                for row in notices.channels
                for wait in store.notices.waits(person, row.channel)
            ),
            ahead=tuple(map(_signed_ahead, self._lobby.seat_entry.signed_ahead(person))),
            shunned=told.shunned,
            entries=told.entries,
            reports=self._safety.reports_by(person),
            vouchers=tuple(Voucher(row.site, row.by, row.key, row.signature) for row in store.claims.vouchers(person)),
        )

    def _note(
        self, message: SignOut | KeepSeat | CalendarLink | EnterSeat, session: SessionRow
    ) -> Done | CalendarTold | SeatEntered:
        if isinstance(message, EnterSeat):
            seat = self._lobby.seat_entry.enter(session.person, message.match, message.token)
            header = self._lobby.store.header(message.match)
            to = self._lobby.claims.shown(session.person, message.match, seat)
            return SeatEntered(message.match, seat, header.game, header.title, shown=to)
        if isinstance(message, CalendarLink):
            return CalendarTold(self._lobby.deadlines.link(session.person, on=message.on))
        if isinstance(message, SignOut):
            self._accounts.sign_out(message.session)
            return Done()
        _, guest = identify(self._lobby.store, Hello(message.match, message.token))
        if guest.role != "seat" or guest.viewer.seat is None:
            raise AccountRefused("This token is no seat's: it lets you watch, and not play.")
        if not message.on and self._staff_log.is_muted(session.person):
            raise Sanctioned("The staff has muted this account; its seats stay noted until that is over.")
        self._lobby.profiles.keep_seat(session.person, message.match, guest.viewer.seat, on=message.on)
        if message.on:
            shown = EntryRow(session.person, message.match, guest.viewer.seat, guest.held)
            self._lobby.seat_entry.note(session.key, shown, message.signature)
        else:
            self._lobby.seat_entry.drop(session.person, message.match, guest.viewer.seat)
        if message.on and message.claim is not None:
            place = message.match, guest.viewer.seat
            self._lobby.claims.keep(session.person, session.key, self._place.site, place, message.claim)
        if message.on:
            note_rated(self._lobby.store, session.person, message.match, guest.viewer.seat)
        return Done()

    def _delete(self, person: str, handle: str) -> Deleted:
        if self._lobby.profiles.handle(person) != handle:
            raise AccountRefused("Type your handle as it is, to delete your account.")
        store = self._lobby.store
        store.rated_players.sever(person)
        store.moderation.forget(person)
        store.calendars.close(person)
        self._lobby.seat_entry.drop_signed_ahead(person)
        store.seat_entries.forget(person)
        store.notices.forget(person)
        store.opponents.forget(person)
        return Deleted(later=not store.people.forget(person))


def _signed_ahead(row: StandingRow) -> SignedAhead:
    answers = msgspec.json.decode(row.answers, type=tuple[AnswerAhead, ...])
    return SignedAhead(row.match, row.seat, row.ack_seq, row.ack_head, answers)
