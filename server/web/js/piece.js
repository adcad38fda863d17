// Faces of pieces. The Scene says what a piece shows; size decides how much of it fits
// (level of detail 0..3), so the same card works at 200 px and at 28 px.
import { h, clear } from "./dom.js";
import { glyph, emblem } from "./glyph.js";
import { t } from "./strings.js";

/** A card is drawn as landscape from this ratio of width to height. */
export const LANDSCAPE = 1.22;
const THIN_PX = 64;
/** A card lower than this is drawn as a line: its picture, name and numbers side by side. */
const LINE_PX = 38;
/** An emblem that would be smaller than this is left out. */
const LEAST_EMBLEM_PX = 13;
/** Heights on a small card, in em: of a line of the name, of the numbers, of the life, and of the space between and around. */
const ROWS_EM = { name: 1.2, key: 1.3, box: 2.4, bar: 0.75 };
const BETWEEN_EM = 0.7;
/** The approximate width of a letter of a name, in em. */
const LETTER_EM = 0.52;
/** The smallest letters of a name, in px. */
const LEAST_LETTER_PX = 11;
/** The width in em of a line's picture, or of a badge on a line, with the gap beside it. */
const SIGN_EM = 2;
/** The approximate width of a letter of a title, which is larger, and the height below which a title of two lines leaves no room for the next line. */
const TITLE_EM = 0.6;
const FULL_EM = 9;
/** Widths in em: the greatest width of a narrow card, and the widths of a number with its sign and of a point of life. */
const NARROW_EM = 8.5;
const STAT_EM = 2.7;
/** The width of a number in a box beside a name, in em. */
const BOX_EM = 2.5;
const POINT_EM = 0.84;
/** The most numbers in boxes on a small card. */
const SMALL_BOXES = 4;
const MOST_POINTS = 12;

/** For each level of detail from the highest, the least width and height in pixels. */
const LEVELS = {
	landscape: [
		[150, 84],
		[130, 50],
		[46, 0],
	],
	portrait: [
		[96, 150],
		[70, 104],
		[42, 48],
	],
	token: [
		[56, 0],
		[36, 0],
		[22, 0],
	],
};

/** @param {Words.Piece} p */
const seatOf = p => p.owner ?? 9;

/** @param {string} tone @param {string} [prefix] */
const toned = (tone, prefix = ".tn-") => (tone ? prefix + tone : "");

/** The level of detail for which a piece has enough pixels, 0 to 3. @param {string} shape @param {number} w @param {number} hgt */
export function lod(shape, w, hgt) {
	const card = shape === "card" || shape === "tile";
	const kind = w / hgt > LANDSCAPE ? LEVELS.landscape : LEVELS.portrait;
	const found = (card ? kind : LEVELS.token).findIndex(([least, high]) => w >= least && hgt >= high);
	return found < 0 ? 0 : 3 - found;
}

/** @param {number | string} f */
function pips(f) {
	if (f === "") {
		return h("i.blank");
	}
	return typeof f === "number" || /^\d+$/.test(f) ? h("b", f) : glyph(f);
}

/** @param {Words.Die} d @param {string} [cls] */
export function dieFace(d, cls = "") {
	const el = h(`span.die${cls}.tn-${d.t || "white"}${toned(d.st ?? "", ".ds-")}`, { title: d.label });
	if (d.f !== undefined) {
		el.append(pips(d.f));
	} else if (d.g) {
		el.append(glyph(d.g));
	}
	return el;
}

/** The badges at a corner. @param {Words.Badge[]} list @param {string} at */
function corner(list, at) {
	const mine = list.filter(badge => (badge.at || "tr") === at);
	const badges = mine.map(b => h(`i.b${toned(b.tone ?? "")}`, { title: b.label }, b.g && glyph(b.g), b.n));
	return mine.length > 0 && h(`span.bdg.at-${at}`, badges);
}

