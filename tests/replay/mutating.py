"""Files of records changed in one place, which an audit has to find, each with the name of its kind."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from random import Random
from typing import Any

from projections.redaction import Viewer, openings_for
from replay.files import export
from replay.files.export import EVERYTHING, Held, Record
from replay.record import sealing
from replay.record.line import read_line
from replay.record.serverkey import ServerKey

EVERY = 7
"""Lines from one checkpoint to the next."""

Lines = list[bytes]
Mutate = Callable[[Lines, Random], Lines]


def signed(record: Record, key: ServerKey) -> Record:
    """The record with checkpoints by a server's key, the last at the last line."""
    mid, head = sealing.unb64(record.match), sealing.genesis(sealing.unb64(record.match))
    record.checkpoints, last = [], len(record.held)
    for seq, held in enumerate(record.held, 1):
        head, at = sealing.link(head, held.line), read_line(held.line).at
        if seq % EVERY == 0 or seq == last:
            stamp = key.stamp(sealing.checkpoint_message(mid, seq, head, at))
            record.checkpoints.append((seq, sealing.u64(at) + stamp))
    return record


def as_held(record: Record, viewer: Viewer | None) -> Lines:
    """The file of a whole record as a viewer holds it; None is the viewer of everything."""
    assert record.secrets is not None
    if viewer is None:
        return list(export.write(record))
    held = [
        Held(one.line, dict(openings_for(read_line(one.line).masks, tuple(one.openings.values()), viewer)))
        for one in record.held
    ]
    mine = Record(record.match, record.game, viewer.label, record.end, held, checkpoints=record.checkpoints)
    mid, masks = sealing.unb64(record.match), {mask for one in record.held for mask in read_line(one.line).masks}
    mine.keys = {
        mask: sealing.audience_key(record.secrets.k_m, mid, mask)
        for mask in sorted({viewer.mask, *masks})
        if mask & viewer.mask
    }
    return list(export.write(mine))


def written(message: Any) -> bytes:
    """A message in the one way it is written."""
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def kind_of(line: bytes) -> str:
    """What a message is."""
    return str(json.loads(line)["t"])


def places(lines: Lines, kind: str) -> list[int]:
    """The places of messages of a kind."""
    front = f'{{"t":"{kind}"'.encode()
    return [i for i, line in enumerate(lines) if line.startswith(front)]


def _with(lines: Lines, at: int, *new: bytes) -> Lines:
    return [*lines[:at], *new, *lines[at + 1 :]]


def _bit(lines: Lines, random: Random) -> Lines:
    data = bytearray(b"".join(lines))
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return [bytes(data)]


def _byte_gone(lines: Lines, random: Random) -> Lines:
    data = b"".join(lines)
    at = random.randrange(len(data))
    return [data[:at] + data[at + 1 :]]


def _byte_more(lines: Lines, random: Random) -> Lines:
    data = b"".join(lines)
    at = random.randrange(len(data) + 1)
    return [data[:at] + bytes([random.randrange(256)]) + data[at:]]


def _cut(lines: Lines, random: Random) -> Lines:
    data = b"".join(lines)
    return [data[: random.randrange(len(data))]]


def _line_gone(lines: Lines, random: Random) -> Lines:
    return _with(lines, random.choice([0, *places(lines, "events")]))


def _line_twice(lines: Lines, random: Random) -> Lines:
    at = random.randrange(len(lines))
    return _with(lines, at, lines[at], lines[at])


def _lines_swapped(lines: Lines, random: Random) -> Lines:
    at = random.randrange(len(lines) - 1)
    return [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]


def _line_changed(lines: Lines, random: Random) -> Lines:
    """One letter of a line of the record, in JSON that can still be read."""
    at = random.choice(places(lines, "events"))
    message = json.loads(lines[at])
    text = message["items"][0][0]
    message["items"][0][0] = _letter(text, random)
    return _with(lines, at, written(message))


def _letter(text: str, random: Random) -> str:
    at = random.randrange(len(text))
    new = random.choice([letter for letter in "019aZ_-{[" if letter != text[at]])
    return text[:at] + new + text[at + 1 :]


def _rechained(lines: Lines, change: Callable[[list[Any]], None], at: int) -> Lines:
    """A line's fields changed and every head made again; only the checkpoints are as they were."""
    messages = [json.loads(line) for line in lines]
    head = sealing.genesis(sealing.unb64(messages[0]["match"]))
    for i in places(lines, "events"):
        if i == at:
            fields = json.loads(messages[i]["items"][0][0])
            change(fields)
            messages[i]["items"][0][0] = written(fields)[:-1].decode()
        head = sealing.link(head, messages[i]["items"][0][0].encode())
        messages[i]["head"]["hash"] = sealing.b64(head)
    messages[0]["head"]["hash"] = sealing.b64(head)
    return list(map(written, messages))


