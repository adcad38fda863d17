// The approximate length of a match, by its options: counted between bots, and shown before the match begins.
import { t } from "./strings.js";

/** @typedef {{ rounds: number, decisions: number, minutes: number, options: Record<string, unknown> }} Length */
/** @typedef {{ unit: string, first: Length | null, length: Length[] }} Lengths as the server has them for a game */

/** @param {Length} length @param {Record<string, unknown>} options */
const fits = (length, options) =>
	Object.entries(length.options).every(([key, is]) => typeof is === "number" || options[key] === is);

/** The sum of the differences between a length's numbers and those of the chosen options. @param {Length} length @param {Record<string, unknown>} options */
const strayed = (length, options) =>
	Object.entries(length.options)
		.filter(([, is]) => typeof is === "number")
		.reduce((sum, [key, is]) => sum + Math.abs(Number(is) - Number(options[key])), 0);

/** The length of a match with all these options. @param {Lengths} lengths @param {Record<string, unknown>} options */
export function lengthOf(lengths, options) {
	const fitting = lengths.length.filter(length => fits(length, options));
	const alike = fitting.filter(length => `${Object.keys(length.options)}` === `${Object.keys(fitting[0].options)}`);
	return alike.toSorted((a, b) => strayed(a, options) - strayed(b, options))[0];
}

/** A length as a sentence. @param {Lengths} lengths @param {Length} length */
export function told({ unit }, { rounds, decisions, minutes }) {
	return t("length", { rounds: t(`length.${unit}`, { n: rounds }), decisions, minutes });
}
