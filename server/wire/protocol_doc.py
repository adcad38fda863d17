"""docs/protocol.md, made from `server.wire.protocol`: `python -m server.wire.protocol_doc` writes it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, get_args

import msgspec
from msgspec import Struct, inspect

from domain.kernel import OfferTerms, OpenCards, TimeControl
from replay.record.seat_draw import SeatDraw
from server.operations.settings import DEFAULT_LIMITS, Settings
from server.wire import codes, protocol
from server.wire.account_messages import (
    DeviceInfo,
    FormerHandle,
    InvitationTold,
    MyMatch,
    NoticeInfo,
    OwnClaim,
    OwnSeat,
    PairingInfo,
    PasskeyInfo,
    SessionInfo,
    SignedAhead,
    ToldMove,
)
from server.wire.analysis_messages import Counsel, Fortune, Point, Preferred, TurningPoint, Weighing
from server.wire.direction_messages import Direction, Inset, Mark
from server.wire.hint_messages import Suggested
from server.wire.inviting import InvitedSeat
from server.wire.lesson_messages import Passage
from server.wire.notice_messages import ChannelInfo, QuietInfo
from server.wire.opponent_messages import (
    BotOffer,
    CurvePoint,
    OfferTold,
    ProfileGame,
    ProfileMatch,
    RankInfo,
    Terms,
)
from server.wire.person_messages import ClaimOpening, PersonInfo, Voucher
from server.wire.safety_messages import ReportedLine, ReportInfo, Shunned, StaffEntry
from server.wire.standing_messages import AnswerAhead, KeptAnswer

PATH: Final = Path(__file__).parents[2] / "docs" / "protocol.md"
COMMAND: Final = "python -m server.wire.protocol_doc"

HEAD: Final = f"""# The protocol

After reading this page you can speak with a server message by message, knowing each field, its bounds and the
codes of refusal.

Generated from `server/wire/protocol.py` by `{COMMAND}`; a test keeps the two alike.

A websocket at `/ws`, subprotocol `{protocol.SUBPROTOCOL}`; who enters a match had better take `/ws/HASH`, where HASH is
the match's name hashed by FNV-1a to 32 bits, in eight hexadecimal digits: a server of several processes, and a proxy
before several servers, can tell by it where the match lives. Either serves every match.

Every message is one text frame with one JSON object; `t` names its kind.
A client's frame has at most {protocol.FRAME_LIMIT // 1024} KiB and no unknown fields.
A server's message may gain fields: ignore what you do not know. Machines read [the schemas](schema/), made from the
same types: JSON Schema of every message, Scene and event, and an AsyncAPI document; a server has them at `/schema/`.

These may come without a new subprotocol: fields and kinds of a server's messages, optional fields of a client's, kinds
of prompts' words, codes. These need a new one (`herald.v2+json`): a field that goes, changes its meaning or is
demanded. A client names its abilities in `caps` of `hello`; a server ignores those that it does not know.

## A match in nine messages

    client   {{"t":"create","game":"vera_discordia","seats":[{{"kind":"me","name":"Ada"}},{{"kind":"bot"}}]}}
    server   {{"t":"created","match":"M","tokens":{{"0":"T"}}}}
    client   {{"t":"hello","match":"M","token":"T","caps":["scene"]}}
    server   {{"t":"welcome","match":"M","viewer":{{"as":"seat","seat":0}},"head":{{"seq":9,"hash":"..."}}, ...}}
    server   {{"t":"snapshot","seq":9,"scene":{{...}},"head":{{...}}}}
    client   {{"t":"choose","id":"a1","decision":3,"choice":0}}
    server   {{"t":"events","from":10,"to":14,"items":[...],"steps":[...],"head":{{...}}}}
    server   {{"t":"accepted","id":"a1","seq":10}}
    server   {{"t":"events","from":15,"to":21,"items":[...],"steps":[...],"head":{{...}}}}

- **Tokens** open seats. They are told once, kept by the server as a hash only, and travel in messages, never in an
  address that a server sees; page links carry them behind the `#`.
