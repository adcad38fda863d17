// Checks a match while it comes in, in slices that do not hold the table up.
import { MatchVerifier } from "./seating.js";
import { b64 } from "./hashes.js";
import { isSigned } from "./verify.js";
const SLICE = 100;
/** The game that a line 1 names; "" for a text that is no line. */
function gameOf(text) {
    try {
        return String(JSON.parse(text)[8].game);
    }
    catch {
        return "";
    }
}
/** Openings with the salt of each, if salts are sent. */
const salted = (openings, salts) => salts ? openings.map(([slot, value], i) => [slot, value, salts[i]]) : openings;
export class Check {
    /** Lines, and the server's statement of the chain after them. */
    queue = [];
    busy = false;
    /** The line after which lines were requested again. */
    asked = 0;
    /** A signature whose line is not checked yet. */
    stamp = null;
    /** The last line under which the server's signature is right. */
    signed = 0;
    verifier = undefined;
    /** Callers that wait until all received lines are checked. */
    waiting = [];
    told;
    missing;
    tables;
    /** `told` is called after every slice; `missing`, when lines must be sent again. */
    constructor(told, missing, tables) {
        this.tables = tables;
        this.told = told;
        this.missing = missing;
    }
    welcome({ match, keys, head, viewer }) {
        const seesHands = viewer?.as === "open";
        if (this.verifier?.match !== match || this.verifier.seesHands !== seesHands) {
            this.verifier = new MatchVerifier({ match, keys, seesHands });
        }
        this.asked = 0;
        return this.claim(head);
    }
    get seq() {
        return this.verifier?.seq ?? 0;
    }
    get fault() {
        return this.verifier?.fault;
    }
    get head() {
        return this.verifier ? b64(this.verifier.head) : "";
    }
    /** The last line that this client has verified, for the next choice to name. */
    get ack() {
        return this.seq && !this.fault ? { ack_seq: this.seq, ack_head: this.head } : {};
    }
    claim(head) {
        if (head) {
            this.queue.push(head);
        }
        return this.run();
    }
    events({ from, items, head, salts }) {
        items.forEach(([line, openings], i) => this.queue.push([from + i, line, salted(openings, salts?.[i])]));
        return this.claim(head);
    }
    /** Checks the server's signature under a line that is checked. */
    async stamped(verifier, { seq, signed = "" }) {
        const good = await isSigned(verifier, seq, signed);
        this.stamp = null;
        if (good === false) {
            verifier.fail(seq, "the server's signature is not right");
        }
        if (good) {
            this.signed = seq;
        }
    }
    /** Asks once for every line since the gap. */
    again() {
        this.queue.length = 0;
        if (this.asked <= this.seq) {
            this.asked = this.seq + 1;
            this.missing(this.seq);
        }
    }
    take(verifier, next) {
        if (Array.isArray(next)) {
            verifier.take(next[1], next[2], next[0]);
            return;
        }
        if (next.hash) {
            verifier.claim(next.seq, next.hash);
        }
        if (next.signed) {
            this.stamp = next;
        }
    }
    /** Loads, with the first line, the check of the shape and order of lines, including those of its game. */
    async learn(verifier, text) {
        if (!verifier.strict) {
            const [{ Strict }, games] = await Promise.all([import("./strict.js"), this.tables(gameOf(text))]);
            verifier.hold(new Strict(games));
        }
    }
    async slices(verifier) {
        for (let n = 1; this.queue.length; n++) {
            const next = this.queue[0];
            if (Array.isArray(next) && next[0] > this.seq + 1) {
                this.again();
                return;
            }
            if (Array.isArray(next)) {
                await this.learn(verifier, next[1]);
            }
            this.queue.shift();
            this.take(verifier, next);
            await verifier.prove();
            if (this.stamp && this.stamp.seq <= this.seq) {
                await this.stamped(verifier, this.stamp);
            }
            if (n % SLICE === 0) {
                this.told(this);
                await new Promise(resolve => {
                    setTimeout(resolve);
                });
            }
        }
    }
    async run() {
        if (this.busy || this.fault || !this.verifier) {
            return;
        }
        this.busy = true;
        try {
            // more may have arrived while the last slice ended
            while (this.queue.length) {
                await this.slices(this.verifier);
            }
        }
        catch (wrong) {
            if (!this.fault) {
                throw wrong;
            }
            this.queue.length = 0;
        }
        finally {
            this.busy = false;
        }
        for (const go of this.waiting.splice(0)) {
            go();
        }
        this.told(this);
    }
    /** Done when all received lines are checked. */
    settled() {
        const waits = this.busy || (this.queue.length > 0 && !this.fault);
        return waits
            ? new Promise(go => {
                this.waiting.push(go);
            })
            : Promise.resolve();
    }
}
