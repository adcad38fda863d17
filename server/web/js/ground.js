// The drawn ground of a map in the map's own units: areas, what grows and stands on them, edges, outlines and names.
// The visible part is the frame's view box, so that a camera that moves draws nothing anew.
import { s } from "./dom.js";
import { drawings } from "./glyph.js";

/** Terrain without a pattern of its own. */
const INSIDE = "interior";
const PLAIN = "plain";
/** The number of stakes of an edge, and the length of each. */
const STAKES = 7;
const STAKE = 0.11;
/** The size of signs. */
const SIGN = 0.3;

/** Rounds to thousandths of a map unit. @param {number} n */
const fine = n => Math.round(n * 1000) / 1000;

/** @param {Point[]} points */
const way = points => `M${points.map(point => point.map(fine).join(" ")).join("L")}`;

/** @param {Point[]} points */
const outline = points => `${way(points)}Z`;

/** The patterns of the kinds of terrain, as large as on the whole map. @param {string} zid @param {number} pixel a pixel in map units */
function patterns(zid, pixel) {
	const kinds = Object.entries(drawings.terrain).map(([id, [size, d]]) => {
		const units = { patternUnits: "userSpaceOnUse", patternTransform: `scale(${fine(pixel)})` };
		const attrs = { id: `pt-${zid}-${id}`, width: size, height: size, ...units };
		return s("pattern", attrs, s("path", { d, class: "ptl" }));
	});
	return s("defs", null, kinds);
}

/** A picture in the middle of a square. @param {string} name @param {Point} middle @param {number} size @param {string} cls */
function sign(name, [x, y], size, cls) {
	const at = { x: fine(x - size / 2), y: fine(y - size / 2), width: size, height: size };
	return s("use", { href: `#g-${name}`, class: cls, ...at });
}

/** The pictures and the name of an area. @param {PlacedArea} area */
function tags({ a, c, tag: [x, y], signs }) {
	return [
		a.glyph && sign(a.glyph, c, a.gs || SIGN, "aglyph"),
		signs.map(each => sign(each.g, each.at, SIGN, "asign")),
		a.tag && s("text", { class: "atag", x: fine(x), y: fine(y) }, a.tag),
	];
}

/** The area itself, and the plants on it. @param {string} zid @param {string} ref @param {PlacedArea} area */
function shape(zid, ref, { a, poly }) {
	const terrain = a.terrain || PLAIN;
	const d = outline(poly);
	const cls = terrain === INSIDE ? "area inside" : "area";
	const el = s("path", { d, class: cls, style: { fill: `var(--tr-${terrain})` }, "data-ref": ref });
	const grown = drawings.terrain[terrain] && s("path", { d, class: "apat", fill: `url(#pt-${zid}-${terrain})` });
	return { el, grown: grown || null };
}

/** The stakes that stand on a line. @param {Point[]} line */
function stakes([[ax, ay], [bx, by]]) {
	const [dx, dy] = [bx - ax, by - ay];
	const length = Math.hypot(dx, dy) || 1;
	const [nx, ny] = [(-dy / length) * STAKE, (dx / length) * STAKE];
	return Array.from({ length: STAKES }, (_, i) => {
		const part = (i + 1) / (STAKES + 1);
		const [x, y] = [ax + dx * part, ay + dy * part];
		return way([
			[x - nx, y - ny],
			[x + nx, y + ny],
		]);
	}).join("");
}

/** The thing on an edge, under a broad line that can be pressed. @param {string} ref @param {PlacedArea} area */
function edgeShape(ref, { edge, line = [] }) {
	const owner = edge?.owner === undefined ? "" : ` s${edge.owner}`;
	const d = way(line);
	const spikes = edge?.kind === "stakes" && s("path", { class: `spikes${owner}`, d: stakes(line) });
	const drawn = edge?.kind && s("path", { class: `edge e-${edge.kind}${owner}`, d });
	const pressed = s("path", { class: "area onedge", d, "data-ref": ref });
	return { el: pressed, shown: [drawn, spikes] };
}

/** @typedef {[string, PlacedArea][]} Placed */
/** The elements of areas and edges, by ref. @typedef {Map<string, SVGElement>} Elements */

/** @param {string} zid @param {Placed} areas @param {Elements} elements */
function fills(zid, areas, elements) {
	return areas.map(([ref, area]) => {
		const { el, grown } = shape(zid, ref, area);
		elements.set(ref, el);
		return [el, grown];
	});
}

/** @param {Placed} placed @param {Elements} elements */
function edges(placed, elements) {
	return placed
		.filter(([, area]) => area.edge)
		.map(([ref, area]) => {
			const { el, shown } = edgeShape(ref, area);
			elements.set(ref, el);
			return [shown, el];
		});
}

/**
 * The ground of one map: the frame for the drawing, the group for lights, and the elements by ref.
 * @param {string} zid @param {Placed} placed @param {number} pixel
 */
export function groundOf(zid, placed, pixel) {
	/** @type {Elements} */
	const elements = new Map();
	const areas = placed.filter(([, area]) => area.poly.length);
	const lines = areas.map(([, { outer }]) => outer.length > 0 && s("path", { d: outline(outer), class: "hexline" }));
	const lights = s("g", null);
	const frame = s(
		"svg",
		{ class: "mapview", preserveAspectRatio: "none" },
		patterns(zid, pixel),
		s("g", null, fills(zid, areas, elements)),
		s("g", null, lines),
		s("g", null, edges(placed, elements)),
		lights,
		s(
			"g",
			null,
			areas.map(([, area]) => tags(area)),
		),
	);
	return { frame, lights, elements };
}
