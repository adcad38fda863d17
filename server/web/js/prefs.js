// The viewer's settings in this browser; dialogs of lobby and table.
import { $, h, clear, button, dialogAt } from "./dom.js";
import { preferred, t } from "./strings.js";

const root = document.documentElement;
const MOST_MATCHES = 40;
const COPIED_MS = 1500;

/**
 * @template T
 * @param {string} key @param {T} other the value if nothing is kept @returns {T}
 */
export function read(key, other) {
	try {
		return JSON.parse(localStorage.getItem(`herald.${key}`) ?? "null") ?? other;
	} catch {
		return other;
	}
}

/** @param {string} key @param {unknown} value */
function write(key, value) {
	try {
		localStorage.setItem(`herald.${key}`, JSON.stringify(value));
	} catch {
		/* not kept */
	}
}

/** @type {Prefs} */
export const prefs = {
	theme: read("theme", ""),
	speed: read("speed", 1),
	still: read("still", false),
	keys: read("keys", true),
	text: read("text", false),
	name: read("name", ""),
	auto: read("auto", true),
	hints: read("hints", true),
	full: read("full", false),
	sound: read("sound", false),
	notify: read("notify", false),
	rated: read("rated", false),
};

/** @param {string} key @param {string | number | boolean} value */
export function setPref(key, value) {
	Object.assign(prefs, { [key]: value });
	write(key, value);
	apply();
}

function apply() {
	const dark = prefs.theme ? prefs.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
	root.classList.toggle("dark", dark);
	root.classList.toggle("unhinted", !prefs.hints);
	root.classList.toggle("full", prefs.full);
	if (prefs.still) {
		root.dataset.motion = "off";
	} else {
		delete root.dataset.motion;
	}
}
apply();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
export const otherTheme = () => setPref("theme", root.classList.contains("dark") ? "light" : "dark");

/** Seats of this browser, latest first. @returns {HeldMatch[]} */
export const myMatches = () => read("matches", []);

/** @param {HeldMatch} entry */
const others = entry => myMatches().filter(m => m.match !== entry.match || m.seat !== entry.seat);

/** @param {HeldMatch} entry */
export const keepMatch = entry => write("matches", [entry, ...others(entry)].slice(0, MOST_MATCHES));

/** Whether this browser has had an account's key; stored separately, so that the key's database need not be opened. */
export const hasAccount = () => read("account", false);

/** @param {boolean} on */
export const setAccount = on => write("account", on);

/** Lets the service worker see whether the browser has renewed its push subscription. */
export const lookAtPush = () =>
	navigator.serviceWorker?.getRegistration().then(
		one => one?.active?.postMessage(""),
		() => null,
	);

/** Forgets the invitations to seats that are taken now. @param {string} match @param {Wire.SeatInfo[]} seats */
export function forgetUsed(match, seats) {
	const taken = seats.filter(one => one.name).map(one => one.seat);
	myMatches()
		.filter(one => one.match === match && one.friend && taken.includes(one.seat))
		.forEach(forgetMatch);
}

/** @param {HeldMatch} entry */
export const forgetMatch = entry => write("matches", others(entry));

/** @param {string} match @param {string} token @param {string} [key] */
export function seatLink(match, token, key) {
	const signing = key ? `&k=${key}` : "";
	return `${location.origin}/play#m=${match}&t=${token}${signing}`;
}

/** @param {string} match @param {string} invitation */
export const inviteLink = (match, invitation) => `${location.origin}/play#m=${match}&i=${invitation}`;

/** @param {string} match */
export const watchLink = match => `${location.origin}/watch#m=${match}`;

/** @param {string} match @param {number} [seq] @param {string} [view] through whose eyes */
export function replayLink(match, seq, view) {
	const page = $("#bundle") ? location.href.split("#")[0] : `${location.origin}/replay`;
	const moment = seq ? `&seq=${seq}` : "";
	const eyes = view ? `&view=${view}` : "";
	return `${page}#m=${match}${moment}${eyes}`;
}

/** Plain http has no clipboard: a field is selected instead. @param {string} text @param {HTMLElement} near */
function copyField(text, near) {
	const field = /** @type {HTMLTextAreaElement} */ (h("textarea.vh", text));
	(near.closest("dialog") || document.body).append(field);
	field.value = text;
	field.select();
	document.execCommand("copy");
	field.remove();
}

/** @param {string} text @param {HTMLElement} pressed */
async function copy(text, pressed) {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		copyField(text, pressed);
	}
	const was = pressed.textContent;
	pressed.textContent = t("copied");
	setTimeout(() => {
		pressed.textContent = was;
	}, COPIED_MS);
}

/** @param {string} label @param {string} url */
export function linkRow(label, url) {
	/** @param {{ target: HTMLInputElement }} event */
	const onfocus = event => event.target.select();
	/** @param {{ currentTarget: HTMLElement }} event */
	const onclick = event => copy(url, event.currentTarget);
	const field = h("input", { type: "text", readonly: true, value: url, onfocus });
	return h("div.linkrow", h("label", h("span", label), field), button(".ghost", { onclick }, t("copy")));
}

/** The page's tools, by their icons. @param {Record<string, () => void>} acts */
export function tools(acts) {
	for (const tool of /** @type {HTMLCollectionOf<HTMLElement>} */ ($("#tools").children)) {
		tool.onclick = acts[tool.dataset.ico ?? ""];
	}
}

/** @param {string} title @param {Kid[]} content */
export function dialog(title, ...content) {
	const d = dialogAt("#dialog");
	const heading = h("h2", { id: "dialog-title" }, title);
	const footer = h("footer", h("button.go", t("close")));
	clear(d).append(h("form", { method: "dialog" }, heading, ...content, footer));
	if (!d.open) {
		d.showModal();
	}
	return d;
}

/** @param {string} name @param {HTMLInputElement} field */
function changeSetting(name, field) {
	if (name === "language") {
		localStorage.setItem("herald.language", field.value);
		location.reload();
	} else {
		setPref(name, field.type === "checkbox" ? field.checked : field.value.trim());
	}
}

/** @param {(name: string) => void} changed */
export function settings(changed = () => {}) {
	const d = dialogAt("#settings");
	const kept = /** @type {Record<string, any>} */ (/** @type {unknown} */ (prefs));
	for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (d.querySelectorAll("[name]"))) {
		const name = field.name;
		if (field.type === "checkbox") {
			field.checked = kept[name];
		} else {
			field.value = name === "language" ? preferred() : kept[name];
		}
		field.onchange = () => {
			changeSetting(name, field);
			changed(name);
		};
	}
	d.showModal();
}
