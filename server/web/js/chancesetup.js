// The shares of chance that a full match awaits, and the time left: loaded only when a match waits.
import { tell } from "./page.js";
import { t } from "./strings.js";

const SECOND_MS = 1000;
/** While more time is left, the text changes only every this many seconds. */
const LAST_S = 10;
const STEP_S = 5;

/** @type {number | undefined} */
let timer;

/**
 * Shows the text while the match waits; if `left_ms` is 0, it waits without end.
 * @param {string} names whose shares, "" if none is awaited @param {number} left_ms
 */
export function awaitShares(names, left_ms) {
	clearInterval(timer);
	const end = performance.now() + left_ms;
	const say = () => {
		const left = Math.max(0, Math.ceil((end - performance.now()) / SECOND_MS));
		const n = left > LAST_S ? Math.ceil(left / STEP_S) * STEP_S : left;
		tell("reveal", names && t(left_ms ? "revealWaits" : "sharesWait", { names, n }));
	};
	say();
	if (names && left_ms) {
		timer = setInterval(say, SECOND_MS);
	}
}
