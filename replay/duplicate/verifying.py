"""Verifies an event: every table is complete and follows the rules, all have one deal, and the scores are right."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, field

from domain.kernel import Game, MatchCreated, MatchEnded, Result, SeatTaken, TimeControl, sides_of
from domain.kernel.events import ClocksSet
from replay.audit.match_audit import audit
from replay.audit.report import AuditReport
from replay.duplicate import scoring
from replay.duplicate.bundle import Bundle, table_name
from replay.duplicate.manifest import Announced, TableEntry, becomes, is_seed
from replay.duplicate.scoring import Played, Score
from replay.errors import RecordInvalid
from replay.files.export import Record
from replay.record import dealt_chance, sealing
from replay.record.line import codec_of, read_line

Games = Mapping[str, Game[Any]]


class TableReport(Struct):
    """The findings at one table: its audit, and the reasons why it is no table of the event, if any."""

    match: str
    report: AuditReport | None = None
    faults: list[str] = field(default_factory=list)


class EventReport(Struct):
    """The findings on an event. `faults`: those of the whole event; `unproven`: claims that the file cannot prove."""

    event: str
    title: str
    planned: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The players who were planned for each match."""
    tables: list[TableReport] = field(default_factory=list)
    shares: dict[str, str] = field(default_factory=dict)
    """The shares of chance that went into the deal."""
    scores: tuple[Score, ...] = ()
    unfinished: tuple[str, ...] = ()
    faults: list[str] = field(default_factory=list)
    unproven: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults and not any(table.faults for table in self.tables)


def played_of(game: Game[Any], record: Record) -> Played:
    """How a table ended, from a record that holds everything. Raises `RecordInvalid`."""
    codec = codec_of(game)
    names: dict[int, str] = {}
    result: Result | None = None
    first: MatchCreated | None = None
    for held in record.held:
        line = read_line(held.line)
        if line.type not in ("MatchCreated", "SeatTaken", "MatchEnded"):
            continue
        event = codec.read(line.type, line.payload, tuple(held.openings[i] for i in range(len(line.seals))))
        if isinstance(event, SeatTaken):
            names[event.seat] = event.name
        elif isinstance(event, MatchEnded):
            result = event.result
        elif isinstance(event, MatchCreated):
            first = event
    if first is None:
        raise RecordInvalid("the record is empty")
    sides = sides_of(game.created(first))
    return Played(record.match, tuple(names.get(seat, "") for seat in range(len(first.seats))), sides, result)


def verify(
    bundle: Bundle,
    games: Games,
    trusted: Sequence[bytes] = (),
    progress: Callable[[str], None] | None = None,
    call: Announced | None = None,
) -> EventReport:
    """Check everything. `trusted`: public keys, one of which must have signed; any key may if none is named.

    `call`: the manifest published before the shares of the event's chance were known.
    """
    announced = bundle.announced
    said = announced.manifest
    report = EventReport(sealing.b64(announced.event), said.title, {table.match: table.seats for table in said.tables})
    report.shares = {share.of: share.value for share in said.shares}
    _check_signers(bundle, trusted, report)
    game = games.get(said.game)
    if game is None:
        report.faults.append(f"there is no game {said.game!r} here")
        return report
    expected = [table_name(number) for number in range(len(said.tables))]
    report.faults += [
        f"{name}, the record of table {said.tables[i].match}, is missing"
        for i, name in enumerate(expected)
        if name not in bundle.tables
    ]
    report.faults += [f"{name} is no table of the manifest" for name in bundle.tables if name not in expected]
    played = []
    for name, record in _records(bundle, report):
        if name not in expected:
            continue
        entry = said.tables[expected.index(name)]
        if progress is not None:
            progress(entry.match)
        found = _table(announced, entry, game, record, bundle.announced.signed.key, trusted)
        report.tables.append(found)
        if not found.faults:
            played.append(played_of(game, record))
    _check_result(bundle, played, report)
    _check_shares(announced, call, report)
    return report


def _check_shares(announced: Announced, call: Announced | None, report: EventReport) -> None:
    """Note what can be known about the origin of the deal."""
    said = announced.manifest
    if said.awaited:
        report.faults.append("it was dealt before the shares that were called for were there")
    if call is not None and not becomes(call, announced):
        report.faults.append("the call is not the one that this event was dealt from")
    if not said.shares:
        report.unproven.append("that the seed was drawn by lot and that nobody knew it: it is its maker's word")
        return
    if call is None:
        report.unproven.append("that all else was fixed before the shares were known: name the call to compare")
    report.unproven.append("that nobody knew the deal: who made the seed knew it as soon as all shares were there")
    report.unproven.append(
        "that the shares are what was given or drawn, and the last came from nobody who knew the seed"
    )