/** @param {Words.Bar} b @param {number} i */
function point(b, i) {
	const on = i < b.v ? ".on" : "";
	const low = b.warn && b.v <= b.warn ? ".low" : "";
	return h(`i${on}${low}`);
}

/** Life: points, or a gauge if they are many or the room is tight. @param {Words.Bar | undefined} b @param {boolean} [tight] */
export function bar(b, tight) {
	if (!b) {
		return false;
	}
	const title = `${b.label || t("life")} ${b.v}${t("ofMax", { max: b.max })}`;
	const el = h("span.bar", { title });
	if (b.max <= (tight ? 0 : MOST_POINTS)) {
		el.append(...Array.from({ length: b.max }, (_, i) => point(b, i)));
	} else {
		el.classList.add("gauge");
		el.append(h("i.on", { style: { width: `${(100 * b.v) / b.max}%` } }));
	}
	return el;
}

/** @param {Words.Stat} st */
function stat(st) {
	const sign = st.g ? glyph(st.g) : st.k && h("i", st.k);
	const title = st.label || st.k;
	return h(`span.s${toned(st.tone ?? "")}${toned(st.form ?? "", ".")}`, { title }, sign || null, h("b", st.v));
}

/** How a piece is drawn. @typedef {{ level: number, land: boolean, across: number, fit: number, tight: boolean, thin: boolean, under: boolean, line: boolean, bare: boolean, narrow: boolean, room: number, parts: boolean, full?: boolean, name: string, emblem: number, cut: number }} Fitting */

/** How many numbers of a card are shown. @param {Words.Stat[]} stats @param {Fitting} fitting */
function statsShown(stats, { level, land, fit }) {
	if (stats[0]?.form === "box" && (land || level === 2)) {
		return Math.min(fit, 7);
	}
	if (level === 3) {
		return land ? 7 : 6;
	}
	return land ? 4 : 3;
}

/** The number of letters of the longest word. @param {string} name */
const longest = name => Math.max(...name.split(" ").map(word => word.length));

/** Consonants between two vowels, divided into two parts. */
const BETWEEN_VOWELS = /(?<=[aeiouyäöü])([^aeiouy\W]{0,2})([^aeiouy\W]{1,2})(?=[aeiouyäöü])/gi;

/** A name; words that are longer than the card is wide are divided. @param {string} name @param {Pick<Fitting, "parts">} fitting */
const named = (name, { parts }) => {
	const [first, ...more] = parts ? name.replaceAll(BETWEEN_VOWELS, "$1|$2").split("|") : [name];
	const style = { "--long": longest(name) };
	return h("span.nm", { style }, first, ...more.flatMap(part => [h("wbr"), part]));
};

/** @param {Words.Piece} p @param {Fitting} fitting */
function titleRow(p, fitting) {
	const tier = p.tier ?? 0;
	return h(
		"span.hd",
		fitting.name && named(fitting.name, fitting),
		tier > 0 && h("span.tier", { title: p.tierLabel }, "◆".repeat(tier)),
	);
}

/** The numbers that a small card shows: those that count most, or the first of a row of boxes. @param {Words.Stat[]} stats @param {Pick<Fitting, "across" | "thin" | "land">} fitting */
const smallNumbers = (stats, { across, thin, land }) =>
	stats[0]?.form === "box"
		? stats.slice(0, thin ? Number(land) * 3 : Math.min(across, SMALL_BOXES))
		: stats.filter(st => st.form === "key");

/** The picture on a card; the dead have a cross there. @param {Words.Piece} p */
function pictureOf(p) {
	if (p.state?.includes("dead")) {
		return h("span.plain.skull", glyph("skull-crossed-bones", "g big"));
	}
	return p.art === "plain"
		? h("span.plain", glyph(p.glyph ?? "", "g big"))
		: emblem(p.glyph ?? "", seatOf(p), { tier: p.tier || 0 });
}

