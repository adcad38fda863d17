// The review of a match: its phases with their results, those with most changes marked, each a link to its moment.
import { button, h } from "./dom.js";
import { groupBy } from "./geom.js";
import { t } from "./strings.js";

/** The number of moments that are marked as turning points. */
const TURNING = 3;

/** @typedef {import("./comforts.js").Parts} Parts */
/** @typedef {{ seat: number, label: string, from: number, to: number, part: number }} Change a counter before and after */
/** @typedef {{ at: number, title: string, changes: Change[], turning: boolean }} Moment */

/** The values of the counters that count most, by seat and name. @param {Scene} scene */
function counted(scene) {
	/** @type {Map<string, { seat: number, label: string, v: number, most: number }>} */
	const found = new Map();
	for (const [seat, plate] of Object.entries(scene.seats)) {
		for (const [name, { v, max, key, label = name }] of Object.entries(plate.counters ?? {})) {
			if (key && Number.isFinite(Number(v))) {
				found.set(`${seat}/${name}`, { seat: Number(seat), label, v: Number(v), most: Number(max ?? 0) });
			}
		}
	}
	return found;
}

/** @param {Scene} before @param {Scene} after @returns {Change[]} */
function changed(before, after) {
	const then = counted(before);
	return [...counted(after)].flatMap(([key, { seat, label, v, most }]) => {
		const from = then.get(key)?.v ?? v;
		const whole = Math.max(1, most, Math.abs(from), Math.abs(v));
		return from === v ? [] : [{ seat, label, from, to: v, part: Math.abs(v - from) / whole }];
	});
}

/** Changes in words. @param {Change[]} changes @param {Record<number, Words.Plate>} seats */
const inWords = (changes, seats) =>
	changes.map(({ seat, label, from, to }) => h(`span.chg.s${seat}`, `${seats[seat]?.name}, ${label}: ${from} → ${to}`));

/** A phase with its result; nothing if it has none. @param {import("./scene.js").Timeline} time @param {[number, string]} phase @param {number} to */
function summed(time, [from, title], to) {
	const changes = changed(time.at(from), time.at(to));
	const { seats } = time.at(to);
	const rows = [...groupBy(changes, ({ seat }) => seat)].map(([seat, each]) => {
		const told = each.map(({ label, from: was, to: now }) => `${label} ${was} → ${now}`);
		return h(`span.chg.s${seat}`, `${seats[seat]?.name}: ${told.join(", ")}`);
	});
	return changes.length > 0 && h("div.review.sum", h("span.ttl", title), rows);
}

/** The result of the phase that has ended, until the first question of the next one is answered. @param {Parts} parts @returns {(p: Words.Prompt) => Kid} */
export function summedUp({ steps }) {
	let known = NaN;
	let beside = "";
	/** @type {Kid} */
	let told = null;
	return ({ id, mode, forced }) => {
		const { time } = steps;
		const marks = time?.headings() ?? [];
		if (time && marks.length !== known) {
			const [phase, next] = marks.slice(-2);
			// the page does not begin where a phase begins
			told = next && marks.length > known ? summed(time, phase, next[0]) : null;
			known = marks.length;
			beside = "";
		}
		beside ||= mode === "you" && !forced ? id : "";
		return !beside || beside === id ? told : null;
	};
}

/** The phases of a match with their results. @param {import("./scene.js").Timeline} time @param {[number, string][]} marks @returns {Moment[]} */
export function momentsOf(time, marks) {
	const all = marks.map(([at, title], i) => {
		const end = marks[i + 1]?.[0] ?? time.length;
		return { at, title, changes: changed(time.at(at), time.at(end)), turning: false };
	});
	/** @param {Moment} m */
	const weight = m => m.changes.reduce((sum, change) => sum + change.part, 0);
	const heavy = all.filter(weight).sort((a, b) => weight(b) - weight(a));
	heavy.slice(0, Math.min(TURNING, heavy.length >> 1)).forEach(m => {
		m.turning = true;
	});
	return all;
}

export class Review {
	/** @type {Moment[]} */
	moments = [];
	/** @type {import("./scene.js").Timeline | undefined} */
	of = undefined;
	/** The steps of the match's turning points, if it was analysed. @type {() => number[] | undefined} */
	turned = () => undefined;

	/** @param {Parts} parts */
	constructor(parts) {
		this.parts = parts;
	}

	/** The list of moments; the one that is shown is marked. */
	shown() {
		const { steps, replay } = this.parts;
		const { time, at } = steps;
		if (!time || !replay.marks.length) {
			return null;
		}
		if (this.of !== time) {
			this.of = time;
			this.moments = momentsOf(time, replay.marks);
		}
		const now = this.moments.findLastIndex(m => m.at <= at);
		const turned = this.turned();
		const rows = this.moments.map((m, i) => {
			const end = this.moments[i + 1]?.at ?? Infinity;
			const turning = turned ? turned.some(step => step >= m.at && step < end) : m.turning;
			return h("li", this.row({ ...m, turning }, i === now));
		});
		return h("div.review", h("h3", t("moments")), h("ol", rows));
	}

	/** @param {Moment} moment @param {boolean} now */
	row({ at, title, changes, turning }, now) {
		const { replay, view } = this.parts;
		const { seats = {} } = view.scene ?? {};
		const what = inWords(changes, seats);
		const attrs = { onclick: () => replay.jump(at), "aria-current": now ? "step" : null, "data-o": `moment|${at}` };
		const mark = turning && h("b.tp", t("turning"));
		return button(`.moment${turning ? ".turning" : ""}`, attrs, h("span.ttl", title, mark), what);
	}
}
