// Players' plates, inspector, chronicle.
import { h, clear } from "./dom.js";
import { emblem, glyph } from "./glyph.js";
import { bar, dieFace } from "./piece.js";
import { plainText } from "./scene.js";
import { t } from "./strings.js";

const LOW_MS = 30_000;
/** A line of the chronicle counts as seen if this much of it is visible. */
const LINE_PX = 18;

/** A counter is marked for this long after it has changed. */
const CHANGED_MS = 1500;
/** The last value of each counter, and when it changed. @type {Map<string, { v: unknown, at: number }>} */
const counted = new Map();

/** Whether a counter has just changed. @param {string} ref @param {unknown} v */
function isChanged(ref, v) {
	const was = counted.get(ref) ?? { v, at: -CHANGED_MS };
	const now = was.v === v ? was : { v, at: performance.now() };
	counted.set(ref, now);
	return performance.now() < now.at + CHANGED_MS;
}

/** @typedef {import("./tablestate.js").TableState} TableState */

/** @param {number} n */
const two = n => String(n).padStart(2, "0");

/** A time as hours, minutes and seconds. @param {number} ms */
export function clock(ms) {
	const seconds = Math.max(0, Math.round(ms / 1000));
	const minutes = Math.floor(seconds / 60);
	const whole = minutes >= 60 ? `${Math.floor(minutes / 60)}:${two(minutes % 60)}` : minutes;
	return `${whole}:${two(seconds % 60)}`;
}

/** @param {Words.Mark} mark */
const markShown = mark => h("span", { title: mark.label }, glyph(mark.g), h("i", mark.label));

/** @param {number} seat @param {string} name @param {Words.Counter} c */
function counterShown(seat, name, c) {
	const value = h("b", c.v, c.max != null && h("i", `/${c.max}`));
	const ref = `c:${seat}/${name}`;
	const attrs = { title: c.label, "data-ref": ref };
	return h(
		`span.ct${c.key ? ".key" : ""}${isChanged(ref, c.v) ? ".altered" : ""}`,
		attrs,
		glyph(c.g),
		value,
		h("span.vh", c.label),
	);
}

/** @param {string} name @param {Words.Clock | Wire.ClockInfo | undefined} c */
function clockShown(name, c) {
	if (!c) {
		return c;
	}
	const label = t("clockOf", { name });
	const classes = `${c.run ? ".run" : ""}${c.ms < LOW_MS ? ".low" : ""}`;
	return h(`span.clk${classes}`, { role: "timer", "aria-label": label }, clock(c.ms));
}

/** @param {number} seat @param {Words.Plate} s @param {boolean} away @param {TableState} around */
function plate(seat, s, away, around) {
	const decides = s.active && t("toDecide");
	const label = s.aria || [s.name, s.side, decides].filter(Boolean).join(", ");
	const counters = Object.entries(s.counters || {}).map(([name, c]) => counterShown(seat, name, c));
	return h(
		`div.seat.s${seat}${s.active ? ".active" : ""}`,
		{ "aria-label": label, role: "group" },
		h("span.turn", { title: decides }),
		emblem(s.charge, seat),
		h("span.nm", s.name),
		around.person?.(seat, s.name),
		away && h("span.off", t("away")),
		around.shares(seat),
		h("span.sd", s.side),
		h("span.mks", Object.values(s.marks || {}).map(markShown)),
		h("span.cts", counters),
		clockShown(s.name, around.clock(seat) || s.clock),
	);
}

/**
 * The plates of some seats.
 * @param {HTMLElement} root @param {Scene} scene @param {number[]} seats
 * @param {Set<number> | undefined} here the seats whose players are connected, if that is known @param {TableState} around clocks,
 * and the seats that share a view
 */
export function drawSeats(root, scene, seats, here, around) {
	const plates = seats.map(seat => plate(seat, scene.seats[seat], here !== undefined && !here.has(seat), around));
	clear(root, plates);
}

/** @param {string | string[]} tip */
const tipLine = tip => h("li", Array.isArray(tip) ? [h("b", `${tip[0]} `), tip[1]] : tip);

/** @param {Tip | undefined} list */
const tips = list => list !== undefined && list.length > 0 && h("ul.tips", list.map(tipLine));

/**
 * The inspector's view of something.
 * @typedef {{ cls: string, sign: Kid, title: Kid, sub: Kid, rest: Kid[] }} Inspected
 */

/** @param {Kid[]} kids */
const row = (...kids) => h("span", kids);

/** @param {Words.Stat} st */
const statRow = st => row(st.g && glyph(st.g), st.label || st.k, h("b", st.v));

/** @param {Words.Badge} b */
const badgeRow = b => b.label && row(b.g && glyph(b.g), b.label, b.n != null && h("b", b.n));