- **Invitations** open a seat once. `created` tells them for the seats `invited`; `invitation` asks what one is for and
  uses nothing up; `join` exchanges it for a token that the client has drawn, so that nobody else ever had it. Asked
  again with the same token, `join` is answered alike. `withdraw` puts another invitation in its place.
- **Devices**: `devices` tells the holders of a seat on how many devices it is open, where it is on several; `renew`
  closes it on all but the one that asks.
- **Lines** are numbered from 1 without a gap, the same numbers for every viewer. An item is
  `[line, [[slot, value], ...]]`: the line of the record as it is stored (docs/record.md) and the secrets that this
  viewer holds. The view of a viewer is the game's own fold over its items.
- **Returning**: `hello` with `since` gets everything after that line, the same bytes as before, at any depth. A client
  that sees a gap sends `need`.
- **Scenes**: with `scene` in `caps` the server sends the things to draw: a `snapshot`, then `steps` that patch it. The
  steps of an `events` frame patch the Scene at line `from` - 1 and no other; a client whose Scene is of another line
  sends `need` and waits for the next `snapshot`. A snapshot replaces whatever is shown, also a later Scene: a server
  that came back may show delayed spectators less than before. Bots and verifiers do without.
- **Accepted** means durable: the choice and its consequences are on disk before anybody is told. `choose` with an id
  that was accepted before is answered with the same `accepted`, also after a restart.
- **Refused** means that nothing has changed: `code` is stable, `rule` a rule's id, `why` a sentence for people.
- **Watching**: `hello` with `"as":"spectator"` and no token. A match may be closed to spectators, and then it is
  answered as no match; or it keeps them behind (`delay`): every line, head, Scene and list shows an earlier moment.
- **Open cards**: where line 1 has `open_cards`, `hello` with `"as":"open"` shows all hands at an earlier end of the
  same record. An item opens every slot that some seat holds, and `salts` has the salt of each opening, line by line, in
  place of a key: a client makes each seal again (docs/record.md 3) and refuses a line whose openings are others, or a
  match whose line 1 does not say so. A slot that nobody holds, such as the order of a deck, stays shut. Nothing else
  comes: no clock, no chat, presence when it changes and never because somebody plays. A player agrees by sitting down,
  so the list, an invitation and `welcome` say it; `games` says the shortest delay and which secrets outlast it.
- **Casters**: a caster enters with a token that a seat's owner got by `grant`, and is sent what the seat is sent,
  without keys.
- **Directors**: a director enters with a token that a seat's owner got by `grant` with `directs`, watches as a
  spectator or with open cards, and says with `direct` what others look at: a moment, a replay, a seat's eyes, marks, a
  note. It goes as `directed` to viewers of the same kind alone, and points at no line that they do not have. `remark`
  and `voice` keep a commentary, which lies beside the match.
- **Chat** goes to the own room: seats to seats, spectators to spectators. Casters neither speak nor hear.
- **Clocks** are sent as they stand when the frame is made: a clock that runs (`run`) goes on from there in the client.
  They follow from the record (docs/record.md 5), so a client that folds it can check them.
- **At the table**: `resign`, `offer`, `agree`, `decline`, `claim`, `vacation` and `hint` are for holders of a seat;
  each is a line of the record and answered as `choose` is. `table` says what is open.
- **Hints**: where a match was created with `hints`, a seat asks with `hint` for the search's choice in a
  decision. The search uses only what the seat knows; `hinted` comes seconds later, to that connection alone;
  with `early` first results come before, each better than the one before, until `stop_hint`. A
  client that lost its connection sends the same message again.
- A viewer that reads too slowly is left out and caught up later, by the lines or the Scene, `seats`, `presence` and
  what was said meanwhile. One that stays behind is closed with 4008, which it does not see unless it reads on: cut
  off two seconds later, it finds the connection broken (1006).
- **Ids**: any message may carry an `id`; its answer (`accepted`, `refused`, `error`, `created`, `joined`) repeats
  it. Choices and acts need one, of their own: the same id with other words is refused (`id-used`). Ids of one seat
  are one space, whatever connection they come from; those of the server's bots and clock are apart from them.
