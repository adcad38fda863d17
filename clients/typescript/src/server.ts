// A server by its address: its games, its matches, new matches. Each request is a connection of its own.
import { askOnce, type Answered } from "./asking.js";
import { fresh, type Sockets } from "./connection.js";
import { b64 } from "./hashes.js";
import { random } from "./keys.js";
import { socketOf } from "./links.js";
import { Match, type MatchOptions } from "./match.js";
import type { Key } from "./seatkey.js";
import type { ClientMessage, ServerMessage, Wire } from "./wire.js";

type CreateOptions = Omit<Partial<Wire.Create>, "t" | "id" | "game" | "seats">;
type BranchOptions = Omit<Partial<Wire.Branch>, "t" | "id" | "match" | "seq" | "seats">;

/** For a new match: the seat is the creator's. */
export const me = (name: string, key?: Key): Wire.SeatWish => ({ kind: "me", name, ...(key && { key: key.public }) });

/** 256 random bits as text: a secret that opens a seat, or makes an invitation. */
export const newToken = () => b64(random(32));

/** For a new match: a person who gets an invitation, with this name unless they give another. */
export const invited = (name = ""): Wire.SeatWish => ({ kind: "invited", name });

/** For a new match: a person who gets the seat's token, which the creator holds too; for programs with several seats. */
export const friend = (name = ""): Wire.SeatWish => ({ kind: "friend", name });

/** For a new match: anybody who joins. */
export const openSeat = (): Wire.SeatWish => ({ kind: "open" });

/** For a new match: a bot of the game. */
export const bot = (kind = ""): Wire.SeatWish => ({ kind: "bot", bot: kind });

export class Server {
	/** The address of the socket. */
	readonly url: string;
	readonly #Socket: Sockets | undefined;

	/** `address`: the address of its pages; `Socket`: the class of WebSocket, if the platform has none. */
	constructor(address: string, Socket?: Sockets) {
		this.url = socketOf(address);
		this.#Socket = Socket;
	}

	async games(): Promise<Wire.GameInfo[]> {
		return (await this.#ask({ t: "games", id: fresh() }, "games")).games;
	}

	matches(): Promise<Wire.Matches> {
		return this.#ask({ t: "matches", id: fresh() }, "matches");
	}

	/** Creates a match; store the tokens of its seats, which are sent only once. */
	create(game: string, seats: Wire.SeatWish[], options: CreateOptions = {}): Promise<Wire.Created> {
		return this.#ask({ t: "create", id: fresh(), game, seats, ...options }, "created");
	}

	/** Creates a match that continues another from its state after a line. */
	branch(match: string, seq: number, seats: Wire.SeatWish[], options: BranchOptions = {}): Promise<Wire.Created> {
		return this.#ask({ t: "branch", id: fresh(), match, seq, seats, ...options }, "created");
	}

	/** Takes an open seat. */
	join(match: string, seat: number, name: string, key?: Key): Promise<Wire.Joined> {
		return this.#ask({ t: "join", id: fresh(), match, seat, name, ...(key && { key: key.public }) }, "joined");
	}

	/** The content of an invitation; asking does not use it up. */
	invitation(match: string, invitation: string): Promise<Wire.Invited> {
		return this.#ask({ t: "invitation", id: fresh(), match, invitation }, "invited");
	}

	/**
	 * Sits down by an invitation, which opens nothing afterwards. Store the token first: if the answer is lost, a repeated
	 * request with the same token gets the same answer.
	 */
	accept(match: string, invitation: string, name: string, token: string, key?: Key): Promise<Wire.Joined> {
		const said = { match, invitation, name, token, ...(key && { key: key.public }) };
		return this.#ask({ t: "join", id: fresh(), ...said }, "joined");
	}

	/** Makes an invitation void; another takes its place. */
	withdraw(match: string, invitation: string, next = newToken()): Promise<Wire.Withdrawn> {
		return this.#ask({ t: "withdraw", id: fresh(), match, invitation, next }, "withdrawn");
	}

	/** The seats whose match continues, of those given by match and token, and whether it is their move. */
	async turns(seats: Wire.HeldSeat[]): Promise<Wire.Turn[]> {
		return (await this.#ask({ t: "turns", id: fresh(), seats }, "turns")).turns;
	}

	/** Enters a match by a seat's token, or a caster's. */
	play(match: string, token: string, options: MatchOptions = {}): Promise<Match> {
		return Match.open(this.url, match, token, this.#with(options));
	}

	/** Enters a match as a spectator. */
	watch(match: string, options: MatchOptions = {}): Promise<Match> {
		return Match.open(this.url, match, "", this.#with(options));
	}

	#with(options: MatchOptions): MatchOptions {
		return this.#Socket ? { WebSocket: this.#Socket, ...options } : options;
	}

	#ask<K extends ServerMessage["t"]>(m: ClientMessage, kind: K): Promise<Answered<K>> {
		return askOnce(m, kind, this.url, this.#Socket);
	}
}
