// Statements of a server beside the record (docs/record.md 5): directions, and chances to win. The server signs each; a relay
// hands it on and can change none of it, for line 1 names the key. Nobody can prove that a statement was withheld.
import { fits } from "./curve.js";
import { b64, concat, unb64, utf8 } from "./hashes.js";
const KEY_BYTES = 32;
const STAMP_BYTES = 96;
const FRONT = utf8("hr3/said\0");
const untrue = (why) => ({ words: [], proof: "false", why });
/** The key under which a text is signed; "" if it is not, null if nothing here can check it. */
async function signer(said, signed) {
    let stamp;
    try {
        stamp = unb64(signed);
        JSON.parse(said);
    }
    catch {
        return "";
    }
    if (stamp.length !== STAMP_BYTES) {
        return "";
    }
    const key = stamp.subarray(0, KEY_BYTES);
    const good = await fits(key, stamp.subarray(KEY_BYTES), [concat([FRONT, utf8(said)])]);
    return good === null ? null : good && b64(key);
}
/** A statement of a kind about a match: the words after these two, and their author. */
async function statement(kind, { match, server }, said = "", signed = "") {
    if (!said && !signed) {
        return server ? untrue("it is not signed, and line 1 names a key") : { words: [], proof: "none", why: "" };
    }
    const key = await signer(said, signed);
    if (key === "" || key === false) {
        return untrue("its signature does not hold");
    }
    const words = JSON.parse(said);
    if (!Array.isArray(words) || words[0] !== kind || words[1] !== match) {
        return untrue("it was signed for something else");
    }
    const signedBy = key === server ? "server" : "other";
    return { words: words.slice(2), proof: key === null ? "none" : signedBy, why: "" };
}
/** A direction as it is sent; `last`: the `at` of the previous direction, which must be earlier. */
export async function directedOf(m, known, last) {
    const kind = "directed";
    const nobody = { kind, direction: null, name: "", at: 0 };
    const found = await statement(kind, known, m.said, m.signed);
    if (!found.words.length) {
        const plain = found.proof === "none" ? { direction: m.direction ?? null, name: m.name ?? "" } : {};
        return { ...nobody, ...plain, proof: found.proof, why: found.why };
    }
    const [viewers, at, direction, name] = found.words;
    const faults = [
        [viewers !== (known.seesHands ? "open" : "spectator"), "it was signed for other viewers"],
        [
            !Number.isSafeInteger(at) || typeof direction !== "object" || typeof name !== "string",
            "what is signed is no direction",
        ],
        [at < last, "it is older than the one before it"],
    ];
    const why = faults.find(([wrong]) => wrong)?.[1];
    return why ? { ...nobody, proof: "false", why } : { kind, direction, name, at, proof: found.proof, why: "" };
}
/** The chance to win that `/api/outlook/MATCH` states. */
export async function chanceOf(told, known) {
    const nothing = { line: 0, samples: 0, sides: [], at: 0, proof: "none", why: "" };
    if (!told.sides && !told.said) {
        return nothing;
    }
    const found = await statement("chance", known, told.said, told.signed);
    if (found.proof === "false") {
        return { ...nothing, proof: "false", why: found.why };
    }
    const { line = 0, samples = 0, sides = [] } = told;
    const [at, ...figures] = found.words.length ? found.words : [0, line, samples, sides];
    const [after, drawn, shares] = figures;
    return { line: after, samples: drawn, sides: shares, at, proof: found.proof, why: "" };
}
