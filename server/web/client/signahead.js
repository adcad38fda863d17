// Answers that a seat signs before it is asked, for its server to keep and to use once (docs/record.md 5, "Standing answers").
import { fresh } from "./connection.js";
import { Refused } from "./errors.js";
import { b64 } from "./hashes.js";
import { random, sign } from "./keys.js";
import { fixed, standingMessage, written } from "./standing.js";
const SALT_BYTES = 32;
/** One answer, to be used once. */
async function signed(own, { mid }, note, said) {
    const [id, salt, text] = [fresh(), random(SALT_BYTES), written(said)];
    const message = standingMessage(mid, { ...note, id }, fixed(mid, note.seat, salt, text));
    return { id, text, salt: b64(salt), signature: await sign(own, message) };
}
/**
 * The message that makes the server keep these answers, each to be used once, in place of all that it keeps now. Throws
 * `Refused` if the seat does not sign with a key that is here.
 */
export async function signAhead(own, verifier, seat, said) {
    if (!own || !verifier?.seated.get(seat)?.key || verifier.fault) {
        throw new Refused("not-signed", "Only a seat that signs answers ahead, and its key is not here.");
    }
    const ack = { ack_seq: verifier.seq, ack_head: b64(verifier.head) };
    const answers = await Promise.all(said.map(one => signed(own, verifier, { seat, ...ack }, one)));
    return { t: "ahead", id: fresh(), answers, ...(answers.length && ack) };
}