- **Options**: an answer's option is its number, as JSON's number or as the same figures in text: `0` or `"0"`, not
  `"00"` nor the figures of another script. Items, slots and places are called as the prompt calls them.
- **Lessons** are taken without a match and without `hello`: each `study` says the lesson and all choices made in it so
  far, and the answer holds the consequences of the last one. The server keeps nothing, so nothing is lost with it, and
  fewer choices go back. There is no record, and the dice are the lesson's; off its way they follow from the choices.
- **Heads**: `head` of `events` is the chain's after the frame's last line, in each portion of a backlog too, so that
  portions are checked one by one. The last of them is signed as in the record, after a restart of the server too.
- A client that offers no subprotocol, or others than `{protocol.SUBPROTOCOL}` alone, is refused the websocket with
  HTTP 400.
- A second `hello` on a connection leaves the first match and enters the one it names, with the token it brings; where
  it is refused, the connection stays where it was.
- A seat may have many connections: each is sent everything and may answer, the first answer counts, and the others
  are told `stale-decision`. Presence is counted by seat. The seat is absent when the last of its connections is gone.
- An offer stands until it is accepted, declined or taken back. Any choice ends an offer to take back, a choice of
  another seat one of a draw, the end of the pause one to go on; a seat handed to a bot and the end of the match end
  all. A declined offer cannot be made again before the next choice.
- A Scene's `log` holds the last 200 lines narrated. A bot waits {Settings().bot_delay_s:g} s before it answers,
  unless the server was started with another `--bot-delay`.
- **Accounts** need no `hello` and no match, and no match needs an account. A connection asks for a challenge, which a
  device signs (docs/people.md); all later messages name the session, over whatever connection, at whatever server
  with the same database. A connection that has named a match may have no challenge: sign in over one of its own.
- **Opponents**: whoever is signed in sends `play-now` every two seconds until `found`, over whatever connection, at
  whatever server with the same database; the seat is drawn from sealed lots (docs/record.md). `offers`, `ratings` and
  `profile` need no account.
- An address creates {DEFAULT_LIMITS.creations_per_minute:.0f} matches at once and so many a minute (`too-often`).
  So does the server's own machine; where a proxy on it is named in `proxies`, each that comes through it by his own
  address, and what comes from the machine itself is not counted.
- Beyond {DEFAULT_LIMITS.wrong_tokens_per_minute:.0f} wrong tokens a minute from one address, or at one match, each is
  answered {DEFAULT_LIMITS.wrong_token_s:g} s later; a right one never is.
- A client that sends faster than {DEFAULT_LIMITS.messages_per_s:.0f} messages a second is read more slowly; it
  loses nothing.
- A full server closes with 4013: for a seat a spectator goes, for a newcomer goes who came first of those in no match.
  Connect again, after some seconds at first and ever later.
