// A draft of an army: reading and changing its parts by their ways. The server knows the rules.

/** @typedef {import("./armies.js").Army} Army */
/** @typedef {(string | number)[]} Way */

/** The part of a draft at a way. @param {Army} draft @param {Way} way @returns {any} */
export const at = (draft, way) => way.reduce((/** @type {any} */ part, key) => part?.[key], draft);

/** The draft with another part at a way; parts on the way that are missing are made. @param {Army} draft @param {Way} way @param {unknown} value @returns {any} */
export function put(draft, [key, ...rest], value) {
	/** @type {any} */
	const copy = Array.isArray(draft) ? [...draft] : { ...draft };
	copy[key] = rest.length ? put(at(draft, [key]) ?? {}, rest, value) : value;
	return copy;
}

/** The draft without the card at a place. @param {Army} draft @param {Way} way @param {string} place */
export function emptied(draft, way, place) {
	const left = { ...at(draft, way) };
	delete left[place];
	return put(draft, way, left);
}

/** The id that goes with a name. @param {string} name */
export function idOf(name) {
	const plain = name.normalize("NFD").replace(/[\u0300-\u036f]/g, "");
	const id = plain
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "_")
		.replace(/^[^a-z]+|_+$/g, "");
	return id.length < 3 ? `army_${id || "mine"}` : id.slice(0, 40);
}

/** The list with an entry added, or without it if it is there. @param {string[]} list @param {string} id */
export const toggled = (list, id) => (list.includes(id) ? list.filter(other => other !== id) : [...list, id]);

/** The list without the entry with this number. @param {string[]} list @param {number} n */
export const without = (list, n) => list.filter((_, i) => i !== n);

/** The card at each place of a formation: a card's id, and whether it is the one that leads. @param {Army} draft @param {Builder.Field} field @param {Map<string, Builder.Card>} cards */
export function standing(draft, field, cards) {
	/** @type {Map<string, { id: string, leads: boolean, behind: boolean }>} */
	const found = new Map();
	const lead = field.lead && at(draft, field.lead);
	if (lead && field.lead_at) {
		found.set(String(at(draft, field.lead_at)), { id: lead, leads: true, behind: false });
	}
	const [front, back] = field.rows ?? [];
	for (const [place, id] of Object.entries(at(draft, field.way) ?? {})) {
		found.set(place, { id, leads: false, behind: false });
		const behind = back?.[front.indexOf(place)];
		if (cards.get(id)?.tall && behind && !found.has(behind)) {
			found.set(behind, { id, leads: false, behind: true });
		}
	}
	return found;
}
