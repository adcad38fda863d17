// The words of a search in the rules, without question words, each with its synonyms.
import { t } from "./strings.js";

/** The weight of a synonym, between a whole word and a part of one. */
const ALIKE = 0.25;
/** The weight of a word in the name. */
const SPOKEN = 0.5;

/** @param {string} text @returns {string[]} */
const wordsIn = text => text.toLowerCase().match(/[\p{L}\p{N}+]+(?:-[\p{L}\p{N}]+)*/gu) ?? [];

/**
 * The words sought, each with its synonyms. Asking words are dropped, unless there are no others.
 * @param {string} text @returns {string[][]}
 */
export function sought(text) {
	const asking = new Set(wordsIn(t("searchAsks")));
	const groups = t("searchAlike").split("|").map(wordsIn);
	const all = wordsIn(text);
	const meant = all.filter(word => !asking.has(word));
	return (meant.length ? meant : all).map(word => [word, ...groups.filter(group => group.includes(word)).flat()]);
}

/**
 * How well a text has the words: 0 as whole words, less well as synonyms, 1 as parts of words, Infinity if a word is missing.
 * @param {string} text @param {string[][]} words @param {boolean} [any] whether one of them is enough
 */
function rank(text, words, any = false) {
	const low = text.toLowerCase();
	const whole = new Set(wordsIn(text));
	const each = words.map(([word, ...alike]) => {
		if (whole.has(word)) {
			return 0;
		}
		const part = low.includes(word) ? 1 : Infinity;
		return alike.some(other => whole.has(other)) ? ALIKE : part;
	});
	return any ? Math.min(...each) : Math.max(...each);
}

/** An entry that may be found: the thing, its name, its text. @template T @typedef {{ one: T, name: string, text: string }} Entry */

/** The entries of a kind that have the words, the best first: an entry named so before one that only mentions it. @param {Entry<any>[]} all @param {string[][]} words @param {boolean} any */
function best(all, words, any) {
	const ranked = all.map(({ one, name, text }) => {
		const called = rank(name, words, any);
		return { one, r: Math.min(called, SPOKEN + rank(`${name} ${text}`, words, any)) };
	});
	const left = ranked.filter(({ r }) => r < Infinity).sort((a, b) => a.r - b.r);
	return left.map(({ one }) => one);
}

/** The entries of each kind with all of the words; if there are none, those with one of them. @param {string[][]} words @param {Entry<any>[][]} kinds */
export function found(words, kinds) {
	const whole = kinds.map(all => best(all, words, false));
	return whole.some(all => all.length) ? whole : kinds.map(all => best(all, words, true));
}
