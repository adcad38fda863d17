// Answers given ahead. A standing instruction passes whenever a question offers that; an answer for the next time waits
// until that kind of question is asked, and is dropped if the question does not offer it. Both are kept in this page and sent like any answer, after a delay that
// is random: the speed of an answer only reveals that it was given ahead.
import { button, h } from "./dom.js";
import { match, mode, say } from "./page.js";
import { t } from "./strings.js";

const LEAST_MS = 1000;
const MORE_MS = 2000;
const KEPT = `herald.ahead/${match}`;
/** The most options that a question answered ahead may have: with more, nobody decides ahead. */
const MOST = 12;
/** The number of kinds of questions that are offered, the last ones that were asked. */
const MOST_KINDS = 3;
/** A kind that did not occur among this many last questions belongs to a past phase of the match. */
const RECENT = 8;

/** @typedef {import("./comforts.js").Parts} Parts */

/** The kind of a question. @param {Words.Prompt} p */
const kindOf = p => p.terms?.[0] ?? p.ask.replace(/\d+/g, "#");

/** The part of a question's text that is the same each time, without the occasion before it. @param {Words.Prompt} p */
const always = p => p.ask.slice(p.ask.lastIndexOf(". ") + 1).trim();

/** The key by which an option is recognised the next time. @param {Words.Option} o */
const sameOf = o => JSON.stringify([o.label, o.at ?? [], o.grp ?? ""]);

/** Questions that may be answered ahead: one option of a few, none with a file or a question of its own. @param {Words.Prompt} p */
function simple(p) {
	const [field] = p.fields ?? [];
	return p.fields?.length === 1 && field.type === "one" ? (field.options ?? []) : [];
}

/** Whether a bot decides, which it does before anybody could read anything beside its question. @param {import("./live.js").Live} live @param {Words.Prompt} p */
export const isBots = ({ welcome }, p) =>
	welcome?.seats?.some(({ seat, kind }) => seat === p.seat && kind === "bot") ?? false;

/** The delay is random, so that its length reveals nothing. */
function delay() {
	const [drawn] = crypto.getRandomValues(new Uint32Array(1));
	return LEAST_MS + (MORE_MS * drawn) / 2 ** 32;
}

export class Ahead {
	/** The questions that are always passed, by kind. @type {Record<string, string>} */
	standing = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
	/** Answers for the next time, by the question's kind. @type {Record<string, { same: string, label: string }>} */
	next = {};
	/** The last questions, the newest first. @type {Words.Prompt[]} */
	recent = [];
	/** The kinds of questions that came, and (`again`) those that came more than once and will therefore come again. @type {Set<string>} */
	came = new Set();
	/** @type {Set<string>} */
	again = new Set();
	/** The kinds of questions that are unfolded, to be answered ahead. @type {Set<string>} */
	opened = new Set();
	/** Whether everything that may be answered ahead is unfolded. */
	isOpen = false;
	/** The question that is being answered automatically. */
	answering = "";
	/** The last question that was answered automatically. */
	last = "";
	/** The message about an automatic answer, until the next question is shown. @type {string | undefined} */
	told = undefined;

	/** @param {Parts} parts */
	constructor({ live, view }) {
		this.live = live;
		this.prompt = view.prompt;
	}

	/** Takes another Scene, whose question may have been answered ahead. */
	look() {
		const { p } = this.prompt;
		if (mode !== "play" || !p || !this.prompt.mine() || this.answering === p.id) {
			return;
		}
		if (this.prompt.note === this.told) {
			// the message was about another question
			this.prompt.note = "";
			this.prompt.draw();
		}
		this.told = undefined;
		this.remember(p);
		const given = this.given(p);
		if (given) {
			this.answering = p.id;
			setTimeout(() => this.answer(p), delay());
			this.prompt.draw();
		}
	}

	/** @param {Words.Prompt} p */
	remember(p) {
		const kind = kindOf(p);
		const wanted = this.next[kind]?.same;
		const options = simple(p);
		if (wanted && !options.some(o => sameOf(o) === wanted && !o.off)) {
			// the answer was for this time only
			delete this.next[kind];
		}
		if (this.recent[0]?.id === p.id) {
			this.recent[0] = p;
			return;
		}
		this.recent = [p, ...this.recent].slice(0, RECENT);
		if (options.length && !this.again.has(kind)) {
			(this.came.has(kind) ? this.again : this.came).add(kind);
			this.prompt.draw();
		}
	}

	/** The option that was chosen ahead for a question. @param {Words.Prompt} p */
	given(p) {
		const kind = kindOf(p);
		const options = simple(p).filter(o => !o.off && !o.file);
		const wanted = this.next[kind]?.same ?? this.standing[kind];
		return options.find(o => sameOf(o) === wanted);
	}

	/** @param {Words.Prompt} p */
	answer(p) {
		const { prompt } = this;
		const given = this.answering === p.id && prompt.p?.id === p.id && prompt.mine() && this.given(p);
		this.answering = "";
		if (given) {
			delete this.next[kindOf(p)];
			this.opened.delete(kindOf(p));
			this.last = p.id;
			prompt.choose(prompt.fields()[0], given.id);
			prompt.noteWhy = "";
			prompt.note = t("answeredAhead", { what: given.label });
			this.told = prompt.note;
			say(prompt.note);
		}
	}

