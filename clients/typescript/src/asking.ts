// One message to a server over a connection of its own, and its answer.
import { socketAt, type Sockets } from "./connection.js";
import { Closed, Refused } from "./errors.js";
import type { ClientMessage, ServerMessage } from "./wire.js";

export type Answered<K extends ServerMessage["t"]> = Extract<ServerMessage, { t: K }>;

/** Sends one message and gives its answer. `url`: the server's socket, by default that of the page. Rejects with `Refused` or `Closed`. */
export function askOnce<K extends ServerMessage["t"]>(
	m: ClientMessage,
	kind: K,
	url?: string,
	Socket: Sockets = WebSocket,
): Promise<Answered<K>> {
	const socket = new Socket(socketAt("match" in m ? (m.match ?? "") : "", url), "herald.v1+json");
	const answered = new Promise<Answered<K>>((resolve, reject) => {
		const gone = (event: Event) => reject(new Closed((event as CloseEvent).code ?? 0, "the server does not answer"));
		socket.onopen = () => socket.send(JSON.stringify(m));
		socket.onclose = gone;
		socket.onerror = gone;
		socket.onmessage = ({ data }) => {
			const heard: ServerMessage = JSON.parse(data);
			if (heard.t === kind) {
				resolve(heard as Answered<K>);
			} else if (heard.t === "error") {
				reject(new Refused(heard.code, heard.why, "", heard.id));
			}
		};
	});
	return answered.finally(() => socket.close());
}
