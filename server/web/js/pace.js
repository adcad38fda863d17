// Shows lines no faster than they happened: after the last line of a match the server no longer delays viewers
// and sends the rest at once, while a broadcast continues with its delay.

/** A line that is early by no more than this may be shown at once. */
const SOON_MS = 300;

/** @param {number} ms */
const later = ms =>
	new Promise(resolve => {
		setTimeout(resolve, ms);
	});

export class Pace {
	/** The longest wait: how far viewers are kept behind, in ms. */
	#most = 0;
	/** When the last line happened, and when it was shown. @type {{ at: number, shown: number } | null} */
	#last = null;
	#isGreeted = false;

	/** @param {() => number} now @param {(ms: number) => Promise<unknown>} wait */
	constructor(now = () => performance.now(), wait = later) {
		this.now = now;
		this.wait = wait;
	}

	/** In the match, for the first time or again. @param {{ delay?: { s?: number } | null }} welcome */
	enter({ delay }) {
		this.#most = (delay?.s ?? 0) * 1000;
		this.#last = null;
		this.#isGreeted = false;
	}

	/** Waits until lines may be shown. The first ones are those so far. @param {readonly { at: number }[]} lines */
	async hear(lines) {
		const at = lines.at(-1)?.at;
		if (!this.#most || at === undefined) {
			return;
		}
		if (!this.#isGreeted) {
			this.#isGreeted = true;
			return;
		}
		const now = this.now();
		const due = this.#last ? this.#last.shown + at - this.#last.at : now;
		const early = due - now;
		if (early > SOON_MS) {
			await this.wait(Math.min(early, this.#most));
		}
		// a line that was shown a little early counts as shown when it was due, so that many such lines do not add up
		this.#last = { at, shown: early > 0 && early <= SOON_MS ? due : this.now() };
	}
}
