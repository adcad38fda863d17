// A server by its address: its games, its matches, new matches. Each request is a connection of its own.
import { askOnce } from "./asking.js";
import { fresh } from "./connection.js";
import { b64 } from "./hashes.js";
import { random } from "./keys.js";
import { socketOf } from "./links.js";
import { Match } from "./match.js";
/** For a new match: the seat is the creator's. */
export const me = (name, key) => ({ kind: "me", name, ...(key && { key: key.public }) });
/** 256 random bits as text: a secret that opens a seat, or makes an invitation. */
export const newToken = () => b64(random(32));
/** For a new match: a person who gets an invitation, with this name unless they give another. */
export const invited = (name = "") => ({ kind: "invited", name });
/** For a new match: a person who gets the seat's token, which the creator holds too; for programs with several seats. */
export const friend = (name = "") => ({ kind: "friend", name });
/** For a new match: anybody who joins. */
export const openSeat = () => ({ kind: "open" });
/** For a new match: a bot of the game. */
export const bot = (kind = "") => ({ kind: "bot", bot: kind });
export class Server {
    /** The address of the socket. */
    url;
    #Socket;
    /** `address`: the address of its pages; `Socket`: the class of WebSocket, if the platform has none. */
    constructor(address, Socket) {
        this.url = socketOf(address);
        this.#Socket = Socket;
    }
    async games() {
        return (await this.#ask({ t: "games", id: fresh() }, "games")).games;
    }
    matches() {
        return this.#ask({ t: "matches", id: fresh() }, "matches");
    }
    /** Creates a match; store the tokens of its seats, which are sent only once. */
    create(game, seats, options = {}) {
        return this.#ask({ t: "create", id: fresh(), game, seats, ...options }, "created");
    }
    /** Creates a match that continues another from its state after a line. */
    branch(match, seq, seats, options = {}) {
        return this.#ask({ t: "branch", id: fresh(), match, seq, seats, ...options }, "created");
    }
    /** Takes an open seat. */
    join(match, seat, name, key) {
        return this.#ask({ t: "join", id: fresh(), match, seat, name, ...(key && { key: key.public }) }, "joined");
    }
    /** The content of an invitation; asking does not use it up. */
    invitation(match, invitation) {
        return this.#ask({ t: "invitation", id: fresh(), match, invitation }, "invited");
    }
    /**
     * Sits down by an invitation, which opens nothing afterwards. Store the token first: if the answer is lost, a repeated
     * request with the same token gets the same answer.
     */
    accept(match, invitation, name, token, key) {
        const said = { match, invitation, name, token, ...(key && { key: key.public }) };
        return this.#ask({ t: "join", id: fresh(), ...said }, "joined");
    }
    /** Makes an invitation void; another takes its place. */
    withdraw(match, invitation, next = newToken()) {
        return this.#ask({ t: "withdraw", id: fresh(), match, invitation, next }, "withdrawn");
    }
    /** The seats whose match continues, of those given by match and token, and whether it is their move. */
    async turns(seats) {
        return (await this.#ask({ t: "turns", id: fresh(), seats }, "turns")).turns;
    }
    /** Enters a match by a seat's token, or a caster's. */
    play(match, token, options = {}) {
        return Match.open(this.url, match, token, this.#with(options));
    }
    /** Enters a match as a spectator. */
    watch(match, options = {}) {
        return Match.open(this.url, match, "", this.#with(options));
    }
    #with(options) {
        return this.#Socket ? { WebSocket: this.#Socket, ...options } : options;
    }
    #ask(m, kind) {
        return askOnce(m, kind, this.url, this.#Socket);
    }
}
