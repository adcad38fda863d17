// A seat or a spectator at Colyseus, as herald.mjs tells of one.
import { Client } from "@colyseus/sdk";

export async function created(port) {
	const client = new Client(`http://127.0.0.1:${port}`);
	const room = await client.create("duel");
	return [0, 1].map(seat => ({ port, match: room.roomId, seat, room: seat === 0 ? room : undefined }));
}

export async function entered({ port, match, seat, room: made }, asked, moved) {
	const room = made ?? (await new Client(`http://127.0.0.1:${port}`).joinById(match));
	function turn(moves) {
		if (moves % 2 === seat) {
			asked();
		}
	}
	const ready = new Promise(done => {
		room.onMessage("state", ({ moves }) => {
			turn(moves);
			done();
		});
	});
	room.onMessage("hand", () => {});
	room.onMessage("moved", shown => {
		if (shown.seat === seat) {
			moved();
		}
		turn(shown.moves);
	});
	await ready;
	const wire = () => room.connection.transport.ws._socket;
	return {
		move: () => room.send("play"),
		bytes: () => wire().bytesRead + wire().bytesWritten,
		close: () => room.leave(false),
	};
}
