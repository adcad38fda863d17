import { MatchVerifier } from "./seating.js";
import type { Games } from "./strict.js";
import { type Opening } from "./verify.js";
import type { Wire } from "./wire.js";
/** The tables of the lines of games; `game` is the one that is needed, the name that line 1 gives. */
export type Tables = (game: string) => Games | Promise<Games>;
/** A line with its number and openings. */
export type Line = [number, string, Opening[]];
export declare class Check {
    /** Lines, and the server's statement of the chain after them. */
    queue: (Line | Wire.HeadInfo)[];
    busy: boolean;
    /** The line after which lines were requested again. */
    asked: number;
    /** A signature whose line is not checked yet. */
    stamp: Wire.HeadInfo | null;
    /** The last line under which the server's signature is right. */
    signed: number;
    verifier: MatchVerifier | undefined;
    /** Callers that wait until all received lines are checked. */
    waiting: (() => void)[];
    told: (check: Check) => void;
    missing: (since: number) => void;
    tables: Tables;
    /** `told` is called after every slice; `missing`, when lines must be sent again. */
    constructor(told: (check: Check) => void, missing: (since: number) => void, tables: Tables);
    welcome({ match, keys, head, viewer }: Pick<Wire.Welcome, "match" | "keys" | "head"> & {
        viewer?: Wire.ViewerInfo;
    }): Promise<void>;
    get seq(): number;
    get fault(): import("./verify.js").Broken | null | undefined;
    get head(): string;
    /** The last line that this client has verified, for the next choice to name. */
    get ack(): {
        ack_seq: number;
        ack_head: string;
    } | {
        ack_seq?: undefined;
        ack_head?: undefined;
    };
    claim(head: Wire.HeadInfo | undefined): Promise<void>;
    events({ from, items, head, salts }: Pick<Wire.Events, "from" | "items" | "head" | "salts">): Promise<void>;
    /** Checks the server's signature under a line that is checked. */
    stamped(verifier: MatchVerifier, { seq, signed }: Wire.HeadInfo): Promise<void>;
    /** Asks once for every line since the gap. */
    again(): void;
    take(verifier: MatchVerifier, next: Line | Wire.HeadInfo): void;
    /** Loads, with the first line, the check of the shape and order of lines, including those of its game. */
    learn(verifier: MatchVerifier, text: string): Promise<void>;
    slices(verifier: MatchVerifier): Promise<void>;
    run(): Promise<void>;
    /** Done when all received lines are checked. */
    settled(): Promise<void>;
}
