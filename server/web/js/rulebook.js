// The words and the rules of a game: loaded when first asked for, shown in a panel beside the table, found by words.
import { $, button, clear, h } from "./dom.js";
import { inline } from "./page.js";
import { found, sought } from "./rulesearch.js";
import { t } from "./strings.js";

/** The id of a row of the rules. */
export const ID = /\b[A-Z]{2}-[A-Z]?\d{2,3}\b/g;
const AROUND = 3;
const MOST = 30;
/** The number of columns of a row with one statement and the place where it is printed. */
const PLAIN = 3;

/**
 * `english`: its name in English texts, if that is another one; `untranslated`: it exists only in English.
 * @typedef {{ name: string, text: string, rules: string[], see?: string[], english?: string, untranslated?: boolean }} Term
 */
/** A row: the number of its section, and its cells. @typedef {[number, ...[string, string][]]} Row */
/** @typedef {{ sections: string[], rows: Record<string, Row> }} Rules */
/** @typedef {Record<string, Term>} TermsByKey */
/** A part of how a game is played. @typedef {{ title: string, text: string[], rules: string[] }} Part */

/** @type {Map<string, Promise<any>>} */
const loading = new Map();

/** @param {string} what @param {string} game */
async function load(what, game) {
	const { lang } = document.documentElement;
	if (inline) {
		const held = JSON.parse($(`#${what}`)?.textContent ?? "{}");
		return held[lang] ?? held.en;
	}
	const named = await fetch(`/api/${what}/${game}?lang=${lang}`);
	return named.ok ? (await fetch((await named.json()).at)).json() : null;
}

/** @param {string} what @param {string} game */
function once(what, game) {
	const key = `${what}/${game}`;
	const found = loading.get(key) ?? load(what, game).catch(() => loading.delete(key) && null);
	loading.set(key, found);
	return found;
}

/** A game's words, by key; nothing for a game that has none. @param {string} game @returns {Promise<TermsByKey>} */
export const wordsOf = async game => (await once("words", game)) ?? {};

/** @param {string} game @returns {Promise<Rules>} */
const rulesOf = async game => (await once("rules", game)) ?? { sections: [], rows: {} };

/** How a game is played, in plain words. @param {string} game @returns {Promise<Part[]>} */
async function guideOf(game) {
	const { lang } = document.documentElement;
	const told = inline ? null : await fetch(`/guides/${game}?lang=${lang}`).catch(() => null);
	return told?.ok ? (await told.json()).parts : [];
}

/** A link to a row, or to all entries with these words. @param {string} to @param {string} text */
export const link = (to, text, tab = 0) => h("span.rid", { role: "link", "data-rid": to, tabindex: String(tab) }, text);

/** A text with its ids as links that open the row. @param {string} text @param {number} [tab] whether the keyboard stops there */
export function linked(text, tab = 0) {
	const ids = text.match(ID) ?? [];
	return text.split(ID).flatMap((part, i) => {
		const id = ids[i];
		return id ? [part, link(id, id, tab)] : [part];
	});
}

/** The text of a row, without its place in the book. @param {Row} row */
const said = ([, ...cells]) =>
	cells
		.filter(([word]) => !["§", "Source", "Rules heading", "From"].includes(word))
		.map(cell => cell[1])
		.filter(cell => cell !== "-")
		.join(" · ");

/** @param {Rules} rules @param {string} id */
function rowShown({ rows }, id, on = false) {
	return h(`div.row${on ? ".on" : ""}`, { tabindex: on ? "-1" : null }, linked(id), h("p", linked(said(rows[id]))));
}

/** The ids of the rows around a row in its section. @param {Rules} rules @param {string} id */
function around({ rows }, id) {
	const same = Object.keys(rows).filter(other => rows[other][0] === rows[id][0]);
	const at = same.indexOf(id);
	return same.slice(Math.max(0, at - AROUND), at + AROUND + 1);
}

/** @param {string} label @param {string[]} ids */
const listed = (label, ids) => ids.length > 0 && h("p.quiet", `${label} `, linked([...new Set(ids)].join(", ")));

/** A term; texts that are not in the page's language are marked. @param {Term} term */
export const termShown = ({ name, text, rules, english, untranslated }, tab = 0) => {
	const lang = untranslated ? "en" : null;
	return [
		h("dt", { lang }, name, english && h("small.quiet", { lang: "en" }, ` ${english}`)),
		h("dd", h("span", { lang }, text), " ", untranslated && "(en) ", linked(rules.join(" "), tab)),
	];
};

/** @param {Term[]} terms */
const termsShown = terms =>
	h(
		"dl",
		terms.map(term => termShown(term)),
	);

/** @param {Part} part @param {boolean} open */
const partShown = ({ title, text, rules }, open) =>
	h(
		"details",
		{ open },
		h("summary", title),
		text.map(one => h("p", linked(one))),
		h("p.quiet", linked(rules.join(" "))),
	);

export class Rulebook {
	/** The pages shown before, latest last: ids, or words sought. @type {string[]} */
	past = [];
	/** The element that has the keyboard's focus again when the panel closes. @type {HTMLElement | null} */
	from = null;
	/** @type {Promise<Part[]> | undefined} */
	guide = undefined;

