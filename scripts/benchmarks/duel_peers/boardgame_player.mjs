// A seat or a spectator at boardgame.io, as herald.mjs tells of one.
import { io } from "socket.io-client";

async function post(port, path, body) {
	const headers = { "Content-Type": "application/json" };
	const sent = { method: "POST", headers, body: JSON.stringify(body) };
	return (await fetch(`http://127.0.0.1:${port}/games/duel/${path}`, sent)).json();
}

export async function created(port) {
	const { matchID: match } = await post(port, "create", { numPlayers: 2, unlisted: true });
	const tickets = [];
	for (const seat of [0, 1]) {
		const { playerCredentials } = await post(port, `${match}/join`, { playerID: `${seat}`, playerName: `${seat}` });
		tickets.push({ port, match, seat, token: playerCredentials });
	}
	return tickets;
}

export async function entered({ port, match, seat, token }, asked, moved) {
	const socket = io(`http://127.0.0.1:${port}/duel`, { transports: ["websocket"], forceNew: true });
	const own = seat === undefined ? null : `${seat}`;
	let state = null;
	let waits = -1;
	function take(next) {
		state = next;
		if (waits >= 0 && state._stateID > waits) {
			waits = -1;
			moved();
		}
		if (state.ctx.currentPlayer === own) {
			asked();
		}
	}
	const ready = new Promise(done => {
		socket.on("sync", (_, synced) => {
			take(synced.state);
			done();
		});
	});
	socket.on("update", (_, next) => take(next));
	socket.on("connect", () => socket.emit("sync", match, own, token, 2));
	await ready;
	const wire = () => socket.io.engine.transport.ws._socket;
	return {
		move: () => {
			waits = state._stateID;
			const payload = { type: "play", args: [], playerID: own, credentials: token };
			socket.emit("update", { type: "MAKE_MOVE", payload }, state._stateID, match, own);
		},
		bytes: () => wire().bytesRead + wire().bytesWritten,
		close: () => socket.disconnect(),
	};
}