/** The face of a card that shows only its name and its most important numbers. @param {Words.Piece} p @param {Fitting} fitting @returns {Kid} */
function smallFace(p, fitting) {
	const { level, thin, line, emblem: size, name, bare } = fitting;
	const keys = level === 1 && !bare ? smallNumbers(p.stats ?? [], fitting) : [];
	const numbers = keys.length > 0 && h("span.st", keys.map(stat)); // a thin card has no bar beside these
	const life = !line && !(thin && numbers) && bar(p.bar, !level || (p.bar?.max ?? 0) > 8);
	return [size > 0 && pictureOf(p), level === 1 && name && named(name, fitting), numbers, life];
}

/** @param {Words.Piece} p @param {Fitting} fitting @returns {Kid} */
function cardFace(p, fitting) {
	const { level, land, tight, full } = fitting;
	if (level < 2) {
		return smallFace(p, fitting);
	}
	const emb = pictureOf(p);
	const sub = p.sub && level === 3 && !full && h("span.sub", p.sub);
	/** @type {Kid[]} */
	const rest = [...numbersOf(p, fitting), bar(p.bar, tight)];
	return land ? [emb, h("span.inf", titleRow(p, fitting), sub, rest)] : [titleRow(p, fitting), sub, emb, rest];
}

/** The dice and numbers of a card. @param {Words.Piece} p @param {Fitting} fitting @returns {Kid[]} */
function numbersOf({ stats = [], dice = [] }, fitting) {
	const shown = statsShown(stats, fitting);
	const rolled =
		dice.length > 0 &&
		h(
			"span.dice",
			dice.map(d => dieFace(d, ".sm")),
		);
	const numbers = shown > 0 && stats.length > 0 && h("span.st", stats.slice(0, shown).map(stat));
	return [rolled, numbers];
}

/** @param {Words.Piece} p @param {Scene} scene @returns {Kid} */
function backFace(p, scene) {
	const seat = p.back?.seat ?? seatOf(p);
	const sign = p.back?.g || scene.seats?.[seat]?.charge || "crown";
	const name = p.title && p.backTitle && h("span.nm", p.backTitle);
	return [h(`span.bk.s${seat}`, glyph(sign, "g big")), name, bar(p.bar)];
}

/** The halves of a double-ended card. @param {Words.Piece} p @param {string} id */
function endsFace(p, id) {
	const hidden = { "aria-hidden": true };
	return (p.ends ?? []).map((e, i) =>
		h(
			`button.end.e${i}`,
			{ type: "button", "data-ref": `${id}/${i}`, tabindex: "-1" },
			h("span.vh", e.label || `${p.title || p.kind} ${e.v}`),
			h("span.v", hidden, e.v),
			e.g && glyph(e.g),
			e.note && h("span.nt", hidden, e.note),
		),
	);
}

/** @param {Words.Piece} p @param {Fitting} fitting @returns {Kid} */
function tileFace(p, { level }) {
	const sub = p.sub && level >= 2 && h("span.sub", p.sub);
	return [h("span.pat", glyph(p.glyph ?? "", "g big")), level >= 1 && h("span.hd", h("span.nm", p.title), sub)];
}

/** @type {Record<string, (p: Words.Piece, fitting: Fitting) => Kid>} */
const FACES = {
	card: cardFace,
	tile: tileFace,
	disc: (p, { level }) => [
		emblem(p.glyph ?? "", seatOf(p), { form: "token", tier: p.tier || 0 }),
		level >= 1 && bar(p.bar),
	],
	flag: p => glyph(p.glyph || "flying-flag", "g big"),
};

/** @type {(p: Words.Piece, fitting: Fitting) => Kid} */
const otherFace = p => [glyph(p.glyph ?? "", "g big"), p.n !== undefined && h("b.n", p.n)];