"""


def _type(kind: inspect.Type) -> str:
    match kind:
        case inspect.StrType(max_length=most):
            return f"string, at most {most} characters" if most else "string"
        case inspect.IntType(ge=least, le=most):
            return "integer" + (f" from {least}" if least is not None else "") + (f" to {most}" if most else "")
        case inspect.FloatType():
            return "number"
        case inspect.BoolType():
            return "true or false"
        case inspect.LiteralType(values=values):
            return " or ".join(f'`"{value}"`' for value in values)
        case inspect.UnionType(types=types):
            return " or ".join(_type(part) for part in types if not isinstance(part, inspect.NoneType))
        case inspect.VarTupleType(item_type=item):
            return f"list of {_type(item)}"
        case inspect.TupleType(item_types=items):
            return f"[{', '.join(_type(part) for part in items)}]"
        case inspect.DictType(value_type=value):
            return f"object of {_type(value)}" if not isinstance(value, inspect.AnyType) else "object"
        case inspect.StructType(cls=cls):
            return f"[{cls.__name__}](#{cls.__name__.lower()})"
        case inspect.AnyType():
            return "any JSON"
        case inspect.Metadata(type=inner):
            return _type(inner)
    raise NotImplementedError(kind)


def _default(field: inspect.Field) -> str:
    if field.required:
        return "required"
    if field.default_factory is dict:
        return "`{}`"
    return "" if field.default in (None, msgspec.NODEFAULT) else f"`{msgspec.json.encode(field.default).decode()}`"


def _shape(cls: type[Struct], name: str) -> Iterator[str]:
    info = inspect.type_info(cls)
    assert isinstance(info, inspect.StructType), "messages are structs"
    yield f"### {name}\n"
    yield f"{_doc(cls)}\n"
    tag_field, tag = info.tag_field, info.tag
    if tag_field not in (None, "t"):
        yield f'`{tag_field}` is `"{tag}"`.\n'
    if info.fields:
        yield "| Field | Value | Default |"
        yield "|---|---|---|"
        for field in info.fields:
            yield f"| `{field.encode_name}` | {_type(field.type)} | {_default(field)} |"
        yield ""


def _doc(cls: type[Struct]) -> str:
    lines = (cls.__doc__ or "").strip().split("\n")
    return "\n".join(line.strip() for line in lines)


def _messages(kinds: tuple[type[Struct], ...]) -> Iterator[str]:
    for cls in kinds:
        yield from _shape(cls, str(cls.__struct_config__.tag))


def _table(heads: tuple[str, str], rows: dict[str, str]) -> Iterator[str]:
    yield f"| {heads[0]} | {heads[1]} |"
    yield "|---|---|"
    yield from (f"| `{name}` | {text} |" for name, text in rows.items())


PARTS: Final = (
    protocol.SeatWish,
    protocol.ChoiceSignature,
    protocol.HeldSeat,
    protocol.Turn,
    protocol.SeatInfo,
    protocol.ClockInfo,
    protocol.TableInfo,
    protocol.OfferInfo,
    TimeControl,
    OpenCards,
    *get_args(OfferTerms),
    protocol.HeadInfo,
    protocol.ViewerInfo,
    protocol.Delay,
    protocol.ChatLine,
    Direction,
    Mark,
    Inset,
    protocol.GameInfo,
    Passage,
    InvitedSeat,
    Suggested,
    Point,
    TurningPoint,
    Preferred,
    Fortune,
    Counsel,
    Weighing,
    protocol.MatchInfo,
    DeviceInfo,
    FormerHandle,
    NoticeInfo,
    PairingInfo,
    PasskeyInfo,
    SessionInfo,
    Shunned,
    StaffEntry,
    ReportInfo,
    ReportedLine,
    OwnClaim,
    ClaimOpening,
    PersonInfo,
    Voucher,
    AnswerAhead,
    KeptAnswer,
    OwnSeat,
    ChannelInfo,
    QuietInfo,
    SignedAhead,
    ToldMove,
    MyMatch,
    InvitationTold,
    Terms,
    BotOffer,
    SeatDraw,
    OfferTold,
    RankInfo,
    CurvePoint,
    ProfileGame,
    ProfileMatch,
)


def document() -> str:
    """The page's text."""
    lines = [HEAD, "## From the client\n"]
    lines += _messages(protocol.CLIENT_MESSAGES)
    lines += ["## From the server\n", *_messages(protocol.SERVER_MESSAGES), "## Parts of messages\n"]
    for cls in PARTS:
        lines += _shape(cls, cls.__name__)
    lines += ["## Codes of `error` and `refused`\n", *_table(("Code", "Meaning"), codes.CODES)]
    closes = {str(code): f"{text[0].upper()}{text[1:]}." for code, text in codes.CLOSE_CODES.items()}
    lines += ["\n## Close codes\n", *_table(("Code", "Meaning"), closes)]
    lines += ["\n## HTTP on the same port\n", *_table(("Address", "Content"), codes.ADDRESSES)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PATH.write_text(document(), encoding="utf-8")
    sys.stdout.write(f"wrote {PATH.name}\n")
