import { Order } from "./order.js";
import type { MatchVerifier } from "./seating.js";
import { Shapes, type Table } from "./shapes.js";
import { Standing } from "./standing.js";
import type { Taken } from "./verify.js";
export type Games = Record<string, Table>;
/** Checks the shape of the lines of one match, that their rules exist, and, from version 2 on, their order. */
export declare class Strict {
    games: Games;
    shapes: Shapes;
    order: Order;
    standing: Standing;
    rules: string;
    seats: number;
    /** `games`: tables of the lines of games, by name; lines of any other game are not checked. */
    constructor(games?: Games);
    /** Why a line lacks its shape; nothing if it has it. */
    shapeFault(type: string, { seq, payload, seals, openings, rules }: Taken): string;
    /** Why a line's rules are wrong: they are unknown, so that anything could be claimed to follow from them, or a change makes them no newer. */
    rulesFault(type: string, { game }: Taken["payload"], rules: string): string;
    /** Why a line is impossible here; nothing if it is possible. */
    orderFault(type: string, taken: Taken): string;
    /** The open questions as their line has them. */
    get asked(): {
        [x: string]: any;
    }[];
    /** Checks an answer that its seat signed before it was asked. */
    ahead(verifier: MatchVerifier, taken: Taken): void;
}
