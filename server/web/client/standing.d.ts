import { type Bytes } from "./hashes.js";
import type { MatchVerifier } from "./seating.js";
import { type Taken } from "./verify.js";
type Data = Record<string, any>;
/** A number greater than that of any decision of a match. */
export declare const NEVER: number;
/**
 * A seat's answer to a later question: if the seat is asked a decision of this `kind`, whose `terms` include these and whose number
 * is at most `until`, it chooses `then`, a choice with its name in `do`.
 */
export interface Instruction {
    kind: string;
    then: Data;
    terms?: Data;
    until?: number;
}
/** An instruction as it is signed. */
export declare const written: ({ kind, then, terms, until }: Instruction) => string;
/** c: the commitment of a seat to an instruction. */
export declare const fixed: (mid: Bytes, seat: number, salt: Bytes, text: string) => Uint8Array<ArrayBuffer>;
/** The text that a seat signs ahead: it names the last line that the seat has seen, and has an id of its own. */
export declare function standingMessage(mid: Bytes, { seat, id, ack_seq, ack_head }: Data, committed: Bytes): Uint8Array<ArrayBuffer>;
/** Follows the lines that end a seat's answers ahead, and checks the answers that are used. */
export declare class Standing {
    /** The last line in which each seat chose by hand, or took another key. */
    byHand: Map<number, number>;
    /** The last line that put everybody into another position. */
    placedAt: number;
    /** The last choice that this viewer can read in each kind of question, with the question's number. */
    said: Map<string, {
        number: number;
        then: Data;
    }>;
    /** Continues after a line; `asked`: the questions that were open before it. */
    take(type: string, { seq, payload, openings }: Taken, asked: Data[]): void;
    /** Fails if a seat has not signed this answer ahead, or has ended it since. */
    check(at: MatchVerifier, taken: Taken, asked: Data[]): void;
    /** Whether salt and instruction open the commitment, and lead to the choice. */
    opens(at: MatchVerifier, { seat, commitment }: Data, opened: unknown, choice: string, question: Data): boolean;
}
export {};
