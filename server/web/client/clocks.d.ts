type Data = Record<string, any>;
/** The parts of a line that concern time. */
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
/** The acts of a seat other than choices. */
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
    /** The seats whose time is over, in the order in which it ran out. */
    out(at: number): number[];
    /** The seats that lose if a match is lost when the time of `seat` runs out. */
    lost(seat: number, at: number): number[];
    /** The vacation that a seat would have left if it came back. */
    unused(seat: number, at: number): number;
    /** Continues after a line; `asked` and `paused` are the state after it. */
    advance(line: Timed, asked: Data[], paused: boolean): void;
    /** Notes that a takeback can go back to this last line; it gives seats that agree their present time again. */
    mark(line: number): void;
    /** The time for which a seat's clock ran. */
    spent(seat: number, { type, payload }: Timed, at: number): number;
    gained(line: Timed, at: number): void;
    chosen({ seq, payload: { seat, by } }: Timed, at: number): void;
    /** Follows a takeback: time gained by the choices is lost, and seats that agree have their former time again. */
    takenBack(seat: number, agreed: number[], to: number): void;
    /** Follows pauses and vacations. */
    rested({ type, payload: { seat, length_ms } }: Timed, at: number): void;
}
export {};
