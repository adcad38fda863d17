import type { Opening, PersonKey, SeatClaim } from "./claims.js";
import { type Sockets } from "./connection.js";
import { type News, Told } from "./news.js";
import { type Result } from "./lines.js";
import { type MatchVerifier } from "./seating.js";
import type { Key } from "./seatkey.js";
import type { Instruction } from "./standing.js";
import type { Games } from "./strict.js";
import type { Answer, Scene, Wire, Words } from "./wire.js";
export interface MatchOptions {
    /** Signs the seat's acts, and gives its share of chance; without it the seat does not sign. */
    key?: Key;
    /** Whether the key and the share of chance are sent automatically when the match waits for them; by default they are. */
    gives?: boolean;
    /** Whether Scenes and prompts are sent, or lines alone. */
    scenes?: boolean;
    /** The name of a spectator. */
    name?: string;
    /** The language of Scenes and of reasons, such as `de`; English by default. */
    lang?: string;
    /** The number of failed connections in a row after which it gives up; by default it never does. */
    tries?: number;
    /** Without a seat's token: see all hands with a delay, if the match has open cards; each is checked against its seal. */
    openCards?: boolean;
    /** Continue after the end of the match, for chat and offers of branches. */
    stay?: boolean;
    /** Tables of the lines of games, by name, in place of the library's own (docs/schema/lines.json). */
    games?: Games;
    /** The class of WebSocket, if the platform has none or another is wanted. */
    WebSocket?: Sockets;
}
type Terms = Wire.Offer["terms"];
export declare class Match implements AsyncIterable<News> {
    #private;
    readonly id: string;
    /** The server's first message; unset until `open` is done. */
    welcome: Wire.Welcome;
    seats: Wire.SeatInfo[];
    presence: Wire.Presence;
    table: Wire.TableInfo;
    scene: Scene | null;
    result: Result | null;
    connected: boolean;
    private constructor();
    /** Enters a match; done when the server has let the client in. Rejects with `Closed` if it does not. */
    static open(url: string, match: string, token: string, options?: MatchOptions): Promise<Match>;
    get game(): string;
    get title(): string;
    get viewer(): Wire.ViewerInfo;
    /** One's own seat; null for a spectator. */
    get seat(): number | null;
    /** The last line that is verified, and the chain's hash after it. */
    get head(): Wire.HeadInfo;
    /** The last line under a valid signature of the server. */
    get signedTo(): number;
    /** The content and the proofs of the lines. */
    get verifier(): MatchVerifier;
    get prompt(): Words.Prompt | null;
    /** The decisions of one's own seat that are open and unanswered. */
    get question(): Words.Prompt | null;
    /** Whether the record names a key for one's own seat that this program lacks: it is stored elsewhere, or is somebody else's. */
    get isLockedOut(): boolean;
    /** The clocks' present readings, by seat. */
    get clocks(): Record<string, Wire.ClockInfo>;
    /** Iterate a match once: each piece of news goes to one reader. */
    [Symbol.asyncIterator](): Told;
    /** Answers the question, or the prompt that is given. Rejects with `Refused`. */
    answer(answer: Answer, prompt?: Words.Prompt | null): Promise<Wire.Accepted>;
    /** Answers a decision by its number. `id`: the id of an earlier attempt, in a program that was restarted. */
    choose(decision: number, choice: Answer, id?: string): Promise<Wire.Accepted>;
    resign(): Promise<Wire.Accepted>;
    /** Offers the others something: `{is: "pause", length_ms}`, `{is: "draw"}`, `{is: "take_back"}` … */
    offer(terms: Terms): Promise<Wire.Accepted>;
    agree(number: number): Promise<Wire.Accepted>;
    decline(number: number): Promise<Wire.Accepted>;
    /** Claims the match, or a draw, because a seat has been away for too long. */
    claim(seat: number, draw?: boolean): Promise<Wire.Accepted>;
    vacation(days: number): Promise<Wire.Accepted>;
    /**
     * The search's choices for a decision (the open question, unless another number is given), if the match allows hints
     * (`table.hints`). The record states, for all to see, that the seat asked; a repeated request gets the same answer.
     */
    hint(decision?: number): Promise<Wire.Hinted>;
    /** Signs with another key from now on; the former key signs the new one. */
    rotate(key: Key): Promise<void>;
    /**
     * States in the record that a person stands behind the key of one's own seat; gives the opening, which nobody else has.
     * `person`: the key of a device that signs in at this server; `Session.keepSeat` shows the opening to chosen viewers. Rejects
     * with `Refused`.
     */
    claimSeat(person: PersonKey): Promise<Opening>;
    /** The seat's signature by which the person of a device may enter it without its link: for `Session.keepSeat`. */
    entry(device: string): Promise<string>;
    /**
     * The persons behind the seats who show themselves to this client, each checked against the record; the handle is the
     * server's word. Rejects with `Broken` if the server shows somebody whose key has not signed.
     */
    persons(): Promise<(Wire.PersonInfo & SeatClaim)[]>;
    /**
     * Makes the server answer for one's own seat from now on, even without this program: each instruction is signed `times`
     * times, and each signature is used once. The instructions replace all stored answers; an empty list removes these. When one is
     * used, everybody is told that the seat answered ahead. All end with the next choice by hand, another key, and a takeback.
     */
    keepAhead(said: Instruction[], times?: number): Promise<Wire.KeptAnswer[]>;
    /** The answers that the server still keeps for one's own seat. */
    keptAhead(): Promise<Wire.KeptAnswer[]>;
    /** Says something in the chat of one's own room. */
    say(text: string): boolean;
    /** Mutes or unmutes somebody. */
    mute(who: string, on?: boolean): boolean;
    /** A token for a caster, who sees the view of one's own seat; `directs`: a token for a director, who does not. */
    grant(directs?: boolean): Promise<string>;
    /** As a director: chooses the view of the spectators who follow; without a view, nothing is directed. */
    direct(direction?: Wire.Direction): boolean;
    /** As a director: adds a spoken text or a direction to a commentary. Rejects with `Refused`. */
    remark(said: Omit<Wire.Remark, "t" | "id">): Promise<Wire.Kept>;
    /** As a director: adds a part of the sound to a commentary, from a byte on. Rejects with `Refused`. */
    voice(track: string, at: number, data: string): Promise<Wire.Kept>;
    revoke(): Promise<void>;
    /** Lets the server report one's own moves to an address; gives the secret with which it signs. */
    notify(url: string): Promise<string>;
    /** Tests at once whether the connection is alive. */
    ping(): void;
    /** Leaves; unanswered requests are rejected with `Closed`. */
    close(): void;
}
export {};
