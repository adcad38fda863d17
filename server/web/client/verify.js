// Verifies a match from its record alone (docs/record.md): chain, profile, seals, dice, the server's signatures, and what
// the end discloses; seating.js adds who may speak for a seat, curve.js which signatures hold. No dependency. SHA-256 is written out here because
// WebCrypto exists only in secure contexts, and a phone on the same network has none.
import { fits } from "./curve.js";
const LINE_LIMIT = 65536;
const DEPTH_LIMIT = 16;
/** Bits of an audience that are seats. */
const SEATS_MOST = 8;
export class Broken extends Error {
    seq;
    why;
    constructor(seq, why) {
        super(`line ${seq}: ${why}`);
        this.name = "Broken";
        this.seq = seq;
        this.why = why;
    }
}
// --- SHA-256 (FIPS 180-4), HMAC (RFC 2104) ---
function firstPrimes(count) {
    const primes = [];
    for (let n = 2; primes.length < count; n++) {
        if (primes.every(p => n % p)) {
            primes.push(n);
        }
    }
    return primes;
}
/** The first 32 bits of the fractional part of the n-th root of k, in integers. */
function rootFraction(k, n) {
    let lo = 0n;
    let hi = 2n ** 40n;
    const target = BigInt(k) * 2n ** BigInt(32 * n);
    while (lo + 1n < hi) {
        const mid = (lo + hi) / 2n;
        if (mid ** BigInt(n) <= target) {
            lo = mid;
        }
        else {
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
function schedule(b, at) {
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
function compress(state, bytes, at) {
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
function add(state, words) {
    for (let i = 0; i < words.length; i++) {
        state[i] += words[i];
    }
}
/** `start`: a state that has taken in `done` bytes already */
function digest(start, done, parts) {
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
export function concat(parts) {
    const out = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
    let at = 0;
    for (const part of parts) {
        out.set(part, at);
        at += part.length;
    }
    return out;
}
export const sha256 = (...parts) => digest(START, 0, parts);
export function hmac(key, ...parts) {
    const block = new Uint8Array(64);
    block.set(key.length > 64 ? sha256(key) : key);
    const inner = sha256(block.map(byte => byte ^ 0x36), ...parts);
    return sha256(block.map(byte => byte ^ 0x5c), inner);
}
// --- notation (RECORD 1) ---
const text = new TextEncoder();
export const utf8 = (s) => text.encode(s);
/** States that have taken in a tag's two hashes, which fill one block. */
const tags = new Map();
export function tagged(tag, ...parts) {
    let start = tags.get(tag);
    if (!start) {
        const hash = sha256(utf8(`hr1/${tag}`));
        start = Int32Array.from(START);
        compress(start, concat([hash, hash]), 0);
        tags.set(tag, start);
    }
    return digest(start, 64, parts);
}
export const prf = (key, label, ...parts) => hmac(key, utf8(`hr1/${label}\0`), ...parts);
export const u8 = (n) => Uint8Array.of(n);
export const u32 = (n) => Uint8Array.of(n >>> 24, n >>> 16, n >>> 8, n);
export const u64 = (n) => concat([u32(Math.floor(n / 2 ** 32)), u32(n % 2 ** 32)]);
export const same = (a, b) => a.length === b.length && Array.from(a).every((x, i) => x === b[i]);
export const b64 = (bytes) => btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
export function unb64(s) {
    let out = new Uint8Array();
    try {
        out = Uint8Array.from(atob(s.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
    }
    catch {
        /* compared below */
    }
    if (b64(out) !== s) {
        throw new SyntaxError("not base64url without padding");
    }
    return out;
}
// --- the canonical profile (RECORD 2): one way to write every value ---
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}]|[,:]|[^",:[\]{}]+/gs;
/** Throws where one value is not written in the one way there is. */
function checkToken(token) {
    const made = JSON.parse(token);
    if (JSON.stringify(made) !== token) {
        throw new SyntaxError(`${token} is not written in the one way there is`);
    }
    if (typeof made === "number" && !Number.isSafeInteger(made)) {
        throw new SyntaxError(`${token} is no integer within 2^53-1`);
    }
    if (typeof made === "string" && made.normalize("NFC") !== made) {
        throw new SyntaxError("a string is not NFC");
    }
}
/** Throws where values are nested too deep, or written otherwise than the profile says. */
function checkTokens(source) {
    let depth = 0;
    for (const token of source.match(TOKEN) ?? []) {
        if (token === "[" || token === "{") {
            depth++;
            if (depth > DEPTH_LIMIT) {
                throw new SyntaxError(`nested deeper than ${DEPTH_LIMIT}`);
            }
            continue;
        }
        if (token === "]" || token === "}") {
            depth--;
        }
        if (token.length > 1 || !"]},:".includes(token)) {
            checkToken(token);
        }
    }
}
export function parse(source) {
    if (source.length > LINE_LIMIT || utf8(source).length > LINE_LIMIT) {
        throw new SyntaxError(`longer than ${LINE_LIMIT} bytes`);
    }
    const whole = JSON.parse(source);
    checkTokens(source);
    if (JSON.stringify(whole).length !== source.length) {
        throw new SyntaxError("a key stands twice");
    }
    return whole;
}
// --- chance (RECORD 4) ---
/** Even numbers below a bound, eight bytes each. */
export function stream(key, mixed, draw) {
    const front = concat([mixed, u32(draw)]);
    const left = [];
    let block = 0;
    const next = () => {
        if (!left.length) {
            const bytes = new DataView(prf(key, "draw", front, u32(block)).buffer);
            block++;
            left.push(...[0, 8, 16, 24].map(i => bytes.getBigUint64(i)));
        }
        return left.shift();
    };
    return (bound) => {
        const n = BigInt(bound);
        const limit = (2n ** 64n / n) * n;
        let x = next();
        while (x >= limit) {
            x = next();
        }
        return Number(x % n);
    };
}
export function dice(key, mixed, draw, count, sides) {
    const below = stream(key, mixed, draw);
    return Array.from({ length: count }, () => below(sides) + 1);
}
// --- seals (RECORD 3) ---
export const audienceKey = (root, mid, mask) => prf(root, "aud", mid, u32(mask));
export const slotSalt = (key, seq, slot) => prf(key, "salt", u64(seq), u8(slot));
export const commitment = (mid, salt, seq, slot, mask, value) => tagged("seal", salt, mid, u64(seq), u8(slot), u32(mask), value);
function isSeal(s) {
    if (!Array.isArray(s) || s.length !== 2) {
        return false;
    }
    const [mask, sealed] = s;
    const masked = Number.isInteger(mask) && mask >= 0 && mask < 2 ** 32;
    return masked && typeof sealed === "string" && unb64(sealed).length === 32;
}
// --- the verifier ---
/** The name of the check that a type of line needs, beyond what every line does. */
const MEANINGS = {
    EntropyCommitted: "entropyCommitted",
    EntropyRevealed: "entropyRevealed",
    BranchOpened: "branchOpened",
    PositionSet: "positionSet",
    ChanceAnchored: "chanceAnchored",
    DiceRolled: "roll",
    Shuffled: "shuffled",
    Chosen: "chosen",
    MatchEnded: "matchEnded",
    SecretsOpened: "secretsOpened",
};
export class Verifier {
    seq = 0;
    at = 0;
    /** Choices of the seats themselves that were not taken back: line and seat. */
    choices = [];
    /** The match that this one branched from. */
    branch = undefined;
    openings = 0;
    dice = 0;
    /** Openings for whose audience there is no key. */
    unread = 0;
    fault = null;
    /** Seals by line. */
    masks = new Map();
    /** Hashes that the server stated, by line. */
    claims = new Map();
    /** Shares of chance by seat. */
    entropy = new Map();
    commitments = new Map();
    /** Line, size, and the order where it is held. */
    shuffles = [];
    /** After which draw a new chain of keys begins, and its anchor. */
    anchors = [];
    drawn = 0;
    /** The key of the last draw. */
    lastKey = new Uint8Array();
    anchor = new Uint8Array();
    hidden = new Uint8Array();
    seats = 0;
    /** The audience of who holds the keys, alone. */
    own = 0;
    /** All shares of chance, once they are known. */
    mixed = null;
    rules = null;
    /** What the lines behind a choice name. */
    cause = "";
    /** Of the record. */
    version = 1;
    match;
    mid;
    /** The chain's hash after each line. */
    heads;
    /** Audience keys by mask. */
    keys;
    root;
    /** `match`: its id; `keys`: audience keys by mask; `root`: K_m, for who may open everything. */
    constructor({ match, keys = {}, root }) {
        this.match = match;
        this.mid = unb64(match);
        this.heads = [tagged("genesis", this.mid)];
        this.keys = new Map(Object.entries(keys).map(([mask, key]) => [Number(mask), unb64(key)]));
        this.root = root ? unb64(root) : undefined;
        // Several seats may share a key; that of the seat alone is among them.
        this.own = this.keys.size && [...this.keys.keys()].reduce((own, mask) => own & mask);
    }
    get head() {
        return this.heads[this.seq];
    }
    /** What the server says the chain's hash is after a line; compared as soon as the line is here. */
    claim(seq, hash) {
        if (seq > this.seq) {
            this.claims.set(seq, hash);
        }
        else if (b64(this.heads[seq]) !== hash) {
            this.fail(seq, "the server states another hash for the chain here");
        }
    }
    fail(seq, why) {
        this.fault ??= new Broken(seq, why);
        throw this.fault;
    }
    /** One line with the openings held. Throws `Broken`; after that nothing more is believed. */
    take(source, openings = [], number = this.seq + 1) {
        if (this.fault) {
            throw this.fault;
        }
        if (number <= this.seq) {
            this.again(number, source);
            return;
        }
        if (number > this.seq + 1) {
            this.fail(this.seq + 1, `missing; line ${number} came instead`);
        }
        try {
            this.read(source, openings);
        }
        catch (wrong) {
            if (wrong instanceof Broken) {
                throw wrong;
            }
            this.fail(number, wrong.message);
        }
    }
    /** A line that is known. */
    again(seq, source) {
        if (!same(tagged("link", this.heads[seq - 1], utf8(source)), this.heads[seq])) {
            this.fail(seq, "two different lines were shown with this number");
        }
    }
    read(source, openings) {
        const seq = this.seq + 1;
        const line = parse(source);
        this.frame(seq, line);
        const [, , , at, type, rules, actor, cause, payload, seals] = line;
        const head = this.link(seq, source);
        this.demand(seq, line, openings);
        for (const [slot, value] of openings) {
            this.open(seq, slot, value, seals);
        }
        if (cause && (type === "Chosen" || cause !== this.cause)) {
            this.fail(seq, `its cause is ${cause}, and it stands behind no such choice`);
        }
        this.meaning(type, { seq, at, payload, openings, actor, cause, seals });
        this.cause = type === "Chosen" ? b64(tagged("choice", utf8(source)).slice(0, 16)) : cause;
        this.claims.delete(seq);
        this.heads.push(head);
        if (seals.length) {
            this.masks.set(seq, seals);
        }
        this.seq = seq;
        this.at = at;
        this.rules = rules;
    }
    /** The chain's hash after a line, which is compared with what the server stated. */
    link(seq, source) {
        const head = tagged("link", this.heads[seq - 1], utf8(source));
        const claimed = this.claims.get(seq);
        if (claimed !== undefined && claimed !== b64(head)) {
            this.fail(seq, "the chain does not come to the stated hash");
        }
        return head;
    }
    /** Whether a line has the version that line 1 names. */
    isOf(version, seq, payload) {
        return seq === 1 ? [1, 2].includes(version) && version === (payload?.record ?? 1) : version === this.version;
    }
    /** What every line has. */
    frame(seq, line) {
        if (!Array.isArray(line) || line.length !== 10) {
            this.fail(seq, "not a line of the record");
        }
        const [version, match, number, at, type, rules, actor, cause, payload, seals] = line;
        const texts = [type, rules, cause].every(x => typeof x === "string");
        const { was = this.rules, now = rules } = type === "RulesChanged" ? payload : {};
        const changed = this.rules !== null && (was !== this.rules || now !== rules || (was !== now && type !== "RulesChanged"));
        const faults = [
            [!this.isOf(version, seq, payload), `version ${version} of the record is not known here`],
            [match !== this.match, "it belongs to another match"],
            [number !== seq, `its number is ${number}, expected ${seq}`],
            [!Number.isInteger(at) || at < this.at, "its time is before the line before it"],
            [!texts || !Number.isInteger(actor) || payload?.constructor !== Object, "a field is not what it should be"],
            [changed, `the rules changed to ${rules} without an event that says so`],
        ];
        const fault = faults.find(([wrong]) => wrong);
        if (fault) {
            this.fail(seq, fault[1]);
        }
        if (!Array.isArray(seals) || !seals.every(isSeal)) {
            this.fail(seq, "its seals are not seals");
        }
    }
    /** Actor and audiences are of this match, and all that is held here is opened, each once, in order. */
    demand(seq, [, , , , , , actor, , payload, seals], openings) {
        const seats = (seq === 1 ? payload.seats?.length : this.seats) || SEATS_MOST;
        if (actor < -1 || actor >= seats || seals.some(([mask]) => mask >= 2 ** seats)) {
            this.fail(seq, `it names a seat beyond the match's ${seats}`);
        }
        const slots = openings.map(([slot]) => slot);
        const held = [...seals.keys()].filter(slot => this.holds(seals[slot][0]));
        const ordered = slots.every((slot, i) => !i || slots[i - 1] < slot);
        if (this.root || this.keys.size ? !same(slots, held) : !ordered) {
            this.fail(seq, `the slots ${slots.join(", ") || "none"} are opened; held are ${held.join(", ") || "none"}`);
        }
    }
    /** Whether the holder of these keys is told what is sealed for an audience. */
    holds(mask) {
        return this.root !== undefined || (mask & this.own) > 0;
    }
    /** The key of an audience, where it is held. */
    key(mask) {
        if (!this.keys.has(mask) && this.root) {
            this.keys.set(mask, audienceKey(this.root, this.mid, mask));
        }
        return this.keys.get(mask);
    }
    open(seq, slot, value, seals) {
        const seal = seals[slot];
        if (!seal) {
            this.fail(seq, `slot ${slot} was opened, which there is not`);
        }
        parse(value);
        const key = this.key(seal[0]);
        if (key) {
            this.matches({ seq, slot, salt: slotSalt(key, seq, slot), value }, seal);
        }
        else {
            this.unread++;
        }
    }
    /** `at`: the line to blame */
    matches({ seq, slot, salt, value }, [mask, sealed], at = seq) {
        if (b64(commitment(this.mid, salt, seq, slot, mask, utf8(value))) !== sealed) {
            this.fail(at, `what was opened in slot ${slot} of line ${seq} is not what was sealed`);
        }
        this.openings++;
    }
    meaning(type, taken) {
        if ((taken.seq === 1) !== (type === "MatchCreated")) {
            this.fail(taken.seq, "the first line creates the match, and no other");
        }
        if (taken.seq === 1) {
            this.created(taken);
        }
        if (Object.hasOwn(MEANINGS, type)) {
            this[MEANINGS[type]](taken);
        }
    }
    created({ payload }) {
        this.seats = payload.seats?.length ?? 0;
        this.version = payload.record ?? 1;
        if (payload.anchor) {
            this.anchor = unb64(payload.anchor);
            this.lastKey = this.anchor;
            this.hidden = unb64(payload.hidden);
        }
    }
    entropyCommitted({ seq, payload }) {
        if (this.commitments.has(payload.seat) || this.entropy.size) {
            this.fail(seq, "a share of chance is fixed twice, or too late");
        }
        this.commitments.set(payload.seat, payload.commitment);
    }
    entropyRevealed({ seq, payload }) {
        const share = unb64(payload.entropy);
        if (this.commitments.size < this.seats) {
            this.fail(seq, "a share of chance is revealed before all are fixed");
        }
        if (!this.anchor.length) {
            this.fail(seq, "a share of chance is revealed where the first line fixes no chance");
        }
        if (b64(tagged("ent", share)) !== this.commitments.get(payload.seat)) {
            this.fail(seq, "the share of chance is not the one that was fixed");
        }
        this.entropy.set(payload.seat, share);
        if (this.entropy.size === this.seats) {
            const shares = [...this.entropy].sort((a, b) => a[0] - b[0]).map(entry => entry[1]);
            this.mixed = tagged("mix", this.mid, this.anchor, this.hidden, u8(this.seats), ...shares);
        }
    }
    branchOpened({ payload }) {
        this.branch = payload;
    }
    positionSet({ payload }) {
        if (payload.line) {
            this.choices = this.choices.filter(([at]) => at <= payload.line);
        }
    }
    chanceAnchored({ payload }) {
        this.anchors.push([payload.after, unb64(payload.anchor)]);
    }
    shuffled({ seq, payload, openings }) {
        if (payload.draw !== this.shuffles.length + 1) {
            this.fail(seq, "the shuffle's number is not the next");
        }
        this.shuffles.push([seq, payload.size, openings.find(([slot]) => slot === 0)?.[1]]);
    }
    chosen({ seq, payload }) {
        if ((payload.by ?? "seat") === "seat") {
            this.choices.push([seq, payload.seat]);
        }
        const head = payload.ack_seq && this.heads[payload.ack_seq];
        if (payload.ack_seq && (!head || b64(head) !== payload.ack_head)) {
            this.fail(seq, `seat ${payload.seat} was shown another record up to line ${payload.ack_seq}`);
        }
    }
    matchEnded() {
        this.choices = [];
    }
    secretsOpened({ seq, payload }) {
        for (const [of, slot, salt, value] of payload.slots) {
            const seal = this.masks.get(of)?.[slot];
            if (!seal) {
                this.fail(seq, `slot ${slot} of line ${of} is opened, which there is not`);
            }
            this.matches({ seq: of, slot, salt: unb64(salt), value }, seal, seq);
        }
    }
    roll({ seq, payload }) {
        const { draw, key, dice: shown, sides } = payload;
        if (!this.mixed) {
            this.fail(seq, "dice were rolled before the shares of chance were known");
        }
        // a roll of no dice draws nothing
        const next = this.drawn + (shown.length > 0 ? 1 : 0);
        const made = unb64(key);
        if (draw !== next) {
            this.fail(seq, `the draw's number is ${draw}, expected ${next}`);
        }
        if (!shown.length) {
            return;
        }
        this.drawnFrom(seq, made);
        const fair = dice(made, this.mixed, draw, shown.length, sides);
        if (!same(shown, fair)) {
            this.fail(seq, `the dice show ${shown.join(", ")}; the key gives ${fair.join(", ")}`);
        }
        this.drawn = draw;
        this.lastKey = made;
        this.dice += shown.length;
    }
    /** The key of a draw is the next of its chain. */
    drawnFrom(seq, key) {
        const anchor = this.anchors.find(([after]) => after === this.drawn);
        if (!same(tagged("chain", key), anchor ? anchor[1] : this.lastKey)) {
            this.fail(seq, "the draw's key does not belong to the chain of keys");
        }
    }
}
// --- what a whole record lets one check beside: what the end discloses, and the server's signatures ---
const CHAIN_LENGTH = 4096;
export function shuffle(hid, mixed, draw, size) {
    const below = stream(prf(hid, "hid", u32(draw)), mixed, draw);
    const items = Array.from({ length: size }, (_, i) => i);
    for (let i = size - 1; i > 0; i--) {
        const j = below(i + 1);
        [items[i], items[j]] = [items[j], items[i]];
    }
    return items;
}
/** The anchor of a chain of keys, from its last key. */
export function chainStart(last, length = CHAIN_LENGTH) {
    let key = last;
    for (let j = 0; j < length; j++) {
        key = tagged("chain", key);
    }
    return key;
}
/** Checks the commitments of line 1 and every shuffle that is held, by what the end discloses. Throws `Broken`. `disclosed`: K_m, k_N, hid */
export function close(verifier, { k_m, k_n, hid }) {
    const secret = unb64(hid);
    if (!same(tagged("hid", verifier.mid, secret), verifier.hidden)) {
        verifier.fail(1, "the hidden chance is not the one that was fixed");
    }
    if (!same(chainStart(unb64(k_n)), verifier.anchor)) {
        verifier.fail(1, "the chain of keys is not the one that was fixed");
    }
    verifier.root ??= unb64(k_m);
    verifier.shuffles.forEach(([seq, size, order], i) => {
        if (order === undefined || order === "null") {
            return;
        }
        const mixed = verifier.mixed;
        if (order !== JSON.stringify(shuffle(secret, mixed, i + 1, size))) {
            verifier.fail(seq, "the shuffle is not what the hidden chance gives");
        }
    });
}
export const checkpointMessage = (mid, seq, head, at) => concat([utf8("hr1/checkpoint\0"), mid, u64(seq), head, u64(at)]);
/** Whether a checkpoint as stored (time, public key, signature) is right; null where WebCrypto has no Ed25519. */
export async function isSigned(verifier, seq, signed) {
    const bytes = unb64(signed);
    if (bytes.length !== 104 || !verifier.heads[seq]) {
        return false;
    }
    const at = Number(new DataView(bytes.buffer).getBigUint64(0));
    const message = checkpointMessage(verifier.mid, seq, verifier.heads[seq], at);
    return fits(bytes.subarray(8, 40), bytes.subarray(40), [message]);
}
