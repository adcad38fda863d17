// Answers that the server keeps, signed ahead: it gives them even if this page is closed. They do not replace anything that
// this page does by itself: a pass by this page reveals nothing, while a pass by the server is announced to all.
import { fresh } from "../client/connection.js";
import { signAhead } from "../client/signahead.js";
import { button, h } from "./dom.js";
import { match, say } from "./page.js";
import { t } from "./strings.js";

/** The number of times that the server gives an answer, unless it is stored anew, as after every choice by hand. */
const TIMES = 16;
/** The number of kinds of questions that are offered: those answered last. */
const MOST = 3;
const LABELS = `herald.kept/${match}`;

/** @typedef {{ label: string, ask: string, then: Record<string, unknown> }} Answered */

export class StandingAnswers {
	/** The answers given by hand here, by the kind of the question. @type {Record<string, Answered>} */
	labels = JSON.parse(sessionStorage.getItem(LABELS) ?? "{}");
	/** Kinds of questions for which the server keeps an answer, and how many times it will give it. @type {Map<string, number>} */
	kept = new Map();
	/** The words of answers whose lines have not arrived yet, by the question's number. @type {Map<number, { label: string, ask: string }>} */
	fresh = new Map();
	/** One's own questions since the last answer, by their numbers: an answer may be accepted after the next question has come. @type {Map<string, Words.Prompt>} */
	prompts = new Map();
	/** The line after which the stored answers were signed. */
	signedAt = 0;

	/** @param {import("./comforts.js").Parts} parts */
	constructor({ live, check, view }) {
		this.live = live;
		this.check = check;
		this.prompt = view.prompt;
		const { accepted, welcome } = live.handlers;
		live.handlers["ahead-told"] = m => this.hear(m);
		live.handlers.accepted = m => {
			const was = /** @type {Wire.Choose | null} */ (accepted(m));
			return was && this.note(was.decision, was.choice);
		};
		live.handlers.welcome = m => {
			welcome(m);
			this.ask();
		};
		if (live.welcome) {
			this.ask();
		}
	}

	get standing() {
		return this.check.verifier?.strict?.standing;
	}

	/** Whether one's own seat signs with the key that is here. */
	get signs() {
		const { live, check } = this;
		return live.seat >= 0 && Boolean(live.ownKey && check.verifier?.seated.get(live.seat)?.key);
	}

	/** Asks for the stored answers, whichever device signed them. */
	ask() {
		if (this.live.welcome?.viewer.as === "seat") {
			this.live.send({ t: "ahead", id: fresh() });
		}
	}

	/** @param {Wire.AheadTold} m */
	hear({ answers }) {
		this.kept = new Map();
		for (const { text } of answers) {
			const { kind, then } = JSON.parse(text);
			this.kept.set(kind, (this.kept.get(kind) ?? 0) + 1);
			this.labels[kind] ??= { label: String(then.do), ask: kind, then };
		}
		this.prompt.draw();
	}

	/** Remembers the words of an answer. @param {number} decision @param {Answer} choice */
	note(decision, choice) {
		const p = this.prompts.get(String(decision));
		const [field] = p?.fields ?? [];
		const option = field?.type === "one" && field.options?.find(o => o.id === choice);
		this.prompts.clear();
		if (p && option) {
			this.fresh.set(decision, { label: option.label, ask: p.ask.slice(p.ask.lastIndexOf(". ") + 1).trim() });
		}
	}

	/** Another Scene is shown: choices by hand have ended the stored answers, which are signed anew. */
	look() {
		const { standing } = this;
		const { p } = this.prompt;
		if (p?.mode === "you") {
			this.prompts.set(p.id, p);
		}
		for (const [kind, { number, then }] of standing?.said ?? []) {
			const words = this.fresh.get(number);
			if (words && then.do) {
				this.labels[kind] = { ...words, then };
				this.fresh.delete(number);
				sessionStorage.setItem(LABELS, JSON.stringify(this.labels));
			}
		}
		if (!standing || !this.kept.size || !this.signedAt) {
			return;
		}
		if (standing.placedAt > this.signedAt) {
			// a question that was taken back is asked anew: its wanted answer is not known
			this.kept = new Map();
		} else if ((standing.byHand.get(this.live.seat) ?? 0) > this.signedAt) {
			this.keep([...this.kept.keys()]);
		}
	}

	/** Makes the server keep answers to these kinds of questions, and to no others. @param {string[]} kinds */
	async keep(kinds) {
		const { check, live } = this;
		await check.settled();
		const said = kinds.flatMap(kind => Array.from({ length: TIMES }, () => ({ kind, then: this.labels[kind].then })));
		const m = await signAhead(live.ownKey, check.verifier, live.seat, said);
		this.signedAt = m.ack_seq ?? 0;
		live.send(m);
	}

	/** @param {string} kind @param {boolean} on */
	async turn(kind, on) {
		const kinds = [...this.kept.keys()].filter(one => one !== kind);
		await this.keep(on ? [...kinds, kind].slice(-MOST) : kinds);
		say(t(on ? "keptNow" : "keptEnded", { what: this.labels[kind].label }));
	}

	/** The answers that the server may give while this page is closed: those given here before. @returns {Kid} */
	shown() {
		const kinds = Object.keys(this.labels);
		const offered = new Set([...kinds.slice(-MOST), ...kinds.filter(kind => this.kept.has(kind))]);
		const rows = [...offered].map(kind => this.row(kind));
		const ontoggle = (/** @type {any} */ event) => {
			this.isOpen = event.target.open;
		};
		const long = h("p.quiet", t("keptLong", { n: TIMES }));
		const parts = [h("summary", t("keptTitle")), long, h("div.nextrows", rows)];
		return this.signs && rows.length > 0 && h("div.ahead", h("details.next", { open: this.isOpen, ontoggle }, parts));
	}

	isOpen = false;

	/** @param {string} kind */
	row(kind) {
		const { label, ask } = this.labels[kind];
		const left = this.kept.get(kind);
		const attrs = { onclick: () => this.turn(kind, !left), "aria-pressed": Boolean(left), "data-o": `kept|${kind}` };
		return button(".ghost", attrs, t(left ? "keptRow" : "keepRow", { ask, what: label, n: left ?? TIMES }));
	}
}
