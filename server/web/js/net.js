// The socket: says hello, comes back by itself after a break, notices silence.

const PING_MS = 10_000;
const SILENCE_MS = 8000;
const FIRST_MS = 250;
const LONGEST_MS = 8000;
const FULL_TRIES = 4;
/** The code with which a full server closes a connection. */
export const FULL = 4013;

/** An id of twelve random bytes. */
export const fresh = () =>
	[...crypto.getRandomValues(new Uint8Array(12))].map(byte => byte.toString(16).padStart(2, "0")).join("");

/**
 * What a connection tells its page.
 * @typedef {object} ConnectionEvents
 * @property {(m: ServerMessage) => void} message
 * @property {(state: "open" | "lost", code?: number) => void} state
 */

export class Connection {
	/** Breaks since the last connection; -1: connected. */
	tries = 0;
	stopped = false;
	/** The number of the last ping. */
	n = 0;
	/** @type {WebSocket | null} */
	socket = null;
	/** @type {number | undefined} */
	retry = undefined;
	/** @type {number | undefined} */
	beat = undefined;
	/** @type {number | null} */
	silence = null;

	/** @param {() => ClientMessage[]} greeting messages to begin with @param {ConnectionEvents} on */
	constructor(greeting, on) {
		this.greeting = greeting;
		this.on = on;
		this.hearPage();
		this.connect();
	}

	hearPage() {
		addEventListener("online", () => this.now());
		document.addEventListener("visibilitychange", () => {
			if (document.hidden) {
				return;
			}
			if (this.ready) {
				this.ping();
			} else {
				this.now();
			}
		});
		addEventListener("pagehide", () => this.stop());
		addEventListener("pageshow", event => {
			if (event.persisted) {
				this.stopped = false;
				this.now();
			}
		});
	}

	get ready() {
		return this.socket?.readyState === WebSocket.OPEN;
	}

	connect() {
		clearTimeout(this.retry);
		if (this.stopped) {
			return;
		}
		const scheme = location.protocol === "https:" ? "wss" : "ws";
		const socket = new WebSocket(`${scheme}://${location.host}/ws`, "herald.v1+json");
		this.socket = socket;
		socket.onopen = () => {
			for (const m of this.greeting()) {
				this.send(m);
			}
			this.beat = setInterval(() => this.ping(), PING_MS);
		};
		socket.onmessage = event => this.heard(event.data);
		socket.onclose = event => {
			if (socket === this.socket) {
				this.lost(event.code);
			}
		};
	}

	/** @param {string} frame */
	heard(frame) {
		this.endSilence();
		if (this.tries >= 0) {
			this.tries = -1;
			this.on.state("open");
		}
		this.on.message(JSON.parse(frame));
	}

	endSilence() {
		clearTimeout(this.silence ?? undefined);
		this.silence = null;
	}

	/** @param {number} [code] */
	lost(code) {
		clearInterval(this.beat);
		this.endSilence();
		if (this.stopped) {
			return;
		}
		if (this.tries < 0) {
			// who comes back at once to a full server takes another's place
			this.tries = code === FULL ? FULL_TRIES : 0;
		}
		this.on.state("lost", code);
		if (this.stopped) {
			return;
		}
		const wait = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.tries) * (0.7 + 0.6 * Math.random());
		this.tries++;
		this.retry = setTimeout(() => this.connect(), wait);
	}

	now() {
		if (!this.ready && !this.stopped && this.socket?.readyState !== WebSocket.CONNECTING) {
			this.tries = 0;
			this.connect();
		}
	}

	ping() {
		if (!this.ready) {
			return;
		}
		this.n++;
		this.send({ t: "ping", n: this.n });
		this.silence ??= setTimeout(() => {
			const old = this.socket;
			this.socket = null;
			old?.close();
			this.lost();
		}, SILENCE_MS);
	}

	/** Whether it could be sent. @param {ClientMessage} message */
	send(message) {
		if (this.ready) {
			this.socket?.send(JSON.stringify(message));
		}
		return this.ready;
	}

	stop() {
		this.stopped = true;
		clearTimeout(this.retry);
		clearInterval(this.beat);
		clearTimeout(this.silence ?? undefined);
		this.socket?.close();
	}
}

/** The choice not yet answered: sent again with its id after a break, so it counts once. */
export class Choices {
	/** @type {Wire.Choose | null} */
	open = null;

	/**
	 * @param {(m: Wire.Choose) => void} send
	 * @param {(m: Wire.Choose) => Promise<Wire.ChoiceSignature> | undefined} sign
	 */
	constructor(send, sign) {
		this.send = send;
		this.sign = sign;
	}

	/** @param {string} decision @param {Answer} choice @param {{ ack_seq?: number, ack_head?: string }} ack */
	async say(decision, choice, ack) {
		/** @type {Wire.Choose} */
		const m = { t: "choose", id: fresh(), decision: Number(decision), choice, ...ack };
		this.open = m;
		const signed = await this.sign(m);
		if (signed) {
			m.signed = signed;
		}
		if (this.open === m) {
			this.send(m);
		}
	}

	again() {
		if (this.open) {
			this.send(this.open);
		}
	}

	/** The choice with this id, which is answered now; null where it is another's. @param {string} id */
	settle(id) {
		if (this.open?.id !== id) {
			return null;
		}
		const was = this.open;
		this.open = null;
		return was;
	}
}
