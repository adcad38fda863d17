// Glyph sheets, escutcheons and the hatchings that name a seat's tincture without colour
// (Petra Sancta system: azure = horizontal, gules = vertical, vert = diagonal, purpure = the other diagonal).
import { s } from "./dom.js";

/** The pictures that the page's elements refer to. @type {SVGElement} */
let defs;
const have = new Set();

/** The client's own drawings: outlines of its buttons, patterns of terrain. */
export const drawings = /** @type {Drawings} */ ({});

/** @param {string} name */
export const ico = name =>
	s("svg", { viewBox: "0 0 24 24", "aria-hidden": true, class: "ico" }, s("path", { d: drawings.icons[name] }));

/** @param {string} id @param {string} d @param {number} width @param {number} [scale] */
function hatching(id, d, width, scale = 1) {
	const stroke = { stroke: "#fff", "stroke-opacity": ".28", "stroke-width": width, fill: "none" };
	const patternTransform = `scale(${scale})`;
	return s(
		"pattern",
		{ id, width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform },
		s("path", { d, ...stroke }),
	);
}

export async function initGlyphs() {
	const inline = document.getElementById("drawings");
	const found = inline ? JSON.parse(inline.textContent) : await (await fetch("/client.json")).json();
	Object.assign(drawings, found);
	const hatchings = drawings.hatches.map((d, i) => [hatching(`hx${i}`, d, 1.6), hatching(`hd${i}`, d, 1.7, 1.7)]);
	defs = s("defs", null, hatchings);
	for (const el of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-ico]"))) {
		el.append(ico(el.dataset.ico ?? ""));
	}
	document.body.prepend(s("svg", { width: 0, height: 0, "aria-hidden": true, class: "defs" }, defs));
}

/** @param {GlyphSheet} sheet */
export function addSheet(sheet) {
	for (const name in sheet) {
		if (!have.has(name)) {
			const paths = [sheet[name]].flat().map(d => s("path", { d, fill: "currentColor" }));
			defs.append(s("symbol", { id: `g-${name}`, viewBox: "0 0 512 512" }, paths));
			have.add(name);
		}
	}
}

/** @param {string} name @param {string} [cls] */
export const glyph = (name, cls = "g") =>
	s("svg", { class: cls, viewBox: "0 0 512 512", "aria-hidden": true }, s("use", { href: `#g-${name}` }));

const SHIELD = { tall: 115, mid: 54, x: 20, y: 16, width: 60, height: 60, hatching: "hx" };
const TOKEN = { tall: 100, mid: 50, x: 19, y: 19, width: 62, height: 62, hatching: "hd" };

/**
 * A charge on a field of the owner's tincture; `tier` 0 to 2 adds rims.
 * @param {string} name @param {number} seat @param {{ form?: string, tier?: number, cls?: string }} [look]
 */
export function emblem(name, seat, { form = "shield", tier = 0, cls = "" } = {}) {
	const token = form !== "shield";
	const d = token ? drawings.tokens[seat] || drawings.tokens[0] : drawings.shield;
	const { tall, mid, hatching: pattern, ...charge } = token ? TOKEN : SHIELD;
	const transform = `translate(50 ${mid}) scale(.87) translate(-50 -${mid})`;
	return s(
		"svg",
		{ class: `emb ${cls} tier${tier}`, viewBox: `0 0 100 ${tall}`, "aria-hidden": true },
		s("path", { d, class: "fld" }),
		seat < 4 && s("path", { d, fill: `url(#${pattern}${seat})` }),
		tier > 0 && s("path", { d, class: "rim2", transform }),
		s("path", { d, class: "rim" }),
		s("use", { href: `#g-${name}`, class: "chg", ...charge }),
	);
}
