// The prompt: whose decision, the question, the options. Three kinds of field cover every decision:
//   one     choose one option; an option may have a path of board refs (source, then target)
//   many    choose min..max items
//   assign  put items on slots, cap per slot (orders to units, results to victims)
// The client never computes legality: it only narrows the list the server sent.
import { $, h, clear, button } from "./dom.js";
import { Answers, draftRef, refsOf } from "./answers.js";
import { FIELDS } from "./fields.js";
import { emblem, glyph } from "./glyph.js";
import { t } from "./strings.js";
import { diceGroup } from "./zones.js";

/** The seats that decide, by the prompt's mode. @type {Record<string, string>} */
const WHO = { you: "yours", wait: "decides", over: "over", past: "past" };

/** The keys that rows can have; other letters are shortcuts. */
const KEYS = [..."123456789abefghimqruvxyz"];
/** A key pressed this soon after an automatic answer was meant for that question. */
const LATE_MS = 600;

/** Whether a press gave a piece the keyboard's focus: Enter is not meant for the piece in that case. */
let pointed = false;
addEventListener("pointerdown", () => (pointed = true), true);
addEventListener("keydown", ({ key }) => (pointed &&= key !== "Tab" && !key.startsWith("Arrow")), true);

export class Prompt {
	answers = new Answers();
	/** @type {Words.Prompt | undefined} */
	p = undefined;
	/** The row that is pointed at: field and id. @type {string | null} */
	hot = null;
	sent = false;
	refusal = "";
	/** @type {string | undefined} */
	refusalLang = undefined;
	/** The acts that are still possible. */
	again = "";
	/** The path of the answer to be sent, and whether a finger chose it. @type {[string[], boolean]} */
	sending = [[], false];
	/** The focus of the keyboard after the next drawing. */
	to = "";
	/** The keys of rows, by the way to the rows and their names; they do not change while the question stays the same. @type {Record<string, Map<string, string>>} */
	keys = {};
	/** Names of rows drawn so far. @type {Set<string>} */
	drawn = new Set();
	/** Whether a finger has chosen: its answer is shown before it is sent. */
	armed = false;
	/** The piece that was clicked instead of an equal one. */
	clicked = "";
	/** The pieces that a hint prefers, on the board. @type {Set<string>} */
	advised = new Set();
	/** The last ref of the path that is pointed at. */
	way = "";
	/** Whether the reason for the question is shown. */
	told = false;
	/** The question that was answered automatically, and when. */
	note = "";
	/** The reason why only that answer was possible. */
	noteWhy = "";
	obeyed = -LATE_MS;
	/** The fields of an option that is answered by putting things in their places, instead of chosen from the list. @type {Words.Field[] | undefined} */
	arranged = undefined;

