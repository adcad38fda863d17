import type { Table } from "./shapes.js";
export declare const GAMES: Record<string, Table>;
