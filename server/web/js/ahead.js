// Answers given ahead. A standing instruction passes wherever a question offers it; an answer for the next time waits
// until that very question is asked. Both are kept in this page and sent as any answer is, after a delay that follows
// from nothing but chance: how fast an answer comes says no more than that it was given ahead.
import { button, h } from "./dom.js";
import { match, mode, say } from "./page.js";
import { t } from "./strings.js";

const LEAST_MS = 1000;
const MORE_MS = 2000;
const KEPT = `herald.ahead/${match}`;
/** So many options are offered ahead; of more, nobody decides ahead. */
const MOST = 12;

/** @typedef {import("./comforts.js").Parts} Parts */

/** The kind of a question. @param {Words.Prompt} p */
const kindOf = p => p.terms?.[0] ?? p.ask.replace(/\d+/g, "#");

/** What makes an option the same one another time. @param {Words.Option} o */
const sameOf = o => JSON.stringify([o.label, o.at ?? [], o.grp ?? ""]);

/** What may be answered ahead: one option of a few, none with a file or a question of its own. @param {Words.Prompt} p */
function simple(p) {
	const [field] = p.fields ?? [];
	return p.fields?.length === 1 && field.type === "one" ? (field.options ?? []) : [];
}

/** A delay that nothing follows from. */
function delay() {
	const [drawn] = crypto.getRandomValues(new Uint32Array(1));
	return LEAST_MS + (MORE_MS * drawn) / 2 ** 32;
}

export class Ahead {
	/** What is passed always, by the question's kind. @type {Record<string, string>} */
	standing = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
	/** The answer for the next time. @type {{ kind: string, same: string, label: string } | null} */
	next = null;
	/** The last question that was answered with one of a few options. @type {Words.Prompt | null} */
	last = null;
	/** The question that is being answered by itself. */
	answering = "";

	/** @param {Parts} parts */
	constructor({ view }) {
		this.prompt = view.prompt;
	}

	/** Another Scene is shown: a question may be answered ahead. */
	look() {
		const { p } = this.prompt;
		if (mode !== "play" || !p || !this.prompt.mine() || this.answering === p.id) {
			return;
		}
		this.last = simple(p).length ? p : this.last;
		const given = this.given(p);
		if (given) {
			this.answering = p.id;
			setTimeout(() => this.answer(p), delay());
			this.prompt.draw();
		}
	}

	/** The option that was chosen ahead for a question. @param {Words.Prompt} p */
	given(p) {
		const kind = kindOf(p);
		const options = simple(p).filter(o => !o.off && !o.file);
		const wanted = this.next?.kind === kind ? this.next.same : this.standing[kind];
		return options.find(o => sameOf(o) === wanted);
	}

	/** @param {Words.Prompt} p */
	answer(p) {
		const { prompt } = this;
		const given = this.answering === p.id && prompt.p?.id === p.id && prompt.mine() && this.given(p);
		this.answering = "";
		if (given) {
			this.next = null;
			prompt.choose(prompt.fields()[0], given.id);
			prompt.note = t("answeredAhead", { what: given.label });
			say(prompt.note);
		}
	}

	/** What stands beside a question. @param {Words.Prompt} p @returns {Kid} */
	shown(p) {
		if (mode !== "play") {
			return null;
		}
		if (p.mode === "you") {
			return this.answering === p.id ? this.stop(p) : this.offer(p);
		}
		return p.mode === "wait" ? this.nextTime() : null;
	}

	/** @param {Words.Prompt} p */
	stop(p) {
		const stop = () => {
			this.answering = "";
			this.next = null;
			delete this.standing[kindOf(p)];
			this.keep();
		};
		const what = this.given(p)?.label ?? "";
		const attrs = { onclick: stop, "data-o": "ahead|stop" };
		return h("p.ahead", h("span.quiet", t("answersAhead", { what })), button(".ghost", attrs, t("stopThat")));
	}

	/** Offers to pass here always. @param {Words.Prompt} p */
	offer(p) {
		const pass = simple(p).find(o => o.tone === "quiet" && !o.off);
		if (!pass) {
			return null;
		}
		const always = () => {
			this.standing[kindOf(p)] = sameOf(pass);
			this.keep();
			this.look();
		};
		const attrs = { onclick: always, title: t("alwaysLong"), "data-o": "ahead|always" };
		return h("p.ahead", button(".ghost", attrs, t("always", { what: pass.label })));
	}

	/** While others decide: the last question, to be answered ahead; standing instructions, to be ended. */
	nextTime() {
		const rows = Object.keys(this.standing).map(kind => this.standingRow(kind));
		const { last } = this;
		const options = last ? simple(last).filter(o => !o.off && !o.file && !o.confirm) : [];
		const asked = options.length > 0 && options.length <= MOST;
		return h("div.ahead", rows, asked && last && this.nextShown(last, options));
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

	/** @param {Words.Prompt} last @param {Words.Option[]} options */
	nextShown(last, options) {
		const rows = options.map((o, i) => {
			const same = sameOf(o);
			const chosen = this.next?.same === same;
			const choose = () => {
				this.next = chosen ? null : { kind: kindOf(last), same, label: o.label };
				this.keep();
			};
			const attrs = { onclick: choose, "aria-pressed": chosen, "data-o": `ahead|next${i}` };
			return button(".ghost", attrs, o.label);
		});
		const { next } = this;
		return h(
			"details.next",
			{ open: Boolean(next) },
			h("summary", next ? t("nextChosen", { what: next.label }) : t("nextTime")),
			h("p.quiet", t("nextLong", { ask: last.ask })),
			h("div.nextrows", rows),
		);
	}

	keep() {
		sessionStorage.setItem(KEPT, JSON.stringify(this.standing));
		this.prompt.draw();
	}
}
