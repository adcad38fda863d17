import type { News } from "./news.js";
import type { Wire } from "./wire.js";
/**
 * `server`: signed under the key that line 1 names; `other`: under another one, as another server of the match has it;
 * `none`: not signed, and line 1 names no key, or nothing here can check it; `false`: not what was signed, or not signed
 * though line 1 names a key.
 */
export type Proof = "server" | "other" | "none" | "false";
/** The known facts of the match that a statement is about; `server`: the key that line 1 names, "" for none. */
export interface Known {
    match: string;
    server: string;
    seesHands: boolean;
}
export type Directed = Extract<News, {
    kind: "directed";
}>;
/** The chance to win after `line`; without sides if none is stated, or if the statement is false. */
export interface Chance {
    line: number;
    samples: number;
    sides: {
        seats: number[];
        share: number;
        low: number;
        high: number;
    }[];
    at: number;
    proof: Proof;
    why: string;
}
/** A direction as it is sent; `last`: the `at` of the previous direction, which must be earlier. */
export declare function directedOf(m: Wire.Directed, known: Known, last: number): Promise<Directed>;
/** The chance to win that `/api/outlook/MATCH` states. */
export declare function chanceOf(told: Partial<Chance> & {
    said?: string;
    signed?: string;
}, known: Known): Promise<Chance>;
