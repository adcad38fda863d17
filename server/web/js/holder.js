// The holder of a seat: the key that signs what the seat does, and its share of chance (docs/record.md 4, 5).
import { keepMatch, myMatches } from "./prefs.js";
import { actMessage, answerCommitment, choiceMessage } from "../seating.js";
import { b64, tagged, unb64, utf8 } from "../verify.js";

const ED = "Ed25519";
const DAY_MS = 86_400_000;

/** @typedef {import("../seating.js").MatchVerifier} MatchVerifier */
/** @typedef {{ match: string, seat: number, token: string, own: string | undefined }} Held */
/** @typedef {{ t: string, id: string, ack_seq?: number, ack_head?: string, signature?: string } & Record<string, any>} Act */

/** A key for a seat; null where the browser cannot (WebCrypto is for secure contexts). */
export async function newKey() {
	try {
		const pair = await crypto.subtle.generateKey(ED, true, ["sign", "verify"]);
		const { privateKey, publicKey } = /** @type {CryptoKeyPair} */ (pair);
		const [own, open] = await Promise.all([
			crypto.subtle.exportKey("pkcs8", privateKey),
			crypto.subtle.exportKey("raw", publicKey),
		]);
		return { own: b64(new Uint8Array(own)), open: b64(new Uint8Array(open)) };
	} catch {
		return null;
	}
}

/** @param {string} own the private key @param {Uint8Array<ArrayBuffer>} message */
async function sign(own, message) {
	const key = await crypto.subtle.importKey("pkcs8", unb64(own), ED, false, ["sign"]);
	return b64(new Uint8Array(await crypto.subtle.sign(ED, key, message)));
}

/** @param {number} bytes */
const random = bytes => crypto.getRandomValues(new Uint8Array(bytes));

/** The terms of an offer as a record writes them: what is as usual is left out. @param {Record<string, any>} terms */
function written({ is, length_ms, seat, bot, line }) {
	return { is, length_ms, seat, bot: bot === "random" ? undefined : bot, line: line || undefined };
}

/** What a seat says with an act at the table. @type {Record<string, (m: Act) => unknown[]>} */
const SAID = {
	resign: () => ["resign"],
	offer: ({ terms }) => ["offer", written(terms)],
	agree: ({ number }) => ["agree", number],
	decline: ({ number }) => ["decline", number],
	claim: ({ seat, draw = false }) => ["claim", seat, draw],
	vacation: ({ days }) => ["vacation", days * DAY_MS],
};

/** The last line that was verified. @param {MatchVerifier} verifier */
const ack = ({ seq, head, fault }) => (seq && !fault ? { ack_seq: seq, ack_head: b64(head) } : {});

/** Signs a choice as its match's version asks. @param {string} own @param {MatchVerifier} verifier @param {number} seat @param {Wire.Choose} m */
export async function signChoice(own, verifier, seat, m) {
	const { decision: number, id, ack_seq = 0, ack_head = "", choice } = m;
	if (verifier.version === 1) {
		const text = JSON.stringify([verifier.match, number, id, ack_seq, ack_head, choice]);
		return { text, signature: await sign(own, utf8(`hr1/choice\0${text}`)) };
	}
	const text = JSON.stringify(choice);
	const salt = random(32);
	const made = answerCommitment(verifier.mid, seat, number, salt, text);
	const signature = await sign(own, choiceMessage(verifier.mid, { seat, number, id, ack_seq, ack_head }, made));
	return { text, salt: b64(salt), signature };
}

/** An act at the table, signed where the seat signs. @param {string | undefined} own @param {MatchVerifier | undefined} verifier @param {number} seat @param {Act} m @returns {Promise<Act>} */
export async function signAct(own, verifier, seat, m) {
	if (!own || !verifier?.seated.get(seat)?.key || verifier.version === 1 || !Object.hasOwn(SAID, m.t)) {
		return m;
	}
	const note = { id: m.id, ...ack(verifier) };
	return { ...m, ...note, signature: await sign(own, actMessage(verifier.mid, { seat, ...note }, SAID[m.t](m))) };
}

/** Whether a message is an act at the table. @param {{ t: string }} m */
export const isAct = m => Object.hasOwn(SAID, m.t);

/** One's own share of chance, kept until play begins. @param {string} match @param {number} seat @param {boolean} isBegun */
function shareOf(match, seat, isBegun) {
	const name = `share/${match}/${seat}`;
	if (isBegun) {
		localStorage.removeItem(name);
		return "";
	}
	const entropy = localStorage.getItem(name) ?? b64(random(32));
	localStorage.setItem(name, entropy);
	return entropy;
}

/** The public part of a key that is made for a seat and kept with it; "" where none can be. @param {string} match @param {string} token */
async function keptKey(match, token) {
	const key = await newKey();
	const mine = myMatches().find(one => one.match === match && one.token === token);
	if (!key || !mine) {
		return "";
	}
	keepMatch({ ...mine, key: key.own });
	return key.open;
}

/** The share as it is fixed, signed where the seat signs. @param {MatchVerifier} verifier @param {number} seat @param {string} entropy @param {string | undefined} own @returns {Promise<Wire.Share>} */
async function fixedShare(verifier, seat, entropy, own) {
	const said = actMessage(verifier.mid, { seat }, ["share", entropy]);
	return { t: "share", entropy, ...(own && verifier.seated.get(seat)?.key && { signature: await sign(own, said) }) };
}

/**
 * What a match waits for from this seat before it begins: its key, its share of chance fixed, and revealed once all are.
 * @param {Held} held @param {MatchVerifier} verifier @param {Set<string>} sent what was sent on this connection
 * @returns {Promise<ClientMessage | null>}
 */
export async function owed({ match, seat, token, own }, verifier, sent) {
	const seated = verifier.seated.get(seat);
	if (verifier.fault || verifier.version === 1 || !seated || (verifier.isBegun && !shareOf(match, seat, true))) {
		return null;
	}
	/** @param {ClientMessage} m */
	const once = m => (sent.has(m.t) ? null : (sent.add(m.t), m));
	if (!seated.key && !own) {
		const key = await keptKey(match, token);
		if (key) {
			return once({ t: "key", key });
		}
	}
	if (!verifier.waits || (seated.key && !own)) {
		return null;
	}
	const entropy = shareOf(match, seat, false);
	const commitment = b64(tagged("ent", unb64(entropy)));
	if (!verifier.commitments.has(seat)) {
		return once(await fixedShare(verifier, seat, commitment, own));
	}
	const fixed = verifier.commitments.size === verifier.seats && verifier.commitments.get(seat) === commitment;
	return fixed && !verifier.entropy.has(seat) ? once({ t: "reveal", entropy }) : null;
}
