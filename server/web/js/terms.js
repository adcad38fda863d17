// The terms of a match in words: options, clock, and whether its result counts.
import { has, t } from "./strings.js";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A clock in words. @param {Wire.TimeControl | undefined | null} time */
export function clockTold(time) {
	const { kind = "none", limit_ms = 0, increment_ms = 0 } = time ?? {};
	const values = {
		days: limit_ms / DAY_MS,
		minutes: limit_ms / MINUTE_MS,
		seconds: (kind === "bank" ? increment_ms : limit_ms) / SECOND_MS,
	};
	return t(`clock.${kind}`, values);
}

/** An option and its value, in words. @param {string} key @param {any} value */
function optionTold(key, value) {
	const label = has(`option.${key}`, key.replaceAll("_", " "));
	if (value === true) {
		return label;
	}
	const told = typeof value === "object" ? "…" : has(`option.${key}.${value}`, String(value));
	return `${label}: ${told}`;
}

/** The terms of an offer, in words. @param {{ options?: Record<string, any>, time?: Wire.TimeControl | null, rated?: boolean, low?: number, high?: number, hints?: boolean }} terms */
export function termsTold({ options = {}, time, rated, low = 0, high = 0, hints }) {
	const chosen = Object.entries(options).map(([key, value]) => optionTold(key, value));
	const range = (low || high) && t("ratedFromTo", { low, high });
	return [...chosen, clockTold(time), t(rated ? "rated" : "unrated"), hints && t("withHints"), range]
		.filter(Boolean)
		.join(", ");
}
