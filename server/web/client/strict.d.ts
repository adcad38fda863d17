import { Order } from "./order.js";
import type { MatchVerifier } from "./seating.js";
import { Shapes, type Table } from "./shapes.js";
import { Standing } from "./standing.js";
import type { Taken } from "./verify.js";
export type Games = Record<string, Table>;
/** Holds the lines of one match to their shape, to rules that exist, and from version 2 on to their order. */
export declare class Strict {
    games: Games;
    shapes: Shapes;
    order: Order;
    standing: Standing;
    rules: string;
    seats: number;
    /** `games`: tables of the lines of games, by name; one's own lines of any other game are passed over. */
    constructor(games?: Games);
    /** Why a line lacks its shape; nothing if it has it. */
    shapeFault(type: string, { seq, payload, seals, openings, rules }: Taken): string;
    /** Under rules that nobody has, anything could be said to follow; the rules of a match only become newer. */
    rulesFault(type: string, { game }: Taken["payload"], rules: string): string;
    /** Why a line cannot stand where it does; nothing if it can. */
    orderFault(type: string, taken: Taken): string;
    /** The open questions as their line has them. */
    get asked(): {
        [x: string]: any;
    }[];
    /** Checks an answer that its seat signed before it was asked. */
    ahead(verifier: MatchVerifier, taken: Taken): void;
}
