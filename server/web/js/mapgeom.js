// Geometry of maps: where areas, edges, tokens and marks lie, as a camera sees them. Pure functions, no DOM.
import { byName, groupBy } from "./geom.js";

/** The factor by which tokens shrink when they do not fit, and the number of tries. */
const SHRINK = 0.93;
const MOST_TRIES = 11;
/** A token and the room around it. */
const ROOM = 1.06;
/** The largest scale of a map, as a multiple of the scale at which the whole map is seen. */
export const MOST = 4;

/** @param {Words.Piece} p */
const roomOf = p => (p.size || 1) * ROOM;

/** @param {number[]} list */
const sum = list => list.reduce((a, b) => a + b, 0);

/** @param {number} lo @param {number} v @param {number} hi */
const clamp = (lo, v, hi) => Math.max(lo, Math.min(hi, v));

/** @param {Words.Piece[]} items @param {number} width @param {number} d */
function rowsOf(items, width, d) {
	/** @type {Words.Piece[][]} */
	const rows = [[]];
	let w = 0;
	for (const p of items) {
		if (w + roomOf(p) * d > width + 0.01 && rows[rows.length - 1].length) {
			rows.push([]);
			w = 0;
		}
		rows[rows.length - 1].push(p);
		w += roomOf(p) * d;
	}
	return rows;
}

/**
 * The rows of tokens, the height of each row, and the size of a token of size 1.
 * @param {Words.Piece[]} items @param {Point} room @param {number} unit
 */
function fitted(items, room, unit) {
	let d = unit;
	for (let tries = 0; ; tries++) {
		const rows = rowsOf(items, room[0], d);
		const size = d;
		const heights = rows.map(row => Math.max(...row.map(roomOf)) * size);
		if (sum(heights) <= room[1] || tries === MOST_TRIES) {
			return { rows, heights, d };
		}
		d *= SHRINK;
	}
}

/** Rows of equal length. @param {Words.Piece[]} items @param {Words.Piece[][]} rows */
function balanced(items, rows) {
	const each = Math.ceil(items.length / rows.length);
	return rows.map((_, i) => items.slice(i * each, (i + 1) * each)).filter(row => row.length);
}

/**
 * Places the tokens in an area: in balanced rows inside the area's room; every token keeps its size factor.
 * @param {Point} c @param {Point} room @param {Words.Piece[]} items @param {number} unit
 */
function pack(c, room, items, unit) {
	/** @type {Rect[]} */
	const out = [];
	if (!items.length) {
		return out;
	}
	const { rows, heights, d } = fitted(items, room, unit);
	const even = items.every(p => roomOf(p) === roomOf(items[0]));
	const shown = even ? balanced(items, rows) : rows;
	let y = c[1] - sum(heights.slice(0, shown.length)) / 2;
	shown.forEach((row, i) => {
		let x = c[0] - (sum(row.map(roomOf)) * d) / 2;
		for (const p of row) {
			const k = (p.size || 1) * d;
			out.push({ x: x + k * 0.03, y: y + (heights[i] - k) / 2, w: k, h: k });
			x += k * ROOM;
		}
		y += heights[i];
	});
	return out;
}

/** @param {Point} point @param {number | undefined} turn */
const turned = ([x, y], turn) => /** @type {Point} */ (turn ? [y, -x] : [x, y]);

/** The map's box as it lies on the table. @param {Words.Geom} g @param {number} [turn] */
export function extent({ box }, turn) {
	const [x0, y0, x1, y1] = box ?? [0, 0, 1, 1];
	return turn ? { x: y0, y: -x1, w: y1 - y0, h: x1 - x0 } : { x: x0, y: y0, w: x1 - x0, h: y1 - y0 };
}

/** The allowed range of the camera's middle along one axis. @param {number} at @param {number} start @param {number} all @param {number} seen */
const held = (at, start, all, seen) =>
	seen >= all ? start + all / 2 : clamp(start + seen / 2, at, start + all - seen / 2);

/**
 * A camera's view of a map: board units of a map unit, and the visible part. A camera that would show anything outside the map is
 * stopped at the map's rim.
 * @param {Words.Geom} g @param {Rect} inner @param {number | undefined} turn @param {Camera} [camera] @returns {MapView}
 */