/** @param {Words.Piece} p */
function rowsOf(p) {
	const { bar: life, dice = [], stats = [], badges = [] } = p;
	const face = [
		life && row(bar(life), h("b", `${life.v}/${life.max}`), life.label || t("life")),
		dice.length > 0 &&
			row(
				h(
					"span.dice",
					dice.map(d => dieFace(d, ".sm")),
				),
			),
		...stats.map(statRow),
	];
	return [...(p.face === "down" ? [] : face), ...badges.map(badgeRow)].filter(Boolean);
}

/** @param {Words.Piece} p @param {Scene} scene @param {number} seat */
function signOf(p, scene, seat) {
	const down = p.face === "down";
	if (!down && p.art === "plain") {
		return glyph(p.glyph ?? "", "g ig");
	}
	const charge = down ? scene.seats[seat]?.charge || "hood" : (p.glyph ?? "");
	return emblem(charge, seat, { tier: (!down && p.tier) || 0, form: p.shape === "disc" ? "token" : "shield" });
}

/** @param {Words.Piece} p @param {Words.End | undefined} end */
function titleOf(p, end) {
	if (end) {
		return end.label || `${p.title} ${end.v}`;
	}
	return p.face === "down" ? p.backTitle || t("faceDown") : p.title || p.label;
}

/** @param {Words.Piece} p @param {Scene} scene @param {Words.End | undefined} end @returns {Inspected} */
function pieceInspected(p, scene, end) {
	const seat = p.owner ?? p.back?.seat ?? 9;
	const rows = rowsOf(p);
	return {
		cls: `s${seat}`,
		sign: end ? h("span.ig.num", end.v) : signOf(p, scene, seat),
		title: titleOf(p, end),
		sub: [p.sub, p.tierLabel].filter(Boolean).join(" · "),
		rest: [
			rows.length > 0 && h("div.rows", rows),
			tips(end?.tip || p.tip),
			p.known && h("p.known", glyph("hood"), p.known),
		],
	};
}

/** @type {Record<string, string>} */
const GROUND = { forest: "pine-tree", village: "village", hill: "mountains", swamp: "swamp", interior: "church" };

/** @param {Area} area @returns {Inspected} */
const areaInspected = area => ({
	cls: "s9",
	sign: glyph(area.glyph || GROUND[area.terrain ?? ""] || "grass", "g ig"),
	title: area.label,
	sub: area.sub || area.terrain,
	rest: [tips(area.tip)],
});

/** @param {Scene} scene @param {string} ref @returns {Inspected | null} */
function inspected(scene, ref) {
	const [zid, slot] = ref.split("#");
	const [id, half] = zid.split("/");
	const piece = scene.pieces[id];
	if (piece) {
		return pieceInspected(piece, scene, piece.ends?.[Number(half)]);
	}
	const zone = scene.zones[zid];
	const area = zone?.geom.areas?.[slot];
	if (area) {
		return areaInspected(area);
	}
	return zone?.tip ? { cls: "", sign: null, title: zone.label, sub: zone.note, rest: [tips(zone.tip)] } : null;
}

/** The inspector. @param {HTMLElement} root @param {Scene} scene @param {string | null | undefined} ref */
export function drawInfo(root, scene, ref) {
	const found = inspected(scene, ref || "");
	if (found) {
		root.className = `panel ${found.cls}`;
		clear(root, found.sign, h("h3", found.title), h("p.sub", found.sub), found.rest);
	} else {
		root.className = "panel empty";
		clear(root, t("pointAt"));
	}
}

/** @param {Told} told */
function lineShown({ line, at }) {
	const attrs = { "data-at": at || null, lang: line.lang, tabindex: "-1" };
	if (line.k === "head") {
		return h("div.hd", attrs, plainText(line));
	}
	const parts = [line.t].flat();
	const body = parts.map(part => (typeof part === "string" ? part : h("span.ref", { "data-ref": part.r }, part.t)));
	return h(`div.ln.s${line.seat ?? 9}.k-${line.k || "line"}`, attrs, body);
}

/**
 * The chronicle; if it continues the lines that are shown, lines are only added. Lines of the moment shown are marked.
 * @param {HTMLElement} root @param {Told[]} lines @param {number} told the number of lines up to the moment shown
 */
export function drawLog(root, lines, told) {
	if (root._of !== lines) {
		clear(root);
		root._of = lines;
	}
	root.append(...lines.slice(root.children.length).map(lineShown));
	const at = lines[told - 1]?.at;
	lines.forEach((line, i) => {
		const { classList } = root.children[i];
		classList.toggle("now", i < told && line.at === at);
		classList.toggle("later", i >= told);
	});
	const shown = /** @type {HTMLElement | undefined} */ (root.children[told - 1]);
	requestAnimationFrame(() => {
		const bottom = shown ? shown.offsetTop + shown.offsetHeight : 0;
		if (bottom > root.scrollTop + root.clientHeight || bottom < root.scrollTop + LINE_PX) {
			root.scrollTop = bottom - root.clientHeight / 2;
		}
	});
}
