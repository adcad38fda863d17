// Persons behind seats (docs/record.md 5, Persons): making a claim, and checking the opening of one.
import { fits } from "./curve.js";
import { Broken } from "./verify.js";
import { b64, concat, tagged, u32, unb64, utf8 } from "./hashes.js";
const SALT_BYTES = 32;
const KEY_BYTES = 32;
/** Texts one after another, each with its length before it, hashed under a tag. */
export function said(tag, ...texts) {
    const parts = texts.map(text => utf8(text)).map(part => concat([u32(part.length), part]));
    return tagged(tag, ...parts);
}
/** The 32 bytes that a person's key signs: this seat key is mine, at this seat of this match of this server. */
const claimMessage = (site, match, { seat, key }, salt) => said("person/claim", site, match, String(seat), key, salt);
const committed = (salt, key, signature) => b64(tagged("person/seat", unb64(salt), unb64(key), unb64(signature)));
/** A commitment to the person for the record, and its opening, whose line is 0 until the record has the claim. */
export async function claimed(person, site, match, place) {
    const salt = b64(crypto.getRandomValues(new Uint8Array(SALT_BYTES)));
    const signature = await person.sign(claimMessage(site, match, { ...place, commitment: "" }, salt));
    const opening = { match, line: 0, site, key: person.open, salt, signature };
    return { commitment: committed(salt, person.open, signature), opening };
}
/** Whether a text is base64url of this many bytes. */
function holds(text, bytes) {
    try {
        return unb64(text).length === bytes;
    }
    catch {
        return false;
    }
}
/** Why an opening does not fit a claim; nothing if it fits, null if this browser cannot check it. */
async function faultIn(match, claim, opening) {
    const { line, site, key, salt, signature } = opening;
    if (opening.match !== match) {
        return "what is opened is a claim of another match";
    }
    if (!holds(salt, SALT_BYTES) || !holds(key, KEY_BYTES) || !holds(signature, 2 * KEY_BYTES)) {
        return "the opening of a claim has a salt and a key of 32 bytes, and a signature";
    }
    const good = await fits(unb64(key), unb64(signature), [claimMessage(site, match, claim, salt)]);
    if (good === null) {
        return null;
    }
    if (!good) {
        return `the person's key did not sign the key of seat ${claim.seat} for this match and server`;
    }
    return committed(salt, key, signature) === claim.commitment
        ? ""
        : `what was opened is not what line ${line} committed to`;
}
/**
 * The seat behind which the person of an opening stands; null if this browser cannot check signatures.
 * Throws `Broken` if it opens nothing.
 */
export async function personBehind(match, claims, opening) {
    const claim = claims.get(opening.line);
    const why = claim ? await faultIn(match, claim, opening) : "no person stands behind a seat by this line";
    if (why) {
        throw new Broken(opening.line, why);
    }
    return why === null ? null : claim;
}
