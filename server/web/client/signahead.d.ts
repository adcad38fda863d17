import type { MatchVerifier } from "./seating.js";
import { type Instruction } from "./standing.js";
import type { Wire } from "./wire.js";
/**
 * The message that has the server answer ahead with these, each of them once, in the place of all that it keeps. Throws
 * `Refused` where the seat signs with no key that is here.
 */
export declare function signAhead(own: string | undefined, verifier: MatchVerifier | undefined, seat: number, said: Instruction[]): Promise<Wire.Ahead>;
