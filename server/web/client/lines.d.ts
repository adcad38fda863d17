import type { Opening } from "./verify.js";
/** A line of the record (docs/record.md 2): the event, its part of the rules, and those of its secrets that are held. */
export interface Line {
    seq: number;
    /** The time in ms since 1970. */
    at: number;
    type: string;
    rules: string;
    /** The seat that did it; -1: nobody. */
    actor: number;
    cause: string;
    fields: Record<string, any>;
    /** By slot. */
    secrets: Record<number, unknown>;
    text: string;
}
/** A line's text and openings as data; the text is not checked. */
export declare function lineOf(text: string, openings: readonly Opening[]): Line;
/** How a match ended: the seat that won alone, or null; and why. */
export interface Result {
    winner: number | null;
    /** All seats that won: more than one if a side won, none if the match is a draw or void. */
    won: number[];
    reason: string;
    rule: string;
}
/** The result, if the line states it. */
export declare function resultOf({ type, fields }: Line): Result | null;
