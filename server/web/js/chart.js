// The chance to win over a match, one line per side, under the board. It can be clicked, dragged and walked by keys.
import { isDone, percent, signed } from "./chances.js";
import { clear, h, s } from "./dom.js";
import { t } from "./strings.js";

const WHOLE = 1000;

/** The labels of the axis, above, in the middle and below: how likely somebody is to win. @param {string | null | undefined} name @param {number} i */
const axisOf = (name, i) => (name ? t("axis", { name }) : percent(1 - i / 2));

export class Chart {
	/** The points with the steps that show them. @type {{ at: number, point: Wire.Point }[]} */
	points = [];
	/** @type {HTMLElement | undefined} */
	field = undefined;
	head = h("p.now");
	cursor = h("span.cursor");
	held = false;

	/** @param {import("./judged.js").Judged} of */
	constructor(of) {
		this.of = of;
	}

	get replay() {
		return this.of.parts.replay;
	}

	/** The step that shows a line. @param {number} line */
	stepOf(line) {
		return this.of.parts.steps.time?.find(line) ?? 0;
	}

	/** The horizontal place of a step, as a part of the whole. @param {number} step */
	x(step) {
		return step / Math.max(1, this.replay.n);
	}

	draw() {
		const { match: m, root } = this.of;
		if (!m?.points?.length) {
			clear(root, m && m.done < m.of ? this.of.progress(m) : this.of.start());
			return;
		}
		this.points = m.points.map(point => ({ at: this.stepOf(point.line), point }));
		const had = this.field === document.activeElement;
		this.field = this.newField(m);
		clear(root, h("div.heads", this.head, !isDone(m) && this.of.progress(m)), this.field);
		if (had) {
			this.field.focus();
		}
		this.stand();
	}

	/** @param {Wire.Judged} m */
	newField(m) {
		const sides = m.sides ?? [];
		const svg = s(
			"svg",
			{ viewBox: `0 0 ${WHOLE} ${WHOLE}`, preserveAspectRatio: "none", "aria-hidden": "true" },
			s("path", { d: `M0 ${WHOLE / 2}H${WHOLE}`, class: "half" }),
			this.drawn(sides).map((seats, side) => this.lineOf(side, seats[0])),
		);
		const [top, low] = this.drawn(sides)[1] ? [] : sides.map(seats => this.of.nameOf(seats));
		const field = h(
			"div.field",
			{ role: "slider", tabindex: 0, "aria-label": t("chances"), "aria-valuemin": 0, "aria-valuemax": this.replay.n },
			[top, null, low].map((name, i) => h("i.axis", { style: { top: `${50 * i}%` } }, axisOf(name, i))),
			svg,
			(m.turnings ?? []).map(turn => this.turnMark(turn, sides)),
			(m.won ?? []).map(side => this.endMark(m, side)),
			this.cursor,
		);
		this.hearPointer(field);
		field.onkeydown = event => this.key(event);
		return field;
	}

	/** The sides that have a line: of two only the first, since the other's chance is the rest. @param {number[][]} sides */
	drawn(sides) {
		return sides.length === 2 ? sides.slice(0, 1) : sides;
	}

	/** A side's line and its band. @param {number} side @param {number} seat */
	lineOf(side, seat) {
		/** @param {number[]} of @param {{ at: number }} p */
		const at = (of, p) => `${Math.round(WHOLE * this.x(p.at))},${Math.round(WHOLE * (1 - of[side]))}`;
		const low = this.points.map(p => at(p.point.low, p)).reverse();
		const high = this.points.map(p => at(p.point.high, p));
		const middle = this.points.map(p => at(p.point.share, p));
		return s(
			"g",
			{ class: `s${seat}` },
			s("polygon", { points: [...high, ...low].join(" "), class: "band" }),
			s("polyline", { points: middle.join(" "), class: `way w${side}` }),
		);
	}

