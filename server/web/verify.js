// Verifies a match from its record alone (docs/record.md): chain, profile, seals, dice, signatures, and what the
// end discloses. One file, no dependency. SHA-256 is written out here because WebCrypto exists only in secure contexts,
// and a phone on the same network has none.

const LINE_LIMIT = 65536, DEPTH_LIMIT = 16;

export class Broken extends Error {
	constructor(seq, why) { super(`line ${seq}: ${why}`); this.name = "Broken"; this.seq = seq; this.why = why; }
}

// --- SHA-256 (FIPS 180-4), HMAC (RFC 2104) ---

const FRACTIONS = (() => {
	const primes = [];
	for (let n = 2; primes.length < 64; n++) if (primes.every(p => n % p)) primes.push(n);
	// first 32 bits of the fractional part of the n-th root of k, in integers
	const root = (k, n) => {
		let lo = 0n, hi = 2n ** 40n;
		const target = BigInt(k) * 2n ** BigInt(32 * n);
		while (lo + 1n < hi) { const mid = (lo + hi) / 2n; if (mid ** BigInt(n) <= target) lo = mid; else hi = mid; }
		return Number(lo & 0xffffffffn);
	};
	return { K: Int32Array.from(primes, p => root(p, 3)), H: Int32Array.from(primes.slice(0, 8), p => root(p, 2)) };
})();
const W = new Int32Array(64);

function compress(h, b, at) {
	const K = FRACTIONS.K;
	for (let i = 0; i < 16; i++, at += 4) W[i] = (b[at] << 24) | (b[at + 1] << 16) | (b[at + 2] << 8) | b[at + 3];
	for (let i = 16; i < 64; i++) {
		const x = W[i - 15], y = W[i - 2];
		W[i] = (W[i - 16] + W[i - 7] + (((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3))
			+ (((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10))) | 0;
	}
	let [a, c, d, e, f, g, i2, j] = [h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]];
	for (let i = 0; i < 64; i++) {
		const t1 = (j + (((f >>> 6) | (f << 26)) ^ ((f >>> 11) | (f << 21)) ^ ((f >>> 25) | (f << 7))) + ((f & g) ^ (~f & i2)) + K[i] + W[i]) | 0;
		const t2 = ((((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))) + ((a & c) ^ (a & d) ^ (c & d))) | 0;
		j = i2; i2 = g; g = f; f = (e + t1) | 0; e = d; d = c; c = a; a = (t1 + t2) | 0;
	}
	h[0] += a; h[1] += c; h[2] += d; h[3] += e; h[4] += f; h[5] += g; h[6] += i2; h[7] += j;
}

// `done` bytes are in `start` already
function digest(start, done, parts) {
	const data = parts.length === 1 ? parts[0] : concat(parts), n = data.length, h = Int32Array.from(start);
	let at = 0;
	for (; at + 64 <= n; at += 64) compress(h, data, at);
	const tail = new Uint8Array(n - at < 56 ? 64 : 128);
	tail.set(data.subarray(at));
	tail[n - at] = 0x80;
	new DataView(tail.buffer).setBigUint64(tail.length - 8, BigInt(done + n) * 8n);
	for (let i = 0; i < tail.length; i += 64) compress(h, tail, i);
	const out = new Uint8Array(32), view = new DataView(out.buffer);
	for (let i = 0; i < 8; i++) view.setInt32(i * 4, h[i]);
	return out;
}

export function concat(parts) {
	const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
	let at = 0;
	for (const p of parts) { out.set(p, at); at += p.length; }
	return out;
}
export const sha256 = (...parts) => digest(FRACTIONS.H, 0, parts);
export function hmac(key, ...parts) {
	const block = new Uint8Array(64);
	block.set(key.length > 64 ? sha256(key) : key);
	return sha256(block.map(b => b ^ 0x5c), sha256(block.map(b => b ^ 0x36), ...parts));
}

// --- notation (RECORD 1) ---

const text = new TextEncoder();
export const utf8 = s => text.encode(s);
const tags = new Map();
// the tag's two hashes fill one block, so its state is kept
export function tagged(tag, ...parts) {
	let start = tags.get(tag);
	if (!start) {
		const t = sha256(utf8("hr1/" + tag));
		start = Int32Array.from(FRACTIONS.H);
		compress(start, concat([t, t]), 0);
		tags.set(tag, start);
	}
	return digest(start, 64, parts);
}
export const prf = (key, label, ...parts) => hmac(key, utf8(`hr1/${label}\0`), ...parts);
export const u8 = n => Uint8Array.of(n);
export const u32 = n => Uint8Array.of(n >>> 24, n >>> 16, n >>> 8, n);
export const u64 = n => concat([u32(Math.floor(n / 2 ** 32)), u32(n % 2 ** 32)]);
export const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);
export const b64 = bytes => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
export function unb64(s) {
	let out = new Uint8Array();
	try { out = Uint8Array.from(atob(s.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0)); } catch { /* compared below */ }
	if (b64(out) !== s) throw new SyntaxError("not base64url without padding");
	return out;
}

