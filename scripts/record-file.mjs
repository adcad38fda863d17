// The messages of a saved file. Of an export every byte must fit the grammar (docs/record.md 7); a saved stream holds the
// protocol's own messages, of which only the first is demanded here. Throws `Broken`.
import { unb64 } from "../server/web/client/hashes.js";
import { Broken } from "../server/web/client/verify.js";

const FIELDS = {
	record: ["t", "v", "match", "game", "view", "head", "keys"],
	events: ["t", "from", "to", "items", "head"],
	checkpoint: ["t", "seq", "signed"],
	closing: ["t", "k_m", "k_n", "hid"],
};
const FILE_VERSION = 1;
const KEY_BYTES = 32;

const isNumber = x => Number.isSafeInteger(x);
const isText = x => typeof x === "string";
const hasFields = (x, fields) => x?.constructor === Object && Object.keys(x).join() === fields.join();
const isHead = x => hasFields(x, ["seq", "hash"]) && isNumber(x.seq) && isText(x.hash);
const isOpening = x => Array.isArray(x) && x.length === 2 && isNumber(x[0]) && isText(x[1]);
const isItem = x => Array.isArray(x) && x.length === 2 && isText(x[0]) && Array.isArray(x[1]) && x[1].every(isOpening);

function isKey(text) {
	try {
		return unb64(text).length === KEY_BYTES;
	} catch {
		return false;
	}
}

const TYPES = {
	record: m => m.v === FILE_VERSION && isText(m.game) && isHead(m.head) && m.keys?.constructor === Object,
	events: m => isNumber(m.from) && isNumber(m.to) && isHead(m.head) && Array.isArray(m.items) && m.items.every(isItem),
	checkpoint: m => isNumber(m.seq) && isText(m.signed),
	closing: m => [m.k_m, m.k_n, m.hid].every(isKey),
};

/** The audience of a view alone; 0 for a view without keys, null for what is no view. */
function ownMask(view) {
	const seat = /^seat([0-7])$/.exec(view);
	return view === "all" || view === "spectator" ? 0 : seat && 2 ** Number(seat[1]);
}

/** The audiences with a seat to which a line seals something; a line without the right form is found by its reader. */
function sealedWith(line, own) {
	try {
		return JSON.parse(line)[9].map(([mask]) => mask).filter(mask => mask & own);
	} catch {
		return [];
	}
}

/** An export, message by message: `lines` so far, the line of the last checkpoint, whether the closing has come. */
class Export {
	lines = 0;
	signed = 0;
	closed = false;
	begun = null;
	own = 0;
	audiences = new Set();

	take(message, text) {
		if (this.closed) {
			throw new Broken(this.lines, "the file goes on after its closing");
		}
		if (!hasFields(message, FIELDS[message.t] ?? []) || JSON.stringify(message) !== text || !TYPES[message.t](message)) {
			throw new Broken(this.lines, "a message is not written as the grammar says");
		}
		this[message.t](message);
	}

	record(message) {
		const own = ownMask(message.view);
		if (this.begun || own === null) {
			throw new Broken(this.lines, this.begun ? "a second record begins in the file" : "the view is none there is");
		}
		if (own && !Object.hasOwn(message.keys, own)) {
			throw new Broken(0, `the view ${message.view} holds other keys than its own`);
		}
		this.own = own;
		this.audiences = new Set(own ? [own] : []);
		this.begun = message;
	}

	events(message) {
		const next = this.lines + 1;
		if (this.signed || message.items.length !== 1) {
			throw new Broken(next, this.signed ? "a line stands after the checkpoints" : "a message has not one line");
		}
		if (message.from !== next || message.to !== next || message.head.seq !== next) {
			throw new Broken(next, "the message is numbered otherwise");
		}
		if (this.begun.view === "spectator" && message.items[0][1].length) {
			throw new Broken(next, "a spectator holds what is sealed");
		}
		if (this.own) {
			sealedWith(message.items[0][0], this.own).forEach(mask => this.audiences.add(mask));
		}
		this.lines = next;
	}

	checkpoint({ seq }) {
		if (seq <= this.signed || seq > this.lines) {
			throw new Broken(this.lines, `a checkpoint stands at line ${seq}`);
		}
		this.signed = seq;
	}

	closing() {
		if (this.begun.view !== "all") {
			throw new Broken(this.lines, `a closing stands in a file of the view ${this.begun.view}`);
		}
		this.closed = true;
	}

	end() {
		if (this.lines !== this.begun.head.seq) {
			throw new Broken(this.lines + 1, `missing; the file says that there are ${this.begun.head.seq} lines`);
		}
		if (this.begun.view === "all" && !this.closed) {
			throw new Broken(this.lines, "the file is cut: the closing is missing");
		}
		const { keys, view } = this.begun;
		const held = [...this.audiences].sort((a, b) => a - b);
		if (Object.keys(keys).join() !== held.join() || !Object.values(keys).every(isKey)) {
			throw new Broken(0, `the view ${view} holds other keys than its own`);
		}
		if (this.signed && this.signed !== this.lines) {
			throw new Broken(this.signed + 1, `the file's last checkpoint is of line ${this.signed}`);
		}
	}
}

function textOf(bytes) {
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		throw new Broken(0, "the file is not UTF-8");
	}
}

/** The messages of a file, from its bytes. */
export function messagesOf(bytes) {
	const lines = textOf(bytes).split("\n");
	const messages = [];
	const whole = lines.pop() === "";
	const shape = lines[0]?.startsWith('{"t":"record"') ? new Export() : null;
	for (const [i, line] of lines.entries()) {
		let message = null;
		try {
			message = JSON.parse(line);
		} catch {
			throw new Broken(shape?.lines ?? i, `the file's line ${i + 1} is not JSON`);
		}
		if (!isText(message?.t)) {
			throw new Broken(shape?.lines ?? i, `the file's line ${i + 1} is no message`);
		}
		shape?.take(message, line);
		messages.push(message);
	}
	if (!messages.length || !whole) {
		throw new Broken(shape?.lines ?? 0, messages.length ? "the file is cut in the middle of a line" : "the file is empty");
	}
	if (!shape && messages[0].t !== "welcome") {
		throw new Broken(0, "the file begins neither with a record nor with a welcome");
	}
	shape?.end();
	return messages;
}
