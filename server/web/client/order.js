// The order of lines: which lines follow from others at once, their authors, and possible results (docs/record.md 9).
import { ACTS } from "./clocks.js";
import { alike, PublicState } from "./publicstate.js";
const VOID = "void: ";
/** The lines that the rules make beside the game's own. */
const RULED = ["DecisionsOpened", "DiceRolled", "Shuffled"];
/** Lines that may occur only after a line that asks for them. */
const BOUND = ["SeatLeft", "SeatReplaced", "MatchPaused", "SeatBriefed", "PositionSet"];
/** Lines by which a seat states its key, or that a person stands behind it. */
const KEYS = ["SeatKeyed", "SeatClaimed"];
const STATED = ["ClocksSet", "TimeRanOut", "ServerReturned", "MatchResumed", "OperatorRuled"];
/** The number of draws of a key chain; the next chain is announced when they are used up. */
const RESERVE = 512;
const LOT = { rule: "clock", title: "Lot", size: 256 };
const due = (type, fields = {}) => (is, payload) => is === type && Object.entries(fields).every(([name, value]) => alike(payload[name] ?? 0, value));
/** A result that no rule gives, as a line holds it. */
function resultOf(won, reason) {
    const alone = { winner: won.length === 1 ? won[0] : null, reason, rule: "" };
    return won.length > 1 ? { ...alone, winners: won } : alone;
}
const wonBy = ({ winner = null, winners }) => winners ?? (winner === null ? [] : [winner]);
const isSorted = (seats) => seats.every((seat, i) => !i || seats[i - 1] < seat);
/** Follows the lines of one match of version 2 or later. */
export class Order {
    shapes;
    state = null;
    due = [];
    actor = -1;
    /** The offer that the previous line may have settled. */
    offer = 0;
    isBeginning = false;
    /** The seats that have given a share of chance. */
    givers = new Set();
    /** The actor behind the key chain that the line before announced. */
    announcer = null;
    /** Whether the game's own lines may precede an end by players or the clock that is not void. */
    endsOpen = false;
    /** The due line, if it may be such an end. */
    end = null;
    /** Whether the line before was such a line of the game's: only the end may follow it. */
    opened = false;
    constructor(shapes) {
        this.shapes = shapes;
    }
    /** Why a line is impossible here; nothing if it is possible. */
    fault(type, line) {
        const timed = { type, seq: line.seq, at: line.at, payload: line.payload };
        if (type === "MatchCreated") {
            this.state = new PublicState(line.payload);
            this.endsOpen = Boolean(line.payload.ends_open);
        }
        else {
            const wrong = this.wrong(timed, line, this.state);
            if (wrong) {
                return wrong;
            }
            this.state?.take(timed);
        }
        this.remember(type, line);
        return "";
    }
    wrong(timed, { payload, actor, cause }, state) {
        const { type } = timed;
        const [next, fits] = this.demanded(type, payload);
        if (!fits) {
            return `${type} stands where something else has to follow`;
        }
        if (cause && !this.isRuled(type)) {
            return `${type} names a choice, from which no such line follows`;
        }
        if (cause && state.position.sealed && state.asked.length) {
            return `${type} follows from a sealed answer, and others are still missing`;
        }
        const follows = Boolean(next || this.opened || cause) || (this.isBeginning && this.isRuled(type));
        if (!follows && !this.isFree(timed, state)) {
            return `${type} follows from nothing before it`;
        }
        if (type === "MatchEnded" && !this.isResult(payload.result, Boolean(next), state.seats)) {
            return "the result is none that the match can have";
        }
        if (!this.isBy(type, payload, actor, Boolean(next), follows)) {
            return `it is by ${actor}`;
        }
        return state.fault(timed, follows);
    }
    /** The line that must come here, if any, and whether this line is that one. Before an end, the game may disclose something. */
    demanded(type, payload) {
        const wasOpened = this.opened;
        this.opened = this.endsOpen && this.due.length > 0 && this.due[0] === this.end && !this.shapes.isKernels(type);
        const next = this.opened ? undefined : this.due.shift();
        return [next, !next || (next(type, payload) && (type === "MatchEnded" || !wasOpened))];
    }
    /** Whether a line is one that the rules make. */
    isRuled(type) {
        return type === "MatchEnded" || RULED.includes(type) || !this.shapes.isKernels(type);
    }
    /** Whether a line may occur although nothing before it asks for it. */
    isFree({ type, seq, payload }, { isBegun, draws }) {
        const free = {
            OfferAccepted: () => payload.number === this.offer,
            MatchEnded: () => payload.result.reason.startsWith(VOID),
            BranchOpened: () => seq === 2,
            ScenarioOpened: () => seq === 2,
            MatchBegun: () => !isBegun,
            SeatTaken: () => !isBegun,
            ChanceAnchored: () => isBegun && draws >= payload.after - RESERVE,
        };
        return Object.hasOwn(free, type) ? free[type]() : !BOUND.includes(type) && !this.isRuled(type);
    }
    isBy(type, payload, actor, isDue, follows) {
        const announcer = this.announcer;
        const leads = type === "Chosen" || ACTS.includes(type) || STATED.includes(type);
        this.announcer = type === "ChanceAnchored" ? actor : null;
        if (announcer !== null && !(leads && actor === announcer)) {
            return false;
        }
        return type === "ChanceAnchored" || actor === this.actorOf(type, payload, isDue, follows);
    }
    /** The author of a line. */
    actorOf(type, { seat, by = "seat" }, isDue, follows) {
        if (type === "Chosen" && by !== "rules") {
            return isDue ? -1 : seat;
        }
        if (ACTS.includes(type) || KEYS.includes(type)) {
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
    /** Whether a result is possible under any rules: it names seats of the match, each once, and the rule that ends it. */
    isResult(result, isDue, seats) {
        const { winner, winners, ranking, reason, rule } = result;
        const ranked = (ranking ?? []).flat();
        const named = [...(winner === null ? [] : [winner]), ...(winners ?? []), ...ranked];
        const many = !winners || (winners.length > 1 && winner === null && isSorted(winners));
        const placed = !ranking || (ranked.length > 0 && ranking.every((place) => place.length));
        const known = named.every(seat => seat >= 0 && seat < seats) && new Set(ranked).size === ranked.length;
        if (!many || !placed || !known) {
            return false;
        }
        return reason.startsWith(VOID) ? alike(result, resultOf([], reason)) : isDue || rule !== "";
    }
    remember(type, { payload, actor }) {
        const ruled = ["DiceRolled", "Shuffled"].includes(type) || !this.shapes.isKernels(type);
        this.isBeginning = ["MatchBegun", "SeatLeft"].includes(type) || (this.isBeginning && ruled);
        this.actor = actor;
        this.offer = ["Offered", "Agreed"].includes(type) ? payload.number : 0;
        if (type === "EntropyCommitted" && (payload.by ?? "seat") === "seat") {
            this.givers.add(payload.seat);
        }
        this.due.push(...this.follows(type, payload, this.state));
    }
    /** The lines that must come next. */
    follows(type, { terms, seat, number, then, absent, draw, winners, void: isVoid }, state) {
        switch (type) {
            case "BranchOpened":
            case "ScenarioOpened":
                return this.position(0);
            case "OfferAccepted":
                return this.agreed(terms);
            case "Offered":
            case "Agreed":
                return state.isSettled(number) ? [due("OfferAccepted", { number })] : [];
            case "Resigned":
                return [this.out("resigned", [seat], state)];
            case "AbsenceClaimed":
                return [draw ? this.drawn("absence") : this.out("absence", [absent], state)];
            case "OperatorRuled":
                return [this.ruled(winners ?? [], isVoid)];
            case "TimeRanOut":
                return then === "forfeit" ? [this.out("out of time", state.lost, state)] : this.byClock(seat, number, then);
        }
        return [];
    }
    agreed({ is, length_ms, seat, bot = "random", line = 0 }) {
        const come = {
            pause: () => [due("MatchPaused", { length_ms })],
            go_on: () => [due("MatchResumed")],
            draw: () => [this.drawn("draw agreed")],
            abandon: () => [due("MatchEnded", { result: resultOf([], `${VOID}abandoned`) })],
            replace: () => [due("SeatReplaced", { seat, bot })],
            take_back: () => this.position(line),
        };
        return come[is]();
    }
    /** The lines after seats are out. Of two seats, the other one has won; of more seats, the side of all remaining seats has won, or the remaining seats play on. */
    out(reason, lost, state) {
        const rest = state.standing.filter(seat => !lost.includes(seat));
        this.end = (is, payload) => {
            if (is === "SeatLeft") {
                const first = payload.reason === reason && payload.seat === lost[0];
                return state.seats > 2 && rest.length > 1 && first;
            }
            if (is !== "MatchEnded") {
                return false;
            }
            const won = wonBy(payload.result);
            const side = rest.every(seat => won.includes(seat)) && won.length < state.seats;
            const others = lost.length > 1 || !won.includes(lost[0]);
            const fits = state.seats < 3 || !rest.length ? alike(won, rest) : side && others;
            return fits && alike(payload.result, resultOf(won, reason));
        };
        return this.end;
    }
    /** An end that nobody wins. */
    drawn(reason) {
        this.end = due("MatchEnded", { result: resultOf([], reason) });
        return this.end;
    }
    /** The choice by the clock, preceded by the draw of a lot if the choice needs one. */
    byClock(seat, number, then) {
        const chosen = due("Chosen", { seat, number, by: "clock" });
        return then === "random" ? [due("Shuffled", { ...LOT, seat }), chosen] : [chosen];
    }
    /** The end that the host of the server makes. */
    ruled(winners, isVoid) {
        if (isVoid) {
            return due("MatchEnded", { result: resultOf([], `${VOID}by the host`) });
        }
        this.end = due("MatchEnded", { result: resultOf(winners, "ended by the host") });
        return this.end;
    }
    /** The lines that set a position: a briefing of each seat, then the position itself. */
    position(line) {
        const seats = this.state?.seats ?? 0;
        const briefed = Array.from({ length: seats }, (_, seat) => due("SeatBriefed", { seat }));
        return [...briefed, due("PositionSet", { line })];
    }
}
