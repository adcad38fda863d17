// One of several options. Many options are chosen in steps: the act, then its actor and target. The
// consequences of an option are shown only for the option that is pointed at.
import { h, button } from "./dom.js";
import { groupBy } from "./geom.js";
import { glyph } from "./glyph.js";
import { isNarrow } from "./page.js";
import { dieFace } from "./piece.js";
import { t } from "./strings.js";

/** @typedef {import("./prompt.js").Prompt} Prompt */

/** The number of rows that are in sight at once. */
export const most = () => (isNarrow() ? 6 : 9);
/** Options up to this length are shown side by side; on a phone the limit is half of it, if there are more than a few options. */
const SHORT = 42;
const FEW = 3;
/** The number of chips that are in sight on a phone. */
const CHIPS = 24;
/** Options of this many words are grouped by their beginnings. */
const WORDY = 30;
/** The table of pairs, once it is loaded for a table that is played. @type {{ pairs?: (prompt: Prompt, f: Words.Field, options: Words.Option[]) => Kid }} */
export const later = {};

/**
 * An option and its consequences: read aloud, and shown when the pointer is on it.
 * @param {Choosable} o @param {string} [sub] @param {number} [cut] the length of its beginning that is shown above the list @param
 * {Kid} [more]
 */
export const words = (o, sub = o.sub, cut = 0, more = null) =>
	h(
		"span.ol",
		h("span.lb", cut > 0 && h("span.vh", o.label.slice(0, cut)), o.label.slice(cut)),
		sub && h("span.sb", sub),
		more,
	);

/** @param {Choosable} o */
export function sign(o) {
	const die = "die" in o ? o.die : undefined;
	return die ? dieFace(die, ".sm") : o.g && glyph(o.g);
}

/** @param {Words.Field} f @param {Choosable} o */
export const rowOf = (f, o) => `${f.id}|${o.id}`;

/** The dice of an option. @param {Words.PooledDie} pooled */
const pool = ({ t: tone, g, n, label }) =>
	h("span.dn", { role: "img", "aria-label": label, title: label }, dieFace({ t: tone, g }, ".sm"), n > 1 && `×${n}`);

/** The text and the act of an option's row. @param {Prompt} prompt @param {Words.Field} f @param {Words.Option} o */
export function attrsOf(prompt, f, o) {
	const tip = /** @type {string | undefined} */ (/** @type {unknown} */ (o.tip));
	return {
		"aria-label": f.look && tip ? `${o.label}, ${tip}` : null,
		"data-o": rowOf(f, o),
		"data-file": o.file ? "" : null,
		"aria-disabled": o.off && "true",
		title: o.off || tip,
		"aria-pressed": prompt.asks() ? prompt.v[f.id] === o.id : null,
		onclick: () => prompt.choose(f, o.id),
	};
}

/** The key of an option. The key is not one that another option has, nor the single character of a chip. @param {Prompt} prompt @param {Words.Field} f @param {Words.Option} o */
export function keyOf(prompt, f, o) {
	const isSign = (/** @type {Words.Option} */ other) => f.look && other.label.length === 1;
	const taken = (f.options ?? []).map(other => (isSign(other) ? other.label : (other.key ?? "")));
	return !isSign(o) && (o.key ? h("kbd", o.key) : prompt.key(o, taken));
}

/** @param {Prompt} prompt @param {Words.Field} f @param {Words.Option} o @param {number} cut */
function optionRow(prompt, f, o, cut) {
	const on = prompt.v[f.id] === o.id ? ".on" : "";
	const tone = o.tone ? `.o-${o.tone}` : "";
	return button(
		`.opt${on}${tone}`,
		attrsOf(prompt, f, o),
		keyOf(prompt, f, o),
		sign(o),
		words(o, o.off || o.sub, cut, prompt.warned(f, o)),
		o.dice ? h("span.od", o.dice.map(pool)) : o.end && h("span.oe", o.end),
	);
}

