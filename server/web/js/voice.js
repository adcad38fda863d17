// The voice of a lesson: what it says, what it points at, what it answers, and the way back.
import { button, clear, h } from "./dom.js";
import { refsOf } from "./answers.js";
import { isNarrow, say } from "./page.js";
import { lessonLink } from "./progress.js";
import { linked } from "./rulebook.js";
import { language, t } from "./strings.js";

/**
 * The voice's calls to its page.
 * @typedef {object} VoiceApi
 * @property {(count: number) => void} back takes back all but this many choices
 * @property {() => number} count how many choices were made
 */

/** @typedef {Wire.Passage} Passage */

/** @param {Passage} passage @param {string} kind */
const shown = ({ say: text, rules = [], lang }, kind) =>
	h(`p.${kind}`, { lang: lang || null }, text, rules.length > 0 && h("span.rules", " ", linked(rules.join(" "))));

export class Voice {
	/** @type {Wire.Studied | undefined} */
	told = undefined;
	/** The index of the passage that is read. */
	at = 0;
	/** The thing pointed at that cannot be chosen. @type {Passage | undefined} */
	mistake = undefined;
	/** Whether the viewer has gone back here: passages read before are not read again. */
	isBack = false;
	/** Whether the subject of the passage has still to be brought into sight, as a map is drawn late. */
	isSought = false;

	/** @param {HTMLElement} root @param {import("./view.js").View} view @param {string} game @param {VoiceApi} api */
	constructor(root, view, game, api) {
		this.root = root;
		this.view = view;
		this.game = game;
		this.api = api;
		const watch = new MutationObserver(() => this.ring());
		const what = { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] };
		watch.observe(view.board.stage, what);
		watch.observe(view.prompt.root, what);
	}

	/** @param {Wire.Studied} told */
	hear(told) {
		this.told = told;
		this.at = this.isBack ? Math.max(0, (told.read?.length ?? 0) - 1) : 0;
		this.isBack = false;
		this.mistake = undefined;
		this.draw();
		const heard = (told.heard ?? []).map(passage => passage.say).join(" ");
		say(heard || (told.at === "off" ? t("strayed") : ""));
		this.read();
	}

	get passage() {
		return this.told?.read?.[this.at];
	}

	/** Whether there is more to read before the next task, or before the end. */
	get isMore() {
		return this.at < (this.told?.read?.length ?? 0) - 1;
	}

	read() {
		say(this.passage?.say ?? (this.told?.at === "end" ? t("lessonDone") : ""));
	}

	next() {
		this.at += 1;
		this.draw();
		this.read();
		/** @type {HTMLElement} */ (this.root.querySelector(".acts .go") ?? this.root).focus();
	}

	/** Answers a player who points at something that the rules forbid now. @param {string | null} ref */
	mistaken(ref) {
		const found = this.told?.likely?.find(passage => passage.point?.includes(ref ?? ""));
		if (found) {
			this.mistake = found;
			this.draw();
			say(found.say);
		}
	}

	draw() {
		const { told } = this;
		if (!told) {
			return;
		}
		const heard = this.at === 0 && !this.mistake ? (told.heard ?? []) : [];
		clear(
			this.root,
			this.head(told),
			heard.map(passage => shown(passage, "heard")),
			told.at === "off" && !heard.length && h("p.said", t("strayed")),
			this.passage && shown(this.passage, "said"),
			told.at === "end" && !this.isMore && h("p.done", t("lessonDone")),
			this.mistake && h("div", { role: "alert" }, shown(this.mistake, "mistake")),
			this.acts(told),
		);
		this.root.scrollTop = 0;
		this.isSought = isNarrow();
		this.ring();
	}

	/** @param {Wire.Studied} told */
	head({ title, language: lang, done, steps, at: where, read = [] }) {
		const over = where === "end" && !this.isMore;
		const at = over ? steps : Math.min(steps, done + this.at + (read.length || where === "off" ? 1 : 0));
		return h(
			"header",
			h("h2", { lang: lang === language ? null : lang }, title),
			h("span.left", { "aria-label": t("stepOfLesson", { i: at, n: steps }) }, `${at} / ${steps}`),
		);
	}

	/** @param {Wire.Studied} told */
	acts({ at, back = 0, next }) {
		const count = this.api.count();
		const over = at === "end" && !this.isMore;
		/** @param {string} kind @param {string} word @param {() => void} onclick */
		const act = (kind, word, onclick) => button(kind, { onclick }, t(word));
		return h(
			"p.acts",
			at === "off" && act(".go", "backToLesson", () => this.back(back)),
			at !== "off" && this.isMore && act(".go", "readOn", () => this.next()),
			over && next && h("a.go", { href: lessonLink(this.game, next) }, t("nextLesson")),
			at !== "off" && count > 0 && !over && act(".ghost", "oneStepBack", () => this.back(count - 1)),
			count > 0 && act(".ghost", "fromTheBeginning", () => this.api.back(0)),
			h("a.ghost", { href: `/learn#g=${this.game}` }, t("lessons")),
		);
	}

	/** Goes back to the task after a number of choices. @param {number} count */
	back(count) {
		this.isBack = true;
		this.api.back(count);
	}

	/** Rings the subject, on the table and in the list. */
	ring() {
		const meant = new Set(this.told?.at === "off" ? [] : (this.passage?.point ?? []));
		for (const el of document.querySelectorAll(".meant")) {
			const ref = el.getAttribute("data-ref");
			if (ref && !meant.has(ref)) {
				el.classList.remove("meant");
			}
		}
		this.view.board.point(meant);
		const last = this.view.board.node(this.passage?.point?.at(-1) ?? "");
		if (this.isSought && last) {
			this.isSought = false;
			last.scrollIntoView({ block: "center" });
		}
		this.ringOptions(meant);
	}

	/** @param {Set<string>} meant */
	ringOptions(meant) {
		const { prompt } = this.view;
		const doing = this.told?.at === "way" && !this.isMore;
		for (const row of prompt.root.querySelectorAll("[data-o]")) {
			const refs = refsOf(prompt.option(row.getAttribute("data-o") ?? ""));
			const is = doing && refs.some(ref => meant.has(ref));
			if (row.classList.contains("meant") !== is) {
				row.classList.toggle("meant", is);
			}
		}
	}
}