	/** The controls beside a question. @param {Words.Prompt} p @returns {Kid} */
	shown(p) {
		if (mode !== "play") {
			return null;
		}
		if (this.last === p.id && this.prompt.refusal) {
			// the answer was refused or warned of: the player decides, here and from now on
			this.last = "";
			delete this.standing[kindOf(p)];
			this.save();
		}
		if (p.mode === "you") {
			return this.answering === p.id ? this.stop(p) : this.offer(p);
		}
		return p.mode === "wait" ? this.nextTime(p) : null;
	}

	/** @param {Words.Prompt} p */
	stop(p) {
		const stop = () => {
			this.answering = "";
			delete this.next[kindOf(p)];
			delete this.standing[kindOf(p)];
			this.keep();
		};
		const what = this.given(p)?.label ?? "";
		const attrs = { onclick: stop, "data-o": "ahead|stop" };
		return h("p.ahead", h("span.quiet", t("answersAhead", { what })), button(".ghost", attrs, t("stopThat")));
	}

	/** Offers to pass here always, if a question has come again. @param {Words.Prompt} p */
	offer(p) {
		const pass = simple(p).find(o => o.tone === "quiet" && !o.off && !o.at);
		if (!pass || this.standing[kindOf(p)] || !this.again.has(kindOf(p))) {
			return null;
		}
		const always = () => {
			this.standing[kindOf(p)] = sameOf(pass);
			this.keep();
			this.look();
		};
		const label = t("alwaysThis", { what: pass.label });
		const attrs = { onclick: always, title: t("alwaysLong"), "aria-label": label, "data-o": "ahead|always" };
		return h("p.ahead", button(".ghost", attrs, t("always")));
	}

	/** The part shown while others decide: frequent questions, which can be answered ahead, and standing instructions, which can be ended. @param {Words.Prompt} p */
	nextTime(p) {
		const rows = Object.keys(this.standing).map(kind => this.standingRow(kind));
		if (isBots(this.live, p)) {
			return h("div.ahead", rows);
		}
		const answered = this.recent.filter(p => this.again.has(kindOf(p)) && simple(p).length);
		const kinds = answered.map(kindOf);
		const comes = answered.filter((p, i) => kinds.indexOf(kindOf(p)) === i);
		const asked = comes.slice(0, MOST_KINDS).map(p => {
			const options = simple(p).filter(o => !o.off && !o.file && !o.confirm && this.stands(o));
			return options.length > 0 && options.length <= MOST && this.nextShown(p, options);
		});
		return [rows.length > 0 && h("div.ahead", rows), asked.some(Boolean) && this.meanwhile(asked)];
	}

	/** All questions that may be answered ahead, folded into one line. @param {Kid} asked */
	meanwhile(asked) {
		const toggled = (/** @type {any} */ event) => {
			this.isOpen = event.target.open;
		};
		const open = this.isOpen || this.opened.size > 0 || Object.keys(this.next).length > 0;
		return h("details.ahead.meanwhile", { open, ontoggle: toggled }, h("summary", t("meanwhile")), asked);
	}

	/** Whether everything that an option is about is still on the table. @param {Words.Option} o */
	stands(o) {
		const { pieces = {}, zones = {} } = this.prompt.scene ?? {};
		const there = /** @param {string} ref */ ref => ref in pieces || ref.split("#")[0] in zones;
		return (o.at ?? []).every(there);
	}

	/** @param {string} kind */
	standingRow(kind) {
		const [what] = JSON.parse(this.standing[kind]);
		const end = () => {
			delete this.standing[kind];
			this.keep();
		};
		const attrs = { onclick: end, "data-o": `ahead|${kind}` };
		return h("p", h("span.quiet", t("standing", { what })), button(".ghost", attrs, t("stopThat")));
	}

	/** @param {Words.Prompt} p @param {Words.Option[]} options */
	nextShown(p, options) {
		const kind = kindOf(p);
		const next = this.next[kind];
		const rows = options.map((o, i) => this.nextRow(kind, o, i));
		return h(
			"details.next",
			{ open: Boolean(next) || this.opened.has(kind), ontoggle: this.toggled(kind) },
			h("summary", next ? t("nextChosen", { what: next.label }) : t("nextTime", { ask: always(p) })),
			h("p.quiet", t("nextLong", { ask: always(p) })),
			this.offer(p),
			h("div.nextrows", rows),
		);
	}

	/** An option that may be chosen for the next time. @param {string} kind @param {Words.Option} o @param {number} i */
	nextRow(kind, o, i) {
		const same = sameOf(o);
		const chosen = this.next[kind]?.same === same;
		const onclick = () => {
			delete this.next[kind];
			if (!chosen) {
				this.next[kind] = { same, label: o.label };
			}
			this.keep();
		};
		return button(".ghost", { onclick, "aria-pressed": chosen, "data-o": `ahead|${kind}|next${i}` }, o.label);
	}

	/** Keeps unfolded parts unfolded while the question is drawn anew. @param {string} kind */
	toggled(kind) {
		return (/** @type {Event} */ event) => {
			const { open } = /** @type {HTMLDetailsElement} */ (event.target);
			this.opened[open ? "add" : "delete"](kind);
		};
	}

	save() {
		sessionStorage.setItem(KEPT, JSON.stringify(this.standing));
	}

	keep() {
		this.save();
		this.prompt.draw();
	}
}
