import { type Bytes } from "./hashes.js";
/** The content of a line `SeatClaimed`: the seat, the key that signs for it there, and the commitment to a person. */
export type SeatClaim = {
    seat: number;
    key: string;
    commitment: string;
};
/** The opening of a claim: match and line, the server's name as the person calls it, the person's key, salt and signature. */
export type Opening = {
    match: string;
    line: number;
    site: string;
    key: string;
    salt: string;
    signature: string;
};
/** A person's key, wherever it is kept: its public half, and a function that signs with it. */
export interface PersonKey {
    open: string;
    sign(message: Bytes): Promise<string>;
}
/** Texts one after another, each with its length before it, hashed under a tag. */
export declare function said(tag: string, ...texts: string[]): Uint8Array<ArrayBuffer>;
/** A commitment to the person for the record, and its opening, whose line is 0 until the record has the claim. */
export declare function claimed(person: PersonKey, site: string, match: string, place: {
    seat: number;
    key: string;
}): Promise<{
    commitment: string;
    opening: Opening;
}>;
/**
 * The seat behind which the person of an opening stands; null if this browser cannot check signatures.
 * Throws `Broken` if it opens nothing.
 */
export declare function personBehind(match: string, claims: Map<number, SeatClaim>, opening: Opening): Promise<SeatClaim | null>;
