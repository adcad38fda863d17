// The holder of a seat: the key that signs what the seat does, and its share of chance (docs/record.md 4, 5).
import { actMessage, answerCommitment, BINDS, choiceMessage } from "./seating.js";
import { Refused } from "./errors.js";
import { b64, sha256, tagged, u8, unb64, utf8 } from "./hashes.js";
const ED = "Ed25519";
const DAY_MS = 86_400_000;
const KEY_BYTES = 32;
let tried;
/** Whether a library must make keys here: WebCrypto exists, as in every secure context, but has no Ed25519. */
export function isSoft() {
    const able = () => crypto.subtle.generateKey(ED, false, ["sign"]);
    tried ??= globalThis.crypto?.subtle
        ? able().then(() => false, () => true)
        : Promise.resolve(false);
    return tried;
}
const soft = () => import("./softkey.js");
/** A key for a seat; null if the browser cannot make one (WebCrypto exists only in secure contexts). */
export async function newKey() {
    if (await isSoft()) {
        return (await soft()).softKey();
    }
    try {
        const pair = await crypto.subtle.generateKey(ED, true, ["sign", "verify"]);
        const { privateKey, publicKey } = pair;
        const [own, open] = await Promise.all([
            crypto.subtle.exportKey("pkcs8", privateKey),
            crypto.subtle.exportKey("raw", publicKey),
        ]);
        return { own: b64(new Uint8Array(own)), open: b64(new Uint8Array(open)) };
    }
    catch {
        return null;
    }
}
/** The public key of a private one; null if the browser cannot compute it. */
export async function openOf(own) {
    try {
        if (await isSoft()) {
            return (await soft()).softOpen(own);
        }
        const key = await crypto.subtle.importKey("pkcs8", unb64(own), ED, true, ["sign"]);
        return (await crypto.subtle.exportKey("jwk", key)).x ?? null;
    }
    catch {
        return null;
    }
}
/** `own`: the private key */
export async function sign(own, message) {
    if (await isSoft()) {
        return (await soft()).softSign(own, message);
    }
    const key = await crypto.subtle.importKey("pkcs8", unb64(own), ED, false, ["sign"]);
    return b64(new Uint8Array(await crypto.subtle.sign(ED, key, message)));
}
export const random = (bytes) => crypto.getRandomValues(new Uint8Array(bytes));
/** The terms of an offer as a record writes them: defaults are left out. */
function written({ is, length_ms, seat, bot, line }) {
    return { is, length_ms, seat, bot: bot === "random" ? undefined : bot, line: line || undefined };
}
/** The text of an act at the table that a seat signs. */
const SAID = {
    resign: () => ["resign"],
    offer: ({ terms }) => ["offer", written(terms)],
    agree: ({ number }) => ["agree", number],
    decline: ({ number }) => ["decline", number],
    claim: ({ seat, draw = false }) => ["claim", seat, draw],
    vacation: ({ days }) => ["vacation", days * DAY_MS],
    hint: ({ decision }) => ["hint", decision],
};
/** The last line that was verified. */
const ack = ({ seq, head, fault }) => (seq && !fault ? { ack_seq: seq, ack_head: b64(head) } : {});
/** Signs a choice as the version of its match requires. */
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
/** The terms that an answer to an offer names: those of its verified line. Throws `Refused` if no line makes the offer. */
function answered(verifier, { t, number }) {
    if (!["agree", "decline"].includes(t)) {
        return undefined;
    }
    const made = verifier.agreements.made.get(number);
    if (!made) {
        throw new Refused("not-now", "No line of the record that is here makes this offer.");
    }
    return made.terms;
}
/** An act at the table, signed if the seat signs; an answer to an offer names the terms of the offer. Throws `Refused`. */
export async function signAct(own, verifier, seat, m) {
    if (!verifier || !Object.hasOwn(SAID, m.t)) {
        return m;
    }
    const terms = answered(verifier, m);
    const note = { id: m.id, ...ack(verifier) };
    const act = { ...m, ...note, ...(terms && { terms }) };
    if (!own || !verifier.seated.get(seat)?.key || verifier.version === 1) {
        return act;
    }
    const said = [...SAID[m.t](m), ...(terms && verifier.version >= BINDS ? [terms] : [])];
    return { ...act, signature: await sign(own, actMessage(verifier.mid, { seat, ...note }, said)) };
}
/** A seat's share of chance, derived from its private key, so that only the key has to be kept. */
export const shareOf = (own, mid, seat) => b64(sha256(utf8("herald share\0"), unb64(own).slice(-KEY_BYTES), mid, u8(seat)));
/** Whether a message is an act at the table. */
export const isAct = (m) => Object.hasOwn(SAID, m.t);
/** The message that fixes the share, signed if the seat signs. */
async function fixedShare(verifier, seat, entropy, own) {
    const said = actMessage(verifier.mid, { seat }, ["share", entropy]);
    return { t: "share", entropy, ...(own && verifier.seated.get(seat)?.key && { signature: await sign(own, said) }) };
}
/**
 * The messages that a match awaits from a seat before it begins: its key, the commitment to its share, and the share once all are fixed.
 * `sent`: the messages that were sent on this connection.
 */
export async function owed(held, verifier, sent) {
    const { seat, own } = held;
    const seated = verifier.seated.get(seat);
    if (verifier.fault || verifier.version === 1 || !seated || (verifier.isBegun && !(await held.share(true)))) {
        return null;
    }
    const once = (m) => (sent.has(m.t) ? null : (sent.add(m.t), m));
    if (!seated.key) {
        const key = await held.key();
        if (key) {
            return once({ t: "key", key });
        }
    }
    if (!verifier.waits || (seated.key && !own)) {
        return null;
    }
    const entropy = await held.share(false);
    const commitment = b64(tagged("ent", unb64(entropy)));
    if (!verifier.commitments.has(seat)) {
        return once(await fixedShare(verifier, seat, commitment, own));
    }
    const fixed = verifier.commitments.size === verifier.seats && verifier.commitments.get(seat) === commitment;
    return fixed && !verifier.entropy.has(seat) ? once({ t: "reveal", entropy }) : null;
}
