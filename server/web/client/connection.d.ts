import type { Answer, ClientMessage, ServerMessage, Wire } from "./wire.js";
/** The code with which a full server closes a connection. */
export declare const FULL = 4013;
/** The id of the message that enters a match. */
export declare const HELLO = "hello";
/** Answers to a hello that would be the same the next time. */
export declare const NO_ENTRY: Set<string>;
/** An id of twelve random bytes. */
export declare const fresh: () => string;
/** The events of a connection. */
export interface ConnectionEvents {
    message(m: ServerMessage): void;
    /** `again`: the ms until the next attempt. */
    state(state: "open" | "lost", code?: number, again?: number): void;
}
/** The class that opens a WebSocket: the platform's, or another with the same interface. */
export type Sockets = new (url: string, protocol: string) => WebSocket;
/**
 * The address at which a match is entered, derived from the address of the server's socket, with a short hash of the match. A server
 * of several processes, or a proxy before several servers, uses the hash to route the connection to the match.
 */
export declare const socketAt: (match: string, url?: string) => string;
export declare class Connection {
    /** Breaks since the last connection; -1: connected. */
    tries: number;
    stopped: boolean;
    /** Whether a match was entered over any connection so far. */
    entered: boolean;
    /** The number of the last ping. */
    n: number;
    socket: WebSocket | null;
    retry: number | undefined;
    beat: number | undefined;
    silence: number | null;
    /** Aborted when the connection ends. */
    readonly page: AbortController;
    greeting: () => ClientMessage[];
    on: ConnectionEvents;
    url: string;
    Socket: Sockets;
    /** `greeting`: the first messages; `url`: the address of the socket. */
    constructor(greeting: () => ClientMessage[], on: ConnectionEvents, url?: string, Socket?: Sockets);
    /** Listens to the page until the connection is stopped: a page that watches for days makes many connections. */
    hearPage(): void;
    get ready(): boolean;
    connect(): void;
    /** Sends the first messages, but none through a socket that was abandoned before it opened. */
    greet(socket: WebSocket): void;
    heard(frame: string): void;
    /** Abandons the connection, and reconnects. */
    cut(): void;
    endSilence(): void;
    lost(code?: number): void;
    now(): void;
    ping(): void;
    /** Sends a message; returns whether it could be sent. */
    send(message: ClientMessage): boolean;
    /** Ends the connection for good. */
    stop(): void;
    /** Ends the connection while the page is in the browser's cache, from which the browser may bring it back. */
    rest(): void;
}
/** The unanswered choice: it is sent again with its id after a break, so that it counts once. */
export declare class Choices {
    open: Wire.Choose | null;
    send: (m: Wire.Choose) => void;
    sign: (m: Wire.Choose) => Promise<Partial<Wire.Choose>>;
    /** `sign` gives the additions to a choice: the line that its sender has verified, and the signature if the seat signs. */
    constructor(send: (m: Wire.Choose) => void, sign: (m: Wire.Choose) => Promise<Partial<Wire.Choose>>);
    say(decision: string, choice: Answer): Promise<void>;
    again(): void;
    /** Ends the wait for the choice with this id, and gives it; null if the id is that of another message. */
    settle(id: string): Wire.Choose | null;
}
