import type { Answer, Words } from "./wire.js";
/** An even number from 0 to below a bound. */
export type Below = (bound: number) => number;
/** Math.random as `Below`: good enough for a bot. */
export declare const byLot: Below;
/** A legal answer: the first option, the first items, the arrangement that the prompt proposes. */
export declare function first(field: Words.Field): Answer;
/** A random legal answer; options that are answered with a file are left out. */
export declare function some(field: Words.Field, below?: Below): Answer;
/** Why an answer does not fit a field, as a sentence; "" if it does. The server decides. */
export declare function fault(field: Words.Field, answer: unknown): string;
