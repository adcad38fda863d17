// The open questions, the agreements, and the conditions of each act: all of it public (docs/record.md 9).
import { ACTS, Clocks } from "./clocks.js";
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
const LONGEST_PAUSE_MS = 14 * DAY_MS;
const REASON_MOST = 200;
const LONGEST_MS = 366 * DAY_MS;
const POSITION = ["asked", "answered", "sealed", "number", "roll"];
/** Plain data with its keys in order, so that equal values become equal texts. */
const ordered = (x) => {
    if (x === null || typeof x !== "object") {
        return x;
    }
    const entries = () => Object.keys(x)
        .sort()
        .map(name => [name, ordered(x[name])]);
    return Array.isArray(x) ? x.map(ordered) : Object.fromEntries(entries());
};
/** Whether two values are the same data. */
export const alike = (one, other) => JSON.stringify(ordered(one ?? null)) === JSON.stringify(ordered(other ?? null));
/** Whether a time control makes sense: its times are possible, and its parts fit together. */
function isPlayable({ kind = "none", limit_ms = 0, increment_ms = 0, vacation_ms = 0, absence_ms = 0 }) {
    const times = [limit_ms, increment_ms, vacation_ms, absence_ms];
    const limited = (kind === "none") === (limit_ms === 0) && (!limit_ms || limit_ms >= SECOND_MS);
    const fits = times.every(time => time >= 0 && time <= LONGEST_MS) && limited;
    return fits && (!increment_ms || kind === "bank") && (!vacation_ms || kind === "days");
}
/** The position with its open decisions numbered from the one after `last`. */
function renumbered(position, last) {
    const opened = [...position.asked, ...position.answered.map(one => one.asked)];
    const by = last + 1 - Math.min(...opened.map(one => one.number));
    const moved = (one) => ({ ...one, number: one.number + by });
    const asked = position.asked.map(moved);
    const answered = position.answered.map(one => ({ asked: moved(one.asked) }));
    return { ...position, asked, answered, number: Math.max(...opened.map(one => one.number)) + by };
}
/** The public state of one match, from its lines; `fault` says why a line is impossible, `take` continues after a line. */
export class PublicState {
    seats;
    names;
    hints;
    seated = new Set();
    bots = new Set();
    gone = [];
    isBegun = false;
    isOver = false;
    isPaused = false;
    control = {};
    clocks = null;
    offers = new Map();
    draws = 0;
    /** The seat that loses by the last time-out. */
    lost = [];
    lastOffer = 0;
    declined = new Set();
    hinted = new Set();
    position = { asked: [], answered: [], sealed: false, number: 0, roll: null };
    waiting = [];
    pauses = new Map();
    chosenAt = 0;
    spentAt = 0;
    goneAt = 0;
    constructor(created) {
        this.seats = created.seats.length;
        this.names = [...created.seats];
        this.hints = Boolean(created.hints) && !created.dealt;
    }
    get asked() {
        return this.position.asked;
    }
    /** Whether the rules must still ask a seat, or end the match. */
    get isResolving() {
        const waits = !this.asked.length || this.asked.some(one => this.gone.includes(one.seat));
        return this.isBegun && !this.isOver && waits;
    }
    /** The seats that play on. */
    get standing() {
        return this.names.map((_, seat) => seat).filter(seat => !this.gone.includes(seat));
    }
    /** Why a line is impossible here; nothing if it is possible. `follows`: it is the consequence of an earlier line. */
    fault(line, follows) {
        const { type, payload } = line;
        if (this.isOver) {
            return `${type} stands behind the end of the match`;
        }
        if (this.isResolving && !follows && !(type === "Chosen" && payload.by === "rules")) {
            return `${type} stands where the rules have still to ask somebody`;
        }
        if (ACTS.includes(type)) {
            const can = !this.gone.includes(payload.seat) && this.acts[type](line);
            return can ? "" : `${type} is not possible here`;
        }
        return Object.hasOwn(this.faults, type) ? this.faults[type](line, follows) : "";
    }
    faults = {
        MatchBegun: () => (this.seated.size === this.seats ? "" : "play begins before every seat is taken"),
        SeatTaken: ({ payload: { seat } }) => (seat >= 0 && seat < this.seats ? "" : "a seat is taken that there is not"),
        DecisionsOpened: ({ payload }) => this.askingFault(payload),
        Chosen: (line, follows) => this.choiceFault(line, follows),
        PositionSet: ({ payload }) => (payload.line ? this.positionFault(payload) : ""),
        TimeRanOut: line => this.outFault(line),
        ClocksSet: ({ payload: { control } }) => !this.isBegun && !Object.keys(this.control).length && isPlayable(control)
            ? ""
            : "the clocks cannot be set so here",
        ServerReturned: ({ at, payload: { gone, back } }) => {
            const { clocks } = this;
            const fits = clocks && clocks.at <= gone && gone <= back && back <= at;
            return fits ? "" : "the server cannot have been away at that time";
        },
        OperatorRuled: ({ payload }) => (this.isRuling(payload) ? "" : "the host cannot end the match so"),
        MatchResumed: ({ at }, follows) => {
            const until = this.clocks?.pausedUntil ?? 0;
            return follows || (until > 0 && until <= at) ? "" : "the pause is not over";
        },
    };
    /** Whether the host can end the match in this way: with a reason, and with a result if play has begun. */
    isRuling({ why, winners = [], void: isVoid = false }) {
        const said = [...why].length;
        const known = winners.every((seat, i) => seat < this.seats && seat > (winners[i - 1] ?? -1));
        const fits = isVoid ? !winners.length : this.isBegun && known && winners.length < this.seats;
        return said > 0 && said <= REASON_MOST && fits;
    }
    askingFault({ asked, sealed }) {
        const { number } = this.position;
        if (this.asked.length) {
            return "a decision is still open, and others are asked";
        }
        if (!asked.length || asked.some((one, i) => one.number !== number + 1 + i)) {
            return `the decisions are not numbered on from ${number}`;
        }
        if (asked.some((one) => one.seat < 0 || one.seat >= this.seats || one.limit_ms < 0)) {
            return "somebody is asked who is no seat, or until before now";
        }
        return sealed && asked.length < 2 ? "one answer is sealed, and there is no other" : "";
    }
    choiceFault({ at, payload: { seat, number, by } }, follows) {
        if (!this.isAsked(seat, number)) {
            return `seat ${seat} answers decision ${number}, which is not open for it`;
        }
        if (this.isPaused && by !== "rules") {
            return `seat ${seat} chooses in a pause`;
        }
        const isLate = this.clocks !== null && this.clocks.dueAt(seat) <= at;
        return isLate && !follows && by !== "rules" ? `seat ${seat} chooses after its time was over` : "";
    }
    isAsked(seat, number) {
        return this.asked.some(one => one.seat === seat && one.number === number);
    }
    /** The seats asked in a position are known from the line to which the position goes back. */
    positionFault({ line, view }) {
        const then = this.pauses.get(line);
        if (!then) {
            return `the match is put back to line ${line}, behind which nobody was asked`;
        }
        const bare = (one) => ({ ...one, answered: one.answered.map(({ asked }) => asked) });
        const due = renumbered(then, this.position.number);
        return alike(bare(this.placed(view)), bare(due)) ? "" : `the position asks otherwise than line ${line} did`;
    }
    placed(view) {
        const known = POSITION.filter(name => Object.hasOwn(view, name)).map(name => [name, view[name]]);
        return { ...this.position, ...Object.fromEntries(known) };
    }
    // --- what is done at the table ---
    /** The seats that have to agree to an offer: every other person who has not left, except one replaced for being away. */
    voters({ seat, terms }) {
        const away = terms.is === "replace" && terms.absent_ms ? terms.seat : -1;
        return this.standing.filter(one => this.names[one] && one !== seat && one !== away && !this.bots.has(one));
    }
    /** Whether all have agreed to an offer, so that its acceptance follows at once. */
    isSettled(number) {
        const offer = this.offers.get(number);
        return offer !== undefined && this.voters(offer).every(seat => offer.agreed.includes(seat));
    }
    acts = {
        Resigned: () => this.isBegun,
        Offered: line => this.isOfferable(line),
        Agreed: ({ payload: { number, seat } }) => {
            const offer = this.offers.get(number);
            return offer !== undefined && this.voters(offer).includes(seat) && !offer.agreed.includes(seat);
        },
        Declined: ({ payload: { number, seat } }) => {
            const offer = this.offers.get(number);
            return offer !== undefined && (offer.seat === seat || this.voters(offer).includes(seat));
        },
        AbsenceClaimed: ({ at, payload: { seat, absent, absent_ms, draw } }) => {
            const named = absent !== seat && absent >= 0 && absent < this.seats;
            return named && !(draw && this.standing.length > 2) && this.isAbsent(absent, absent_ms, at);
        },
        VacationTaken: line => this.hasVacation(line),
        VacationEnded: line => this.hasVacation(line),
        HintAsked: ({ at, payload: { seat, number } }) => {
            const inTime = !this.clocks || this.clocks.dueAt(seat) > at;
            const free = this.hints && this.isBegun && !this.isPaused && !this.hinted.has(number);
            return free && inTime && this.isAsked(seat, number);
        },
    };
    isOfferable({ at, payload: { seat, number, terms } }) {
        const free = number === this.lastOffer + 1 && ![...this.offers.values()].some(offer => offer.seat === seat);
        if (!free || this.declined.has(`${seat} ${terms.is}`)) {
            return false;
        }
        const possible = {
            go_on: () => this.isPaused,
            abandon: () => true,
            pause: () => !this.isPaused && terms.length_ms >= SECOND_MS && terms.length_ms <= LONGEST_PAUSE_MS,
            take_back: () => !this.isPaused && this.goesBack(seat, terms.line ?? 0),
            draw: () => !this.standing.some(one => one !== seat && this.bots.has(one)),
            replace: () => this.isReplaceable(terms, at),
        };
        return (this.isBegun || ["go_on", "abandon"].includes(terms.is)) && possible[terms.is]();
    }
    isReplaceable({ seat, absent_ms = 0 }, at) {
        const person = this.standing.includes(seat) && !this.bots.has(seat);
        return person && (!absent_ms || this.isAbsent(seat, absent_ms, at));
    }
    goesBack(seat, line) {
        const silent = this.gone.length ? this.gone : [...this.bots].filter(one => one !== seat);
        const stays = !silent.length || this.spentAt <= line;
        return this.pauses.has(line) && this.chosenAt > line && this.goneAt <= line && stays;
    }
    isAbsent(seat, absentMs, at) {
        const need = this.control.absence_ms ?? 0;
        const { clocks } = this;
        if (!need || !clocks || this.isPaused || !this.asked.some(one => one.seat === seat)) {
            return false;
        }
        return clocks.away[seat] <= at && need <= absentMs && absentMs <= at - clocks.heard[seat];
    }
    hasVacation({ at, type, payload: { seat, length_ms } }) {
        const { clocks } = this;
        if (!this.isBegun || !clocks || !this.control.vacation_ms) {
            return false;
        }
        if (type === "VacationEnded") {
            return clocks.away[seat] > at;
        }
        return length_ms >= SECOND_MS && length_ms <= clocks.unused(seat, at);
    }
    outFault({ at, payload: { seat, number, then } }) {
        if (!this.isAsked(seat, number) || this.isPaused) {
            return `the time of seat ${seat} is over for a decision that is not open`;
        }
        const out = this.clocks?.out(at) ?? [];
        if (!out.includes(seat) || then !== (this.control.on_timeout ?? "default")) {
            return `the time of seat ${seat} is not over, or it means something else`;
        }
        return then !== "forfeit" && seat !== out[0] ? "another seat's time was over before" : "";
    }
    // --- going on ---
    /** Continues after a line that is possible here. */
    take(line) {
        const { seq, at, type, payload } = line;
        const former = this.position;
        if (type === "TimeRanOut") {
            this.lost = this.clocks?.lost(payload.seat, at) ?? [payload.seat];
        }
        if (Object.hasOwn(this.folds, type)) {
            this.folds[type](payload, seq);
        }
        if (!this.clocks && ["ClocksSet", "MatchPaused"].includes(type)) {
            this.clocks = new Clocks(this.control, this.seats, at);
        }
        this.clocks?.advance(line, this.asked, this.isPaused);
        if (type === "Shuffled" || (type === "DiceRolled" && payload.dice.length)) {
            this.spentAt = seq;
        }
        const asks = ["DecisionsOpened", "MatchBegun", "PositionSet"].includes(type);
        const waits = asks || (type === "Chosen" && this.position.sealed);
        if (waits && this.isBegun && this.asked.length && this.position !== former) {
            this.pauses.set(seq, this.position);
            this.clocks?.mark(seq);
        }
    }
    folds = {
        SeatTaken: ({ seat, name, kind }) => {
            this.seated.add(seat);
            this.names[seat] = name;
            if (kind === "bot") {
                this.bots.add(seat);
            }
        },
        ClocksSet: ({ control }) => {
            this.control = control;
        },
        MatchBegun: () => {
            this.isBegun = true;
            this.position = { ...this.position, asked: this.waiting };
        },
        DecisionsOpened: ({ asked, sealed = false }) => {
            this.position = { ...this.position, asked, answered: [], sealed, number: asked.at(-1).number };
        },
        DiceRolled: payload => {
            this.position = { ...this.position, roll: payload };
            this.draws = payload.draw;
        },
        Chosen: (payload, seq) => this.choose(payload, seq),
        PositionSet: ({ view }) => {
            this.position = this.placed(view);
            if (!this.isBegun) {
                this.waiting = this.position.asked;
                this.position.asked = [];
            }
        },
        MatchEnded: () => {
            this.isOver = true;
        },
        Offered: ({ seat, number, terms }) => {
            this.lastOffer = number;
            this.offers.set(number, { seat, terms, agreed: [] });
        },
        Agreed: ({ number, seat }) => this.offers.get(number)?.agreed.push(seat),
        Declined: ({ number }) => {
            const offer = this.offers.get(number);
            this.offers.delete(number);
            this.declined.add(`${offer?.seat} ${offer?.terms.is}`);
        },
        OfferAccepted: ({ number }) => this.offers.delete(number),
        MatchPaused: () => {
            this.isPaused = true;
        },
        MatchResumed: () => {
            this.isPaused = false;
            this.close(({ terms }) => terms.is === "go_on");
        },
        SeatReplaced: ({ seat }) => {
            this.bots.add(seat);
            this.offers.clear();
        },
        SeatLeft: ({ seat }, seq) => {
            this.gone.push(seat);
            this.goneAt = seq;
            this.offers.clear();
        },
        HintAsked: ({ number }) => this.hinted.add(number),
    };
    choose({ seat, number, by }, seq) {
        const { asked, answered, sealed } = this.position;
        const own = asked.filter(one => one.number === number).map(one => ({ asked: one }));
        this.chosenAt = seq;
        this.position = {
            ...this.position,
            asked: asked.filter(one => one.number !== number),
            answered: sealed ? [...answered, ...own] : answered,
        };
        this.declined.clear();
        const isOwn = (offer) => by === "rules" || seat === offer.seat || offer.agreed.includes(seat);
        this.close(offer => offer.terms.is === "take_back" || (offer.terms.is === "draw" && !isOwn(offer)));
    }
    close(lapses) {
        for (const [number, offer] of this.offers) {
            if (lapses(offer)) {
                this.offers.delete(number);
            }
        }
    }
}