/** How many lines a name takes in a room of this many letters. @param {string} name @param {number} room */
function linesOf(name, room) {
	let lines = 1;
	let left = room;
	for (const { length } of name.split(" ")) {
		if (length > left) {
			lines += Math.ceil(length / room) - (left === room ? 1 : 0);
			left = room;
		}
		left -= length + 1;
	}
	return lines;
}

/** Whether a card drawn as a line has no room for numbers between its name and its badges. @param {Words.Piece} p @param {number} room in em @param {number} n how many numbers */
const hasNoRoom = ({ title = "", badges = [] }, room, n) =>
	SIGN_EM * (1 + badges.length) + title.length * LETTER_EM + STAT_EM * n > room;

/** Whether numbers in boxes go under the name, without boxes, because there is no room beside it. @param {Words.Piece} p @param {number} room in em @param {number} n how many numbers */
const areUnder = ({ title = "", stats = [] }, room, n) =>
	n > 0 && stats[0].form === "box" && title.length * LETTER_EM + BOX_EM * n > room;

/** The parts for which a small card has room: its name, its numbers if it is a line, and the height of its picture. @param {Words.Piece} p @param {{ w: number, h: number, fs: number, cut: number }} size @param {number} numbers how many */
function smallFitting(p, { w, h: hgt, fs, cut }, numbers) {
	const { title = "", short } = p;
	const room = Math.max(4, (w - cut) / fs / LETTER_EM - 1);
	const name = short && linesOf(title, room) > 2 ? short : title;
	const land = w / hgt > LANDSCAPE;
	const line = hgt < LINE_PX && land;
	const under = !line && land && hgt < THIN_PX && areUnder(p, w / fs, numbers);
	const rows = [numbers && ROWS_EM[p.stats?.[0].form === "box" && !under ? "box" : "key"], p.bar ? ROWS_EM.bar : 0];
	const text = ROWS_EM.name * Math.min(2, linesOf(name, room)) + rows[0] + rows[1] + BETWEEN_EM;
	const left = Math.min(hgt * 0.5, hgt - text * fs - 2);
	const emblem =
		(line && SIGN_EM + LETTER_EM * name.length < w / fs) || left >= LEAST_EMBLEM_PX
			? Math.floor(Math.max(left, LEAST_EMBLEM_PX))
			: 0;
	return { name, emblem, line, under, bare: line && hasNoRoom(p, w / fs, numbers) };
}

/** The name of a larger card, and whether a title of two lines leaves no room for the line under it. @param {Words.Piece} p @param {number} room @param {number} high in em */
function largeFitting({ title = "", short }, room, high) {
	const lines = linesOf(title, Math.max(4, room / TITLE_EM));
	return { name: (lines > 2 && short) || title, full: lines > 1 && high < FULL_EM };
}

/** The width for the name of a card, in px, and whether its words are divided. @param {string} name @param {{ w: number, fs: number, cut: number }} size @param {number} [room] in em, beside a picture */
function nameFitting(name, { w, fs, cut }, room = w / fs - 0.4) {
	const wide = Math.floor(room * fs - cut);
	return { room: wide, parts: longest(name) * LEAST_LETTER_PX * LETTER_EM > wide };
}

/** The look of a piece by size and room. @param {Words.Piece} p @param {{ w: number, h: number, fs: number, cut: number }} size @returns {Fitting} */
function fittingOf(p, size) {
	const { w, h: hgt, fs, cut } = size;
	const land = w / hgt > LANDSCAPE;
	const level = lod(p.shape, w, hgt);
	const across = Math.floor((w / fs - 1) / STAT_EM);
	const numbers = smallNumbers(p.stats ?? [], { across, thin: hgt < THIN_PX, land });
	const small = smallFitting(p, size, numbers.length);
	const room = Math.max(0, (land ? w - hgt * 0.62 : w) - 2.3 * fs) / fs;
	const rows = hgt / fs > 7.2 || !land ? 2 : 1;
	return {
		level,
		land,
		...small,
		...(level > 1 && largeFitting(p, room, land ? hgt / fs : Infinity)),
		emblem: level === 1 ? small.emblem : hgt,
		cut: Math.round(cut),
		across,
		fit: Math.min(8, Math.floor(room / STAT_EM) * rows),
		tight: p.bar ? p.bar.max * POINT_EM > room : false,
		thin: hgt < THIN_PX,
		narrow: room < NARROW_EM,
		...nameFitting(p.title ?? "", size, level < 2 ? undefined : room),
	};
}

