// Records a commentary: its sound is sent part by part, with the line shown at that time; it is stored beside the match.

const CHUNK_MS = 4000;
/** The number of bytes in one message. */
const PART = 30_000;
const BITS = 24_000;
const KINDS = ["audio/webm;codecs=opus", "audio/webm"];

/** @param {Uint8Array} bytes */
const b64 = bytes =>
	btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(""))
		.replaceAll("+", "-")
		.replaceAll("/", "_")
		.replaceAll("=", "");

/** A name for a new commentary. */
const fresh = () => b64(crypto.getRandomValues(new Uint8Array(12)));

export class Talk {
	track = fresh();
	begun = performance.now();
	/** The number of bytes that the server has stored. */
	sent = 0;
	/** @type {MediaRecorder | undefined} */
	recorder = undefined;
	/** @type {Promise<unknown>} */
	turn = Promise.resolve();

	/**
	 * @param {() => import("../client/match.js").Match | undefined} match @param {() => number} line what is looked at
	 * @param {(wrong: unknown) => void} failed
	 */
	constructor(match, line, failed) {
		this.match = match;
		this.line = line;
		this.failed = failed;
	}

	get ms() {
		return Math.max(0, Math.round(performance.now() - this.begun));
	}

	get isSpoken() {
		return this.recorder?.state === "recording";
	}

	/** Records the microphone. Rejects if there is no microphone, or if it may not be used. */
	async speak() {
		const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
		const mimeType = KINDS.find(kind => MediaRecorder.isTypeSupported(kind));
		this.recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: BITS });
		this.recorder.ondataavailable = ({ data }) => this.later(async () => this.send(await data.arrayBuffer()));
		this.recorder.onstop = () => stream.getTracks().forEach(track => track.stop());
		this.begun = performance.now();
		this.recorder.start(CHUNK_MS);
		this.remark({});
	}

	/** Does one thing after another. @param {() => Promise<unknown>} act */
	later(act) {
		this.turn = this.turn.then(act).catch(wrong => this.failed(wrong));
		return this.turn;
	}

	/** @param {ArrayBuffer} buffer */
	async send(buffer) {
		for (let at = 0; at < buffer.byteLength; at += PART) {
			const part = new Uint8Array(buffer.slice(at, at + PART));
			const kept = await this.match()?.voice(this.track, this.sent, b64(part));
			this.sent = kept?.bytes ?? this.sent;
		}
	}

	/** Stores a text or a direction of this moment. @param {{ text?: string, direction?: Wire.Direction }} said */
	remark(said) {
		const { ms, track } = this;
		const line = this.line();
		return this.later(async () => this.match()?.remark({ track, ms, line, ...said }));
	}

	/** Ends the commentary; done when everything is stored. */
	async stop() {
		const { recorder } = this;
		if (recorder && recorder.state !== "inactive") {
			await new Promise(done => {
				recorder.addEventListener("stop", done, { once: true });
				recorder.stop();
			});
		}
		await this.turn;
	}
}
