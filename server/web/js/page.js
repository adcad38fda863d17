// The page of a table: the match that it shows, its announcements, its notices and tabs.
import { $, clear, h } from "./dom.js";
import { addSheet } from "./glyph.js";
import { t } from "./strings.js";

/** The bundle in a page that plays without a server; null in other pages. @type {HTMLElement | null} */
export const inline = $("#bundle");
export const here = new URLSearchParams(location.hash.slice(1));
export const match = here.get("m") || "";
export const token = here.get("t") || "";
/** Whether the spectator wants to see all hands, if the match has open cards. */
export const isOpen = here.has("open") && !token;
/** The text that opens a seat once: an invitation, or the link that an earlier version gave a friend. */
export const invitation = here.get("i") || (here.has("f") ? token : "");

function modeOf() {
	if (inline || location.pathname === "/replay") {
		return "replay";
	}
	return location.pathname === "/watch" ? "watch" : "play";
}
export const mode = modeOf();

const NARROW_PX = 700;
const MOMENT_MS = 50;
const AGAIN_MS = 2000;

/** Whether the panels are below the board, one at a time. */
export const isNarrow = () => innerWidth <= NARROW_PX;

/** Marks the page as ready. */
export function ready() {
	document.body.dataset.ready = "1";
}

/** @param {string} url */
const json = async url => (await fetch(url)).json();

// --- glyph sheets ---

/** @type {Map<string, Promise<unknown> | null>} */
const sheets = new Map();
/** @type {Promise<{ glyphs: string[] }> | null} */
let assets = null;

/** @param {string} name */
async function load(name) {
	const listed = await assets;
	if (listed?.glyphs.includes(name)) {
		addSheet(await json(`/glyphs/${name}.json`));
	}
}

/** A sheet of glyphs, once it is loaded. @param {string} name */
export function sheet(name) {
	if (!sheets.has(name)) {
		const loading = inline ? null : load(name).catch(() => sheets.delete(name));
		sheets.set(name, loading);
	}
	return sheets.get(name);
}

export function loadSheets() {
	if (inline) {
		addSheet(JSON.parse($("#glyphs").textContent));
	} else {
		assets = json("/assets.json");
		sheet("core");
	}
}

/** The table of a game's lines, by which they are checked; empty if the server has none. @param {string} game */
export async function linesOf(game) {
	if (inline) {
		return JSON.parse($("#shapes").textContent);
	}
	for (;;) {
		const answer = await fetch(`/lines/${encodeURIComponent(game)}.json`).catch(() => null);
		if (answer?.ok) {
			return { [game]: await answer.json() };
		}
		if (answer?.status === 404) {
			return {};
		}
		await new Promise(go => {
			setTimeout(go, AGAIN_MS);
		});
	}
}

// --- announcements to screen readers ---

const live = $("#live");
/** @type {string[]} */
const heard = [];

function sayAll() {
	const all = heard.splice(0).join(" ");
	live.textContent = live.textContent === all ? `${all}\u00a0` : all;
}

/** Texts of one moment are read together: a later text does not replace an earlier one. @param {string} text */
export function say(text) {
	if (heard.push(text) === 1) {
		setTimeout(sayAll, MOMENT_MS);
	}
}

// --- notices under the top bar ---

const notice = $("#notice");
/** @type {Map<string, { text: string, bad: boolean }>} */
const notices = new Map();

/** Shows a notice, or removes it. @param {string} key @param {string | false | null} [text] @param {boolean} [bad] */
export function tell(key, text, bad = false) {
	if (text) {
		notices.set(key, { text, bad });
	} else {
		notices.delete(key);
	}
	const list = [...notices.values()];
	notice.hidden = !list.length;
	notice.classList.toggle(
		"bad",
		list.some(x => x.bad),
	);
	const now = [...new Set(list.map(x => x.text))].join(" ");
	if (notice.textContent !== now) {
		notice.textContent = now;
	}
}

// --- tabs ---

/** @param {HTMLElement} root @param {(name: string) => void} chosen */
export function tabs(root, chosen) {
	const all = /** @type {HTMLElement[]} */ ([...root.children]);
	for (const tab of all) {
		tab.onclick = () => {
			for (const other of all) {
				other.ariaSelected = String(other === tab);
			}
			chosen(tab.getAttribute("aria-controls") ?? "");
		};
	}
}

/** Shows a panel. On a phone, the text about a piece takes the room of the previous panel, so that the board does not move. @param {string} name */
export function turnTo(name) {
	const rail = $("#rail");
	if (name !== rail.dataset.tab) {
		rail.style.setProperty("--was", `${rail.getBoundingClientRect().height}px`);
		rail.dataset.tab = name;
	}
}

/** Shows one of the panels. @param {string} name */
export const showPanel = name => $(`#sheet [aria-controls=${name}]`).click();

/** Sets the link to another view of the match; without an address, removes it. @param {string} key @param {string | false | null} [href] */
export function lead(key, href) {
	const link = $("#lead");
	link.hidden = !href;
	link.textContent = t(key);
	link.setAttribute("href", href || "");
}

/** Shows that there is no table. @param {string} why @param {string} title @param {string} back */
export function gone(why, title, back) {
	clear($("#stagehost"), h("div.gone", h("h2", title), h("p", why), h("a.go", { href: "/" }, back)));
	ready();
}

/** Brings the subject of a lesson into sight on a phone. */
export function bringInSight() {
	if (isNarrow()) {
		$(".stage .lit-meant,.stage .meant")?.scrollIntoView({ block: "center" });
	}
}

/** Keeps the subject in sight whatever size the board has. */
export const keepInSight = () => new ResizeObserver(bringInSight).observe($("#stagehost"));
