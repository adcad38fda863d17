// The player's own armies that this browser keeps, by game, and the army to be submitted at the next table.

const MOST = 40;

/** @typedef {Record<string, any>} Army the document that a file holds */

/**
 * @template T
 * @param {Storage} store @param {string} key @param {T} other the value if nothing is kept @returns {T}
 */
function read(store, key, other) {
	try {
		return JSON.parse(store.getItem(`herald.${key}`) ?? "null") ?? other;
	} catch {
		return other;
	}
}

/** @param {Storage} store @param {string} key @param {unknown} value */
function write(store, key, value) {
	try {
		store.setItem(`herald.${key}`, JSON.stringify(value));
	} catch {
		/* not kept */
	}
}

/** Armies kept, latest first. @param {string} game @returns {Army[]} */
export const armiesOf = game => read(localStorage, `armies.${game}`, []);

/** @param {string} game @param {Army} army */
export function keepArmy(game, army) {
	const others = armiesOf(game).filter(a => a.id !== army.id);
	write(localStorage, `armies.${game}`, [army, ...others].slice(0, MOST));
}

/** @param {string} game @param {string} id */
export const dropArmy = (game, id) =>
	write(
		localStorage,
		`armies.${game}`,
		armiesOf(game).filter(a => a.id !== id),
	);

/** The last edited army. @param {string} game @returns {Army | null} */
export const lastDraft = game => read(localStorage, `draft.${game}`, null);

/** @param {string} game @param {Army} army */
export const keepDraft = (game, army) => write(localStorage, `draft.${game}`, army);

/** The id of the army that was chosen with a new match. @param {string} game @returns {string} */
export const chosenArmy = game => read(sessionStorage, `handin.${game}`, "");

/** @param {string} game @param {string} id empty for none */
export const chooseArmy = (game, id) => write(sessionStorage, `handin.${game}`, id);
