// What the viewer has set in this browser; dialogs of lobby and table.
import { $, h, clear, button } from "./dom.js";
import { preferred, t } from "./strings.js";

const root = document.documentElement;
const read = (key, other) => { try { return JSON.parse(localStorage.getItem("herald." + key)) ?? other; } catch { return other; } };
const write = (key, value) => { try { localStorage.setItem("herald." + key, JSON.stringify(value)); } catch { /* not kept */ } };

export const prefs = { theme: read("theme", ""), speed: read("speed", 1), still: read("still", false), keys: read("keys", true), text: read("text", false), name: read("name", "") };
export function setPref(key, value) { prefs[key] = value; write(key, value); apply(); }
export function apply() {
	root.classList.toggle("dark", prefs.theme ? prefs.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
	if (prefs.still) root.dataset.motion = "off"; else delete root.dataset.motion;
}
apply();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
export const otherTheme = () => setPref("theme", root.classList.contains("dark") ? "light" : "dark");

// Seats of this browser: [{match, seat, token, game, title, at}], latest first.
export const myMatches = () => read("matches", []);
export const keepMatch = entry => write("matches", [entry, ...myMatches().filter(m => m.match !== entry.match || m.seat !== entry.seat)].slice(0, 40));
export const forgetMatch = entry => write("matches", myMatches().filter(m => m.match !== entry.match || m.seat !== entry.seat));

export const seatLink = (match, token, key) => `${location.origin}/play#m=${match}&t=${token}${key ? "&k=" + key : ""}`;
export const watchLink = match => `${location.origin}/watch#m=${match}`;
export const replayLink = (match, seq = 0) => `${$("#bundle") ? location.href.split("#")[0] : location.origin + "/replay"}#m=${match}&seq=${seq}`;

export async function copy(text, button) {
	try { await navigator.clipboard.writeText(text); } catch { // plain http has no clipboard: select the field instead
		const field = h("textarea.vh", text);
		(button.closest("dialog") || document.body).append(field);
		field.value = text; field.select(); document.execCommand("copy"); field.remove();
	}
	const was = button.textContent;
	button.textContent = t("copied");
	setTimeout(() => { button.textContent = was; }, 1500);
}
export const linkRow = (label, url) => h("div.linkrow", h("label", h("span", label), h("input", { type: "text", readonly: true, value: url, onfocus: e => e.target.select() })), button(".ghost", { onclick: e => copy(url, e.currentTarget) }, t("copy")));

// the page's tools, by their icons
export const tools = acts => { for (const b of $("#tools").children) b.onclick = acts[b.dataset.ico]; };

export function dialog(title, ...content) {
	const d = $("#dialog");
	clear(d).append(h("form", { method: "dialog" }, h("h2", { id: "dialog-title" }, title), ...content, h("footer", h("button.go", t("close")))));
	if (!d.open) d.showModal();
	return d;
}

export function settings(changed = () => {}) {
	const d = $("#settings");
	for (const e of d.querySelectorAll("[name]")) {
		const box = e.type === "checkbox", name = e.name;
		if (box) e.checked = prefs[name]; else e.value = name === "language" ? preferred() : prefs[name];
		e.onchange = () => {
			if (name === "language") { localStorage.setItem("herald.language", e.value); location.reload(); }
			setPref(name, box ? e.checked : e.value.trim());
			changed(name);
		};
	}
	d.showModal();
}
