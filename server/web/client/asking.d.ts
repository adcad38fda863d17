import { type Sockets } from "./connection.js";
import type { ClientMessage, ServerMessage } from "./wire.js";
export type Answered<K extends ServerMessage["t"]> = Extract<ServerMessage, {
    t: K;
}>;
/** Sends one message and gives its answer. `url`: the server's socket, by default that of the page. Rejects with `Refused` or `Closed`. */
export declare function askOnce<K extends ServerMessage["t"]>(m: ClientMessage, kind: K, url?: string, Socket?: Sockets): Promise<Answered<K>>;
