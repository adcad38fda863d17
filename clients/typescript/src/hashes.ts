// SHA-256, HMAC, and the notation of the record (docs/record.md 1). SHA-256 is written out here because WebCrypto exists only in
// secure contexts, and a phone on the same network has none.

export type Bytes = Uint8Array<ArrayBuffer>;

// --- SHA-256 (FIPS 180-4), HMAC (RFC 2104) ---

function firstPrimes(count: number) {
	const primes: number[] = [];
	for (let n = 2; primes.length < count; n++) {
		if (primes.every(p => n % p)) {
			primes.push(n);
		}
	}
	return primes;
}

/** The first 32 bits of the fractional part of the n-th root of k, in integers. */
function rootFraction(k: number, n: number) {
	let lo = 0n;
	let hi = 2n ** 40n;
	const target = BigInt(k) * 2n ** BigInt(32 * n);
	while (lo + 1n < hi) {
		const mid = (lo + hi) / 2n;
		if (mid ** BigInt(n) <= target) {
			lo = mid;
		} else {
			hi = mid;
		}
	}
	return Number(lo & 0xffffffffn);
}

const PRIMES = firstPrimes(64);
const K = Int32Array.from(PRIMES, p => rootFraction(p, 3));
const START = Int32Array.from(PRIMES.slice(0, 8), p => rootFraction(p, 2));
const W = new Int32Array(64);

/** The message schedule of the block at a place. */
function schedule(b: Bytes, at: number) {
	for (let i = 0; i < 16; i++) {
		const j = at + 4 * i;
		W[i] = (b[j] << 24) | (b[j + 1] << 16) | (b[j + 2] << 8) | b[j + 3];
	}
	for (let i = 16; i < 64; i++) {
		const x = W[i - 15];
		const y = W[i - 2];
		const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
		const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
		W[i] = (W[i - 16] + W[i - 7] + s0 + s1) | 0;
	}
}

/** Takes a block into a state. */
function compress(state: Int32Array, bytes: Bytes, at: number) {
	schedule(bytes, at);
	let [a, b, c, d, e, f, g, h] = state;
	for (let i = 0; i < 64; i++) {
		const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
		const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + W[i]) | 0;
		const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
		const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
		h = g;
		g = f;
		f = e;
		e = (d + t1) | 0;
		d = c;
		c = b;
		b = a;
		a = (t1 + t2) | 0;
	}
	add(state, [a, b, c, d, e, f, g, h]);
}

/** Adds words to a state, modulo 2^32. */
function add(state: Int32Array, words: number[]) {
	for (let i = 0; i < words.length; i++) {
		state[i] += words[i];
	}
}

/** `start`: a state that has taken in `done` bytes already */
function digest(start: Int32Array, done: number, parts: Bytes[]) {
	const data = parts.length === 1 ? parts[0] : concat(parts);
	const n = data.length;
	const state = Int32Array.from(start);
	let at = 0;
	for (; at + 64 <= n; at += 64) {
		compress(state, data, at);
	}
	const tail = new Uint8Array(n - at < 56 ? 64 : 128);
	tail.set(data.subarray(at));
	tail[n - at] = 0x80;
	new DataView(tail.buffer).setBigUint64(tail.length - 8, BigInt(done + n) * 8n);
	for (let i = 0; i < tail.length; i += 64) {
		compress(state, tail, i);
	}
	const out = new Uint8Array(32);
	const view = new DataView(out.buffer);
	state.forEach((word, i) => view.setInt32(i * 4, word));
	return out;
}

export function concat(parts: Bytes[]) {
	const out = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
	let at = 0;
	for (const part of parts) {
		out.set(part, at);
		at += part.length;
	}
	return out;
}

export const sha256 = (...parts: Bytes[]) => digest(START, 0, parts);

export function hmac(key: Bytes, ...parts: Bytes[]) {
	const block = new Uint8Array(64);
	block.set(key.length > 64 ? sha256(key) : key);
	const inner = sha256(
		block.map(byte => byte ^ 0x36),
		...parts,
	);
	return sha256(
		block.map(byte => byte ^ 0x5c),
		inner,
	);
}

// --- notation (docs/record.md 1) ---

const text = new TextEncoder();

export const utf8 = (s: string): Bytes => text.encode(s) as Bytes;

/** States that have taken in a tag's two hashes, which fill one block. */
const tags: Map<string, Int32Array> = new Map();

export function tagged(tag: string, ...parts: Bytes[]) {
	let start = tags.get(tag);
	if (!start) {
		const hash = sha256(utf8(`hr1/${tag}`));
		start = Int32Array.from(START);
		compress(start, concat([hash, hash]), 0);
		tags.set(tag, start);
	}
	return digest(start, 64, parts);
}

export const prf = (key: Bytes, label: string, ...parts: Bytes[]) => hmac(key, utf8(`hr1/${label}\0`), ...parts);

export const u8 = (n: number) => Uint8Array.of(n);

export const u32 = (n: number) => Uint8Array.of(n >>> 24, n >>> 16, n >>> 8, n);

export const u64 = (n: number) => concat([u32(Math.floor(n / 2 ** 32)), u32(n % 2 ** 32)]);

export const same = (a: ArrayLike<number>, b: ArrayLike<number>) =>
	a.length === b.length && Array.from(a).every((x, i) => x === b[i]);

export const b64 = (bytes: Uint8Array) =>
	btoa(String.fromCharCode(...bytes))
		.replaceAll("+", "-")
		.replaceAll("/", "_")
		.replace(/=+$/, "");

export function unb64(s: string) {
	let out: Bytes = new Uint8Array();
	try {
		out = Uint8Array.from(atob(s.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
	} catch {
		/* compared below */
	}
	if (b64(out) !== s) {
		throw new SyntaxError("not base64url without padding");
	}
	return out;
}

/** The 32 bytes of a key, a hash or a share of chance. */
export function unb64Key(s: string) {
	const out = unb64(s);
	if (out.length !== 32) {
		throw new SyntaxError(`${out.length} bytes in place of 32`);
	}
	return out;
}
