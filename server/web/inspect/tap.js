// Every frame of a connection as it passes, before anybody reads it.

/** One frame: when it passed, which way, its text and what it says. @typedef {{ n: number, at: number, out: boolean, text: string, bytes: number, m: any }} Frame */

const sizes = new TextEncoder();

export class Tap {
	/** @type {Frame[]} */
	frames = [];

	/** @param {(frame: Frame) => void} told */
	constructor(told) {
		this.told = told;
	}

	/** @param {boolean} out @param {string} text */
	pass(out, text) {
		const n = this.frames.length + 1;
		const frame = { n, at: Date.now(), out, text, bytes: sizes.encode(text).length, m: JSON.parse(text) };
		this.frames.push(frame);
		this.told(frame);
	}

	/** The class of WebSocket whose frames pass here. @returns {import("../client/connection.js").Sockets} */
	get sockets() {
		const tap = this;
		return class extends WebSocket {
			/** @param {string} url @param {string} protocol */
			constructor(url, protocol) {
				super(url, protocol);
				this.addEventListener("message", event => tap.pass(false, event.data));
			}

			/** @override @param {string} text */
			send(text) {
				tap.pass(true, text);
				super.send(text);
			}
		};
	}
}

/** A seat as people count. @param {number} seat */
const placed = seat => seat + 1;

/** The subject of each kind of message, in a few words. @type {Record<string, (m: any) => string>} */
const BRIEFS = {
	hello: m => (m.token ? "as the holder of a token" : "as a spectator") + (m.since ? `, from line ${m.since} on` : ""),
	welcome: m => `${m.title || m.game}, ${viewerOf(m.viewer)}, ${m.head.seq} lines`,
	snapshot: m => `the whole Scene after line ${m.seq}`,
	events: m => `${span(m)}: ${types(m)}`,
	checkpoint: m => `signed at line ${m.seq}`,
	choose: m => `decision ${m.decision}: ${JSON.stringify(m.choice)}`,
	accepted: m => `line ${m.seq}, for ${m.id}`,
	refused: m => `${m.code}: ${m.why}`,
	error: m => `${m.code}: ${m.why}`,
	presence: m => `seats ${m.seats.map(placed).join(", ") || "none"}; ${m.spectators} watch`,
	said: m => `${m.lines.length} lines of chat`,
	seats: m => m.seats.map((/** @type {any} */ seat) => seat.name || "open").join(", "),
	need: m => `lines after ${m.since}`,
	offer: m => m.terms.is,
	ping: m => `${m.n}`,
	pong: m => `${m.n}`,
};

/** @param {{ as: string, seat?: number }} viewer */
export const viewerOf = ({ as, seat }) => (seat === undefined ? as : `${as} ${seat + 1}`);

/** @param {{ from: number, to: number }} m */
const span = ({ from, to }) => (from === to ? `line ${from}` : `lines ${from} to ${to}`);

/** The events in the lines of a message, each with how many of it. @param {{ items: [string, unknown][] }} m */
function types({ items }) {
	/** @type {Map<string, number>} */
	const counts = new Map();
	for (const [text] of items) {
		const type = JSON.parse(text)[4];
		counts.set(type, (counts.get(type) ?? 0) + 1);
	}
	return [...counts].map(([type, n]) => (n > 1 ? `${type} ×${n}` : type)).join(", ");
}

/** The subject of a frame. @param {Frame} frame */
export const brief = ({ m }) => BRIEFS[m.t]?.(m) ?? "";
