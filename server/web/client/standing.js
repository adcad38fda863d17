// Answers that a seat signs before it is asked, for its server to keep (docs/record.md 5, "Standing answers").
import { concat, same, tagged, u8, unb64, utf8 } from "./hashes.js";
import { parse } from "./verify.js";
/** Who answers so, in its line. */
export const STANDING = "standing";
/** No decision of a match has so great a number. */
export const NEVER = 2 ** 31;
const FIELDS = "kind,terms,then,until";
/** c: what a seat fixes an instruction with. */
export const instructionCommitment = (mid, seat, salt, text) => tagged("standing", salt, mid, u8(seat), utf8(text));
/** What a seat signs ahead; `signed`: the line it has seen, its id, and c. */
export const standingMessage = (mid, seat, signed) => concat([utf8("hr2/standing\0"), tagged("sign", mid, u8(seat), ...signed)]);
const named = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
/** A value with the names in it in one order. */
const ordered = (_, value) => named(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
/** Whether two values are one in JSON, whatever the order of their names. */
const alike = (one, other) => JSON.stringify(one, ordered) === JSON.stringify(other, ordered);
/** Whether a text is an instruction that speaks of a question, and says a choice. */
function leads(text, asked, choice) {
    const said = parse(text);
    if (!named(said) || Object.keys(said).sort().join() !== FIELDS || !Number.isInteger(said.until) || !named(said.terms)) {
        return false;
    }
    const terms = Object.entries(said.terms).every(([name, value]) => Object.hasOwn(asked.terms, name) && alike(asked.terms[name], value));
    return said.kind === asked.kind && asked.number <= said.until && terms && alike(said.then, choice);
}
/** Why an answer does not follow from what its seat signed ahead; "" where it does. `opened`: what slot 1 holds. */
export function openedFault(mid, payload, opened, choice, asked) {
    const { seat, commitment = "" } = payload;
    const [salt, text] = Array.isArray(opened) && opened.length === 2 ? opened : ["", ""];
    const made = instructionCommitment(mid, seat, unb64(salt), text);
    if (unb64(salt).length !== 32 || !same(made, unb64(commitment))) {
        return `salt and instruction of seat ${seat} do not open its commitment`;
    }
    return asked && leads(text, asked, choice) ? "" : `seat ${seat} did not answer so ahead`;
}
/** An instruction as it is signed. */
export const written = ({ kind, terms, until, then }) => JSON.stringify({ kind, terms, until, then });