	/** A turning point of the match. @param {Wire.TurningPoint} turn @param {number[][]} sides */
	turnMark(turn, sides) {
		const side = turn.side ?? 0;
		const found = this.points.find(p => p.point.line === turn.line);
		const style = { left: `${100 * this.x(found?.at ?? 0)}%`, top: `${100 * (1 - (found?.point.share[side] ?? 0))}%` };
		const title = t("turnedFor", { name: this.of.nameOf(sides[side]), n: signed(turn.change) });
		return h(`span.turn.s${sides[side][0]}`, { style, title });
	}

	/** The winner. @param {Wire.Judged} m @param {number} side */
	endMark(m, side) {
		const seats = m.sides?.[side] ?? [];
		const top = side && this.drawn(m.sides ?? []).length === 1 ? "100%" : "0%";
		const style = { left: `${100 * this.x(this.stepOf(m.end ?? 0))}%`, top };
		return h(`span.end.s${seats[0]}`, { style, title: t("wonIt", { name: this.of.nameOf(seats) }) });
	}

	// --- the page's present step ---

	/** The last point up to a step, or the first point if the step is before it. @param {number} step */
	pointAt(step) {
		return this.points.findLast(p => p.at <= step) ?? this.points[0];
	}

	/** Shows the page's present step. */
	stand() {
		const { match: m, parts } = this.of;
		if (!this.field || !m?.points?.length) {
			return;
		}
		const { at } = parts.steps;
		const { point } = this.pointAt(at);
		const sides = m.sides ?? [];
		this.cursor.style.left = `${100 * this.x(at)}%`;
		clear(
			this.head,
			sides.map((seats, side) => this.sideNow(seats, point, side)),
		);
		const told = sides.map((seats, side) => `${this.of.nameOf(seats)} ${percent(point.share[side])}`);
		const title = this.replay.marks.findLast(mark => mark[0] <= at)?.[1];
		this.field.ariaValueNow = String(at);
		this.field.ariaValueText = [title, told.join(", ")].filter(Boolean).join(": ");
	}

	/** A side's name and chance. @param {number[]} seats @param {Wire.Point} point @param {number} side */
	sideNow(seats, point, side) {
		const chance = h("b", percent(point.share[side]));
		return h(`span.side.s${seats[0]}`, h("i"), this.of.nameOf(seats), " ", chance, this.band(point, side));
	}

	/** @param {Wire.Point} point @param {number} side */
	band(point, side) {
		const [low, high] = [point.low[side], point.high[side]].map(percent);
		return h("small", ` ${t("fromTo", { low, high })}`);
	}

	// --- hand and keys ---

	/** @param {HTMLElement} field */
	hearPointer(field) {
		/** @param {PointerEvent} event */
		const to = event => {
			const { left, width } = field.getBoundingClientRect();
			const part = Math.max(0, Math.min(1, (event.clientX - left) / Math.max(1, width)));
			this.go(Math.round(part * this.replay.n));
		};
		field.onpointerdown = event => {
			if (event.button === 0) {
				this.held = true;
				field.setPointerCapture(event.pointerId);
				to(event);
			}
		};
		field.onpointermove = event => this.held && to(event);
		field.onlostpointercapture = () => {
			this.held = false;
		};
	}

	/** @param {number} step */
	go(step) {
		if (step !== this.of.parts.steps.at) {
			this.replay.jump(step);
		}
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		const { at } = this.of.parts.steps;
		const all = this.points.map(p => p.at);
		const turns = (this.of.match?.turnings ?? []).map(turn => this.stepOf(turn.line)).sort((a, b) => a - b);
		/** @param {number[]} of */
		const after = of => of.find(x => x > at);
		/** @param {number[]} of */
		const before = of => of.findLast(x => x < at);
		/** @type {Record<string, number | undefined>} */
		const ways = {
			ArrowRight: after(all) ?? this.replay.n,
			ArrowLeft: before(all) ?? 0,
			PageUp: after(turns),
			PageDown: before(turns),
			Home: 0,
			End: this.replay.n,
		};
		if (event.key in ways && !event.ctrlKey && !event.altKey && !event.metaKey) {
			event.preventDefault();
			event.stopPropagation();
			this.go(ways[event.key] ?? at);
		}
	}
}
