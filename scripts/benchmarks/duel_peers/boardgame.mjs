// boardgame.io's own server. `node boardgame.mjs [FILE]` prints its port and serves until its input is closed; with a
// FILE each state is written there and synced before anybody is told of it.
import { createRequire } from "node:module";
import { dealt, played, MOVES } from "./duel.mjs";
import { Log } from "./log.mjs";

const require = createRequire(import.meta.url);
const { Server } = require("boardgame.io/server");

const game = {
	name: "duel",
	minPlayers: 2,
	maxPlayers: 2,
	setup: ({ random }) => dealt(random.Shuffle),
	moves: {
		play: {
			move: ({ G, playerID, random }) => {
				played(G, Number(playerID), random.D6());
			},
			client: false,
		},
	},
	turn: { minMoves: 1, maxMoves: 1 },
	playerView: ({ G, playerID }) => ({
		...G,
		deck: G.deck.length,
		hands: G.hands.map((hand, seat) => (`${seat}` === playerID ? hand : hand.length)),
	}),
	endIf: ({ G }) => (G.moves === MOVES ? { winner: `${Number(G.scores[1] > G.scores[0])}` } : undefined),
};

/** Matches in memory, each state of which is in a log before it is kept: boardgame.io's interface for stores. */
class Kept {
	#log;
	#matches = new Map();

	constructor(path) {
		this.#log = new Log(path);
	}

	type() {
		return 0;
	}

	connect() {}

	createMatch(id, { initialState, metadata }) {
		this.#matches.set(id, { state: initialState, initialState, metadata, log: [] });
		this.#log.keep([id, initialState]);
	}

	setState(id, state, deltalog) {
		this.#log.keep([id, state]);
		const match = this.#matches.get(id);
		match.state = state;
		match.log.push(...(deltalog ?? []));
	}

	setMetadata(id, metadata) {
		this.#matches.get(id).metadata = metadata;
	}

	fetch(id, wished) {
		const match = this.#matches.get(id) ?? {};
		return Object.fromEntries(Object.keys(wished).map(name => [name, match[name]]));
	}

	wipe(id) {
		this.#matches.delete(id);
	}

	listMatches() {
		return [...this.#matches.keys()];
	}
}

console.info = () => {};
const db = process.argv[2] ? { db: new Kept(process.argv[2]) } : {};
const { appServer } = await Server({ games: [game], origins: [], ...db }).run({ port: 0, callback: () => {} });
process.stdout.write(`${appServer.address().port}\n`);
process.stdin.on("close", () => process.exit(0));
process.stdin.resume();
