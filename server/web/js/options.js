// The options of a game as the fields of a form, and how many seats they give a match.
import { h } from "./dom.js";
import { endings, has, t } from "./strings.js";

/** @typedef {HTMLInputElement | HTMLSelectElement} FormField */

/** The type of an option's field, by the type of its default. @type {Record<string, string>} */
const INPUTS = { boolean: "checkbox", number: "number" };

/** The value of the entry for a number without a name. */
const OTHER = "other";

/** @param {FormField} e @returns {boolean | number | string} */
export function value(e) {
	if (e.type === "checkbox") {
		return /** @type {HTMLInputElement} */ (e).checked;
	}
	return e.type === "number" ? Number(e.value) : e.value.trim();
}

/** @param {string} name */
const spaced = name => name.replaceAll("_", " ");

/** @param {string} key @param {boolean | number | string} was the default @param {(string | number)[] | undefined} values all possible values */
function optionField(key, was, values) {
	if (values) {
		const options = values.map(v => {
			const label = has(`option.${key}.${v}`, spaced(String(v)));
			return h("option", { value: v, selected: v === was }, label);
		});
		return h("select", options);
	}
	const type = INPUTS[typeof was] || "text";
	return h("input", { type, checked: was === true, value: was });
}

/** The effect of an option, as a sentence under it that describes its field. @param {string} key @param {HTMLElement} input @param {string} of the form */
function explained(key, input, of) {
	const said = has(`about.option.${key}`, "");
	if (!said) {
		return null;
	}
	const id = `about-${of}${key}`;
	input.setAttribute("aria-describedby", id);
	return h("p.quiet.about", { id }, said);
}

/**
 * A number some of whose values have names, such as the size of armies: one of these values, or any other.
 * @param {string} key @param {number} was the default @param {string[]} named @param {string} of the form
 */
function namedNumber(key, was, named, of) {
	const label = t(`option.${key}`);
	const values = [...named, OTHER].map(v =>
		h("option", { value: v, selected: v === String(was) }, t(`option.${key}.${v}`)),
	);
	const input = /** @type {HTMLSelectElement} */ (h("select", values));
	const other = /** @type {HTMLInputElement} */ (h("input", { type: "number", value: was }));
	const second = h("label.set", { hidden: true }, t(`option.${key}.${OTHER}`), other);
	const about = explained(key, input, of);
	input.addEventListener("change", () => {
		second.hidden = input.value !== OTHER;
	});
	const now = () => Number((input.value === OTHER ? other : input).value);
	return { key, was, now, input, row: [h("label.set", label, input), second, about] };
}

/** An option of a game: its row in a form, its default. @param {Wire.GameInfo} game @param {string} key @param {string} [of] the form, if the page has another one */
export function optionOf(game, key, of = "") {
	const was = game.options[key];
	const named = endings(`option.${key}.`).filter(ending => ending !== OTHER);
	if (typeof was === "number" && named.length && !game.values?.[key]) {
		return namedNumber(key, was, named, of);
	}
	const label = has(`option.${key}`, spaced(key));
	const input = /** @type {FormField} */ (optionField(key, was, game.values?.[key]));
	const parts = typeof was === "boolean" ? [input, label] : [label, input];
	const now = () => (typeof was === "number" ? Number(value(input)) : value(input));
	return { key, was, now, input, row: [h("label.set", parts), explained(key, input, of)] };
}

/** How many seats a match with these options has. @param {Wire.GameInfo} game @param {Record<string, unknown>} options */
export function seatsOf(game, options) {
	const counts = Object.entries(options).map(([key, now]) => game.seats_by?.[key]?.[String(now)]);
	return counts.find(count => count) ?? game.seats;
}
