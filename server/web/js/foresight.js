// The consequences of an option, as the server foresees them: shown under the options, and before sending a choice that
// would lose the match or come to nothing.
import { clear, h } from "./dom.js";
import { fresh } from "../client/connection.js";
import { isNarrow } from "./page.js";
import { ROWS } from "./scene.js";
import { t } from "./strings.js";

/** How long a choice waits for a possible warning before it is sent. */
const PATIENCE_MS = 600;
/** The longest time that an answer may take. */
const LOST_MS = 8000;
/** The number of options whose consequences are fetched soon after the question; those of other options are fetched when pointed at. */
const UNASKED = 6;
const SETTLE_MS = 250;

/** @typedef {Wire.Foreseen} Foreseen */

/** Names in the words of an option. */
const NAMES = /\p{Lu}\p{L}\p{L}\p{L}+|\p{Lu}\d+/gu;

/** The consequences shown in an option's row, without those that its label already states. @param {Foreseen} seen @param {string} label */
function rowTexts({ lost, vain, roll, lines = [], final = "" }, label) {
	const certain = lost || vain || roll;
	const [first = "", ...others] = lines;
	// words that are not a sentence come from the option itself
	const isSaid = !/[.!?]$/.test(first) || (label.match(NAMES) ?? []).some(name => first.includes(name));
	// a sentence that begins with those very words is not repeated either
	const news = others.filter(line => !label || !line.startsWith(label));
	return [...(certain ? [certain] : [isSaid ? "" : first, ...news]), final].filter(Boolean);
}

/** @param {Element} row */
const labelOf = row => row.querySelector(".lb")?.textContent ?? "";

/** Rows of the rules cannot be opened inside a button: the chronicle names them. */

/** Marks the texts that are left in English. @param {Foreseen} seen @param {string[]} texts */
const spans = (seen, texts) =>
	texts.flatMap((text, i) => [
		i > 0 && " ",
		h("span", { lang: seen.english?.includes(text) ? "en" : null }, text === seen.lost ? text : text.replace(ROWS, "")),
	]);

export class Foresight {
	/** The callbacks that wait for answers. @type {Map<string, (seen: Foreseen | null) => void>} */
	waiting = new Map();
	/** The known consequences of the open question, by choice. @type {Map<string, Promise<Foreseen | null>>} */
	told = new Map();
	decision = "";
	/** The choice about which there was a warning. */
	warned = "";
	timer = 0;
	/** The row that is pointed at. @type {Element | null} */
	at = null;

	/** @param {import("./view.js").View} view @param {import("./live.js").Live} live */
	constructor(view, live) {
		this.view = view;
		this.live = live;
		live.foresaw = m => this.hear(m);
		this.root = view.prompt.root;
		new MutationObserver(() => this.soon()).observe(this.root, { childList: true, subtree: true });
		new MutationObserver(() => this.reveal()).observe(this.root, { childList: true });
		this.soon();
	}

	/** Whether a message was an answer to a question of this module. @param {Wire.Foreseen | Wire.Error} m */
	hear(m) {
		const done = this.waiting.get(m.id ?? "");
		this.waiting.delete(m.id ?? "");
		done?.("decision" in m ? m : null);
		return done !== undefined;
	}

	/** The question to this seat, if one option answers it. */
	asked() {
		const { prompt } = this.view;
		const [field] = prompt.fields();
		return prompt.mine() && prompt.fields().length === 1 && field.type === "one" ? field : undefined;
	}

	/** The consequences of a choice. @param {string} decision @param {Answer} choice */
	of(decision, choice) {
		if (this.decision !== decision) {
			this.decision = decision;
			this.told.clear();
			this.warned = "";
		}
		const key = JSON.stringify(choice);
		const found = this.told.get(key) ?? this.ask(Number(decision), choice);
		this.told.set(key, found);
		return found;
	}

	/** @param {number} decision @param {Answer} choice @returns {Promise<Foreseen | null>} */
	ask(decision, choice) {
		const id = fresh();
		return new Promise(done => {
			this.waiting.set(id, done);
			setTimeout(() => this.hear(/** @type {Wire.Error} */ ({ id })), LOST_MS);
			if (!this.live.send({ t: "foresee", id, decision, choice })) {
				this.hear(/** @type {Wire.Error} */ ({ id }));
			}
		});
	}

