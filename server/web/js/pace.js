// Shows lines no faster than they happened: after the last line of a match the server no longer delays viewers
// and sends the rest at once, while a broadcast continues with its delay.

import { Told } from "../client/news.js";

/** The news that is kept in order: it says what is shown, and when. */
const PACED = new Set(["entered", "lines", "shown"]);

/** A line that is early by no more than this may be shown at once. */
const SOON_MS = 300;

/** @param {number} ms */
const later = ms =>
	new Promise(resolve => {
		setTimeout(resolve, ms);
	});

/** @typedef {import("../client/news.js").News} News */

export class Pace {
	/** The longest wait: how far viewers are kept behind, in ms. */
	#most = 0;
	/** The time from a line to its showing, set by the first line that is shown, in ms between two clocks. @type {number | null} */
	#lag = null;
	#isGreeted = false;

	/** @param {() => number} now @param {(ms: number) => Promise<unknown>} wait */
	constructor(now = () => performance.now(), wait = later) {
		this.now = now;
		this.wait = wait;
	}

	/** Takes the delay when the match is entered, for the first time or again. @param {{ delay?: { s?: number } | null }} welcome */
	enter({ delay }) {
		this.#most = (delay?.s ?? 0) * 1000;
		this.#lag = null;
		this.#isGreeted = false;
	}

	/** Waits until lines may be shown. The first call gives the lines that exist already. @param {readonly { at: number }[]} lines */
	async hear(lines) {
		const at = lines.at(-1)?.at;
		if (!this.#most || at === undefined) {
			return;
		}
		if (!this.#isGreeted) {
			this.#isGreeted = true;
			return;
		}
		// a line that comes or is drawn late changes nothing for later ones, or many delays would add up
		this.#lag ??= this.now() - at;
		const early = at + this.#lag - this.now();
		if (early > this.#most) {
			this.#lag += this.#most - early;
		}
		if (early > SOON_MS) {
			await this.wait(Math.min(early, this.#most));
		}
	}

	/**
	 * Reads the news of a match until there is no more. The tables arrive at the pace of their lines, all other news
	 * at once: a direction does not wait behind lines that are shown later. A fault ends both.
	 * @param {AsyncIterable<News>} told @param {(news: News) => unknown} take
	 */
	async read(told, take) {
		const paced = new Told();
		const fault = new AbortController();
		await Promise.all([this.#sort(told, paced, take, fault), this.#show(paced, take, fault.signal)]);
	}

	/** @param {AsyncIterable<News>} told @param {Told} paced @param {(news: News) => unknown} take @param {AbortController} fault */
	async #sort(told, paced, take, fault) {
		try {
			for await (const news of told) {
				const isPaced = PACED.has(news.kind);
				if (isPaced) {
					paced.tell(news);
				}
				if (!isPaced || news.kind === "entered") {
					await take(news);
				}
			}
		} catch (wrong) {
			fault.abort();
			throw wrong;
		} finally {
			paced.end(null);
		}
	}

	/** @param {Told} paced @param {(news: News) => unknown} take @param {AbortSignal} fault */
	async #show(paced, take, fault) {
		for await (const news of paced) {
			if (fault.aborted) {
				return;
			}
			if (news.kind === "entered") {
				this.enter(news.welcome);
			} else if (news.kind === "lines") {
				await this.hear(news.lines);
			} else {
				await take(news);
			}
		}
	}
}