// --- the canonical profile (RECORD 2): one way to write every value ---

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}]|[,:]|[^",:[\]{}]+/gs;

export function parse(source) {
	const fail = why => { throw new SyntaxError(why); };
	if (source.length > LINE_LIMIT || utf8(source).length > LINE_LIMIT) fail(`longer than ${LINE_LIMIT} bytes`);
	const whole = JSON.parse(source);
	let depth = 0;
	for (const token of source.match(TOKEN)) {
		if (token === "[" || token === "{") { if (++depth > DEPTH_LIMIT) fail(`nested deeper than ${DEPTH_LIMIT}`); continue; }
		if (token === "]" || token === "}") depth--;
		if (token.length === 1 && "]},:".includes(token)) continue;
		const made = JSON.parse(token);
		if (JSON.stringify(made) !== token) fail(`${token} is not written in the one way there is`);
		if (typeof made === "number" && !Number.isSafeInteger(made)) fail(`${token} is no integer within 2^53-1`);
		if (typeof made === "string" && made.normalize("NFC") !== made) fail("a string is not NFC");
	}
	if (JSON.stringify(whole).length !== source.length) fail("a key stands twice");
	return whole;
}

// --- chance (RECORD 4) ---

// even numbers below a bound, eight bytes each
export function stream(key, mixed, draw) {
	const front = concat([mixed, u32(draw)]), left = [];
	let block = 0;
	return bound => {
		const n = BigInt(bound), limit = (2n ** 64n / n) * n;
		for (;;) {
			if (!left.length) { const bytes = new DataView(prf(key, "draw", front, u32(block++)).buffer); left.push(...[0, 8, 16, 24].map(i => bytes.getBigUint64(i))); }
			const x = left.shift();
			if (x < limit) return Number(x % n);
		}
	};
}
export function dice(key, mixed, draw, count, sides) { const below = stream(key, mixed, draw); return Array.from({ length: count }, () => below(sides) + 1); }
// --- seals (RECORD 3) ---

export const audienceKey = (root, mid, mask) => prf(root, "aud", mid, u32(mask));
export const slotSalt = (key, seq, slot) => prf(key, "salt", u64(seq), u8(slot));
export const newShare = () => { const e = crypto.getRandomValues(new Uint8Array(32)); return { entropy: b64(e), commitment: b64(tagged("ent", e)) }; };
export const commitment = (mid, salt, seq, slot, mask, value) => tagged("seal", salt, mid, u64(seq), u8(slot), u32(mask), value);


// --- the verifier ---

export class Verifier {
	// match: its id; keys: audience keys by mask; root: K_m, for who may open everything
	constructor({ match, keys = {}, root }) {
		this.match = match;
		this.mid = unb64(match);
		this.seq = 0; this.at = 0;
		// choices of the seats themselves that were not taken back: [line, seat]
		this.choices = [];
		this.heads = [tagged("genesis", this.mid)];
		this.openings = this.dice = this.unread = 0;
		this.fault = null;
		this.keys = new Map(Object.entries(keys).map(([mask, key]) => [Number(mask), unb64(key)]));
		this.root = root && unb64(root);
		this.masks = new Map(); this.claims = new Map(); this.entropy = new Map(); this.commitments = new Map();
		this.shuffles = []; this.anchors = [];
		this.drawn = 0; this.lastKey = null; this.seats = 0; this.mixed = null; this.rules = null;
	}
	get head() { return this.heads[this.seq]; }

	// What the server says the chain's hash is after a line; compared as soon as the line is here.
	claim(seq, hash) {
		if (seq <= this.seq) { if (b64(this.heads[seq]) !== hash) this.fail(seq, "the server states another hash for the chain here"); } else this.claims.set(seq, hash);
	}
	fail(seq, why) { this.fault ??= new Broken(seq, why); throw this.fault; }

	// One line with the openings held, [[slot, value text]...]. Throws `Broken`; after that nothing more is believed.
	take(source, openings = [], number = this.seq + 1) {
		if (this.fault) throw this.fault;
		if (number <= this.seq) return this.again(number, source);
		if (number > this.seq + 1) this.fail(this.seq + 1, `missing; line ${number} came instead`);
		try { this.read(source, openings); } catch (wrong) { if (wrong instanceof Broken) throw wrong; this.fail(number, wrong.message); }
	}
	again(seq, source) {
		if (!same(tagged("link", this.heads[seq - 1], utf8(source)), this.heads[seq])) this.fail(seq, "two different lines were shown with this number");
	}
	read(source, openings) {
		const seq = this.seq + 1, bad = why => this.fail(seq, why), line = parse(source);
		if (!Array.isArray(line) || line.length !== 10) bad("not a line of the record");
		const [version, match, number, at, type, rules, actor, cause, payload, seals] = line;
		if (version !== 1) bad(`version ${version} of the record is not known`);
		if (match !== this.match) bad("it belongs to another match");
		if (number !== seq) bad(`its number is ${number}, expected ${seq}`);
		if (!Number.isInteger(at) || at < this.at) bad("its time is before the line before it");
		if (typeof type !== "string" || typeof rules !== "string" || !Number.isInteger(actor) || typeof cause !== "string" || payload?.constructor !== Object) bad("a field is not what it should be");
		if (this.rules !== null && rules !== this.rules && type !== "RulesChanged") bad(`the rules changed to ${rules} without an event that says so`);
		if (!Array.isArray(seals) || !seals.every(s => Array.isArray(s) && s.length === 2 && Number.isInteger(s[0]) && s[0] >= 0 && s[0] < 2 ** 32 && typeof s[1] === "string" && unb64(s[1]).length === 32)) bad("its seals are not seals");
		const head = tagged("link", this.heads[seq - 1], utf8(source)), claimed = this.claims.get(seq);
		if (claimed !== undefined && claimed !== b64(head)) bad("the chain does not come to the stated hash");
		for (const [slot, value] of openings) this.open(seq, slot, value, seals);
		this.meaning(seq, type, payload, openings);
		this.claims.delete(seq);
		this.heads.push(head);
		if (seals.length) this.masks.set(seq, seals);
		this.seq = seq; this.at = at; this.rules = rules;
	}
	key(mask) {
		if (!this.keys.has(mask) && this.root) this.keys.set(mask, audienceKey(this.root, this.mid, mask));
		return this.keys.get(mask);
	}
	open(seq, slot, value, seals) {
		const seal = seals[slot];
		if (!seal) this.fail(seq, `slot ${slot} was opened, which there is not`);
		parse(value);
		const key = this.key(seal[0]);
		if (!key) { this.unread++; return; }
		this.matches(seq, slot, slotSalt(key, seq, slot), value, seal);
	}
	matches(seq, slot, salt, value, [mask, sealed], at = seq) {
		if (b64(commitment(this.mid, salt, seq, slot, mask, utf8(value))) !== sealed) this.fail(at, `what was opened in slot ${slot} of line ${seq} is not what was sealed`);
		this.openings++;
	}
	meaning(seq, type, p, openings) {
		const bad = why => this.fail(seq, why);
		if (seq === 1) {
			if (type !== "MatchCreated") bad("the first line does not create a match");
			this.seats = p.seats?.length ?? 0;
			if (p.anchor) { this.anchor = this.lastKey = unb64(p.anchor); this.hidden = unb64(p.hidden); }
		}
		if (type === "EntropyCommitted") {
			if (this.commitments.has(p.seat) || this.entropy.size) bad("a share of chance is fixed twice, or too late");
			this.commitments.set(p.seat, p.commitment);
		} else if (type === "EntropyRevealed") {
			const share = unb64(p.entropy);
			if (this.commitments.size < this.seats) bad("a share of chance is revealed before all are fixed");
			if (b64(tagged("ent", share)) !== this.commitments.get(p.seat)) bad("the share of chance is not the one that was fixed");
			this.entropy.set(p.seat, share);
			if (this.entropy.size === this.seats) this.mixed = tagged("mix", this.mid, this.anchor, this.hidden, u8(this.seats), ...[...this.entropy].sort((a, b) => a[0] - b[0]).map(x => x[1]));
		} else if (type === "BranchOpened") this.branch = p;
		else if (type === "PositionSet" && p.line) this.choices = this.choices.filter(([at]) => at <= p.line);
		else if (type === "ChanceAnchored") this.anchors.push([p.after, unb64(p.anchor)]);
		else if (type === "DiceRolled") this.roll(p, bad);
		else if (type === "Shuffled") {
			if (p.draw !== this.shuffles.length + 1) bad("the shuffle's number is not the next");
			this.shuffles.push([seq, p.size, openings.find(([slot]) => slot === 0)?.[1]]);
		} else if (type === "Chosen") {
			if ((p.by ?? "seat") === "seat") this.choices.push([seq, p.seat]);
			const head = p.ack_seq && this.heads[p.ack_seq];
			if (p.ack_seq && (!head || b64(head) !== p.ack_head)) bad(`seat ${p.seat} was shown another record up to line ${p.ack_seq}`);
		} else if (type === "MatchEnded") this.choices = [];
		else if (type === "SecretsOpened") {
			for (const [of, slot, salt, value] of p.slots) {
				const seal = this.masks.get(of)?.[slot];
				if (!seal) bad(`slot ${slot} of line ${of} is opened, which there is not`);
				this.matches(of, slot, unb64(salt), value, seal, seq);
			}
		}
	}
	roll({ draw, key, dice: shown, sides }, bad) {
		if (!this.mixed) bad("dice were rolled before the shares of chance were known");
		const next = this.drawn + (shown.length > 0), made = unb64(key); // a roll of no dice draws nothing
		if (draw !== next) bad(`the draw's number is ${draw}, expected ${next}`);
		if (!shown.length) return;
		const anchor = this.anchors.find(([after]) => after === this.drawn);
		if (!same(tagged("chain", made), anchor ? anchor[1] : this.lastKey)) bad("the draw's key does not belong to the chain of keys");
		const fair = dice(made, this.mixed, draw, shown.length, sides);
		if (!same(shown, fair)) bad(`the dice show ${shown.join(", ")}; the key gives ${fair.join(", ")}`);
		this.drawn = draw; this.lastKey = made; this.dice += shown.length;
	}
}

// --- what a whole record lets one check beside: what the end discloses, and the server's signatures ---

const CHAIN_LENGTH = 4096;

export function shuffle(hid, mixed, draw, size) {
	const below = stream(prf(hid, "hid", u32(draw)), mixed, draw), items = Array.from({ length: size }, (_, i) => i);
	for (let i = size - 1; i > 0; i--) { const j = below(i + 1); [items[i], items[j]] = [items[j], items[i]]; }
	return items;
}

export function chainStart(last, length = CHAIN_LENGTH) {
	for (let j = 0; j < length; j++) last = tagged("chain", last);
	return last;
}

// K_m, k_N, hid: checks the commitments of line 1 and every shuffle that is held. Throws `Broken`.
export function close(verifier, { k_m, k_n, hid }) {
	const secret = unb64(hid);
	if (!same(tagged("hid", verifier.mid, secret), verifier.hidden)) verifier.fail(1, "the hidden chance is not the one that was fixed");
	if (!same(chainStart(unb64(k_n)), verifier.anchor)) verifier.fail(1, "the chain of keys is not the one that was fixed");
	verifier.root ??= unb64(k_m);
	verifier.shuffles.forEach(([seq, size, order], i) => {
		if (order !== undefined && order !== "null" && order !== JSON.stringify(shuffle(secret, verifier.mixed, i + 1, size))) {
			verifier.fail(seq, "the shuffle is not what the hidden chance gives");
		}
	});
}

export const checkpointMessage = (mid, seq, head, at) => concat([utf8("hr1/checkpoint\0"), mid, u64(seq), head, u64(at)]);

// A checkpoint as stored: time, public key, signature. True or false; null where WebCrypto has no Ed25519.
export async function isSigned(verifier, seq, signed) {
	const bytes = unb64(signed), subtle = globalThis.crypto?.subtle;
	if (bytes.length !== 104 || !verifier.heads[seq]) return false;
	const at = Number(new DataView(bytes.buffer).getBigUint64(0));
	let key;
	try { key = await subtle.importKey("raw", bytes.subarray(8, 40), { name: "Ed25519" }, false, ["verify"]); } catch { return null; }
	return subtle.verify({ name: "Ed25519" }, key, bytes.subarray(40), checkpointMessage(verifier.mid, seq, verifier.heads[seq], at));
}
