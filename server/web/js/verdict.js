// The turning points of a match, in words: turning points with what would have been better, dice beside expectation, the curve
// as a table, the position at hand.
import { decimal, isDone, percent, signed } from "./chances.js";
import { button, h } from "./dom.js";
import { plainText, ROWS } from "./scene.js";
import { t } from "./strings.js";

/** The number of answers outside turning points for which a better choice is shown. */
const MOST = 6;
/** The number of lines of the chronicle shown at a turning point. */
const HAPPENED = 2;
/** Dice are called lucky or unlucky from this many standard deviations on. */
const LUCKY = 1;
/** An error of this size means that there were too few trials. */
const UNKNOWN = 0.5;

/** @param {number} error */
const within = error => (error < UNKNOWN ? ` ± ${Math.round(100 * error)}` : "");

export class Verdict {
	/** Whether the table is open. */
	open = false;

	/** @param {import("./judged.js").Judged} of */
	constructor(of) {
		this.of = of;
	}

	/** @param {Wire.Judged} m */
	shown(m) {
		return h(
			"div.verdict",
			m.points?.length ? [this.turnings(m), this.others(m), this.fortune(m), this.table(m)] : null,
			this.here(),
		);
	}

	/** The name of a seat's holder. @param {number} seat */
	name(seat) {
		return this.of.nameOf([seat]);
	}

	/** The link to a line's moment. @param {number} line @param {Kid[]} kids */
	row(line, ...kids) {
		const { chart, parts } = this.of;
		const attrs = { onclick: () => parts.replay.jump(chart.stepOf(line)), "data-o": `judged|${line}` };
		return h("li", button(".moment", attrs, kids));
	}

	/** The heading above a line. @param {number} line */
	moment(line) {
		const at = this.of.chart.stepOf(line);
		return this.of.parts.replay.marks.findLast(mark => mark[0] <= at)?.[1] ?? t("lineN", { n: line });
	}

	/** The number of the step that shows a line; it distinguishes moments under the same heading. @param {number} line */
	step(line) {
		const { chart, parts } = this.of;
		return h("small", t("stepOf", { i: chart.stepOf(line), n: parts.replay.n }));
	}

	/** The last line about a player between two points. @param {Wire.TurningPoint} turn */
	happened({ before, line }) {
		const { chart, parts } = this.of;
		const told = (parts.steps.time?.lines ?? []).filter(
			one =>
				one.at > chart.stepOf(before) && one.at <= chart.stepOf(line) && "seat" in one.line && one.line.k !== "why",
		);
		return told.slice(-HAPPENED).map(one => plainText(one.line).replace(ROWS, ""));
	}

	/** @param {Wire.Judged} m */
	turnings(m) {
		const found = [...(m.turnings ?? [])].sort((a, b) => a.line - b.line);
		if (!found.length) {
			return isDone(m) && [h("h3", t("turnings")), h("p.quiet", t("noTurnings"))];
		}
		return [
			h("h3", t("turnings")),
			h(
				"ol",
				found.map(turn => this.turning(m, turn)),
			),
		];
	}

	/** @param {Wire.Judged} m @param {Wire.TurningPoint} turn */
	turning(m, turn) {
		const seats = m.sides?.[turn.side ?? 0] ?? [];
		const change = `${signed(turn.change)}${within(turn.error)}`;
		const best = this.betterIn(m, turn);
		return this.row(
			turn.line,
			h("span.ttl", this.moment(turn.line), " ", this.step(turn.line)),
			h(`span.chg.s${seats[0]}`, t("turnedFor", { name: this.of.nameOf(seats), n: change })),
			this.happened(turn).map(text => h("span.chg", text)),
			best && this.preferred(best),
		);
	}

	/** The answer near a turning point to which the search most prefers another answer. @param {Wire.Judged} m @param {Wire.TurningPoint} turn */
	betterIn(m, { before, line }) {
		const found = (m.better ?? []).filter(one => one.line >= before && one.line < line);
		return found.sort((a, b) => b.gain - a.gain)[0];
	}

	/** @param {Wire.Preferred} one */
	preferred({ seat, made, other, gain, error, lang }) {
		const says = { lang: lang || null };
		return [
			h("span.chg", says, t("madeChoice", { name: this.name(seat), what: made })),
			h("span.chg.better", says, t("betterChoice", { what: other, n: `${signed(gain)}${within(error)}` })),
		];
	}

