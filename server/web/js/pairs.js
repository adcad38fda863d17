// A table of actors and targets, where each pair is one option.
import { attrsOf, keyOf, most } from "./choices.js";
import { button, h } from "./dom.js";
import { groupBy } from "./geom.js";

/** @typedef {import("./prompt.js").Prompt} Prompt */

/** A table needs more options than the first number, and at most the second number of columns. */
const PAIRS = 3;
const COLUMNS = 4;

/** The words of an option after its actor. @param {Words.Option} o */
const goals = o => (o.at ?? []).slice(1);

/** The pairs of actor and target, where each pair is one option: the columns, and the options of each row. @param {Prompt} prompt @param {Words.Option[]} options */
function paired(prompt, options) {
	if (options.length <= PAIRS) {
		return null;
	}
	const columns = [...new Set(options.map(o => o.at?.[0] ?? ""))];
	const rows = [...groupBy(options, o => goals(o).join(" ")).values()];
	const kinds = new Set(columns.map(ref => prompt.scene?.pieces[ref]?.kind));
	const isOne = rows.every(row => goals(row[0]).length > 0 && new Set(row.map(o => o.at?.[0])).size === row.length);
	const fits = columns.length > 1 && columns.length <= COLUMNS && rows.length > 1 && rows.length <= most() + 3;
	const isFull = options.length * 2 > columns.length * rows.length;
	// somebody who acts and is acted on, such as by changing places, would be a column and a row
	const names = columns.map(ref => prompt.name(ref));
	const isApart = !rows.some(([{ at = [] }]) => at.slice(1).some(ref => names.includes(prompt.name(ref))));
	return kinds.size === 1 && isOne && fits && isFull && isApart ? { columns, rows } : null;
}

/** Such pairs as a table. @param {Prompt} prompt @param {Words.Field} f @param {{ columns: string[], rows: Words.Option[][] }} pairs */
function table(prompt, f, { columns, rows }) {
	const head = columns.map(ref => h("span.hd", prompt.scene?.pieces[ref]?.short || prompt.name(ref)));
	const cells = rows.map(row => {
		const names = goals(row[0]).map(ref => prompt.name(ref));
		const each = columns.map(ref => row.find(o => o.at?.[0] === ref));
		const end = row.every(o => o.end === row[0].end) && h("span.oe", row[0].end);
		return [h("span.lb", names.join(", "), " ", end), each.map(o => (o ? cell(prompt, f, o) : h("span")))];
	});
	const chosen = prompt.chosen(f);
	// the choice to be confirmed and its consequences: cells have no room for them
	const picked = chosen && h("p.picked", chosen.label, chosen.sub && h("small", chosen.sub));
	return h("div.opts.pairs", { style: { "--n": columns.length } }, h("span"), head, cells, picked);
}

/** @param {Prompt} prompt @param {Words.Field} f @param {Words.Option} o */
function cell(prompt, f, o) {
	const attrs = { ...attrsOf(prompt, f, o), "aria-label": [o.label, o.sub].filter(Boolean).join(", ") };
	const on = prompt.v[f.id] === o.id ? ".on" : "";
	const tone = o.tone ? `.o-${o.tone}` : "";
	return button(`.opt${on}${tone}`, attrs, keyOf(prompt, f, o));
}

/** The options as a table, if they are pairs. @param {Prompt} prompt @param {Words.Field} f @param {Words.Option[]} options @returns {Kid} */
export function pairsOf(prompt, f, options) {
	const pairs = paired(prompt, options);
	return pairs && table(prompt, f, pairs);
}