/** The next ref of an option. @param {Prompt} prompt @param {Words.Option} o */
const nextRef = ({ path }, o) => o.at?.[path.length] ?? "";

/** The beginning that several options share; the place distinguishes two of the same name. @param {Prompt} prompt @param {Words.Option[]} way @param {string[]} names of all ways */
function wayRow(prompt, [first, ...others], names) {
	const { path } = prompt;
	const ref = nextRef(prompt, first);
	const { zone = "", slot } = prompt.scene?.pieces[ref] ?? {};
	const name = prompt.name(ref);
	const place = prompt.place(zone, slot);
	const isOne = names.indexOf(name) === names.lastIndexOf(name);
	const o = { id: "", grp: first.grp, label: isOne || !place ? name : `${name}, ${place}`, sub: place };
	const attrs = { "data-o": "", "data-way": ref, onclick: () => prompt.enter([...path, ref], first.grp ?? "") };
	const n = others.length + 1;
	return button(".opt", attrs, prompt.key(o), words(o), h("span.oe", { title: t("thenOptions", { n }) }, "›"));
}

/** The possible acts; a chosen act stays in its row and can be exchanged. @param {Prompt} prompt @param {string[]} names */
function verbsRow(prompt, names) {
	const { verb } = prompt.answers;
	const buttons = names.map(name => {
		const on = name === verb;
		const onclick = () => prompt.enterVerb(name);
		const attrs = { "data-o": `verb|${name}`, "data-way": "", "data-verb": "", "aria-pressed": on, onclick };
		// a chosen verb gives its key to its targets, and keeps its place
		const key = verb === undefined ? prompt.key({ label: name }) : h("kbd.no");
		return button(`.opt.verb${on ? ".on" : ""}`, attrs, key, h("span.lb", name));
	});
	return h("div.opts.verbs", buttons);
}

/** The length of the beginning that all labels of a list share, in whole words and without a part of the name at their end: two or more words are hidden. @param {Prompt} prompt @param {Words.Option[]} options */
function common(prompt, options) {
	const [first, ...others] = options.map(o => o.label.split(" "));
	const n = first.findIndex((word, i) => others.some(other => other[i] !== word));
	const ends = options.map(o => o.label.indexOf(prompt.name(o.at?.at(-1) ?? "")));
	const most = Math.min(...ends.filter(at => at > 0));
	const cut = others.length && n > 1 ? Math.min(first.slice(0, n).join(" ").length + 1, most) : 0;
	// the rest is meaningful by itself
	return options.every(o => /\p{L}/u.test(o.label.slice(cut))) ? cut : 0;
}

/** The actor of all these options, if the list no longer names it. @param {Prompt} prompt @param {string} title @param {Words.Option[]} options */
function actorOf(prompt, title, options) {
	const [{ at = [], label }] = options;
	const who = at[0] && prompt.name(at[0]);
	const isHidden = who && !prompt.path.length && label.startsWith(who) && common(prompt, options) > who.length;
	return isHidden && !title.startsWith(who) ? who : "";
}

/** The length of the beginning of an option's label that its group's title already contains. @param {Words.Option} o */
function titled({ grp = "", label }) {
	const [title] = grp.split(/[,:]/);
	const between = title && label.startsWith(title) ? label.slice(title.length).match(/^(: | )/)?.[0] : undefined;
	return between ? title.length + between.length : 0;
}

/** Whether options have many words, half of which are saved if shared beginnings are shown once. @param {Words.Option[]} options @param {Words.Option[][]} ways */
function isWordy(options, ways) {
	const words = options.reduce((n, o) => n + o.label.split(" ").length, 0);
	return words > WORDY && ways.length > 1 && ways.length * 2 <= options.length;
}

