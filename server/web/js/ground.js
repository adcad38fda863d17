// The drawn ground of a map: areas, what grows on them, their outlines and names.
import { s, clear } from "./dom.js";
import { px } from "./geom.js";
import { drawings } from "./glyph.js";

/** @typedef {import("./board.js").Board} Board */

/** What has no pattern of its own. */
const INSIDE = "interior";
const PLAIN = "plain";

/** @param {Point[]} points @param {number} u */
function outline(points, u) {
	const all = points.map(([x, y]) => `${px(x * u)} ${px(y * u)}`);
	return `M${all.join("L")}Z`;
}

/** The patterns of the kinds of terrain. */
function patterns() {
	const kinds = Object.entries(drawings.terrain).map(([id, [size, d]]) => {
		const attrs = { id: `pt-${id}`, width: size, height: size, patternUnits: "userSpaceOnUse" };
		return s("pattern", attrs, s("path", { d, class: "ptl" }));
	});
	return s("defs", null, kinds);
}

/** The glyph and the name of an area. @param {PlacedArea} area @param {number} u */
function tags({ a, label, gs }, u) {
	const [x, y] = label;
	const size = px(gs * u);
	const at = { x: px((x - gs / 2) * u), y: px((y - gs / 2) * u) };
	const below = a.glyph ? gs * 0.5 : 0;
	return [
		a.glyph && s("use", { href: `#g-${a.glyph}`, class: "aglyph", ...at, width: size, height: size }),
		a.tag && s("text", { class: "atag", x: px(x * u), y: px((y + below) * u) + 9 }, a.tag),
	];
}

/** The area itself. @param {string} ref @param {PlacedArea} area @param {number} u */
function shape(ref, { a, poly }, u) {
	const cls = a.terrain === INSIDE ? "area inside" : "area";
	const style = { fill: `var(--tr-${a.terrain || PLAIN})` };
	return s("path", { d: outline(poly, u), class: cls, style, "data-ref": ref });
}

/** What grows on an area. @param {PlacedArea} area @param {number} u */
function growth({ a, poly }, u) {
	if (!a.terrain || a.terrain === INSIDE || a.terrain === PLAIN) {
		return null;
	}
	return s("path", { d: outline(poly, u), class: "apat", fill: `url(#pt-${a.terrain})` });
}

/** Draws the ground anew; the group in which marked areas are outlined. @param {Board} board */
export function drawGround(board) {
	const { geo, ground, nodes, u } = board;
	const areas = [...geo.areas].filter(([, area]) => area.poly.length);
	const fills = areas.map(([ref, area]) => {
		const el = shape(ref, area, u);
		nodes.set(`area:${ref}`, /** @type {HTMLElement} */ (/** @type {unknown} */ (el)));
		return [el, growth(area, u)];
	});
	const lines = areas.map(([, area]) => edge(area, u));
	const names = areas.map(([, area]) => tags(area, u));
	const lit = s("g", { class: "lits" });
	clear(ground).append(
		patterns(),
		s("g", { class: "areas" }, fills),
		s("g", { class: "alines" }, lines),
		lit,
		s("g", { class: "atags" }, names),
	);
	return lit;
}

/** Its outline, where it has one. @param {PlacedArea} area @param {number} u */
const edge = ({ outer }, u) => outer.length > 0 && s("path", { d: outline(outer, u), class: "hexline" });
