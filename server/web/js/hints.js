// "What would you do?": if the match allows hints, the player who is asked asks the search. The choice that it prefers is
// marked and named. The record states, for everybody to see, that the player has asked.
import { fresh } from "../client/connection.js";
import { isBots } from "./ahead.js";
import { refsOf } from "./answers.js";
import { percent } from "./chances.js";
import { button, h, addStyle } from "./dom.js";
import { say } from "./page.js";
import { t } from "./strings.js";

/** A share as a percentage. @param {number} [share] */
const hundredth = (share = 0) => Math.round(100 * share);

/** @typedef {{ id: string, decision: number, told?: Wire.Hinted, is_over?: boolean, why?: string, lang?: string }} Asked */

export class Hints {
	/** The last question for which a hint was requested. @type {Asked | undefined} */
	asked = undefined;
	/** The element above the options. @type {HTMLElement | undefined} */
	panel = undefined;

	/** @param {import("./comforts.js").Parts} parts */
	constructor(parts) {
		this.parts = parts;
		addStyle({ href: "/css/judged.css" });
		const { handlers } = parts.live;
		const { error, refused, welcome } = handlers;
		handlers.hinted = m => this.hear(m);
		handlers.error = m => this.failed(m) || error(m);
		handlers.refused = m => this.failed(m) || refused(m);
		handlers.welcome = m => {
			welcome(m);
			this.again();
		};
	}

	get prompt() {
		return this.parts.view.prompt;
	}

	/** Asks for a hint to the open question. */
	ask() {
		this.asked = { id: fresh(), decision: Number(this.prompt.p?.id) };
		this.again();
		say(t("hintThinks"));
		this.prompt.draw();
	}

	/** Sends the unanswered request, and sends it again after a break; the server counts it once. */
	again() {
		const { id, decision, is_over, why } = this.asked ?? {};
		if (id && !is_over && !why) {
			this.parts.live.send(/** @type {Wire.Hint} */ ({ t: "hint", id, decision, early: true }));
		}
	}

	/** Ends the search, whose last result then counts. */
	stop() {
		const { id, decision, told } = this.asked ?? {};
		this.parts.live.connection?.send(/** @type {Wire.StopHint} */ ({ t: "stop_hint", id, decision }));
		this.asked = told && this.asked && { ...this.asked, is_over: true };
		this.prompt.draw();
	}

	/** @param {Wire.Hinted} told */
	hear(told) {
		const { id, told: former } = this.asked ?? {};
		if (told.id !== id || !this.asked || this.asked.is_over) {
			return;
		}
		const best = this.best(told);
		const isNew = !former || best !== this.best(former);
		this.asked = { ...this.asked, told, is_over: !told.of };
		if (isNew || !told.of) {
			say(`${best} ${this.gain(told)}`);
		}
		this.prompt.refresh();
		if (isNew) {
			this.lead();
		}
	}

	/** Scrolls to the advice: to its row, otherwise to its text, and to its place on the board. */
	lead() {
		const { board } = this.parts.view;
		const [ref = ""] = this.prompt.advised;
		board.maps?.reveal(ref);
		const row = this.prompt.root.querySelector(".advised") ?? this.panel;
		for (const node of [board.node(ref), row]) {
			node?.scrollIntoView({ block: "nearest" });
		}
	}

	/** Whether a refusal answers a hint. @param {Wire.Error | Wire.Refused} m */
	failed({ id, why, lang }) {
		const mine = this.asked !== undefined && id === this.asked.id;
		if (this.asked && mine) {
			this.asked = { ...this.asked, why, lang };
			say(why);
			this.prompt.draw();
		}
		return mine;
	}

	/** The part that is shown below the question while others are asked; for the seat that is asked it is above the options. @param {Words.Prompt} p @returns {Kid} */
	shown(p) {
		if (p.mode !== "you" || this.parts.live.seat < 0) {
			const isRead = p.mode === "none" || (p.mode === "wait" && !isBots(this.parts.live, p));
			return isRead && h("p.quiet.hinted", t("hintsAllowed"));
		}
		if (p.fields?.[0]?.options?.length === 1) {
			return null;
		}
		this.prompt.advised = new Set();
		const asked = this.asked?.decision === Number(p.id) ? this.asked : undefined;
		if (!asked) {
			// a player who has not asked sees the button below the possible answers
			this.panel = undefined;
			return this.offer(p);
		}
		this.panel = this.own(p, asked);
		this.prompt.root.querySelector(".field")?.before(this.panel);
		return null;
	}