	/**
	 * Why the player should confirm a choice; nothing the second time.
	 * @param {string} decision @param {Answer} choice @returns {Promise<{ why: string, lang?: string } | undefined>}
	 */
	async warning(decision, choice) {
		const options = this.view.prompt.fields()[0]?.options ?? [];
		const key = JSON.stringify(choice);
		if (options.length === 1 || (this.decision === decision && this.warned === key)) {
			return undefined;
		}
		/** @type {Promise<null>} */
		const late = new Promise(done => {
			setTimeout(done, PATIENCE_MS, null);
		});
		const seen = await Promise.race([this.of(decision, choice), late]);
		const why = seen?.lost || seen?.vain;
		if (!why || (await Promise.race([this.isAllLost(decision, options), late]))) {
			return undefined;
		}
		this.warned = key;
		return { why, lang: seen.english?.includes(why) ? "en" : undefined };
	}

	/** Whether there are only a few options and each of them loses, so that no choice is better. @param {string} decision @param {Words.Option[]} options */
	async isAllLost(decision, options) {
		const seen = options.length <= UNASKED ? await Promise.all(options.map(o => this.of(decision, o.id))) : [null];
		return seen.every(each => each?.lost);
	}

	/** Shows the choice, or the next possible choices, if the question fills the panel. */
	reveal() {
		const { armed, path } = this.view.prompt;
		const chosen = this.root.querySelector(".picked") ?? this.root.querySelector(".opt.on:not(.verb)");
		const crumb = path.length > 0 ? this.root.querySelector(".crumb") : null;
		if (armed) {
			chosen?.scrollIntoView({ block: "center" });
		} else if (isNarrow()) {
			crumb?.scrollIntoView();
		} else if (this.asked()) {
			chosen?.scrollIntoView({ block: "nearest" });
			if (crumb && !chosen) {
				this.root.scrollTop = 0;
			}
		}
	}

	soon() {
		clearTimeout(this.timer);
		// known consequences are written before the rows are visible
		this.timer = setTimeout(() => this.tellFirst(), this.decision === this.view.prompt.p?.id ? 0 : SETTLE_MS);
	}

	tellFirst() {
		const rows = /** @type {HTMLElement[]} */ ([...this.root.querySelectorAll(".opt[data-o]:not([data-way])")]);
		if (this.asked() && (rows.length > 1 || this.view.prompt.armed)) {
			rows.slice(0, UNASKED).forEach(row => this.tell(row));
		}
	}

	/** Writes the consequences under an option. @param {HTMLElement} row */
	async tell(row) {
		const field = this.asked();
		const id = row.dataset.o?.split("|")[1];
		if (!field || !id || row.matches("[data-way],[data-file]") || row.querySelector(".fs")) {
			return;
		}
		const seen = await this.of(this.view.prompt.p?.id ?? "", id);
		const texts = seen ? rowTexts(seen, labelOf(row)) : [];
		if (seen && texts.length && row.isConnected && !row.querySelector(".fs")) {
			this.write(row, seen, texts);
		}
	}

	/** Writes the consequences, which are read with the row, and shown when the row is pointed at. @param {HTMLElement} row @param {Foreseen} seen @param {string[]} texts */
	write(row, seen, texts) {
		const bad = seen.lost || seen.vain ? ".bad" : "";
		const said = h(`span.sb.fs${bad}`, spans(seen, texts));
		(row.querySelector(".ol") ?? row).append(said);
		if (bad) {
			row.append(h("span.oe.bad", { "aria-hidden": "true" }, t(seen.lost ? "losesMatch" : "inVain")));
		}
		if (row.ariaLabel) {
			// the visible text is the row's name: a label without it would hide it from people who cannot see
			row.ariaLabel = `${row.ariaLabel}, ${said.textContent}`;
		}
		this.show();
		if (this.view.prompt.armed) {
			row.scrollIntoView();
		}
	}

	/** Shows beside the table the consequences of the row that is pointed at. @param {Element | null} [row] */
	point(row = null) {
		// if nothing is pointed at, the consequences of the choice are shown
		this.at = row ?? this.root.querySelector(".opt.on:not(.verb)");
		this.show();
		if (row?.matches(".opt")) {
			this.tell(/** @type {HTMLElement} */ (row));
		}
	}

	show() {
		const row = this.at;
		const o = this.view.prompt.option(row?.getAttribute("data-o") ?? "");
		const told = [...(row?.querySelectorAll(".sb") ?? [])].map(said => said.cloneNode(true));
		const sub = !told.length && o?.sub ? [h("span", o.sub)] : [];
		const lines = [...sub, ...told].map(said => h("li", said));
		if (!row?.isConnected || !o || !lines.length) {
			return;
		}
		this.view.info.className = "panel follows";
		clear(this.view.info, h("h3", o.label), h("ul.tips", lines));
	}
}