def _mask_changed(lines: Lines, random: Random) -> Lines:
    sealed = [i for i in places(lines, "events") if json.loads(json.loads(lines[i])["items"][0][0])[9]]
    bit = 1 << random.randrange(9)

    def change(fields: list[Any]) -> None:
        random.choice(fields[9])[0] ^= bit

    return _rechained(lines, change, random.choice(sealed))


def _actor_changed(lines: Lines, random: Random) -> Lines:
    actor = random.choice([-2, 2, 7, 255])
    return _rechained(lines, lambda fields: fields.__setitem__(6, actor), random.choice(places(lines, "events")))


def _opened(lines: Lines, random: Random) -> tuple[int, dict[str, Any]]:
    """A message with openings; where the view holds none, one of a line with seals."""
    messages = {i: json.loads(lines[i]) for i in places(lines, "events")}
    at = random.choice(
        [i for i, m in messages.items() if m["items"][0][1]] or [i for i, m in messages.items() if '[["' not in m]
    )
    return at, messages[at]


def _opening_gone(lines: Lines, random: Random) -> Lines:
    at, message = _opened(lines, random)
    openings = message["items"][0][1]
    if openings:
        openings.remove(random.choice(openings))
    else:
        openings.append([0, "null"])
    return _with(lines, at, written(message))


def _all_openings_gone(lines: Lines, random: Random) -> Lines:
    if not any(json.loads(lines[i])["items"][0][1] for i in places(lines, "events")):
        return _opening_gone(lines, random)
    messages = [json.loads(line) for line in lines]
    for message in messages:
        if message["t"] == "events":
            message["items"][0][1] = []
    return list(map(written, messages))


def _opening_changed(lines: Lines, random: Random) -> Lines:
    at, message = _opened(lines, random)
    openings = message["items"][0][1]
    if openings:
        one = random.choice(openings)
        one[1] = _letter(one[1], random)
    else:
        openings.append([0, "1"])
    return _with(lines, at, written(message))


def _second_opening(lines: Lines, random: Random) -> Lines:
    """A forged opening of a slot that is opened already, before or behind the true one."""
    at, message = _opened(lines, random)
    openings = message["items"][0][1]
    slot = random.choice(openings)[0] if openings else 0
    openings.insert(random.randrange(len(openings) + 1), [slot, random.choice(["null", "0", '"x"'])])
    return _with(lines, at, written(message))


def _field_gone(lines: Lines, random: Random) -> Lines:
    at = random.randrange(len(lines))
    message = json.loads(lines[at])
    del message[random.choice(list(message))]
    return _with(lines, at, written(message))


def _field_more(lines: Lines, random: Random) -> Lines:
    at = random.randrange(len(lines))
    return _with(lines, at, written({**json.loads(lines[at]), random.choice(["", "more", "__proto__"]): 1}))


def _field_changed(lines: Lines, random: Random) -> Lines:
    at = random.choice([0, *places(lines, "events"), *places(lines, "closing")])
    message = json.loads(lines[at])
    name = random.choice([name for name in message if name != "items"])
    former = message[name]
    new: list[Any] = ["", 0, -1, None, [], {}, 1.5, True, f"{former}x"]
    message[name] = random.choice([value for value in new if written(value) != written(former)])
    return _with(lines, at, written(message))


def _key_twice(lines: Lines, random: Random) -> Lines:
    at = random.randrange(len(lines))
    name, value = random.choice(list(json.loads(lines[at]).items()))
    again = b"{" + written({name: value})[1:-2] + b","
    return _with(lines, at, again + lines[at][1:])


def _spaced(lines: Lines, random: Random) -> Lines:
    at = random.randrange(len(lines))
    return _with(
        lines, at, random.choice([b" " + lines[at], lines[at][:-1] + b" \n", lines[at].replace(b":", b": ", 1)])
    )


def _keys_in_disorder(lines: Lines, random: Random) -> Lines:
    at = random.randrange(len(lines))
    return _with(lines, at, written(dict(reversed(json.loads(lines[at]).items()))))


def _stamp_changed(lines: Lines, random: Random) -> Lines:
    at = random.choice(places(lines, "checkpoint"))
    message = json.loads(lines[at])
    stamp = bytearray(urlsafe_b64decode(message["signed"] + "=="))
    stamp[random.randrange(len(stamp))] ^= 1 << random.randrange(8)
    message["signed"] = urlsafe_b64encode(stamp).decode().rstrip("=")
    return _with(lines, at, written(message))


def _stamp_moved(lines: Lines, random: Random) -> Lines:
    one, two = sorted(random.sample(places(lines, "checkpoint"), 2))
    first, second = json.loads(lines[one]), json.loads(lines[two])
    first["signed"], second["signed"] = second["signed"], first["signed"]
    return _with(_with(lines, one, written(first)), two, written(second))


def _stamps_gone(lines: Lines, random: Random) -> Lines:
    return [line for i, line in enumerate(lines) if i not in set(places(lines, "checkpoint"))]


def _last_stamp_gone(lines: Lines, random: Random) -> Lines:
    return _with(lines, places(lines, "checkpoint")[-1])