export function viewOf(g, inner, turn, { x, y, z } = { x: 0, y: 0, z: 1 }) {
	const whole = extent(g, turn);
	const zoom = clamp(1, z, MOST);
	const k = Math.min(inner.w / whole.w, inner.h / whole.h) * zoom;
	const [w, h] = [inner.w / k, inner.h / k];
	const cx = held(x, whole.x, whole.w, w);
	const cy = held(y, whole.y, whole.h, h);
	return { g, inner, turn, whole, k, z: zoom, cx, cy, seen: { x: cx - w / 2, y: cy - h / 2, w, h } };
}

/** A point of the map in board units. @param {MapView} view @param {Point} point @returns {Point} */
export const onTable = ({ inner, k, seen }, [x, y]) => [inner.x + (x - seen.x) * k, inner.y + (y - seen.y) * k];

/** @param {PieceEntry} a @param {PieceEntry} b */
const bySize = (a, b) => (b[1].size || 1) - (a[1].size || 1) || byName(a, b);

/** The cameras of maps that are not seen whole, by zone. @type {Map<string, Camera>} */
export const cameras = new Map();

/** @param {Lay} lay */
export function layMap(lay) {
	const { zid, g, inner, mine, turn, out } = lay;
	const view = viewOf(g, inner, turn, cameras.get(zid));
	out.maps = (out.maps ?? new Map()).set(zid, view);
	const there = groupBy(mine, entry => entry[1].slot);
	for (const [id, a] of Object.entries(g.areas ?? {})) {
		layArea(lay, view, `${zid}#${id}`, a);
		layTokens(lay, view, a, (there.get(id) || []).sort(bySize));
	}
	for (const [id, edge] of Object.entries(g.edges ?? {})) {
		layEdge(lay, view, `${zid}#${id}`, edge);
	}
}

/** The size of a token, in board units. @param {MapView} view */
const tokenOf = ({ g, k }) => (g.unit || 0.5) * k;

/** A square of the size of a token. @param {MapView} view @param {Point} middle @returns {Rect} */
function squareAt(view, middle) {
	const unit = tokenOf(view);
	const [x, y] = onTable(view, middle);
	return { x: x - unit / 2, y: y - unit / 2, w: unit, h: unit };
}

/** The place of an area. @param {Lay} lay @param {MapView} view @param {string} ref @param {Area} a */
function layArea({ out, turn }, view, ref, a) {
	const c = turned(a.c, turn);
	/** @type {(point: Point) => Point} */
	const place = p => (a.upright ? [c[0] + p[0] - a.c[0], c[1] + p[1] - a.c[1]] : turned(p, turn));
	const tag = a.tagAt ? place(a.tagAt) : c;
	const signs = (a.signs ?? []).map(sign => ({ ...sign, at: place(sign.at) }));
	out.areas.set(ref, { poly: (a.poly ?? []).map(place), outer: (a.outer ?? []).map(place), c, tag, signs, a });
	out.slots.set(ref, squareAt(view, c));
}

/** The place of an edge. @param {Lay} lay @param {MapView} view @param {string} ref @param {Words.Edge} edge */
function layEdge({ out, turn }, view, ref, edge) {
	const line = edge.line.map(point => turned(point, turn));
	/** @type {Point} */
	const c = [(line[0][0] + line[1][0]) / 2, (line[0][1] + line[1][1]) / 2];
	out.areas.set(ref, { poly: [], outer: [], c, tag: c, signs: [], a: { label: edge.label, c }, edge, line });
	out.slots.set(ref, squareAt(view, c));
}

/** The pieces in an area. @param {Lay} lay @param {MapView} view @param {Area} a @param {PieceEntry[]} list */
function layTokens({ put, turn }, view, a, list) {
	const [w, h] = a.room || [1, 1];
	const room = turn && !a.upright ? [h * view.k, w * view.k] : [w * view.k, h * view.k];
	const tokens = list.filter(entry => !entry[1].mark);
	const shown = tokens.map(entry => entry[1]);
	const boxes = pack(onTable(view, turned(a.c, turn)), room, shown, tokenOf(view));
	boxes.forEach((box, i) => put(tokens[i][0], box, 2));
	const marks = list.filter(entry => entry[1].mark);
	putMarks(view, marks, turned(a.at ?? a.c, turn), put);
}

/** Marks beside an area's label. @param {MapView} view @param {PieceEntry[]} marks @param {Point} label @param {PutPiece} put */
function putMarks(view, marks, label, put) {
	const [x, y] = onTable(view, label);
	marks.forEach(([id, p], i) => {
		const m = tokenOf(view) * 0.8 * (p.size || 1);
		put(id, { x: x - m / 2 + (i - (marks.length - 1) / 2) * m * 1.05, y: y - m / 2, w: m, h: m }, 3);
	});
}
