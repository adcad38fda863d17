// The contents of zones beside their pieces: names, piles, numbers, scales, the last roll.
import { h, clear } from "./dom.js";
import { glyph } from "./glyph.js";
import { dieFace } from "./piece.js";

/** @typedef {import("./board.js").Board} Board */

/** Cards drawn under the top one of a pile, and how far each is shifted. */
const MOST_UNDER = 3;
const UNDER_PX = 1.6;

/** @param {Meter} meter @param {string} [other] */
const toned = (meter, other = "") => (meter.tone || other ? `.tn-${meter.tone || other}` : "");

/** @param {Words.Geom} g @param {Scene} scene */
function pileBack(g, scene) {
	const seat = g.back?.seat ?? 9;
	const sign = g.back?.g || scene.seats?.[seat]?.charge || "crown";
	return h(`span.bk.s${seat}`, glyph(sign, "g big"));
}

/** Whether the name of a zone includes its number of cards: its top card would cover the number. @param {Words.Geom} g */
const isCounted = g => Boolean(g.open && g.count);

/** A pile of hidden cards. @param {Board} board @param {Scene} scene @param {Words.Geom} g @param {Rect} box inside the zone */
function pile(board, scene, g, box) {
	const n = g.count ?? 0;
	const stack = h(`span.stack.s${g.back?.seat ?? 9}${n ? "" : ".empty"}`);
	board.place(stack, box);
	for (let i = Math.min(MOST_UNDER, n - 1); i > 0; i--) {
		const shift = `${i * UNDER_PX}px`;
		stack.append(h("i.under", { style: { translate: `${shift} ${shift}` } }));
	}
	if (n && !g.open) {
		stack.append(pileBack(g, scene));
	}
	// the number of an open pile stands in its name
	return [stack, !isCounted(g) && h("span.cnt", n)];
}

/** @param {Words.Geom} g */
function panel({ items = {} }) {
	const rows = Object.entries(items).map(([ref, item]) => {
		const value = h("b", item.v, item.max != null && h("i", `/${item.max}`));
		const classes = `${toned(item)}${item.v === 0 ? ".zero" : ""}`;
		const attrs = { "data-ref": ref, title: item.label };
		return h(`span.it${classes}`, attrs, item.g && glyph(item.g), h("span.itl", item.label), value);
	});
	return h("span.items", rows);
}

/** The names of a scale's marks. @param {[string, Meter][]} list */
function trackHead(list) {
	const names = list.map(([ref, mark]) => {
		const attrs = { title: mark.label, "data-ref": `c:${ref}` };
		const sign = mark.g && glyph(mark.g);
		return h(`span.tm${toned(mark, "grey")}`, attrs, sign, h("span", mark.label), h("b", mark.v));
	});
	return h("span.trh", names);
}

/** @param {Words.Geom} g */
function track({ min = 0, max = 0, marks = {}, ticks = 10 }) {
	const list = Object.entries(marks);
	/** @param {number | string} v */
	const at = v => `${(100 * (Math.max(min, Math.min(max, Number(v))) - min)) / (max - min)}%`;
	const scale = Array.from({ length: Math.floor((max - min) / ticks) + 1 }, (_, i) => {
		const v = min + i * ticks;
		return h("i.tick", { style: { left: at(v) } }, h("u", v));
	});
	const fills = list.map(([, mark]) => mark.fill && h(`i.fil${toned(mark, "grey")}`, { style: { width: at(mark.v) } }));
	const pins = list.map(([, mark]) => {
		const classes = `${toned(mark, "grey")}${mark.fill ? "" : ".pin"}`;
		return h(`span.mk${classes}`, { style: { left: at(mark.v) } });
	});
	return h("span.trk", trackHead(list), h("span.rail", scale, fills, pins));
}

/** The sizes of dice that are tried, as shares of the usual one. */
const FITS = [1, 0.85, 0.85, 0.7, 0.6, 0.5, 0.4];

/** Dice that belong together. @param {Words.Group} group */
export function diceGroup(group) {
	const dice = group.dice.map((d, i) => dieFace(d, `.r${i % 3}`));
	return h(
		`span.rg.s${group.owner ?? 9}`,
		h("span.rl", group.label),
		h("span.rd", dice),
		group.sum && h("span.rs", group.sum),
	);
}

/** Draws dice without enough room smaller, and from the second size on without the roll's title. @param {HTMLElement} roll */
function fit(roll) {
	for (const [n, size] of FITS.entries()) {
		roll.style.setProperty("--fit", `${size}`);
		roll.classList.toggle("tight", n > 1);
		if (roll.scrollWidth <= roll.clientWidth && roll.scrollHeight <= roll.clientHeight) {
			return;
		}
	}
}

/** The last roll. @param {Words.Geom} g @param {boolean} tall */
function tray({ roll }, tall) {
	if (!roll) {
		return h("span.quiet", "");
	}
	return h(
		`span.roll${tall ? ".stackd" : ""}`,
		h("span.rt", roll.title),
		roll.groups.map(diceGroup),
		roll.result && h("span.rr", roll.result),
	);
}

/** @param {Board} board @param {Scene} scene @param {string} id @param {Rect} r @returns {Kid} */
function content(board, scene, id, r) {
	const { geom } = scene.zones[id];
	if (geom.type === "pile") {
		const box = board.geo.slots.get(`${id}#top`) ?? r;
		return pile(board, scene, geom, { ...box, x: box.x - r.x, y: box.y - r.y });
	}
	if (geom.type === "panel") {
		return panel(geom);
	}
	if (geom.type === "track") {
		return track(geom);
	}
	return geom.type === "tray" ? tray(geom, r.h > r.w * 0.5) : null;
}

/** The classes of a zone's element; `edge` marks a narrow zone at the board's right edge, whose name is at the right. @param {Board} board @param {Words.Zone} zone @param {Rect} r */
function classesOf(board, zone, r) {
	const [width] = board.geo.size;
	const edge = r.w < width * 0.1 && r.x + r.w > width * 0.95 ? " edge" : "";
	const owner = zone.owner === undefined ? "" : `s${zone.owner}`;
	return `zone zt-${zone.geom.type} zs-${zone.style || "none"} ${owner}${edge}`;
}

/** Draws a zone into its element, unless it looks the same. @param {Board} board @param {HTMLElement} el @param {Scene} scene @param {string} id @param {Rect} r */
export function drawZone(board, el, scene, id, r) {
	const zone = scene.zones[id];
	const { areas, ...geom } = zone.geom;
	const sig = JSON.stringify([zone.label, zone.style, zone.owner, zone.note, geom, r, board.u]);
	if (el._sig === sig) {
		return;
	}
	el._sig = sig;
	board.place(el, r);
	el.className = classesOf(board, zone, r);
	const named = zone.label && zone.style !== "bare";
	const note = zone.note || (isCounted(zone.geom) && zone.geom.count);
	const label = named && h("span.zl", zone.label, note && h("em", note));
	clear(el, label, content(board, scene, id, r));
	el.querySelectorAll(".roll").forEach(roll => fit(/** @type {HTMLElement} */ (roll)));
}
