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
    /** Signs what the seat does, and gives its share of chance; without it the seat does not sign. */
    key?: Key;
    /** Whether the key and the share of chance are given by themselves where the match waits for them; so they are. */
    gives?: boolean;
    /** Whether Scenes and prompts come, or lines alone. */
    scenes?: boolean;
    /** The name of a spectator. */
    name?: string;
    /** The language of Scenes and of reasons, such as `de`; without it English. */
    lang?: string;
    /** After so many connections in a row that failed, it is over; without it, never. */
    tries?: number;
    /** Without a seat's token: see all hands as they were a while ago, where the match has open cards; each is checked. */
    openCards?: boolean;
    /** Go on after the end of the match, for chat and offers of branches. */
    stay?: boolean;
    /** Tables of the lines of games, by name, in place of the library's own (docs/schema/lines.json). */
    games?: Games;
    /** The class of WebSocket, where the platform has none or another is wanted. */
    WebSocket?: Sockets;
}
type Terms = Wire.Offer["terms"];
export declare class Match implements AsyncIterable<News> {
    #private;
    readonly id: string;
    /** The first word of the server; unset until `open` is done. */
    welcome: Wire.Welcome;
    seats: Wire.SeatInfo[];
    presence: Wire.Presence;
    table: Wire.TableInfo;
    scene: Scene | null;
    result: Result | null;
    connected: boolean;
    private constructor();
    /** Enters a match; done when the server has let the client in. Rejects with `Closed` where it does not. */
    static open(url: string, match: string, token: string, options?: MatchOptions): Promise<Match>;
    get game(): string;
    get title(): string;
    get viewer(): Wire.ViewerInfo;
    /** The own seat; null for a spectator. */
    get seat(): number | null;
    /** The last line that is verified, and the chain's hash after it. */
    get head(): Wire.HeadInfo;
    /** The last line under a signature of the server that is right. */
    get signedTo(): number;
    /** The content and the proofs of the lines. */
    get verifier(): MatchVerifier;
    get prompt(): Words.Prompt | null;
    /** The decisions that the own seat may answer and has not answered. */
    get question(): Words.Prompt | null;
    /** Whether the record names a key for the own seat that is not here: left elsewhere, or put there by somebody else. */
    get isLockedOut(): boolean;
    /** The clocks' readings now, by seat. */
    get clocks(): Record<string, Wire.ClockInfo>;
    /** Iterate a match once: what is told is told to one reader. */
    [Symbol.asyncIterator](): Told;
    /** Answers the question, or the prompt that is given. Rejects with `Refused`. */
    answer(answer: Answer, prompt?: Words.Prompt | null): Promise<Wire.Accepted>;
    /** The same by the decision's number. `id`: one that a program which was started anew says again. */
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
     * The search's choices for a decision, the open question's unless another is given, where the match allows
     * hints (`table.hints`). That the seat asked stands in the record, for all to see; asked again, it is told the same.
     */
    hint(decision?: number): Promise<Wire.Hinted>;
    /** Signs with another key from now on, which is signed with the former one. */
    rotate(key: Key): Promise<void>;
    /**
     * Says in the record that a person stands behind the own seat's key; the opening, which nobody has been sent. `person`:
     * the key of a device that signs in at this server; `Session.keepSeat` shows the opening to whom one wants. Rejects with
     * `Refused`.
     */
    claimSeat(person: PersonKey): Promise<Opening>;
    /** The seat's signature by which the person of a device may enter it without its link: for `Session.keepSeat`. */
    entry(device: string): Promise<string>;
    /**
     * The persons behind the seats who show themselves to this client, each checked against the record; the handle is the
     * server's word. Rejects with `Broken` where the server shows somebody whose key has not signed.
     */
    persons(): Promise<(Wire.PersonInfo & SeatClaim)[]>;
    /**
     * Has the server answer for the own seat from now on, with this program gone too: each instruction is signed `times`
     * times, and each of those used once. They take the place of all that was kept; without any nothing is. When one is
     * used everybody is told that the seat answered ahead. They end with the next choice by hand, another key, a takeback.
     */
    keepAhead(said: Instruction[], times?: number): Promise<Wire.KeptAnswer[]>;
    /** The answers that the server still keeps for the own seat. */
    keptAhead(): Promise<Wire.KeptAnswer[]>;
    /** Says something in the own room. */
    say(text: string): boolean;
    /** Hears no more of somebody, or hears again. */
    mute(who: string, on?: boolean): boolean;
    /** A token for somebody who is to see what the own seat sees; `directs`: who is to direct, and sees nothing of it. */
    grant(directs?: boolean): Promise<string>;
    /** As a director: chooses the view of the spectators who follow; without a view, nothing is directed. */
    direct(direction?: Wire.Direction): boolean;
    /** As a director: adds what is said, or shown, to a commentary. Rejects with `Refused`. */
    remark(said: Omit<Wire.Remark, "t" | "id">): Promise<Wire.Kept>;
    /** As a director: adds a part of the sound to a commentary, from a byte on. Rejects with `Refused`. */
    voice(track: string, at: number, data: string): Promise<Wire.Kept>;
    revoke(): Promise<void>;
    /** Lets the server say to an address when it is the own move; the secret that it signs with. */
    notify(url: string): Promise<string>;
    /** Sees whether the connection is alive, sooner than by itself. */
    ping(): void;
    /** Leaves; what is not answered is rejected with `Closed`. */
    close(): void;
}
export {};
