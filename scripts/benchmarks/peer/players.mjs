// Many matches at once at boardgame.io's own websockets, in turns of measuring as contest.py and together.py tell of them.
//
// `node players.mjs PORT PID MATCHES` prints what it measured as one line of JSON, which is contest.py's `Measured`.
// PID is the server's process.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as rest } from "node:timers/promises";
import { io } from "socket.io-client";
import { MOVES, NAME } from "./game.mjs";

const [PORT, PID, MATCHES] = process.argv.slice(2).map(Number);
const URL = `http://127.0.0.1:${PORT}`;
const AT_ONCE = 100;
const AHEAD = 8;
const WORTH = 25;
const WAITING = Math.ceil((MATCHES * WORTH) / MOVES);
const REST_MS = 100;
const TICKS_A_S = 100;

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const accepted = [];
const spent = { seconds: 0, players_s: 0, server_s: 0 };

/** The next line that is said to this process; the end of its input ends it. */
async function told() {
	const { value, done } = await lines.next();
	return done ? "end" : value;
}

/** Processor seconds of the server, as Linux tells them. */
function serverSeconds() {
	const after = readFileSync(`/proc/${PID}/stat`, "utf8").split(")").at(-1).trim().split(" ");
	return (Number(after[11]) + Number(after[12])) / TICKS_A_S;
}

function now() {
	const { user, system } = process.cpuUsage();
	return { seconds: performance.now() / 1000, players_s: (user + system) / 1e6, server_s: serverSeconds() };
}

async function post(path, body) {
	const headers = { "Content-Type": "application/json" };
	const answer = await fetch(`${URL}/games/${NAME}/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
	return answer.json();
}

/** A new match whose two seats are taken: its id and their credentials. */
async function created() {
	const { matchID } = await post("create", { numPlayers: 2, unlisted: true });
	const seats = [];
	for (const playerID of ["0", "1"]) {
		const joined = await post(`${matchID}/join`, { playerID, playerName: `Player ${playerID}` });
		seats.push(joined.playerCredentials);
	}
	return { matchID, seats };
}

/** Matches that are played at once, and after them others. */
class Wave {
	constructor() {
		this.players = [];
		this.ahead = Array.from({ length: MATCHES + WAITING }, (_, match) => (match < MATCHES ? match % AHEAD : 0));
		this.next = MATCHES;
		this.unanswered = 0;
		this.isMeasured = false;
		this.isShort = new Promise(resolve => {
			this.end = resolve;
		});
	}

	async enter() {
		for (let first = 0; first < this.ahead.length; first += AT_ONCE) {
			const numbers = [...this.ahead.keys()].slice(first, first + AT_ONCE);
			await Promise.all(numbers.map(match => this.#enter(match)));
		}
		this.ahead.forEach((_, match) => this.start(match));
		while (this.unanswered) {
			await rest(10);
		}
		await rest(REST_MS);
	}

	async #enter(match) {
		const { matchID, seats } = await created();
		const players = seats.map(
			(credentials, seat) => new Player(this, match, { matchID, credentials, seat: `${seat}` }),
		);
		this.players[match] = players;
		await Promise.all(players.map(player => player.entered));
	}

	/** Both seats of a match move from now on. */
	start(match) {
		this.players[match].forEach(player => player.answer());
	}

	mayMove(match) {
		if (!this.isMeasured) {
			this.ahead[match] -= 1;
			return this.ahead[match] >= 0;
		}
		return true;
	}

	/** A match is over: another one takes its place. */
	over() {
		if (this.next === this.players.length) {
			this.end();
			return;
		}
		this.next += 1;
		this.start(this.next - 1);
	}

	begin() {
		this.isMeasured = true;
		for (let match = 0; match < MATCHES; match++) {
			this.start(match);
		}
	}

	close() {
		this.isMeasured = false;
		this.players.flat().forEach(player => player.close());
	}
}

/** One seat of one match. */
class Player {
	#wave;
	#match;
	#ticket;
	#socket;
	#state = null;
	#sent = null;
	#answered = -1;

	constructor(wave, match, ticket) {
		this.#wave = wave;
		this.#match = match;
		this.#ticket = ticket;
		this.#socket = io(`${URL}/${NAME}`, { transports: ["websocket"], forceNew: true, reconnection: false });
		this.#socket.on("connect", () => this.#socket.emit("sync", ticket.matchID, ticket.seat, ticket.credentials, 2));
		this.#socket.on("update", (_, state) => this.#take(state));
		this.entered = new Promise(resolve => {
			this.#socket.on("sync", (_, { state }) => resolve(this.#enter(state)));
		});
	}

	#enter(state) {
		this.#state = state;
	}

	#take(state) {
		this.#state = state;
		if (this.#sent && state._stateID > this.#sent.stateID) {
			this.#wave.unanswered -= 1;
			if (this.#sent.isMeasured && this.#wave.isMeasured) {
				accepted.push(performance.now() - this.#sent.at);
			}
			this.#sent = null;
			if (state.ctx.gameover && this.#wave.isMeasured) {
				this.#wave.over();
			}
		}
		this.answer();
	}

	answer() {
		const { ctx, _stateID } = this.#state;
		const isAsked = !ctx.gameover && ctx.currentPlayer === this.#ticket.seat && _stateID > this.#answered;
		if (isAsked && this.#wave.mayMove(this.#match)) {
			this.#answered = _stateID;
			this.#move(_stateID);
		}
	}

	#move(stateID) {
		const { matchID, credentials, seat } = this.#ticket;
		const payload = { type: "play", args: [0], playerID: seat, credentials };
		this.#wave.unanswered += 1;
		this.#sent = { stateID, at: performance.now(), isMeasured: this.#wave.isMeasured };
		this.#socket.emit("update", { type: "MAKE_MOVE", payload }, stateID, matchID, seat);
	}

	close() {
		this.#socket.disconnect();
	}
}

/** One turn of measuring; whether another is to follow. */
async function turn() {
	const wave = new Wave();
	await wave.enter();
	console.log("ready");
	await told();
	const begun = now();
	wave.begin();
	const word = told();
	await Promise.race([wave.isShort, word]);
	const ended = now();
	wave.close();
	Object.keys(spent).forEach(name => void (spent[name] += ended[name] - begun[name]));
	console.log("over");
	await word;
	return (await told()) === "again";
}

function percentiles(values) {
	const ordered = values.toSorted((a, b) => a - b);
	return [0.5, 0.99].map(part => ordered[Math.min(ordered.length - 1, Math.trunc(part * ordered.length))]);
}

while (await turn()) {
	await rest(REST_MS);
}
const times = percentiles(accepted);
console.log(JSON.stringify({ asked: 0, choices: accepted.length, ...spent, accepted_ms: times, shown_ms: times }));
process.exit(0);
