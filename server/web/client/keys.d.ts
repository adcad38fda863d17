import { type MatchVerifier } from "./seating.js";
import { type Bytes } from "./hashes.js";
import type { ClientMessage, Wire } from "./wire.js";
/** A seat, with the holder's key and share of chance. */
export interface Held {
    seat: number;
    /** The private key. */
    own: string | undefined;
    /** The public key that a seat without a key will have from now on; "" for none. */
    key(): string | Promise<string>;
    /** The seat's share of chance; once play has begun it is forgotten, and "". */
    share(isBegun: boolean): string | Promise<string>;
}
export type Act = {
    t: string;
    id: string;
    ack_seq?: number;
    ack_head?: string;
    signature?: string;
} & Record<string, any>;
/** Whether a library must make keys here: WebCrypto exists, as in every secure context, but has no Ed25519. */
export declare function isSoft(): Promise<boolean>;
/** A key for a seat; null if the browser cannot make one (WebCrypto exists only in secure contexts). */
export declare function newKey(): Promise<{
    own: string;
    open: string;
} | null>;
/** The public key of a private one; null if the browser cannot compute it. */
export declare function openOf(own: string): Promise<string | null>;
/** `own`: the private key */
export declare function sign(own: string, message: Bytes): Promise<string>;
export declare const random: (bytes: number) => Uint8Array<ArrayBuffer>;
/** Signs a choice as the version of its match requires. */
export declare function signChoice(own: string, verifier: MatchVerifier, seat: number, m: Wire.Choose): Promise<{
    text: string;
    signature: string;
    salt?: undefined;
} | {
    text: string;
    salt: string;
    signature: string;
}>;
/** An act at the table, signed if the seat signs; an answer to an offer names the terms of the offer. Throws `Refused`. */
export declare function signAct(own: string | undefined, verifier: MatchVerifier | undefined, seat: number, m: Act): Promise<Act>;
/** A seat's share of chance, derived from its private key, so that only the key has to be kept. */
export declare const shareOf: (own: string, mid: Bytes, seat: number) => string;
/** Whether a message is an act at the table. */
export declare const isAct: (m: {
    t: string;
}) => boolean;
/**
 * The messages that a match awaits from a seat before it begins: its key, the commitment to its share, and the share once all are fixed.
 * `sent`: the messages that were sent on this connection.
 */
export declare function owed(held: Held, verifier: MatchVerifier, sent: Set<string>): Promise<ClientMessage | null>;