def _records(bundle: Bundle, report: EventReport) -> Iterable[tuple[str, Record]]:
    try:
        yield from bundle.records()
    except RecordInvalid as wrong:
        report.faults.append(str(wrong))


def _check_signers(bundle: Bundle, trusted: Sequence[bytes], report: EventReport) -> None:
    keys = {bundle.announced.signed.key, bundle.signed.key}
    if trusted and not keys <= set(trusted):
        report.faults.append("the manifest or the result is not signed with a key that was named")
    elif not trusted:
        report.unproven.append("whose key has signed: name the server's public key to compare")
    if bundle.closing.event != report.event:
        report.faults.append("the result is of another event")


def _table(
    announced: Announced, entry: TableEntry, game: Game[Any], record: Record, key: bytes, trusted: Sequence[bytes]
) -> TableReport:
    found = TableReport(entry.match)
    if record.match != entry.match:
        found.faults.append(f"the record is of match {record.match}")
        return found
    found.report = audit(game, record, trusted or (key,))
    if found.report.fault is not None:
        found.faults.append(str(found.report.fault))
    if record.secrets is None:
        found.faults.append("the record does not hold every secret")
    elif not is_seed(announced.manifest, record.secrets.hid):
        found.faults.append("the seed it was dealt from is not the one that the manifest has fixed")
    if not record.checkpoints:
        found.faults.append("nobody has signed its record")
    found.faults += _deal_faults(announced, entry, record)
    return found


def _deal_faults(announced: Announced, entry: TableEntry, record: Record) -> list[str]:
    """The places where the deal at a table differs from the manifest."""
    said, faults = announced.manifest, []
    try:
        line = read_line(record.held[0].line)
        first = msgspec.json.decode(line.payload, type=MatchCreated)
        control, kinds = _control(record), _kinds(record)
    except (msgspec.MsgspecError, RecordInvalid, IndexError, UnicodeError) as wrong:
        return [f"its first lines do not fit: {wrong}"]
    if first.dealt is None or first.dealt.event != sealing.b64(announced.event):
        faults.append("line 1 does not name this event")
    elif record.secrets is not None and dealt_chance.seed_fault(first.dealt, record.secrets.hid):
        faults.append(dealt_chance.seed_fault(first.dealt, record.secrets.hid))
    if (first.game, line.rules) != (said.game, said.rules):
        faults.append(f"it is played by {line.rules}, and the event by {said.rules}")
    if first.options != said.options:
        faults.append("its options, and so its armies, decks or terrain, are not those of the event")
    if control != said.time:
        faults.append("its clocks are not those of the event")
    planned = ["bot" if seat.startswith("bot:") else "person" for seat in entry.seats]
    if [kinds.get(seat, planned[seat]) for seat in range(len(planned))] != planned:
        faults.append("a bot sits where a person was to, or the other way round")
    if any(b'"BranchOpened"' in held.line or b'"ScenarioOpened"' in held.line for held in record.held[1:2]):
        faults.append("it begins in another position")
    return faults


def _control(record: Record) -> TimeControl:
    for held in record.held[:3]:
        line = read_line(held.line)
        if line.type == "ClocksSet":
            control = msgspec.json.decode(line.payload, type=ClocksSet).control
            return msgspec.structs.replace(control, taken_back=TimeControl().taken_back)
    return TimeControl()


def _kinds(record: Record) -> dict[int, str]:
    lines = [read_line(held.line) for held in record.held if b'"SeatTaken"' in held.line]
    taken = [msgspec.json.decode(line.payload, type=SeatTaken) for line in lines if line.type == "SeatTaken"]
    return {int(one.seat): one.kind for one in taken}


def _check_result(bundle: Bundle, played: Sequence[Played], report: EventReport) -> None:
    closing = bundle.closing
    report.unfinished = tuple(table.match for table in played if table.result is None)
    report.scores = scoring.scores(played)
    if report.faults or any(table.faults for table in report.tables):
        return
    if closing.unfinished != report.unfinished:
        report.faults.append("the result names other tables that were not over than there are")
    if closing.scores != report.scores:
        report.faults.append("the scores are not those that the tables come to")
    if report.unfinished:
        report.unproven.append(
            f"what {len(report.unfinished)} tables that were not over would have come to; they count for nothing"
        )
