import { type Bytes } from "./hashes.js";
/** The commitment and the lot of each seat, by seat, as base64url. */
export interface SeatDraw {
    sealed: string[];
    lots: string[];
}
/** The commitment to a lot. */
export declare const sealedLot: (lot: Bytes) => string;
/** Why the seats of a match are not those that the lots give, as one word; empty if they are. */
export declare function drawFault(match: string, { sealed, lots }: SeatDraw): "" | "lots" | "sealed" | "order" | "match";
