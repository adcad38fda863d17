"""The codes and addresses of the wire, each with its meaning; part of docs/protocol.md."""

from typing import Final

CODES: Final = {
    "bad-message": "The frame is no message of this protocol; `why` names the place.",
    "not-admitted": "There is no such match, or not with this token; which of the two is not told.",
    "beyond-head": "The record has not so many lines: `since` names one that is not there.",
    "cannot-create": "Game, options or seats cannot be played; `why` says what to change.",
    "cannot-pair": "Nobody can be found or invited so, or the search or invitation is over; `why` says which.",
    "cannot-judge": "The match is not over, or not open to you, or too many wait to be judged; `why` says which.",
    "cannot-hint": "No hint is given now: too many wait, it was too fast, or there is none to give; `why` says which.",
    "no-hints": "The match was created without hints, or is a table of an event.",
    "cannot-study": "There is no such lesson, or it goes no further; `why` says which.",
    "too-often": "Matches or accounts are made from this address, or an account is asked for, too fast; wait a minute.",
    "sign-in-refused": "Key, signature, challenge, code or session lets nobody in; it is not told which.",
    "safety-refused": "A block, a report or an act of the staff cannot be so: `why` says what to do.",
    "sanctioned": "The staff of the server keeps this person from it; the account says why.",
    "account-refused": "The account cannot be changed so: `why` says what to do.",
    "grant-refused": "Only the holder of a seat can share its view, with a few casters.",
    "direction-refused": "It points at what is not there, was too fast, or came without a director's token; see `why`.",
    "commentary-refused": "The part of a commentary does not fit, or there is no room for it; `why` says which.",
    "hook-refused": "The seat's holder cannot be told at this address; `why` says why.",
    "notice-refused": "The person cannot be told so, or asks too often; `why` says what to do.",
    "chat-refused": "The line was not said: too fast, empty, or by somebody who has no voice here; `why` says which.",
    "cannot-sit": "The seat is taken, was never open, or is kept for a friend's link.",
    "no-match": "Say `hello` to a match first.",
    "not-begun": "The match waits until every seat is taken, or for the shares of chance that `why` names.",
    "match-over": "The match has ended; no more choices are taken.",
    "match-paused": "The match is paused; offer to go on, or wait for the end of the pause.",
    "out-of-time": "The seat's time was over before the choice came; the clock decides.",
    "not-now": "The act at the table is not possible in the present state; `why` says why.",
    "stale-decision": "The decision is answered, replaced or was never asked; answer the latest.",
    "not-your-decision": "The decision is another seat's, or the client only watches.",
    "not-offered": "The choice is none of the options; `rule` names the rule that asks.",
    "not-a-choice": "The choice cannot be read: neither an answer to the form nor one of the game's choices.",
    "not-signed": "The seat has a key: its choices, and all else that it does, must be signed.",
    "seat-refused": "The seat, its key or its share of chance cannot be taken; `why` says why.",
    "id-used": "The id has been used for another decision, choice or act; send this one with an id of its own.",
    "other-record": "The line acknowledged is not the line this record has: the histories differ.",
    "try-again": "The record could not be read or written now; send the message again, with the same id.",
    "server-fault": "The server failed; nothing has changed, unless the text says that this is not known.",
    "watch-only": "This server is a relay: it shows matches and does nothing else.",
    "unknown-game": "The match is of a game that this relay does not know; another server shows it.",
    "origin-away": "Of a relay: the server that the match comes from cannot be reached. The table shown may be old.",
    "origin-broken": "Of a relay: it was sent lines that are not the match's record; it shows those it has checked.",
}
"""The values of `code` in `error` and `refused`."""

CLOSE_CODES: Final = {
    1001: "the server is going down; connect again",
    1009: "the frame was too large",
    1013: "the record could not be read or written; connect again",
    4000: "no hello within five seconds",
    4001: "too many broken messages",
    4003: "too many refused attempts to enter",
    4008: "the client read too slowly; connect again",
    4010: "the seat no longer shares its view, or lets nobody direct; this token is void",
    4011: "the seat was given another token; this one no longer opens it",
    4013: "the server is full, seats come first; try again later",
}