	/** @param {HTMLElement} root @param {PromptEvents} api */
	constructor(root, api) {
		this.root = root;
		this.api = api;
		/** @type {Scene | undefined} */
		this.scene = undefined;
		/** @param {Event} event */
		const over = event => {
			const row = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest("[data-o]"));
			this.way = row?.dataset.way ?? "";
			this.hover(row?.dataset.o);
		};
		root.onpointerover = over;
		root.addEventListener("focusin", over);
		root.onpointerleave = () => this.hover(null);
	}

	/** Shows a prompt; returns whether it is another one. @param {Words.Prompt | undefined} prompt @param {Scene} scene */
	set(prompt, scene) {
		const fresh = prompt?.id !== this.p?.id;
		if (prompt?.ask !== this.p?.ask) {
			this.keys = {};
		}
		this.p = prompt;
		this.scene = scene;
		if (fresh) {
			this.begin();
		} else {
			this.answers.fields = this.fields();
		}
		this.draw();
		return fresh;
	}

	/** Forgets everything about the previous question. */
	begin() {
		this.hot = null;
		this.advised = new Set();
		this.sent = false;
		this.armed = false;
		this.refusal = "";
		this.arranged = undefined;
		this.answers.begin(this.fields());
		const own = this.mine() && this.fields()[0]?.options?.find(o => o.file)?.file;
		if (own) {
			this.open(own, true);
		}
	}

	fields() {
		return this.arranged ?? this.p?.fields ?? [];
	}

	/** The option that is answered by putting things in their places, unless the player has begun to do so. */
	arrangement() {
		return this.arranged ? undefined : this.p?.fields?.[0]?.options?.find(o => o.arrange);
	}

	/** Begins to put things in their places; without an option, goes back to the list. @param {Words.Option} [o] */
	arrange(o) {
		this.arranged = o?.arrange && [{ ...o.arrange, id: "choice", type: "assign", fill: "items" }];
		this.refusal = "";
		this.answers.begin(this.fields());
		this.refresh();
	}

	/** The choices so far, by the fields' ids. */
	get v() {
		return this.answers.values;
	}

	get path() {
		return this.answers.path;
	}

	get held() {
		return this.answers.held;
	}

	mine() {
		return this.p?.mode === "you" && !this.sent;
	}

	/** Which refs can be clicked now. @returns {Required<RefSets>} */
	sets() {
		if (!this.mine()) {
			return { can: new Set(), sel: new Set(this.answers.path), hint: new Set(), adv: new Set(), why: new Map() };
		}
		const sets = this.answers.sets();
		sets.adv = this.advised;
		const hot = this.hot ? this.option(this.hot) : undefined;
		[...refsOf(hot), this.way].forEach(ref => ref && sets.hint.add(ref));
		this.addEqual(sets);
		const { arrange, label = "" } = this.arrangement() ?? {};
		for (const { at } of arrange?.items ?? []) {
			sets.can.add(at ?? "");
			sets.why.set(at ?? "", label);
		}
		return sets;
	}

	/** Makes each of several equal pieces choosable; the clicked piece is the chosen one. @param {Required<RefSets>} sets */
	addEqual({ can, sel, why }) {
		const pieces = this.scene?.pieces ?? {};
		for (const ref in pieces) {
			const { same } = pieces[ref];
			if (same && can.has(same)) {
				can.add(ref);
				why.set(ref, why.get(same) ?? "");
			}
		}
		if (sel.delete(pieces[this.clicked]?.same ?? "")) {
			sel.add(this.clicked);
		}
	}

	/** The option, item or slot of a row. @param {string} key @returns {Choosable | undefined} */
	option(key) {
		const [field, id] = key.split("|");
		const f = this.fields().find(x => x.id === field);
		return [...(f?.options || []), ...(f?.items || []), ...(f?.slots || [])].find(o => o.id === id);
	}

	/** @param {string | null | undefined} key */
	hover(key) {
		const hot = key || null;
		if (hot !== this.hot) {
			this.hot = hot;
			this.api.mark(this.sets(), hot && this.option(hot));
		}
	}

	/** A piece under the pointer marks the options that use it. @param {string | null | undefined} ref */
	touch(ref) {
		for (const row of this.root.querySelectorAll("[data-o]")) {
			const key = row.getAttribute("data-o") ?? "";
			row.classList.toggle("hint", Boolean(ref) && refsOf(this.option(key)).includes(ref ?? ""));
		}
	}

	undo() {
		if (!this.mine() || !this.answers.past.length) {
			return false;
		}
		this.armed = false;
		this.answers.undo();
		this.refresh();
		return true;
	}

	/** Begins the answer anew; that too can be taken back. */
	clear() {
		const { past, path, verb } = this.answers;
		const fresh = this.mine() && (past.length > 0 || path.length > 0 || verb !== undefined);
		if (fresh) {
			this.armed = false;
			this.answers.clear();
			this.refresh();
		}
		return fresh;
	}

	/** @param {string} why @param {string} [lang] its language, if it is not the page's @param {string} again */
	refused(why, lang, again = "") {
		this.sent = false;
		this.note = "";
		this.refusal = why;
		this.refusalLang = lang;
		this.again = again && ` ${again}`;
		if (again) {
			// the second press finds the first one's effect
			[this.answers.path, this.armed] = this.sending;
		}
		this.refresh();
	}

	/** Chooses the thing at a ref, if that is possible. @param {string} ref @param {boolean} [finger] whether a finger did */
	pick(ref, finger = false) {
		const same = this.scene?.pieces[ref]?.same;
		/** @param {string} at */
		const picked = at =>
			this.fields().some(f => {
				this.clicked = ref;
				return f.type === "one" ? this.pickOption(f, at, finger) : f.items && this.pickItem(f, at);
			});
		return this.mine() && (picked(ref) || (same !== undefined && picked(same)) || this.pickArranged(ref));
	}

	/** Begins to put things in their places with one of them. @param {string} ref @returns {boolean} */
	pickArranged(ref) {
		const o = this.arrangement();
		const found = o?.arrange?.items.some(item => item.at === ref) ?? false;
		if (found) {
			this.arrange(o);
			this.pick(ref);
		}
		return found;
	}

	/** @param {Words.Field} f @param {string} ref @param {boolean} finger @returns {boolean} */
	pickOption(f, ref, finger) {
		if (this.armed && refsOf(this.chosen(f)).at(-1) === ref) {
			this.send();
			return true;
		}
		// the actor of the armed option gets this target instead
		const before = this.armed ? refsOf(this.chosen(f)).slice(0, -1) : [];
		this.disarm();
		const { answers } = this;
		// continue the path, or begin a new one, for the chosen act or for any
		for (const path of [[...answers.path, ref], [...before, ref], [ref]]) {
			if (path.length === 1) {
				Object.assign(answers, { group: undefined, goal: undefined });
			}
			const found = answers.candidates(f, path).filter(o => !o.off);
			if (found.length) {
				if (found.length === 1 && found[0].at?.length === path.length) {
					this.choose(f, found[0].id, finger);
				} else {
					this.enter(path, answers.group);
				}
				return true;
			}
		}
		return this.pickGoal(f, ref, finger);
	}

	/** Chooses the option that ends at a ref, or continues to its possible actors. @param {Words.Field} f @param {string} ref @param {boolean} finger @returns {boolean} */
	pickGoal(f, ref, finger) {
		const { answers } = this;
		const found = answers.candidates(f, []).filter(o => !o.off && o.at?.at(-1) === ref);
		if (found.length === 1) {
			this.choose(f, found[0].id, finger);
		} else if (found.length) {
			answers.goal = ref;
			this.enter([]);
		} else if (answers.verb !== undefined) {
			answers.verb = undefined;
			return this.pickOption(f, ref, finger);
		}
		return found.length > 0;
	}

	/** Continues to the options of a path. @param {string[]} path @param {string} [group] those of one group alone */
	enter(path, group) {
		this.answers.path = path;
		this.answers.group = group;
		this.to = ".opt";
		this.refresh();
	}

	/** Continues to the options of an act. @param {string} verb */
	enterVerb(verb) {
		this.disarm();
		this.answers.verb = verb;
		this.enter([]);
	}

	/** @param {Words.Field} f */
	chosen(f) {
		return f.options?.find(o => o.id === this.v[f.id]);
	}

	/** Drops the choice of a finger; returns whether there was one. */
	disarm() {
		const was = this.armed;
		if (was) {
			this.armed = false;
			this.answers.undo();
		}
		return was;
	}

	/** The options to be shown: the choice of a finger, otherwise all that remain. @param {Words.Field} f */
	offered(f) {
		const chosen = this.armed && this.chosen(f);
		return chosen ? [chosen] : this.answers.candidates(f);
	}

	/** @param {Words.Field} f @param {string} ref */
	pickItem(f, ref) {
		const item = f.items?.find(x => x.at === ref || draftRef(x) === ref);
		if (f.type === "assign") {
			// an item on a place stands for the place when another item is to be put there
			const under =
				this.held && (f.fill === "items" || !item?.at) ? this.answers.assigned(f)[item?.id ?? ""] : undefined;
			const slot = f.slots?.find(x => x.at === ref || x.id === under);
			return this.pickAssigned(f, item, slot);
		}
		if (item) {
			this.toggle(f, item.id);
		}
		return Boolean(item);
	}

	/** @param {Words.Field} f @param {Words.Item | undefined} item @param {Words.Item | undefined} slot the thing at the ref */
	pickAssigned(f, item, slot) {
		const given = this.answers.assigned(f);
		if (this.held && slot) {
			this.give(f, slot.id, this.held);
			return true;
		}
		if (item && !slot && !given[item.id]) {
			this.hold(item.id);
			return true;
		}
		const lying = slot ? Object.keys(given).findLast(k => given[k] === slot.id) : item?.id;
		if (!lying) {
			return false;
		}
		this.take(f, lying);
		return true;
	}

	/** @param {Words.Field} f @param {string} id @param {boolean} [finger] */
	choose(f, id, finger = false) {
		const o = f.options?.find(x => x.id === id);
		if (o?.off) {
			this.refused(o.off);
		} else if (o?.arrange) {
			this.arrange(o);
		} else if (o?.file) {
			this.open(o.file);
		} else {
			this.refusal = "";
			this.answers.choose(f, id);
			this.armed = finger && this.simple();
			if (this.simple() && !o?.confirm && !this.armed) {
				this.send();
			} else {
				this.refresh();
			}
		}
	}

	/** An option that is answered with an army of one's own. @param {Words.OwnFile} as @param {boolean} [only] only if one was chosen before the match */
	async open(as, only = false) {
		(await import("./ownarmy.js")).offer(this, as, only);
	}

	/** Whether a single choice is the whole answer, and sent at once. */
	simple() {
		return this.fields().length === 1 && this.fields()[0].type === "one" && !this.p?.confirm;
	}

	/** Whether the answer waits to be confirmed. */
	asks() {
		if (!this.simple() || this.armed) {
			return true;
		}
		const f = this.fields()[0];
		return f.options?.some(o => o.confirm && o.id === this.answers.values[f.id]);
	}

	/** @param {string} item */
	hold(item) {
		this.answers.lifted = undefined;
		this.answers.held = this.answers.held === item ? null : item;
		this.to = this.answers.held ? ".slotrow:not(.on)" : "";
		this.refresh();
	}

	/** @param {Words.Field} f @param {string} item */
	take(f, item) {
		this.change(() => this.answers.take(f, item));
	}

	/** @param {Words.Field} f @param {string} item */
	toggle(f, item) {
		this.change(() => this.answers.toggle(f, item));
	}

	/** @param {Words.Field} f @param {string} slot @param {string} item */
	give(f, slot, item) {
		this.to = ".chip";
		this.change(() => this.answers.give(f, slot, item));
	}

	/** Puts the remaining items in their places, in the order of the list. */
	fill() {
		this.change(() => {
			for (const f of this.fields()) {
				if (f.type === "assign") {
					this.answers.fill(f);
				}
			}
		});
	}

	/** Changes the draft, and forgets the server's refusal. @param {() => void} done */
	change(done) {
		this.refusal = "";
		done();
		this.refresh();
	}

	back() {
		const went = this.disarm() || this.answers.back();
		if (went) {
			this.refresh();
		} else if (this.arranged) {
			this.arrange();
			return true;
		}
		return went;
	}

	ready() {
		return this.answers.ready();
	}

	drafts() {
		return this.answers.drafts();
	}

	send() {
		if (!this.p || !this.mine() || !this.ready()) {
			return;
		}
		this.sent = true;
		this.sending = [this.answers.path, this.armed];
		this.armed = false;
		this.refusal = "";
		this.note = "";
		this.answers.path = [];
		this.answers.held = null;
		this.api.answer(this.p.id, this.answers.whole());
		this.refresh();
	}

	/** Whether there is only one answer, which needs a single press. */
	isSole() {
		const [only, other] = this.fields()[0]?.options ?? [];
		return this.simple() && Boolean(only) && !other && !(only.off || only.arrange || only.file || only.confirm);
	}

	/** Gives the only possible answer. */
	obey() {
		const [f] = this.fields();
		const [only] = f.options ?? [];
		this.choose(f, only.id);
		this.obeyed = performance.now();
		this.note = t("onlyAnswer", { what: only.label });
		this.noteWhy = this.p?.also ?? "";
		return [this.note, this.noteWhy].filter(Boolean).join(". ");
	}

	refresh() {
		this.draw();
		this.api.mark(this.sets());
		this.api.draft(this.drafts());
	}

	/** Handles a key; returns whether it had an effect here. @param {KeyboardEvent} event */
	hearKey(event) {
		if (!this.mine()) {
			return false;
		}
		if (event.key === "Escape") {
			return this.back();
		}
		if (event.key === "Backspace" || (event.key === "z" && event.ctrlKey)) {
			return this.undo() || this.back();
		}
		if (event.key === "Delete") {
			return this.clear();
		}
		const on = /** @type {HTMLElement} */ (event.target);
		const aside = pointed && Boolean(on.closest?.(".stage"));
		if (event.key === "Enter" && (event.ctrlKey || aside || !on.closest?.("a,button,input,select"))) {
			const ready = this.ready();
			this.send();
			return ready || aside;
		}
		return !event.ctrlKey && this.press(event.key);
	}

	/** The option with this key. @param {string} key */
	rowOf(key) {
		const rows = /** @type {HTMLElement[]} */ ([...this.root.querySelectorAll(".opt")]);
		return rows.find(b => ($("kbd", b) || b).textContent === key);
	}

	/** Clicks the option with this key; a key meant for a question that was just answered chooses nothing. @param {string} key */
	press(key) {
		const row = this.rowOf(key);
		if (performance.now() > this.obeyed + LATE_MS) {
			row?.click();
		}
		return Boolean(row);
	}

	/** After the first step, the stakes are folded into a sign that opens them. */
	step() {
		const { goal, path, verb } = this.answers;
		return (verb ?? goal ?? path[0]) === undefined ? "" : " step";
	}

	draw() {
		const { p, root, scene } = this;
		if (!p || !scene) {
			root.className = "panel prompt idle";
			clear(root, h("p.quiet", t("noDecision")));
			return;
		}
		const on = /** @type {HTMLElement | null} */ (document.activeElement);
		const focused = root.contains(on) ? on : null;
		const seen = focused?.matches(":focus-visible") ?? false;
		root.className = `panel prompt s${p.seat ?? 9} m-${p.mode}${this.step()}${this.told ? " told" : ""}`;
		clear(root, this.head(p, scene));
		if (this.sent) {
			root.append(h("p.sent", t("sent")));
			(focused ? $("#ask", root) : null)?.focus();
			return;
		}
		if (p.mode !== "past") {
			this.drawFields(p);
		}
		this.add(this.api.extra(p));
		this.focusAgain(focused, seen);
	}

	/** @param {Kid} kid */
	add(kid) {
		if (kid) {
			this.root.append(.../** @type {Node[]} */ ([kid].flat().filter(Boolean)));
		}
	}

	/** @param {Words.Prompt} p @param {Scene} scene */
	head(p, scene) {
		const seat = scene.seats?.[p.seat];
		const who = t(WHO[p.mode] || "waiting", { name: seat?.name });
		const header = h(
			"header",
			seat && emblem(seat.charge, p.seat, { cls: "mini" }),
			h("span.who", who),
			p.phase && h("span.ph", p.phase),
			p.left && h("span.left", glyph("hourglass"), p.left),
			this.reasons(p),
		);
		const ask = h("h2.ask", { id: "ask", tabindex: "-1" }, p.ask);
		return [
			header,
			ask,
			p.why && h("p.why", p.why),
			p.also && h("p.also", p.also),
			this.note && h("p.quiet.note", this.note, this.noteWhy && h("span.rs", ". ", this.noteWhy)),
			p.dice && p.mode !== "past" && h("div.rolled", p.dice.map(diceGroup)),
		];
	}

	/** The reason why the last answer was refused. @param {string} shape */
	refusing(shape) {
		const why = h("span", { lang: this.refusalLang || null }, this.refusal);
		return this.refusal && h(shape, { role: "alert" }, why, this.again);
	}

	/** The warning about an option that may still be chosen, in the option's row, which stays under the pointer. @param {Words.Field} f @param {Words.Option | undefined} o @returns {Kid} */
	warned(f, o) {
		const isIts = this.again && o && this.simple() && this.v[f.id] === o.id && this.offered(f).includes(o);
		return isIts ? this.refusing("span.refused") : null;
	}

	/** The button for the reason of the question and its stakes. @param {Words.Prompt} p */
	reasons(p) {
		const toggle = () => {
			this.told = !this.told;
			this.root.classList.toggle("told", this.told);
		};
		const attrs = { onclick: toggle, title: t("whyAsked"), "aria-label": t("whyAsked"), "data-o": "why|why" };
		return p.mode === "you" && (p.why || p.also || p.hint) && button(".wi", attrs, "i");
	}

	/** @param {Words.Prompt} p */
	drawFields(p) {
		this.drawn.clear();
		for (const f of this.fields()) {
			const label = f.label && h("h3", f.label);
			const attrs = { role: "group", "aria-label": f.label || p.ask };
			this.root.append(h(`div.field.f-${f.type}`, attrs, label, FIELDS[f.type](this, f)));
		}
		const refusal = this.refusing("p.refused");
		if (refusal && !this.root.querySelector(".refused")) {
			// no row shows it
			this.root.insertBefore(refusal, this.root.querySelector(".field"));
		}
		this.add(this.foot(p));
	}

	/** The button that confirms the answer, and the hint. @param {Words.Prompt} p */
	foot(p) {
		if (p.mode !== "you" || !this.asks()) {
			return p.hint && h("p.quiet.foot", p.hint);
		}
		const lacking = this.fields().map(f => (f.type === "assign" ? this.answers.lacks(f) : 0));
		const lacks = lacking.find(n => n > 0);
		const confirm = typeof p.confirm === "string" ? p.confirm : t("confirm");
		const none = this.ready() && this.fields().every(f => f.type === "many" && !this.v[f.id]?.length);
		const footer = h(
			"footer",
			button(".go", { disabled: !this.ready(), onclick: () => this.send() }, confirm, none && t("none")),
			this.answers.past.length > 0 && [
				button(".ghost", { onclick: () => this.undo() }, t("undo")),
				// after a single act, "Undo" does the same
				this.answers.past.length > 1 && button(".ghost", { onclick: () => this.clear() }, t("clear")),
			],
			lacks && button(".ghost", { onclick: () => this.fill() }, t("asListed")),
			this.arranged && this.otherwise(),
		);
		// the part that stays in sight with the button would cover the answer to be confirmed
		return [footer, p.hint && h("p.quiet.foot", p.hint)];
	}

	/** Further acts, other than putting things in their places. */
	otherwise() {
		const file = this.p?.fields?.[0]?.options?.find(o => o.arrange)?.file;
		return [
			button(".ghost", { onclick: () => this.arrange() }, t("backToList")),
			file && button(".ghost", { onclick: () => this.open(file) }, t("openFile")),
		];
	}

	/**
	 * Drawing makes new buttons: the keyboard's focus moves on to the next control, stays on the row it was on, or goes to the
	 * question.
	 * @param {HTMLElement | null} focused the control that had it @param {boolean} seen whether that control was shown
	 */
	focusAgain(focused, seen) {
		const next = seen && this.to ? $(this.to, this.root) : null;
		this.to = "";
		if (focused) {
			const key = focused.dataset.o;
			const same = key ? `[data-o="${CSS.escape(key)}"]` : "footer .go:enabled";
			(next || $(same, this.root) || $("#ask", this.root)).focus({ preventScroll: true });
		}
	}

	/**
	 * The key of a row: its former key, otherwise the first free one.
	 * @param {{ label: string, grp?: string }} o @param {string[]} taken keys of others
	 */
	key(o, taken = []) {
		const { goal, path, verb } = this.answers;
		const way = [verb, goal, ...path].join();
		/** @type {Map<string, string>} */
		const keys = this.keys[way] ?? new Map();
		this.keys[way] = keys;
		let name = `${o.grp ?? ""}|${o.label}`;
		while (this.drawn.has(name)) {
			name += "+";
		}
		this.drawn.add(name);
		const used = new Set([...keys.values(), ...taken]);
		const key = keys.get(name) ?? KEYS.find(k => !used.has(k));
		if (!key) {
			return h("kbd.no");
		}
		keys.set(name, key);
		return h("kbd", key);
	}

	/** The piece at a place of the board, in words. @param {string} zid @param {string | number | undefined} key */
	place(zid, key = "") {
		const { slots, geom } = this.scene?.zones[zid] ?? {};
		return slots?.[key]?.label || geom?.areas?.[key]?.label;
	}

	/** The thing at a ref, in words. @param {string} ref */
	name(ref) {
		const [zid, key] = ref.split("#");
		const [id, end] = zid.split("/");
		const piece = this.scene?.pieces[id];
		return piece?.ends?.[Number(end)]?.label || piece?.title || this.place(zid, key) || t("back");
	}
}
