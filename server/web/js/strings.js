// The one string catalogue: strings/<language>.json.
export const LANGUAGES = { en: "English", de: "Deutsch" };
let table = {}, language = "en";

export function preferred() {
	let kept;
	try { kept = localStorage.getItem("herald.language"); } catch { /* a file opened from disk may have no storage */ }
	return [kept, ...navigator.languages.map(l => l.slice(0, 2))].find(l => l in LANGUAGES) || "en";
}

export async function loadStrings() {
	language = preferred();
	const inline = document.getElementById("strings");
	table = inline ? JSON.parse(inline.textContent)[language] : await (await fetch(`/strings/${language}.json`)).json();
	document.documentElement.lang = language;
	for (const el of document.querySelectorAll("[data-s]")) el.textContent = t(el.dataset.s);
	for (const el of document.querySelectorAll("[data-label]")) { el.ariaLabel = t(el.dataset.label); if (el.dataset.ico) el.title = el.ariaLabel; }
}

// A text by its key, with values put in; a text that depends on a number n is a pair, [one, several]
export function t(key, values = {}) {
	const found = table[key], text = Array.isArray(found) ? found[values.n === 1 ? 0 : 1] : found ?? key;
	return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}
export const has = (key, other) => (key in table ? t(key) : other);
export const when = ms => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(ms);