ADDRESSES: Final = {
    "/": "The lobby: create, join, watch.",
    "/play#m=MATCH&t=TOKEN": "A seat's table.",
    "/play#m=MATCH&i=INVITATION": "The match and seat of an invitation, and the way to sit down by it.",
    "/watch#m=MATCH": "A spectator's table.",
    "/follow#m=MATCH&talk=TRACK": "A match as a director shows it, live; or a match that is over, with a commentary.",
    "/desk#m=MATCH&t=TOKEN": "A director's desk (docs/broadcast.md); `&open=1`: in view of all hands.",
    "/replay#m=MATCH&seq=LINE": "A match from its record, at a line.",
    "/army#g=GAME": "The builder of armies, for games that have them.",
    "/me": "One's own account: sign up, matches on all devices, devices (docs/people.md).",
    "/ratings#g=GAME": "The leaderboards; `/ratings#p=HANDLE`, what a person or a bot shows (docs/ratings.md).",
    "/learn#g=GAME": "A game's lessons, and those finished in this browser.",
    "/lesson#g=GAME&n=LESSON": "A lesson is taken.",
    "/guide#g=GAME": "How a game is played, with pictures.",
    "/lessons/": "The learning material of each game; `/lessons/GAME?lang=de`, its lessons with their `language`.",
    "/guides/GAME": "How a game is played: parts with Scenes; `?lang=de` in another language.",
    "/armies/": "The games whose armies can be built; `/armies/GAME`, the places and cards of one and ready armies;"
    " `/armies/GAME?draft=JSON`, what a draft costs and every rule it breaks (`projections/armies.py`); both with"
    " `lang=de` in German.",
    "/api/bundle/MATCH": "A replay bundle (docs/scene.md 6): the public viewpoint; every seat's once the match is over"
    " and its secrets are public. `?view=pub` gives one viewpoint.",
    "/api/record/MATCH": "The record as a file for `herald audit` (docs/record.md 7): as a spectator holds it; with"
    " every secret once the match is over and they are public.",
    "/api/commentary/MATCH": "The commentaries on a match, none until it is over: `tracks`, each with what was"
    " `said`, when, and at which line; `/api/commentary/MATCH/TRACK.webm`: the sound of one.",
    "/api/outlook/MATCH": "The chance of each side to win a match, from what spectators know: how often it won of"
    " `samples` that bots played on after `line`, hidden cards drawn anew; `said` and `signed` as in `directed`. Empty"
    " if it is not known yet, or if the match is over and no delayed broadcast still shows it.",
    "/api/words/GAME": "Where the words of a game are: `{at}`, an address that may be kept for ever; there by key"
    " `name`, `text`, `rules` and `see`. `?lang=de`: in German, with `english`, the name that English texts have, where"
    " that differs, and `untranslated` where there is no German.",
    "/api/rules/GAME": "Where the rows of a game's rules are: `{at}`; there `sections`, and `rows` by id, each the"
    " number of its section and its cells.",
    "/schema/": "The JSON Schema and AsyncAPI documents: `messages.json`, `asyncapi.json`, and a file of events a"
    " game; the same as docs/schema/.",
    "/lines/GAME.json": "The shape of a game's lines, by which a page checks them: what docs/schema/lines.json has"
    " of it.",
    "/inspect#m=MATCH&t=TOKEN": "Of a server with `--develop` alone: all that one connection is sent.",
    "/inspect/view?m=MATCH&seq=LINE": "Of a server with `--develop` alone: the view after a line, as JSON, for a client"
    " that says `Authorization: Bearer TOKEN`, or of a spectator.",
    "/healthz": "`ok` while the server runs.",
}
