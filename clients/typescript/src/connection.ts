import type { Answer, ClientMessage, ServerMessage, Wire } from "./wire.js";

// The socket: says hello, comes back by itself after a break, notices silence.

const PING_MS = 10_000;
const SILENCE_MS = 8000;
const FIRST_MS = 250;
const LONGEST_MS = 8000;
const FULL_TRIES = 4;
const CONNECTING = 0;
const OPEN = 1;
/** The code with which a full server closes a connection. */
export const FULL = 4013;
/** The id of the message that enters a match. */
export const HELLO = "hello";
/** Answers to a hello that would be the same the next time. */
export const NO_ENTRY = new Set(["no-match", "not-admitted", "beyond-head"]);

/** An id of twelve random bytes. */
export const fresh = () =>
	[...crypto.getRandomValues(new Uint8Array(12))].map(byte => byte.toString(16).padStart(2, "0")).join("");

/** The events of a connection. */
export interface ConnectionEvents {
	message(m: ServerMessage): void;
	/** `again`: the ms until the next attempt. */
	state(state: "open" | "lost", code?: number, again?: number): void;
}

/** The class that opens a WebSocket: the platform's, or another with the same interface. */
export type Sockets = new (url: string, protocol: string) => WebSocket;

/** The address of the socket of the server that a page came from. */
const pageUrl = () => `${location.origin.replace("http", "ws")}/ws`;

/**
 * The address at which a match is entered, derived from the address of the server's socket, with a short hash of the match. A server
 * of several processes, or a proxy before several servers, uses the hash to route the connection to the match.
 */
export const socketAt = (match: string, url = pageUrl()) => {
	let short = 0x811c9dc5;
	for (const byte of new TextEncoder().encode(match)) {
		short = Math.imul(short ^ byte, 0x01000193);
	}
	return match ? `${url}/${(short >>> 0).toString(16).padStart(8, "0")}` : url;
};

export class Connection {
	/** Breaks since the last connection; -1: connected. */
	tries = 0;
	stopped = false;
	/** Whether a match was entered over any connection so far. */
	entered = false;
	/** The number of the last ping. */
	n = 0;
	socket: WebSocket | null = null;
	retry: number | undefined = undefined;
	beat: number | undefined = undefined;
	silence: number | null = null;
	/** Aborted when the connection ends. */
	readonly page = new AbortController();

	greeting: () => ClientMessage[];
	on: ConnectionEvents;
	url: string;
	Socket: Sockets;

	/** `greeting`: the first messages; `url`: the address of the socket. */
	constructor(greeting: () => ClientMessage[], on: ConnectionEvents, url = pageUrl(), Socket: Sockets = WebSocket) {
		this.greeting = greeting;
		this.on = on;
		this.url = url;
		this.Socket = Socket;
		if (globalThis.document) {
			this.hearPage();
		}
		this.connect();
	}

	/** Listens to the page until the connection is stopped: a page that watches for days makes many connections. */
	hearPage() {
		const { signal } = this.page;
		addEventListener("online", () => this.now(), { signal });
		const shown = () => {
			if (document.hidden) {
				return;
			}
			if (this.ready) {
				this.ping();
			} else {
				this.now();
			}
		};
		document.addEventListener("visibilitychange", shown, { signal });
		addEventListener("pagehide", () => this.rest(), { signal });
		const restored = (event: PageTransitionEvent) => {
			if (event.persisted) {
				this.stopped = false;
				this.now();
			}
		};
		addEventListener("pageshow", restored, { signal });
	}

	get ready() {
		return this.socket?.readyState === OPEN;
	}

	connect() {
		clearTimeout(this.retry);
		if (this.stopped) {
			return;
		}
		const socket = new this.Socket(this.url, "herald.v1+json");
		this.socket = socket;
		socket.onopen = () => this.greet(socket);
		socket.onmessage = event => socket === this.socket && this.heard(event.data);
		const gone = (event: Event) => {
			if (socket === this.socket) {
				this.socket = null;
				this.lost((event as CloseEvent).code);
			}
		};
		socket.onclose = gone;
		// Node.js 20 does not report that a failed connection is closed
		socket.onerror = gone;
	}

	/** Sends the first messages, but none through a socket that was abandoned before it opened. */
	greet(socket: WebSocket) {
		if (this.stopped || socket !== this.socket) {
			return;
		}
		for (const m of this.greeting()) {
			this.send(m.t === "hello" ? { ...m, id: HELLO } : m);
		}
		this.beat = setInterval(() => this.ping(), PING_MS);
	}

	heard(frame: string) {
		this.endSilence();
		const m: ServerMessage = JSON.parse(frame);
		if (this.entered && m.t === "error" && m.id === HELLO && !NO_ENTRY.has(m.code)) {
			// Treated as a break: the answer may soon change, and each further attempt comes later.
			this.cut();
			return;
		}
		this.entered ||= m.t === "welcome";
		if (this.tries >= 0) {
			this.tries = -1;
			this.on.state("open");
		}
		this.on.message(m);
	}

	/** Abandons the connection, and reconnects. */
	cut() {
		const old = this.socket;
		this.socket = null;
		old?.close();
		this.lost();
	}

	endSilence() {
		clearTimeout(this.silence ?? undefined);
		this.silence = null;
	}

	lost(code?: number) {
		clearInterval(this.beat);
		this.endSilence();
		if (this.stopped) {
			return;
		}
		if (this.tries < 0) {
			// a client that returns at once to a full server takes another's place
			this.tries = code === FULL ? FULL_TRIES : 0;
		}
		const wait = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.tries) * (0.7 + 0.6 * Math.random());
		this.tries++;
		this.retry = setTimeout(() => this.connect(), wait);
		this.on.state("lost", code, wait);
	}

	now() {
		if (!this.ready && !this.stopped && this.socket?.readyState !== CONNECTING) {
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
		this.silence ??= setTimeout(() => this.cut(), SILENCE_MS);
	}

	/** Sends a message; returns whether it could be sent. */
	send(message: ClientMessage) {
		if (this.ready) {
			this.socket?.send(JSON.stringify(message));
		}
		return this.ready;
	}

	/** Ends the connection for good. */
	stop() {
		this.page.abort();
		this.rest();
	}

	/** Ends the connection while the page is in the browser's cache, from which the browser may bring it back. */
	rest() {
		this.stopped = true;
		clearTimeout(this.retry);
		clearInterval(this.beat);
		clearTimeout(this.silence ?? undefined);
		this.socket?.close();
	}
}

/** The unanswered choice: it is sent again with its id after a break, so that it counts once. */
export class Choices {
	open: Wire.Choose | null = null;

	send: (m: Wire.Choose) => void;
	sign: (m: Wire.Choose) => Promise<Partial<Wire.Choose>>;

	/** `sign` gives the additions to a choice: the line that its sender has verified, and the signature if the seat signs. */
	constructor(send: (m: Wire.Choose) => void, sign: (m: Wire.Choose) => Promise<Partial<Wire.Choose>>) {
		this.send = send;
		this.sign = sign;
	}

	async say(decision: string, choice: Answer) {
		const m: Wire.Choose = { t: "choose", id: fresh(), decision: Number(decision), choice };
		this.open = m;
		Object.assign(m, await this.sign(m));
		if (this.open === m) {
			this.send(m);
		}
	}

	again() {
		if (this.open) {
			this.send(this.open);
		}
	}

	/** Ends the wait for the choice with this id, and gives it; null if the id is that of another message. */
	settle(id: string) {
		if (this.open?.id !== id) {
			return null;
		}
		const was = this.open;
		this.open = null;
		return was;
	}
}