/** @param {Words.Piece} p @param {Fitting} fitting @param {boolean} host */
function classesOf(p, { level, land, thin, line, under, narrow }, host) {
	return [
		"pc",
		p.shape,
		`k-${p.kind}`,
		`s${seatOf(p)}`,
		`l${level}`,
		land ? "land" : "port",
		p.face === "down" ? "down" : "up",
		p.face === "peek" && "st-veil",
		p.tone && `tn-${p.tone}`,
		p.art === "plain" && "art-plain",
		p.ends && "two",
		host && "host",
		!(p.stats || p.dice || p.bar) && "bare",
		thin && "thin",
		line && "line",
		level === 1 && under && "under",
		narrow && "nar",
		...(p.state || []).map(state => `st-${state}`),
	]
		.filter(Boolean)
		.join(" ");
}

/** @param {string} id @param {Words.Piece} p @param {Scene} scene @param {Fitting} fitting @returns {Kid} */
function faceOf(id, p, scene, fitting) {
	if (p.face === "down") {
		return backFace(p, scene);
	}
	return p.ends ? endsFace(p, id) : (FACES[p.shape] || otherFace)(p, fitting);
}

/** The data that determine a piece's look, beside its size. @param {Words.Piece} p */
function looks(p) {
	const { zone, slot, on, dock, rot, z, label, tip, known, ...shown } = p;
	return shown;
}

/**
 * Marks the numbers that differ from those that the piece showed before.
 * @param {HTMLElement} el @param {Words.Stat[]} stats
 */
function markChanged(el, stats) {
	const was = el._stats;
	el._stats = new Map(stats.map(st => [st.label || st.k || "", String(st.v)]));
	for (const shown of el.querySelectorAll(".st .s")) {
		const name = shown.getAttribute("title") ?? "";
		const before = was?.get(name);
		shown.classList.toggle("altered", before !== undefined && before !== el._stats.get(name));
	}
}

/**
 * Draws a piece's face into its element, unless it looks the same.
 * @param {HTMLElement} el @param {string} id @param {Words.Piece} p @param {Scene} scene
 * @param {{ w: number, h: number, fs: number, host: boolean, cut: number }} size pixels, the font's too; whether something
 * hangs on it, and how much of its upper edge that covers
 */
export function drawPiece(el, id, p, scene, { host, ...size }) {
	const fitting = fittingOf(p, size);
	const sig = JSON.stringify([looks(p), fitting, host]);
	if (el._sig === sig) {
		return;
	}
	el._sig = sig;
	el.className = classesOf(p, fitting, host);
	el.style.setProperty("--emb", `${fitting.emblem}px`);
	el.style.setProperty("--room", `${fitting.room}px`);
	el.style.setProperty("--cut", `${fitting.cut}px`);
	const badged = p.badges && (fitting.level >= 1 || p.shape === "disc");
	const badges = badged && ["tl", "tr", "bl", "br"].map(at => corner(p.badges ?? [], at));
	const isDead = p.shape !== "card" && p.state?.includes("dead");
	clear(el, el._said, faceOf(id, p, scene, fitting), badges, isDead && h("span.skull", glyph("skull-crossed-bones")));
	markChanged(el, p.face === "down" ? [] : (p.stats ?? []));
	if (el._said) {
		// the name is sufficient
		for (const kid of el.children) {
			if (kid !== el._said) {
				kid.ariaHidden = "true";
			}
		}
	}
}