	/** Better answers that lie at no turning point. @param {Wire.Judged} m */
	others(m) {
		const around = (m.turnings ?? []).map(turn => this.betterIn(m, turn));
		const found = (m.better ?? []).filter(one => !around.includes(one)).sort((a, b) => b.gain - a.gain);
		const rows = found
			.slice(0, MOST)
			.map(one => this.row(one.line, h("span.ttl", this.moment(one.line)), this.preferred(one)));
		if (!rows.length) {
			return isDone(m) && !m.better?.length && [h("h3", t("betterChoices")), h("p.quiet", t("noBetter"))];
		}
		return [h("h3", t("betterChoices")), h("ol", rows)];
	}

	/** @param {Wire.Judged} m */
	fortune(m) {
		const rows = (m.luck ?? []).map(one => this.luckOf(one));
		return [h("h3", t("luck")), rows.length ? h("ul.luck", rows) : h("p.quiet", t("noLuck"))];
	}

	/** @param {Wire.Fortune} one */
	luckOf({ seat, dice, successes, expected, spread }) {
		const surplus = spread ? (successes - expected) / spread : 0;
		const unlucky = surplus < -LUCKY ? "unlucky" : "asExpected";
		const said = t(surplus > LUCKY ? "lucky" : unlucky);
		const values = { dice, n: successes, expected: decimal(expected), spread: decimal(spread), said };
		return h(`li.s${seat}`, h("b", this.name(seat)), " ", t("luckOf", values));
	}

	/** The curve as a table. @param {Wire.Judged} m */
	table(m) {
		const sides = m.sides ?? [];
		const head = h(
			"tr",
			[t("moment"), ...sides.map(seats => this.of.nameOf(seats))].map(text => h("th", { scope: "col" }, text)),
		);
		const rows = (m.points ?? []).map(p =>
			h(
				"tr",
				h("th", { scope: "row" }, this.moment(p.line), " ", this.step(p.line)),
				sides.map((_, side) => h("td", percent(p.share[side]), this.of.chart.band(p, side))),
			),
		);
		const played = t("playedOut", { n: m.points?.[0]?.samples ?? 0 });
		const open = {
			open: this.open,
			"data-o": "judged|table",
			ontoggle: (/** @type {Event} */ event) => {
				this.open = /** @type {HTMLDetailsElement} */ (event.target).open;
			},
		};
		const table = h("table", h("thead", head), h("tbody", rows));
		return h("details", open, h("summary", t("asTable")), table, h("p.quiet", played));
	}

	// --- the position at hand ---

	here() {
		const { of } = this;
		const { seq: line = 0, prompt } = of.parts.view.scene ?? {};
		if (prompt?.mode === "over") {
			return null;
		}
		const m = of.lines.get(line);
		const go = button(".ghost", { onclick: () => of.ask(line), "data-o": "judge|here" }, t("judgeHere"));
		const known = m && (isDone(m) ? this.advice(m) : m.done < m.of && of.progress(m));
		return [h("h3", t("positionHere")), known || h("p", go), !known && of.why && h("p.quiet", of.why)];
	}

	/** @param {Wire.Judged} m */
	advice(m) {
		const point = m.points?.[0];
		const chances = (m.sides ?? []).map((seats, side) =>
			h(
				`span.chg.s${seats[0]}`,
				`${this.of.nameOf(seats)} ${percent(point?.share[side] ?? 0)}`,
				point && this.of.chart.band(point, side),
			),
		);
		return [h("p.chances", chances), (m.advice ?? []).map(one => this.counsel(one))];
	}

	/** The search's choice. @param {Wire.Counsel} one */
	counsel({ seat, ask, lang, choices }) {
		const rows = choices.map(c => {
			const often = c.weight > 0 && c.weight < 1 && ` · ${t("often", { n: percent(c.weight) })}`;
			return h(
				`li${c.weight ? ".best" : ""}`,
				{ lang: c.lang || null },
				c.choice,
				h("small", ` ${percent(c.share)}${within(c.error)}`, often, c.made && ` · ${t("wasPlayed")}`),
			);
		});
		return h(
			`div.counsel.s${seat}`,
			h("p", { lang: lang || null }, h("b", this.name(seat)), ` · ${ask}`),
			h("ol", rows),
			h("p.quiet", t("searchSays")),
		);
	}
}
