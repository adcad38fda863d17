import { type Opening as ClaimOpening, type SeatClaim } from "./claims.js";
import { type Seated } from "./seating.js";
import { type Line, type Result } from "./lines.js";
import { type Games } from "./strict.js";
import { type Broken, type Opening } from "./verify.js";
/** Verifies a match: chain, openings, heads, signatures, shares, dice, and the right to speak for a seat. */
export declare class Verifier {
    #private;
    /** The last line under a good signature of the server. */
    signedTo: number;
    /** Public keys of servers that signed. */
    readonly servers: Set<string>;
    result: Result | null;
    /**
     * `keys`: the keys of audiences, by mask, as `welcome` has them. `games`: tables of the lines of games that this library
     * does not know, by name (docs/schema/lines.json).
     */
    constructor(match: string, keys?: Record<string, string>, games?: Games);
    get match(): string;
    get seq(): number;
    /** The chain's hash after the last line. */
    get head(): string;
    get at(): number;
    get seated(): ReadonlyMap<number, Seated>;
    /** Commitments to shares of chance, by seat. */
    get committed(): ReadonlyMap<number, string>;
    /** Shares of chance that are revealed, by seat. */
    get entropy(): ReadonlyMap<number, Uint8Array>;
    get isBegun(): boolean;
    /**
     * The weaknesses of the record, by name; a verdict must state them first. `version`: the record is of an older version;
     * `keys`: a person's seat did not always sign; `shares`: somebody could have chosen the dice; `reveal`: the end does not
     * open its secrets to everybody; `signatures`: the server has not signed the last line; `commit`: another line must still follow
     * the last one.
     */
    get lacks(): string[];
    /** The fault, after which nothing is believed. */
    get fault(): Broken | null;
    /** Takes the next line, with the openings held. Throws `Broken`. */
    take(text: string, openings?: Opening[]): Promise<Line>;
    /** The chain's hash after a line, as the server states it. Throws `Broken`. */
    claim(seq: number, hash: string): void;
    /**
     * The seat behind which the person of an opening stands (docs/record.md 5, Persons); null if this
     * platform cannot check signatures. Throws `Broken`.
     */
    person(opening: ClaimOpening): Promise<SeatClaim | null>;
    /** Whether the server's signature under a line is valid; null if this platform cannot check it. Throws `Broken`. */
    checkpoint(seq: number, signed: string): Promise<boolean | null>;
}
