// Messages that are not answered yet: each is kept with its id and sent again after a break, so it counts once.
import { Refused } from "./errors.js";
import { type PromiseWithResolvers, withResolvers } from "./news.js";
import type { ClientMessage, ServerMessage } from "./wire.js";

const AGAIN_MS = 1000;
const LONGEST_MS = 30_000;
const TRY_AGAIN = "try-again";

type Kind = ServerMessage["t"];
type Answered<K extends Kind> = Extract<ServerMessage, { t: K }>;

interface Saying {
	message: ClientMessage & { id: string };
	kind: Kind;
	answer: PromiseWithResolvers<never>;
	tries: number;
	/** The answer that has arrived, while the line that it names has not. */
	accepted?: Answered<"accepted">;
}

export class Sayings {
	readonly #open = new Map<string, Saying>();
	readonly #send: (message: ClientMessage) => unknown;

	constructor(send: (message: ClientMessage) => unknown) {
		this.#send = send;
	}

	/** Sends a message and waits for an answer of a kind, over as many connections as it takes. Rejects with `Refused`. */
	say<K extends Kind>(message: ClientMessage & { id: string }, kind: K): Promise<Answered<K>> {
		const settled = withResolvers<Answered<K>>();
		this.#open.set(message.id, { message, kind, answer: settled as PromiseWithResolvers<never>, tries: 0 });
		this.#send(message);
		return settled.promise;
	}

	/** The unanswered message with an id. */
	open(id: string): (ClientMessage & { id: string }) | undefined {
		return this.#open.get(id)?.message;
	}

	/** Keeps an answer until its line is here. */
	keep(m: Answered<"accepted">): void {
		const saying = this.#open.get(m.id);
		if (saying) {
			saying.accepted = m;
		}
	}

	/** The answers whose lines had not arrived yet. */
	get kept(): Answered<"accepted">[] {
		return [...this.#open.values()].flatMap(({ accepted }) => accepted ?? []);
	}

	/** Sends the unanswered messages again. */
	again(): void {
		for (const { message } of this.#open.values()) {
			this.#send(message);
		}
	}

	/** Takes an answer; returns whether a caller waited for it. An answer without an id answers the oldest message of its kind. */
	hear(m: ServerMessage): boolean {
		const id = "id" in m ? m.id : undefined;
		const saying = id ? this.#open.get(id) : [...this.#open.values()].find(({ kind }) => kind === m.t);
		if (!saying) {
			return false;
		}
		if (m.t === "refused" || m.t === "error") {
			this.#refused(saying, m);
		} else if (m.t === saying.kind) {
			this.#open.delete(saying.message.id);
			saying.answer.resolve(m as never);
		}
		return true;
	}

	#refused(saying: Saying, { code, why, ...rest }: Answered<"refused" | "error">): void {
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
	end(why: Error): void {
		for (const { answer } of this.#open.values()) {
			answer.reject(why);
		}
		this.#open.clear();
	}
}
