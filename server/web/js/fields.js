// How each kind of field of a prompt is drawn and answered.
import { oneField, rowOf, sign, words } from "./choices.js";
import { h, button } from "./dom.js";
import { groupBy } from "./geom.js";
import { isNarrow } from "./page.js";
import { t } from "./strings.js";

/** @typedef {import("./prompt.js").Prompt} Prompt */

const DENSE_FROM = 5;

/** The longest name that is shown beside another one on a phone. */
const SHORT = 20;

/** The rows of a field: below each other, or side by side. @param {Words.Field} f @param {HTMLElement[]} rows */
function listed(f, rows) {
	const isLong = rows.length >= (isNarrow() ? DENSE_FROM : DENSE_FROM + 3);
	const isShort = isLong && f.items?.every(({ label }) => label.length < SHORT);
	return h(`div.opts${f.look ? ".chips" : ""}${isShort ? ".two" : ""}`, rows);
}

/** @param {Prompt} prompt @param {Words.Field} f */
function manyField(prompt, f) {
	const items = f.items ?? [];
	/** @type {string[]} */
	const chosen = prompt.answers.values[f.id] || [];
	const rows = items.map(item => manyRow(prompt, f, item, chosen.indexOf(item.id)));
	const most = f.max ?? items.length;
	const atMost = f.min ? `${f.min}–${most}` : t("atMost", { n: most });
	const of = f.min === f.max ? most : atMost;
	const count = t(f.ordered && most > 1 ? "chosenInOrder" : "chosen", { a: chosen.length, of });
	return [h("p.count", count), listed(f, rows)];
}

/** @param {Prompt} prompt @param {Words.Field} f @param {Words.Item} item @param {number} at its place among those chosen, or -1 */
function manyRow(prompt, f, item, at) {
	const on = at >= 0;
	const onclick = () => prompt.toggle(f, item.id);
	const attrs = { role: "checkbox", "aria-checked": on, "data-o": rowOf(f, item), onclick };
	const place = f.ordered && on && h("span.oe", `${at + 1}.`);
	return button(`.opt.chk${on ? ".on" : ""}`, attrs, prompt.key(item), sign(item), words(item), place);
}

/** The name of the item on a slot; in narrow rows, only its sign is visible. @param {Words.Item} item @param {boolean} isDense */
const named = (item, isDense) => (isDense && item.g ? h("span.vh", item.label) : item.label);

/** A slot with the item that lies on it. @param {Prompt} prompt @param {Words.Field} f @param {Words.Item} slot */
function slotRow(prompt, f, slot) {
	const given = prompt.answers.assigned(f);
	const there = (f.items ?? []).filter(item => given[item.id] === slot.id);
	const onclick = () => {
		if (prompt.answers.held) {
			prompt.give(f, slot.id, prompt.answers.held);
		} else if (there.length) {
			prompt.take(f, there[there.length - 1].id);
		}
	};
	const on = there.length > 0;
	const isDense = (f.slots ?? []).length >= DENSE_FROM;
	const shown = there.map(item => [sign(item), there.length === 1 && !item.die && named(item, isDense)]);
	const got = h(`span.got${on ? "" : ".none"}`, { "aria-label": on ? null : t("empty") }, on ? shown : "—");
	return button(`.opt.slotrow${on ? ".on" : ""}`, { "data-o": rowOf(f, slot), onclick }, words(slot), got);
}

/** Things with the same name as one chip, with their number. @param {Prompt} prompt @param {Words.Field} f @param {Words.Item[]} equal */
function chip(prompt, f, equal) {
	const { held } = prompt.answers;
	const item = equal.find(({ id }) => id === held) ?? equal[0];
	const on = item.id === held;
	const attrs = { "data-o": rowOf(f, item), "aria-pressed": on, onclick: () => prompt.hold(item.id) };
	const number = equal.length > 1 && h("b", `×${equal.length}`);
	return button(`.chip${on ? ".on" : ""}`, attrs, sign(item), item.label, " ", number);
}

/** @param {Prompt} prompt @param {Words.Field} f */
function assignField(prompt, f) {
	const { items = [], slots = [] } = f;
	const given = prompt.answers.assigned(f);
	const free = items.filter(item => !given[item.id]);
	const chips = [...groupBy(free, item => item.label).values()].map(equal => chip(prompt, f, equal));
	const lacks = prompt.answers.lacks(f);
	const none = h("span.quiet", free.length ? lacks > 0 && t("toPlace", { n: lacks }) : t("allPlaced"));
	const rows = slots.map(slot => slotRow(prompt, f, slot));
	return [h("div.pool", chips, none), h(`div.opts${slots.length >= DENSE_FROM ? ".dense" : ""}`, rows)];
}

/** @type {Record<string, (prompt: Prompt, f: Words.Field) => Kid>} */
export const FIELDS = { one: oneField, many: manyField, assign: assignField };
