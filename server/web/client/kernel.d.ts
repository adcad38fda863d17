import type { Table } from "./shapes.js";
export declare const KERNEL: Omit<Table, "rules">;
