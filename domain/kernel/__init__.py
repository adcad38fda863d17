"""The kernel: what every game is written in. See docs/adding-a-game.md.

Its modules in the order in which to read them; each uses only those before it:

    errors        what the kernel can complain of
    modifiers     numbers with their reasons
    secret        values that some viewers do not hold, and who holds them
    table         what the players agree on around a match
    state         what every game's state holds for the kernel
    form          what may be chosen, said once
    chance        where dice and shuffles come from
    events        what happens to every match
    position      a whole position as data, for each viewer
    table_evolve  what acts at the table do to a state
    evolve        what the kernel's events do to a state
    resolver      what a rule does while it is carried out
    procedure     procedures, their steps, and decisions
    naming        which classes the rules name
    game          the classes of a game, checked when it is loaded
    play          what takes a match from one pause to the next
    history       what the events of a match say of its moments
    clock         how much time each seat has left
    act           what a seat may do at the table beside its choices
"""

from domain.kernel.act import carry_out, voters
from domain.kernel.chance import Chance, HiddenDraw, NoChance, PublicDraw
from domain.kernel.clock import Clocks, check_in_time, follow
from domain.kernel.errors import (
    GameInvalid,
    KernelError,
    KernelFault,
    MatchOver,
    MatchStopped,
    NotAChoice,
    NotBegun,
    NotNow,
    NotOffered,
    NotPending,
    NotYours,
    OutOfTime,
    Refusal,
)
from domain.kernel.events import (
    SEAT_ACTS,
    SERVER_ACTS,
    AbsenceClaimed,
    Act,
    Agreed,
    BranchOpened,
    ChanceAnchored,
    Chosen,
    ClocksSet,
    DecisionsOpened,
    Declined,
    DiceRolled,
    EntropyCommitted,
    EntropyRevealed,
    Event,
    MatchBegun,
    MatchCreated,
    MatchEnded,
    MatchPaused,
    MatchResumed,
    OfferAccepted,
    Offered,
    OpenedSlot,
    PositionSet,
    Resigned,
    RulesChanged,
    ScenarioOpened,
    SeatBriefed,
    SeatKeyed,
    SeatReplaced,
    SeatTaken,
    SecretsOpened,
    ServerReturned,
    Shuffled,
    Signed,
    TimeRanOut,
    VacationEnded,
    VacationTaken,
)
from domain.kernel.form import AnyForm, Assign, Below, Choice, Formation, One, Open, Pick, only, shuffled
from domain.kernel.game import Figured, Game, GameSpec, Positions, SeenPositions
from domain.kernel.modifiers import Part, Parts, total
from domain.kernel.play import Play, asked_of, begin, decide
from domain.kernel.procedure import (
    DONE,
    NEXT,
    Ask,
    Call,
    Decision,
    Done,
    Flow,
    Goto,
    Next,
    Procedure,
    ask,
    step,
    window,
)
from domain.kernel.resolver import Resolver
from domain.kernel.secret import HIDDEN, Hidden, Mask, Nobody, Only, Seat
from domain.kernel.state import Answered, Asked, Frame, Result, State, frames, pending
from domain.kernel.table import Abandon, Draw, GoOn, OfferTerms, OpenOffer, Pause, Replace, Table, TakeBack, TimeControl

__all__ = [
    "DONE",
    "HIDDEN",
    "NEXT",
    "SEAT_ACTS",
    "SERVER_ACTS",
    "Abandon",
    "AbsenceClaimed",
    "Act",
    "Agreed",
    "Answered",
    "AnyForm",
    "Ask",
    "Asked",
    "Assign",
    "Below",
    "BranchOpened",
    "Call",
    "Chance",
    "ChanceAnchored",
    "Choice",
    "Chosen",
    "Clocks",
    "ClocksSet",
    "Decision",
    "DecisionsOpened",
    "Declined",
    "DiceRolled",
    "Done",
    "Draw",
    "EntropyCommitted",
    "EntropyRevealed",
    "Event",
    "Figured",
    "Flow",
    "Formation",
    "Frame",
    "Game",
    "GameInvalid",
    "GameSpec",
    "GoOn",
    "Goto",
    "Hidden",
    "HiddenDraw",
    "KernelError",
    "KernelFault",
    "Mask",
    "MatchBegun",
    "MatchCreated",
    "MatchEnded",
    "MatchOver",
    "MatchPaused",
    "MatchResumed",
    "MatchStopped",
    "Next",
    "NoChance",
    "Nobody",
    "NotAChoice",
    "NotBegun",
    "NotNow",
    "NotOffered",
    "NotPending",
    "NotYours",
    "OfferAccepted",
    "OfferTerms",
    "Offered",
    "One",
    "Only",
    "Open",
    "OpenOffer",
    "OpenedSlot",
    "OutOfTime",
    "Part",
    "Parts",
    "Pause",
    "Pick",
    "Play",
    "PositionSet",
    "Positions",
    "Procedure",
    "PublicDraw",
    "Refusal",
    "Replace",
    "Resigned",
    "Resolver",
    "Result",
    "RulesChanged",
    "ScenarioOpened",
    "Seat",
    "SeatBriefed",
    "SeatKeyed",
    "SeatReplaced",
    "SeatTaken",
    "SecretsOpened",
    "SeenPositions",
    "ServerReturned",
    "Shuffled",
    "Signed",
    "State",
    "Table",
    "TakeBack",
    "TimeControl",
    "TimeRanOut",
    "VacationEnded",
    "VacationTaken",
    "ask",
    "asked_of",
    "begin",
    "carry_out",
    "check_in_time",
    "decide",
    "follow",
    "frames",
    "only",
    "pending",
    "shuffled",
    "step",
    "total",
    "voters",
    "window",
]
