// The part of the account's page about safety: blocked and muted persons, and the staff's acts about this person.
import { button, h } from "./dom.js";
import { setPref } from "./prefs.js";
import { t, when } from "./strings.js";

/** @typedef {(act: () => Promise<unknown>) => Promise<void>} Tried */

/** The duration of a sanction. @param {Wire.StaffEntry} entry */
export const until = ({ until_ms = 0, act }) => {
	const holds = ["mute", "suspend", "ban"].includes(act);
	return holds && (until_ms ? t("holdsUntil", { time: when(until_ms) }) : t("holdsForEver"));
};

/** @param {Wire.StaffEntry} entry */
const entryRow = entry =>
	h(
		"li.row",
		h("span.ttl", t(`staff.${entry.act}`)),
		h("span", entry.why),
		h("span.who", [when(entry.at_ms), until(entry)].filter(Boolean).join(", ")),
	);

/** Draws the part anew, after carrying out the wish, if there is one. @typedef {(wish?: object) => Promise<void>} Draw */

/** A blocked or muted person. @param {Wire.Shunned} one @param {(wish: object) => void} wished */
function shunRow({ of, name, kind, at_ms }, wished) {
	const attrs = { onclick: () => wished({ of }), "aria-label": t("unshunName", { name }) };
	const said = h("span.who", [t(`shun.${kind}`), when(at_ms)].join(", "));
	return h("li.row", h("span.ttl", name), said, button(".ghost", attrs, t("unshun")));
}

/** Blocks or mutes by a handle. @param {(wish: object) => void} wished */
function shunForm(wished) {
	const field = h("input", { type: "text", name: "shun", maxlength: 64, autocomplete: "off" });
	/** @param {string} kind */
	const act = kind => () => wished({ kind, handle: /** @type {HTMLInputElement} */ (field).value.trim() });
	return h(
		"form",
		{ onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
		h("label.set", h("span", t("shunHandle")), field),
		button(".go", { onclick: act("block") }, t("block")),
		button(".ghost", { onclick: act("mute") }, t("muteThem")),
	);
}

/** @param {Wire.SafetyTold} told @param {(wish: object) => void} wished */
const nodes = ({ shunned = [], entries = [], staff }, wished) => [
	h("h2", { id: "safety-title" }, t("safety")),
	h("p.quiet", t("shunSaid")),
	shunForm(wished),
	h(
		"ul.list",
		{ "aria-label": t("shunned") },
		shunned.map(one => shunRow(one, wished)),
	),
	entries.length ? h("h3", t("aboutMe")) : "",
	h("ul.list", { "aria-label": t("aboutMe") }, entries.map(entryRow)),
	staff ? h("p", h("a.ghost", { href: "/staff" }, t("toStaff"))) : "",
];

/** @param {import("./account.js").Door} door @param {Tried} tried @returns {HTMLElement} */
export function safetyPart(door, tried) {
	const part = h("section", { "aria-labelledby": "safety-title" });
	/** @param {object} [wish] */
	const draw = async wish => {
		/** @type {Wire.SafetyTold} */
		const told = await door.ask(wish ? "shun" : "safety", wish);
		part.replaceChildren(...nodes(told, wished));
		setPref("acts", told.entries?.at(-1)?.n ?? 0);
	};
	/** @param {object} wish */
	const wished = wish => tried(() => draw(wish));
	tried(draw);
	return part;
}