def _tail_cut(lines: Lines, random: Random) -> Lines:
    """The last lines gone, up to one that the server did not sign, and the file's front written to fit."""
    count = len(places(lines, "events"))
    last = random.choice([seq for seq in range(EVERY + 1, count) if seq % EVERY])
    messages = [json.loads(line) for line in lines]
    messages[0]["head"] = messages[last]["head"]
    return [
        written(message)
        for message in messages
        if not (message["t"] == "events" and message["to"] > last)
        and not (message["t"] == "checkpoint" and message["seq"] > last)
    ]


def _key_changed(lines: Lines, random: Random) -> Lines:
    """A key of the view or a secret of the close: empty, gone, of another audience, or another one."""
    front, end = json.loads(lines[0]), json.loads(lines[-1])
    if end["t"] == "closing":
        name = random.choice(["k_m", "k_n", "hid"])
        end[name] = random.choice(["", sealing.b64(random.randbytes(32)), end[name][:-4], front["match"]])
        return [*lines[:-1], written(end)]
    ((mask, key),) = front["keys"].items() or (("1", sealing.b64(random.randbytes(32))),)
    other = "2" if mask == "1" else "1"
    made: list[dict[str, str]] = [
        {mask: ""},
        {other: key},
        {mask: sealing.b64(random.randbytes(32))},
        {f"0{mask}": key},
    ]
    front["keys"] = random.choice(made + ([{}, {mask: key, other: key}] if front["keys"] else []))
    return [written(front), *lines[1:]]


def _closing_added(lines: Lines, random: Random) -> Lines:
    secrets = {name: sealing.b64(random.randbytes(32)) for name in ("k_m", "k_n", "hid")}
    return [*lines, written({"t": "closing", **secrets})]


def _behind_the_end(lines: Lines, random: Random) -> Lines:
    return [*lines, random.choice([*lines, b"\n", b"{}\n", b"x"])]


def _two_lines_in_one(lines: Lines, random: Random) -> Lines:
    at = random.choice(places(lines, "events")[:-1])
    one, two = json.loads(lines[at]), json.loads(lines[at + 1])
    one.update(to=two["to"], items=[*one["items"], *two["items"]], head=two["head"])
    return [*lines[:at], written(one), *lines[at + 2 :]]


def _other_view(lines: Lines, random: Random) -> Lines:
    front = json.loads(lines[0])
    front["view"] = random.choice(
        [view for view in (EVERYTHING, "spectator", "seat0", "seat1", "seat7", "") if view != front["view"]]
    )
    return [written(front), *lines[1:]]


def _middle_stamp_gone(lines: Lines, random: Random) -> Lines:
    return _with(lines, random.choice(places(lines, "checkpoint")[:-1]))


def _cut_where_signed(lines: Lines, random: Random) -> Lines:
    count = len(places(lines, "events"))
    last = random.choice(range(EVERY, count - 1, EVERY))
    messages = [json.loads(line) for line in lines]
    messages[0]["head"] = messages[last]["head"]
    return [
        written(message)
        for message in messages
        if not (message["t"] == "events" and message["to"] > last)
        and not (message["t"] == "checkpoint" and message["seq"] > last)
    ]


FOUND: dict[str, Mutate] = {
    "a bit": _bit,
    "a byte gone": _byte_gone,
    "a byte more": _byte_more,
    "cut anywhere": _cut,
    "a line gone": _line_gone,
    "a line twice": _line_twice,
    "lines swapped": _lines_swapped,
    "a letter of a line": _line_changed,
    "a mask, chained anew": _mask_changed,
    "an actor that the match does not have, chained anew": _actor_changed,
    "an opening gone": _opening_gone,
    "all openings gone": _all_openings_gone,
    "an opening changed": _opening_changed,
    "a second opening": _second_opening,
    "a field gone": _field_gone,
    "a field more": _field_more,
    "a field changed": _field_changed,
    "a key twice": _key_twice,
    "spaces": _spaced,
    "fields in disorder": _keys_in_disorder,
    "a signature changed": _stamp_changed,
    "signatures exchanged": _stamp_moved,
    "all checkpoints gone": _stamps_gone,
    "the last checkpoint gone": _last_stamp_gone,
    "the tail cut between checkpoints": _tail_cut,
    "a key changed": _key_changed,
    "a closing added": _closing_added,
    "something behind the end": _behind_the_end,
    "two lines in one message": _two_lines_in_one,
    "another view": _other_view,
}
"""Kinds of changes that every verifier finds."""
NOT_FOUND: dict[str, tuple[Mutate, str]] = {
    "a checkpoint of the middle gone": (
        _middle_stamp_gone,
        "the signature of a later one holds for all before it; how many commits have none is said",
    ),
    "the tail cut where it is signed": (
        _cut_where_signed,
        "it is the file of an earlier moment, byte for byte; the verifier says of which",
    ),
}
"""Kinds of changes that no verifier can find in a file alone, and why."""
