// The news of a match, for callers that iterate over it.
import type { Line, Result } from "./lines.js";
import type { Proof } from "./statements.js";
import type { Scene, Step, Wire, Words } from "./wire.js";

/** One thing that happened; `kind` says which. */
export type News =
	/** The match was entered, for the first time or again after a break. */
	| { kind: "entered"; welcome: Wire.Welcome }
	/** The connection is lost; the next attempt is in `againS` seconds. */
	| { kind: "lost"; code: number; againS: number }
	/** New lines, verified. */
	| { kind: "lines"; lines: Line[] }
	/** The Scene has changed; these steps led to it, none if it came whole. */
	| { kind: "shown"; scene: Scene; steps: Step[] }
	/** One's own seat is asked; once for each decision, and again if an answer was refused. */
	| { kind: "asked"; prompt: Words.Prompt }
	| { kind: "clocked"; clocks: Record<string, Wire.ClockInfo> }
	| { kind: "tabled"; table: Wire.TableInfo }
	| { kind: "seated"; seats: Wire.SeatInfo[] }
	| { kind: "present"; presence: Wire.Presence }
	| { kind: "chatted"; lines: Wire.ChatLine[] }
	/**
	 * A director chooses the view; without a direction, the direction has ended. `at`: when the server said so, in
	 * ms since 1970, 0 if it has not signed the direction. If `proof` is `false`, `why` gives the reason, and the direction has no
	 * effect.
	 */
	| { kind: "directed"; direction: Wire.Direction | null; name: string; at: number; proof: Proof; why: string }
	/** An open offer that one's own seat has to answer; once. */
	| { kind: "offered"; offer: Wire.OfferInfo }
	/** An `error` or a `refused` that no call waits for. */
	| { kind: "complained"; code: string; why: string; id: string }
	| { kind: "ended"; result: Result };

/** News that has not been read yet, in its order. */
export class Told implements AsyncIterableIterator<News, undefined> {
	readonly #news: News[] = [];
	readonly #readers: PromiseWithResolvers<IteratorResult<News, undefined>>[] = [];
	#end: { why: Error | null } | null = null;

	tell(news: News): void {
		const reader = this.#readers.shift();
		if (reader) {
			reader.resolve({ value: news, done: false });
		} else if (!this.#end) {
			this.#news.push(news);
		}
	}

	/** No more news follows; a reader is told the reason, unless the match ended normally. */
	end(why: Error | null): void {
		this.#end ??= { why };
		for (const reader of this.#readers.splice(0)) {
			this.#close(reader);
		}
	}

	#close({ resolve, reject }: PromiseWithResolvers<IteratorResult<News, undefined>>): void {
		const why = this.#end?.why;
		if (why) {
			reject(why);
		} else {
			resolve({ value: undefined, done: true });
		}
	}

	next(): Promise<IteratorResult<News, undefined>> {
		const news = this.#news.shift();
		if (news) {
			return Promise.resolve({ value: news, done: false });
		}
		const reader = withResolvers<IteratorResult<News, undefined>>();
		if (this.#end) {
			this.#close(reader);
		} else {
			this.#readers.push(reader);
		}
		return reader.promise;
	}

	[Symbol.asyncIterator](): this {
		return this;
	}
}

/** A promise and the functions that settle it. */
export interface PromiseWithResolvers<T> {
	promise: Promise<T>;
	resolve(value: T): void;
	reject(why: unknown): void;
}

/** Promise.withResolvers, which Node.js 20 lacks. */
export function withResolvers<T>(): PromiseWithResolvers<T> {
	let resolve: (value: T) => void = () => {};
	let reject: (why: unknown) => void = () => {};
	const promise = new Promise<T>((yes, no) => {
		resolve = yes;
		reject = no;
	});
	return { promise, resolve, reject };
}
