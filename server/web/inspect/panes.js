// The result of the messages: the question, the view that the rules fold, the Scene, the chain.
import { fault, first, some } from "../client/forms.js";
import { $, button, clear, h } from "../js/dom.js";
import { Tree } from "./tree.js";

/** @typedef {import("../client/match.js").Match} Match */
/** @typedef {import("../client/lines.js").Line} Line */

const HASH = 12;

/** The question that is open, and what may be answered to it. */
export class QuestionPane {
	pane = $("#question");
	/** The answers so far, latest first. @type {HTMLElement[]} */
	given = [];
	shown = "";

	/** @param {Match} match */
	draw(match) {
		const { prompt, question } = match;
		const now = JSON.stringify([prompt, Boolean(question)]);
		if (now === this.shown) {
			return;
		}
		this.shown = now;
		clear(this.pane, prompt ? this.prompt(match, prompt) : h("p.quiet", "No Scene has come yet."), this.answers());
	}

	answers() {
		return this.given.length ? [h("h3", "Answered here"), h("ul.given", this.given)] : [];
	}

	/** @param {Match} match @param {Words.Prompt} prompt */
	prompt(match, prompt) {
		const { ask, why, phase, mode, id, fields = [] } = prompt;
		const facts = [mode === "you" ? `decision ${id}` : mode, phase, fields[0]?.type].filter(Boolean);
		const field = match.question && fields[0];
		return [
			h("h2", ask || "Nothing is asked"),
			h(
				"p.facts",
				facts.map(fact => h("span.fact", fact)),
			),
			why && h("p", why),
			field && this.form(match, field),
			fields.map(one => h("ul.options", this.options(one))),
		];
	}

	/** @param {Words.Field} field */
	options({ options = [], items = [], slots = [] }) {
		return [...options, ...items, ...slots].map(one =>
			h("li", h("code", one.id), h("span", one.label), "off" in one && one.off && h("i", one.off)),
		);
	}

	/** @param {Match} match @param {Words.Field} field */
	form(match, field) {
		const text = /** @type {HTMLTextAreaElement} */ (
			h("textarea", { rows: 3, spellcheck: false, "aria-label": "Answer, as JSON" })
		);
		const told = h("p.told", { role: "status" });
		const put = (/** @type {unknown} */ answer) => {
			text.value = JSON.stringify(answer);
			told.textContent = "";
		};
		put(first(field));
		const send = button(".go", { onclick: () => this.send(match, field, text.value, told) }, "Answer");
		const lot = button(".ghost", { onclick: () => put(some(field)) }, "By lot");
		const begin = button(".ghost", { onclick: () => put(first(field)) }, "First");
		return h("div.answer", text, h("div.row", send, lot, begin), told);
	}

	/** @param {Match} match @param {Words.Field} field @param {string} text @param {HTMLElement} told */
	async send(match, field, text, told) {
		const note = h("li", h("code", text), " ");
		try {
			const answer = JSON.parse(text);
			told.textContent = fault(field, answer);
			this.given.unshift(note);
			const { seq } = await match.answer(answer);
			note.append(`line ${seq}`);
		} catch (wrong) {
			const { message } = /** @type {Error} */ (wrong);
			note.append(message);
			told.textContent = message;
		}
		this.shown = "";
		this.draw(match);
	}
}

/** One's own view as the rules fold it, asked of the server while the pane is looked at. */
export class ViewPane {
	pane = $("#view");
	tree = new Tree();
	at = 0;
	asking = false;

	/** @param {import("../client/links.js").Link} link */
	constructor(link) {
		this.link = link;
	}

	/** @param {Match} match */
	async draw({ head: { seq } }) {
		if (this.pane.hidden || this.asking || seq === this.at) {
			return;
		}
		this.asking = true;
		const { match, token } = this.link;
		const headers = token ? { Authorization: `Bearer ${token}` } : undefined;
		const answer = await fetch(`/inspect/view?m=${encodeURIComponent(match)}&seq=${seq}`, { headers }).catch(
			() => null,
		);
		this.asking = false;
		this.at = seq;
		if (answer?.ok) {
			const { view } = await answer.json();
			clear(this.pane, h("h2", `The view after line ${seq}`), h("p.quiet", VIEW), this.tree.draw(view));
		} else {
			clear(this.pane, h("h2", "No view"), h("p.quiet", "The server does not answer."));
		}
	}
}
const VIEW =
	"The events that this connection was sent, folded by the rules: what is hidden from it is hidden here. Marked is what has changed since it was last folded.";

export class ScenePane {
	pane = $("#scene");
	tree = new Tree();

	/** @param {Match} match */
	draw({ scene }) {
		if (scene && !this.pane.hidden && scene !== this.tree.last) {
			const head = h("h2", `The Scene after line ${scene.seq}`);
			clear(this.pane, head, h("p.quiet", "A whole Scene, and the patches since."), this.tree.draw(scene));
		}
	}
}

/** The chain: each line, what the hash comes to, what was opened. */
export class ChainPane {
	pane = $("#chain");
	sums = h("div.sums");
	list = h("ol.lines");
	/** Lines that are not shown yet. @type {Line[]} */
	waiting = [];

	constructor() {
		this.pane.append(this.sums, this.list);
	}

	/** @param {Match} match */
	draw(match) {
		if (!this.pane.hidden) {
			clear(this.sums, ...summed(match));
			this.list.prepend(
				...this.waiting
					.splice(0)
					.reverse()
					.map(line => lineRow(match, line)),
			);
		}
	}
}

/** The state of the checks so far. @param {Match} match */
function summed({ verifier, head, signedTo }) {
	const { fault: broken, seated, openings, dice, signatures } = verifier;
	const seats = [...seated.values()].map(held => held.name + (held.key ? ", signs" : ""));
	return [
		h("h2", broken ? "The record is broken" : `${head.seq} lines, each follows from the one before`),
		broken && h("p.bad", broken.message),
		h("dl", fact("Head", head.hash), fact("Signed by the server to", signedTo ? `line ${signedTo}` : "no line yet")),
		h("dl", fact("Openings", openings), fact("Dice", dice), fact("Signatures of seats", signatures)),
		h("dl", fact("Seats", seats.join("; "))),
	];
}

/** @param {string} name @param {string | number} value */
const fact = (name, value) => h("div", h("dt", name), h("dd", value));

/** @param {Match} match @param {Line} line */
function lineRow({ verifier }, line) {
	const opened = Object.keys(line.secrets).length;
	const hash = [...verifier.heads[line.seq].subarray(0, HASH / 2)]
		.map(byte => byte.toString(16).padStart(2, "0"))
		.join("");
	const el = h(
		"details",
		h(
			"summary",
			h("span.seq", line.seq),
			h("b", line.type),
			h("span.brief", JSON.stringify(line.fields)),
			opened > 0 && h("span.fact", `${opened} opened`),
			h("code.hash", hash),
		),
	);
	const { text: _, ...rest } = line;
	el.addEventListener("toggle", () => el.children[1] ?? el.append(new Tree().draw(rest)), { once: true });
	return h("li", el);
}
