// The time that each seat has left, folded from public lines and their times (docs/record.md 9).
/** The acts of a seat other than choices. */
export const ACTS = [
    ..."Resigned Offered Agreed Declined AbsenceClaimed".split(" "),
    ..."VacationTaken VacationEnded HintAsked".split(" "),
];
/** The clocks of one match; all times in ms, one place per seat. */
export class Clocks {
    control;
    at;
    left;
    runs = [];
    vacation;
    away;
    heard;
    pausedUntil = 0;
    before = [];
    /** The time of each seat at the lines that a takeback can go back to. */
    marks = new Map();
    constructor(control, seats, at) {
        const all = (value) => Array.from({ length: seats }, () => value);
        this.control = control;
        this.at = at;
        this.left = all(0);
        this.vacation = all(control.vacation_ms ?? 0);
        this.away = all(0);
        this.heard = all(at);
    }
    /** When a seat's time is over if nothing happens before. */
    dueAt(seat) {
        return this.runs.includes(seat) ? Math.max(this.at, this.away[seat]) + this.left[seat] : Infinity;
    }
    /** The seats whose time is over, in the order in which it ran out. */
    out(at) {
        const over = this.runs.filter(seat => this.dueAt(seat) <= at);
        return over.sort((a, b) => this.dueAt(a) - this.dueAt(b) || a - b);
    }
    /** The seats that lose if a match is lost when the time of `seat` runs out. */
    lost(seat, at) {
        const out = this.out(at);
        const same = out.filter(one => this.dueAt(one) === this.dueAt(out[0]));
        return same.sort((a, b) => Number(a !== seat) - Number(b !== seat));
    }
    /** The vacation that a seat would have left if it came back. */
    unused(seat, at) {
        return this.vacation[seat] + Math.max(0, this.away[seat] - at);
    }
    /** Continues after a line; `asked` and `paused` are the state after it. */
    advance(line, asked, paused) {
        const at = Math.max(line.at, this.at);
        const spent = this.left.map((_, seat) => this.spent(seat, line, at));
        this.left = this.left.map((had, seat) => Math.max(0, had - spent[seat]));
        for (const one of this.before) {
            one.left = Math.max(0, one.left - spent[one.seat]);
        }
        this.gained(line, at);
        const limited = this.control.limit_ms && !paused;
        this.runs = limited ? [...new Set(asked.map(one => one.seat))].sort((a, b) => a - b) : [];
        this.at = at;
        this.rested(line, at);
    }
    /** Notes that a takeback can go back to this last line; it gives seats that agree their present time again. */
    mark(line) {
        if (this.control.taken_back === "returned") {
            this.marks.set(line, [...this.left]);
        }
    }
    /** The time for which a seat's clock ran. */
    spent(seat, { type, payload }, at) {
        if (!this.runs.includes(seat)) {
            return 0;
        }
        const { gone, back } = type === "ServerReturned" ? payload : { gone: 0, back: 0 };
        const start = Math.max(this.at, this.away[seat]);
        return Math.max(0, at - start - Math.max(0, Math.min(at, back) - Math.max(start, gone)));
    }
    gained(line, at) {
        const { type, payload } = line;
        const { limit_ms = 0, kind } = this.control;
        if (type === "ClocksSet") {
            this.left.fill(limit_ms);
        }
        else if (type === "MatchBegun") {
            this.heard.fill(at);
        }
        else if (type === "DecisionsOpened" && ["decision", "days"].includes(kind)) {
            for (const one of payload.asked) {
                this.left[one.seat] = limit_ms;
            }
        }
        else if (type === "Chosen") {
            this.chosen(line, at);
        }
        else if (type === "OfferAccepted" && payload.terms?.is === "take_back") {
            this.takenBack(payload.seat, payload.agreed, payload.terms.line ?? 0);
        }
        else if (ACTS.includes(type)) {
            this.heard[payload.seat] = at;
        }
    }
    chosen({ seq, payload: { seat, by } }, at) {
        if (["all", "returned"].includes(this.control.taken_back)) {
            this.before = this.before.filter(one => one.seat === seat);
            this.before.push({ line: seq, seat, left: this.left[seat] });
        }
        if (by !== "clock" && by !== "rules") {
            this.heard[seat] = at;
            this.left[seat] += this.control.increment_ms ?? 0;
        }
    }
    /** Follows a takeback: time gained by the choices is lost, and seats that agree have their former time again. */
    takenBack(seat, agreed, to) {
        const undone = this.before.find(one => one.line > to && one.seat === seat);
        const gained = Math.max(0, this.left[seat] - (this.control.increment_ms ?? 0));
        this.left[seat] = undone ? Math.min(this.left[seat], undone.left) : gained;
        this.before = this.before.filter(one => one.line <= to);
        const then = this.marks.get(to);
        for (const one of then ? agreed : []) {
            this.left[one] = then?.[one] ?? 0;
        }
    }
    /** Follows pauses and vacations. */
    rested({ type, payload: { seat, length_ms = 0 } }, at) {
        if (type === "MatchPaused") {
            this.pausedUntil = at + length_ms;
        }
        else if (type === "MatchResumed" || type === "MatchEnded") {
            this.pausedUntil = 0;
        }
        else if (type === "VacationTaken" || type === "VacationEnded") {
            this.vacation[seat] = this.unused(seat, at) - length_ms;
            this.away[seat] = type === "VacationTaken" ? at + length_ms : 0;
        }
    }
}
