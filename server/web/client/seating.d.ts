import { Agreements } from "./agreements.js";
import type { SeatClaim } from "./claims.js";
import { type Bytes } from "./hashes.js";
import type { Strict } from "./strict.js";
import { type Holding, Verifier, type Taken } from "./verify.js";
type Payload = Record<string, any>;
/** A seat that is taken: its holder, its key, the line since which it has them, and the way in which its share of chance was given. */
export type Seated = {
    name: string;
    kind: string;
    key: string;
    since: number;
    share: string;
};
type Offer = {
    seat: number;
    terms: Payload;
    agreed: number[];
};
type Proof = {
    seq: number;
    seat: number;
    what: string;
    key: Bytes;
    messages: Bytes[];
    signature: Bytes;
};
/** From this version on, a signature acknowledges the line that it answers, and an answer to an offer names its terms. */
export declare const BINDS = 3;
/** c: the commitment with which a client fixes its answer. */
export declare const answerCommitment: (mid: Bytes, seat: number, number: number, salt: Bytes, answer: string) => Uint8Array<ArrayBuffer>;
/** The text that a seat signs for a choice. */
export declare const choiceMessage: (mid: Bytes, { seat, number, id, ack_seq, ack_head, }: {
    seat: number;
    number: number;
    id?: string;
    ack_seq?: number;
    ack_head?: string;
}, committed: Bytes) => Uint8Array<ArrayBuffer>;
/** The text that a seat signs for any other statement; `said` is plain data. */
export declare const actMessage: (mid: Bytes, { seat, id, ack_seq, ack_head }: {
    seat: number;
    id?: string;
    ack_seq?: number;
    ack_head?: string;
}, said: unknown[]) => Uint8Array<ArrayBuffer>;
/** A verifier that also knows who may speak for a seat. `prove` checks the signatures separately, because WebCrypto is asynchronous. */
export declare class MatchVerifier extends Verifier {
    seated: Map<number, Seated>;
    /** signatures that were checked */
    signatures: number;
    /** signatures that this program cannot check */
    unproved: number;
    /** The check of the shape and order of lines. */
    strict: Strict | undefined;
    /** The agreements and the open questions. */
    agreements: Agreements;
    /** The last line in which each seat made a choice. */
    chosenAt: Map<number, number>;
    /** The keys of seats behind which a person stands, by the line that says so. */
    persons: Map<number, SeatClaim>;
    proofs: Proof[];
    spoken: Set<string>;
    offers: Map<number, Offer>;
    limits: Map<number, [number, number]>;
    /** Seats for which a line gives a reason to be out. */
    leaving: Set<number>;
    /** Seats that have left. */
    gone: Set<number>;
    /** The seats whose share of chance is fixed and not revealed, and the author of each. */
    owed: Map<number, string>;
    askedAt: number;
    committedAt: number;
    spent: number;
    waits: boolean;
    /** Whether seats may ask for hints, and the decisions for which they have. */
    hints: boolean;
    hintsAsked: Set<number>;
    isBegun: boolean;
    lot: Payload | null;
    accepted: Payload | null;
    /** Whether the host of the server has just made the match void. */
    isVoided: boolean;
    isScenario: boolean;
    /** As for `Verifier`; `strict` may be set later, before the first line. */
    constructor(of: Holding & {
        strict?: Strict;
    });
    /** Sets the check of the shape and order of lines, unless there is one already. */
    hold(strict: Strict): void;
    /** Every line has its fields, their types and its slots. */
    shaped(type: string, taken: Taken): void;
    /** @@override */
    meaning(type: string, taken: Taken): void;
    /** The lines from which the next line may follow. */
    remember(type: string, { seq, payload }: Taken): void;
    /** The person in a seat. */
    person(seq: number, seat: number, does: string): Seated;
    /** Notes a signature to be checked; fails if it is missing, or if the seat has no key. `messages`: one of these is signed. */
    signed({ seq, payload }: Taken, what: string, messages: () => Bytes[]): void;
    taken({ seq, payload }: Taken): void;
    keyed(taken: Taken): void;
    /** The seat's own key states once that a person stands behind it; an opening tells which. */
    claimed(taken: Taken): void;
    shared(taken: Taken): void;
    sharedBySeat(taken: Taken): void;
    mayChoose(seq: number, seat: number, by: string): void;
    chose(taken: Taken): void;
    /** Checks an answer to the open question that was not signed ahead. */
    answeredNow(taken: Taken): void;
    /** In version 1 the signature is the seat's secret: only holders of the slot can check it. */
    signedOnce({ seq, payload, openings }: Taken): void;
    /** Salt and answer, if they are held, open the commitment. */
    opens({ seq, payload, openings }: Taken): void;
    /** Checks a choice by the clock: unless a line of the time control has ended the seat's time, a limit that the question states must have passed. */
    byClock({ seq, at, payload }: Taken): void;
    asked({ at, payload }: Taken): void;
    ask(asked: Payload[], at: number): void;
    begun({ at }: Taken): void;
    /** All acts of a seat other than choices. */
    acted(type: string, taken: Taken): void;
    /** The part of an offer that a signature under its answer covers: its terms, from version 3 on. */
    answered(type: string, { seq, payload: { seat, number } }: Taken): Payload[];
    /** From version 3 on, a signature acknowledges the line that asked: otherwise it could answer another question. */
    reaches(type: string, { seq, payload }: Taken): void;
    /** The content that a seat has committed to with a choice. */
    committed({ seq, payload }: Taken): Bytes;
    /** A seat with a key says nothing twice under one id. */
    once({ seq, payload: { seat, id, signature } }: Taken): void;
    compareHead(seq: number, { seat, ack_seq, ack_head }: Payload): void;
    offered({ payload }: Taken): void;
    agreed({ payload }: Taken): void;
    declined({ payload }: Taken): void;
    /** An agreement needs an offer, and the consent of each seat that had to agree. A bot never agrees to give back chance. */
    settled({ seq, payload }: Taken): void;
    /** The seats that had to agree, as far as that is known without the rules. */
    voters(seat: number, terms: Payload): number[];
    replaced({ seq, payload }: Taken): void;
    /** A seat is out by its own resignation, by a claim of absence, or because its time was over. */
    leave({ seq, payload: { seat } }: Taken): void;
    /** Only line 1 can allow hints, and each decision allows one. */
    hinted({ seq, payload: { seat, number } }: Taken): void;
    placed({ seq, at, payload }: Taken): void;
    /** A match is void by agreement, or because a seat withholds its share of chance for too long. */
    ended({ seq, at, payload }: Taken): void;
    /** Checks the signatures of the lines taken since the last time. Throws `Broken`. */
    prove(): Promise<void>;
    /** Seats, from 0, for which the server could have answered, with the line from which their key counts. */
    get unproven(): [number, number][];
    /** Whether the last line is in the middle of a commit: another line must follow from it. */
    get isUnfinished(): boolean;
    /**
     * The weaknesses of the record, by name. `version`: the record is of an older version; `keys`: a person's seat did not
     * always sign; `shares`: somebody could have chosen the dice; `reveal`: the end does not open its secrets to everybody.
     */
    get lacks(): string[];
    /** The owners of the shares of chance: their names, whether all are people, and whether all shares are signed. */
    get shares(): {
        names: string[];
        all: boolean;
        signed: boolean;
    };
}
export {};