/** Options of one kind: below each other, as a table, or grouped by their beginnings. @param {Prompt} prompt @param {Words.Field} f @param {Words.Option[]} options */
function listOf(prompt, f, options) {
	const { path } = prompt;
	const room = isNarrow() ? SHORT : SHORT / 2;
	const cut = options[0].grp || path.length ? common(prompt, options) : 0;
	const size = (/** @type {Words.Option} */ o) => (o.dice ? room : o.label.length - cut + (o.end ?? "").length);
	const ways = [...groupBy(options, o => o.at?.[path.length] ?? o.id).values()];
	const pairs = !path.length && later.pairs?.(prompt, f, options);
	if (pairs) {
		return pairs;
	}
	const fits = options.every(o => size(o) < room);
	const isFew = !isWordy(options, ways) && options.length <= most() * (fits ? 2 : 1);
	const isFlat = isFew || f.look || ways.length === 1;
	// only the name of a way is shown there
	const isShort = isFlat ? fits : ways.every(([first, more]) => more || size(first) < room);
	const rows = isFlat ? options.length : ways.length;
	const shape = `.opts${f.look ? ".chips" : ""}${isShort && rows > (isNarrow() ? FEW : most()) ? ".two" : ""}`;
	const names = ways.map(([first]) => prompt.name(nextRef(prompt, first)));
	const row = (/** @type {Words.Option[]} */ way) =>
		way[1] ? wayRow(prompt, way, names) : optionRow(prompt, f, way[0], cut || titled(way[0]));
	return h(`div${shape}`, (isFlat ? options.map(o => [o]) : ways).map(row));
}

/** The number of options in sight beside some verbs. @param {Words.Field} f @param {number} verbs */
function inSight({ look }, verbs) {
	const chips = isNarrow() ? CHIPS : Infinity;
	return look ? chips : most() - verbs;
}

/** The group of options that pass, if others have acts. */
const APART = " ";

/** Whether an option passes: such an option comes last. @param {Words.Option} o */
const isPassing = o => (o.tone === "quiet" || o.key === "0") && !o.at;

/** @param {Prompt} prompt @param {Words.Field} f */
export function oneField(prompt, f) {
	const { goal, path, verb } = prompt.answers;
	const left = [...prompt.offered(f)].sort((a, b) => Number(isPassing(a)) - Number(isPassing(b)));
	const all = prompt.armed ? left : prompt.answers.candidates(f, path, null);
	const verbs = [...new Set(all.flatMap(o => o.grp ?? []))];
	const isDivided = verbs.length > 1 || (verbs.length > 0 && all.filter(o => !o.grp).length > FEW);
	const asksVerb = verb !== undefined || (isDivided && all.length > inSight(f, verbs.length));
	const at = path.at(-1) ?? goal;
	const crumb = at && button(".crumb", { onclick: () => prompt.back() }, "‹ ", prompt.name(at));
	const shown = verb === undefined && asksVerb && !prompt.armed ? left.filter(o => !o.grp) : left;
	// options that pass, below the options of an act, would look as if they belonged to that act
	const groups = groupBy(shown, o => o.grp ?? (verbs.length > 0 && isPassing(o) ? APART : ""));
	const lists = [...groups].map(([name, options]) => {
		const told = [name === verb || name === APART ? "" : name, actorOf(prompt, name, options)]
			.filter(Boolean)
			.join(": ");
		const title = told && h(f.label ? "h4" : "h3.grp", told);
		const list = listOf(prompt, f, options);
		return [title, name === APART ? h("div.apart", list) : list];
	});
	// a finger cannot rest on a sign to read it: a line for its text is reserved from the beginning, or signs would move
	const { label, tip } = prompt.chosen(f) ?? {};
	const told = f.look && left[0]?.tip && h("p.quiet.worth", tip ? `${label}: ${tip}` : "\u00a0");
	return [crumb, asksVerb && !prompt.armed && verbs.length > 0 && verbsRow(prompt, verbs), lists, told];
}
