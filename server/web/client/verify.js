// Verifies a match from its record alone (docs/record.md): chain, profile, seals, dice, the server's signatures, and what
// the end discloses. seating.js adds the right to speak for a seat, curve.js the validity of signatures. No dependency.
import { fits } from "./curve.js";
import { b64, concat, prf, same, tagged, u32, u64, u8, unb64, unb64Key, utf8 } from "./hashes.js";
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
// --- the canonical profile (docs/record.md 2): one way to write every value ---
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}]|[,:]|[^",:[\]{}]+/gs;
/** Throws if a value is not written in the only valid way. */
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
/** Throws if values are nested too deep, or are not written as the profile says. */
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
// --- chance (docs/record.md 4) ---
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
// --- seals (docs/record.md 3) ---
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
/** The name of the check for a type of line, in addition to the checks of every line. */
const MEANINGS = {
    EntropyCommitted: "entropyCommitted",
    EntropyRevealed: "entropyRevealed",
    MatchBegun: "matchBegun",
    BranchOpened: "branchOpened",
    PositionSet: "positionSet",
    ChanceAnchored: "chanceAnchored",
    DiceRolled: "roll",
    Shuffled: "shuffled",
    Chosen: "chosen",
    MatchEnded: "matchEnded",
    SecretsOpened: "secretsOpened",
};
/** Stands for the seat in a draw that is for no seat. */
const NOBODY = 255;
/** The key of a draw of an event, by its place. */
export const placeKey = (seed, { kind, rule, seat, time }) => prf(seed, kind, u32(utf8(rule).length), utf8(rule), u8(seat), u32(time));
export class Verifier {
    seq = 0;
    at = 0;
    /** Choices by the seats themselves that were not taken back: line and seat. */
    choices = [];
    /** The match from which this one branched. */
    branch = undefined;
    openings = 0;
    dice = 0;
    /** Openings for whose audience there is no key. */
    unread = 0;
    fault = null;
    /** Hashes that the server stated, by line. */
    claims = new Map();
    /** Shares of chance by seat. */
    entropy = new Map();
    commitments = new Map();
    /** Line, size, and the order if it is held. */
    shuffles = [];
    /** The event from which the match's chance is dealt. */
    dealt = null;
    /** How many times each draw of an event has been asked for. */
    times = new Map();
    /** Line, place, and key of each roll of an event. */
    rolls = [];
    /** The anchor of each further chain of keys, by the draw after which the chain begins. */
    anchors = [];
    drawn = 0;
    /** The key of the last draw. */
    lastKey = new Uint8Array();
    anchor = new Uint8Array();
    hidden = new Uint8Array();
    seats = 0;
    /** The audience that consists of the keys' holder alone. */
    own = 0;
    /** All shares of chance, once they are known. */
    mixed = null;
    rules = null;
    /** The choice that the lines after it name. */
    cause = "";
    /** The version of the record. */
    version = 1;
    /** Whether the end opens the secrets to everybody. */
    isPublic = false;
    /** The key that line 1 names for the server's statements beside the record; "" for none. */
    server = "";
    match;
    mid;
    /** The chain's hash after each line. */
    heads;
    /** Audience keys by mask. */
    keys;
    root;
    /** For open cards: every slot that some seat holds is opened with its salt, and line 1 has to allow it. */
    seesHands;
    /** `match`: its id; `keys`: audience keys by mask; `root`: K_m, for a viewer who may open everything. */
    constructor({ match, keys = {}, root, seesHands = false }) {
        this.match = match;
        this.seesHands = seesHands;
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
    /** The server's hash of the chain after a line, compared as soon as the line is here. Throws `Broken`. */
    claim(seq, hash) {
        if (seq > this.seq) {
            if ((this.claims.get(seq) ?? hash) !== hash) {
                this.fail(seq, "the server states two hashes for the chain here");
            }
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
    /** Takes one line with the openings held. Throws `Broken`; nothing after that is believed. */
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
    /** Compares a line that arrives again with the known one. */
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
        for (const opening of openings) {
            this.open(seq, opening, seals);
        }
        if (cause && (type === "Chosen" || cause !== this.cause)) {
            this.fail(seq, `its cause is ${cause}, and it stands behind no such choice`);
        }
        this.meaning(type, { seq, at, rules, payload, openings, actor, cause, seals });
        // a question ends the consequences of a choice
        const behind = type === "DecisionsOpened" ? "" : cause;
        this.cause = type === "Chosen" ? b64(tagged("choice", utf8(source)).slice(0, 16)) : behind;
        this.claims.delete(seq);
        this.heads.push(head);
        this.seq = seq;
        this.at = at;
        this.rules = rules;
    }
    /** The chain's hash after a line, which is compared with the server's statement. */
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
        return seq === 1 ? [1, 2, 3].includes(version) && version === (payload?.record ?? 1) : version === this.version;
    }
    /** The fields of every line. */
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
    /** Actor and audiences belong to this match, and every slot held here is opened once, in order. */
    demand(seq, [, , , , , , actor, , payload, seals], openings) {
        const seats = (seq === 1 ? payload.seats?.length : this.seats) || SEATS_MOST;
        if (actor < -1 || actor >= seats || seals.some(([mask]) => mask >= 2 ** seats)) {
            this.fail(seq, `it names a seat beyond the match's ${seats}`);
        }
        const slots = openings.map(([slot]) => slot);
        const held = [...seals.keys()].filter(slot => this.holds(seals[slot][0]));
        const ordered = slots.every((slot, i) => !i || slots[i - 1] < slot);
        if (this.seesHands && seq === 1 && !payload.open_cards) {
            this.fail(1, "its players have not agreed to open cards");
        }
        if (this.root || this.keys.size || this.seesHands ? !same(slots, held) : !ordered) {
            this.fail(seq, `the slots ${slots.join(", ") || "none"} are opened; held are ${held.join(", ") || "none"}`);
        }
    }
    /** Whether the holder of these keys may open the seals for an audience. */
    holds(mask) {
        return this.root !== undefined || (this.seesHands ? mask > 0 : (mask & this.own) > 0);
    }
    /** The key of an audience, if it is held. */
    key(mask) {
        if (!this.keys.has(mask) && this.root) {
            this.keys.set(mask, audienceKey(this.root, this.mid, mask));
        }
        return this.keys.get(mask);
    }
    /** The salt of a slot: sent, if the match has open cards, otherwise derived from the audience's key. */
    salt(seq, [slot, , told = ""], mask) {
        if (!this.seesHands) {
            const key = this.key(mask);
            return key && slotSalt(key, seq, slot);
        }
        const salt = unb64(told);
        if (salt.length !== 32) {
            this.fail(seq, `the salt of slot ${slot} is none`);
        }
        return salt;
    }
    open(seq, opening, seals) {
        const [slot, value] = opening;
        const seal = seals[slot];
        if (!seal) {
            this.fail(seq, `slot ${slot} was opened, which there is not`);
        }
        parse(value);
        const salt = this.salt(seq, opening, seal[0]);
        if (salt) {
            this.matches({ seq, slot, salt, value }, seal);
        }
        else {
            this.unread++;
        }
    }
    matches({ seq, slot, salt, value }, [mask, sealed]) {
        if (b64(commitment(this.mid, salt, seq, slot, mask, utf8(value))) !== sealed) {
            this.fail(seq, `what was opened in slot ${slot} of line ${seq} is not what was sealed`);
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
        this.isPublic = (payload.reveal ?? "public") === "public";
        this.server = payload.server ?? "";
        this.anchor = unb64Key(payload.anchor ?? "");
        this.lastKey = this.anchor;
        this.hidden = unb64Key(payload.hidden ?? "");
        if (payload.dealt) {
            const [event, commitment] = [unb64Key(payload.dealt.event), unb64Key(payload.dealt.commitment)];
            this.dealt = { event, commitment };
            this.mixed = tagged("dealt", event, commitment);
        }
    }
    /** The place of an event's draw in its match; null if chance is not dealt. */
    placeOf(kind, { rule, seat }) {
        if (!this.dealt) {
            return null;
        }
        const at = seat ?? NOBODY;
        const name = JSON.stringify([kind, rule, at]);
        const time = (this.times.get(name) ?? 0) + 1;
        this.times.set(name, time);
        return { kind, rule, seat: at, time };
    }
    /** If chance is dealt, no seat has a share in it. */
    undealt(seq, type) {
        if (this.dealt) {
            this.fail(seq, `${type} stands where chance is dealt`);
        }
    }
    entropyCommitted({ seq, payload }) {
        this.undealt(seq, "EntropyCommitted");
        if (this.commitments.has(payload.seat) || this.entropy.size) {
            this.fail(seq, "a share of chance is fixed twice, or too late");
        }
        this.commitments.set(payload.seat, payload.commitment);
    }
    entropyRevealed({ seq, payload }) {
        this.undealt(seq, "EntropyRevealed");
        const share = unb64Key(payload.entropy);
        if (this.commitments.size < this.seats) {
            this.fail(seq, "a share of chance is revealed before all are fixed");
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
    matchBegun({ seq }) {
        if (!this.dealt && this.entropy.size < this.seats) {
            this.fail(seq, "play begins before every share of chance is revealed");
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
    chanceAnchored({ seq, payload }) {
        this.undealt(seq, "ChanceAnchored");
        if (payload.after !== CHAIN_LENGTH * (this.anchors.length + 1)) {
            this.fail(seq, `a chain of keys is announced after draw ${payload.after}`);
        }
        this.anchors.push([payload.after, unb64Key(payload.anchor)]);
    }
    shuffled({ seq, payload, openings }) {
        this.drawnFor(seq, payload.seat);
        if (payload.draw !== this.shuffles.length + 1) {
            this.fail(seq, "the shuffle's number is not the next");
        }
        const order = openings.find(([slot]) => slot === 0)?.[1];
        this.shuffles.push([seq, payload.size, order, this.placeOf("shuffle", payload)]);
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
    secretsOpened({ seq }) {
        this.fail(seq, "sealed slots are opened to everybody");
    }
    /** A draw is for a seat of the match, or for none. */
    drawnFor(seq, seat) {
        if (seat != null && !(seat >= 0 && seat < this.seats)) {
            this.fail(seq, `the draw is for seat ${seat}, which there is not`);
        }
    }
    roll({ seq, payload }) {
        this.drawnFor(seq, payload.seat);
        const { draw, key, dice: shown, sides } = payload;
        if (!this.mixed) {
            this.fail(seq, "dice were rolled before the shares of chance were known");
        }
        // a roll without dice draws nothing
        const next = this.drawn + (shown.length > 0 ? 1 : 0);
        if (draw !== next) {
            this.fail(seq, `the draw's number is ${draw}, expected ${next}`);
        }
        if (!shown.length) {
            return;
        }
        const made = unb64Key(key);
        const fair = dice(made, this.mixed, this.drawnFrom(seq, made, payload), shown.length, sides);
        if (!same(shown, fair)) {
            this.fail(seq, `the dice show ${shown.join(", ")}; the key gives ${fair.join(", ")}`);
        }
        this.drawn = draw;
        this.lastKey = made;
        this.dice += shown.length;
    }
    /** The number from which a roll's faces come. The key of a roll is the next key of the chain, or the key of its place, which is disclosed at the end. */
    drawnFrom(seq, key, payload) {
        const place = this.placeOf("dice", payload);
        if (place) {
            this.rolls.push([seq, place, payload.key]);
            return place.time;
        }
        const anchor = this.anchors.find(([after]) => after === this.drawn);
        if (!same(tagged("chain", key), anchor ? anchor[1] : this.lastKey)) {
            this.fail(seq, "the draw's key does not belong to the chain of keys");
        }
        return payload.draw;
    }
}
// --- further checks of a whole record: the secrets disclosed at the end, and the server's signatures ---
const CHAIN_LENGTH = 4096;
export const shuffle = (hid, mixed, draw, size) => permutation(stream(prf(hid, "hid", u32(draw)), mixed, draw), size);
function permutation(below, size) {
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
/** Checks the commitments of line 1 and every shuffle that is held, by the secrets disclosed at the end. Throws `Broken`. `disclosed`: K_m, k_N, hid */
export function close(verifier, { k_m, k_n, hid }) {
    const secret = unb64(hid);
    if (!same(tagged("hid", verifier.mid, secret), verifier.hidden)) {
        verifier.fail(1, "the hidden chance is not the one that was fixed");
    }
    if (!same(chainStart(unb64(k_n)), verifier.anchor)) {
        verifier.fail(1, "the chain of keys is not the one that was fixed");
    }
    verifier.root ??= unb64(k_m);
    closeDealt(verifier, secret);
    verifier.shuffles.forEach(([seq, size, order, place], i) => {
        if (order === undefined || order === "null") {
            return;
        }
        const mixed = verifier.mixed;
        const below = place && stream(placeKey(secret, place), mixed, place.time);
        const fair = below ? permutation(below, size) : shuffle(secret, mixed, i + 1, size);
        if (order !== JSON.stringify(fair)) {
            verifier.fail(seq, "the shuffle is not what the hidden chance gives");
        }
    });
}
/** Checks the rolls of one table of an event against the event's seed. Throws `Broken`. */
function closeDealt(verifier, seed) {
    if (!verifier.dealt) {
        return;
    }
    const { event, commitment: fixed } = verifier.dealt;
    if (!same(tagged("deal", event, seed), fixed)) {
        verifier.fail(1, "the seed is not the one that the event has fixed");
    }
    for (const [seq, place, key] of verifier.rolls) {
        if (b64(placeKey(seed, place)) !== key) {
            verifier.fail(seq, "the draw's key does not follow from the event's seed");
        }
    }
}
export const checkpointMessage = (mid, seq, head, at) => concat([utf8("hr1/checkpoint\0"), mid, u64(seq), head, u64(at)]);
/** Whether a checkpoint as stored (time, public key, signature) is valid; null if WebCrypto has no Ed25519. */
export async function isSigned(verifier, seq, signed) {
    const bytes = unb64(signed);
    if (bytes.length !== 104 || !verifier.heads[seq]) {
        return false;
    }
    const at = Number(new DataView(bytes.buffer).getBigUint64(0));
    const message = checkpointMessage(verifier.mid, seq, verifier.heads[seq], at);
    return fits(bytes.subarray(8, 40), bytes.subarray(40), [message]);
}
