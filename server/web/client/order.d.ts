import { type Timed } from "./clocks.js";
import { PublicState } from "./publicstate.js";
import type { Shapes } from "./shapes.js";
type Payload = Record<string, any>;
type Line = {
    seq: number;
    at: number;
    payload: Payload;
    actor: number;
    cause: string;
};
/** Whether a line is the one that has to follow. */
type Due = (type: string, payload: Payload) => boolean;
/** Follows the lines of one match of version 2 or later. */
export declare class Order {
    shapes: Shapes;
    state: PublicState | null;
    due: Due[];
    actor: number;
    /** The offer that the previous line may have settled. */
    offer: number;
    isBeginning: boolean;
    /** The seats that have given a share of chance. */
    givers: Set<number>;
    /** The actor behind the key chain that the line before announced. */
    announcer: number | null;
    /** Whether the game's own lines may precede an end by players or the clock that is not void. */
    endsOpen: boolean;
    /** The due line, if it may be such an end. */
    end: Due | null;
    /** Whether the line before was such a line of the game's: only the end may follow it. */
    opened: boolean;
    constructor(shapes: Shapes);
    /** Why a line is impossible here; nothing if it is possible. */
    fault(type: string, line: Line): string;
    wrong(timed: Timed, { payload, actor, cause }: Line, state: PublicState): string;
    /** The line that must come here, if any, and whether this line is that one. Before an end, the game may disclose something. */
    demanded(type: string, payload: Line["payload"]): [Order["due"][number] | undefined, boolean];
    /** Whether a line is one that the rules make. */
    isRuled(type: string): boolean;
    /** Whether a line may occur although nothing before it asks for it. */
    isFree({ type, seq, payload }: Timed, { isBegun, draws }: PublicState): boolean;
    isBy(type: string, payload: Payload, actor: number, isDue: boolean, follows: boolean): boolean;
    /** The author of a line. */
    actorOf(type: string, { seat, by }: Payload, isDue: boolean, follows: boolean): any;
    /** Whether a result is possible under any rules: it names seats of the match, each once, and the rule that ends it. */
    isResult(result: Payload, isDue: boolean, seats: number): boolean;
    remember(type: string, { payload, actor }: Line): void;
    /** The lines that must come next. */
    follows(type: string, { terms, seat, number, then, absent, draw, winners, void: isVoid }: Payload, state: PublicState): Due[];
    agreed({ is, length_ms, seat, bot, line }: Payload): Due[];
    /** The lines after seats are out. Of two seats, the other one has won; of more seats, the side of all remaining seats has won, or the remaining seats play on. */
    out(reason: string, lost: number[], state: PublicState): Due;
    /** An end that nobody wins. */
    drawn(reason: string): Due;
    /** The choice by the clock, preceded by the draw of a lot if the choice needs one. */
    byClock(seat: number, number: number, then: string): Due[];
    /** The end that the host of the server makes. */
    ruled(winners: number[], isVoid?: boolean): Due;
    /** The lines that set a position: a briefing of each seat, then the position itself. */
    position(line: number): Due[];
}
export {};
