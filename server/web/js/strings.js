// The one string catalogue: strings/<language>.json.

/** @type {Record<string, string>} */
export const LANGUAGES = { en: "English", de: "Deutsch" };

/** @typedef {Record<string, string | number | undefined | null>} Values */

/** @type {Record<string, string | string[]>} */
let table = {};
export let language = "en";

export function preferred() {
	let kept;
	try {
		kept = localStorage.getItem("herald.language");
	} catch {
		/* a file opened from disk may have no storage */
	}
	const wanted = [kept, ...navigator.languages.map(name => name.slice(0, 2))];
	return wanted.find(name => name && name in LANGUAGES) || "en";
}

/** @param {string} wanted */
export async function loadStrings(wanted = preferred()) {
	const inline = document.getElementById("strings");
	table = inline ? JSON.parse(inline.textContent)[wanted] : await (await fetch(`/strings/${wanted}.json`)).json();
	language = wanted;
	document.documentElement.setAttribute("lang", wanted);
	for (const el of document.querySelectorAll("[data-s]")) {
		el.textContent = t(/** @type {HTMLElement} */ (el).dataset.s ?? "");
	}
	for (const el of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-label]"))) {
		el.ariaLabel = t(el.dataset.label ?? "");
		if (el.dataset.ico) {
			el.title = el.ariaLabel;
		}
	}
}

/**
 * A text by its key, with values inserted; a text that depends on a number n is a pair, [one, several].
 * @param {string} key @param {Values} [values]
 */
export function t(key, values = {}) {
	const found = table[key];
	const text = Array.isArray(found) ? found[values.n === 1 ? 0 : 1] : (found ?? key);
	return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** The text of a key, or another text if there is none. @param {string} key @param {string} other */
export const has = (key, other) => (key in table ? t(key) : other);

/** The rest of each key that begins so. @param {string} begin */
export const endings = begin =>
	Object.keys(table)
		.filter(key => key.startsWith(begin))
		.map(key => key.slice(begin.length));

/** @param {number} ms */
export const when = ms => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(ms);

/** The delay of all hands, for texts that mention it. @param {{ s?: number, events?: number, phase?: boolean }} cards */
export function later({ s = 0, events = 0, phase }) {
	const parts = [
		s && t("laterSeconds", { n: s }),
		events && t("laterLines", { lines: events }),
		phase && t("laterPhase"),
	];
	return { later: parts.filter(Boolean).join(t("laterAnd")) };
}
