// A server by its address: what can be played, what is played, new matches. Each request is a connection of its own.
import { fresh, socketAt } from "./connection.js";
import { Closed, Refused } from "./errors.js";
import { socketOf } from "./links.js";
import { Match } from "./match.js";
import { withResolvers } from "./news.js";
/** For a new match: who creates it. */
export const me = (name, key) => ({ kind: "me", name, ...(key && { key: key.public }) });
/** For a new match: somebody who is given the seat's token. */
export const friend = (name = "") => ({ kind: "friend", name });
/** For a new match: anybody who joins. */
export const openSeat = () => ({ kind: "open" });
/** For a new match: a bot of the game. */
export const bot = (kind = "") => ({ kind: "bot", bot: kind });
export class Server {
    /** The address of the socket. */
    url;
    #Socket;
    /** `address`: that of its pages; `Socket`: the class of WebSocket, where the platform has none. */
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
    /** A new match, with the tokens of its seats, which are not told again. */
    create(game, seats, options = {}) {
        return this.#ask({ t: "create", id: fresh(), game, seats, ...options }, "created");
    }
    /** A new match that goes on from where another stood after a line. */
    branch(match, seq, seats, options = {}) {
        return this.#ask({ t: "branch", id: fresh(), match, seq, seats, ...options }, "created");
    }
    /** Takes an open seat. */
    join(match, seat, name, key) {
        return this.#ask({ t: "join", id: fresh(), match, seat, name, ...(key && { key: key.public }) }, "joined");
    }
    /** Of seats by match and token: those that go on, and whether it is their move. */
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
    /** Says one thing and takes its answer. Rejects with `Refused` or `Closed`. */
    async #ask(m, kind) {
        const { promise, resolve, reject } = withResolvers();
        const where = socketAt("match" in m ? m.match : "", this.url);
        const socket = new (this.#Socket ?? WebSocket)(where, "herald.v1+json");
        socket.onopen = () => socket.send(JSON.stringify(m));
        const gone = (event) => reject(new Closed(event.code ?? 0, "the server does not answer"));
        socket.onclose = gone;
        socket.onerror = gone;
        socket.onmessage = ({ data }) => {
            const heard = JSON.parse(data);
            if (heard.t === kind) {
                resolve(heard);
            }
            else if (heard.t === "error") {
                reject(new Refused(heard.code, heard.why, "", heard.id));
            }
        };
        try {
            return await promise;
        }
        finally {
            socket.close();
        }
    }
}
