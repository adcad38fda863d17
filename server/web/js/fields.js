// How each kind of field of a prompt is drawn and answered.
import { h, button } from "./dom.js";
import { groupBy } from "./geom.js";
import { glyph } from "./glyph.js";
import { dieFace } from "./piece.js";
import { t } from "./strings.js";

/** @typedef {import("./prompt.js").Prompt} Prompt */

const DENSE_FROM = 5;
/** Where more options are left, what they begin with is offered first. */
const MOST_ROWS = 9;

/** @param {Choosable} o @param {string} [sub] */
const words = (o, sub = o.sub) => h("span.ol", h("span.lb", o.label), sub && h("span.sb", sub));

/** @param {Choosable} o */
function sign(o) {
	const die = "die" in o ? o.die : undefined;
	return die ? dieFace(die, ".sm") : o.g && glyph(o.g);
}

/** @param {Words.Field} f @param {Choosable} o */
const rowOf = (f, o) => `${f.id}|${o.id}`;

/** The rows of a field: below each other, or side by side. @param {Words.Field} f @param {HTMLElement[]} rows */
const listed = (f, rows) => h(`div.opts${f.look ? ".chips" : ""}`, rows);

/** The dice of an option. @param {Words.PooledDie} pooled */
const pool = ({ t: tone, g, n, label }) =>
	h("span.dn", { role: "img", "aria-label": label, title: label }, dieFace({ t: tone, g }, ".sm"), n > 1 && `×${n}`);

/** @param {Prompt} prompt @param {Words.Field} f @param {Words.Option} o */
function optionRow(prompt, f, o) {
	const chips = f.look === "chips";
	const on = prompt.answers.values[f.id] === o.id;
	const tip = /** @type {string | undefined} */ (/** @type {unknown} */ (o.tip));
	// keys that are given, and chips of one sign, which are their own: no other has them
	const taken = (f.options ?? []).map(other => (chips && other.label.length === 1 ? other.label : (other.key ?? "")));
	const attrs = {
		"aria-label": chips && tip ? `${o.label}, ${tip}` : null,
		"data-o": rowOf(f, o),
		"data-file": o.file ? "" : null,
		"aria-disabled": o.off && "true",
		title: o.off || tip,
		"aria-pressed": prompt.asks() ? on : null,
		onclick: () => prompt.choose(f, o.id),
	};
	const tone = o.tone ? `.o-${o.tone}` : "";
	return button(
		`.opt${on ? ".on" : ""}${tone}`,
		attrs,
		!(chips && o.label.length === 1) && (o.key ? h("kbd", o.key) : prompt.key(o, taken)),
		sign(o),
		words(o, o.off || o.sub),
		o.dice ? h("span.od", o.dice.map(pool)) : o.end && h("span.oe", o.end),
	);
}

/** The options, together where they begin alike and there are many. @param {Words.Option[]} options @param {number} depth */
function narrowed(options, depth) {
	const ways = groupBy(options, o => `${o.grp ?? ""} ${o.at?.[depth] ?? o.id}`);
	return options.length > MOST_ROWS && ways.size > 1 ? [...ways.values()] : options.map(o => [o]);
}

/** What several options begin with. @param {Prompt} prompt @param {Words.Option[]} way */
function wayRow(prompt, [first, ...others]) {
	const { path } = prompt.answers;
	const ref = first.at?.[path.length] ?? "";
	const { zone = "", slot } = prompt.scene?.pieces[ref] ?? {};
	const o = { id: "", grp: first.grp, label: prompt.name(ref), sub: prompt.place(zone, slot) };
	const attrs = { "data-o": "", "data-way": ref, onclick: () => prompt.enter([...path, ref], first.grp ?? "") };
	const n = others.length + 1;
	return button(".opt", attrs, prompt.key(o), words(o), h("span.oe", t("thenOptions", { n })));
}

/** @param {Prompt} prompt @param {Words.Field} f */
function oneField(prompt, f) {
	const { path } = prompt.answers;
	const groups = groupBy(narrowed(prompt.offered(f), path.length), ([o]) => o.grp ?? "");
	const crumb =
		path.length > 0 && button(".crumb", { onclick: () => prompt.back() }, "‹ ", prompt.name(path[path.length - 1]));
	const lists = [...groups].map(([name, ways]) => {
		const rows = ways.map(way => (way[1] ? wayRow(prompt, way) : optionRow(prompt, f, way[0])));
		return [name && h(f.label ? "h4" : "h3.grp", name), listed(f, rows)];
	});
	return [crumb, lists];
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

/** A slot with what lies on it. @param {Prompt} prompt @param {Words.Field} f @param {Words.Item} slot */
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
	const shown = there.map(item => [sign(item), there.length === 1 && !item.die && item.label]);
	const got = h(`span.got${on ? "" : ".none"}`, { "aria-label": on ? null : t("empty") }, on ? shown : "—");
	return button(`.opt.slotrow${on ? ".on" : ""}`, { "data-o": rowOf(f, slot), onclick }, words(slot), got);
}

/** @param {Prompt} prompt @param {Words.Field} f */
function assignField(prompt, f) {
	const { items = [], slots = [] } = f;
	const given = prompt.answers.assigned(f);
	const free = items.filter(item => !given[item.id]);
	const chips = free.map(item => {
		const held = prompt.answers.held === item.id;
		const attrs = { "data-o": rowOf(f, item), "aria-pressed": held, onclick: () => prompt.hold(item.id) };
		return button(`.chip${held ? ".on" : ""}`, attrs, sign(item), item.label);
	});
	const none = !free.length && h("span.quiet", t("allPlaced"));
	const rows = slots.map(slot => slotRow(prompt, f, slot));
	return [h("div.pool", chips, none), h(`div.opts${slots.length >= DENSE_FROM ? ".dense" : ""}`, rows)];
}

/** @param {Prompt} prompt @param {Words.Field} f */
function numberField(prompt, f) {
	/** @param {number} d */
	const step = d => () => prompt.change(() => prompt.answers.step(f, d));
	return h(
		"div.num",
		button("", { "aria-label": t("less"), onclick: step(-1) }, "−"),
		h("output", prompt.answers.values[f.id]),
		button("", { "aria-label": t("more"), onclick: step(1) }, "+"),
		f.unit && h("span.quiet", f.unit),
	);
}

/** @param {Prompt} prompt @param {Words.Field} f */
function orderField(prompt, f) {
	/** @type {string[]} */
	const order = prompt.answers.values[f.id] || [];
	/** @param {number} i */
	const up = i => () => {
		if (i) {
			prompt.change(() => prompt.answers.earlier(f, i));
		}
	};
	const rows = order.map((id, i) => {
		const label = f.items?.find(x => x.id === id)?.label;
		return h("li", h("span", label), button("", { "aria-label": t("earlier"), onclick: up(i) }, "↑"));
	});
	return h("ol.ord", rows);
}

/** @type {Record<string, (prompt: Prompt, f: Words.Field) => Kid>} */
export const FIELDS = { one: oneField, many: manyField, assign: assignField, number: numberField, order: orderField };
