type Data = Record<string, any>;
/** A line as far as time goes. */
export type Timed = {
    seq: number;
    at: number;
    type: string;
    payload: Data;
};
/** The time that a seat would have left, had it not made its choice at `line`. */
type Before = {
    line: number;
    seat: number;
    left: number;
};
/** The acts of a seat beside its choices. */
export declare const ACTS: string[];
/** The clocks of one match; all times in ms, one place per seat. */
export declare class Clocks {
    control: Data;
    at: number;
    left: number[];
    runs: number[];
    vacation: number[];
    away: number[];
    heard: number[];
    pausedUntil: number;
    before: Before[];
    /** The time of each seat at the lines that a takeback can go back to. */
    marks: Map<number, number[]>;
    constructor(control: Data, seats: number, at: number);
    /** When a seat's time is over if nothing happens before. */
    dueAt(seat: number): number;
    /** The seats whose time is over, those that ran out first before the others. */
    out(at: number): number[];
    /** The losers where a time-out of `seat` means that the match is lost. */
    lost(seat: number, at: number): number[];
    /** The vacation that a seat would have left if it came back. */
    unused(seat: number, at: number): number;
    /** Goes on behind a line; `asked` and `paused` are as they stand behind it. */
    advance(line: Timed, asked: Data[], paused: boolean): void;
    /** A takeback can go back to this line, the last one; then the seats that agree have again what they have now. */
    mark(line: number): void;
    /** How long a seat's clock ran. */
    spent(seat: number, { type, payload }: Timed, at: number): number;
    gained(line: Timed, at: number): void;
    chosen({ seq, payload: { seat, by } }: Timed, at: number): void;
    /** The time that choices gained goes back with them; those who agree have their former time again. */
    takenBack(seat: number, agreed: number[], to: number): void;
    /** Pauses and vacations. */
    rested({ type, payload: { seat, length_ms } }: Timed, at: number): void;
}
export {};