	/** @param {() => string} game */
	constructor(game) {
		this.game = game;
		const oninput = () => this.show(this.field.value.trim());
		const onfocus = () => this.field.select();
		this.field = /** @type {HTMLInputElement} */ (
			h("input", { type: "search", "aria-label": t("searchRules"), placeholder: t("searchRules"), oninput, onfocus })
		);
		this.body = h("div.body", { "aria-live": "polite" });
		this.root = h("aside.panel", { id: "book", "aria-label": t("rules"), hidden: true }, this.head(), this.body);
		this.root.addEventListener("keydown", event => {
			event.stopPropagation();
			if (event.key === "Escape") {
				this.close();
			}
		});
		document.body.append(this.root);
	}

	head() {
		return h(
			"header",
			h("h2", t("rules")),
			button(".ghost", { onclick: () => this.back(), "aria-label": t("back") }, "‹"),
			this.field,
			button(".ghost", { onclick: () => this.close(), "aria-label": t("close") }, "✕"),
		);
	}

	/** Opens the panel at a row, or at the search. @param {string} [id] */
	open(id = "") {
		if (this.root.hidden) {
			this.from = /** @type {HTMLElement | null} */ (document.activeElement);
			this.root.hidden = false;
			document.body.classList.add("reading");
		}
		if (!id) {
			this.field.focus();
		}
		return this.show(id);
	}

	close() {
		this.root.hidden = true;
		document.body.classList.remove("reading");
		this.past = [];
		this.from?.focus();
	}

	back() {
		this.past.pop();
		return this.show(this.past.pop() ?? "");
	}

	/** Shows a row, or the entries with these words. @param {string} what */
	async show(what) {
		this.guide ??= guideOf(this.game());
		const [rules, words, parts] = await Promise.all([rulesOf(this.game()), wordsOf(this.game()), this.guide]);
		const typed = document.activeElement === this.field;
		if (typed && /** @type {string} */ (this.field.value.trim()) !== what) {
			return;
		}
		this.past.push(what);
		const id = what.toUpperCase();
		if (!typed) {
			this.field.value = what;
		}
		clear(this.body, id in rules.rows ? this.rowPage(rules, words, id) : this.found(rules, words, parts, what));
		const row = /** @type {HTMLElement | null} */ ($(".row.on", this.body));
		row?.scrollIntoView({ block: "nearest" });
		if (!typed) {
			row?.focus({ preventScroll: true });
		}
	}

	/** @param {Rules} rules @param {TermsByKey} words @param {string} id */
	rowPage(rules, words, id) {
		const [section, ...cells] = rules.rows[id];
		const naming = Object.keys(rules.rows).filter(other => other !== id && said(rules.rows[other]).includes(id));
		const terms = Object.values(words).filter(term => term.rules.includes(id));
		const parts = cells.length > PLAIN - 1 ? cells.map(([word, value]) => [h("dt", word), h("dd", linked(value))]) : [];
		return [
			h("h3", rules.sections[section]),
			around(rules, id).map(other => rowShown(rules, other, other === id)),
			parts.length > 0 && h("dl", parts),
			listed(t("namedBy"), naming),
			terms.length > 0 && h("h3", t("words")),
			termsShown(terms),
		];
	}

	/** The results with the words sought: entries before rows. @param {Rules} rules @param {TermsByKey} words @param {Part[]} parts @param {string} what */
	found({ rows, sections }, words, parts, what) {
		if (!what) {
			return this.contents({ rows, sections }, words, parts);
		}
		const [told, terms, ids] = found(sought(what), [
			parts.map(part => ({ one: part, name: part.title, text: part.text.join(" ") })),
			Object.values(words).map(term => ({ one: term, name: `${term.name} ${term.english ?? ""}`, text: term.text })),
			Object.keys(rows).map(id => ({ one: id, name: id, text: said(rows[id]) })),
		]);
		const more = Math.max(0, terms.length - MOST) + Math.max(0, ids.length - MOST);
		return [
			told.map((part, i) => partShown(part, i === 0)),
			termsShown(terms.slice(0, MOST)),
			ids.slice(0, MOST).map(id => rowShown({ rows, sections }, id)),
			more > 0 && h("p.quiet", t("moreFound", { n: more })),
			!terms.length && !ids.length && !told.length && h("p.quiet", t("nothingFound", { what })),
		];
	}

	/**
	 * How the game is played, in plain words; below it all words, and the sections, each with its first row.
	 * @param {Rules} rules @param {TermsByKey} words @param {Part[]} parts
	 */
	contents({ sections, rows }, words, parts) {
		const first = sections.map((_, i) => Object.keys(rows).find(id => rows[id][0] === i));
		/** @param {string} page @param {string} label */
		const link = (page, label) => h("a.ghost", { href: `/${page}#g=${this.game()}`, target: "_blank" }, label);
		const terms = Object.values(words).sort((a, b) => a.name.localeCompare(b.name));
		return [
			parts.map((part, i) => partShown(part, i === 0)),
			!inline && h("p.after", link("guide", t("howToPlay")), link("learn", t("lessons"))),
			terms.length > 0 && h("details", h("summary", t("words")), termsShown(terms)),
			h(
				"details",
				{ open: !parts.length },
				h("summary", t("allRows")),
				sections.map((section, i) => first[i] && h("p.section", linked(first[i] ?? ""), " ", section)),
			),
		];
	}
}
