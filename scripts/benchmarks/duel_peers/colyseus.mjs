// Colyseus' own server, as boardgame.mjs tells of it. Hands go to their players as messages, and so do moves: what it
// synchronizes by itself goes out 20 times a second, which would be no answer to a move.
import { randomInt } from "node:crypto";
import { Room, Server } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { dealt, played, MOVES } from "./duel.mjs";
import { Log } from "./log.mjs";

const log = new Log(process.argv[2]);

function shuffled(deck) {
	const cards = [...deck];
	for (let last = cards.length - 1; last > 0; last--) {
		const other = randomInt(last + 1);
		[cards[last], cards[other]] = [cards[other], cards[last]];
	}
	return cards;
}

class Duel extends Room {
	maxClients = 3;
	match = dealt(shuffled);
	seats = [];

	onCreate() {
		this.autoDispose = false;
		this.onMessage("play", client => this.#play(client));
	}

	onJoin(client) {
		const seat = this.seats.length < 2 ? this.seats.push(client.sessionId) - 1 : -1;
		const { deck, hands, ...open } = this.match;
		client.send("state", { seat, hand: hands[seat] ?? [], left: deck.length, ...open });
	}

	#play(client) {
		const seat = this.seats.indexOf(client.sessionId);
		if (seat !== this.match.moves % 2 || this.match.moves === MOVES) {
			return;
		}
		const shown = played(this.match, seat, randomInt(1, 7));
		log.keep([this.roomId, this.match]);
		client.send("hand", this.match.hands[seat]);
		this.broadcast("moved", shown);
	}
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define("duel", Duel);
await server.listen(0, "127.0.0.1");
process.stdout.write(`${server.transport.server.address().port}\n`);
process.stdin.on("close", () => process.exit(0));
process.stdin.resume();
