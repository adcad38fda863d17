"""The kept records: finished matches that every later version must read the same (STYLE 17)."""

import json
from pathlib import Path
from typing import Any

import msgspec

from domain.kernel import Game, Mask
from projections.registry import games
from replay.files import export
from replay.files.export import Record
from replay.record.line import Codec, read_line
from tests.pennants.game import GAME as PENNANTS
from tests.replay import packed
from tests.skirmish.game import GAME as SKIRMISH

RECORDS = Path(__file__).parents[1] / "records"
EXAMPLES = {game.name: game for game in (SKIRMISH, PENNANTS)}
"""The example games, which nobody installs."""


def game_of(name: str) -> Game[Any]:
    return EXAMPLES.get(name) or games()[name]


def read_record(path: Path) -> Record:
    """An export, or a packed record."""
    if path.suffix == packed.SUFFIX:
        return packed.unpack(path.read_bytes())[0]
    with path.open("rb") as file:
        return export.read(file)


def read_kept(path: Path) -> tuple[Record, dict[str, Any]]:
    """A kept record and the data beside it: its head, and the results of its events when it was kept."""
    if path.suffix == packed.SUFFIX:
        record, made = packed.unpack(path.read_bytes())
        return record, {"head": record.heads[len(record.held)], **made}
    kept: dict[str, Any] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return read_record(path), kept


def final_states(record: Record) -> dict[str, Any]:
    """The final state and every viewer's final view, as plain data."""
    game = game_of(record.game)
    codec = Codec(game)
    events = []
    for held in record.held:
        line = read_line(held.line)
        events.append(codec.read(line.type, line.payload, tuple(held.openings[i] for i in range(len(line.seals)))))
    viewers = {"spectator": 0, **{f"seat{seat}": 1 << seat for seat in range(game.seats)}}
    views = {name: _plain(game.view(events, Mask(mask))) for name, mask in viewers.items()}
    return {"state": _plain(game.fold(events)), "views": views}


def _plain(state: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(state))


def differences(kept: Any, now: Any, where: str = "") -> list[str]:
    """The places where a kept value has changed; new fields of a struct do not count."""
    if isinstance(kept, dict) and isinstance(now, dict):
        return [d for key in kept for d in differences(kept[key], now.get(key), f"{where}.{key}")]
    if isinstance(kept, list) and isinstance(now, list) and len(kept) == len(now):
        return [
            d
            for i, (one, two) in enumerate(zip(kept, now, strict=True))
            for d in differences(one, two, f"{where}[{i}]")
        ]
    return [] if kept == now else [f"{where}: {kept!r} is now {now!r}"]
