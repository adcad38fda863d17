// Messages that are not answered yet: each is kept with its id and sent again after a break, so it counts once.
import { Refused } from "./errors.js";
import { withResolvers } from "./news.js";
const AGAIN_MS = 1000;
const LONGEST_MS = 30_000;
const TRY_AGAIN = "try-again";
export class Sayings {
    #open = new Map();
    #send;
    constructor(send) {
        this.#send = send;
    }
    /** Sends a message and waits for an answer of a kind, over as many connections as it takes. Rejects with `Refused`. */
    say(message, kind) {
        const settled = withResolvers();
        this.#open.set(message.id, { message, kind, answer: settled, tries: 0 });
        this.#send(message);
        return settled.promise;
    }
    /** The unanswered message with an id. */
    open(id) {
        return this.#open.get(id)?.message;
    }
    /** Keeps an answer until its line is here. */
    keep(m) {
        const saying = this.#open.get(m.id);
        if (saying) {
            saying.accepted = m;
        }
    }
    /** The answers whose lines had not arrived yet. */
    get kept() {
        return [...this.#open.values()].flatMap(({ accepted }) => accepted ?? []);
    }
    /** Sends the unanswered messages again. */
    again() {
        for (const { message } of this.#open.values()) {
            this.#send(message);
        }
    }
    /** Takes an answer; returns whether a caller waited for it. An answer without an id answers the oldest message of its kind. */
    hear(m) {
        const id = "id" in m ? m.id : undefined;
        const saying = id ? this.#open.get(id) : [...this.#open.values()].find(({ kind }) => kind === m.t);
        if (!saying) {
            return false;
        }
        if (m.t === "refused" || m.t === "error") {
            this.#refused(saying, m);
        }
        else if (m.t === saying.kind) {
            this.#open.delete(saying.message.id);
            saying.answer.resolve(m);
        }
        return true;
    }
    #refused(saying, { code, why, ...rest }) {
        const { id } = saying.message;
        if (code === TRY_AGAIN) {
            const wait = Math.min(LONGEST_MS, AGAIN_MS * 2 ** saying.tries);
            saying.tries++;
            setTimeout(() => this.#open.has(id) && this.#send(saying.message), wait);
            return;
        }
        this.#open.delete(id);
        saying.answer.reject(new Refused(code, why, "rule" in rest ? rest.rule : "", id));
    }
    /** Fails every message: none will be answered any more. */
    end(why) {
        for (const { answer } of this.#open.values()) {
            answer.reject(why);
        }
        this.#open.clear();
    }
}
