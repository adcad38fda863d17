// The analysis of a finished match: which side was ahead when, the turning points, better choices. It is requested from the
// server, which computes it in the background and keeps it.
import { fresh } from "../client/connection.js";
import { isDone } from "./chances.js";
import { $, button, h } from "./dom.js";
import { Chart } from "./chart.js";
import { say } from "./page.js";
import { t } from "./strings.js";
import { Verdict } from "./verdict.js";

/** The time without an answer after which the analysis is requested again, since the connection may have been replaced. */
const SILENT_MS = 12_000;
const RETRY_MS = 300;

/** @typedef {import("./comforts.js").Parts} Parts */

export class Judged {
	/** The analysis of the whole match. @type {Wire.Judged | undefined} */
	match = undefined;
	/** The analysis of lines, by line. @type {Map<number, Wire.Judged>} */
	lines = new Map();
	/** The requested lines, by the id of the request; 0: the match. @type {Map<string, number>} */
	asked = new Map();
	/** Why there is no analysis, if it was requested. */
	why = "";
	/** @type {number | undefined} */
	silence = undefined;

	/** @param {Parts} parts */
	constructor(parts) {
		this.parts = parts;
		const { handlers } = parts.live;
		const { error } = handlers;
		handlers.judged = m => this.hear(m);
		handlers.error = m => (this.asked.has(m.id) ? this.refused(m) : error(m));
		this.root = h("section", { id: "judged", "aria-label": t("judgement"), hidden: true });
		$("#stagehost").after(this.root);
		this.chart = new Chart(this);
		this.verdict = new Verdict(this);
		parts.view.seen.push(() => this.chart.stand());
		Object.assign(window.herald, { judged: this });
		this.ask(0, true);
	}

	/** The names of a side's seats. @param {number[]} seats */
	nameOf(seats) {
		const plates = this.parts.view.scene?.seats ?? {};
		return seats.map(seat => plates[seat]?.name ?? seat + 1).join(", ");
	}

	/** Asks for the analysis of the match, or of a line of it; `kept`: only for results that exist already. @param {number} line @param {boolean} [kept] */
	ask(line, kept) {
		const id = fresh();
		this.asked.set(id, line);
		this.why = "";
		/** @type {Wire.Judge} */
		const m = { t: "judge", id, line, ...(kept && { kept }) };
		const send = () => this.parts.live.connection?.ready && this.parts.live.connection.send(m);
		if (!send()) {
			setTimeout(() => this.asked.delete(id) && this.ask(line, kept), RETRY_MS);
		}
	}

	/** @param {Wire.Judged} m */
	hear(m) {
		const { line = 0 } = m;
		const before = line ? this.lines.get(line) : this.match;
		if (line) {
			this.lines.set(line, m);
		} else {
			this.match = m;
		}
		clearTimeout(this.silence);
		if (m.done < m.of) {
			this.silence = setTimeout(() => this.ask(line, true), SILENT_MS);
		} else if (before && before.done < before.of) {
			say(t(m.of ? "judgedNow" : "judgedNot"));
			this.why = m.of ? "" : t("judgedNot");
		}
		this.draw();
	}

	/** @param {Wire.Error} m */
	refused(m) {
		const line = this.asked.get(m.id ?? "");
		this.asked.delete(m.id ?? "");
		// a refusal of an automatic request is not shown
		if (line || this.match) {
			this.why = m.why;
			say(m.why);
			this.draw();
		}
	}

	draw() {
		this.root.hidden = false;
		this.chart.draw();
		this.parts.view.prompt.draw();
	}

	/** The button that begins the analysis, if nothing is known yet. */
	start() {
		const go = button(".ghost", { onclick: () => this.ask(0), "data-o": "judge|match" }, t("judgeMatch"));
		return h("p.start", go, h("span.quiet", this.why || t("judgeAbout")));
	}

	/** The progress of the analysis. @param {Wire.Judged} m */
	progress({ done, of }) {
		const bar = h("progress", { max: of, value: done, "aria-label": t("judging") });
		return h("span.how", t("judging"), " ", bar);
	}

	/** The steps of the turning points, once they are known. */
	turned() {
		return isDone(this.match) ? this.match?.turnings?.map(turn => this.chart.stepOf(turn.line)) : undefined;
	}

	/** The content of the panel. */
	shown() {
		return this.match && this.verdict.shown(this.match);
	}
}
