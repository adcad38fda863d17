import { type Bytes } from "./hashes.js";
type Data = Record<string, any>;
/** Who answers so, in its line. */
export declare const STANDING = "standing";
/** No decision of a match has so great a number. */
export declare const NEVER: number;
/**
 * What a seat says to a question to come: asked a decision of this `kind`, whose `terms` include these, with a number of
 * `until` at most, it chooses `then`, a choice with its name in `do`.
 */
export interface Instruction {
    kind: string;
    terms: Data;
    until: number;
    then: Data;
}
/** c: what a seat fixes an instruction with. */
export declare const instructionCommitment: (mid: Bytes, seat: number, salt: Bytes, text: string) => Uint8Array<ArrayBuffer>;
/** What a seat signs ahead; `signed`: the line it has seen, its id, and c. */
export declare const standingMessage: (mid: Bytes, seat: number, signed: Bytes[]) => Uint8Array<ArrayBuffer>;
/** Why an answer does not follow from what its seat signed ahead; "" where it does. `opened`: what slot 1 holds. */
export declare function openedFault(mid: Bytes, payload: Data, opened: unknown, choice: unknown, asked: Data | undefined): string;
/** An instruction as it is signed. */
export declare const written: ({ kind, terms, until, then }: Instruction) => string;
export {};
