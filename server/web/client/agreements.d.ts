import type { Wire } from "./wire.js";
type Payload = Record<string, any>;
type Line = {
    seq: number;
    payload: Payload;
};
type Offer = {
    number: number;
    seat: number;
    terms: Payload;
    agreed: number[];
};
/** Follows the lines of one match. */
export declare class Agreements {
    /** The last line that opened decisions. */
    askedAt: number;
    /** Open offers, by number. */
    offers: Map<number, Offer>;
    /** Line and terms of every offer that was made. */
    made: Map<number, {
        seq: number;
        terms: Payload;
    }>;
    isPaused: boolean;
    isBegun: boolean;
    isOver: boolean;
    /** Open decisions, with the seat that is asked. */
    asked: Map<number, number>;
    lastAsked: number;
    held: Map<number, Wire.SeatInfo>;
    left: Set<number>;
    control: Wire.TimeControl | undefined;
    hints: boolean;
    hinted: Set<number>;
    count: number;
    game: string;
    committed: Set<number>;
    owing: Set<number>;
    /** Continues after a line. */
    take(type: string, line: Line): void;
    /** Whether the rules must still ask a seat, or end the match. */
    get isResolving(): boolean;
    /** Whether a seat is asked a decision that it has not answered. */
    isAsked(number: number, seat: number): boolean;
    /** Whether a decision has been asked, of any seat. */
    wasAsked(number: number): boolean;
    /** The agreements as the lines state them; only the time left is taken from the server's statement. */
    table({ paused_ms, reveal_ms }: Wire.TableInfo): Wire.TableInfo;
    /** The holders of the seats, from the lines; the server alone gives the name of a seat that nobody holds. */
    seats(told: Wire.SeatInfo[]): Wire.SeatInfo[];
    /** An offer, with the seats that have to agree: every other person who is there. */
    told({ terms, ...offer }: Offer): Wire.OfferInfo;
    /** Keeps the offers that stay open. */
    keep(stays: (offer: Offer) => boolean): void;
    ask(asked: Payload[]): void;
}
export {};
