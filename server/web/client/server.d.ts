import { type Sockets } from "./connection.js";
import { Match, type MatchOptions } from "./match.js";
import type { Key } from "./seatkey.js";
import type { Wire } from "./wire.js";
type CreateOptions = Omit<Partial<Wire.Create>, "t" | "id" | "game" | "seats">;
type BranchOptions = Omit<Partial<Wire.Branch>, "t" | "id" | "match" | "seq" | "seats">;
/** For a new match: the seat is the creator's. */
export declare const me: (name: string, key?: Key) => Wire.SeatWish;
/** 256 random bits as text: a secret that opens a seat, or makes an invitation. */
export declare const newToken: () => string;
/** For a new match: a person who gets an invitation, with this name unless they give another. */
export declare const invited: (name?: string) => Wire.SeatWish;
/** For a new match: a person who gets the seat's token, which the creator holds too; for programs with several seats. */
export declare const friend: (name?: string) => Wire.SeatWish;
/** For a new match: anybody who joins. */
export declare const openSeat: () => Wire.SeatWish;
/** For a new match: a bot of the game. */
export declare const bot: (kind?: string) => Wire.SeatWish;
export declare class Server {
    #private;
    /** The address of the socket. */
    readonly url: string;
    /** `address`: the address of its pages; `Socket`: the class of WebSocket, if the platform has none. */
    constructor(address: string, Socket?: Sockets);
    games(): Promise<Wire.GameInfo[]>;
    matches(): Promise<Wire.Matches>;
    /** Creates a match; store the tokens of its seats, which are sent only once. */
    create(game: string, seats: Wire.SeatWish[], options?: CreateOptions): Promise<Wire.Created>;
    /** Creates a match that continues another from its state after a line. */
    branch(match: string, seq: number, seats: Wire.SeatWish[], options?: BranchOptions): Promise<Wire.Created>;
    /** Takes an open seat. */
    join(match: string, seat: number, name: string, key?: Key): Promise<Wire.Joined>;
    /** The content of an invitation; asking does not use it up. */
    invitation(match: string, invitation: string): Promise<Wire.Invited>;
    /**
     * Sits down by an invitation, which opens nothing afterwards. Store the token first: if the answer is lost, a repeated
     * request with the same token gets the same answer.
     */
    accept(match: string, invitation: string, name: string, token: string, key?: Key): Promise<Wire.Joined>;
    /** Makes an invitation void; another takes its place. */
    withdraw(match: string, invitation: string, next?: string): Promise<Wire.Withdrawn>;
    /** The seats whose match continues, of those given by match and token, and whether it is their move. */
    turns(seats: Wire.HeldSeat[]): Promise<Wire.Turn[]>;
    /** Enters a match by a seat's token, or a caster's. */
    play(match: string, token: string, options?: MatchOptions): Promise<Match>;
    /** Enters a match as a spectator. */
    watch(match: string, options?: MatchOptions): Promise<Match>;
}
export {};
