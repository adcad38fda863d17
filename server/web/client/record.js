// A record that is read line by line, without a network: every line is verified, and given as data.
import { personBehind } from "./claims.js";
import { GAMES } from "./games.js";
import { MatchVerifier } from "./seating.js";
import { b64, unb64 } from "./hashes.js";
import { lineOf, resultOf } from "./lines.js";
import { Strict } from "./strict.js";
import { isSigned } from "./verify.js";
const STAMP_KEY = [8, 40];
/** Verifies a match: chain, openings, heads, signatures, shares, dice, and the right to speak for a seat. */
export class Verifier {
    /** The last line under a good signature of the server. */
    signedTo = 0;
    /** Public keys of servers that signed. */
    servers = new Set();
    result = null;
    #inner;
    /**
     * `keys`: the keys of audiences, by mask, as `welcome` has them. `games`: tables of the lines of games that this library
     * does not know, by name (docs/schema/lines.json).
     */
    constructor(match, keys = {}, games = {}) {
        this.#inner = new MatchVerifier({ match, keys, strict: new Strict({ ...GAMES, ...games }) });
    }
    get match() {
        return this.#inner.match;
    }
    get seq() {
        return this.#inner.seq;
    }
    /** The chain's hash after the last line. */
    get head() {
        return b64(this.#inner.head);
    }
    get at() {
        return this.#inner.at;
    }
    get seated() {
        return this.#inner.seated;
    }
    /** Commitments to shares of chance, by seat. */
    get committed() {
        return this.#inner.commitments;
    }
    /** Shares of chance that are revealed, by seat. */
    get entropy() {
        return this.#inner.entropy;
    }
    get isBegun() {
        return this.#inner.isBegun;
    }
    /**
     * The weaknesses of the record, by name; a verdict must state them first. `version`: the record is of an older version;
     * `keys`: a person's seat did not always sign; `shares`: somebody could have chosen the dice; `reveal`: the end does not
     * open its secrets to everybody; `signatures`: the server has not signed the last line; `commit`: another line must still follow
     * the last one.
     */
    get lacks() {
        const unsigned = this.signedTo < this.seq ? ["signatures"] : [];
        return [...this.#inner.lacks, ...unsigned, ...(this.#inner.isUnfinished ? ["commit"] : [])];
    }
    /** The fault, after which nothing is believed. */
    get fault() {
        return this.#inner.fault;
    }
    /** Takes the next line, with the openings held. Throws `Broken`. */
    async take(text, openings = []) {
        this.#inner.take(text, openings);
        await this.#inner.prove();
        const line = lineOf(text, openings);
        this.result = resultOf(line) ?? this.result;
        return line;
    }
    /** The chain's hash after a line, as the server states it. Throws `Broken`. */
    claim(seq, hash) {
        this.#inner.claim(seq, hash);
    }
    /**
     * The seat behind which the person of an opening stands (docs/record.md 5, Persons); null if this
     * platform cannot check signatures. Throws `Broken`.
     */
    person(opening) {
        return personBehind(this.#inner.match, this.#inner.persons, opening);
    }
    /** Whether the server's signature under a line is valid; null if this platform cannot check it. Throws `Broken`. */
    async checkpoint(seq, signed) {
        const good = await isSigned(this.#inner, seq, signed);
        if (good === false) {
            this.#inner.fail(seq, "the server's signature is not right");
        }
        if (good) {
            this.signedTo = Math.max(this.signedTo, seq);
            this.servers.add(b64(unb64(signed).subarray(...STAMP_KEY)));
        }
        return good;
    }
}
