import type { ClientMessage, ServerMessage } from "./wire.js";
type Kind = ServerMessage["t"];
type Answered<K extends Kind> = Extract<ServerMessage, {
    t: K;
}>;
export declare class Sayings {
    #private;
    constructor(send: (message: ClientMessage) => unknown);
    /** Says something and waits for the answer of a kind, over as many connections as it takes. Rejects with `Refused`. */
    say<K extends Kind>(message: ClientMessage & {
        id: string;
    }, kind: K): Promise<Answered<K>>;
    /** The message under an id that is not answered. */
    open(id: string): (ClientMessage & {
        id: string;
    }) | undefined;
    /** Keeps an answer until its line is here. */
    keep(m: Answered<"accepted">): void;
    /** The answers whose lines had still to come. */
    get kept(): Answered<"accepted">[];
    /** Says again what is not answered. */
    again(): void;
    /** Takes an answer; whether somebody waited for it. Those without an id answer what was said first of their kind. */
    hear(m: ServerMessage): boolean;
    /** Nothing is answered any more. */
    end(why: Error): void;
}
export {};
