// In which order lines stand, what follows from what at once, by whom, and with which slots (docs/record.md 5, 9).
/** What is agreed, done or due by time, and what the rules make beside the game's own. */
const ACTS = [
    "Resigned",
    "Offered",
    "Agreed",
    "Declined",
    "AbsenceClaimed",
    "VacationTaken",
    "VacationEnded",
    "HintAsked",
];
const RULED = ["DecisionsOpened", "DiceRolled", "Shuffled", "ChanceAnchored"];
const KERNEL = [
    ...ACTS,
    ...RULED,
    ...["MatchCreated", "SeatTaken", "SeatKeyed", "EntropyCommitted", "EntropyRevealed", "MatchBegun", "Chosen"],
    ...["SecretsOpened", "RulesChanged", "BranchOpened", "ScenarioOpened", "SeatBriefed", "PositionSet", "MatchEnded"],
    ...[
        "ClocksSet",
        "TimeRanOut",
        "ServerReturned",
        "OfferAccepted",
        "MatchPaused",
        "MatchResumed",
        "SeatReplaced",
        "SeatLeft",
    ],
];
/** What may stand only where something before it asks for it. */
const BOUND = ["SeatLeft", "SeatReplaced", "MatchPaused", "SeatBriefed", "PositionSet"];
/** The audiences of a kernel event's slots. */
function slotsOf(type, seat) {
    if (type === "Chosen") {
        return [1 << seat, 1 << seat];
    }
    if (type === "SeatBriefed") {
        return [1 << seat];
    }
    return ["DecisionsOpened", "Shuffled", "PositionSet"].includes(type) ? [0] : [];
}
const due = (type, fields = {}) => (is, payload) => is === type && Object.entries(fields).every(([name, value]) => (payload[name] ?? 0) === value);
/** Follows the lines of one match of version 2. */
export class Order {
    seats = 0;
    due = [];
    actor = -1;
    /** The offer that the line before may have settled. */
    offer = 0;
    isBeginning = false;
    /** When play began. */
    begun = 0;
    pausedUntil = 0;
    control = {};
    /** Who gave a share of chance. */
    givers = new Set();
    /** Why a line cannot stand where it does; nothing when it can. */
    fault(type, line) {
        const { seq, payload, actor, cause, seals } = line;
        const { seat } = payload;
        const next = this.due.shift();
        this.seats ||= payload.seats?.length;
        if (KERNEL.includes(type) && seals.map(([mask]) => mask).join() !== slotsOf(type, seat).join()) {
            return "its slots are for others";
        }
        if (next ? !next(type, payload) : !this.isFree(type, seq, line)) {
            return `${type} follows from nothing before it, or something else has to follow`;
        }
        if (type !== "ChanceAnchored" &&
            actor !== this.actorOf(type, payload, Boolean(next), Boolean(next || cause) || this.isRuled(type))) {
            return `it is by ${actor}`;
        }
        this.remember(type, line);
        return "";
    }
    /** Whether a line may stand where nothing has to follow. */
    isFree(type, seq, { at, payload, cause }) {
        const ruled = Boolean(cause) || this.isBeginning;
        const free = {
            OfferAccepted: () => payload.number === this.offer,
            MatchResumed: () => this.pausedUntil > 0 && at >= this.pausedUntil,
            MatchEnded: () => ruled || payload.result.reason.startsWith("void: "),
            BranchOpened: () => seq === 2,
            ScenarioOpened: () => seq === 2,
            ClocksSet: () => !this.begun && !this.control.kind,
            MatchBegun: () => !this.begun,
            SeatTaken: () => !this.begun,
            TimeRanOut: () => this.isOver(payload, at),
        };
        if (Object.hasOwn(free, type)) {
            return free[type]();
        }
        const byRules = type !== "ChanceAnchored" && (RULED.includes(type) || !KERNEL.includes(type));
        return !BOUND.includes(type) && (ruled || !byRules);
    }
    /** What can be told of time without folding clocks. */
    isOver({ then }, at) {
        const { kind = "none", limit_ms = 0, on_timeout = "default" } = this.control;
        return kind !== "none" && this.begun > 0 && at >= this.begun + limit_ms && then === on_timeout;
    }
    /** Whether a line is what the rules make of the beginning, or of a seat's leaving. */
    isRuled(type) {
        return this.isBeginning && (type === "MatchEnded" || RULED.includes(type) || !KERNEL.includes(type));
    }
    /** Who a line is by. */
    actorOf(type, { seat, by = "seat" }, isDue, follows) {
        if (type === "Chosen" && by !== "rules") {
            return isDue ? -1 : seat;
        }
        if (ACTS.includes(type) || type === "SeatKeyed") {
            return seat;
        }
        if (type === "EntropyCommitted") {
            return by === "seat" ? seat : -1;
        }
        if (type === "EntropyRevealed") {
            return this.givers.has(seat) ? seat : -1;
        }
        return follows || ["OfferAccepted", "Chosen"].includes(type) ? this.actor : -1;
    }
    remember(type, { at, payload, actor }) {
        this.isBeginning =
            ["MatchBegun", "SeatLeft"].includes(type) ||
                (this.isBeginning && (RULED.includes(type) || !KERNEL.includes(type)));
        this.actor = actor;
        this.offer = ["Offered", "Agreed"].includes(type) ? payload.number : 0;
        if (type === "MatchBegun") {
            this.begun = at;
        }
        else if (type === "ClocksSet") {
            this.control = payload.control;
        }
        else if (type === "EntropyCommitted" && (payload.by ?? "seat") === "seat") {
            this.givers.add(payload.seat);
        }
        else if (type === "MatchPaused" || type === "MatchResumed") {
            this.pausedUntil = type === "MatchPaused" ? at + payload.length_ms : 0;
        }
        this.due.push(...this.follows(type, payload));
    }
    /** What has to stand in the next lines. */
    follows(type, { terms, seat, number, then, absent, draw }) {
        const chosen = due("Chosen", { seat, number, by: "clock" });
        switch (type) {
            case "BranchOpened":
            case "ScenarioOpened":
                return this.position(0);
            case "OfferAccepted":
                return this.agreed(terms);
            case "Resigned":
                return [this.out("resigned", seat)];
            case "AbsenceClaimed":
                return [draw ? this.ended("absence") : this.out("absence", absent)];
            case "TimeRanOut":
                if (then === "forfeit") {
                    return [this.out("out of time", -1)];
                }
                return then === "random" ? [due("Shuffled"), chosen] : [chosen];
        }
        return [];
    }
    agreed({ is, length_ms, seat, bot = "random", line }) {
        const come = {
            pause: () => [due("MatchPaused", { length_ms })],
            go_on: () => [due("MatchResumed")],
            draw: () => [this.ended("draw agreed")],
            abandon: () => [this.ended("void: abandoned")],
            replace: () => [due("SeatReplaced", { seat, bot })],
            take_back: () => this.position(line),
        };
        return come[is]();
    }
    /** The end, which nobody wins. */
    ended(reason) {
        return (is, { result }) => is === "MatchEnded" && (result.winner ?? null) === null && !result.winners && result.reason === reason;
    }
    /** The end, which of two seats the other one wins; where others play on, that the seat has left. */
    out(reason, loser) {
        return (is, payload) => {
            if (is === "SeatLeft") {
                return this.seats > 2 && payload.reason === reason && (loser < 0 || payload.seat === loser);
            }
            const { winner = null, reason: why } = is === "MatchEnded" ? payload.result : {};
            return why === reason && (loser < 0 || this.seats !== 2 || winner === 1 - loser);
        };
    }
    /** What each seat is told, and the position. */
    position(line) {
        const briefed = Array.from({ length: this.seats }, (_, seat) => due("SeatBriefed", { seat }));
        return [...briefed, due("PositionSet", { line })];
    }
}
