// The keys of the table.
import { $, dialogAt } from "./dom.js";
import { otherTheme, prefs } from "./prefs.js";
import { say } from "./page.js";
import { plainText } from "./scene.js";
import { t } from "./strings.js";

/**
 * The parts on which keys act.
 * @typedef {object} ShortcutParts
 * @property {import("./view.js").View} view
 * @property {import("./replay.js").Replay} replay
 * @property {import("./tablestate.js").TableState} around
 * @property {() => void} toggleText
 * @property {() => void} showKeys
 */

/** The parts of a question that are read, in order, and the parts of a row. */
const READ = ".ph,.left,.since,.why,.also,.note,.rolled,.refused,.grp,h4,.crumb,.opt,.chip,.count,.foot";
const PARTS = ".lb,.sb,.dn,.oe,.got,.rl,.rd .die,.rs";

/** A row of the prompt, to be read with its key. @param {Element} row */
function rowText(row) {
	const key = row.querySelector("kbd")?.textContent;
	const parts = /** @type {NodeListOf<HTMLElement>} */ (row.querySelectorAll(PARTS));
	const words = [...parts].map(part => part.ariaLabel || part.title || part.textContent);
	const said = row.ariaLabel || words.join(", ") || row.textContent;
	return (key ? `${key}: ` : "") + said?.replace(/\.(?=,|$)/g, "");
}

/** The decision on screen, as text to be read. @param {import("./prompt.js").Prompt} prompt */
function promptText({ p, root }) {
	const rows = [...root.querySelectorAll(READ)];
	return p ? `${p.ask} ${rows.map(rowText).join(". ")}` : t("noDecision");
}

/** The message after a key that does not complete an answer. @param {import("./prompt.js").Prompt} prompt @param {string} row the row that the key chose */
function draftText(prompt, row) {
	const { root, refusal } = prompt;
	const count = root.querySelector(".count")?.textContent;
	if (refusal || (!count && prompt.ready())) {
		return refusal ? "" : t("picked", { what: row });
	}
	const rows = [...root.querySelectorAll(".opt,.chip")].map(rowText).join(". ");
	return [row, count || rows].filter(Boolean).join(", ");
}

/** @param {ShortcutParts} parts @returns {Record<string, () => unknown>} */
function actsOf({ view, replay, around, toggleText, showKeys }) {
	return {
		k: () => replay.toggle(),
		j: () => replay.step(-1),
		l: () => replay.step(1),
		"[": () => replay.turn(-1),
		"]": () => replay.turn(1),
		Home: () => replay.jump(0),
		End: () => replay.jump(replay.n),
		n: () => aim(view, 1),
		p: () => aim(view, -1),
		s: () => view.fx.skip(),
		L: () => $("#log .unfold")?.click(),
		d: otherTheme,
		t: toggleText,
		"?": showKeys,
		o: () => say(promptText(view.prompt)),
		c: () => say(around.read(view.scene?.seats ?? {})),
		w: () => say(plainText(view.scene?.log?.at(-1))),
		Escape: () => view.inspect(null, true),
	};
}

/** Goes to the next ref that can be chosen, or to the previous one. @param {import("./view.js").View} view @param {number} d */
function aim(view, d) {
	const refs = [...view.sets().can];
	if (refs.length) {
		const at = refs.indexOf(view.board.cursor);
		view.board.focus(refs.at((at + d) % refs.length) ?? "");
	}
}

/** Whether a key is meant for the table. @param {KeyboardEvent} event */
export function isMeant(event) {
	const on = /** @type {HTMLElement} */ (event.target);
	if (
		on.matches?.("input:not([type=range]),textarea,select:not(.view)") ||
		event.metaKey ||
		event.altKey ||
		dialogAt("dialog[open]")
	) {
		return false;
	}
	return event.key.length > 1 || event.ctrlKey || prefs.keys;
}

/** @param {ShortcutParts} parts */
export function hearKeys(parts) {
	const acts = actsOf(parts);
	addEventListener("keydown", event => {
		const { view } = parts;
		if (!view.scene || !isMeant(event)) {
			return;
		}
		const { prompt } = view;
		const row = event.key.length === 1 && prompt.rowOf(event.key);
		const name = row && (row.ariaLabel || row.querySelector(".lb")?.textContent || row.textContent);
		if (prompt.hearKey(event)) {
			event.preventDefault();
			if (prompt.mine() && !prompt.sent) {
				say(draftText(prompt, name || ""));
			}
			return;
		}
		const act = !event.ctrlKey && acts[event.key];
		if (act) {
			event.preventDefault();
			act();
		}
	});
}
