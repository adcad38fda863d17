// A curve of ratings as a picture, with where each lies 95 times of 100; its numbers are told to screen readers.
import { h, s } from "./dom.js";
import { t, when } from "./strings.js";

const WIDTH = 1000;
const HEIGHT = 240;
const MARGIN = 8;
const Z95 = 1.96;

/** @typedef {[number, number, number]} Point when in ms, rating, deviation */

/** The curve in words. @param {Point[]} points */
function told(points) {
	const [first, last] = [points[0], points[points.length - 1]];
	const [from, to] = [when(first[0]), when(last[0])];
	return t("curveTold", { n: points.length, first: Math.round(first[1]), last: Math.round(last[1]), from, to });
}

/** The picture of a curve. @param {Wire.CurvePoint[]} curve */
export function curvePicture(curve) {
	const points = /** @type {Point[]} */ (/** @type {unknown} */ (curve));
	const lows = points.map(([, rating, deviation]) => rating - Z95 * deviation);
	const highs = points.map(([, rating, deviation]) => rating + Z95 * deviation);
	const [low, high] = [Math.min(...lows), Math.max(...highs)];
	/** @param {number} rating @param {number} i */
	const at = (rating, i) => {
		const x = MARGIN + ((WIDTH - 2 * MARGIN) * i) / (points.length - 1);
		const y = MARGIN + ((HEIGHT - 2 * MARGIN) * (high - rating)) / Math.max(1, high - low);
		return `${Math.round(x)},${Math.round(y)}`;
	};
	const line = points.map(([, rating], i) => at(rating, i)).join(" ");
	const band = [...highs.map(at), ...lows.map(at).reverse()].join(" ");
	const label = told(points);
	const viewBox = `0 0 ${WIDTH} ${HEIGHT}`;
	const named = { class: "curve", viewBox, preserveAspectRatio: "none", role: "img", "aria-label": label };
	const picture = s(
		"svg",
		named,
		s("polygon", { class: "band", points: band }),
		s("polyline", { class: "line", points: line }),
	);
	return h("figure", picture, h("figcaption.quiet", label));
}
