import type { MatchVerifier } from "./seating.js";
import { type Instruction } from "./standing.js";
import type { Wire } from "./wire.js";
/**
 * The message that makes the server keep these answers, each to be used once, in place of all that it keeps now. Throws
 * `Refused` if the seat does not sign with a key that is here.
 */
export declare function signAhead(own: string | undefined, verifier: MatchVerifier | undefined, seat: number, said: Instruction[]): Promise<Wire.Ahead>;
