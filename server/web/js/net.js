// The socket: says hello, comes back by itself after a break, notices silence.
const PING_MS = 10000, SILENCE_MS = 8000, FIRST_MS = 250, LONGEST_MS = 8000, FULL_TRIES = 4;
export const FULL = 4013;

export const fresh = () => [...crypto.getRandomValues(new Uint8Array(12))].map(b => b.toString(16).padStart(2, "0")).join("");

export class Connection {
	// greeting: () => messages to begin with; on: {message(m), state("open" | "lost")}
	constructor(greeting, on) {
		this.greeting = greeting; this.on = on; this.tries = 0; this.stopped = false; this.n = 0;
		addEventListener("online", () => this.now());
		document.addEventListener("visibilitychange", () => { if (!document.hidden) { if (this.ready) this.ping(); else this.now(); } });
		addEventListener("pagehide", () => this.stop());
		addEventListener("pageshow", e => { if (e.persisted) { this.stopped = false; this.now(); } });
		this.connect();
	}
	get ready() { return this.socket?.readyState === WebSocket.OPEN; }

	connect() {
		clearTimeout(this.retry);
		if (this.stopped) return;
		const socket = (this.socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`, "herald.v1+json"));
		socket.onopen = () => { for (const m of this.greeting()) this.send(m); this.beat = setInterval(() => this.ping(), PING_MS); };
		socket.onmessage = e => {
			clearTimeout(this.silence);
			this.silence = null;
			if (this.tries >= 0) { this.tries = -1; this.on.state("open"); }
			this.on.message(JSON.parse(e.data));
		};
		socket.onclose = e => { if (socket === this.socket) this.lost(e.code); };
	}
	lost(code) {
		clearInterval(this.beat); clearTimeout(this.silence);
		this.silence = null;
		if (this.stopped) return;
		if (this.tries < 0) this.tries = code === FULL ? FULL_TRIES : 0; // who comes back at once to a full server takes another's place
		this.on.state("lost", code);
		if (this.stopped) return;
		const wait = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.tries++) * (0.7 + 0.6 * Math.random());
		this.retry = setTimeout(() => this.connect(), wait);
	}
	now() { if (!this.ready && !this.stopped && this.socket?.readyState !== WebSocket.CONNECTING) { this.tries = 0; this.connect(); } }
	ping() {
		if (!this.ready) return;
		this.send({ t: "ping", n: ++this.n });
		this.silence ??= setTimeout(() => { const old = this.socket; this.socket = null; old.close(); this.lost(); }, SILENCE_MS);
	}
	send(message) { if (this.ready) this.socket.send(JSON.stringify(message)); return this.ready; }
	stop() { this.stopped = true; clearTimeout(this.retry); clearInterval(this.beat); clearTimeout(this.silence); this.socket?.close(); }
}

// The choice not yet answered: sent again with its id after a break, so it counts once.
export class Choices {
	constructor(send, sign) { this.send = send; this.sign = sign; this.open = null; }
	async say(decision, choice, ack) {
		const m = (this.open = { t: "choose", id: fresh(), decision: Number(decision), choice, ...ack }), signed = await this.sign(m);
		if (signed) m.signed = signed;
		if (this.open === m) this.send(m);
	}
	again() { if (this.open) this.send(this.open); }
	settle(id) { if (this.open?.id !== id) return null; const was = this.open; this.open = null; return was; }
}
