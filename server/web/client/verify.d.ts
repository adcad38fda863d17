import { type Bytes } from "./hashes.js";
/** A mask of the audience, and the seal of the value. */
export type Seal = [number, string];
/** A slot, the text of the value in it, and, for open cards, the salt of its seal. */
export type Opening = [number, string, string?];
/** The content of a line; its fields depend on its type. */
export type Payload = any;
export declare class Broken extends Error {
    seq: number;
    why: string;
    constructor(seq: number, why: string);
}
export declare function parse(source: string): any;
/** Even numbers below a bound, eight bytes each. */
export declare function stream(key: Bytes, mixed: Bytes, draw: number): (bound: number) => number;
export declare function dice(key: Bytes, mixed: Bytes, draw: number, count: number, sides: number): number[];
export declare const audienceKey: (root: Bytes, mid: Bytes, mask: number) => Uint8Array<ArrayBuffer>;
export declare const slotSalt: (key: Bytes, seq: number, slot: number) => Uint8Array<ArrayBuffer>;
export declare const commitment: (mid: Bytes, salt: Bytes, seq: number, slot: number, mask: number, value: Bytes) => Uint8Array<ArrayBuffer>;
export type Meaning = "entropyCommitted" | "entropyRevealed" | "matchBegun" | "branchOpened" | "positionSet" | "chanceAnchored" | "roll" | "shuffled" | "chosen" | "matchEnded" | "secretsOpened";
/** An event whose tables draw from one seed: its id, and the commitment that fixed the seed. */
export type Dealt = {
    event: Bytes;
    commitment: Bytes;
};
/** The name of a draw, if chance is dealt, and how often the name was drawn before. */
export type Place = {
    kind: "dice" | "shuffle";
    rule: string;
    seat: number;
    time: number;
};
/** The key of a draw of an event, by its place. */
export declare const placeKey: (seed: Bytes, { kind, rule, seat, time }: Place) => Uint8Array<ArrayBuffer>;
/** A line that is being checked. */
export type Taken = {
    seq: number;
    at: number;
    rules: string;
    payload: Payload;
    openings: Opening[];
    actor: number;
    cause: string;
    seals: Seal[];
};
/** A match's id, and the keys and secrets that a viewer holds. */
export type Holding = {
    match: string;
    keys?: Record<string, string>;
    root?: string;
    seesHands?: boolean;
};
export declare class Verifier {
    seq: number;
    at: number;
    /** Choices by the seats themselves that were not taken back: line and seat. */
    choices: [number, number][];
    /** The match from which this one branched. */
    branch: {
        match: string;
        line: number;
    } | undefined;
    openings: number;
    dice: number;
    /** Openings for whose audience there is no key. */
    unread: number;
    fault: Broken | null;
    /** Hashes that the server stated, by line. */
    claims: Map<number, string>;
    /** Shares of chance by seat. */
    entropy: Map<number, Bytes>;
    commitments: Map<number, string>;
    /** Line, size, and the order if it is held. */
    shuffles: [number, number, string | undefined, Place | null][];
    /** The event from which the match's chance is dealt. */
    dealt: Dealt | null;
    /** How many times each draw of an event has been asked for. */
    times: Map<string, number>;
    /** Line, place, and key of each roll of an event. */
    rolls: [number, Place, string][];
    /** The anchor of each further chain of keys, by the draw after which the chain begins. */
    anchors: [number, Bytes][];
    drawn: number;
    /** The key of the last draw. */
    lastKey: Bytes;
    anchor: Bytes;
    hidden: Bytes;
    seats: number;
    /** The audience that consists of the keys' holder alone. */
    own: number;
    /** All shares of chance, once they are known. */
    mixed: Bytes | null;
    rules: string | null;
    /** The choice that the lines after it name. */
    cause: string;
    /** The version of the record. */
    version: number;
    /** Whether the end opens the secrets to everybody. */
    isPublic: boolean;
    /** The key that line 1 names for the server's statements beside the record; "" for none. */
    server: string;
    match: string;
    mid: Bytes;
    /** The chain's hash after each line. */
    heads: Bytes[];
    /** Audience keys by mask. */
    keys: Map<number, Bytes>;
    root: Bytes | undefined;
    /** For open cards: every slot that some seat holds is opened with its salt, and line 1 has to allow it. */
    seesHands: boolean;
    /** `match`: its id; `keys`: audience keys by mask; `root`: K_m, for a viewer who may open everything. */
    constructor({ match, keys, root, seesHands }: Holding);
    get head(): Bytes;
    /** The server's hash of the chain after a line, compared as soon as the line is here. Throws `Broken`. */
    claim(seq: number, hash: string): void;
    fail(seq: number, why: string): never;
    /** Takes one line with the openings held. Throws `Broken`; nothing after that is believed. */
    take(source: string, openings?: Opening[], number?: number): void;
    /** Compares a line that arrives again with the known one. */
    again(seq: number, source: string): void;
    read(source: string, openings: Opening[]): void;
    /** The chain's hash after a line, which is compared with the server's statement. */
    link(seq: number, source: string): Uint8Array<ArrayBuffer>;
    /** Whether a line has the version that line 1 names. */
    isOf(version: number, seq: number, payload: Payload): boolean;
    /** The fields of every line. */
    frame(seq: number, line: Payload): void;
    /** Actor and audiences belong to this match, and every slot held here is opened once, in order. */
    demand(seq: number, [, , , , , , actor, , payload, seals]: Payload, openings: Opening[]): void;
    /** Whether the holder of these keys may open the seals for an audience. */
    holds(mask: number): boolean;
    /** The key of an audience, if it is held. */
    key(mask: number): Bytes | undefined;
    /** The salt of a slot: sent, if the match has open cards, otherwise derived from the audience's key. */
    salt(seq: number, [slot, , told]: Opening, mask: number): Uint8Array<ArrayBuffer> | undefined;
    open(seq: number, opening: Opening, seals: Seal[]): void;
    matches({ seq, slot, salt, value }: {
        seq: number;
        slot: number;
        salt: Bytes;
        value: string;
    }, [mask, sealed]: Seal): void;
    meaning(type: string, taken: Taken): void;
    created({ payload }: Taken): void;
    /** The place of an event's draw in its match; null if chance is not dealt. */
    placeOf(kind: Place["kind"], { rule, seat }: Payload): Place | null;
    /** If chance is dealt, no seat has a share in it. */
    undealt(seq: number, type: string): void;
    entropyCommitted({ seq, payload }: Taken): void;
    entropyRevealed({ seq, payload }: Taken): void;
    matchBegun({ seq }: Taken): void;
    branchOpened({ payload }: Taken): void;
    positionSet({ payload }: Taken): void;
    chanceAnchored({ seq, payload }: Taken): void;
    shuffled({ seq, payload, openings }: Taken): void;
    chosen({ seq, payload }: Taken): void;
    matchEnded(): void;
    secretsOpened({ seq }: Taken): void;
    /** A draw is for a seat of the match, or for none. */
    drawnFor(seq: number, seat: number | null | undefined): void;
    roll({ seq, payload }: Taken): void;
    /** The number from which a roll's faces come. The key of a roll is the next key of the chain, or the key of its place, which is disclosed at the end. */
    drawnFrom(seq: number, key: Bytes, payload: Payload): any;
}
export declare const shuffle: (hid: Bytes, mixed: Bytes, draw: number, size: number) => number[];
/** The anchor of a chain of keys, from its last key. */
export declare function chainStart(last: Bytes, length?: number): Bytes;
/** Checks the commitments of line 1 and every shuffle that is held, by the secrets disclosed at the end. Throws `Broken`. `disclosed`: K_m, k_N, hid */
export declare function close(verifier: Verifier, { k_m, k_n, hid }: {
    k_m: string;
    k_n: string;
    hid: string;
}): void;
export declare const checkpointMessage: (mid: Bytes, seq: number, head: Bytes, at: number) => Uint8Array<ArrayBuffer>;
/** Whether a checkpoint as stored (time, public key, signature) is valid; null if WebCrypto has no Ed25519. */
export declare function isSigned(verifier: Verifier, seq: number, signed: string): Promise<boolean | null>;
