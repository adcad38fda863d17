type Payload = Record<string, any>;
type Line = {
    seq: number;
    at: number;
    payload: Payload;
    actor: number;
    cause: string;
    seals: [number, string][];
};
/** Whether a line is the one that has to follow. */
type Due = (type: string, payload: Payload) => boolean;
/** Follows the lines of one match of version 2. */
export declare class Order {
    seats: number;
    due: Due[];
    actor: number;
    /** The offer that the line before may have settled. */
    offer: number;
    isBeginning: boolean;
    /** When play began. */
    begun: number;
    pausedUntil: number;
    control: Payload;
    /** Who gave a share of chance. */
    givers: Set<number>;
    /** Why a line cannot stand where it does; nothing when it can. */
    fault(type: string, line: Line): string;
    /** Whether a line may stand where nothing has to follow. */
    isFree(type: string, seq: number, { at, payload, cause }: Line): boolean;
    /** What can be told of time without folding clocks. */
    isOver({ then }: Payload, at: number): boolean;
    /** Whether a line is what the rules make of the beginning, or of a seat's leaving. */
    isRuled(type: string): boolean;
    /** Who a line is by. */
    actorOf(type: string, { seat, by }: Payload, isDue: boolean, follows: boolean): any;
    remember(type: string, { at, payload, actor }: Line): void;
    /** What has to stand in the next lines. */
    follows(type: string, { terms, seat, number, then, absent, draw }: Payload): Due[];
    agreed({ is, length_ms, seat, bot, line }: Payload): Due[];
    /** The end, which nobody wins. */
    ended(reason: string): Due;
    /** The end, which of two seats the other one wins; where others play on, that the seat has left. */
    out(reason: string, loser: number): Due;
    /** What each seat is told, and the position. */
    position(line: number): Due[];
}
export {};
