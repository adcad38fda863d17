"""The findings of an audit."""

from msgspec import Struct, field

from replay.audit.verify import Verifier
from replay.files.export import Record
from replay.record.claims import SeatClaim


class AuditFault(Struct, frozen=True):
    """The first line that fails (0: the file or the match list), the fault, and the expected value."""

    line: int
    wrong: str
    expected: str = ""

    def __str__(self) -> str:
        where = f"line {self.line}" if self.line else "the record"
        return f"{where}: {self.wrong}" + (f"; expected {self.expected}" if self.expected else "")


class AuditReport(Struct):
    """The findings of an audit. `differences`: places where the program's newer rules decide differently; no fault.

    `signed_to`: the last line that the server signed, and the time, in ms since 1970; no file can show whether lines
    after it were cut off. `lacks`: the weaknesses of the record (`SeatProof.lacks`), and `signatures` if the server has
    not signed its last line. `chance` says whose shares the dice come from, and `unproven` for whom the server could
    have answered. `claims`: the seats with a person behind their key, by line; `persons`: those that were opened.
    """

    match: str
    game: str
    view: str
    lines: int = 0
    head: str = ""
    rules: str = ""
    fault: AuditFault | None = None
    differences: list[AuditFault] = field(default_factory=list)
    choices: int = 0
    acts: int = 0
    rolls: int = 0
    shuffles: int = 0
    openings: int = 0
    signatures: int = 0
    checkpoints: int = 0
    signed_to: int = 0
    signed_ms: int = 0
    chance: str = ""
    unproven: list[str] = field(default_factory=list)
    lacks: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    claims: dict[int, SeatClaim] = field(default_factory=dict)
    persons: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return self.fault is None


def note_signed(report: AuditReport, record: Record, verifier: Verifier) -> None:
    """Note the last line that the server signed, and the commits before it without a signature."""
    report.checkpoints = len(record.checkpoints)
    if not record.checkpoints:
        return
    report.signed_to, signed = record.checkpoints[-1]
    report.signed_ms = int.from_bytes(signed[:8], "big")
    stamped = {seq for seq, _ in record.checkpoints}
    bare = [seq for seq in verifier.commits if min(stamped) < seq < report.signed_to and seq not in stamped]
    if bare:
        report.unchecked.append(
            f"server signatures: of the {len(verifier.commits)} commits before choices and acts {len(bare)} have none,"
            f" the first at line {bare[0]}"
        )


def tell_seats(report: AuditReport, verifier: Verifier) -> None:
    """Note what the lines prove about the seats, about chance and about persons."""
    seating, holders = verifier.seating, verifier.holders
    report.unproven, report.chance = [*holders.unproven(), *report.unproven], seating.chance()
    report.claims = dict(holders.claims)
    found = {"signatures": report.signed_to < report.lines, "commit": verifier.is_unfinished}
    report.lacks = [*seating.lacks(), *(name for name, is_so in found.items() if is_so)]
