// A seat or a spectator at Herald: plain websockets, lines without Scenes.
import { WebSocket } from "ws";

const PROTOCOL = "herald.v1+json";

function opened(port) {
	return new Promise((done, failed) => {
		const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, PROTOCOL);
		socket.once("open", () => done(socket));
		socket.once("error", failed);
	});
}

let lobby;
let before = Promise.resolve();

/** A new match: one ticket for each seat. Matches are created one after another, at one websocket. */
export function created(port) {
	before = before.then(() => create(port));
	return before;
}

async function create(port) {
	lobby ??= await opened(port);
	const answer = new Promise(done => {
		lobby.once("message", data => done(JSON.parse(data)));
	});
	const seats = [
		{ kind: "me", name: "Ada" },
		{ kind: "me", name: "Ben" },
	];
	lobby.send(JSON.stringify({ t: "create", game: "duel", seats, listed: false }));
	const { match, tokens, why } = await answer;
	if (!match) {
		throw new Error(why);
	}
	return [0, 1].map(seat => ({ port, match, seat, token: tokens[seat] }));
}

/** Take a seat, or watch without one: `asked` is called when it is this seat's turn, `moved` when its move counts. */
export async function entered({ port, match, seat, token }, asked, moved) {
	const socket = await opened(port);
	let number = 0;
	const ready = new Promise(done => {
		socket.on("message", data => {
			const told = JSON.parse(data);
			if (told.t === "accepted") {
				moved();
			} else if (told.t === "refused" || told.t === "error") {
				throw new Error(told.why);
			} else if (told.t === "events") {
				for (const [text] of told.items) {
					const line = JSON.parse(text);
					const own = line[4] === "DecisionsOpened" && line[8].asked.find(one => one.seat === seat);
					if (own) {
						number = own.number;
						asked();
					}
				}
				done();
			} else if (told.t === "snapshot") {
				done();
			}
		});
	});
	// A spectator asks for the table, which a client shows at once; a player of this driver reads lines.
	const wish = seat === undefined ? { as: "spectator", caps: ["scene"] } : { token, since: 0 };
	socket.send(JSON.stringify({ t: "hello", match, ...wish }));
	await ready;
	return {
		move: () => socket.send(JSON.stringify({ t: "choose", id: `${number}`, decision: number, choice: 0 })),
		bytes: () => socket._socket.bytesRead + socket._socket.bytesWritten,
		close: () => socket.terminate(),
	};
}