	/** The part for the seat that has asked. @param {Words.Prompt} p @param {Asked} asked */
	own(p, asked) {
		if (asked.told) {
			this.mark(asked.told);
			return this.answer(asked.told);
		}
		return !asked.why ? h("div.hinted", this.progress()) : this.offer(p, asked);
	}

	/** The progress of the search, and the button that ends it. @param {number} [done] @param {number} [of] */
	progress(done, of) {
		const says = t(done ? "hintBetter" : "hintThinks");
		const stop = button(".ghost", { onclick: () => this.stop(), "data-o": "hint|stop" }, t("hintStop"));
		return h("p.how", h("progress", { max: of, value: done, "aria-label": says }), says, stop);
	}

	/** @param {Words.Prompt} p @param {Asked} [failed] */
	offer(p, failed) {
		const before = this.parts.around.table.hinted?.includes(Number(p.id));
		const attrs = { onclick: () => this.ask(), "data-o": "hint|ask" };
		return h(
			"p.hinted",
			failed && h("span.bad", { role: "alert", lang: failed.lang || null }, failed.why, " "),
			button(".ghost", { ...attrs, title: t(before ? "hintSame" : "hintLong") }, t(before ? "hintAgain" : "hintAsk")),
		);
	}

	// --- the result ---

	/** @param {Wire.Hinted} told */
	best({ choices }) {
		const [first] = choices;
		if (first.weight === 1) {
			return t("hintBest", { what: first.choice });
		}
		const drawn = choices.filter(c => c.weight).map(c => `${c.choice} (${percent(c.weight)})`);
		return t("hintLot", { what: drawn.join(", ") });
	}

	/** @param {Wire.Hinted} told */
	gain({ choices, gain, error, of }) {
		const [first, second] = choices;
		if (!second || first.weight < 1) {
			// an early result has not tried anything else yet
			return second || of ? "" : t("hintAlone");
		}
		const n = hundredth(gain);
		const other = second.choice;
		return n > hundredth(error) ? t("hintGain", { n: `${n} ± ${hundredth(error)}`, other }) : t("hintEven", { other });
	}

	/** @param {Wire.Hinted} told */
	answer(told) {
		const [{ lang, answer }] = told.choices;
		const whole = typeof answer === "object" && !this.prompt.simple() && told.choices[0].weight === 1;
		const onclick = () => this.take(/** @type {Answer} */ (answer));
		const take = button(".ghost", { onclick, "data-o": "hint|take" }, t("hintTake"));
		const words = { lang: lang || null };
		return h(
			"div.hinted",
			h("p", words, h("b", this.best(told)), " ", this.gain(told)),
			whole && take,
			!this.asked?.is_over && this.progress(told.done, told.of),
		);
	}

	/** Fills in the answer that the search prefers; it is not sent. @param {Answer} answer */
	take(answer) {
		const [field] = this.prompt.fields();
		this.prompt.change(() => {
			this.prompt.answers.keep();
			this.prompt.answers.values[field.id] = structuredClone(answer);
		});
	}

	/** Marks the preferred choices among the rows that are shown. @param {Wire.Hinted} told */
	mark({ choices: [{ answer, weight }] }) {
		if (weight < 1) {
			return;
		}
		const [field] = this.prompt.fields();
		const ids = Array.isArray(answer) ? answer : [String(answer)];
		const { at: refs, grp } = field.options?.find(o => ids.includes(o.id)) ?? {};
		const at = refs?.[this.prompt.path.length];
		this.prompt.advised = new Set(ids.flatMap(id => refsOf(this.prompt.option(`${field.id}|${id}`))));
		for (const row of /** @type {NodeListOf<HTMLElement>} */ (this.prompt.root.querySelectorAll(".opt[data-o]"))) {
			const { o = "", way, verb } = row.dataset;
			const group = row.parentElement?.previousElementSibling?.textContent;
			const isWay = way ? way === at && (!grp || grp === group) : ids.includes(o.split("|")[1]);
			if (verb === undefined ? isWay : o === `verb|${grp}`) {
				row.classList.add("advised");
				row.querySelector(".ol")?.append(h("span.sb.adv", t("hintMark")));
			}
		}
	}
}
