import type { ClientMessage, ServerMessage } from "./wire.js";
type Kind = ServerMessage["t"];
type Answered<K extends Kind> = Extract<ServerMessage, {
    t: K;
}>;
export declare class Sayings {
    #private;
    constructor(send: (message: ClientMessage) => unknown);
    /** Sends a message and waits for an answer of a kind, over as many connections as it takes. Rejects with `Refused`. */
    say<K extends Kind>(message: ClientMessage & {
        id: string;
    }, kind: K): Promise<Answered<K>>;
    /** The unanswered message with an id. */
    open(id: string): (ClientMessage & {
        id: string;
    }) | undefined;
    /** Keeps an answer until its line is here. */
    keep(m: Answered<"accepted">): void;
    /** The answers whose lines had not arrived yet. */
    get kept(): Answered<"accepted">[];
    /** Sends the unanswered messages again. */
    again(): void;
    /** Takes an answer; returns whether a caller waited for it. An answer without an id answers the oldest message of its kind. */
    hear(m: ServerMessage): boolean;
    /** Fails every message: none will be answered any more. */
    end(why: Error): void;
}
export {};
