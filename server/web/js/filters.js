// Which offers and open seats the first page shows: of one game, at one pace, rated or not, by people of some ratings.
import { clear, h } from "./dom.js";
import { t } from "./strings.js";

const QUICK_MS = 20 * 60_000;
const PACES = ["quick", "calm", "slow", "none"];
const RATED = ["rated", "unrated"];

/** @type {Record<string, string>} */
const wanted = {};

/** How fast a clock is. @param {Wire.TimeControl | undefined | null} time */
function paceOf(time) {
	const { kind = "none", limit_ms = 0 } = time ?? {};
	if (kind === "none" || kind === "days") {
		return kind === "none" ? "none" : "slow";
	}
	return kind === "bank" && limit_ms > QUICK_MS ? "calm" : "quick";
}

/** Whether an offer is to be shown. @param {{ game: string, time?: Wire.TimeControl | null, rated?: boolean, rating?: number | null }} offered */
export function isWanted({ game, time, rated = false, rating }) {
	const { low = "", high = "" } = wanted;
	const fits = (!low || (rating ?? -1) >= Number(low)) && (!high || (rating ?? Infinity) <= Number(high));
	return (
		fits &&
		(!wanted.game || wanted.game === game) &&
		(!wanted.pace || wanted.pace === paceOf(time)) &&
		(!wanted.rated || wanted.rated === (rated ? "rated" : "unrated"))
	);
}

/** The filter, as text. */
export const filtered = () => JSON.stringify(wanted);

/** @param {string} name @param {string} label @param {[string, string][]} options @param {() => void} changed */
function choice(name, label, options, changed) {
	/** @param {{ currentTarget: HTMLSelectElement }} event */
	const onchange = event => {
		wanted[name] = event.currentTarget.value;
		changed();
	};
	const all = [["", t("anyOf")], ...options].map(([value, text]) => h("option", { value }, text));
	return h("label.set", h("span", label), h("select", { name, onchange }, all));
}

/** @param {string} name @param {string} label @param {() => void} changed */
function bound(name, label, changed) {
	/** @param {{ currentTarget: HTMLInputElement }} event */
	const oninput = event => {
		wanted[name] = event.currentTarget.value;
		changed();
	};
	return h("label.set", h("span", label), h("input", { type: "number", name, min: 0, max: 9999, oninput }));
}

/** Draws the filters. @param {HTMLElement} root @param {Wire.GameInfo[]} games @param {() => void} changed */
export function drawFilters(root, games, changed) {
	/** @param {string} name @param {string} key @param {[string, string][]} options */
	const one = (name, key, options) => choice(name, t(key), options, changed);
	const titles = games.map(({ game, title }) => /** @type {[string, string]} */ ([game, title]));
	const paces = PACES.map(pace => /** @type {[string, string]} */ ([pace, t(`pace.${pace}`)]));
	const rated = RATED.map(key => /** @type {[string, string]} */ ([key, t(key)]));
	const choices = [one("game", "game", titles), one("pace", "pace", paces), one("rated", "counts", rated)];
	clear(root, choices, bound("low", t("ratingFrom"), changed), bound("high", t("ratingTo"), changed));
}
