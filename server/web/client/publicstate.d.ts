import { Clocks, type Timed } from "./clocks.js";
type Data = Record<string, any>;
type Offer = {
    seat: number;
    terms: Data;
    agreed: number[];
};
/** The part of a position that everybody can follow. */
type Position = {
    asked: Data[];
    answered: {
        asked: Data;
    }[];
    sealed: boolean;
    number: number;
    roll: Data | null;
};
/** Whether two values are the same data. */
export declare const alike: (one: unknown, other: unknown) => boolean;
/** The public state of one match, from its lines; `fault` says why a line is impossible, `take` continues after a line. */
export declare class PublicState {
    seats: number;
    names: string[];
    hints: boolean;
    seated: Set<number>;
    bots: Set<number>;
    gone: number[];
    isBegun: boolean;
    isOver: boolean;
    isPaused: boolean;
    control: Data;
    clocks: Clocks | null;
    offers: Map<number, Offer>;
    draws: number;
    /** The seat that loses by the last time-out. */
    lost: number[];
    lastOffer: number;
    declined: Set<string>;
    hinted: Set<number>;
    position: Position;
    waiting: Data[];
    pauses: Map<number, Position>;
    chosenAt: number;
    spentAt: number;
    goneAt: number;
    constructor(created: Data);
    get asked(): Data[];
    /** Whether the rules must still ask a seat, or end the match. */
    get isResolving(): boolean;
    /** The seats that play on. */
    get standing(): number[];
    /** Why a line is impossible here; nothing if it is possible. `follows`: it is the consequence of an earlier line. */
    fault(line: Timed, follows: boolean): string;
    faults: Record<string, (line: Timed, follows: boolean) => string>;
    /** Whether the host can end the match in this way: with a reason, and with a result if play has begun. */
    isRuling({ why, winners, void: isVoid }: Data): any;
    askingFault({ asked, sealed }: Data): string;
    choiceFault({ at, payload: { seat, number, by } }: Timed, follows: boolean): string;
    isAsked(seat: number, number: number): boolean;
    /** The seats asked in a position are known from the line to which the position goes back. */
    positionFault({ line, view }: Data): string;
    placed(view: Data): Position;
    /** The seats that have to agree to an offer: every other person who has not left, except one replaced for being away. */
    voters({ seat, terms }: Offer): number[];
    /** Whether all have agreed to an offer, so that its acceptance follows at once. */
    isSettled(number: number): boolean;
    acts: Record<string, (line: Timed) => boolean>;
    isOfferable({ at, payload: { seat, number, terms } }: Timed): boolean;
    isReplaceable({ seat, absent_ms }: Data, at: number): boolean;
    goesBack(seat: number, line: number): boolean;
    isAbsent(seat: number, absentMs: number, at: number): boolean;
    hasVacation({ at, type, payload: { seat, length_ms } }: Timed): boolean;
    outFault({ at, payload: { seat, number, then } }: Timed): string;
    /** Continues after a line that is possible here. */
    take(line: Timed): void;
    folds: Record<string, (payload: Data, seq: number) => void>;
    choose({ seat, number, by }: Data, seq: number): void;
    close(lapses: (offer: Offer) => boolean): void;
}
export {};
