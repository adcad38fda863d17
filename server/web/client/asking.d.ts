import { type Sockets } from "./connection.js";
import type { ClientMessage, ServerMessage } from "./wire.js";
export type Answered<K extends ServerMessage["t"]> = Extract<ServerMessage, {
    t: K;
}>;
/** Says one thing and takes its answer; `url`: of the server's socket, that of the page unless it is given. Rejects with `Refused` or `Closed`. */
export declare function askOnce<K extends ServerMessage["t"]>(m: ClientMessage, kind: K, url?: string, Socket?: Sockets): Promise<Answered<K>>;
